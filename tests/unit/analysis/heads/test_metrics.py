"""Each metric of a head on maps whose value can be worked out by hand, and what must hold for any map."""

import math

import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from attnviz.analysis.heads import shares, spread
from attnviz.analysis.heads.columns import columns, one_word
from attnviz.analysis.heads.measure import head_mean
from attnviz.analysis.heads.metrics import BY_NAME, METRICS
from attnviz.analysis.heads.norms import first_by_norm, value_norm
from attnviz.analysis.heads.rows import Keys, Rows, is_punctuation, without_first
from attnviz.analysis.heads.variability import variability
from attnviz.trace.tokens import Tokens

OF_ROWS = [metric for metric in METRICS if metric.of_rows is not None]

# One head over four tokens; each row can be read off.
MAP = torch.tensor([[[0.5, 0.5, 0.0, 0.0],
                     [1.0, 0.0, 0.0, 0.0],
                     [0.25, 0.25, 0.25, 0.25],
                     [0.0, 0.0, 0.5, 0.5]]])  # fmt: skip
CAUSAL = torch.tensor([[[1.0, 0.0, 0.0], [0.25, 0.75, 0.0], [0.5, 0.25, 0.25]]])
NAN = float("nan")


def close(values: torch.Tensor, *expected: float) -> None:
    torch.testing.assert_close(values.flatten(), torch.tensor(expected), rtol=0, atol=1e-6, equal_nan=True)


def test_entropy_is_in_bits_and_evenness_is_its_share_of_the_most_there_can_be() -> None:
    close(spread.entropy(MAP, Rows.plain(4)), 1.0, 0.0, 2.0, 1.0)
    close(spread.evenness(MAP, Rows.plain(4)), 0.5, 0.0, 1.0, 0.5)
    causal = Rows.plain(3, is_causal=True)
    two = -(0.25 * math.log2(0.25) + 0.75 * math.log2(0.75))
    close(spread.entropy(CAUSAL, causal), NAN, two, 1.5)  # the first row can only look at itself
    close(spread.evenness(CAUSAL, causal), NAN, two, 1.5 / math.log2(3))


def test_entropy_divides_a_row_that_a_sink_logit_made_smaller() -> None:
    close(spread.entropy(MAP / 4, Rows.plain(4)), 1.0, 0.0, 2.0, 1.0)


def test_sparsity_is_one_for_one_token_and_zero_for_all_alike() -> None:
    half = (2 - 1 / math.sqrt(0.5)) / (2 - 1)
    close(spread.sparsity(MAP, Rows.plain(4)), half, 1.0, 0.0, half)


def test_distance_is_the_mean_number_of_tokens_away() -> None:
    close(shares.distance(MAP, Rows.plain(4)), 0.5, 1.0, (2 + 1 + 0 + 1) / 4, 0.5)
    close(shares.distance(CAUSAL, Rows.plain(3, is_causal=True)), NAN, 0.25, 1.25)


def test_previous_next_and_self_are_the_diagonals() -> None:
    rows = Rows.plain(4)
    close(shares.previous(MAP, rows), NAN, 1.0, 0.25, 0.5)
    close(shares.following(MAP, rows), 0.5, 0.0, 0.25, NAN)
    close(shares.itself(MAP, rows), 0.5, 0.0, 0.25, 0.5)
    causal = Rows.plain(3, is_causal=True)
    close(shares.previous(CAUSAL, causal), NAN, 0.25, 0.25)
    close(shares.following(CAUSAL, causal), NAN, NAN, NAN)
    close(shares.itself(CAUSAL, causal), NAN, 0.75, 0.25)


def test_first_is_the_first_column_and_a_row_that_sees_nothing_else_does_not_count() -> None:
    close(shares.first(MAP, Rows.plain(4)), 0.5, 1.0, 0.25, 0.0)
    close(shares.first(CAUSAL, Rows.plain(3, is_causal=True)), NAN, 0.25, 0.5)


def test_delimiters_are_added_up() -> None:
    close(shares.delimiter(MAP, Rows.plain(4, delimiters=(2, 3))), 0.0, 0.0, 0.5, 1.0)
    close(shares.delimiter(MAP, Rows.plain(4)), NAN, NAN, NAN, NAN)  # there is none to look at


