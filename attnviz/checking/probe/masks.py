"""Feeds masks: in which format they are read, whether they hide, whether each text gets its own, and two at once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import torch
from torch import Tensor, nn

from attnviz.checking.call.candidate import Answer, in_precision, side_effects
from attnviz.checking.call.inputs import (
    Inputs,
    MaskFormat,
    is_lengths,
    key_formats,
    keys_by_length,
    query_formats,
    some_mask,
)
from attnviz.checking.find.examination import Examination, Run
from attnviz.checking.find.faults import BLOCKED, MASK
from attnviz.checking.find.mistaken_attention import Values
from attnviz.checking.find.search import agrees, first_reading, gap
from attnviz.checking.report import Finding, StageResult, checked, fault, note, unchecked


@dataclass(frozen=True)
class MaskedCall:
    """A run that is explained, the argument for one of its masks, and the format of that mask."""

    run: Run
    name: str
    format: MaskFormat

    @property
    def batch_and_tokens(self) -> tuple[int, int]:
        return self.run.examination.batch, self.run.examination.tokens

    def example(self) -> Tensor:
        """A mask that leaves each query a key: bool, True = can attend, [T, T] or [B, T]."""
        return self.format.example(*self.batch_and_tokens)

    def written(self, allowed: Tensor) -> Tensor:
        """Such a mask as the candidate takes it."""
        return self.format.written(allowed, self.batch_and_tokens[0])

    def broadcast(self, allowed: Tensor) -> Tensor:
        """Such a mask as ours takes it."""
        return self.format.broadcast(allowed, self.run.examination.has_heads)

    def call(self, allowed: Tensor) -> Answer:
        return self.run.call({self.name: self.written(allowed)})

    def ours(self, allowed: Tensor, **changes: Any) -> Values:
        return self.run.ours(self.broadcast(allowed), **changes)

    def fed(self, examination: Examination, inputs: Inputs) -> "MaskedCall":
        """The same mask in another call: in another precision, with larger inputs."""
        return replace(self, run=replace(self.run, examination=examination, inputs=inputs))


def masks_obeyed(run: Run) -> tuple[tuple[MaskedCall, ...], StageResult]:
    """Every mask the candidate takes, and those that are read rightly."""
    signature, declared = run.candidate.signature, run.examination.mask_means
    if signature.mask is None:
        return (), unchecked(f"mask: {'no argument is known as one' if signature.untried else 'it takes none'}")
    has_torchs, axes = signature.is_torchs or _has_torchs(run.candidate.subject), run.examination.axes
    queries = () if is_lengths(signature.mask) else query_formats(declared, has_torchs, axes)
    keys = key_formats(declared, has_torchs, signature.mask) if axes > 2 else ()
    result, first = _obeyed(run, signature.mask, (queries, keys))
    if signature.is_torchs and first is not None and first.format.means == "cannot attend" and declared is None:
        result += StageResult() if _has_torchs(run.candidate.subject) else _AS_TORCHS
    if signature.padding is None or first is None:
        waiting = () if signature.padding is None else (f"{signature.padding}: until {signature.mask} is right",)
        return () if first is None else (first,), result + unchecked(*waiting)
    other, second = _obeyed(run, signature.padding, (key_formats(declared, has_torchs, signature.padding),))
    said = {finding.id for finding in (*result.notes, *result.findings)}  # once for both masks
    findings, notes = (tuple(f for f in these if f.id not in said) for these in (other.findings, other.notes))
    masks = (first,) if second is None else (first, second)
    return masks, result + replace(other, findings=findings, notes=notes)


_AS_TORCHS = note(
    "mask-as-torchs",
    "True in attn_mask means cannot attend, as in nn.MultiheadAttention, whose arguments it has.",
    "nothing, if that is meant; in F.scaled_dot_product_attention True means can attend: "
    'check_attention(…, mask_means="can attend") asks for that',
)


def _has_torchs(subject: object) -> bool:
    """Whether torch's own layer, or the function behind it, reads the mask: there True means cannot attend."""
    if not isinstance(subject, nn.Module):
        return False
    code = getattr(type(subject).forward, "__code__", None)
    is_called = code is not None and "multi_head_attention_forward" in code.co_names
    return is_called or any(isinstance(module, nn.MultiheadAttention) for module in subject.modules())


