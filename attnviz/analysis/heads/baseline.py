"""What a share is compared with. For same_token and induction, what all rows give the same keys: without it, a head
that looks at one word from everywhere passes for one that finds the same word again. For delimiters, their number
among the keys that a row may see: without it, any even head over a short sentence passes for one that seeks them.
"""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor

from attnviz.analysis.heads.mean import RowMean
from attnviz.analysis.heads.rows import FIRST, Rows
from attnviz.analysis.heads.shares import induction_keys, same_keys

KEYS_OF = {"same_token": same_keys, "induction": induction_keys}


class LeftColumns:
    """The mean weight that rows give each key, of what is left without the first token; filled a block at a time."""

    def __init__(self) -> None:
        self.weight: Tensor | float = 0.0  # [H, Tk]
        self.seen: Tensor | float = 0.0  # [H, Tk]
        self.shares: list[Tensor] = []  # [H, R] each: what was left of the rows

    def add(self, weights: Tensor, rows: Rows, share: Tensor) -> None:
        """`weights`: [H, R, Tk], with the first token; `rows` do not see it, and `share` [H, R] was left of them."""
        sums = weights.sum(-2, dtype=torch.float64)  # [H, Tk]
        sums[..., FIRST] = 0.0
        self.weight = self.weight + sums
        self.seen = self.seen + _weighed(share, rows.visible)  # [H, Tk]
        self.shares.append(share)

    def baselines(self, blocks: Iterable[tuple[int, Rows]]) -> dict[str, Tensor]:
        """The mean, over the rows that count, of what all rows give their keys: metric -> [H].

        Args:
            blocks: the same rows again.
        """
        mean = torch.as_tensor(self.weight) / torch.as_tensor(self.seen).clamp_min(1e-9)  # [H, Tk]
        share = torch.cat(self.shares, 1)  # [H, Tq]
        found = {name: RowMean() for name in (*KEYS_OF, "delimiter")}
        for start, rows in blocks:
            visible = rows.visible.clone()
            visible[..., FIRST] = False
            own = share[:, start : start + visible.shape[-2]]  # [H, R]
            for name, keys_of in KEYS_OF.items():
                if rows.own is not None:
                    keys = keys_of(rows) & visible  # [1 | H, R, Tk]
                    given = _weighed(mean, keys.mT)  # [H, R]
                    found[name].add(_where_both(given, keys, visible), own)
            keys = rows.keys.delimiter & visible  # [1 | H, R, Tk]
            even = (keys.sum(-1) / visible.sum(-1).clamp_min(1)).expand(own.shape)  # [H, R]
            found["delimiter"].add(_where_both(even, keys, visible), own)
        nothing = torch.full((len(share),), float("nan"), dtype=torch.float64)
        return {name: each.value() if isinstance(each.total, Tensor) else nothing for name, each in found.items()}


def _weighed(weights: Tensor, truths: Tensor) -> Tensor:
    """Σ_a w[h, a] · truth[h, a, b]: [H, A] x bool [1 | H, A, B] -> float64 [H, B]."""
    if truths.shape[0] == 1:
        return weights.double() @ truths[0].double()  # [H, B]
    return torch.stack([own.double() @ truth.double() for own, truth in zip(weights, truths, strict=True)])


def _where_both(values: Tensor, keys: Tensor, visible: Tensor) -> Tensor:
    """NaN for rows that may not look at both such a key and another, as in `share_on`: [H, R]."""
    counts = keys.any(-1) & (visible & ~keys).any(-1)  # [1 | H, R]
    return torch.where(counts, values, float("nan"))
