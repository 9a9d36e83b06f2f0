"""The last probes, for a layer in which nothing was found so far.

Its weights under a mask, a mask for each text, training mode, a longer text, and scores so large that a careless
softmax overflows.
"""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Tensor, nn

from attnviz.checking.candidate import Answer, Candidate
from attnviz.checking.examination import Seen, Understood
from attnviz.checking.faults import FORWARD
from attnviz.checking.isolation import twin
from attnviz.checking.masking import Agreed, Convention
from attnviz.checking.probes import some_mask
from attnviz.checking.report import Finding, Measurement
from attnviz.checking.search import agrees, difference, explain, words_for
from attnviz.checking.shown import kind_of

LONG = 33  # tokens of the longer text
LARGE = 2000.0  # the largest score of the probe for overflow: e to that power is infinite in any precision


def further_probes(understood: Understood, agreed: Agreed | None) -> Seen:
    """All of them; agreed is how its mask is written, None where it takes none or takes it wrongly."""
    seen = Seen()
    if agreed is not None and agreed.convention.shape != "text key":
        seen += weights_with_mask(agreed) + mask_per_text(agreed)
    return seen + in_training(understood, agreed) + longer_text(understood, agreed) + large_scores(understood)


def weights_with_mask(agreed: Agreed) -> Seen:
    """Whether the weights it returns are those that made the output also when there is a mask."""
    understood = agreed.understood
    allowed = some_mask(understood.examination.sizes.tokens, 7)  # [T, T]
    answer = _masked(understood, agreed.convention, allowed)
    values = understood.explanation.values(understood.inputs, allowed)
    matrices = [t.detach() for _, t in answer.others if t.shape[-2:] == values.weights.shape[-2:]]
    if not matrices or any(kind_of(matrix, values) == "weights" for matrix in matrices):
        return Seen()
    bare = understood.explanation.values(understood.inputs)
    is_bare = any(kind_of(matrix, bare) == "weights" for matrix in matrices)
    sentence = (
        "With a mask the output is right and the returned weights are those without it: they show looks at tokens that "
        "are hidden." if is_bare else
        "With a mask the output is right and the returned weights are not those that made it."
    )  # fmt: skip
    measured = Measurement("largest difference from the weights with the mask", difference(values.weights, matrices[0]))
    fix = "return the tensor that multiplies v, from the same call"
    return Seen((Finding("weights-without-mask" if is_bare else "weights-differ", sentence, fix, (measured,)),))


def _masked(understood: Understood, convention: Convention, allowed: Tensor, **options: bool) -> Answer:
    mask = convention.write(allowed, understood.examination.sizes.batch)
    return understood.examination.ask(understood.inputs, mask, **options)


def mask_per_text(agreed: Agreed) -> Seen:
    """Give every text a mask of its own."""
    understood, convention = agreed.understood, agreed.convention
    examination = understood.examination
    if examination.axes == 2:
        return Seen()  # one text at a time
    texts = range(examination.sizes.batch)
    allowed = torch.stack([some_mask(examination.sizes.tokens, 7 + text) for text in texts])  # [B, T, T]
    alike = allowed[:, None] if examination.axes == 4 or not examination.candidate.is_function else allowed
    right = understood.explanation.values(understood.inputs, alike).out  # [B, T, D]
    written = convention.numbers(allowed)  # [B, T, T]
    heads = written.repeat_interleave(examination.sizes.n_heads, dim=0)  # [B·H, T, T], as nn.MultiheadAttention's
    shapes = {"text 1 query key": written[:, None], "text query key": written, "text·head query key": heads}
    own = convention.shape if convention.shape in shapes else None
    wrong: list[tuple[str, Tensor]] = []
    for shape in [own] if own else shapes:
        answer = examination.ask(understood.inputs, shapes[shape])
        if answer.out is None or answer.out.shape != right.shape:
            continue
        if agrees(right, answer.out.detach()):
            return Seen(checked=("a mask for each text",))
        wrong.append((shape, answer.out.detach()))
    for shape, theirs in wrong:
        found = _of_one_text(understood, allowed, theirs, right, shape if own else "")
        if found is not None:
            return Seen((found,))
    return Seen(unchecked=("a mask for each text, it takes one for all",))


