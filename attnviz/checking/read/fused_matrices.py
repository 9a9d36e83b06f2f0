"""How a matrix that holds q, k and v, or k and v, lies: part after part, head by head, or group by group."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from torch import Tensor

from attnviz.checking.read.parameter_roles import Part

# The axes of its rows. The first is everybody's; the others are BLOOM's and einops users'.
EQUAL = ("part head feature", "head part feature", "head feature part", "feature part head")
# Where several heads of queries share one of keys and values: all q, then k and v; or as in Falcon, group by group.
SHARED = ("queries, then shared keys and values", "group part feature")


def orders_of(parts: Sequence[Part]) -> list[tuple[str, str]]:
    """In which order the letters may come and how they may lie, the usual one first."""
    if not any(part.role in ("qkv", "kv") for part in parts):
        return [("qkv", EQUAL[0])]
    mixed = ["".join(order) for order in permutations("qkv") if order != ("q", "k", "v")]
    shared = SHARED if any(part.role == "qkv" for part in parts) else ()
    found = [("qkv", lies) for lies in (*EQUAL, *shared)]
    return found + [(order, lies) for lies in (EQUAL[0], *shared[:1]) for order in mixed]


def unfused(rows: Tensor, letters: str, n_heads: int, lies: str, q_rows: int) -> tuple[Tensor, ...]:
    """The parts of a fused matrix [parts·H·Dh, in] or of its bias, [H·Dh, in] each, in the order of the letters.

    Args:
        q_rows: how many rows are W_Q's. lies: one of EQUAL or SHARED.
    Raises:
        ValueError, RuntimeError: it does not lie so.
    """
    if lies == EQUAL[0]:
        if len(rows) % len(letters):
            raise ValueError("the parts are not equally many")
        return rows.chunk(len(letters))  # [H·Dh, in] each
    head_width = len(rows) // (3 * n_heads) if "q" in letters else q_rows // n_heads
    if lies in SHARED:
        return _shared(rows, letters, n_heads, lies, q_rows)
    if not head_width:
        raise ValueError("narrower than so many heads")
    names = lies.split()
    sizes = {"part": len(letters), "head": len(rows) // (len(letters) * head_width), "feature": head_width}
    shaped = rows.reshape(*(sizes[name] for name in names), *rows.shape[1:])  # [part, head, feature, in], some order
    places = [names.index(name) for name in ("part", "head", "feature")]
    ordered = shaped.permute(*places, *range(3, shaped.ndim))  # [part, head, feature, in]
    return tuple(ordered.flatten(1, 2))  # [H·Dh, in] each


def _shared(rows: Tensor, letters: str, n_heads: int, lies: str, q_rows: int) -> tuple[Tensor, ...]:
    """W_Q [H·Dh, in] and W_K and W_V [G·Dh, in] out of one matrix."""
    if q_rows < n_heads:
        raise ValueError("narrower than so many heads")
    head_width, kv_rows = q_rows // n_heads, (len(rows) - q_rows) // 2
    if kv_rows <= 0 or kv_rows % head_width or q_rows + 2 * kv_rows != len(rows) or kv_rows == q_rows:
        raise ValueError("no whole number of shared heads")
    if lies == SHARED[0]:
        return rows.split([q_rows if letter == "q" else kv_rows for letter in letters])
    groups = rows.reshape(kv_rows // head_width, -1, head_width, *rows.shape[1:])  # [G, H / G + 2, Dh, in]
    q, k, v = groups[:, :-2], groups[:, -2], groups[:, -1]  # [G, H / G, Dh, in], [G, Dh, in], [G, Dh, in]
    return q.flatten(0, 2), k.flatten(0, 1), v.flatten(0, 1)
