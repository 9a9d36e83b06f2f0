"""Where a token stands, as a vector added to the token's own vector.

Attention alone reads a bag of words: shuffle the tokens and the same numbers come out, shuffled. Positions end that.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from attnviz.core.errors import TooLong
from attnviz.models.support.checks import check_size


def sinusoidal_positions(n_tokens: int, d_model: int) -> Tensor:
    """A clock with D/2 hands: the first turns fast, the last hardly at all.

        P[t, 2i]   = sin(t / 10000^(2i/D))
        P[t, 2i+1] = cos(t / 10000^(2i/D))

    Args:
        n_tokens: T, how many positions.
        d_model: D, how many numbers describe each.
    Returns:
        [T, D]; row t belongs to the token at place t, counted from 0.
    Raises:
        InputError: n_tokens or d_model is not a positive whole number.
    Source: "Attention Is All You Need" (2017), section 3.5.
    """
    check_size("n_tokens", n_tokens)
    check_size("d_model", d_model)
    place = torch.arange(n_tokens, dtype=torch.float64)[:, None]  # [T, 1]
    pair = torch.arange(0, d_model, 2, dtype=torch.float64)  # [ceil(D/2)], the numbers 2i
    angle = place * torch.exp(-math.log(10_000.0) * pair / d_model)  # [T, ceil(D/2)]
    table = torch.empty(n_tokens, d_model, dtype=torch.float64)  # [T, D]
    table[:, 0::2] = angle.sin()  # [T, ceil(D/2)]
    table[:, 1::2] = angle.cos()[:, : d_model // 2]  # [T, floor(D/2)]
    return table.to(torch.get_default_dtype())  # [T, D]


class SinusoidalPositions(nn.Module):
    """The fixed table above: nothing in it is learned, so nothing of it is saved."""

    table: Tensor

    def __init__(self, max_tokens: int, d_model: int) -> None:
        super().__init__()
        self.register_buffer("table", sinusoidal_positions(max_tokens, d_model), persistent=False)  # [max_tokens, D]

    def forward(self, n_tokens: int, *, start: int = 0) -> Tensor:
        """Vectors of the places start, start + 1, …, one for each of n_tokens.

        Returns:
            [T, D].
        Raises:
            TooLong: the places run past max_tokens.
        """
        _refuse_past_the_end(start + n_tokens, len(self.table))
        return self.table[start : start + n_tokens]  # [T, D]


class LearnedPositions(nn.Module):
    """A table with one free row for each place, learned like every other weight.

    Source: BERT (2018) and GPT-2 (2019) use it; "Attention Is All You Need", table 3, row E found it as good.
    """

    def __init__(self, max_tokens: int, d_model: int) -> None:
        super().__init__()
        self.table = nn.Embedding(max_tokens, d_model)  # [max_tokens, D]
        nn.init.normal_(self.table.weight, std=0.02)

    def forward(self, n_tokens: int, *, start: int = 0) -> Tensor:
        """Vectors of the places start, start + 1, …, one for each of n_tokens.

        Returns:
            [T, D].
        Raises:
            TooLong: the places run past max_tokens.
        """
        _refuse_past_the_end(start + n_tokens, self.table.num_embeddings)
        return self.table.weight[start : start + n_tokens]  # [T, D]


def _refuse_past_the_end(needed: int, max_tokens: int) -> None:
    if needed > max_tokens:
        raise TooLong(
            f"{needed} tokens; this model has positions for at most {max_tokens}. "
            f"Shorten the text, or build the model with max_tokens={needed}.",
            id="too-long",
            n=needed,
            limit=max_tokens,
        )