def test_delimiters_of_a_text_are_what_was_added_and_punctuation_but_never_the_first_token() -> None:
    tokens = Tokens(
        ("[CLS]", "Hi", ",", "«x»", "。", "[SEP]"), tuple(range(6)), (True, False, False, False, False, True),
        (False,) * 6, ((0, 0),) * 6, (-1, 0, 1, 2, 3, -1), "Hi, «x»。",
    )  # fmt: skip
    assert Keys.of(tokens).delimiter.tolist() == [False, False, True, False, True, True]
    assert is_punctuation(" …") and not is_punctuation(" ") and not is_punctuation("a.")


def test_same_token_counts_other_places_only_and_rows_that_have_one() -> None:
    rows = Rows.plain(4, ids=[7, 8, 7, 9])
    close(shares.same_token(MAP, rows), 0.0, NAN, 0.25, NAN)
    close(shares.same_token(MAP, Rows.plain(4, ids=[7, 7, 7, 9])), 0.5, 1.0, 0.5, NAN)
    close(shares.same_token(MAP, Rows.plain(4, ids=[7, 8, 7, 9], delimiters=(0, 2))), NAN, NAN, NAN, NAN)


def test_induction_on_a_sequence_said_twice_is_one_diagonal() -> None:
    ids = [3, 1, 4, 3, 1, 4]
    perfect = torch.zeros(1, 6, 6)
    for row in range(6):
        perfect[0, row, row - 2 if row >= 3 else 0] = 1.0  # w[i, i − n + 1], n = 3
    rows = Rows.plain(6, ids=ids, is_causal=True)
    close(shares.induction(perfect, rows), NAN, NAN, NAN, 1.0, 1.0, 1.0)
    close(shares.same_token(perfect, rows), NAN, NAN, NAN, 0.0, 0.0, 0.0)
    duplicate = torch.zeros(1, 6, 6)
    for row in range(6):
        duplicate[0, row, row - 3 if row >= 3 else 0] = 1.0
    close(shares.same_token(duplicate, rows), NAN, NAN, NAN, 1.0, 1.0, 1.0)
    close(shares.induction(duplicate, rows), NAN, NAN, NAN, 0.0, 0.0, 0.0)


def test_a_token_after_itself_is_not_what_followed_it() -> None:
    weights = torch.eye(3)[None]
    close(shares.induction(weights, Rows.plain(3, ids=[5, 5, 5], is_causal=True)), NAN, NAN, 0.0)


def test_one_word_is_the_strongest_column_that_is_neither_first_nor_a_delimiter() -> None:
    weights = torch.tensor([[[0.1, 0.1, 0.6, 0.2], [0.0, 0.0, 0.8, 0.2], [0.9, 0.0, 0.1, 0.0], [0.0, 0.0, 0.5, 0.5]]])
    close(one_word(weights, Rows.plain(4)), 0.5)
    assert columns(weights, Rows.plain(4)).largest[1].tolist() == [2]
    close(one_word(weights, Rows.plain(4, delimiters=(2,))), 0.225)
    close(one_word(weights, Rows.plain(4, delimiters=(1, 2, 3))), NAN)


def test_one_word_leaves_out_keys_that_few_rows_may_see_and_divides_by_those_that_do() -> None:
    weights = torch.tensor([[[1.0, 0.0, 0.0, 0.0], [0.4, 0.6, 0.0, 0.0], [0.6, 0.3, 0.1, 0.0], [0.0, 0.0, 0.0, 1.0]]])
    close(one_word(weights, Rows.plain(4, is_causal=True)), 0.3)  # key 1: (0.6 + 0.3 + 0) / 3; key 3 has one row


def test_value_norm_weighs_by_length() -> None:
    norms = torch.tensor([[2.0, 4.0, 0.0, 8.0]])
    close(value_norm(MAP, Rows.plain(4), norms), 3.0, 2.0, 3.5, 4.0)
    close(first_by_norm(MAP, Rows.plain(4), norms), 1 / 3, 1.0, 0.5 / 3.5, 0.0)


def test_variability_is_half_the_mean_change() -> None:
    same = torch.stack([MAP, MAP])
    close(variability(same), 0.0)
    apart = torch.stack([torch.eye(4)[None], torch.eye(4).roll(1, 1)[None]])
    close(variability(apart), 0.5)  # 1 − 1/S: nothing in common
    close(variability(MAP[None]), NAN)


