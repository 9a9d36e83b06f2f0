"""How far each head moved from one run to another: maps small enough to check by hand."""

import pytest
import torch

import attnviz as av
from attnviz.analysis.compare.moved_heads import unevenness
from attnviz.analysis.compare.self_attention_heads import heads_of, maps_of
from attnviz.core.errors import InputError

EVEN = torch.full((3, 3), 1 / 3)


def trace_of(text: str, *heads: torch.Tensor, name: str = "test") -> av.Trace:
    """One layer of these maps; a weight of 0 would be a key that a mask forbids."""
    return av.Trace.from_arrays(torch.stack(heads)[None].clamp_min(1e-38), text.split(), name=name)


def test_a_head_that_leaves_the_first_token_for_the_word_before_says_so() -> None:
    """Rows 0 and 1 look at the first token in both; rows 2 and 3 leave it, all of their weight: half of the head's."""
    even, first, before = torch.full((4, 4), 1 / 4), torch.eye(4)[[0, 0, 0, 0]], torch.eye(4)[[0, 0, 1, 2]]
    moved, still = av.compare(trace_of("a b c d", even, first), trace_of("a b c d", even, before)).moves
    assert (moved.head.head, moved.row, moved.left, moved.reached) == (1, 2, 0, "before")
    assert (moved.share, moved.row_share) == pytest.approx((1 / 2, 1), abs=1e-6)
    assert (still.head.head, still.left, still.reached) == (0, None, None) and still.share == pytest.approx(0, abs=1e-6)


def test_of_two_texts_what_a_sink_takes_or_gives_makes_no_head_the_farthest() -> None:
    """Five heads look at the first token. In B one takes much from it, another moves less between two words."""
    first = torch.eye(6)[[0] * 6]
    from_sink, from_word, to_word = first.clone(), first.clone(), first.clone()
    from_sink[5] = torch.tensor([0.5, 0, 0, 0, 0, 0.5])
    from_word[5], to_word[5] = torch.tensor([0.6, 0.4, 0, 0, 0, 0]), torch.tensor([0.6, 0, 0.4, 0, 0, 0])
    texts = "a cat sat on it now", "a dog sat on it now"
    found = av.compare(
        trace_of(texts[0], *[first] * 5, first, from_word), trace_of(texts[1], *[first] * 5, from_sink, to_word)
    )
    assert found.sinks.tokens == (0,) and found.sinks.share > 0.8
    farthest, second = found.moves[:2]
    assert (farthest.head.head, farthest.left, farthest.reached) == (6, 1, 2)
    assert (farthest.row_share, second.row_share) == pytest.approx((0.4, 0.25), abs=1e-6) and second.head.head == 5
    assert found.next_row is None  # these maps write no next word
    of_one_text = av.compare(trace_of(texts[0], *[first] * 5), trace_of(texts[0], *[from_sink] * 5))
    assert of_one_text.sinks.tokens == ()  # a sink that another model has is a difference


def test_of_two_texts_a_swapped_word_draws_what_moved() -> None:
    to_word = torch.eye(3)[[1, 1, 1]]
    found = av.compare(trace_of("a cat sat", torch.eye(3)[[0, 0, 0]]), trace_of("a dog sat", to_word))
    (move,) = found.moves
    assert move.share == pytest.approx(1, abs=1e-6) and (move.left, move.reached) == (0, 1)
    assert found.is_of_two_texts and found.units.each[1].label == "cat / dog"


def test_a_head_that_goes_with_a_word_to_its_new_place_did_not_move() -> None:
    """Both heads look at the cat in A; in B the first one looks at it where it is now, the other at another word."""
    texts = "the cat saw a dog now", "the dog saw a cat now"
    cat, dog, saw = (torch.eye(6)[[at] * 6] for at in (1, 4, 2))
    found = av.compare(trace_of(texts[0], cat, cat), trace_of(texts[1], dog, saw))
    assert found.units.by_word == (0, 4, 2, 3, 1, 5)
    moved, still = found.moves
    assert (moved.head.head, moved.reached, moved.followed) == (1, 2, 0) and moved.share == pytest.approx(1, abs=1e-6)
    assert (still.share, still.followed) == pytest.approx((0, 1), abs=1e-6)
    assert av.compare(trace_of("a cat", EVEN[:2, :2]), trace_of("a dog", EVEN[:2, :2])).units.by_word is None


def test_what_lies_outside_the_common_words_is_no_move() -> None:
    """B's head looks at the added word alone; on the words that both have, its rows have nothing to compare."""
    added = torch.tensor([[0.0, 1, 0], [0, 1, 0], [0, 1, 0]])
    found = av.compare(trace_of("a cat", torch.eye(2)), trace_of("a big cat", added))
    assert found.units.left_out == ((), ("big",)) and all(0 <= move.share <= 1 for move in found.moves)


def test_of_texts_that_go_on_the_row_of_the_next_word_counts_alone() -> None:
    model = av.load("induction")
    found = av.compare(model.trace("a b c a b"), model.trace("a b c c b"))
    assert found.next_row == 5 and {move.row for move in found.moves} == {5}
    maps = [maps_of(trace, found.units, side)[0] for trace, side in zip(found.traces, "ab", strict=True)]
    for move, at in [(move, heads_of(found.trace_a).index(move.head)) for move in found.moves]:
        by_hand = (maps[1] - maps[0])[at, 5, :5].abs().sum() / 2  # without what it gives itself; there is no sink
        assert move.share == pytest.approx(float(by_hand), abs=1e-6)
    assert av.compare(model.trace("a b c a b"), model.trace("a b c a")).next_row is None  # another word writes it there


def test_uneven_is_what_lies_elsewhere_than_in_equal_shares() -> None:
    """One key of three has all: 2/3 lie elsewhere. A causal head that is even on what it can attend to is even."""
    causal = torch.tensor([[1.0, 0, 0], [0.5, 0.5, 0], [1 / 3, 1 / 3, 1 / 3]])
    one = torch.eye(3).clamp_min(1e-9)
    assert unevenness(torch.stack([EVEN, one, causal])).tolist() == pytest.approx([0, 2 / 3, 0], abs=1e-6)


def test_heads_of_another_shape_did_not_move() -> None:
    found = av.compare(trace_of("a b c", EVEN), trace_of("a b c", EVEN, EVEN, name="other"))
    with pytest.raises(InputError, match="test and other differ in layers or heads"):
        _ = found.moves
