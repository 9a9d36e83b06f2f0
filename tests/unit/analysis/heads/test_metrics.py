"""Each metric of a head on maps whose value can be worked out by hand, and what must hold for any map."""

import math
from dataclasses import replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from attnviz.analysis.heads import row_metrics
from attnviz.analysis.heads.map_metrics import ColumnSums, variability
from attnviz.analysis.heads.metrics import BY_NAME, METRICS
from attnviz.analysis.heads.row_metrics import first_by_norm, value_norm
from attnviz.analysis.heads.rows import Keys, Rows, is_punctuation, without_first
from tests.unit.analysis.compare.test_units import cut

OF_ROWS = [metric for metric in METRICS if metric.of_rows is not None]

# One head over four tokens; each row can be read off.
MAP = torch.tensor([[[0.5, 0.5, 0.0, 0.0],
                     [1.0, 0.0, 0.0, 0.0],
                     [0.25, 0.25, 0.25, 0.25],
                     [0.0, 0.0, 0.5, 0.5]]])  # fmt: skip
CAUSAL = torch.tensor([[[1.0, 0.0, 0.0], [0.25, 0.75, 0.0], [0.5, 0.25, 0.25]]])
NAN = float("nan")
TWO = -(0.25 * math.log2(0.25) + 0.75 * math.log2(0.75))  # entropy of the second causal row
HALF = (2 - 1 / math.sqrt(0.5)) / (2 - 1)  # sparsity of two even tokens of four


def rows_of(n: int, *, n_keys: int | None = None, causal: bool = False, ids: list[int] | None = None,
            delimiters: tuple[int, ...] = ()) -> Rows:  # fmt: skip
    """All rows of a matrix; with `n_keys` those of cross-attention. Tokens differ unless `ids` says otherwise."""
    width = n if n_keys is None else n_keys
    visible = torch.ones(1, n, width, dtype=torch.bool)  # [1, T_q, T_k]
    marked = torch.zeros(width, dtype=torch.bool)  # [T_k]
    marked[list(delimiters)] = True
    keys = Keys(torch.tensor(list(range(width)) if ids is None else ids), marked)
    return Rows(visible.tril() if causal else visible, torch.arange(n) if n_keys is None else None, keys)


def close(values: torch.Tensor, *expected: float) -> None:
    torch.testing.assert_close(values.flatten(), torch.tensor(expected), rtol=0, atol=1e-6, equal_nan=True)


ALL, EARLIER, SAID_TWICE = rows_of(4), rows_of(3, causal=True), rows_of(6, ids=[3, 1, 4, 3, 1, 4], causal=True)
TWO_BACK, THREE_BACK = torch.eye(6)[None, [0, 0, 0, 1, 2, 3]], torch.eye(6)[None, [0, 0, 0, 0, 1, 2]]
LINKS = torch.tensor([[1, 0, 0, 0], [0, 0, 0, 0], [0, 1, 1, 0], [1, 1, 1, 1]], dtype=torch.bool)  # of four words, two


