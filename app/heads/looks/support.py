"""What supports the kind of each head: its pattern over texts, its weights, and its effect between two texts."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import pandas as pd
from attnviz_app.jobs.measurements import Tell
from attnviz_app.serving import model_menu
from attnviz_app.serving.examples import PAIRS, REPEATED_PAIR, text_of
from attnviz_app.serving.runs import runs

from attnviz.analysis.circuits.kind_evidence import LEAST_EFFECT, LEAST_WEIGHTS, Support, support
from attnviz.analysis.circuits.patching import Patched, patch
from attnviz.analysis.circuits.weight_circuits import Circuits, circuits
from attnviz.analysis.heads.kinds import BY_NAME
from attnviz.core.errors import AttnvizError
from attnviz.core.site import Site
from attnviz.text import Strings, figure, strings
from attnviz.trace.trace import Trace
from attnviz.views.panel.blocks import Prose

Found = TypeVar("Found")
STEPS = 1000  # in which each part is told
MOST_SECONDS = 1200  # that the weights may take: each head is joined with each one of the layers before it
OF_REPEATS = ("induction", "same-word", "previous")  # kinds whose effect shows where something is said again


@dataclass(frozen=True, eq=False)
class Put:
    """Every head put into the run of another text, or why not: an error, or the id of what is said instead."""

    patched: Patched | AttnvizError | str
    texts: tuple[str, str] = ("", "")


@dataclass(frozen=True, eq=False)
class Evidence:
    """What does not depend on the text on the screen; a value that could not be had is its error."""

    weights: Circuits | AttnvizError
    put: Put  # into a text of the kind that the model reads
    repeated: Put  # into one that says something again

    def of_kind(self, kind: str) -> Put:
        return self.repeated if kind in OF_REPEATS else self.put


def measured(model: str, trace: Trace, tell: Tell) -> Evidence:
    """The weights of a model, and every head put into the run of another text."""
    pairs, say = PAIRS.get(model_menu.kind(model), ()), strings("en")
    has_repeat = REPEATED_PAIR in pairs
    n = 1 + bool(pairs) + has_repeat

    def part(at: int) -> Tell:
        """How far one of several parts is, as a share of all of them."""
        return lambda done, total: tell(round(STEPS * (at + done / max(total, 1))), STEPS * n)

    def read() -> Circuits:
        return circuits(runs().model(model), most_seconds=MOST_SECONDS, on_progress=part(n - 1))

    def put(pair: str, at: int) -> Put:
        texts = text_of(pair, say), say(f"example-{pair}-other")
        return Put(_or_error(lambda: patch(runs().model(model), *texts, on_progress=part(at))), texts)

    if not pairs:
        nothing = Put("heads-support-no-pair")
        return Evidence(_or_error(read), nothing, nothing)
    first = put(pairs[0], 0)
    if has_repeat:
        repeated = put(REPEATED_PAIR, 1)
        return Evidence(_or_error(read), first, repeated)
    is_of_task = model_menu.kind(model) is not None  # whose texts say again what the task is about
    return Evidence(_or_error(read), first, first if is_of_task else Put("heads-support-no-repeat"))


def blocks(sites: tuple[Site, ...], frame: pd.DataFrame, evidence: Evidence, say: Strings) -> tuple[Prose, ...]:
    """Of every head of a part, layer by layer: its kind's name, how many of the three support it, a line for each.

    Args:
        frame: as `head_metrics` gives it, with `kind_of_head`; a head of no kind has an empty paragraph.
    """
    weights = None if isinstance(evidence.weights, AttnvizError) else evidence.weights
    said = {}
    for put in dict.fromkeys((evidence.put, evidence.repeated)):
        patched = put.patched if isinstance(put.patched, Patched) else None
        for one in support(frame, weights, patched):
            if evidence.of_kind(one.kind) is put:
                said[one.site, one.head] = _lines(one, evidence.weights, put, say)
    of_sites = frame[frame["site"].isin([site.key for site in sites])]
    heads = sorted(set(of_sites["head"]))
    return tuple(Prose("\n".join(said.get((site.key, head), ()))) for site in sites for head in heads)


def _lines(one: Support, of_weights: Circuits | AttnvizError, put: Put, say: Strings) -> tuple[str, ...]:
    """The name of the kind, how many support it, and each of the three."""

    def holds(name: str) -> str:
        return "✓" if name in one.by else "✗"

    def problem(of: object, silent: str) -> str:
        return say.error(of) if isinstance(of, AttnvizError) else say(of if isinstance(of, str) else silent)

    behaviour = say(
        "heads-support-behaviour", mark=holds("behaviour"), value=round(100 * one.behaviour),
        least=round(100 * BY_NAME[one.kind].threshold),
    )  # fmt: skip
    weights = say("heads-support-no-weights", why=problem(of_weights, "heads-support-silent"))
    if not math.isnan(one.weights):
        values = {"value": figure(one.weights), "least": figure(LEAST_WEIGHTS)}
        weights = say("heads-support-weights", mark=holds("weights"), **values)
    effect = say("heads-support-no-effect", why=problem(put.patched, "heads-support-no-pair"))
    if not math.isnan(one.effect):
        values = {"value": figure(100 * one.effect), "least": figure(100 * LEAST_EFFECT)}
        clean, corrupt = put.texts
        effect = say("heads-support-effect", mark=holds("effect"), clean=clean, corrupt=corrupt, **values)
    count = say("heads-support-count", n=len(one.by), asked=one.asked)
    return one.kind, count, behaviour, weights, effect


def _or_error(work: Callable[[], Found]) -> Found | AttnvizError:
    try:
        return work()
    except AttnvizError as error:
        return error
