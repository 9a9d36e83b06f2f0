"""The same layer called otherwise: without gradients, with its switches off, in training mode, with other sizes."""

from __future__ import annotations

from dataclasses import replace

from torch import Tensor, nn

from attnviz.checking.call.candidate import Candidate
from attnviz.checking.call.isolation import clone
from attnviz.checking.call.side_effects import side_effects
from attnviz.checking.find.examination import HEAD_WIDTH, Explained, gap
from attnviz.checking.find.faults import BY_VALUE_WIDTH, FORWARD
from attnviz.checking.find.positions import windows
from attnviz.checking.find.search import agrees, difference, explain
from attnviz.checking.probe.gradients import gradients_flow
from attnviz.checking.probe.masked_call import MaskedCall
from attnviz.checking.probe.progress import Progress, same_output
from attnviz.checking.probe.returned_weights import weights_differ
from attnviz.checking.report import StageResult, checked, fault, note, unchecked

LONG = 33  # tokens of the longer text
TEXTS, CALLS = 16, 8  # each text of each call draws anew: with 1 in 20 dropped, all stay once in 700 checks


def without_gradients(progress: Progress) -> StageResult:
    """Under torch.no_grad(), as in use."""
    answer = progress.explained.call(with_autograd=False)
    return same_output(progress.explained, answer, "under torch.no_grad()", "right with gradients", "no-grad-differs")


def switches_off(progress: Progress) -> StageResult:
    """With the switches that ask for weights at their defaults: often another piece of code."""
    switches = progress.explained.candidate.signature.switches
    if not switches:
        return StageResult()
    answer = progress.explained.call(flags={name: not value for name, value in switches})
    name, value = switches[0]
    where, otherwise = f"with {name}={not value}", f"right with {name}={value}"
    return same_output(progress.explained, answer, where, otherwise, "switch-differs")


# -- other sizes ------------------------------------------------------------------------------------------------


def more_keys(progress: Progress) -> StageResult:
    """Cross-attention: more keys than queries."""
    explained, examination = progress.explained, progress.explained.examination
    if examination.candidate.signature.n_inputs == 1 or explained.explanation.variant.causal != "no":
        return StageResult()
    wide = explained.fed(examination, examination.inputs(11, n_keys=examination.sizes.tokens + 4))
    try:
        ours = wide.ours().out  # [B, Tq, D]
    except RuntimeError:
        return StageResult()  # a fault already named has no meaning here
    answer = wide.call()
    if answer.numbers is None:
        sentence = f"It runs only when queries and keys are equally many; with 4 keys more it stops: {answer.message}"
        fix = "take the number of keys from k, not from q: k.view(B, k.shape[1], H, d_head)"
        return fault("needs-equal-lengths", sentence, fix)
    if agrees(ours, answer.numbers):
        return checked("more keys than queries")
    sentence = "The output is right when queries and keys are equally many, and wrong when there are more keys."
    fix = "look for a length that was taken from q and belongs to k"
    return fault("cross-differs", sentence, fix, gap("largest difference from ours", ours, answer.numbers))


def wider_values(progress: Progress) -> StageResult:
    """A layer's values are as wide as its matrices make them; a function's may be wider than its keys."""
    explained, examination, what = progress.explained, progress.explained.examination, "values wider than keys"
    if not examination.candidate.is_function or examination.candidate.signature.heads is not None:
        return StageResult()
    width = HEAD_WIDTH + 4
    wide = replace(examination, widths=(HEAD_WIDTH, HEAD_WIDTH, width), out_width=width)
    there = explained.fed(wide, wide.inputs(91))
    answer = there.call()
    if answer.numbers is None:
        return unchecked(f"{what}: it stops with an error: {answer.message.rstrip('.')}")
    try:
        ours = there.ours().out  # [B, H, Tq, Dv]
    except RuntimeError:  # such as keys made with W_V, which are then wider than the queries
        return unchecked(f"{what}: until what was found above is mended")
    if agrees(ours, answer.numbers):
        return checked(what)
    already, reading = explained.explanation.faults, explained.explanation.reading
    measured = gap("largest difference from ours", ours, answer.numbers)
    found = explain(answer.numbers, there.inputs, [reading], known=(BY_VALUE_WIDTH, *FORWARD), already=already)
    new = [one for one in found.faults if one not in already] if found is not None else []
    if new:
        return StageResult((there.finding(new[0], measured),))
    sentence = "The output is right when values are as wide as keys, and wrong when they are wider."
    fix = "take the scale and the number of features from q or k, and the width of what comes out from v"
    return fault("value-width-differs", sentence, fix, measured)


def one_alone(progress: Progress) -> StageResult:
    """One text, and one token: sizes of 1 that .squeeze() removes."""
    explained, result = progress.explained, StageResult()
    tried = [] if explained.examination.is_single else [("one text", {"batch": 1})]
    for what, sizes in [*tried, ("one token", {"tokens": 1})]:
        few = explained.examination.resized(**sizes)
        there = explained.fed(few, few.inputs(51))
        id = f"{what.replace(' ', '-')}-differs"
        if not result.findings:
            result += same_output(there, there.call(), f"with {what}", "right with several", id)
    return result


