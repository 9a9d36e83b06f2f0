"""What is pointed at: out to a link and back, hostile links, and values that do not fit a trace."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from attnviz_app.selection import Selection, fitted, from_link, picked, to_link
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
    for one in (selection, replace(selection, token=None, released=True), replace(selection, token=None, key=3)):
        assert from_link(to_link(one), Selection("minilm-l6", ""), MODELS) == (one, [])


@given(st.dictionaries(st.sampled_from(["model", "text", "layer", "head", "token", "lang", "size"]), st.text()))
def test_no_link_raises(query):
    selection, _ = from_link(query, DEFAULT, MODELS)
    assert selection.model in MODELS
    assert selection.layer >= -1 and selection.head >= -1 and (selection.token is None or selection.token >= -1)
    selection.text.encode()


def test_a_released_token_is_in_the_link_and_comes_back():
    released = replace(DEFAULT, token=None, released=True)
    assert to_link(released)["token"] == "none"
    assert from_link(to_link(released), DEFAULT, MODELS) == (released, [])


def test_a_link_without_a_token_leaves_the_pick_to_the_view():
    unpicked = replace(DEFAULT, token=None)
    assert "token" not in to_link(unpicked)
    for before in (DEFAULT, replace(DEFAULT, token=None, released=True), replace(DEFAULT, token=None, key=1)):
        assert from_link(to_link(unpicked), before, MODELS) == (unpicked, [])


def test_a_token_pinned_on_the_right_is_in_the_link_and_comes_back():
    keyed = replace(DEFAULT, token=None, key=3)
    assert to_link(keyed)["key"] == "4"
    assert from_link(to_link(keyed), DEFAULT, MODELS) == (keyed, [])


def test_a_link_to_no_picture_keeps_what_is_pinned():
    assert from_link({"lang": "zh-TW"}, DEFAULT, MODELS)[0] == replace(DEFAULT, language="zh-TW")


@pytest.mark.parametrize(
    "query", [{"layer": "abc"}, {"head": "1.5"}, {"token": "abc"}, {"key": "x"}, {"lang": "xx"}, {"size": "huge"}]
)
def test_what_cannot_be_read_is_left_out_with_a_notice(query):
    selection, notices = from_link(query, DEFAULT, MODELS)
    name, value = next(iter(query.items()))
    assert notices == [("notice-unreadable", (("value", f"{name}={value}"),))]
    assert (selection.layer, selection.head, selection.language) == (5, 11, "en")


@pytest.mark.parametrize("name", ["layer", "head", "token", "key"])
@pytest.mark.parametrize("written", ["0", "-3", "-" + "9" * 400])
def test_a_number_below_one_is_moved_inside_with_a_notice(name, written):
    selection, notices = from_link({name: written}, DEFAULT, MODELS)
    inside, more = fitted(selection, a_trace())
    assert notices == [] and getattr(inside, name) == 0
    assert [id for id, _ in more] == ["notice-token" if name == "key" else f"notice-{name}"]


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


@pytest.mark.parametrize(
    ("said", "token", "key", "released"),
    [
        ({"layer": 1, "head": 2, "token": 3, "key": None, "released": False}, 3, None, False),
        ({"layer": 1, "head": 2, "token": None, "key": None, "released": True}, None, None, True),
        ({"layer": 1, "head": 2, "token": None, "key": 4, "released": False}, None, 4, False),
        ({"layer": 1, "head": 2, "token": None, "key": None, "released": False}, None, None, False),
        ({"layer": 1, "head": 2, "token": -1, "key": "x", "released": "no"}, None, None, False),
    ],
)
def test_what_a_view_says_is_picked_is_taken_over(said, token, key, released):
    before = Selection("minilm-l6", "The dog.", token=7)
    after = picked(before, said)
    assert (after.layer, after.head, after.token, after.key, after.released) == (1, 2, token, key, released)


def test_a_view_that_says_nothing_changes_nothing():
    before = Selection("minilm-l6", "The dog.", token=7)
    assert picked(before, {}) == picked(before, {"layer": True, "head": -1}) == before
