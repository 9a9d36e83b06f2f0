"""The weights of a user's attention as four linear layers, taken out of fused matrices where they are in one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from torch import Tensor
from torch.nn import functional as F

from attnviz.checking.read.parameter_roles import ParameterRole


@dataclass(frozen=True)
class Projections:
    """W_Q, W_K, W_V and W_O by their letters; without "o" the joined heads are the output."""

    weight: Mapping[str, Tensor]  # [out, in] each, as torch stores them
    bias: Mapping[str, Tensor]  # [out] each, where there is one
    n_heads: int

    @property
    def head_width(self) -> int:
        """d_k, the width of one head's queries and keys."""
        return self.weight["q"].shape[0] // self.n_heads

    @property
    def value_width(self) -> int:
        """d_v, the width of one head's values."""
        return self.weight["v"].shape[0] // self.n_groups

    @property
    def n_groups(self) -> int:
        """G, the heads of keys and values; fewer than n_heads where several heads of queries share them."""
        return self.weight["k"].shape[0] // self.head_width

    def linear(self, x: Tensor, letter: str, *, transposed: bool = False, biased: bool = True) -> Tensor:
        """x through one of the four: [B, T, in] -> [B, T, out]."""
        weight = self.weight[letter]  # [out, in]
        return F.linear(x, weight.mT if transposed else weight, self.bias.get(letter) if biased else None)


# How the rows of a fused matrix lie: all queries, then all keys, then all values; head by head, as in BLOOM; or as the
# first, with fewer rows for keys and values that heads of queries share.
FusedOrder = Literal["part by part", "head by head", "shared"]


def fused_orders(roles: Sequence[ParameterRole]) -> tuple[FusedOrder, ...]:
    """Every order that the fused matrix may have, the usual one first."""
    fused = {role.role for role in roles} & {"qkv", "kv"}
    if not fused:
        return ("part by part",)
    return ("part by part", "head by head", "shared") if "qkv" in fused else ("part by part", "head by head")


def unfused(rows: Tensor, n_parts: int, n_heads: int, order: FusedOrder, q_rows: int) -> tuple[Tensor, ...]:
    """The parts of a fused matrix [rows, in], or of its bias [rows]: W_Q, W_K and W_V, or the last two.

    Raises a ValueError or RuntimeError where the rows cannot lie in this order. q_rows: how many are W_Q's.
    """
    if order == "shared":
        kv_rows = (len(rows) - q_rows) // 2
        if not 0 < kv_rows < q_rows:
            raise ValueError("no whole number of shared heads")
        return rows.split([q_rows, kv_rows, kv_rows])  # [H·d_k, in], [G·d_k, in], [G·d_k, in]
    if len(rows) % n_parts:
        raise ValueError("the parts differ in size")
    if order == "part by part":
        return rows.chunk(n_parts)  # [H·d_k, in] each
    head_width = len(rows) // (3 * n_heads) if n_parts == 3 else q_rows // n_heads
    heads = rows.unflatten(0, (-1, n_parts, head_width))  # [H, part, d_k, in]
    return tuple(part.flatten(0, 1) for part in heads.unbind(1))  # [H·d_k, in] each
