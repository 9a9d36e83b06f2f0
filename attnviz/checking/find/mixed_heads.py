"""Tells what each head's place holds: its own context, none, or one made with another head's queries, keys or values.

W_O mixes the heads. Where it can be undone, each head is seen alone.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from attnviz.checking.call.inputs import Inputs
from attnviz.checking.find.examination import Examination, gap
from attnviz.checking.find.mistaken_attention import attention, heads_of
from attnviz.checking.find.search import agrees
from attnviz.checking.read.layouts import Projections
from attnviz.checking.report import Finding

MOST_READINGS = 24  # ways to read the matrices that are tried
MOST_HEADS = 16  # each with the keys and the values of each
_JOIN = "context.transpose(1, 2).reshape(B, T, H * d_head), or torch.cat(every_head, dim=-1)"
_KEEP = "a loop over heads has to keep each: outs.append(out) inside it, torch.cat(outs, dim=-1) after it"
_FIX = "head h is q[:, h], k[:, h], v[:, h] and the h-th part of what is joined; shared keys: repeat_interleave, axis 1"

Made = tuple[int, int, int]  # of which heads' queries, keys and values a context is made; the last two count groups


def heads_mixed_up(examination: Examination, inputs: Inputs, theirs: Tensor) -> Finding | None:
    """What is wrong with single heads; None where that is not why the output differs."""
    for reading in examination.readings[:MOST_READINGS]:
        projections = reading.projections
        if projections is None or not 1 < projections.n_heads <= MOST_HEADS:
            continue
        q, k, v = heads_of(inputs, projections, reading.variant)  # [B, H, T, d_k] each, shared ones repeated
        times = projections.n_heads // projections.n_groups
        every = q[:, :, None, None], k[:, None, ::times, None], v[:, None, None, ::times]  # groups of keys and values
        with torch.no_grad():
            known = attention(every, None, reading.variant).out  # [B, H, G, G, T_q, d_v]
        contexts = _contexts(projections, theirs)  # [B, H, T_q, d_v]
        found = None if contexts is None else _finding(contexts, known)
        if found is not None:
            return found
    return None


def _contexts(projections: Projections, theirs: Tensor) -> Tensor | None:
    """The context [B, H, T_q, d_v] behind an output [B, T_q, d_model]; None where it cannot be worked out."""
    merged = theirs  # [B, T_q, H·d_v]
    if "o" in projections.weight:
        weight = projections.weight["o"]  # [d_model, H·d_v]
        without_bias = theirs - projections.bias.get("o", torch.zeros_like(theirs[0, 0]))  # [B, T_q, d_model]
        if not bool(torch.isfinite(theirs).all()) or int(torch.linalg.matrix_rank(weight)) < weight.shape[1]:
            return None
        merged = torch.linalg.lstsq(weight, without_bias.flatten(0, 1).mT).solution.mT.view(*theirs.shape[:2], -1)
        if not agrees(without_bias, merged @ weight.mT):
            return None
    return merged.unflatten(-1, (projections.n_heads, -1)).transpose(1, 2)  # [B, H, T_q, d_v]


def _finding(contexts: Tensor, known: Tensor) -> Finding | None:
    """contexts [B, H, T_q, d_v], known [B, H, G, G, T_q, d_v]."""
    n_heads, n_groups = known.shape[1:3]
    own = [(head, head * n_groups // n_heads, head * n_groups // n_heads) for head in range(n_heads)]
    right = torch.stack([known[:, *made] for made in own], dim=1)  # [B, H, T_q, d_v]
    wrong = [head for head in range(n_heads) if not agrees(right[:, head], contexts[:, head])]
    if not wrong:
        return None
    measured = (gap("largest difference of a head's context", right, contexts),)
    others = " The others are right." if len(wrong) < n_heads else ""
    if all(agrees(torch.zeros_like(right[:, head]), contexts[:, head]) for head in wrong):
        verb = "is" if len(wrong) == 1 else "are"
        sentence = f"{_heads(wrong).capitalize()} {verb} lost: zeros stand in place of what was found.{others}"
        return Finding("heads-lost", sentence, _JOIN, measured)
    ways = [(q, k, v) for q in range(n_heads) for k in range(n_groups) for v in range(n_groups)]
    by_words: dict[str, list[int]] = {}
    sources = {own[head] for head in range(n_heads) if head not in wrong}
    for head in wrong:  # with its own queries, and of one head alone, if possible
        mine = own[head]
        ways.sort(key=lambda way: (way[0] != mine[0], way[1] != way[2], way[1] != mine[1], way[2] != mine[2]))
        made = next((way for way in ways if agrees(known[:, *way], contexts[:, head])), None)
        if made is None:
            return None
        sources.add(made)
        by_words.setdefault(_words(made, mine, "head" if n_heads == n_groups else "group"), []).append(head)
    if len(sources) == 1 and sources <= set(own):
        sentence = f"All {n_heads} heads hold what head {sources.pop()[0]} found: one head stands in every place."
        return Finding("heads-mixed-up", sentence, _KEEP, measured)
    parts = (f"{_heads(heads)} {words if len(heads) > 1 else words.replace(' ', 's ', 1)}"
             for words, heads in by_words.items())  # fmt: skip
    return Finding("heads-mixed-up", f"The heads are mixed up: {'; '.join(parts)}.{others}", _FIX, measured)


def _words(made: Made, own: Made, unit: str) -> str:
    """What several heads do: "use the keys of group 1, expected of group 0"; unit: what keys are counted by."""
    q, k, v = made
    if unit == "head" and q == k == v:
        return f"hold what head {q} found"
    parts = [f"the queries of head {q}"] if q != own[0] else []
    if k == v != own[1]:
        parts.append(f"the keys and values of {unit} {k}")
    else:
        parts += [f"the {name} of {unit} {one}" for name, one in (("keys", k), ("values", v)) if one != own[1]]
    expected = f", expected of group {own[1]}" if unit == "group" and (k, v) != own[1:] else ""
    return f"use {' and '.join(parts)}{expected}"


def _heads(heads: Sequence[int]) -> str:
    """ "head 2", "heads 0 and 1"."""
    numbers = [str(head) for head in heads]
    return f"head {numbers[0]}" if len(numbers) == 1 else f"heads {', '.join(numbers[:-1])} and {numbers[-1]}"