@pytest.mark.parametrize(("metric", "weights", "rows", "expected"), [
    ("entropy", MAP, ALL, (1.0, 0.0, 2.0, 1.0)),
    ("entropy", MAP / 4, ALL, (1.0, 0.0, 2.0, 1.0)),  # rows that a sink logit made smaller
    ("entropy", CAUSAL, EARLIER, (NAN, TWO, 1.5)),  # the first row can attend only to itself
    ("evenness", MAP, ALL, (0.5, 0.0, 1.0, 0.5)),
    ("evenness", CAUSAL, EARLIER, (NAN, TWO, 1.5 / math.log2(3))),
    ("sparsity", MAP, ALL, (HALF, 1.0, 0.0, HALF)),
    ("distance", MAP, ALL, (0.5, 1.0, (2 + 1 + 0 + 1) / 4, 0.5)),
    ("distance", CAUSAL, EARLIER, (NAN, 0.25, 1.25)),
    ("previous", MAP, ALL, (NAN, 1.0, 0.25, 0.5)),
    ("previous", CAUSAL, EARLIER, (NAN, 0.25, 0.25)),
    ("following", MAP, ALL, (0.5, 0.0, 0.25, NAN)),
    ("following", CAUSAL, EARLIER, (NAN, NAN, NAN)),
    ("itself", MAP, ALL, (0.5, 0.0, 0.25, 0.5)),
    ("itself", CAUSAL, EARLIER, (NAN, 0.75, 0.25)),
    ("first", MAP, ALL, (0.5, 1.0, 0.25, 0.0)),
    ("first", CAUSAL, EARLIER, (NAN, 0.25, 0.5)),
    ("delimiter", MAP, rows_of(4, delimiters=(2, 3)), (0.0, 0.0, 0.25, 0.5)),  # not itself
    ("delimiter", MAP, ALL, (NAN, NAN, NAN, NAN)),  # the text has none
    ("same_token", MAP, rows_of(4, ids=[7, 8, 7, 9]), (0.0, NAN, 0.25, NAN)),
    ("same_token", MAP, rows_of(4, ids=[7, 7, 7, 9]), (0.5, 1.0, 0.5, NAN)),
    ("same_token", MAP, rows_of(4, ids=[7, 8, 7, 9], delimiters=(0, 2)), (NAN, NAN, NAN, NAN)),
    ("last", MAP, rows_of(4, n_keys=4), (0.0, 0.0, 0.25, 0.5)),
    ("last", MAP, ALL, (NAN, NAN, NAN, NAN)),  # of one text
    ("aligned", MAP, replace(rows_of(4, n_keys=4), links=LINKS), (0.5, NAN, 0.5, NAN)),
    ("aligned", MAP, rows_of(4, n_keys=4), (NAN, NAN, NAN, NAN)),  # nobody knows
    ("induction", torch.eye(3)[None], rows_of(3, ids=[5, 5, 5], causal=True), (NAN, NAN, 0.0)),  # not itself
    # Of a sequence said twice, the two are diagonals beside each other.
    ("induction", TWO_BACK, SAID_TWICE, (NAN, NAN, NAN, 1.0, 1.0, 1.0)),
    ("induction", THREE_BACK, SAID_TWICE, (NAN, NAN, NAN, 0.0, 0.0, 0.0)),
    ("same_token", TWO_BACK, SAID_TWICE, (NAN, NAN, NAN, 0.0, 0.0, 0.0)),
    ("same_token", THREE_BACK, SAID_TWICE, (NAN, NAN, NAN, 1.0, 1.0, 1.0)),
])  # fmt: skip
def test_a_metric_of_rows_by_hand(metric: str, weights: torch.Tensor, rows: Rows, expected: tuple[float, ...]) -> None:
    close(getattr(row_metrics, metric)(weights, rows), *expected)


def test_delimiters_of_a_text_are_added_tokens_and_punctuation_but_never_the_first_token() -> None:
    tokens = cut("Hi, «x»。", "[CLS]", "Hi", ",", "«x»", "。", "[SEP]", special=("[CLS]", "[SEP]"))
    assert Keys.of(tokens).delimiter.tolist() == [False, False, True, False, True, True]
    assert is_punctuation(" …") and not is_punctuation(" ") and not is_punctuation("a.")


STRIPES = torch.tensor([[[0.1, 0.1, 0.6, 0.2], [0.0, 0.0, 0.8, 0.2], [0.9, 0.0, 0.1, 0.0], [0.0, 0.0, 0.5, 0.5]]])
STAIRS = torch.tensor([[[1.0, 0.0, 0.0, 0.0], [0.4, 0.6, 0.0, 0.0], [0.6, 0.3, 0.1, 0.0], [0.0, 0.0, 0.0, 1.0]]])


@pytest.mark.parametrize(("weights", "rows", "strength"), [
    (STRIPES, ALL, 0.5),
    (STRIPES, rows_of(4, delimiters=(2,)), 0.225),
    (STRIPES, rows_of(4, delimiters=(1, 2, 3)), NAN),
    (STAIRS, rows_of(4, causal=True), 0.3),  # (0.6 + 0.3 + 0) / 3; only one row can attend to key 3
])  # fmt: skip
def test_one_word_is_the_largest_column_mean(weights: torch.Tensor, rows: Rows, strength: float) -> None:
    close(ColumnSums.of(weights, rows).largest, strength)


