"""Further heads and filters in a link and in what a browser says: read back as written, and nothing else taken over."""

from dataclasses import replace

import pytest
from attnviz_app.heads import extra_heads
from attnviz_app.heads.query import Selection, fitted, from_link, picked, to_link

SHOWN = Selection("minilm-l6", "A cat.", 2, 9, 1)


def test_heads_and_filters_are_read_back_from_the_link_as_written() -> None:
    selection = replace(SHOWN, also=((0, 0), (5, 11)), together="max", filter="special words below-3")
    link = to_link(selection)
    assert (link["also"], link["together"], link["filter"]) == ("1.1,6.12", "max", "special words below-3")
    assert from_link(link, Selection("minilm-l6", ""), {"minilm-l6"}) == (selection, [])
    assert not {"also", "together", "filter"} & to_link(SHOWN).keys()


@pytest.mark.parametrize(
    "query",
    [{"also": "1"}, {"also": "0.1"}, {"also": "1.1," * 9}, {"together": "sum"}, {"filter": "special special"},
     {"filter": "below-0"}, {"filter": "below-100"}, {"filter": "<b>"}, {"filter": ""}],
)  # fmt: skip
def test_what_a_link_says_wrongly_is_said_and_left_out(query: dict[str, str]) -> None:
    opened, notices = from_link({"text": "A cat.", **query}, SHOWN, {"minilm-l6"})
    assert (opened.also, opened.together, opened.filter) == ((), "", "")
    assert [id for id, _ in notices] == ["notice-unreadable"]


@pytest.mark.parametrize("also", [None, "1.1", [[1]], [[1, "2"]], [[-1, 2]], [[True, 2]], {"0": 1}, [None]])
def test_a_browser_may_say_anything(also: object) -> None:
    said = {"layer": 1, "head": 1, "also": also, "together": ["max"], "filter": "drop table"}
    assert picked(SHOWN, said) == replace(SHOWN, layer=1, head=1)


def test_a_view_that_says_no_other_heads_shows_none() -> None:
    shown = replace(SHOWN, also=((0, 0),), together="max", filter="words")
    assert picked(shown, {"layer": 2, "head": 9}) == SHOWN
    assert picked(shown, {"token": 3}).also == ((0, 0),)


def test_other_heads_are_those_of_the_model_each_once_and_not_the_picked_one(minilm) -> None:
    asked = replace(SHOWN, also=((0, 1), (2, 9), (0, 1), (40, 1), *((1, head) for head in range(12))))
    selection, notices = fitted(asked, minilm.trace("A cat."))
    assert selection.also == ((0, 1), *((1, head) for head in range(6)))
    assert len(selection.also) + 1 == extra_heads.MOST and notices == []


def test_how_all_heads_are_looked_at_is_read_back_from_the_link_and_nothing_else_is_taken_over() -> None:
    look = "kind-previous kind-same-word sort-same_token_over show-first many"
    selection = replace(SHOWN, overview=look)
    assert to_link(selection)["overview"] == look
    assert from_link(to_link(selection), Selection("minilm-l6", ""), {"minilm-l6"}) == (selection, [])
    assert picked(SHOWN, {"layer": 2, "head": 9, "overview": look}).overview == look
    for wrong in ("sort-x", "many many", "", " ", "<b>", ["many"], None):
        assert picked(selection, {"layer": 2, "head": 9, "overview": wrong}).overview == ""
    opened, notices = from_link({"text": "A cat.", "overview": "sort-x"}, SHOWN, {"minilm-l6"})
    assert opened.overview == "" and [id for id, _ in notices] == ["notice-unreadable"]
