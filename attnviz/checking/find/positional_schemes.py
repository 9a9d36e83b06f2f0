"""Positions that an attention layer may add by itself, so that it is compared with ours that does too.

Rotary positions turn q and k by an angle that grows with the place of the token (Su et al. 2021, section 3.2.2); ALiBi
subtracts from each score a multiple of the distance (Press et al. 2021, section 3).
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import torch
from torch import Tensor, nn

USUAL_BASE = 10000.0
_BASE_NAMES = ("base", "theta", "rope_theta", "rope_base", "rotary_base")


@dataclass(frozen=True)
class Positions:
    """One known way to tell tokens their places inside attention."""

    kind: Literal["halves", "pairs", "distance", "offset"]  # two of rotary, two of ALiBi
    share: float = 1.0  # of a head's features that are turned
    base: float = USUAL_BASE

    def turned(self, x: Tensor) -> Tensor:
        """q or k [..., T, d_k] with rotary positions, the first token at 0."""
        if self.kind not in ("halves", "pairs"):
            return x
        width = round(x.shape[-1] * self.share)
        if width % 2 or width == 0:
            raise ValueError("features are turned in pairs")
        front, rest = x[..., :width], x[..., width:]  # [..., T, width], [..., T, d_k - width]
        places = torch.arange(x.shape[-2], dtype=x.dtype)[:, None]  # [T, 1]
        angles = places * self.base ** (-torch.arange(0, width, 2, dtype=x.dtype) / width)  # [T, width / 2]
        cos, sin = angles.cos(), angles.sin()  # [T, width / 2] each
        if self.kind == "pairs":
            a, b = front[..., ::2], front[..., 1::2]  # [..., T, width / 2] each: neighbours
            front = torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1).flatten(-2)  # [..., T, width]
        else:
            a, b = front.chunk(2, dim=-1)  # [..., T, width / 2] each: first and second half
            front = torch.cat((a * cos - b * sin, a * sin + b * cos), dim=-1)  # [..., T, width]
        return torch.cat((front, rest), dim=-1)  # [..., T, d_k]

    def added(self, scores: Tensor) -> Tensor:
        """Scores [..., H, T_q, T_k] with ALiBi's bias."""
        if self.kind in ("halves", "pairs"):
            return scores
        n_queries, n_keys = scores.shape[-2:]
        apart = torch.arange(n_keys)[None, :] - torch.arange(n_queries)[:, None]  # [T_q, T_k], key minus query
        apart = -apart.abs() if self.kind == "distance" else apart  # [T_q, T_k]
        n_heads = scores.shape[1] if scores.ndim == 4 else 1
        slopes = torch.tensor(alibi_slopes(n_heads), dtype=scores.dtype)  # [H]
        bias = slopes[:, None, None] * apart  # [H, T_q, T_k]
        return scores + (bias if scores.ndim == 4 else bias[0])  # [..., H, T_q, T_k]

    def __str__(self) -> str:
        if self.kind not in ("halves", "pairs"):
            return "ALiBi: from each score it takes the distance of the two tokens, times a slope for each head"
        how = "first with second half" if self.kind == "halves" else "in neighbouring pairs"
        part = "" if self.share == 1 else f", on {self.share:.0%} of each head"
        return f"rotary positions: features are turned by the place of their token ({how}{part}, base {self.base:g})"


def alibi_slopes(n_heads: int) -> list[float]:
    """A slope for each head: powers of 2^(-8/H), and for other numbers of heads those between. Source: Press 2021."""
    if math.log2(n_heads).is_integer():
        return [2 ** (-8 * (head + 1) / n_heads) for head in range(n_heads)]
    below = 2 ** math.floor(math.log2(n_heads))
    return alibi_slopes(below) + alibi_slopes(2 * below)[::2][: n_heads - below]


def known_positions(subject: Callable[..., Any]) -> Iterator[Positions]:
    """Every known way, with the base that the layer says."""
    holders = [*subject.modules(), getattr(subject, "config", None)] if isinstance(subject, nn.Module) else []
    said = [getattr(holder, "__dict__", {}).get(name) for holder in holders for name in _BASE_NAMES]
    bases = [float(number) for number in said if isinstance(number, (int, float)) and number > 1]
    for base in dict.fromkeys([*bases, USUAL_BASE]):
        for share in (1.0, 0.5, 0.25):
            yield Positions("halves", share, base)
            yield Positions("pairs", share, base)
    yield Positions("offset")
    yield Positions("distance")
