"""The probes of a candidate whose output is explained: a table of what each needs, in the order in which they run."""

from collections.abc import Callable
from dataclasses import dataclass

from attnviz.checking.find.examination import Explained
from attnviz.checking.probe import (
    dropout,
    gradients,
    large_scores,
    masks,
    other_calls,
    returned_weights,
)
from attnviz.checking.probe.probe_state import Progress
from attnviz.checking.report import StageResult

Need = Callable[[Progress], bool]


def _right_axes(progress: Progress) -> bool:
    """Other lengths and masks say nothing while texts attend to texts or heads to heads."""
    variant = progress.explained.reading.variant
    return variant.sequence == "token" and variant.split not in ("unswapped", "viewed")


def _softmax_over_keys(progress: Progress) -> bool:
    """If the softmax runs over another axis, a mask that is constant along it has no effect."""
    takes_mask = progress.explained.candidate.signature.mask is not None
    return not takes_mask or progress.explained.reading.variant.softmax not in ("query", "head", "batch", "none")


def _steady_parameters(progress: Progress) -> bool:
    """Gradients of parameters that the call rewrites say nothing."""
    return not any(name.startswith("parameter ") for name in progress.explained.answer.changed)


def _no_fault(progress: Progress) -> bool:
    """A fault would recur in later probes; rows without a key occur in none of them."""
    found = [one for one in progress.result.findings if one.id != "blocked-row-looks-everywhere"]
    return not found and not progress.explained.reading.has_mistakes


UNTIL: dict[Need, str] = {  # what a probe waits for
    _right_axes: "until the axes are right",
    _softmax_over_keys: "until the softmax runs over the keys, which a hidden one then leaves",
    _steady_parameters: "until the call leaves its parameters alone",
    _no_fault: "until what was found above is mended",
}


@dataclass(frozen=True)
class Probe:
    id: str  # as "Not checked" names it
    needs: tuple[Need, ...]
    run: Callable[[Progress], StageResult]


PROBES = (
    Probe("more keys than queries", (_no_fault,), other_calls.more_keys),
    Probe("mask", (_right_axes, _softmax_over_keys), masks.masks_obeyed),
    Probe("masks together", (_no_fault,), masks.masks_together),
    Probe("weights", (_right_axes,), returned_weights.weights_returned),
    Probe("gradients", (_right_axes, _steady_parameters), gradients.flow),
    Probe("what stays behind", (_right_axes,), other_calls.nothing_left_behind),
    Probe("weights with a mask", (_no_fault,), returned_weights.weights_with_mask),
    Probe("a mask for each text", (_no_fault,), masks.mask_of_each_text),
    Probe("switches for weights", (_no_fault,), other_calls.switches_off),
    Probe("dropout", (_no_fault,), dropout.dropout),
    Probe("training mode", (_no_fault,), other_calls.training_mode),
    Probe("one text", (_no_fault,), other_calls.one_text),
    Probe("large scores", (_no_fault,), large_scores.large_scores),
)


def run_probes(explained: Explained) -> StageResult:
    """Run every probe whose needs are met; the others are listed with what they wait for."""
    progress = Progress(explained)
    waiting: dict[Need, list[str]] = {}
    for probe in PROBES:
        unmet = next((need for need in probe.needs if not need(progress)), None)
        if unmet is None:
            progress.result += probe.run(progress)
        else:
            waiting.setdefault(unmet, []).append(probe.id)
    why = tuple(f"{', '.join(ids)}: {UNTIL[need]}" for need, ids in waiting.items())
    return progress.result + StageResult(unchecked=why)
