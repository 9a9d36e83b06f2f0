"""Figures of trainings: the loss, how well the known answer is given by each head, and where a phase change lies."""

from collections.abc import Sequence

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from attnviz.analysis.phase_change import phase_change
from attnviz.core.errors import InputError
from attnviz.figures.columns import in_unit
from attnviz.figures.labels import Counting, check_count, drawn, place, plain
from attnviz.palette import SERIES, TOKENS, Theme
from attnviz.text import Language, Strings, strings
from attnviz.training.head_formation import HeadFormation
from attnviz.training.load import TITLES

LABELLED = 3  # heads with a name of their own: those that give the known answer best in the end


def training(
    formation: HeadFormation | Sequence[HeadFormation], *, lang: Language = "en", theme: Theme = "light",
    count_from: Counting = None,
) -> go.Figure:  # fmt: skip
    """One training or several: loss by step above, below it how much weight each head gives the known answer.

    Args:
        formation: what `attnviz.training.head_formation` returned, or several of them.
    Returns:
        two charts with one axis of steps; of a lone training the phase change is marked where there is one. Of each
        head `customdata` has the step, its layer and number and which of the trainings it is, counted from 0.
    """
    say, start = strings(lang), check_count(count_from)
    runs = list(formation) if isinstance(formation, Sequence) else [formation]
    for run in runs:
        if not isinstance(run, HeadFormation):
            raise InputError(id="no-formations", came=type(run).__name__)
    if not 1 <= len(runs) <= len(SERIES):
        raise InputError(id="too-many-trainings", n=len(runs), most=len(SERIES))
    fig = make_subplots(2, 1, shared_xaxes=True, vertical_spacing=0.08)
    for at, run in enumerate(runs):
        named, colour = f"{plain(run.label or run.task)}: " if len(runs) > 1 else "", SERIES[at].on(theme)
        fig.add_scatter(
            x=[point.step for point in run.log], y=[point.loss for point in run.log], mode="lines",
            name=named + say("figure-loss"), line={"color": colour}, row=1, col=1,
            hovertemplate=f"%{{fullData.name}}<br>{say('figure-step')} %{{x}}<br>{in_unit(say, '%{y:.4~g}', 'nats')}"
            "<extra></extra>",
        )  # fmt: skip
        answer = run.scores[-1]  # [M, L, H]
        best = sorted(run.places, key=lambda place: -float(answer[-1][place]))[:LABELLED]
        for number, (layer, head) in enumerate(run.places):
            is_best = (layer, head) in best
            line_colour = SERIES[number % len(SERIES)].on(theme) if len(runs) == 1 else colour
            fig.add_scatter(
                x=list(run.measured), y=answer[:, layer, head].tolist(), mode="lines+markers", row=2, col=1,
                name=f"{named}{place(say, run.sites[layer], head, start)}", showlegend=is_best,
                line={"color": line_colour if is_best else TOKENS["line-2"].on(theme), "width": 2 if is_best else 1},
                marker={"size": 5}, cliponaxis=False, customdata=[[step, layer, head, at] for step in run.measured],
                hovertemplate=f"%{{fullData.name}}<br>{say('figure-step')} %{{x}}<br>{say('figure-weight')} %{{y:.4f}}"
                "<extra></extra>",
            )  # fmt: skip
        if len(runs) == 1 and (change := change_of(run)) is not None:
            fig.add_vrect(
                x0=change[0], x1=change[1], fillcolor=TOKENS["sunken"].on(theme), line_width=0, layer="below",
            )  # fmt: skip
            fig.add_annotation(
                x=change[1], y=1, yref="y domain", xanchor="left", yanchor="top", text=say("figure-phase"),
                showarrow=False,
            )  # fmt: skip
    fig.update_yaxes(title=in_unit(say, say("figure-loss"), "nats"), row=1, col=1)
    fig.update_yaxes(title=say("figure-answer"), range=[0, 1], row=2, col=1)
    fig.update_xaxes(title=say("figure-step"), row=2, col=1)
    about = [(name_of(run, say), " → ".join(filter(None, (run.text, run.written))), "") for run in runs]
    return drawn(fig, say, say("figure-training"), theme=theme, count_from=start, about=about)


def name_of(run: HeadFormation, say: Strings) -> str:
    """The model that was trained and, where there are several of its task, which training it is."""
    return " · ".join(filter(None, (say.named(TITLES[run.task]), run.label)))


def change_of(run: HeadFormation) -> tuple[int, int] | None:
    """The steps between which the loss dropped while the best head's share of the known answer rose."""
    best = run.scores[-1].reshape(len(run.measured), -1).max(1)  # [M]
    losses = [point.loss for point in run.log]
    change = phase_change([point.step for point in run.log], losses, run.measured, best)
    return None if change is None else (change.first, change.last)
