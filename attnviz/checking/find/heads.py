"""From the inputs to q, k and v of every head, and from their context to the output; wrongly where a variant says."""

from __future__ import annotations

from torch import Tensor

from attnviz.checking.find.variant import Variant
from attnviz.checking.read.projections import Numbers
from attnviz.core import ops


def heads_of(
    inputs: tuple[Tensor, Tensor, Tensor], numbers: Numbers | None, how: Variant
) -> tuple[Tensor, Tensor, Tensor]:
    """q, k and v of every head: [B, H, Tq, Dh], [B, H, Tk, Dh], [B, H, Tk, Dv]."""
    if numbers is None:
        places = ["qkv".index(letter) for letter in how.projections]
        shared = [part.unsqueeze(-3) if part.ndim < inputs[0].ndim else part for part in inputs]  # k, v [B, 1, T, Dh]
        parts = [shared[place] for place in places]  # [..., T, Dh] each
        if how.split == "unswapped":
            parts = [part.transpose(-3, -2) for part in parts]  # [B, T, H, Dh]
        return cut(parts[0], how, "q"), cut(parts[1], how, "k"), cut(parts[2], how, "v")
    n_heads = 1 if how.heads == "whole" else numbers.n_heads
    made = []
    for source, letter in zip(how.reads, how.projections, strict=True):
        place = "qkv".index(source)
        projected = numbers.linear(inputs[place], letter, how, place)  # [B, T, H·Dh]
        made.append(_split(projected, _head_count(numbers, letter, n_heads), how))  # [B, H, T, Dh]
    if how.split == "right" and how.heads == "split":
        tiled = {"tiled": "kv", "keys tiled": "k", "values tiled": "v"}.get(how.shared, "")
        made = [_shared(part, n_heads // part.shape[1], name in tiled) for name, part in zip("qkv", made, strict=True)]
    return cut(made[0], how, "q"), cut(made[1], how, "k"), cut(made[2], how, "v")


def _shared(part: Tensor, times: int, is_tiled: bool) -> Tensor:
    """Every head of queries with keys, or values: [B, G, T, Dh] -> [B, H, T, Dh]."""
    if times == 1:
        return part  # [B, H, T, Dh]
    return part.repeat(1, times, 1, 1) if is_tiled else part.repeat_interleave(times, dim=1)


def _head_count(numbers: Numbers, letter: str, n_heads: int) -> int:
    """How many heads a projection makes: fewer keys and values than queries where heads share them."""
    k_rows, q_rows, v_rows = (numbers.weight[name].shape[0] for name in "kqv")
    if n_heads == 1 or letter == "q" or k_rows >= q_rows:
        return n_heads
    shared = k_rows * n_heads // q_rows
    return shared if v_rows % shared == 0 else n_heads


def _split(x: Tensor, n_heads: int, how: Variant) -> Tensor:
    batch, tokens, width = x.shape
    if how.split == "unswapped":
        return x.reshape(batch, tokens, n_heads, -1)  # [B, T, H, Dh]
    if how.split == "viewed":
        return x.reshape(batch, n_heads, tokens, width // n_heads)  # [B, H, T, Dh], tokens and heads mixed
    if how.split == "strided":
        return x.reshape(batch, tokens, width // n_heads, n_heads).permute(0, 3, 1, 2)  # [B, H, T, Dh]
    return ops.split_heads(x, n_heads)  # [B, H, T, Dh]


def merged_heads(context: Tensor, numbers: Numbers | None, how: Variant) -> Tensor:
    """The joined heads behind W_O: [B, H, Tq, Dv] -> [B, Tq, D]."""
    if numbers is None:
        return context.transpose(-3, -2) if how.split == "unswapped" else context  # [..., Tq, Dv]
    if how.split == "unswapped" and how.merge == "right":
        merged = context.flatten(-2)  # [B, Tq, H·Dv]
    elif how.merge == "viewed":
        batch, width = context.shape[0], context[0].numel()
        queries = context.shape[1] if how.split == "unswapped" else context.shape[2]
        swapped = context.transpose(1, 2) if how.split == "unswapped" else context  # [B, H, Tq, Dv]
        merged = swapped.reshape(batch, queries, width // queries)  # [B, Tq, H·Dv], tokens and heads mixed
    elif how.merge == "strided":
        merged = context.permute(0, 2, 3, 1).flatten(-2)  # [B, Tq, Dv·H]
    else:
        merged = ops.merge_heads(context)  # [B, Tq, H·Dv]
    if "o" not in numbers.weight or how.out == "missing":
        return numbers.seen(merged)  # [B, Tq, H·Dv]
    return numbers.linear(merged, "o", how)  # [B, Tq, D]


def cut(value: Tensor, how: Variant, name: str) -> Tensor:
    return value.detach() if how.detach == name else value
