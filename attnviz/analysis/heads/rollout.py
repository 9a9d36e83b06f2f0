"""Attention rollout: how much of each token reaches each position through the weights of all layers.

A̅ = ½ · mean over heads of the weights + ½ · I for the residual path, R = A̅_L ⋯ A̅_1. It ignores values, norms and
feed-forward layers, and proves nothing about what the model uses. Source: Abnar and Zuidema 2020, section 3.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce

import torch
from torch import Tensor

from attnviz.core.errors import LimitError, StepError
from attnviz.core.site import AttentionKind, Stack
from attnviz.trace.records import AttentionRecord
from attnviz.trace.trace import Trace

RESIDUAL = 0.5  # share of the residual path in A̅, as in the paper
MOST_TOKENS = 2048  # memory grows with the square
ROWS = 64  # of all heads held at a time


@dataclass(frozen=True, eq=False)
class Rollout:
    """The rollout of a text. Every row sums to 1, but for positions that can attend to nothing in any layer."""

    values: Tensor  # [T_q, T_k]
    even: Tensor  # [T_q, T_k], the same with equal weights on all keys that each position can attend to

    @property
    def over_even(self) -> Tensor:
        """What each position takes beyond the effect of the mask: values / even, rows scaled to sum to 1, [T_q, T_k].

        In a causal decoder the first tokens are on most paths whatever the weights are. A position with 1/n for each of
        the n tokens that it can attend to takes nothing beyond the mask.
        """
        ratio = torch.where(self.even > 0, self.values / self.even.clamp_min(1e-30), 0.0)  # [T_q, T_k]
        return as_rows(ratio)


def rollout(trace: Trace, stack: Stack | None = None) -> Rollout:
    """The rollout of a stack's self-attention.

    Args:
        trace: one run.
        stack: "encoder" or "decoder"; if not given, the encoder where there is one.
    Returns:
        [T, T]: a row for each position of the last layer, a column for each token.
    Raises:
        StepError: the trace has no such attention.
        LimitError: the text is longer than 2,048 tokens.
    """
    stacks = {site.stack for site in trace.sites if site.kind == "self"}
    chosen: Stack = stack or ("encoder" if "encoder" in stacks else "decoder")
    records = _records(trace, chosen, "self")
    n_tokens = max(record.n_keys for record in records)
    if n_tokens > MOST_TOKENS:
        raise LimitError(id="rollout-long", n=n_tokens, limit=MOST_TOKENS)
    parts = (mixed(mean_weights(record)) for record in records)  # [T, T] each
    evens = (mixed(even_weights(record)) for record in records)
    return Rollout(product(parts), product(evens))


def cross_rollout(trace: Trace) -> Rollout:
    """From the source's tokens to the decoder's positions: decoder rollout · cross-attention · encoder rollout.

    The cross-attention is the mean over layers and heads, rows scaled to sum to 1: [T target, T source].
    """
    cross = _records(trace, "decoder", "cross")
    written, read = rollout(trace, "decoder"), rollout(trace, "encoder")
    middle = as_rows(torch.stack([mean_weights(record) for record in cross]).mean(0))  # [Tt, Ts]
    even = as_rows(torch.stack([even_weights(record) for record in cross]).mean(0))  # [Tt, Ts]
    return Rollout(as_rows(written.values @ middle @ read.values), as_rows(written.even @ even @ read.even))


def product(layers: Iterable[Tensor]) -> Tensor:
    """A̅_L ⋯ A̅_1 of layers given from the first to the last: [T, T]. Two are held at a time."""
    return as_rows(reduce(lambda product, layer: layer @ product, layers))


def mixed(weights: Tensor) -> Tensor:
    """½ · weights + ½ · I: [T, T]. A position that can attend to nothing keeps its own."""
    identity = torch.eye(weights.shape[-1], dtype=weights.dtype, device=weights.device)
    return as_rows((1 - RESIDUAL) * as_rows(weights) + RESIDUAL * identity)


def as_rows(matrix: Tensor) -> Tensor:
    """Each row divided by its sum; a row of zeros stays."""
    total = matrix.sum(-1, keepdim=True)  # [T, 1]
    return torch.where(total > 0, matrix / total.clamp_min(1e-30), matrix)


def mean_weights(record: AttentionRecord) -> Tensor:
    """The mean over heads of the weights, a few rows at a time: float64 [T_q, T_k]."""
    parts = [record.weights(rows=slice(a, a + ROWS)).double().mean(0) for a in range(0, record.n_queries, ROWS)]
    return torch.cat(parts).cpu()  # [T_q, T_k]


def even_weights(record: AttentionRecord) -> Tensor:
    """1 over the number of keys that a position can attend to: float64 [T_q, T_k]."""
    mask = record.source.mask
    seen = torch.isfinite(mask.rows(0, mask.n_queries)).double().mean(0).cpu()  # [T_q, T_k]
    return as_rows(seen)


def _records(trace: Trace, stack: Stack, kind: AttentionKind) -> list[AttentionRecord]:
    records = [trace[site] for site in trace.sites if (site.stack, site.kind) == (stack, kind)]
    if not records:
        raise StepError(id="rollout-stack", stack=stack, kind=kind)
    return records
