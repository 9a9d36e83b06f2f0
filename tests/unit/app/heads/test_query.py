"""What the pages of heads are asked and what a link says is picked: out and back, hostile links, what fits no run."""

from dataclasses import replace

import pytest
from attnviz_app.heads.query import MOST, NAMES, PICKED, Picked, Question, fitted, from_link, picked_in, to_link
from hypothesis import given
from hypothesis import strategies as st

import attnviz as av

MODELS = ("minilm-l6",)
DEFAULT = Question("minilm-l6", "The cat.")


@pytest.fixture(scope="module")
def trace(minilm):
    """Of 4 tokens, by 6 layers of 12 heads."""
    return minilm.trace("The cat")


questions = st.builds(
    Question,
    model=st.just("minilm-l6"),
    text=st.text(st.characters(exclude_categories=["Cs"]), min_size=1),
    target=st.text(st.characters(exclude_categories=["Cs"])),
    part=st.sampled_from(["", "encoder", "cross"]),
)


@given(questions)
def test_a_question_that_goes_into_a_link_comes_out_of_it(question):
    link = {name: value for name, value in to_link(question).items() if value}
    assert from_link(link, Question("minilm-l6", ""), MODELS) == (question, [])


@given(st.dictionaries(st.sampled_from([*NAMES, *PICKED]), st.text()))
def test_no_link_raises(query):
    question, _ = from_link(query, DEFAULT, MODELS)
    picked, _ = picked_in(query)
    assert question.model in MODELS
    assert min(picked.layer, picked.head, picked.token or 0, picked.key or 0) >= -1


def test_another_text_or_model_starts_anew_and_a_silent_link_keeps_what_is_asked():
    assert from_link({"text": "Other."}, DEFAULT, MODELS)[0] == Question("minilm-l6", "Other.")
    assert from_link({"model": "other"}, DEFAULT, ("other",))[0] == Question("other", "The cat.")
    assert from_link({"layer": "3"}, DEFAULT, MODELS) == (DEFAULT, [])


@pytest.mark.parametrize(("query", "expected"), [
    ({"layer": "6", "head": "12", "token": "3"}, Picked(5, 11, 2)),
    ({"token": "none"}, Picked(released=True)),
    ({"key": "4"}, Picked(key=3)),
    ({"view": "heatmap"}, Picked(view="heatmap")),
    ({"also": "1.1,6.12", "together": "max"}, Picked(also=((0, 0), (5, 11)), together="max")),
    ({"filter": "special words below-3"}, Picked(filter="special words below-3")),
    ({"overview": "kind-previous sort-first silenced-5"}, Picked(overview="kind-previous sort-first silenced-5")),
    ({"beside": "effect-mean"}, Picked(beside="effect-mean")),
    ({}, Picked()),
])  # fmt: skip
def test_a_link_says_what_is_picked_and_counts_from_one(query, expected):
    assert picked_in(query) == (expected, [])


WRONG = [
    *({name: "abc"} for name in ("layer", "head", "token", "key", "view", "together", "overview", "beside")),
    *({"also": written} for written in ("1", "0.1", "1.1," * 9)),
    *({"filter": written} for written in ("special special", "below-0", "below-100", "<b>")),
    {"head": "1.5"}, {"overview": "many many"},
]  # fmt: skip


@pytest.mark.parametrize("query", WRONG)
def test_what_cannot_be_read_is_left_out_with_a_notice(query):
    picked, notices = picked_in(query)
    name, value = next(iter(query.items()))
    assert picked == Picked() and notices == [("notice-unreadable", (("value", f"{name}={value}"),))]


@pytest.mark.parametrize("name", ["layer", "head", "token", "key"])
@pytest.mark.parametrize("written", ["0", "-3", "-" + "9" * 400, "9" * 5000])
def test_a_number_outside_is_moved_inside_with_a_notice(trace, name, written):
    picked, notices = picked_in({name: written})
    _, inside, more = fitted(DEFAULT, picked, trace)
    last = {"layer": 5, "head": 11, "token": 3, "key": 3}[name]
    assert notices == [] and getattr(inside, name) == (0 if written[0] in "-0" else last)
    assert [id for id, _ in more] == ["notice-token" if name == "key" else f"notice-{name}"]
    assert dict(more[0][1]) == {"n": last + 1, "shown": getattr(inside, name) + 1}


@pytest.mark.parametrize(("query", "removed", "id"), [
    ({"model": "../../etc/passwd"}, (), "notice-model"), ({"model": "gone"}, ("gone",), "notice-removed"),
    ({"part": "sideways"}, (), "notice-unreadable"),
])  # fmt: skip
def test_a_model_or_a_part_that_there_is_not_is_left_out_with_a_notice(query, removed, id):
    question, notices = from_link(query, DEFAULT, MODELS, removed)
    assert question == DEFAULT and [it for it, _ in notices] == [id]


def test_each_part_has_layers_and_texts_of_its_own():
    reverse, found = av.load("reverse").trace("a b c d e f", target="a b"), {}
    for part in ("", "cross", "encoder", "decoder"):
        question, picked, _ = fitted(replace(DEFAULT, part=part), Picked(9, 9, 9), reverse)
        found[part] = (question.part, picked.layer, picked.head, picked.token)
    assert found == {
        "": ("cross", 0, 1, 2),
        "cross": ("cross", 0, 1, 2),
        "encoder": ("encoder", 1, 1, 6),
        "decoder": ("decoder", 0, 1, 2),
    }
    assert fitted(replace(DEFAULT, part="cross"), Picked(key=9), reverse)[1].key == 6


def test_a_model_with_one_part_names_none(trace):
    question, _, notices = fitted(replace(DEFAULT, part="cross"), Picked(), trace)
    assert question.part == "" and notices == [("notice-part", ())]


def test_other_heads_are_those_of_the_model_each_once_and_not_the_picked_one(trace):
    asked = Picked(2, 9, also=((0, 1), (2, 9), (0, 1), (40, 1), *((1, head) for head in range(12))))
    _, picked, notices = fitted(DEFAULT, asked, trace)
    assert picked.also == ((0, 1), *((1, head) for head in range(6)))
    assert len(picked.also) + 1 == MOST and notices == []