def longer_text(progress: Progress) -> StageResult:
    """A text several times as long; a layer may refuse it, it may not answer wrongly."""
    explained, sizes = progress.explained, progress.explained.examination.sizes
    taken = {sizes.n_heads, sizes.head_width, sizes.n_heads * sizes.head_width}
    tokens = next(n for n in (LONG, LONG + 4, LONG + 8, LONG + 10) if n not in taken)
    long = explained.examination.resized(tokens=tokens)
    there = explained.fed(long, long.inputs(31))
    answer, values = there.call(), there.ours()
    if answer.numbers is None:
        return unchecked(f"a text of {tokens} tokens: it stops with an error: {answer.message}")
    window = None if agrees(values.out, answer.numbers) else _window(there, answer.numbers)
    if window is not None:
        return checked(f"a text of {tokens} tokens") + window
    where, otherwise = f"with a text of {tokens} tokens", f"right with {sizes.tokens}"
    result = same_output(there, answer, where, otherwise, "longer-text-differs")
    result += StageResult() if result.findings else weights_differ(f"With {tokens} tokens", answer, values)
    for masked in () if result.findings else progress.masks:
        longer, otherwise = masked.fed(long, there.inputs), f"with {sizes.tokens}"
        result += _mask_obeyed(longer, f"With {tokens} tokens", otherwise, "mask-of-longer-text")
    return result


def _window(long: Explained, theirs: Tensor) -> StageResult | None:
    """Whether a longer text shows that it sees only so far."""
    reading = long.explanation.reading
    if reading.variant.positions is not None:
        return None
    narrow = [replace(reading, variant=replace(reading.variant, positions=window)) for window in windows(LONG)]
    found = explain(theirs, long.inputs, narrow, known=(), already=long.explanation.faults)
    if found is None:
        return None
    return note("window", f"It has {found.reading.variant.positions}; in shorter texts it sees all.")


def _mask_obeyed(masked: MaskedCall, where: str, otherwise: str, id: str, **options: bool) -> StageResult:
    allowed = masked.example()
    right, theirs = masked.ours(allowed).out, masked.call(allowed, **options).numbers  # [B, T, D] each
    if agrees(right, theirs):
        return StageResult()
    is_ignored = agrees(masked.explained.ours().out, theirs)
    what = "the mask is ignored" if is_ignored else "the output with a mask is wrong"
    sentence = f"{where} {what}; {otherwise} it is right."
    measured = gap("largest difference from ours with the mask", right, theirs)
    return fault(id, sentence, "look for an `if` in forward, and for a length that is fixed", measured)


# -- training mode ----------------------------------------------------------------------------------------------


def training_mode(progress: Progress) -> StageResult:
    """In training mode with dropout at 0: nothing else may change."""
    explained = progress.explained
    if not isinstance(explained.candidate.subject, nn.Module):
        return StageResult()
    calm = replace(explained.examination, candidate=_without_dropout(explained.candidate))
    there = explained.fed(calm, explained.inputs)
    answer = there.call(training=True)
    rewritten = side_effects(answer, "parameters-changed", where="In training mode the call")
    if rewritten:
        return StageResult(rewritten)
    if depends_on_chance(there):
        return unchecked("training mode, but for dropout: two calls differ even without torch's")
    where = "In training mode"
    result = same_output(there, answer, "in training mode", "right in eval mode", "training-differs")
    result += StageResult() if result.findings else weights_differ(where, answer, there.ours())
    for masked in () if result.findings else progress.masks:
        calmed = masked.fed(calm, explained.inputs)
        result += _mask_obeyed(calmed, where, "in eval mode", "mask-in-training", training=True)
    if result.findings:
        return result
    flow = gradients_flow(there, training=True)
    cut = tuple(replace(one, sentence=f"In training mode: {one.sentence}") for one in flow.findings)
    return result + StageResult(cut, unchecked=flow.unchecked)


def depends_on_chance(explained: Explained) -> bool:
    """Whether two calls in training mode differ, also where chance is rare, as in stochastic depth."""
    is_single = explained.examination.is_single
    many = explained.examination if is_single else explained.examination.resized(batch=TEXTS)
    inputs = many.inputs(81)
    outs = [many.call(inputs, training=True, seed=seed).numbers for seed in range(CALLS * (TEXTS if is_single else 1))]
    return outs[0] is not None and any(difference(outs[0], out) for out in outs[1:])


def _without_dropout(candidate: Candidate) -> Candidate:
    """The candidate with every dropout at 0, in whatever module or attribute it is kept."""
    return replace(with_dropout(candidate, 0.0), has_dropout=False)


def with_dropout(candidate: Candidate, share: float) -> Candidate:
    """The candidate with this share to drop wherever it says 0, or 0 wherever it says a share."""
    copied = clone(candidate.subject)  # type: ignore[arg-type]
    assert copied is not None  # the subject is itself a copy
    for module in copied.modules():
        is_layer = isinstance(module, nn.modules.dropout._DropoutNd)
        for name, value in list(vars(module).items()):
            is_share = "drop" in name.lower() or (is_layer and name == "p")
            if is_share and isinstance(value, float) and (share == 0) != (value == 0):
                setattr(module, name, share)
    return replace(candidate, subject=copied)
