"""The maps of heads as they travel: of all heads where they are small, of one pair in any case, in blocks if long."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from attnviz.analysis.compare.self_attention_heads import maps_of, self_attention_sites
from attnviz.analysis.heads.groups import groups_of
from attnviz.views.compare.all_heads import layer_heads
from attnviz.views.compare.header import PairFacts, Texts
from attnviz.views.headers import Token
from attnviz.views.heads.long_heads import each_once, quantise
from attnviz.views.heads.tokens import token_rows
from attnviz.views.pack import Arrays

if TYPE_CHECKING:
    from attnviz.analysis.compare import Comparison, Difference
    from attnviz.trace.mask import Mask


PAGE_BYTES = 3_000_000  # maps of all heads travel at once while they take no more than this
FILE_BYTES = 6_000_000  # the same in a file of its own, which can ask nobody for another pair
WHOLE = 256  # up to so many units a pair travels whole; above, in blocks
BLOCKS = 192  # a side
MOST = 5  # largest differences that are named


def all_maps(comparison: Comparison, most_bytes: int) -> Arrays:
    """`all_a`, `all_b` float32 [H, U, U]; `all_left_a`, `all_left_b` [H, U], what lay on tokens the other lacks.

    Nothing where they would take more than `most_bytes`.
    """
    arrays: Arrays = {}
    n_heads = sum(layer_heads(comparison.trace_a)) + sum(layer_heads(comparison.trace_b))
    if len(comparison.units) > WHOLE or 4 * n_heads * len(comparison.units) ** 2 > most_bytes:
        return arrays
    for side, trace in (("a", comparison.trace_a), ("b", comparison.trace_b)):
        maps, left_out = maps_of(trace, comparison.units, side)
        arrays |= {f"all_{side}": maps.numpy(), f"all_left_{side}": left_out.numpy()}
    return arrays


def difference_of(comparison: Comparison, a: Sequence[int], b: Sequence[int]) -> Difference:
    """A head of A beside one of B, [layer, head] each."""
    sites_a, sites_b = self_attention_sites(comparison.trace_a), self_attention_sites(comparison.trace_b)
    return comparison.difference(sites_a[a[0]].key, a[1], sites_b[b[0]].key, b[1])


def pair_maps(one: Difference) -> tuple[PairFacts, Arrays]:
    """What travels of two heads.

    Returns:
        What is said of the two, and `pair_a`, `pair_b` float32 [U, U], `left_a`, `left_b` [U]. Above 256 units in place
        of the maps `pooled_a`, `pooled_b` uint8 [P, P], round(255·√) of the largest weight of each block, and the cell
        of the block that differs most: `cells` uint32 [P, P], query · U + key, `cells_a`, `cells_b` float32.
    """
    most = one.most(MOST)
    facts: PairFacts = {
        "js": _or_none(one.js), "cosine": _or_none(one.cosine), "correlation": _or_none(one.correlation),
        "largest": one.largest,
        "most": [(int(cell.query), int(cell.key), float(cell.a), float(cell.b)) for cell in most.itertuples()],
    }  # fmt: skip
    arrays: Arrays = {"left_a": one.left_out_a.numpy(), "left_b": one.left_out_b.numpy()}
    if len(one.queries) <= WHOLE:
        return facts, arrays | {"pair_a": one.a.numpy(), "pair_b": one.b.numpy()}
    return facts, arrays | _in_blocks(one)


def mask_facts(comparison: Comparison) -> tuple[dict[str, list[int]], Arrays]:
    """Return what the masks allow, by units: a map hatches what is forbidden, where a weight of 0 says something else.

    Returns:
        for each side which of its masks each layer has, −1 where every unit can attend to every other; and `seen_a`,
        `seen_b` uint8 [masks, U, U], where there are any. Of long texts nothing is said.
    """
    of_layers: dict[str, list[int]] = {}
    arrays: Arrays = {}
    for side, trace in (("a", comparison.trace_a), ("b", comparison.trace_b)):
        units = [list(tokens) for tokens in comparison.units.side(side)]
        sites = self_attention_sites(trace)
        masks, of_layers[side] = each_once(_allowed(trace[site].source.mask, units) for site in sites)
        if masks:
            arrays[f"seen_{side}"] = torch.stack(masks).to(torch.uint8).numpy()
    return of_layers, arrays


def _allowed(mask: Mask, units: list[list[int]]) -> Tensor | None:
    """Whether some token of a unit can attend to some of another, [U, U]; None where nothing is said."""
    if mask.is_open or len(units) > WHOLE:
        return None
    tokens = mask.allowed_rows(0, mask.n_queries).any(0).cpu()  # [T_q, T_k]; heads of a layer share it as a rule
    rows = torch.stack([tokens[unit].any(0) for unit in units])  # [U, T_k]
    return torch.stack([rows[:, unit].any(1) for unit in units], dim=1)  # [U, U]


def texts_of(comparison: Comparison) -> Texts:
    """What both sides read, and the units that stand beside each other."""
    units = comparison.units
    return {
        "text": comparison.trace_a.tokens.source.source,
        "text_b": comparison.trace_b.tokens.source.source if comparison.is_of_two_texts else None,
        "units": _unit_rows(comparison),
        "first_tokens": [unit.in_a[0] for unit in units.each],
        "last_tokens": [unit.in_a[-1] for unit in units.each],
        "are_tokens": units.are_tokens,
        "is_encoder": any(trace.tokens.target is not None for trace in (comparison.trace_a, comparison.trace_b)),
        "left_out": [list(side) for side in units.left_out],
        "sinks": list(comparison.sinks.tokens),
        "sink_share": comparison.sinks.share,
        "next_row": comparison.next_row,
        "swapped": [(at, unit.text, unit.swapped) for at, unit in enumerate(units.each) if unit.swapped],
    }


def _unit_rows(comparison: Comparison) -> list[Token]:
    """How rows and columns are called: tokens with their marks, or words with their number where they are repeated."""
    source = comparison.trace_a.tokens.source
    rows: list[Token] = []
    if comparison.units.are_tokens:
        rows = token_rows(source)
    else:
        texts = [source.source[slice(*unit.span)] or unit.text for unit in comparison.units.each]
        seen: dict[str, int] = {}
        for text in texts:
            seen[text] = seen.get(text, 0) + 1
            rows.append({"text": text, "n": seen[text]} if texts.count(text) > 1 else {"text": text})
    groups = groups_of(source)
    for row, unit in zip(rows, comparison.units.each, strict=True):
        if groups and groups[unit.in_a[0]]:
            row["group"] = groups[unit.in_a[0]]
        if unit.swapped:
            row["text"] = unit.label  # with the numbers of both
            row.pop("n", None)
    return rows


def first_cell(comparison: Comparison, one: Difference, query: int | None) -> tuple[int, int]:
    """The cell to begin with: where the two differ most in that row, else in that of the next word, of any word,
    anywhere. What changed of a sink is left out.
    """
    special = comparison.trace_a.tokens.source.special
    words = [at for at, unit in enumerate(comparison.units.each) if not all(special[token] for token in unit.in_a)]
    signed = one.signed.abs()
    signed[:, list(comparison.sinks.tokens)] = 0
    query = comparison.next_row if query is None else query
    if query is not None and 0 <= query < len(signed):
        return query, int(signed[query].argmax())
    rows = words or list(range(len(signed)))
    row, key = divmod(int(signed[rows].argmax()), signed.shape[1])
    return rows[row], key


def _in_blocks(one: Difference) -> Arrays:
    step = math.ceil(max(one.a.shape) / BLOCKS)
    _, at = _pooled(one.signed.abs(), step)  # [P, P]
    flat = at.flatten()
    return {
        "pooled_a": quantise(_pooled(one.a, step)[0]), "pooled_b": quantise(_pooled(one.b, step)[0]),
        "cells": at.numpy().astype(np.uint32),
        "cells_a": one.a.flatten()[flat].reshape(at.shape).numpy(),
        "cells_b": one.b.flatten()[flat].reshape(at.shape).numpy(),
    }  # fmt: skip


def _pooled(values: Tensor, step: int) -> tuple[Tensor, Tensor]:
    """The largest of each block, and which cell it is: [P, P] each."""
    largest, at = torch.nn.functional.max_pool2d(values[None, None].float(), step, ceil_mode=True, return_indices=True)
    return largest[0, 0], at[0, 0]


def _or_none(number: float) -> float | None:
    return None if math.isnan(number) else number
