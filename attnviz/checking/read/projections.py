"""The weights of a user's attention as four linear layers, taken out of fused matrices where they are in one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

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


# The order of the axes along its rows. The first is the usual one; the others are BLOOM's and what einops users write.
EQUAL = ("part head feature", "head part feature", "head feature part", "feature part head")
# Where heads of queries share keys and values: all q, then all k, then all v; or group by group, as in Falcon.
SHARED = ("queries, then shared keys and values", "group part feature")


def fused_orders(roles: Sequence[ParameterRole]) -> list[tuple[str, str]]:
    """Every order of the letters with every order of the axes, the usual one first."""
    if not any(role.role in ("qkv", "kv") for role in roles):
        return [("qkv", EQUAL[0])]
    shared = SHARED if any(role.role == "qkv" for role in roles) else ()
    mixed = ["".join(order) for order in permutations("qkv")][1:]
    return [("qkv", axes) for axes in (*EQUAL, *shared)] + [
        (order, axes) for axes in (EQUAL[0], *shared[:1]) for order in mixed
    ]


def unfused(rows: Tensor, letters: str, n_heads: int, axes: str, q_rows: int) -> tuple[Tensor, ...]:
    """The parts of a fused matrix [rows, in], or of its bias [rows], in the order of the letters; q_rows of them W_Q's.

    Raises a ValueError or RuntimeError where the matrix cannot have its rows in this order (axes, of EQUAL or SHARED).
    """
    if axes == EQUAL[0]:
        if len(rows) % len(letters):
            raise ValueError("the parts differ in size")
        return rows.chunk(len(letters))  # [H·d_k, in] each
    if axes in SHARED:
        return _unfused_groups(rows, letters, n_heads, axes, q_rows)
    head_width = len(rows) // (3 * n_heads) if "q" in letters else q_rows // n_heads
    if not head_width:
        raise ValueError("narrower than the number of heads")
    names = axes.split()
    sizes = {"part": len(letters), "head": len(rows) // (len(letters) * head_width), "feature": head_width}
    split = rows.reshape(*(sizes[name] for name in names), *rows.shape[1:])  # part, head, feature in their order, in
    places = [names.index(name) for name in ("part", "head", "feature")]
    ordered = split.permute(*places, *range(3, split.ndim))  # [part, head, feature, in]
    return tuple(ordered.flatten(1, 2))  # [H·d_k, in] each


def _unfused_groups(rows: Tensor, letters: str, n_heads: int, axes: str, q_rows: int) -> tuple[Tensor, ...]:
    """W_Q [H·d_k, in], and W_K and W_V [G·d_k, in], out of one matrix."""
    head_width, kv_rows = q_rows // n_heads, (len(rows) - q_rows) // 2
    if not head_width or kv_rows <= 0 or kv_rows % head_width or q_rows + 2 * kv_rows != len(rows) or kv_rows == q_rows:
        raise ValueError("no whole number of shared heads")
    if axes == SHARED[0]:
        return rows.split([q_rows if letter == "q" else kv_rows for letter in letters])
    groups = rows.reshape(kv_rows // head_width, -1, head_width, *rows.shape[1:])  # [G, H / G + 2, d_k, in]
    q, k, v = groups[:, :-2], groups[:, -2], groups[:, -1]  # [G, H / G, d_k, in], [G, d_k, in], [G, d_k, in]
    return q.flatten(0, 2), k.flatten(0, 1), v.flatten(0, 1)
