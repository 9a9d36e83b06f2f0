"""Positions: which token comes first. Without them and without a mask attention cannot tell: shuffled tokens give the
same outputs, shuffled.

Sinusoidal and learned positions are a vector each, which `TokenEmbedding` (layers.py) adds to the token's vector.
Rotary positions add nothing: they rotate q and k in every attention, and the recorded q and k are the rotated ones.
"""

import math
from collections.abc import Callable

import torch
from torch import Tensor, nn

from attnviz.core.errors import InputError, TooLong
from attnviz.core.tensor_checks import check_size
from attnviz.models.config import PairStyle, RotaryStyle


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


def rotary_frequencies(width: int, theta: float = 10_000.0) -> Tensor:
    """How fast each pair of numbers turns, from 1 radian a token down to about 1/θ: θ^(−2i/width).

    Args:
        width: how many numbers of a head are rotated, an even number.
        theta: θ.
    Returns:
        [width/2], radians a token, float32 as in published models: at token 8,000 another rounding would show.
    Source: Su et al. 2021 (RoFormer), section 3.2.2.
    """
    even = torch.arange(0, width, 2, dtype=torch.float32, device="cpu")  # [width/2], the numbers 2i
    return 1.0 / theta ** (even / width)  # [width/2]


def rotate(x: Tensor, cos: Tensor, sin: Tensor, pairs: PairStyle = "halves") -> Tensor:
    """Turns each pair (a, b) of numbers by an angle: (a·cos − b·sin, a·sin + b·cos).

    Args:
        x: [..., T, width].
        cos, sin: [T, width/2], of the angle of each token and pair.
        pairs: which two numbers make a pair.
    Returns:
        [..., T, width].
    """
    take, put_back = PAIRS[pairs]
    a, b = take(x)  # [..., T, width/2] each
    return put_back(a * cos - b * sin, a * sin + b * cos)  # [..., T, width]


def _take_halves(x: Tensor) -> tuple[Tensor, ...]:
    return x.chunk(2, dim=-1)  # [..., T, width/2] each: numbers i and i + width/2


def _take_neighbours(x: Tensor) -> tuple[Tensor, ...]:
    return x[..., 0::2], x[..., 1::2]  # [..., T, width/2] each: numbers 2i and 2i + 1


def _put_halves(a: Tensor, b: Tensor) -> Tensor:
    return torch.cat([a, b], dim=-1)  # [..., T, width]


def _put_neighbours(a: Tensor, b: Tensor) -> Tensor:
    return torch.stack([a, b], dim=-1).flatten(-2)  # [..., T, width]


# How the numbers of a head are taken apart into pairs, and put back.
PAIRS: dict[PairStyle, tuple[Callable[[Tensor], tuple[Tensor, ...]], Callable[[Tensor, Tensor], Tensor]]] = {
    "halves": (_take_halves, _put_halves),
    "neighbours": (_take_neighbours, _put_neighbours),
}


class RotaryPositions(nn.Module):
    """Rotates each pair of numbers of a query or key by an angle that grows with its position.

        angle_i(t) = t · frequency_i        frequency_i = θ^(−2i/width) / factor
        (a, b)     → (a·cos − b·sin, a·sin + b·cos)

    The product of a query at position m and a key at position n then depends on m − n alone, and not on where in the
    text the two stand: both are turned by m and n steps, and their angle to each other by the difference.

    Args:
        head_width: d_k.
        style: θ, pairs, scaling, or a table of frequencies.
    Raises:
        InputError: an odd width, or one that is more than a head has, or a table of another length.
    Source: Su et al. 2021 (RoFormer), section 3.4, equations 14 to 16 and 34.
    """

    def __init__(self, head_width: int, style: RotaryStyle) -> None:
        super().__init__()
        self.style, self.width = style, head_width if style.width is None else style.width
        if self.width % 2 or self.width > head_width:
            raise InputError(id="rotary-width", n=str(self.width), width=str(head_width))
        frequencies = rotary_frequencies(self.width, style.theta)  # [width/2]
        if style.frequencies is not None:
            frequencies = torch.tensor(style.frequencies, dtype=torch.float32, device="cpu")  # [width/2]
        if len(frequencies) * 2 != self.width:
            raise InputError(
                id="rotary-frequencies", n=len(frequencies), width=str(self.width), expected=str(self.width // 2)
            )
        # No buffer: `.to(torch.bfloat16)` would round it, and with it the angles of all later tokens.
        self.frequencies = frequencies / style.factor  # [width/2]

    def angles(self, n_tokens: int, *, start: int = 0, device: torch.device | None = None) -> Tensor:
        """The angle of each position from `start` on, and pair, in radians: float32 [T, width/2]."""
        positions = torch.arange(start, start + n_tokens, dtype=torch.float32, device=device)  # [T]
        return positions[:, None] * self.frequencies.to(device)  # [T, width/2]

    def forward(self, q: Tensor, k: Tensor, *, start: int = 0) -> tuple[Tensor, Tensor]:
        """Queries [B, H, T, d_k] and keys [B, G, T, d_k], rotated.

        Args:
            start: position of the first token; with a key-value cache, the number of tokens before it.
        """
        angles = self.angles(q.shape[-2], start=start, device=q.device)  # [T, width/2]
        cos, sin = ((wave * self.style.magnitude).to(q.dtype) for wave in (angles.cos(), angles.sin()))
        return self._rotated(q, cos, sin), self._rotated(k, cos, sin)

    def _rotated(self, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        rotated = rotate(x[..., : self.width], cos, sin, self.style.pairs)  # [B, H, T, width]
        rest = x[..., self.width :]  # [B, H, T, d_k − width], as it was
        return torch.cat([rotated, rest], dim=-1) if rest.shape[-1] else rotated  # [B, H, T, d_k]


def _check_length(needed: int, max_tokens: int) -> None:
    if needed > max_tokens:
        raise TooLong(id="too-few-positions", n=needed, limit=max_tokens)
