"""Which head's place holds what: each head's context worked out from the output, and whose q, k and v made it.

W_O mixes the heads. Where it can be undone, every head is seen alone: one that is lost, one that stands in the place of
others, one that looks with another's keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from attnviz.checking.call.inputs import Inputs
from attnviz.checking.find.examination import Examination
from attnviz.checking.find.faults_of_scores import SCALE
from attnviz.checking.find.faults_of_values import ENDS, PROJECTIONS
from attnviz.checking.find.heads import heads_of
from attnviz.checking.find.mistaken import attention
from attnviz.checking.find.search import Reading, agrees, changed, difference, finding, first_of_each_kind, words_for
from attnviz.checking.find.variant import Variant, divisor_of
from attnviz.checking.report import Finding, Measurement
from attnviz.core import ops

MOST_READINGS = 24  # ways to read the matrices, causal or not
MOST_HEADS = 16  # each with the keys and the values of each
_BESIDE = (
    *(fault for fault in PROJECTIONS if fault.id in ("q-and-k-swapped", "k-and-v-swapped")),
    *first_of_each_kind(SCALE),
    *(fault for fault in ENDS if "out" in fault.changes),
)
_JOIN = "context.transpose(1, 2).reshape(B, T, H * d_head), or torch.cat(every_head, dim=-1)"


@dataclass(frozen=True)
class Made:
    """Of which heads' queries, keys and values a context is made."""

    q: int
    k: int  # heads of keys and values are counted on their own: fewer where several heads share them
    v: int


def heads_mixed_up(examination: Examination, inputs: Inputs, theirs: Tensor) -> tuple[Finding, ...]:
    """What is wrong with single heads, alone or beside one more mistake; nothing where that is not so."""
    several = [r for r in examination.readings if r.numbers is not None and 1 < r.numbers.n_heads <= MOST_HEADS]
    for reading in several[:MOST_READINGS]:
        found = _mixed_up(reading, inputs, theirs)
        if found is not None:
            return (found,)
    for reading in several[:2]:  # the usual layout, causal or not
        for fault in _BESIDE:
            numbers = reading.numbers
            assert numbers is not None  # asked before
            sizes = numbers.head_width, numbers.n_heads, theirs.shape[-2]
            variant = changed(reading.variant, (fault,))
            divisor = divisor_of(variant.scale, *sizes)  # as a number: each head is seen alone below
            other = replace(reading, variant=replace(variant, scale=repr(divisor)))
            found = _mixed_up(other, inputs, theirs) if _has_a_head(other, inputs, theirs) else None
            if found is not None:
                beside = finding(fault, **words_for(fault, sizes[1], sizes[0], sizes[2]))
                return (found, beside) if fault in ENDS else (beside, found)
    return ()


def _mixed_up(reading: Reading, inputs: Inputs, theirs: Tensor) -> Finding | None:
    contexts = _contexts(reading, inputs, theirs)  # [B, H, Tq, Dv]
    return None if contexts is None else _said(contexts, _every_context(reading, inputs))


def _has_a_head(reading: Reading, inputs: Inputs, theirs: Tensor) -> bool:
    """Whether any head's place holds what one head found."""
    contexts = _contexts(reading, inputs, theirs)  # [B, H, Tq, Dv]
    if contexts is None:
        return False
    with torch.no_grad():
        own = attention(heads_of(inputs, reading.numbers, reading.variant), None, _looking(reading)).out  # as contexts
    heads = range(own.shape[1])
    return any(agrees(own[:, head], contexts[:, place]) for head in heads for place in heads)


def joined_otherwise(reading: Reading, inputs: Inputs, theirs: Tensor) -> str:
    """What an output as wide as one head is, in words; empty where it is no head and no mixture of them."""
    if reading.numbers is None or reading.numbers.n_heads == 1:
        return ""
    known = _every_context(reading, inputs)  # [B, H, G, G, Tq, Dv]
    each = _own(known)  # [B, H, Tq, Dv]
    if theirs.shape != each[:, 0].shape:
        return ""
    n_heads = each.shape[1]
    for words, context in (("added up", each.sum(1)), ("averaged", each.mean(1))):
        if agrees(context, theirs):
            return f"the {n_heads} heads are {words}, expected side by side"
    for head in range(n_heads):
        if agrees(each[:, head], theirs):
            return f"it is what head {head} found alone, expected all {n_heads} heads side by side"
    return ""


def _contexts(reading: Reading, inputs: Inputs, theirs: Tensor) -> Tensor | None:
    """The context [B, H, Tq, Dv] behind an output [B, Tq, D]; None where it cannot be worked out."""
    numbers, ending = reading.numbers, reading.variant.out
    assert numbers is not None  # asked before
    out = theirs - inputs[0] if ending == "residual" and theirs.shape == inputs[0].shape else theirs  # [B, Tq, D]
    merged = out  # [B, Tq, H·Dv]
    if "o" in numbers.weight and ending != "missing":
        weight = numbers.weight["o"]  # [D, H·Dv]
        without_bias = out - numbers.bias.get("o", torch.zeros_like(out[0, 0]))  # [B, Tq, D]
        if not bool(torch.isfinite(out).all()) or int(torch.linalg.matrix_rank(weight)) < weight.shape[1]:
            return None
        merged = torch.linalg.lstsq(weight, without_bias.flatten(0, 1).mT).solution.mT.view(*out.shape[:2], -1)
        if not agrees(without_bias, merged @ weight.mT):
            return None
    return ops.split_heads(merged, numbers.n_heads)  # [B, H, Tq, Dv]


