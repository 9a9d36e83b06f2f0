"""The same layer called otherwise: after another call, with its switches off, in training mode, with other sizes."""

from dataclasses import replace

from torch import nn

from attnviz.checking.call.candidate import Candidate, side_effects
from attnviz.checking.call.interception import DROPOUTS
from attnviz.checking.call.isolation import clone
from attnviz.checking.find.examination import Examination, gap
from attnviz.checking.find.search import agrees, difference
from attnviz.checking.probe.probe_state import MaskedCall, Progress, same_output
from attnviz.checking.report import StageResult, checked, fault, unchecked

TEXTS, CALLS = 16, 8  # each text of each call draws anew: with 1 in 20 dropped, all stay once in 700 checks


def switches_off(progress: Progress) -> StageResult:
    """With the switches that ask for weights at their defaults: often another piece of code."""
    switches = progress.explained.candidate.signature.switches
    if not switches:
        return StageResult()
    answer = progress.explained.call({name: not value for name, value in switches})
    name, value = switches[0]
    where, otherwise = f"with {name}={not value}", f"right with {name}={value}"
    return same_output(progress.explained, answer, where, otherwise, "switch-differs")


def more_keys(progress: Progress) -> StageResult:
    explained, examination = progress.explained, progress.explained.examination
    if examination.candidate.signature.n_inputs == 1 or explained.reading.variant.causal != "no":
        return StageResult()
    wide = explained.fed(examination, examination.inputs(11, n_keys=examination.tokens + 4))
    where = "with more keys than queries"
    return same_output(wide, wide.call(), where, "right when they are equally many", "more-keys-differ")


def one_text(progress: Progress) -> StageResult:
    """A batch of 1, whose axis .squeeze() removes."""
    explained = progress.explained
    if explained.examination.is_single:
        return StageResult()
    alone = replace(explained.examination, batch=1)
    there = explained.fed(alone, alone.inputs(51))
    return same_output(there, there.call(), "with one text", "right with several", "one-text-differs")


def training_mode(progress: Progress) -> StageResult:
    """In training mode with dropout at 0: nothing else may change."""
    explained = progress.explained
    if not isinstance(explained.candidate.subject, nn.Module):
        return StageResult()
    without_dropout = with_dropout(explained.candidate, 0.0).without(DROPOUTS)
    calm = replace(explained.examination, candidate=without_dropout)
    there = explained.fed(calm, explained.inputs)
    if _depends_on_chance(calm):
        return unchecked("training mode, but for dropout: two calls differ even without torch's")
    answer = there.call(training=True)
    result = same_output(there, answer, "in training mode", "right in eval mode", "training-differs")
    for masked in () if result.findings else progress.masks:
        result += _mask_in_training(masked.fed(calm, explained.inputs))
    return result


def _depends_on_chance(examination: Examination) -> bool:
    """Whether two calls in training mode differ, also where chance is rare, as in stochastic depth."""
    many = examination if examination.is_single else replace(examination, batch=TEXTS)
    inputs = many.inputs(81)
    outs = [many.call(inputs, training=True, seed=seed).numbers for seed in range(CALLS)]
    return outs[0] is not None and any(difference(outs[0], out) for out in outs[1:])


def _mask_in_training(masked: MaskedCall) -> StageResult:
    allowed = masked.example()
    right, theirs = masked.ours(allowed).out, masked.call(allowed, training=True).numbers  # [B, T, d_model] each
    if agrees(right, theirs):
        return StageResult()
    what = "the mask is ignored" if agrees(masked.explained.ours().out, theirs) else "the output with a mask is wrong"
    sentence = f"In training mode {what}; in eval mode it is right."
    measured = gap("largest difference from ours with the mask", right, theirs)
    return fault("mask-in-training", sentence, "look for an `if` in forward", measured)


def with_dropout(candidate: Candidate, share: float) -> Candidate:
    """The candidate with this share to drop wherever it says 0, or 0 wherever it says a share."""
    assert isinstance(candidate.subject, nn.Module)  # a function has no dropout of its own
    copied = clone(candidate.subject)
    for module in copied.modules():
        is_layer = isinstance(module, nn.modules.dropout._DropoutNd)
        for name, value in list(vars(module).items()):
            is_share = "drop" in name.lower() or (is_layer and name == "p")
            if is_share and isinstance(value, float) and (share == 0) != (value == 0):
                setattr(module, name, share)
    return replace(candidate, subject=copied)


def nothing_left_behind(progress: Progress) -> StageResult:
    """Whether a call changes anything, or the answer to the next call."""
    explained, examination = progress.explained, progress.explained.examination
    answer = explained.call()
    result = StageResult(side_effects(answer, "input-overwritten", "parameters-changed"))
    if side_effects(answer, "parameters-changed"):
        return result  # which changes the next answer
    shorter = replace(examination, tokens=examination.tokens - 2)  # something may be kept that has its length
    later = explained.call(before=shorter.inputs(22))
    if answer.numbers is None or agrees(answer.numbers, later.numbers):
        return result + checked("nothing stays behind")
    sentence = "It remembers: after a call with another text, the same input gives another output"
    sentence += "." if later.out is not None else f", or an error: {later.message}"
    buffers = [name for name in answer.changed if name.startswith("buffer")]
    fix = f"look at {', '.join(buffers)}" if buffers else "look for self.something = … in forward"
    measured = gap("largest difference between the two outputs", answer.numbers, later.numbers)
    return result + fault("remembers", sentence, f"{fix}; reset it at the start of each call", measured)