def test_norms_weigh_by_length() -> None:
    norms = torch.tensor([[2.0, 4.0, 0.0, 8.0]])
    close(value_norm(MAP, ALL, norms), 3.0, 2.0, 3.5, 4.0)
    close(first_by_norm(MAP, ALL, norms), 1 / 3, 1.0, 0.5 / 3.5, 0.0)


def test_variability_is_half_the_mean_change() -> None:
    close(variability(torch.stack([MAP, MAP])), 0.0)
    close(variability(torch.stack([torch.eye(4)[None], torch.eye(4).roll(1, 1)[None]])), 0.5)  # 1 − 1/S
    close(variability(MAP[None]), NAN)


def test_without_the_first_token_each_row_is_divided_by_the_rest() -> None:
    left, rows, share = without_first(MAP, ALL)
    close(share, 0.5, 0.0, 0.75, 1.0)
    close(left[0, :2], 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    close(row_metrics.previous(left, rows), NAN, NAN, 1 / 3, 0.5)  # the second row's previous token is the first


def test_a_row_that_can_attend_to_nothing_never_counts() -> None:
    rows = rows_of(4, ids=[5, 5, 5, 5], delimiters=(3,))
    visible, weights = rows.visible.clone(), MAP.clone()
    visible[0, 2], weights[0, 2] = False, 0.0
    for metric in OF_ROWS:
        assert metric.of_rows(weights, Rows(visible, rows.queries, rows.keys))[0, 2].isnan(), metric.name


def test_metrics_about_positions_of_one_text_have_no_value_in_cross_attention() -> None:
    rows = rows_of(2, n_keys=4)
    nowhere = {metric.name for metric in OF_ROWS if metric.of_rows(MAP[:, :2], rows).isnan().all()}
    assert nowhere == {metric.name for metric in METRICS if metric.only_self} | {
        "delimiter",
        "aligned",
        "mark_before",
        "first_line",
        "rhyme",
    }  # has none
    close(row_metrics.first(MAP[:, :2], rows), 0.5, 1.0)


@st.composite
def maps(draw: st.DrawFn) -> tuple[torch.Tensor, Rows]:
    n, heads = draw(st.integers(2, 9)), draw(st.integers(1, 3))
    causal, seed = draw(st.booleans()), draw(st.integers(0, 2**31))
    generator = torch.Generator().manual_seed(seed)
    ids = torch.randint(0, 4, (n,), generator=generator).tolist()
    rows = rows_of(n, ids=ids, causal=causal, delimiters=tuple(draw(st.sets(st.integers(1, n - 1)))))
    scores = torch.randn(heads, n, n, generator=generator) * draw(st.sampled_from([0.1, 1.0, 8.0]))
    return torch.softmax(scores.masked_fill(~rows.visible, float("-inf")), -1), rows


@given(maps(), st.integers(0, 2**31))
@settings(max_examples=60, deadline=None)
def test_every_metric_stays_in_its_range_and_treats_heads_alone(drawn: tuple[torch.Tensor, Rows], seed: int) -> None:
    weights, rows = drawn
    for metric in OF_ROWS:
        values = metric.of_rows(weights, rows).expand(weights.shape[:-1])
        known = values[~values.isnan()]
        most = {"share": 1.0, "bits": math.log2(9), "tokens": 8.0}[metric.unit]
        assert bool(((known >= 0) & (known <= most + 1e-5)).all()), metric.name
        flipped = metric.of_rows(weights.flip(0), rows).expand(weights.shape[:-1]).flip(0)
        torch.testing.assert_close(values, flipped, equal_nan=True, rtol=0, atol=1e-6)
    stripes = ColumnSums.of(weights, rows).largest
    assert bool(((stripes >= 0) & (stripes <= 1 + 1e-5) | stripes.isnan()).all())
    order = torch.randperm(weights.shape[-1], generator=torch.Generator().manual_seed(seed))
    moved = Rows(rows.visible[..., order], rows.queries, rows.keys)
    for name in ("entropy", "evenness", "sparsity"):  # which do not depend on the order of keys
        of_rows, other = BY_NAME[name].of_rows(weights, rows), BY_NAME[name].of_rows(weights[..., order], moved)
        torch.testing.assert_close(of_rows, other, equal_nan=True, rtol=0, atol=1e-5)
