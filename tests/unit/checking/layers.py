"""A right attention layer in pieces, so that a test can replace one of them by a wrong one."""

import math
import operator
from collections.abc import Callable
from inspect import Parameter, Signature
from typing import Any

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


def only(subject: Any, **options: Any) -> Finding:
    """The one finding there is."""
    (finding,) = av.check_attention(subject, **options).findings
    return finding


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

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Any:
        q, k, v = (self.split(part) for part in self.project(x))
        weights = self.weights(self.hide(self.scores(q, k), mask))
        return self.w_o(self.join(weights @ v)), weights


class Grouped(nn.Module):
    """Six heads of queries, two of keys and values."""

    def __init__(self) -> None:
        super().__init__()
        self.n_heads, self.n_groups = 6, 2
        self.q_proj, self.o_proj = nn.Linear(48, 48), nn.Linear(48, 48)
        self.k_proj, self.v_proj = nn.Linear(48, 16), nn.Linear(48, 16)

    def keys(self, k: Tensor) -> Tensor:
        return k.repeat_interleave(3, dim=1)

    def values(self, v: Tensor) -> Tensor:
        return v.repeat_interleave(3, dim=1)

    def scores(self, q: Tensor, k: Tensor) -> Tensor:
        return q @ k.mT / math.sqrt(q.shape[-1])

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = (p(x).unflatten(-1, (-1, 8)).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj))
        weights = self.scores(q, self.keys(k)).softmax(-1)
        out: Tensor = self.o_proj((weights @ self.values(v)).transpose(1, 2).flatten(2))
        return out


def tiled(self: Grouped, x: Tensor) -> Tensor:
    """For keys or values of `Grouped`: heads that share them are not neighbours."""
    return x.repeat(1, 3, 1, 1)


def broken(*, d_model: int = 24, n_heads: int = 3, **methods: Callable[..., Any]) -> nn.Module:
    """`Right` with some of its methods replaced."""
    layer: nn.Module = type("Broken", (Right,), methods)(d_model, n_heads)
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
