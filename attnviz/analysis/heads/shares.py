"""Which share of a row's weight lies on certain keys: the token before, the token itself, delimiters, the same token.

Each function gives one number a row, from 0 to 1, and NaN where a row does not count: it must be able to look at such
a key and at another one, else its share is forced. Sums are of the weights as they are, so what a sink logit takes is
nobody's share.
"""

from __future__ import annotations

import torch
from torch import Tensor

from attnviz.analysis.heads.rows import FIRST, Rows

NAN = float("nan")


def share_on(weights: Tensor, rows: Rows, keys: Tensor) -> Tensor:
    """Σ over the chosen keys of w.

    Args:
        weights: [..., R, Tk]. keys: bool [R, Tk], the keys that are meant for each row.
    Returns:
        [..., R], NaN for rows that may not look at both such a key and another.
    """
    counts = (rows.visible & keys).any(-1) & (rows.visible & ~keys).any(-1)  # [1 | H, R]
    share = torch.einsum("...rk,rk->...r", weights, keys.to(weights.dtype))  # [..., R]
    return torch.where(counts, share.clamp(0.0, 1.0), NAN)


def nowhere(weights: Tensor) -> Tensor:
    """No row counts: NaN, [..., R]."""
    return torch.full_like(weights[..., 0], NAN)


def on_one(weights: Tensor, rows: Rows, keys: Tensor) -> Tensor:
    """w at one key a row; `share_on` where there is one such key, without a matrix of them.

    Args:
        weights: [..., R, Tk]. keys: int64 [R]; a place that does not exist is seen by nobody.
    """
    width = weights.shape[-1]
    exists = (keys >= 0) & (keys < width)  # [R]
    column = keys.clamp(0, width - 1)[:, None]  # [R, 1]
    share = weights.gather(-1, column.expand(*weights.shape[:-1], 1))[..., 0]  # [..., R]
    is_seen = rows.visible.gather(-1, column.expand(*rows.visible.shape[:-1], 1))[..., 0]  # [1 | H, R]
    return torch.where(exists & is_seen & (rows.n_visible >= 2), share.clamp(0.0, 1.0), NAN)


def at_distance(weights: Tensor, rows: Rows, distance: int) -> Tensor:
    """w[i, i + distance]; rows where that key cannot be seen do not count, and none counts in cross-attention."""
    return nowhere(weights) if rows.own is None else on_one(weights, rows, rows.own + distance)


def previous(weights: Tensor, rows: Rows) -> Tensor:
    """w[i, i − 1]: the share on the token before. The first row has none and does not count.

    Source: Clark et al. 2019, section 3.1; Voita et al. 2019, section 5.2.
    """
    return at_distance(weights, rows, -1)


def following(weights: Tensor, rows: Rows) -> Tensor:
    """w[i, i + 1]: the share on the token after. The last row does not count; causal rows see no such token.

    Source: Clark et al. 2019, section 3.1.
    """
    return at_distance(weights, rows, 1)


def itself(weights: Tensor, rows: Rows) -> Tensor:
    """w[i, i]: the share on the token itself. A causal first row sees nothing else and does not count.

    Source: Clark et al. 2019, section 3.1; Kovaleva et al. 2019, section 4.1 (the diagonal).
    """
    return at_distance(weights, rows, 0)


def first(weights: Tensor, rows: Rows) -> Tensor:
    """w[i, 0]: the share on the first token, which is what "sink" means here.

    Source: Xiao et al. 2023, section 3.1; in BERT the first token is [CLS], Clark et al. 2019, section 3.2.
    """
    return on_one(weights, rows, torch.full(weights.shape[-2:-1], FIRST))


def delimiter(weights: Tensor, rows: Rows) -> Tensor:
    """Σ over delimiters of w: tokens that the tokenizer added and punctuation, the first token left out.

    Source: Clark et al. 2019, section 3.2 ([SEP] and periods).
    """
    return share_on(weights, rows, rows.keys.delimiter.expand(weights.shape[-2:]))


def same_token(weights: Tensor, rows: Rows) -> Tensor:
    """Σ of w over other places of the row's own token. Rows whose token stands nowhere else, and delimiters, do not
    count; none counts in cross-attention, where the two texts need not share a vocabulary.

    On a repeated random sequence this is the duplicate-token metric. Source: Wang et al. 2022, section 3.2.
    """
    return nowhere(weights) if rows.own is None else share_on(weights, rows, same_keys(rows))


def same_keys(rows: Rows) -> Tensor:
    """Other places of each row's own token, none for a delimiter: bool [R, Tk]."""
    assert rows.own is not None
    same = rows.keys.ids[rows.own][:, None] == rows.keys.ids[None, :]  # [R, Tk]
    others = rows.places[None, :] != rows.own[:, None]  # [R, Tk]
    return same & others & ~rows.keys.delimiter[rows.own][:, None]


def induction(weights: Tensor, rows: Rows) -> Tensor:
    """Σ of w over the keys that came right after an earlier place of the row's own token: w[i, p + 1], p < i.

    On a random sequence said twice with period n this is w[i, i − n + 1]. Rows whose token stands nowhere before, and
    delimiters, do not count; the token itself is never such a key; none counts in cross-attention.
    Source: Olsson et al. 2022, "prefix matching score"; Elhage et al. 2021.
    """
    return nowhere(weights) if rows.own is None else share_on(weights, rows, induction_keys(rows))


def induction_keys(rows: Rows) -> Tensor:
    """What followed earlier places of each row's own token, none for a delimiter: bool [R, Tk]."""
    assert rows.own is not None
    before = rows.keys.ids.roll(1)  # [Tk], the token before each key
    after_same = rows.keys.ids[rows.own][:, None] == before[None, :]  # [R, Tk]
    is_earlier = (rows.places[None, :] >= 1) & (rows.places[None, :] < rows.own[:, None])  # p + 1 < i: not itself
    return after_same & is_earlier & ~rows.keys.delimiter[rows.own][:, None]


def distance(weights: Tensor, rows: Rows) -> Tensor:
    """Σ w |i − j| / Σ w: how far a row looks on average.

    Args:
        weights: [..., R, Tk]. rows: one that may look at fewer than two tokens does not count; none counts in
            cross-attention, where the two texts share no places.
    Returns:
        [..., R] in tokens, from 0 to Tk − 1.
    Source: Vig and Belinkov 2019, section 3.3.
    """
    if rows.own is None:
        return nowhere(weights)
    steps = (rows.places[None, :] - rows.own[:, None]).abs().to(weights.dtype)  # [R, Tk]
    mean = torch.einsum("...rk,rk->...r", weights, steps) / weights.sum(-1).clamp_min(1e-12)  # [..., R]
    return torch.where(rows.n_visible >= 2, mean, NAN)
