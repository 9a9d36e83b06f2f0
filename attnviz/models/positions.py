"""Positions: a vector for each position in the text; `TokenEmbedding` (layers.py) adds it to the token's own vector.

Without them and without a mask attention cannot tell the order: shuffled tokens give the same outputs, shuffled. Rotary
positions, which rotate q and k instead, are not built here. Pretrained models that have them rotate in their own code;
the q and k that are recorded are the rotated ones (pretrained/capture/interface.py).
"""

import math

import torch
from torch import Tensor, nn

from attnviz.core.errors import TooLong
from attnviz.models.support.argument_checks import check_size


def sinusoidal_positions(n_tokens: int, d_model: int) -> Tensor:
    """Sines and cosines of d_model/2 frequencies, from 1 radian per token down to almost none.

        P[t, 2i]   = sin(t / 10000^(2i/d_model))
        P[t, 2i+1] = cos(t / 10000^(2i/d_model))

    Args:
        n_tokens: T, how many positions.
        d_model: width of a row.
    Returns:
        [T, d_model]; row t is position t, counted from 0.
    Source: "Attention Is All You Need" (2017), section 3.5.
    """
    check_size("n_tokens", n_tokens)
    check_size("d_model", d_model)
    position = torch.arange(n_tokens, dtype=torch.float64)[:, None]  # [T, 1]
    even = torch.arange(0, d_model, 2, dtype=torch.float64)  # [ceil(d_model/2)], the numbers 2i
    angle = position * torch.exp(-math.log(10_000.0) * even / d_model)  # [T, ceil(d_model/2)]
    table = torch.empty(n_tokens, d_model, dtype=torch.float64)  # [T, d_model]
    table[:, 0::2] = angle.sin()  # [T, ceil(d_model/2)]
    table[:, 1::2] = angle.cos()[:, : d_model // 2]  # [T, floor(d_model/2)]
    return table.to(torch.get_default_dtype())  # [T, d_model]


class SinusoidalPositions(nn.Module):
    """The fixed table above; it is not learned, so it is not saved either."""

    table: Tensor

    def __init__(self, max_tokens: int, d_model: int) -> None:
        super().__init__()
        # [max_tokens, d_model]
        self.register_buffer("table", sinusoidal_positions(max_tokens, d_model), persistent=False)

    def forward(self, n_tokens: int, *, start: int = 0) -> Tensor:
        """The vectors of positions start up to start + n_tokens: [T, d_model]."""
        _check_length(start + n_tokens, len(self.table))
        return self.table[start : start + n_tokens]  # [T, d_model]


class LearnedPositions(nn.Module):
    """A table with one learned row for each position.

    Source: BERT (2018) and GPT-2 (2019); "Attention Is All You Need", table 3, row E found it as good.
    """

    def __init__(self, max_tokens: int, d_model: int) -> None:
        super().__init__()
        self.table = nn.Embedding(max_tokens, d_model)  # [max_tokens, d_model]
        nn.init.normal_(self.table.weight, std=0.02)

    def forward(self, n_tokens: int, *, start: int = 0) -> Tensor:
        """The vectors of positions start up to start + n_tokens: [T, d_model]."""
        _check_length(start + n_tokens, self.table.num_embeddings)
        return self.table.weight[start : start + n_tokens]  # [T, d_model]


def _check_length(needed: int, max_tokens: int) -> None:
    if needed > max_tokens:
        raise TooLong(
            f"{needed} tokens; this model has positions for at most {max_tokens}. "
            f"Shorten the text, or build the model with max_tokens={needed}.",
            id="too-long", n=needed, limit=max_tokens,
        )  # fmt: skip
