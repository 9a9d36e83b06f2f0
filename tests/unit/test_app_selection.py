"""What is pointed at: out to a link and back, hostile links, and values that do not fit a trace."""

from types import SimpleNamespace

import pytest
from attnviz_app.selection import Selection, fitted, from_link, to_link
from hypothesis import given
from hypothesis import strategies as st

from attnviz.core.trace import TokenPair, Tokens

MODELS = ("minilm-l6",)
DEFAULT = Selection("minilm-l6", "The cat.", layer=5, head=11, token=2)


def a_trace(n_tokens=4, n_layers=6, n_heads=12):
    """The part of a trace that a selection is fitted to."""
    tokens = Tokens.plain([f"w{i}" for i in range(n_tokens)])
    return SimpleNamespace(card=SimpleNamespace(n_layers=n_layers, n_heads=n_heads), tokens=TokenPair(tokens))


def test_a_link_counts_from_one():
    assert to_link(DEFAULT) == {
        "model": "minilm-l6", "text": "The cat.", "layer": "6", "head": "12", "token": "3", "lang": "en",
    }  # fmt: skip


def test_a_link_says_the_size_only_where_it_is_not_the_usual_one():
    assert to_link(Selection("m", "t", size="projector"))["size"] == "projector"


selections = st.builds(
    Selection,
    model=st.just("minilm-l6"),
    text=st.text(st.characters(exclude_categories=["Cs"]), min_size=1),
    layer=st.integers(0, 99),
    head=st.integers(0, 99),
    token=st.none() | st.integers(0, 999),
    language=st.sampled_from(["en", "zh-CN", "zh-TW"]),
    size=st.sampled_from(["normal", "projector"]),
)


@given(selections)
def test_what_goes_into_a_link_comes_out_of_it(selection):
    assert from_link(to_link(selection), Selection("minilm-l6", ""), MODELS) == (selection, [])


@given(st.dictionaries(st.sampled_from(["model", "text", "layer", "head", "token", "lang", "size"]), st.text()))
def test_no_link_raises(query):
    selection, _ = from_link(query, DEFAULT, MODELS)
    assert selection.model in MODELS
    assert selection.layer >= 0 and selection.head >= 0 and (selection.token is None or selection.token >= 0)
    selection.text.encode()


@pytest.mark.parametrize("written", ["0", "-3", "1e9", "x", "", "٣", "9" * 5000, "1.5", " 2", "2; drop"])
def test_numbers_that_are_none_are_replaced_or_fitted(written):
    selection, _ = from_link({"layer": written}, DEFAULT, MODELS)
    inside, _ = fitted(selection, a_trace())
    assert 0 <= inside.layer < 6


def test_a_model_that_is_not_offered_is_replaced_with_a_notice():
    selection, notices = from_link({"model": "../../etc/passwd"}, DEFAULT, MODELS)
    assert selection.model == "minilm-l6"
    assert [id for id, _ in notices] == ["notice-model"]


def test_half_a_surrogate_pair_becomes_a_question_mark():
    assert from_link({"text": "a\ud800b"}, DEFAULT, MODELS)[0].text == "a?b"


def test_another_text_does_not_keep_the_token_of_the_one_before():
    assert from_link({"text": "Other words."}, DEFAULT, MODELS)[0].token is None


def test_what_lies_outside_a_trace_is_moved_inside_with_a_notice_each():
    selection, notices = fitted(Selection("m", "t", layer=98, head=98, token=98), a_trace())
    assert (selection.layer, selection.head, selection.token) == (5, 11, 3)
    assert [id for id, _ in notices] == ["notice-layer", "notice-head", "notice-token"]
    assert dict(notices[0][1]) == {"n": 6, "shown": 6}


def test_what_lies_inside_a_trace_stays():
    assert fitted(DEFAULT, a_trace()) == (DEFAULT, [])
