"""Baselines of three shares: their values in a head without any preference for the keys in question.

For same_token and induction, the mean weight of all rows on these keys: otherwise a head that attends to one word from
everywhere would pass for one that finds the same word again. For delimiters, their share of the visible keys: otherwise
any even head over a short sentence would pass for one that prefers them.
"""

from collections.abc import Iterable

import torch
from torch import Tensor

from attnviz.analysis.heads.row_metrics import induction_keys, same_keys
from attnviz.analysis.heads.rows import FIRST, RowMean, Rows

KEYS_OF = {"same_token": same_keys, "induction": induction_keys}


class Baseline:
    """Collects the mean weight on each key, without the first token, a block of rows at a time."""

    def __init__(self) -> None:
        self.weight: Tensor | float = 0.0  # [H, T_k]
        self.seen: Tensor | float = 0.0  # [H, T_k]
        self.shares: list[Tensor] = []  # [H, R] each: the rest of each row

    def add(self, weights: Tensor, rows: Rows, share: Tensor) -> None:
        """`weights`: [H, R, T_k] with the first token; `rows` and `share` [H, R] from `without_first`."""
        sums = weights.sum(-2, dtype=torch.float64)  # [H, T_k]
        sums[..., FIRST] = 0.0
        self.weight = self.weight + sums
        self.seen = self.seen + _weighted_count(share, rows.visible)  # [H, T_k]
        self.shares.append(share)

    def values(self, blocks: Iterable[tuple[int, Rows]]) -> dict[str, Tensor]:
        """The baseline of each metric, a mean over the rows that count: metric -> [H].

        Args:
            blocks: the same rows again.
        """
        mean = torch.as_tensor(self.weight) / torch.as_tensor(self.seen).clamp_min(1e-9)  # [H, T_k]
        share = torch.cat(self.shares, 1)  # [H, T_q]
        found = {name: RowMean() for name in (*KEYS_OF, "delimiter")}
        for start, rows in blocks:
            visible = rows.visible.clone()
            visible[..., FIRST] = False
            own = share[:, start : start + visible.shape[-2]]  # [H, R]
            for name, keys_of in KEYS_OF.items():
                if rows.own is not None:
                    keys = keys_of(rows) & visible  # [1 | H, R, T_k]
                    given = _weighted_count(mean, keys.mT)  # [H, R]
                    found[name].add(_where_counted(given, keys, visible), own)
            keys = rows.keys.delimiter & visible  # [1 | H, R, T_k]
            even = (keys.sum(-1) / visible.sum(-1).clamp_min(1)).expand(own.shape)  # [H, R]
            found["delimiter"].add(_where_counted(even, keys, visible), own)
        nothing = torch.full((len(share),), float("nan"), dtype=torch.float64)
        return {name: each.value() if isinstance(each.total, Tensor) else nothing for name, each in found.items()}


def _weighted_count(weights: Tensor, truths: Tensor) -> Tensor:
    """Σ_a w[h, a] · truth[h, a, b]: [H, A] x bool [1 | H, A, B] -> float64 [H, B]."""
    if truths.shape[0] == 1:
        return weights.double() @ truths[0].double()  # [H, B]
    return torch.stack([own.double() @ truth.double() for own, truth in zip(weights, truths, strict=True)])


def _where_counted(values: Tensor, keys: Tensor, visible: Tensor) -> Tensor:
    """NaN for rows that cannot attend to both such a key and another, as in `share_on`: [H, R]."""
    counts = keys.any(-1) & (visible & ~keys).any(-1)  # [1 | H, R]
    return torch.where(counts, values, float("nan"))
