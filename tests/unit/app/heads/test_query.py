"""What is pointed at: out to a link and back, hostile links, and values that do not fit a trace."""

from dataclasses import replace

import pytest
import torch
from attnviz_app.heads.query import Selection, fitted, from_link, picked, to_link
from hypothesis import given
from hypothesis import strategies as st

from attnviz.core.masks import Mask
from attnviz.core.site import Site
from attnviz.trace.records import AttentionRecord
from attnviz.trace.sources import Kept
from attnviz.trace.tokens import TokenPair, Tokens
from attnviz.trace.trace import Card, Trace

MODELS = ("minilm-l6",)
DEFAULT = Selection("minilm-l6", "The cat.", layer=5, head=11, token=2)


def attention(stack, kind, layer, n_heads, n_queries, n_keys):
    """One attention that looks everywhere alike."""
    source = Kept(torch.zeros(n_heads, n_queries, n_keys), torch.zeros(n_heads, n_keys, 2), Mask(n_queries, n_keys))
    site = Site(stack, kind, layer)
    return site.key, AttentionRecord(site=site, source=source)


def a_trace(n_tokens=4, n_layers=6, n_heads=12):
    """A run of a model with one stack."""
    tokens = Tokens.plain([f"w{i}" for i in range(n_tokens)])
    records = dict(attention("encoder", "self", layer, n_heads, n_tokens, n_tokens) for layer in range(n_layers))
    return Trace(Card("m", "M", "bert", n_layers, n_heads, 24), TokenPair(tokens), records)


def a_translation(n_read=7, n_written=3, n_encoder=2, n_decoder=1, n_heads=2):
    """A run of a model that reads one text and writes another, with fewer layers in its decoder."""
    source, target = (Tokens.plain([f"w{i}" for i in range(n)]) for n in (n_read, n_written))
    encoder = [attention("encoder", "self", at, n_heads, n_read, n_read) for at in range(n_encoder)]
    own = [attention("decoder", "self", at, n_heads, n_written, n_written) for at in range(n_decoder)]
    cross = [attention("decoder", "cross", at, n_heads, n_written, n_read) for at in range(n_decoder)]
    card = Card("t", "T", "from scratch", n_decoder, n_heads, 24)
    return Trace(card, TokenPair(source, target), dict([*encoder, *own, *cross]))


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
    target=st.text(st.characters(exclude_categories=["Cs"])),
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


@given(
    st.dictionaries(
        st.sampled_from(["model", "text", "target", "part", "layer", "head", "token", "lang", "size"]), st.text()
    )
)
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


def test_a_part_is_in_the_link_and_comes_back():
    crossed = replace(DEFAULT, part="decoder")
    assert to_link(crossed)["part"] == "decoder"
    assert from_link(to_link(crossed), DEFAULT, MODELS) == (crossed, [])
    assert from_link({"part": "sideways"}, DEFAULT, MODELS)[1] == [("notice-unreadable", (("value", "part=sideways"),))]


def test_each_part_has_layers_and_texts_of_its_own():
    far = Selection("t", "x", layer=9, head=9, token=9)
    at = {part: fitted(replace(far, part=part), a_translation())[0] for part in ("", "cross", "encoder", "decoder")}
    assert {part: (one.part, one.layer, one.head, one.token) for part, one in at.items()} == {
        "": ("cross", 0, 1, 2),
        "cross": ("cross", 0, 1, 2),
        "encoder": ("encoder", 1, 1, 6),
        "decoder": ("decoder", 0, 1, 2),
    }
    column = replace(far, token=None, key=9)
    assert fitted(replace(column, part="cross"), a_translation())[0].key == 6
    assert fitted(replace(column, part="decoder"), a_translation())[0].key == 2


def test_a_model_with_one_part_names_none():
    assert fitted(replace(DEFAULT, token=1), a_trace()) == (replace(DEFAULT, token=1), [])
    inside, notices = fitted(replace(DEFAULT, token=1, part="cross"), a_trace())
    assert inside.part == "" and notices == [("notice-part", ())]


def test_a_link_to_another_model_starts_with_its_first_head():
    assert from_link({"model": "other"}, DEFAULT, ("minilm-l6", "other"))[0] == Selection("other", "The cat.")


def test_a_model_that_made_room_is_told_from_one_that_never_was():
    gone = from_link({"model": "run-0123456789"}, DEFAULT, MODELS, removed=("run-0123456789",))
    assert [id for id, _ in gone[1]] == ["notice-removed"] and gone[0].model == "minilm-l6"
