"""The probes of a candidate whose output is explained: a table of what each needs, in the order in which they run."""

from collections.abc import Callable

from attnviz.checking.find.examination import Explained
from attnviz.checking.probe import dropout, gradients, large_scores, masks, other_calls, returned_weights
from attnviz.checking.probe.probe_state import Progress
from attnviz.checking.report import StageResult

Need = Callable[[Progress], bool]


def _right_axes(progress: Progress) -> bool:
    """Masks and other lengths say nothing while texts attend to texts, heads to heads, or rows are not of keys."""
    variant = progress.explained.reading.variant
    is_over_keys = variant.softmax not in ("query", "head", "batch", "none")
    return variant.sequence == "token" and variant.split not in ("unswapped", "viewed") and is_over_keys


def _no_fault(progress: Progress) -> bool:
    """A fault would recur in later probes; rows without a key occur in none of them."""
    found = [one for one in progress.result.findings if one.id != "blocked-row-looks-everywhere"]
    return not found and not progress.explained.reading.has_mistakes


UNTIL: dict[Need, str] = {  # what a probe waits for
    _right_axes: "until the axes and the softmax are right",
    _no_fault: "until what was found above is mended",
}
PROBES: tuple[tuple[str, Need, Callable[[Progress], StageResult]], ...] = (  # named as "Not checked" names them
    ("more keys than queries", _no_fault, other_calls.more_keys),
    ("mask", _right_axes, masks.masks_obeyed),
    ("masks together", _no_fault, masks.masks_together),
    ("weights", _right_axes, returned_weights.weights_returned),
    ("gradients", _right_axes, gradients.flow),
    ("what stays behind", _right_axes, other_calls.nothing_left_behind),
    ("weights with a mask", _no_fault, returned_weights.weights_with_mask),
    ("a mask for each text", _no_fault, masks.mask_of_each_text),
    ("switches for weights", _no_fault, other_calls.switches_off),
    ("dropout", _no_fault, dropout.dropout),
    ("training mode", _no_fault, other_calls.training_mode),
    ("one text", _no_fault, other_calls.one_text),
    ("large scores", _no_fault, large_scores.large_scores),
)


def run_probes(explained: Explained) -> StageResult:
    """Run every probe whose need is met; the others are listed with what they wait for."""
    progress = Progress(explained)
    waiting: dict[Need, list[str]] = {}
    for name, need, probe in PROBES:
        if need(progress):
            progress.result += probe(progress)
        else:
            waiting.setdefault(need, []).append(name)
    why = tuple(f"{', '.join(names)}: {UNTIL[need]}" for need, names in waiting.items())
    return progress.result + StageResult(unchecked=why)