def _every_context(reading: Reading, inputs: Inputs) -> Tensor:
    """What each head's queries find with each head's keys and each head's values: [B, H, G, G, Tq, Dv]."""
    numbers = reading.numbers
    assert numbers is not None  # asked before
    q, k, v = heads_of(inputs, numbers, reading.variant)  # [B, H, T, Dh] each, shared ones repeated
    times = numbers.weight["q"].shape[0] // numbers.weight["k"].shape[0]
    k, v = k[:, ::times], v[:, ::times]  # [B, G, T, Dh], [B, G, T, Dv]
    with torch.no_grad():
        return attention((q[:, :, None, None], k[:, None, :, None], v[:, None, None]), None, _looking(reading)).out


def _looking(reading: Reading) -> Variant:
    """What is done to q, k and v once they are made, and before the heads are joined."""
    return replace(reading.variant, projections="qkv", out="right")


def _own(known: Tensor) -> Tensor:
    """Each head's right context: [B, H, G, G, Tq, Dv] -> [B, H, Tq, Dv]."""
    heads = range(known.shape[1])
    return torch.stack([known[:, head, group, group] for head in heads for group in [_group(head, known)]], dim=1)


def _group(head: int, known: Tensor) -> int:
    return head * known.shape[2] // known.shape[1]


def _said(contexts: Tensor, known: Tensor) -> Finding | None:
    """contexts [B, H, Tq, Dv], known [B, H, G, G, Tq, Dv]."""
    own = _own(known)  # [B, H, Tq, Dv]
    n_heads = own.shape[1]
    wrong = [head for head in range(n_heads) if not agrees(own[:, head], contexts[:, head])]
    right = [head for head in range(n_heads) if head not in wrong]
    measured = (Measurement("largest difference of a head's context", difference(own, contexts)),)
    lost = [head for head in wrong if agrees(contexts[:, head], torch.zeros_like(own[:, head]))]
    if wrong and lost == wrong:
        return Finding("heads-lost", _said_lost(lost, right), _JOIN, measured)
    for words, mixture in (("sum", own.sum(1)), ("mean", own.mean(1))):
        if all(agrees(mixture, contexts[:, head]) for head in range(n_heads)):
            sentence = f"Each head's place holds the {words} of all {n_heads} heads; expected each its own head."
            return Finding("heads-mixed-up", sentence, _JOIN, measured)
    made = {head: way for head in wrong if (way := _made(contexts[:, head], head, known)) is not None}
    if not wrong or len(made) < len(wrong):
        return None
    own_ways = {head: Made(head, _group(head, known), _group(head, known)) for head in range(n_heads)}
    sources = {**own_ways, **made}
    first = sources[0]
    if set(sources.values()) == {first} and first == own_ways[first.q]:
        sentence = f"All {n_heads} heads hold what head {first.q} found: one head stands in every place."
        return Finding("heads-mixed-up", sentence, _KEPT, measured)
    return Finding("heads-mixed-up", _said_mixed(made, known, right), _FIX, measured)


_KEPT = "a loop over heads has to keep each: outs.append(out) inside it, torch.cat(outs, dim=-1) after it"
_FIX = "head h is q[:, h], k[:, h], v[:, h] and the h-th part of what is joined; shared keys: repeat_interleave, axis 1"


def _said_lost(lost: Sequence[int], right: Sequence[int]) -> str:
    if len(right) == 1:
        return f"Only head {right[0]} is kept: zeros stand in the place of {_heads(lost)}."
    verb = "is" if len(lost) == 1 else "are"
    return f"{_heads(lost).capitalize()} {verb} lost: zeros stand in place of what was found. The others are right."


def _made(context: Tensor, head: int, known: Tensor) -> Made | None:
    """Whose q, k and v made one head's context [B, Tq, Dv]; its own queries and one head alone come first."""
    n_heads, n_groups = known.shape[1:3]
    ways = [Made(q, k, v) for q in range(n_heads) for k in range(n_groups) for v in range(n_groups)]
    own = _group(head, known)
    ways.sort(key=lambda way: (way.q != head, way.k != way.v, way.k != own, way.v != own))
    return next((way for way in ways if agrees(known[:, way.q, way.k, way.v], context)), None)


def _said_mixed(made: dict[int, Made], known: Tensor, right: Sequence[int]) -> str:
    n_heads, n_groups = known.shape[1:3]
    of = "head" if n_heads == n_groups else "group"
    by_words: dict[str, list[int]] = {}
    for head, way in made.items():
        expected = _group(head, known)
        parts = [f"the queries of head {way.q}"] if way.q != head else []
        if way.k == way.v != expected:
            parts.append(f"the keys and values of {of} {way.k}")
        else:
            parts += [f"the keys of {of} {way.k}"] if way.k != expected else []
            parts += [f"the values of {of} {way.v}"] if way.v != expected else []
        words = f"what head {way.q} found" if len({way.q, way.k, way.v}) == 1 and of == "head" else " and ".join(parts)
        words += f", expected of group {expected}" if of == "group" and (way.k, way.v) != (expected, expected) else ""
        by_words.setdefault(words, []).append(head)
    said = "; ".join(
        f"{_heads(heads)} {_verb(words, len(heads))} {words}" for words, heads in list(by_words.items())[:4]
    )
    more = "" if len(by_words) <= 4 else f"; and {len(by_words) - 4} more"
    return f"The heads are mixed up: {said}{more}." + (" The others are right." if right else "")


def _verb(words: str, count: int) -> str:
    verb = "hold" if words.startswith("what") else "use"
    return verb if count > 1 else f"{verb}s"


def _heads(heads: Sequence[int]) -> str:
    """ "head 2", "heads 0 and 1"."""
    numbers = [str(head) for head in heads]
    if len(numbers) == 1:
        return f"head {numbers[0]}"
    return f"heads {', '.join(numbers[:-1])} and {numbers[-1]}"
