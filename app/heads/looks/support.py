"""What supports the kind of each head: its pattern over texts, its weights, and its effect between two texts."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import pandas as pd
from attnviz_app.jobs.measurements import Tell
from attnviz_app.serving import model_menu
from attnviz_app.serving.examples import PAIRS, text_of
from attnviz_app.serving.runs import runs

from attnviz.analysis.circuits.kind_evidence import LEAST_EFFECT, LEAST_WEIGHTS, Support, support
from attnviz.analysis.circuits.patching import Patched, patch
from attnviz.analysis.circuits.weight_circuits import Circuits, circuits
from attnviz.analysis.heads.kinds import BY_NAME
from attnviz.core.errors import AttnvizError, LimitError
from attnviz.core.site import Site
from attnviz.text import Strings, figure, strings
from attnviz.trace.trace import Trace
from attnviz.views.panel.blocks import Prose

Found = TypeVar("Found")
MOST = 100  # heads whose weights are read: each is joined with each one of the layers before it


@dataclass(frozen=True, eq=False)
class Evidence:
    """What does not depend on the text on the screen; a value that could not be had is its error."""

    weights: Circuits | AttnvizError
    patched: Patched | AttnvizError | None  # None where no pair of texts is prepared
    texts: tuple[str, str]


def measured(model: str, trace: Trace, tell: Tell) -> Evidence:
    """The weights of a model, and every head put into the run of another text."""
    pair = PAIRS.get(model_menu.kind(model), ())
    say = strings("en")
    texts = (text_of(pair[0], say), say(f"example-{pair[0]}-other")) if pair else ("", "")
    n_heads = sum(record.n_heads for record in trace.records.values())

    def read() -> Circuits:
        if n_heads > MOST:
            raise LimitError(
                id="support-too-large", model=trace.card.name, n=n_heads, most=MOST,
            )  # fmt: skip
        return circuits(runs().model(model))

    patched = _or_error(lambda: patch(runs().model(model), *texts, on_progress=tell)) if pair else None
    return Evidence(_or_error(read), patched, texts)


def blocks(sites: tuple[Site, ...], frame: pd.DataFrame, evidence: Evidence, say: Strings) -> tuple[Prose, ...]:
    """Of every head of a part, layer by layer: its kind's name, how many of the three support it, a line for each.

    Args:
        frame: as `head_metrics` gives it, with `kind_of_head`; a head of no kind has an empty paragraph.
    """
    weights = None if isinstance(evidence.weights, AttnvizError) else evidence.weights
    patched = evidence.patched if isinstance(evidence.patched, Patched) else None
    said = {(one.site, one.head): _lines(one, evidence, say) for one in support(frame, weights, patched)}
    of_sites = frame[frame["site"].isin([site.key for site in sites])]
    heads = sorted(set(of_sites["head"]))
    return tuple(Prose("\n".join(said.get((site.key, head), ()))) for site in sites for head in heads)


def _lines(one: Support, evidence: Evidence, say: Strings) -> tuple[str, ...]:
    """The name of the kind, how many support it, and each of the three."""

    def holds(name: str) -> str:
        return "✓" if name in one.by else "✗"

    def problem(of: object, silent: str) -> str:
        return say.error(of) if isinstance(of, AttnvizError) else say(silent)

    behaviour = say(
        "heads-support-behaviour", mark=holds("behaviour"), value=round(100 * one.behaviour),
        least=round(100 * BY_NAME[one.kind].threshold),
    )  # fmt: skip
    weights = say("heads-support-no-weights", why=problem(evidence.weights, "heads-support-silent"))
    if not math.isnan(one.weights):
        values = {"value": figure(one.weights), "least": figure(LEAST_WEIGHTS)}
        weights = say("heads-support-weights", mark=holds("weights"), **values)
    effect = say("heads-support-no-effect", why=problem(evidence.patched, "heads-support-no-pair"))
    if not math.isnan(one.effect):
        values = {"value": figure(100 * one.effect), "least": figure(100 * LEAST_EFFECT)}
        clean, corrupt = evidence.texts
        effect = say("heads-support-effect", mark=holds("effect"), clean=clean, corrupt=corrupt, **values)
    count = say("heads-support-count", n=len(one.by), asked=one.asked)
    return one.kind, count, behaviour, weights, effect


def _or_error(work: Callable[[], Found]) -> Found | AttnvizError:
    try:
        return work()
    except AttnvizError as error:
        return error
