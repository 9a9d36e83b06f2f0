"""Tells what each head's place holds: its own context, none, or one made with another head's queries, keys or values.

W_O mixes the heads. Where it can be undone, each head is seen alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from attnviz.checking.call.inputs import Inputs
from attnviz.checking.find.examination import Examination, gap
from attnviz.checking.find.mistaken import attention, heads_of
from attnviz.checking.find.search import Reading, agrees
from attnviz.checking.report import Finding

MOST_READINGS = 24  # ways to read the matrices that are tried
MOST_HEADS = 16  # each with the keys and the values of each
_JOIN = "context.transpose(1, 2).reshape(B, T, H * d_head), or torch.cat(every_head, dim=-1)"
_KEEP = "a loop over heads has to keep each: outs.append(out) inside it, torch.cat(outs, dim=-1) after it"
_FIX = "head h is q[:, h], k[:, h], v[:, h] and the h-th part of what is joined; shared keys: repeat_interleave, axis 1"


@dataclass(frozen=True)
class Made:
    """Of which heads' queries, keys and values a context is made; keys and values are counted by groups."""

    q: int
    k: int
    v: int


def heads_mixed_up(examination: Examination, inputs: Inputs, theirs: Tensor) -> Finding | None:
    """What is wrong with single heads; None where that is not why the output differs."""
    several = [r for r in examination.readings if r.projections is not None and 1 < r.projections.n_heads <= MOST_HEADS]
    for reading in several[:MOST_READINGS]:
        contexts = _contexts(reading, theirs)  # [B, H, Tq, Dv]
        found = None if contexts is None else _finding(contexts, _every_context(reading, inputs))
        if found is not None:
            return found
    return None


def _contexts(reading: Reading, theirs: Tensor) -> Tensor | None:
    """The context [B, H, Tq, Dv] behind an output [B, Tq, D]; None where it cannot be worked out."""
    projections = reading.projections
    assert projections is not None  # asked before
    merged = theirs  # [B, Tq, H·Dv]
    if "o" in projections.weight:
        weight = projections.weight["o"]  # [D, H·Dv]
        without_bias = theirs - projections.bias.get("o", torch.zeros_like(theirs[0, 0]))  # [B, Tq, D]
        if not bool(torch.isfinite(theirs).all()) or int(torch.linalg.matrix_rank(weight)) < weight.shape[1]:
            return None
        merged = torch.linalg.lstsq(weight, without_bias.flatten(0, 1).mT).solution.mT.view(*theirs.shape[:2], -1)
        if not agrees(without_bias, merged @ weight.mT):
            return None
    return merged.unflatten(-1, (projections.n_heads, -1)).transpose(1, 2)  # [B, H, Tq, Dv]


def _every_context(reading: Reading, inputs: Inputs) -> Tensor:
    """What each head's queries find with each group's keys and each group's values: [B, H, G, G, Tq, Dv]."""
    projections = reading.projections
    assert projections is not None  # asked before
    q, k, v = heads_of(inputs, projections, reading.variant)  # [B, H, T, Dh] each, shared ones repeated
    times = projections.n_heads // projections.n_groups
    k, v = k[:, ::times], v[:, ::times]  # [B, G, T, Dh], [B, G, T, Dv]
    with torch.no_grad():
        return attention((q[:, :, None, None], k[:, None, :, None], v[:, None, None]), None, reading.variant).out


def _finding(contexts: Tensor, known: Tensor) -> Finding | None:
    """contexts [B, H, Tq, Dv], known [B, H, G, G, Tq, Dv]."""
    n_heads, n_groups = known.shape[1:3]
    own = [Made(head, head * n_groups // n_heads, head * n_groups // n_heads) for head in range(n_heads)]
    right = torch.stack([known[:, way.q, way.k, way.v] for way in own], dim=1)  # [B, H, Tq, Dv]
    wrong = [head for head in range(n_heads) if not agrees(right[:, head], contexts[:, head])]
    measured = gap("largest difference of a head's context", right, contexts)
    if wrong and all(agrees(torch.zeros_like(right[:, head]), contexts[:, head]) for head in wrong):
        verb = "is" if len(wrong) == 1 else "are"
        sentence = f"{_heads(wrong).capitalize()} {verb} lost: zeros stand in place of what was found."
        return Finding("heads-lost", sentence + _others(wrong, n_heads), _JOIN, (measured,))
    made = {head: way for head in wrong if (way := _made(contexts[:, head], own[head], known)) is not None}
    if not wrong or len(made) < len(wrong):
        return None
    sources = {made.get(head, own[head]) for head in range(n_heads)}
    if len(sources) == 1 and sources <= set(own):
        sentence = f"All {n_heads} heads hold what head {sources.pop().q} found: one head stands in every place."
        return Finding("heads-mixed-up", sentence, _KEEP, (measured,))
    parts = _parts(made, own, "head" if n_heads == n_groups else "group")
    sentence = f"The heads are mixed up: {parts}.{_others(wrong, n_heads)}"
    return Finding("heads-mixed-up", sentence, _FIX, (measured,))


def _made(context: Tensor, own: Made, known: Tensor) -> Made | None:
    """Of what one head's context [B, Tq, Dv] is made; with its own queries, and of one head alone, if possible."""
    n_heads, n_groups = known.shape[1:3]
    ways = [Made(q, k, v) for q in range(n_heads) for k in range(n_groups) for v in range(n_groups)]
    ways.sort(key=lambda way: (way.q != own.q, way.k != way.v, way.k != own.k, way.v != own.v))
    return next((way for way in ways if agrees(known[:, way.q, way.k, way.v], context)), None)


def _parts(made: dict[int, Made], own: list[Made], unit: str) -> str:
    """ "heads 0 and 1 use the keys of head 2; head 3 holds what head 0 found"; unit: what keys are counted by."""
    by_words: dict[str, list[int]] = {}
    for head, way in made.items():
        by_words.setdefault(_words(way, own[head], unit), []).append(head)
    parts = [
        f"{_heads(heads)} {'hold' if words.startswith('what') else 'use'}{'' if len(heads) > 1 else 's'} {words}"
        for words, heads in by_words.items()
    ]
    return "; ".join(parts[:4]) + ("" if len(parts) <= 4 else f"; and {len(parts) - 4} more")


def _words(way: Made, own: Made, unit: str) -> str:
    if unit == "head" and way.q == way.k == way.v:
        return f"what head {way.q} found"
    parts = [f"the queries of head {way.q}"] if way.q != own.q else []
    if way.k == way.v != own.k:
        parts.append(f"the keys and values of {unit} {way.k}")
    else:
        parts += [f"the keys of {unit} {way.k}"] if way.k != own.k else []
        parts += [f"the values of {unit} {way.v}"] if way.v != own.v else []
    expected = f", expected of group {own.k}" if unit == "group" and (way.k, way.v) != (own.k, own.v) else ""
    return " and ".join(parts) + expected


def _others(wrong: Sequence[int], n_heads: int) -> str:
    return " The others are right." if len(wrong) < n_heads else ""


def _heads(heads: Sequence[int]) -> str:
    """ "head 2", "heads 0 and 1"."""
    numbers = [str(head) for head in heads]
    return f"head {numbers[0]}" if len(numbers) == 1 else f"heads {', '.join(numbers[:-1])} and {numbers[-1]}"
