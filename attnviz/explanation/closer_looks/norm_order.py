"""The same words through two untrained encoders that differ in where their layer norms stand: after the sum, or before.

How long the vectors grow from block to block, and how large a gradient arrives at each. Nothing is trained.
"""

from collections.abc import Collection
from dataclasses import dataclass

import torch

from attnviz.explanation.closer_looks.residual_stream import between_blocks, row_lengths
from attnviz.scratch.untrained import untrained
from attnviz.trace.traceable import record

MOST_BLOCKS = 24


@dataclass(frozen=True)
class Ordered:
    """One of the two encoders; a number for the point before the first block, and one for that after each block."""

    norm: str  # post or pre
    lengths: tuple[float, ...]  # mean length of a token's vector
    gradients: tuple[float, ...]  # mean length of a token's gradient, of one fixed sum of the output


def norm_orders(text: str, n_blocks: int, *, seed: int = 0, words: Collection[str] = ()) -> tuple[Ordered, Ordered]:
    """Post-norm and pre-norm with the same first weights, over the same words; nothing but the seed is random.

    Source: Xiong et al. 2020, “On Layer Normalization in the Transformer Architecture”.
    """
    post, pre = (_ordered(text, norm, n_blocks, seed, words) for norm in ("post", "pre"))
    return post, pre


def _ordered(text: str, norm: str, n_blocks: int, seed: int, words: Collection[str]) -> Ordered:
    model = untrained("encoder", seed=seed, norm=norm, n_layers=n_blocks, words=words)
    trace = model.trace(text)
    entries = tuple(dict.fromkeys(trace.tokens.source.pieces))
    numbers = {entry: number for number, entry in enumerate(entries)}
    ids = torch.tensor([[numbers[piece] for piece in trace.tokens.source.pieces]])  # [1, T]
    with torch.inference_mode(False), torch.enable_grad():
        with record() as run:
            out = model.network(entries)(ids)[0]  # [T, d_model]
        streams = [run[point] for point in between_blocks(trace)]  # [1, T, d_model] each
        factors = torch.randn(out.shape, generator=torch.Generator().manual_seed(seed))  # no direction is preferred
        gradients = torch.autograd.grad((out * factors).sum(), streams)
    return Ordered(norm, row_lengths(trace).means, tuple(float(grad[0].norm(dim=-1).mean()) for grad in gradients))
