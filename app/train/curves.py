"""The curves of the trainings on the page as a chart in a dialog, each of whose points leads to its moment."""

from collections.abc import Callable

from attnviz_app.host import charts, component, session, visitor
from attnviz_app.shell import panels
from attnviz_app.train.query import Question
from attnviz_app.train.state import BEGINNING, TRAIN

from attnviz import figures
from attnviz.text import Strings
from attnviz.training.head_formation import HeadFormation
from attnviz.views import Moment
from attnviz.views.panel import Chart, Curve

TALL = 460  # px
OPENED = session.OfPicture[Question | None]("training-curves", session.nothing)  # of another question nothing is open
IS_NEW = session.Value("training-curves-asked", bool)  # whether the page has to run for it


def ask() -> None:
    """Open the dialog over the trainings on the page."""
    OPENED.set(TRAIN.asked)
    IS_NEW.set(True)


def open_dialog(formed: Callable[[], list[HeadFormation]], say: Strings) -> None:
    """Show the curves of these trainings where they are asked for.

    The page calls it, and not the picture, which runs each second while a training goes on.
    """
    if OPENED.get() != TRAIN.asked:
        OPENED.set(None)
        return

    panels.dialog(
        say("view-training-chart"), lambda: draw(formed(), visitor.say()), asked=OPENED.get,
        close=lambda: OPENED.set(None),
    )  # fmt: skip


def draw(formed: list[HeadFormation], say: Strings) -> None:
    """One figure over its numbers; a point that is pressed is the moment that the picture goes to."""
    fig = figures.training(formed, lang=say.language, theme=charts.theme(), count_from=1)
    fig.update_layout(legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"}, dragmode="zoom")
    fig.layout.annotations = [it for it in fig.layout.annotations if it.name != "footnote"]
    component.figure(fig, numbers(formed, say), "training-curves", say, on_pick=_lead, height=TALL)


def numbers(formed: list[HeadFormation], say: Strings) -> Chart:
    """At each checkpoint the loss and what each head gives the known answer; empty where a training has none."""
    steps = sorted({step for run in formed for step in run.measured})
    curves: list[Curve] = []
    for run in formed:
        whose = f"{run.label}: " if len(formed) > 1 else ""
        logged = {point.step: point.loss for point in run.log}
        curves.append(Curve(whose + say("figure-loss"), [logged.get(step) for step in steps]))
        at = {step: c for c, step in enumerate(run.measured)}
        for layer, head in run.places:
            shares = [float(run.scores[-1, at[step], layer, head]) if step in at else None for step in steps]
            curves.append(Curve(f"{whose}{layer + 1}.{head + 1}", shares))
    return Chart(say("view-training-curves"), steps, curves, say("figure-step"))


def _lead(point: object) -> None:
    match point:
        case [int(step), int(layer), int(head), int(run)]:
            BEGINNING.bring(Moment(step, layer, head, run=run), "look")
            OPENED.set(None)
