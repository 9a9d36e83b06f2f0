"""Weights over units in place of tokens: rows averaged, columns summed, each row scaled to sum to 1."""

from collections.abc import Sequence

import torch
from torch import Tensor

from attnviz.trace.records import AttentionRecord

BLOCK_BYTES = 16 << 20  # of token weights held at a time
LEAST = 1e-30  # a row with less weight on units becomes 0; float32 divides by this much well
WHOLE = 1e-5  # a row whose sum is at most this far from 1 stays as it is

Groups = Sequence[Sequence[int]]  # the tokens of each unit


def unit_weights(
    record: AttentionRecord, queries: Groups, keys: Groups, head: int | None = None
) -> tuple[Tensor, Tensor]:
    """The weights of an attention over units; those over tokens are held some rows at a time.

    Args:
        queries, keys: the tokens of each unit on that axis, ascending.
        head: only this one, from 0; None for all.
    Returns:
        float32 [H, Q, K], H = 1 for one head: rows sum to 1, or are 0 without weight on any unit; and float32 [H, Q],
        the share of each row on tokens without a unit, before scaling.
    """
    are_tokens = _is_identity(queries, record.n_queries) and _is_identity(keys, record.n_keys)
    column_of = torch.full((record.n_keys,), len(keys))  # [T_k]; tokens without a unit go to a last column
    for unit, tokens in enumerate(keys):
        column_of[list(tokens)] = unit
    n_heads = record.n_heads if head is None else 1
    maps, left_out = torch.empty(n_heads, len(queries), len(keys)), torch.zeros(n_heads, len(queries))
    step = max(1, BLOCK_BYTES // (4 * n_heads * record.n_keys))
    for start in range(0, len(queries), step):
        stop = min(start + step, len(queries))
        if are_tokens:
            maps[:, start:stop] = _divided(_weights(record, head, start, stop))
            continue
        rows = torch.stack(
            [_mean_of_rows(record, head, tokens) for tokens in queries[start:stop]], dim=1
        )  # [H, R, T_k]
        summed = rows.new_zeros(*rows.shape[:2], len(keys) + 1).index_add_(-1, column_of, rows)  # [H, R, K + 1]
        maps[:, start:stop], left_out[:, start:stop] = _divided(summed[..., :-1]), summed[..., -1]
    return maps, left_out


def _mean_of_rows(record: AttentionRecord, head: int | None, tokens: Sequence[int]) -> Tensor:
    """The mean of some rows: [H, T_k]."""
    first, last = tokens[0], tokens[-1] + 1
    rows = _weights(record, head, first, last)  # [H, last - first, T_k]
    return rows[:, [token - first for token in tokens]].mean(1)


def _weights(record: AttentionRecord, head: int | None, start: int, stop: int) -> Tensor:
    """Rows of one head, [1, R, T_k], or of all, [H, R, T_k]."""
    weights = record.weights(head, slice(start, stop)).cpu()
    return weights if head is None else weights[None]


def _divided(weights: Tensor) -> Tensor:
    share = weights.sum(-1, keepdim=True)  # [H, R, 1]
    divided = torch.where(share > LEAST, weights / share.clamp_min(LEAST), torch.zeros(()))  # [H, R, K]
    return torch.where(share > 1 - WHOLE, weights, divided)


def _is_identity(groups: Groups, n: int) -> bool:
    return len(groups) == n and all(list(tokens) == [at] for at, tokens in enumerate(groups))