def _obeyed(run: Run, name: str, formats: Iterable[Iterable[MaskFormat]]) -> tuple[StageResult, MaskedCall | None]:
    """The format in which one mask is right, or the fault; then a row without a key."""
    trials: list[Trial] = []
    for group in formats:
        for mask_format in group:
            inverted = [trial.masked.format.means for trial in trials if trial.kind == "inverted"]
            if inverted and mask_format.means in (*inverted, "added"):
                continue  # that it reads an added mask rightly does not excuse a bool one the wrong way round
            trial = _trial(MaskedCall(run, name, mask_format))
            if trial.kind == "right":
                return trial.result + _blocked_row(trial.masked), trial.masked
            trials.append(trial)
        for kind in ("inverted", "known"):
            of_kind = next((trial for trial in trials if trial.kind == kind), None)
            if of_kind is not None:
                return of_kind.result, None
    if run.reading.faults:
        return unchecked(f"{name}: until what was found above is mended"), None
    unknown = next((trial.result for trial in trials if trial.kind == "unknown"), None)
    if unknown is None and is_lengths(name):  # one number for all texts may be meant
        return unchecked(f"{name}: with one for each text it stops with an error"), None
    return unknown or trials[0].result, None


@dataclass(frozen=True)
class Trial:
    kind: str  # "right", "inverted", "known" (another fault), "unknown", "stops"
    masked: MaskedCall
    result: StageResult


def _trial(masked: MaskedCall) -> Trial:
    run, allowed, mask_format = masked.run, masked.example(), masked.format
    answer = masked.call(allowed)
    theirs, ours = answer.numbers, masked.ours(allowed).out  # [B, T, d_model] each
    if theirs is None or theirs.shape != ours.shape:
        sentence = f"It stops with an error when it is given a mask ({masked.name}): {answer.message}"
        stopped = fault("mask-raises", sentence, "a mask is [query, key] or [batch, 1, query, key]")
        return Trial("stops", masked, stopped)
    measured = gap("largest difference from ours with the mask", ours, theirs)
    tried, reading = checked(f"{masked.name} ({mask_format})"), run.reading
    # A mask may take the place of a causal layer's triangle.
    readings = [reading] if reading.plain.causal == "no" else [reading, reading.changed(causal="no")]
    hidden = masked.broadcast(allowed)
    read = first_reading(theirs, run.inputs, readings, hidden, count=0)
    read = read or first_reading(theirs, run.inputs, readings, hidden, known=MASK)
    if read is None:
        finding = None
        if mask_format.is_of_keys:
            finding = _of_one_text(masked, allowed, theirs) or _off_by_one(masked, allowed, theirs)
        if finding is not None:
            return Trial("known", masked, StageResult((finding,)) + tried)
        unknown = f"Without a mask the output is right; with one ({mask_format}) no known mistake explains it."
        fix = "scores.masked_fill(~mask, -inf) before the softmax"
        return Trial("unknown", masked, fault("mask-differs", unknown, fix, measured) + tried)
    mistake = next((one for one in read.faults if one in MASK), None)
    if mistake is None:
        overwritten = [finding for finding in side_effects(answer) if finding.id == "input-overwritten"]
        result = StageResult(tuple(overwritten) if not side_effects(run.answer) else ()) + tried
        if read is not reading and not mask_format.is_of_keys:
            result += note("mask-replaces-causal", _REPLACES, "pass a mask that hides the future too, or join the two")
        return Trial("right", replace(masked, run=replace(run, reading=read)), result)
    invert = "scores.masked_fill(mask, -inf): True was said to mean cannot attend"
    finding = run.finding(mistake, measured, invert=invert if mask_format.means == "cannot attend" else _INVERT)
    if mistake.id == "mask-transposed" and mask_format.is_of_keys:
        sentence = "The mask of each text's tokens is laid over the queries: hidden tokens still take weight, as keys."
        finding = replace(finding, sentence=sentence, fix="mask[:, None, None, :]: the last axis of scores is the key")
    elif masked.name == run.candidate.signature.padding or mask_format.form == "lengths":
        finding = replace(finding, sentence=finding.sentence.replace("The mask", f"The mask {masked.name}", 1))
    return Trial("inverted" if mistake.id == "mask-inverted" else "known", masked, StageResult((finding,)) + tried)


