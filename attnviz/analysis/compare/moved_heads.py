"""How far the weights of each head moved from one run to another, and from where to where."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from attnviz.analysis.compare.self_attention_heads import Head, comparable_rows

Target = int | str  # a unit, from 0, or one of BESIDE
BESIDE = {"self": 0, "before": -1, "after": 1}  # of a row's own unit: how many units further its key is
MAIN = 0.5  # of the moved weight: a key that lost or gained at least this share is named


@dataclass(frozen=True)
class Move:
    head: Head
    share: float  # of a row's weight that is on other keys in B: ½ Σ |a − b|, the mean over the rows that count
    row: int  # the unit whose row moved most, from 0
    row_share: float
    left: Target | None  # the key that lost at least half of it; None if many lost
    reached: Target | None  # the key that gained at least half of it
    followed: float = 0.0  # how much more it would be by place, where it went with words that changed places


def moves(
    heads: Sequence[Head], a: Tensor, b: Tensor, *, sinks: Sequence[int] = (), row: int | None = None
) -> tuple[Move, ...]:
    """What changed in each head, the farthest first.

    Args:
        a, b: float32 [H, U, U], rows sum to 1.
        sinks: units whose change is left out; what comes from one or goes to one counts as half.
        row: the only row that counts, if it is one, and what it gives its own unit is left out too; None takes all.
    """
    rows = comparable_rows(a, b)  # [U]
    if row is not None and rows[row]:
        rows, sinks = torch.arange(len(rows)) == row, [*sinks, row]
    if not rows.any():
        return ()
    change = (b - a)[:, rows]  # [H, R, U]
    change[..., list(sinks)] = 0
    of_rows = change.abs().sum(-1) / 2  # [H, R]
    units = rows.nonzero().flatten()  # [R]
    by_target = torch.cat([change.mean(1), _beside(change, units)], dim=1)  # [H, U + 3]
    named: list[Target] = [*range(a.shape[-1]), *BESIDE]
    moved = []
    for head, shares, changed in zip(heads, of_rows, by_target, strict=True):
        share, most = float(shares.mean()), int(shares.argmax())
        (lost, left), (gained, reached) = (
            (float(end.values), named[int(end.indices)]) for end in (changed.min(0), changed.max(0))
        )
        least = MAIN * share
        moved.append(
            Move(
                head, share, int(units[most]), float(shares[most]), left if share and -lost >= least else None,
                reached if share and gained >= least else None,
            )
        )  # fmt: skip
    return tuple(sorted(moved, key=lambda move: -move.share))


def followed(by_place: Sequence[Move], by_word: Sequence[Move]) -> tuple[Move, ...]:
    """The same heads where words changed places: what went with its word did not move."""
    words = {move.head: move for move in by_word}
    each = []
    for move in by_place:
        other = words[move.head]
        is_nearer = other.share < move.share
        # By word, what stands before and after a word is not what stood there.
        each.append(replace(other, left=None, reached=None, followed=move.share - other.share) if is_nearer else move)
    return tuple(sorted(each, key=lambda move: -move.share))


def unevenness(maps: Tensor) -> Tensor:
    """How much of a row's weight would have to move to be even over its visible keys: [H], means over rows.

    A weight of 0 is a key that a mask forbids.
    """
    rows = comparable_rows(maps)
    of_rows = maps[:, rows]  # [H, R, U]
    even = (of_rows > 0) / (of_rows > 0).sum(-1, keepdim=True)  # [H, R, U]
    return (of_rows - even).abs().sum(-1).mean(1) / 2


def _beside(change: Tensor, units: Tensor) -> Tensor:
    """How much of a row arrived at its own unit, the one before and the one after it: [H, 3], means over rows."""
    n = change.shape[-1]
    columns = []
    for offset in BESIDE.values():
        keys = units + offset  # [R]
        inside = (keys >= 0) & (keys < n)
        cells = change[:, torch.arange(len(units)), keys.clamp(0, n - 1)]  # [H, R]
        columns.append((cells * inside).mean(1))
    return torch.stack(columns, dim=1)