def _of_one_text(understood: Understood, allowed: Tensor, theirs: Tensor, right: Tensor, shape: str) -> Finding | None:
    """What is wrong with a mask for each text; None when it may not take such a mask (no shape)."""
    measured = Measurement("largest difference from ours with a mask for each text", difference(right, theirs))
    for text, its in enumerate(allowed):
        if agrees(understood.explanation.values(understood.inputs, its).out, theirs):
            sentence = f"The mask of text {text} is used for all texts; expected each text's own."
            fix = "keep the mask's first axis, [batch, 1, query, key]: no mask[0], mask[:1] or mask[-1]"
            return Finding("mask-of-one-text", sentence, fix, (measured,))
    if not shape:
        return None
    sentence = f"With one mask for all texts the output is right, and with a mask for each text ([{shape}]) it is not."
    fix = "keep the mask's first axis: scores.masked_fill(~mask, -inf) with mask [batch, 1, query, key]"
    return Finding("mask-per-text-differs", sentence, fix, (measured,))


def in_training(understood: Understood, agreed: Agreed | None) -> Seen:
    """The same in training mode with every dropout at 0: nothing else may change."""
    examination = understood.examination
    if examination.candidate.is_function:
        return Seen()
    calm = replace(examination, candidate=_undropped(examination.candidate))
    answers = [calm.ask(understood.inputs, training=True, seed=seed) for seed in (0, 1)]
    if answers[0].out is None or answers[1].out is None:
        sentence = f"It runs in eval mode, and stops with an error in training mode: {answers[0].said}"
        return Seen((Finding("raises-in-training", sentence, "look for `if self.training` in forward"),))
    if difference(answers[0].out, answers[1].out):
        return Seen(unchecked=("training mode, two calls differ even without dropout",))
    ours, theirs = understood.explanation.values(understood.inputs).out, answers[0].out.detach()
    if not agrees(ours, theirs):
        return Seen((_wrong_where(understood, ours, theirs, "in training mode", "right in eval mode"),))
    if agreed is not None and agreed.convention.shape != "text key":
        allowed = some_mask(examination.sizes.tokens, 7)  # [T, T]
        masked = _masked(replace(agreed.understood, examination=calm), agreed.convention, allowed, training=True)
        right = agreed.understood.explanation.values(understood.inputs, allowed).out  # [B, T, D]
        if masked.out is None or not agrees(right, masked.out.detach()):
            ignored = masked.out is not None and agrees(ours, masked.out.detach())
            gap = float("inf") if masked.out is None else difference(right, masked.out)
            what = "the mask is ignored" if ignored else "the output with a mask is wrong"
            sentence = f"In training mode {what}; in eval mode it is right."
            return Seen((Finding("mask-in-training", sentence, "look for `if self.training` in forward",
                                 (Measurement("largest difference from ours with the mask", gap),)),))  # fmt: skip
    return Seen(checked=("training mode",))


def _undropped(candidate: Candidate) -> Candidate:
    """The candidate with every dropout at 0, in whatever module or attribute it is kept."""
    assert isinstance(candidate.subject, nn.Module)  # a function has no training mode
    copied = twin(candidate.subject)
    assert copied is not None  # the subject is itself a copy
    for module in copied.modules():
        if isinstance(module, nn.modules.dropout._DropoutNd):
            module.p = 0.0
        for name, value in list(vars(module).items()):
            if "drop" in name.lower() and isinstance(value, float):
                setattr(module, name, 0.0)
    return replace(candidate, subject=copied, is_calm=True)