def test_taking_the_first_token_out_divides_the_rest_by_what_is_left() -> None:
    left, rows, share = without_first(MAP, Rows.plain(4))
    close(share, 0.5, 0.0, 0.75, 1.0)
    close(left[0, 0], 0.0, 1.0, 0.0, 0.0)
    close(left[0, 1], 0.0, 0.0, 0.0, 0.0)
    close(shares.previous(left, rows), NAN, NAN, 1 / 3, 0.5)  # the second row's own previous token is the first


def test_a_row_that_may_look_at_nothing_never_counts() -> None:
    rows = Rows.plain(4, ids=[5, 5, 5, 5], delimiters=(3,))
    visible = rows.visible.clone()
    visible[0, 2] = False
    weights = MAP.clone()
    weights[0, 2] = 0.0
    for metric in OF_ROWS:
        assert metric.of_rows(weights, Rows(visible, rows.own, rows.keys))[0, 2].isnan(), metric.name


def test_metrics_that_need_places_of_one_text_have_no_value_in_cross_attention() -> None:
    rows = Rows.plain(2, n_keys=4)
    for metric in OF_ROWS:
        value = head_mean(metric.of_rows(MAP[:, :2], rows))
        if metric.only_self:
            assert value.isnan().all(), metric.name
    assert {m.name for m in METRICS if m.only_self} == {
        "distance", "previous", "next", "self", "same_token", "induction",
    }  # fmt: skip
    close(head_mean(shares.first(MAP[:, :2], rows)), 0.75)


@st.composite
def maps(draw: st.DrawFn) -> tuple[torch.Tensor, Rows]:
    n, heads = draw(st.integers(2, 9)), draw(st.integers(1, 3))
    is_causal, seed = draw(st.booleans()), draw(st.integers(0, 2**31))
    generator = torch.Generator().manual_seed(seed)
    ids = torch.randint(0, 4, (n,), generator=generator).tolist()
    rows = Rows.plain(n, ids=ids, is_causal=is_causal, delimiters=tuple(draw(st.sets(st.integers(1, n - 1)))))
    scores = torch.randn(heads, n, n, generator=generator) * draw(st.sampled_from([0.1, 1.0, 8.0]))
    return torch.softmax(scores.masked_fill(~rows.visible, float("-inf")), -1), rows


@given(maps())
@settings(max_examples=60, deadline=None)
def test_every_metric_stays_in_its_range_and_treats_heads_alone(drawn: tuple[torch.Tensor, Rows]) -> None:
    weights, rows = drawn
    for metric in OF_ROWS:
        values = metric.of_rows(weights, rows).expand(weights.shape[:-1])
        known = values[~values.isnan()]
        assert bool((known >= metric.low).all()), metric.name
        most = metric.high if metric.high is not None else {"bits": math.log2(9), "tokens": 8.0}[metric.unit]
        assert bool((known <= most + 1e-5).all()), metric.name
        flipped = metric.of_rows(weights.flip(0), rows).expand(weights.shape[:-1]).flip(0)
        torch.testing.assert_close(values, flipped, equal_nan=True, rtol=0, atol=1e-6)
    stripes = one_word(weights, rows)
    assert bool(((stripes >= 0) & (stripes <= 1 + 1e-5) | stripes.isnan()).all())


@given(maps(), st.integers(0, 2**31))
@settings(max_examples=40, deadline=None)
def test_entropy_evenness_and_sparsity_do_not_care_which_token_is_where(
    drawn: tuple[torch.Tensor, Rows], seed: int
) -> None:
    weights, rows = drawn
    order = torch.randperm(weights.shape[-1], generator=torch.Generator().manual_seed(seed))
    moved = Rows(rows.visible[..., order], rows.own, rows.keys)
    for name in ("entropy", "evenness", "sparsity"):
        of_rows = BY_NAME[name].of_rows
        torch.testing.assert_close(
            of_rows(weights, rows), of_rows(weights[..., order], moved), equal_nan=True, rtol=0, atol=1e-5
        )


@given(maps())
@settings(max_examples=40, deadline=None)
def test_variability_is_bounded_and_does_not_care_for_the_order_of_texts(drawn: tuple[torch.Tensor, Rows]) -> None:
    weights, _ = drawn
    value = variability(weights[:, None])
    assert value.isnan().all() if len(weights) < 2 else bool((value >= 0) & (value <= 1 - 1 / len(weights) + 1e-6))
    torch.testing.assert_close(value, variability(weights.flip(0)[:, None]), equal_nan=True)