_INVERT = (
    "scores.masked_fill(~mask, -inf), for masks where True means can attend. If True means cannot attend on purpose, "
    'say check_attention(…, mask_means="cannot attend").'
)
_REPLACES = (
    "It is causal only while no mask is passed: a mask takes the place of the triangle, and may show the future."
)


def _of_one_text(masked: MaskedCall, allowed: Tensor, theirs: Tensor) -> Finding | None:
    """Whether the mask of one text was used for all: allowed [B, …], one mask a text."""
    for text, its in enumerate(allowed):
        alone = its[None, None] if masked.format.is_of_keys else its  # [1, 1, T_k] or [T_q, T_k]
        if agrees(masked.run.ours(alone).out, theirs):
            sentence = f"The mask of text {text} is used for all texts; expected each text's own."
            fix = "keep the mask's first axis, [batch, 1, query, key]: no mask[0], mask[:1] or mask[-1]"
            return Finding("mask-of-one-text", sentence, fix)
    return None


def _off_by_one(masked: MaskedCall, allowed: Tensor, theirs: Tensor) -> Finding | None:
    """Whether lengths keep one token too many or too few of each text: allowed [B, T_k]."""
    if masked.format.form != "lengths":
        return None
    lengths = allowed.sum(-1, keepdim=True)  # [B, 1]
    for step, words in ((1, "one token too many is"), (-1, "one token too few is")):
        shifted = torch.arange(allowed.shape[-1]) < lengths + step  # [B, T_k]
        if agrees(masked.ours(shifted).out, theirs):
            sentence = f"The lengths ({masked.name}) are off by one: of each text {words} seen."
            fix = "torch.arange(T) < lengths[:, None] marks what is seen: length 3 is tokens 0, 1 and 2"
            return Finding("lengths-off-by-one", sentence, fix)
    return None


_NAN_ROW = note(
    "blocked-row-nan",
    "A query that can attend to nothing gives NaN, as nn.MultiheadAttention does; one layer later NaN is everywhere.",
    "weights.masked_fill(~mask.any(-1, keepdim=True), 0) after the softmax; before it, scores of 0 for such a row",
)


def _blocked_row(masked: MaskedCall) -> StageResult:
    """Let one query, or one text, attend to nothing: in the precision the person uses, then in the more exact one.

    A number such as -1e9 replaces the score it is added to in one precision and only rounds it in another.
    """
    run, candidate = masked.run, masked.run.candidate
    has_mistakes, result = bool(run.reading.faults), checked("row without an allowed key")
    allowed = masked.format.blocking(*masked.batch_and_tokens)  # [T, T] or [B, T]
    for dtype in dict.fromkeys((candidate.own_dtype, candidate.dtype)):
        low = masked.fed(replace(run.examination, candidate=in_precision(candidate, dtype)), run.inputs)
        answer = low.call(allowed)
        theirs = answer.numbers  # [B, T_q, d_model]
        if theirs is None:
            sentence = f"It stops with an error when a query can attend to nothing: {answer.message}"
            return fault("blocked-row-raises", sentence, "give zeros for such a row")
        before = ("uniform before", "open before") if run.reading.variant.causal == "right" else ()
        for blocked in ("zeros", "nan", "uniform", "open", *before):
            if not agrees(low.ours(allowed, blocked=blocked).out, theirs, 1e-4):
                continue
            if has_mistakes:  # first things first
                return result
            looks = BLOCKED.get(blocked.removesuffix(" before"))
            if looks is not None:  # torch's layer gives NaN there, so nothing is wrong where that has numbers
                measured = gap("largest difference from zeros weighing the values", low.ours(allowed).out, theirs)
                return result + StageResult(notes=(run.finding(looks, measured),))
            return result + _NAN_ROW if blocked == "nan" else result
    if has_mistakes:
        return StageResult()  # first things first
    sentence = "When one query can attend to nothing, what comes out is neither zeros nor anything known."
    return fault("blocked-row-differs", sentence, "give zeros for such a row, and leave the others alone")