def longer_text(understood: Understood, agreed: Agreed | None) -> Seen:
    """A text several times as long; a layer may refuse it, it may not answer wrongly."""
    examination = understood.examination
    sizes = examination.sizes
    taken = {sizes.n_heads, sizes.head_width, sizes.n_heads * sizes.head_width}
    tokens = next(n for n in (LONG, LONG + 4, LONG + 8, LONG + 10) if n not in taken)
    long = replace(examination, sizes=replace(sizes, tokens=tokens))
    inputs = long.inputs(31)
    answer = long.ask(inputs)
    if answer.out is None:
        return Seen(unchecked=(f"a text of {tokens} tokens, it stops with an error: {answer.said}",))
    ours, theirs = understood.explanation.values(inputs).out, answer.out.detach()
    there = replace(understood, examination=long, inputs=inputs)
    if not agrees(ours, theirs):
        where, else_ = f"with {tokens} tokens", f"right with {sizes.tokens}"
        return Seen((_wrong_where(there, ours, theirs, where, else_, "longer-text-differs"),))
    if agreed is not None and agreed.convention.shape != "text key":
        allowed = some_mask(tokens, 7)  # [T, T]
        masked = _masked(replace(agreed.understood, examination=long, inputs=inputs), agreed.convention, allowed).out
        right = agreed.understood.explanation.values(inputs, allowed).out  # [B, T, D]
        if masked is not None and not agrees(right, masked.detach()):
            sentence = f"With {tokens} tokens the output with a mask is wrong; with {sizes.tokens} it is right."
            measured = Measurement("largest difference from ours with the mask", difference(right, masked))
            return Seen((Finding("mask-of-longer-text", sentence, "look for a length in forward", (measured,)),))
    return Seen(checked=(f"a text of {tokens} tokens",))


def _wrong_where(
    understood: Understood, ours: Tensor, theirs: Tensor, where: str, otherwise: str, id: str = "training-differs"
) -> Finding:
    """What is wrong only there, named when it is a known mistake."""
    measured = Measurement(f"largest difference from ours {where}", difference(ours, theirs))
    named = None
    if ours.shape == theirs.shape:
        named = explain(theirs, understood.inputs, [understood.explanation.reading], known=FORWARD, pairs=False)
    start = f"{where[0].upper()}{where[1:]} the output is wrong, and {otherwise}."
    if named is None or not named.faults:
        return Finding(id, start, "look for an `if` in forward that tells the two apart", (measured,))
    fault, numbers = named.faults[0], understood.explanation.reading.numbers
    n_heads = numbers.n_heads if numbers else understood.examination.sizes.n_heads
    words = words_for(fault, n_heads, understood.examination.head_width, understood.inputs[0].shape[-2])
    return Finding(id, f"{start} {fault.sentence.format(**words)}", fault.fix.format(**words), (measured,))


def large_scores(understood: Understood) -> Seen:
    """Scores that overflow when the softmax does not take off each row's maximum."""
    examination = understood.examination
    inputs = examination.inputs(41)
    largest = float(understood.explanation.values(inputs).scores.abs().max())
    grown = max(1.0, LARGE / max(largest, 1e-9)) ** 0.5
    parts = [x * grown for x in inputs]
    inputs = (parts[0], parts[1], parts[2])
    ours, answer = understood.explanation.values(inputs), examination.ask(inputs)
    if not bool(torch.isfinite(ours.out).all()) or answer.out is None or bool(torch.isfinite(answer.out).all()):
        return Seen(checked=("large scores",))
    count = float((~torch.isfinite(answer.out)).sum())
    sentence = "The softmax overflows: large scores give NaN or infinite numbers; expected finite ones."
    fix = "torch.softmax(scores, dim=-1), or scores - scores.amax(-1, keepdim=True) before exp"
    measured = (
        Measurement("numbers that are not finite in the output", count),
        Measurement("at scores as large as", float(ours.scores.abs().max())),
    )
    return Seen((Finding("softmax-overflows", sentence, fix, measured),))
