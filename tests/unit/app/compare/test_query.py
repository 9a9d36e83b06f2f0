"""The Compare page's link: it says the whole screen, and nothing in it can raise."""

import pytest
from attnviz_app.compare.query import Comparing, from_link, pointed, to_link

KNOWN = {"minilm-l6", "reverse", "untrained:minilm-l6"}


def test_a_link_brings_the_whole_screen_back() -> None:
    now = Comparing("minilm-l6", "untrained:minilm-l6", "a cat", "a dog", (5, 10, 0, 2), (7, 0))
    link = to_link(now)
    assert link["pair"] == "6.11-1.3" and link["spot"] == "8-1"  # counted from 1
    assert from_link(link, KNOWN) == now


def test_what_nobody_chose_is_not_in_the_link() -> None:
    assert to_link(Comparing()) == {} and from_link({}, KNOWN) == Comparing()


@pytest.mark.parametrize(
    "query",
    [
        {"a": "../../etc/passwd"},
        {"b": "untrained:other"},
        {"pair": "0.1-1.1"},
        {"pair": "1.1-1"},
        {"pair": "1.1-1.1e9"},
        {"pair": "99999.1-1.1"},
        {"pair": "1.1-1.1\n"},
        {"spot": "-1-2"},
        {"spot": "1"},
        {"spot": "٣-٣"},
    ],
)
def test_a_link_that_says_it_wrongly_is_left_to_the_page(query: dict[str, str]) -> None:
    assert from_link(query, KNOWN) == Comparing()


def test_half_a_character_in_a_link_is_replaced() -> None:
    assert from_link({"both": "a\ud83d"}, KNOWN).text == "a?"


def test_a_picture_says_what_is_picked() -> None:
    now = pointed(Comparing("a", "b"), {"a": [5, 10], "b": [0, 2], "query": 7, "key": 1})
    assert now.heads == (5, 10, 0, 2) and now.spot == (7, 1)
    assert now.pair is not None and now.pair.head_b == 2
    assert pointed(now, {"a": [1, 1], "b": [1, 1], "query": None, "key": None}).spot is None


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"a": [1]},
        {"a": [1, "2"], "b": [0, 0]},
        {"a": [True, 0], "b": [0, 0]},
        {"a": [-1, 0], "b": [0, 0]},
        {"a": [10**9, 0], "b": [0, 0]},
        {"a": 3, "b": 4},
    ],
)
def test_a_browser_may_say_anything(said: dict[str, object]) -> None:
    now = Comparing(heads=(1, 1, 1, 1))
    assert pointed(now, said) == now
