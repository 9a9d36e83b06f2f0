"""Metrics of single rows: how spread out a row is, and the share of its weight on certain keys.

Each function takes weights [..., R, T_k] and returns one number per row, [..., R]: NaN for a row that does not count
because its mask leaves only one possible value. A share counts where the row can attend to such a key and to another.
The weight that goes to a sink logit belongs to no key. Formulas and sources are
in the table of metrics.
"""

import torch
from torch import Tensor

from attnviz.analysis.heads.rows import FIRST, Rows
from attnviz.trace.records import AttentionRecord

NAN = float("nan")


def entropy(weights: Tensor, rows: Rows) -> Tensor:
    """In bits, of a row that is first scaled to sum to 1: 0 for one token, log₂ of their number for equal weights."""
    even = weights / weights.sum(-1, keepdim=True).clamp_min(1e-12)  # [..., R, T_k]
    bits = -torch.special.xlogy(even, even).sum(-1) / torch.log(torch.tensor(2.0))  # [..., R]
    return torch.where(rows.n_visible >= 2, bits.clamp_min(0.0), NAN)


def evenness(weights: Tensor, rows: Rows) -> Tensor:
    """The entropy as a share of its maximum, comparable between texts of different length."""
    most = torch.log2(rows.n_visible.clamp_min(2).float())  # [1 | H, R]
    return (entropy(weights, rows) / most).clamp_max(1.0)


def sparsity(weights: Tensor, rows: Rows) -> Tensor:
    """From 0, equal weights on all visible tokens, to 1, one token."""
    root = rows.n_visible.clamp_min(2).float().sqrt()  # [1 | H, R]
    length = weights.norm(dim=-1).clamp_min(1e-12)  # [..., R]
    value = (root - weights.sum(-1) / length) / (root - 1)  # [..., R]
    return torch.where(rows.n_visible >= 2, value.clamp(0.0, 1.0), NAN)


def share_on(weights: Tensor, rows: Rows, keys: Tensor) -> Tensor:
    """Σ of w over chosen keys, bool [R, T_k]."""
    counts = (rows.visible & keys).any(-1) & (rows.visible & ~keys).any(-1)  # [1 | H, R]
    share = torch.einsum("...rk,rk->...r", weights, keys.to(weights.dtype))  # [..., R]
    return torch.where(counts, share.clamp(0.0, 1.0), NAN)


def share_on_one(weights: Tensor, rows: Rows, keys: Tensor) -> Tensor:
    """w at one key a row, int64 [R]: `share_on` without a matrix of keys. No row sees a position outside the text."""
    width = weights.shape[-1]
    exists = (keys >= 0) & (keys < width)  # [R]
    column = keys.clamp(0, width - 1)[:, None]  # [R, 1]
    share = weights.gather(-1, column.expand(*weights.shape[:-1], 1))[..., 0]  # [..., R]
    is_visible = rows.visible.gather(-1, column.expand(*rows.visible.shape[:-1], 1))[..., 0]  # [1 | H, R]
    return torch.where(exists & is_visible & (rows.n_visible >= 2), share.clamp(0.0, 1.0), NAN)


def _no_row(weights: Tensor) -> Tensor:
    """NaN for every row, [..., R]: the metric has no meaning here, such as positions in cross-attention."""
    return torch.full_like(weights[..., 0], NAN)


def _at_offset(weights: Tensor, rows: Rows, offset: int) -> Tensor:
    return _no_row(weights) if rows.queries is None else share_on_one(weights, rows, rows.queries + offset)


def previous(weights: Tensor, rows: Rows) -> Tensor:
    """The share on the token before. The first row does not count."""
    return _at_offset(weights, rows, -1)


def following(weights: Tensor, rows: Rows) -> Tensor:
    """The share on the token after. Neither the last row nor any causal row counts."""
    return _at_offset(weights, rows, 1)


def itself(weights: Tensor, rows: Rows) -> Tensor:
    """The share on the token itself. A causal first row does not count."""
    return _at_offset(weights, rows, 0)


def first(weights: Tensor, rows: Rows) -> Tensor:
    """The share on the first token, called the sink here."""
    return share_on_one(weights, rows, torch.full(weights.shape[-2:-1], FIRST))


def last(weights: Tensor, rows: Rows) -> Tensor:
    """Of cross-attention: the share on the end of the text that is read."""
    if rows.queries is not None:
        return _no_row(weights)
    return share_on_one(weights, rows, torch.full(weights.shape[-2:-1], weights.shape[-1] - 1))


def aligned(weights: Tensor, rows: Rows) -> Tensor:
    """The share on the words that the task links to the row's word. Rows without such a word do not count."""
    return _no_row(weights) if rows.links is None else share_on(weights, rows, rows.links)


def mark_before(weights: Tensor, rows: Rows) -> Tensor:
    """Within a line of a poem, the share on the mark that closed the line before."""
    return _answer(weights, rows, "mark_before")


def first_line(weights: Tensor, rows: Rows) -> Tensor:
    """After the first line of a poem, the share on its characters."""
    return _answer(weights, rows, "first_line")


def rhyme(weights: Tensor, rows: Rows) -> Tensor:
    """Where a poem's even line ends, the share on the last character of each even line before."""
    return _answer(weights, rows, "rhyme")


def _answer(weights: Tensor, rows: Rows, name: str) -> Tensor:
    return share_on(weights, rows, rows.answers[name]) if name in rows.answers else _no_row(weights)