def mask_of_each_text(masks: Sequence[MaskedCall]) -> StageResult:
    """Give every text a mask [query, key] of its own; a mask of each text's keys is one already."""
    masked = next((one for one in masks if not one.format.is_of_keys), None)
    if masked is None or masked.run.examination.is_single:
        return StageResult()
    run, (batch, tokens) = masked.run, masked.batch_and_tokens
    allowed = torch.stack([some_mask(tokens, 7 + text) for text in range(batch)])  # [B, T, T]
    right = run.ours(allowed[:, None] if run.examination.has_heads else allowed).out  # [B, T, d_model]
    written = masked.format.encoded(allowed)  # [B, T, T]
    per_head = written.repeat_interleave(run.examination.n_heads, dim=0)  # [B·H, T, T], as torch's layer
    shapes = {"text 1 query key": written[:, None], "text query key": written, "text·head query key": per_head}
    usual = {name: mask for name, mask in shapes.items() if name == masked.format.shape}
    result = unchecked("a mask for each text: it takes one for all")
    for name, mask in (usual or shapes).items():
        theirs = run.call({masked.name: mask}).numbers
        if theirs is None or theirs.shape != right.shape:
            continue
        if agrees(right, theirs):
            result = checked("a mask for each text")
            continue
        finding = _of_one_text(masked, allowed, theirs)
        if finding is None and (usual or name == "text 1 query key"):  # it has an axis for all that scores have
            sentence = f"With one mask for all texts the output is right; with a mask for each ([{name}]) it is not."
            fix = "keep the mask's first axis: scores.masked_fill(~mask, -inf) with mask [batch, 1, query, key]"
            finding = Finding("mask-per-text-differs", sentence, fix)
        if finding is not None:
            measured = gap("largest difference from ours with a mask for each text", right, theirs)
            return StageResult((replace(finding, evidence=(measured,)),))
    return result


@dataclass(frozen=True)
class OneMask:
    """One of two masks, as it is given and as ours takes it."""

    name: str
    allowed: Tensor  # [T, T], [B, 1, 1, T] or [B, 1, T]
    given: dict[str, Tensor]  # by the name of the argument; nothing for the layer's own triangle


def masks_together(run: Run, masks: Sequence[MaskedCall]) -> StageResult:
    """Every two masks that are right alone, its own triangle among them."""
    tokens, result = run.examination.tokens, StageResult()
    past = torch.ones(tokens, tokens, dtype=torch.bool).tril()  # [T, T], the causal mask
    pairs = [(_one_mask(one, past), _one_mask(other)) for one, other in combinations(masks, 2)]
    for masked in masks:
        if run.reading.variant.causal == "right" and masked.format.is_of_keys:
            pairs.append((_one_mask(masked), OneMask("its own triangle", past, {})))
    for one, other in pairs:
        result += _together(run, one, other)
    return result


def _one_mask(masked: MaskedCall, past: Tensor | None = None) -> OneMask:
    """A mask to stand beside another: `past` where it is one of queries and keys."""
    batch, tokens = masked.batch_and_tokens
    allowed = some_mask(tokens, 7) if past is None else past  # [T, T]
    if masked.format.is_of_keys:
        allowed = keys_by_length(batch, tokens)  # [B, T]
        if masked.format.form != "lengths":
            allowed = allowed & (torch.arange(tokens) != 1)  # [B, T], unlike any other mask
    return OneMask(masked.name, masked.broadcast(allowed), {masked.name: masked.written(allowed)})


def _together(run: Run, one: OneMask, other: OneMask) -> StageResult:
    what = f"{one.name} and {other.name} together"
    answer = run.call({**one.given, **other.given})
    theirs = answer.numbers
    as_masked = replace(run, reading=run.reading.changed(causal="no"))  # the triangle is one of the masks
    if theirs is None:
        return unchecked(f"{what}: it stops with an error: {answer.message}")
    right = as_masked.ours(one.allowed & other.allowed).out  # [B, T, d_model]
    if agrees(right, theirs):
        return checked(what)
    either = one.allowed | other.allowed
    known = {
        f"only {one.name} is obeyed": one.allowed, f"only {other.name} is obeyed": other.allowed,
        "a token is hidden only where both hide it": either, "neither is obeyed": torch.ones_like(either),
    }  # fmt: skip
    wrong = (words for words, allowed in known.items() if agrees(as_masked.ours(allowed).out, theirs))
    words = next(wrong, "the output differs from ours and no known mistake explains it")
    sentence = f"{one.name} and {other.name} are right alone; together {words}."
    fix = "join the two first: allowed = mask & ~key_padding_mask[:, None, None, :], True = can attend in both"
    return fault("masks-together", sentence, fix, gap("largest difference from ours with both", right, theirs))
