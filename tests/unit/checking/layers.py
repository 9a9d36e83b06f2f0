"""A right attention layer in pieces, so that a test can replace one of them by a wrong one."""

import math
import operator
from collections.abc import Callable
from inspect import Parameter, Signature
from typing import Any

import torch
from torch import Tensor, nn

import attnviz as av
from attnviz.checking import Finding, Report


def right(subject: Any, **options: Any) -> Report:
    """The report of attention without a fault."""
    report = av.check_attention(subject, **options)
    assert report.ok, str(report)
    return report


def ids(subject: Any, **options: Any) -> list[str]:
    """The ids of all findings."""
    return [finding.id for finding in av.check_attention(subject, **options).findings]


def only(subject: Any, id: str, *words: str, **options: Any) -> Finding:
    """The one finding there is, which has this id and says these words."""
    report = av.check_attention(subject, **options)
    assert [finding.id for finding in report.findings] == [id], str(report)
    assert all(word in report.findings[0].sentence for word in words), str(report)
    return report.findings[0]


class Right(nn.Module):
    """Self-attention as the paper has it; True in the mask = can attend."""

    def __init__(self, d_model: int = 24, n_heads: int = 3, *, bias: bool = True) -> None:
        super().__init__()
        self.n_heads = n_heads
        self.w_q, self.w_k, self.w_v, self.w_o = (nn.Linear(d_model, d_model, bias) for _ in range(4))

    def project(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        return self.w_q(x), self.w_k(x), self.w_v(x)

    def split(self, x: Tensor) -> Tensor:
        return x.view(*x.shape[:2], self.n_heads, -1).transpose(1, 2)

    def scores(self, q: Tensor, k: Tensor) -> Tensor:
        return q @ k.mT / math.sqrt(q.shape[-1])

    def hide(self, scores: Tensor, mask: Tensor | None) -> Tensor:
        return scores if mask is None else scores.masked_fill(~mask, -math.inf)

    def weights(self, masked: Tensor) -> Tensor:
        return masked.softmax(-1)

    def join(self, context: Tensor) -> Tensor:
        return context.transpose(1, 2).flatten(2)

    def attend(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor | None]:
        """What each head found [B, H, T, d_head], and the weights, if they are returned."""
        weights = self.weights(self.hide(self.scores(q, k), mask))
        return weights @ v, weights

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Any:
        context, weights = self.attend(*map(self.split, self.project(x)), mask)
        return self.w_o(self.join(context)), weights


class Grouped(Right):
    """Six heads of queries, two of keys and values."""

    def __init__(self) -> None:
        super().__init__(48, 6)
        self.w_k, self.w_v = nn.Linear(48, 16), nn.Linear(48, 16)

    def split(self, x: Tensor) -> Tensor:
        return x.unflatten(-1, (-1, 8)).transpose(1, 2)

    def keys(self, k: Tensor) -> Tensor:
        return k.repeat_interleave(3, dim=1)

    def values(self, v: Tensor) -> Tensor:
        return v.repeat_interleave(3, dim=1)

    def attend(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor | None]:
        return super().attend(q, self.keys(k), self.values(v), mask)


def tiled(self: Grouped, x: Tensor) -> Tensor:
    """For keys or values of `Grouped`: heads that share them are not neighbours."""
    return x.repeat(1, 3, 1, 1)


def unscaled(self: Right, q: Tensor, k: Tensor) -> Tensor:
    """For scores."""
    return q @ k.mT


def deaf(self: Right, scores: Tensor, mask: Tensor | None) -> Tensor:
    """For hide: it ignores the mask."""
    return scores


def hiding(marked: Callable[[Tensor], Tensor], value: float = -math.inf) -> Callable[..., Tensor]:
    """For hide: what is marked in a matrix of ones gets this score, beside the mask."""
    return lambda s, x, mask: Right.hide(s, x.masked_fill(marked(torch.ones(x.shape[-2:])).bool(), value), mask)


def broken(base: type[nn.Module] = Right, *made_with: Any, **methods: Any) -> nn.Module:
    """`Right`, or another layer, with some of its methods replaced."""
    layer: nn.Module = type("Broken", (base,), methods)(*made_with)
    return layer


def replaced(**parts: Any) -> nn.Module:
    """`Right` with other layers, parameters or attributes."""
    layer = Right()
    for name, part in parts.items():
        setattr(layer, name, part)
    return layer


def taking(*, joined: Callable[[Tensor, Tensor], Tensor] = operator.and_, base: type[Right] = Right,
           **masks: Callable[[Tensor, int], Tensor]) -> nn.Module:  # fmt: skip
    """`Right` with masks of these names; each is read by its function of what is given and the number of tokens.

    joined: how two masks that are given are made one. base: where other methods are replaced.
    """

    def forward(self: Right, x: Tensor, **given: Tensor | None) -> Any:
        read = [masks[name](mask, x.shape[1]) for name, mask in given.items() if mask is not None]
        return base.forward(self, x, joined(*read) if len(read) > 1 else read[0] if read else None)

    positional = Parameter.POSITIONAL_OR_KEYWORD
    optional = [Parameter(name, positional, default=None) for name in masks]
    forward.__signature__ = Signature([Parameter("self", positional), Parameter("x", positional), *optional])  # type: ignore[attr-defined]
    layer: nn.Module = type("Taking", (base,), {"forward": forward})()
    return layer