def even(weights: Tensor, rows: Rows, name: str) -> Tensor:
    """What equal weights give the same keys of the same rows: the baseline of `aligned`, and of a poem's answers."""
    keys = rows.links if name == "aligned" else rows.answers.get(name)
    if keys is None:
        return _no_row(weights)
    alike = rows.visible / rows.n_visible.clamp_min(1)[..., None]  # [1 | H, R, T_k]
    return share_on(alike.to(weights.dtype), rows, keys)


def delimiter(weights: Tensor, rows: Rows) -> Tensor:
    """The share on delimiters: tokens that the tokenizer added and punctuation, without the first token.

    A delimiter that looks at itself does not count, as the full stop of a causal text does.
    """
    return share_on(weights, rows, delimiter_keys(rows))


def delimiter_over(weights: Tensor, rows: Rows) -> Tensor:
    """The same less the share of the row's visible tokens that are delimiters, which equal weights would give them."""
    n_delimiters = (rows.visible & delimiter_keys(rows)).sum(-1)  # [1 | H, R]
    return delimiter(weights, rows) - n_delimiters / rows.n_visible.clamp_min(1)


def delimiter_keys(rows: Rows) -> Tensor:
    """The delimiters beside each row's own token: bool [R, T_k]."""
    keys = rows.keys.delimiter.expand(rows.visible.shape[-2:])  # [R, T_k]
    return keys if rows.queries is None else keys & (rows.positions[None, :] != rows.queries[:, None])


def same_token(weights: Tensor, rows: Rows) -> Tensor:
    """The share on other positions of the row's own token. Delimiters, and tokens that occur once, do not count.

    On a repeated random sequence this is the duplicate-token metric.
    """
    return _no_row(weights) if rows.queries is None else share_on(weights, rows, same_keys(rows))


def same_keys(rows: Rows) -> Tensor:
    """Other positions of each row's own token, none for a delimiter: bool [R, T_k]."""
    assert rows.queries is not None
    same = rows.keys.ids[rows.queries][:, None] == rows.keys.ids[None, :]  # [R, T_k]
    others = rows.positions[None, :] != rows.queries[:, None]  # [R, T_k]
    return same & others & ~rows.keys.delimiter[rows.queries][:, None]


def induction(weights: Tensor, rows: Rows) -> Tensor:
    """The share on the keys right after an earlier position of the row's own token, "prefix matching".

    On a random sequence repeated with period n this is w[i, i − n + 1]. Delimiters, and tokens at their first
    occurrence, do not count; the token itself is never such a key.
    """
    return _no_row(weights) if rows.queries is None else share_on(weights, rows, induction_keys(rows))


def induction_keys(rows: Rows) -> Tensor:
    """The tokens that followed earlier positions of each row's own token, none for a delimiter: bool [R, T_k]."""
    assert rows.queries is not None
    before = rows.keys.ids.roll(1)  # [T_k], the token before each key
    after_same = rows.keys.ids[rows.queries][:, None] == before[None, :]  # [R, T_k]
    is_earlier = (rows.positions[None, :] >= 1) & (
        rows.positions[None, :] < rows.queries[:, None]
    )  # p + 1 < i: not itself
    return after_same & is_earlier & ~rows.keys.delimiter[rows.queries][:, None]


def distance(weights: Tensor, rows: Rows) -> Tensor:
    """Σ w |i − j| / Σ w: the mean distance of a row from its keys, in tokens."""
    if rows.queries is None:
        return _no_row(weights)
    steps = (rows.positions[None, :] - rows.queries[:, None]).abs().to(weights.dtype)  # [R, T_k]
    mean = torch.einsum("...rk,rk->...r", weights, steps) / weights.sum(-1).clamp_min(1e-12)  # [..., R]
    return torch.where(rows.n_visible >= 2, mean, NAN)


def moved_norms(record: AttentionRecord) -> Tensor | None:
    """‖v_j W_O^h‖ [H, T_k], the length of what each key would add with a weight of 1; None where W_O is not held.

    Source: Kobayashi et al. 2020, equation 4 (their f(x) = (x W_V + b_V) W_O of one head).
    """
    if record.w_o is None:
        return None
    values = record.source.values(slice(0, record.n_heads))  # [H, T_k, d_v]
    w_o = record.w_o.float().unflatten(-1, (record.n_heads, -1)).permute(1, 2, 0)  # [H, d_v, d_model]
    return (values @ w_o).norm(dim=-1).cpu()  # [H, T_k]


def value_norm(weights: Tensor, rows: Rows, norms: Tensor) -> Tensor:
    """The sum of the lengths of the weighted values, `norms` of `moved_norms`; compare heads of one model only."""
    moved = torch.einsum("...rk,...k->...r", weights, norms)  # [..., R]
    return torch.where(rows.n_visible >= 1, moved, NAN)


def first_by_norm(weights: Tensor, rows: Rows, norms: Tensor) -> Tensor:
    """The first token's share of `value_norm`: far below `first` for a sink whose value is short."""
    moved = torch.einsum("...rk,...k->...r", weights, norms)  # [..., R]
    share = weights[..., FIRST] * norms[..., None, FIRST] / moved.clamp_min(1e-12)  # [..., R]
    counts = rows.visible[..., FIRST] & (rows.n_visible >= 2)  # [1 | H, R]
    return torch.where(counts, share.clamp(0.0, 1.0), NAN)
