"""Widget events: what was pressed before Back is not done in the picture that it opened; what comes after it is."""

from types import SimpleNamespace

import pytest
import streamlit as st
from attnviz_app.host import events, url


class State(dict):
    to_dict = dict.copy


@pytest.fixture
def state(monkeypatch) -> State:
    state = State({"attnviz.events": []})
    monkeypatch.setattr(st, "session_state", state)
    monkeypatch.setattr(st, "query_params", {"text": "first"})
    url.begin("heads", frozenset(["text"]))
    url.taken()
    return state


@pytest.mark.parametrize("is_after", [False, True])
def test_what_was_pressed_in_a_picture_that_was_left_by_back_is_not_done_in_the_one_it_opened(state, is_after) -> None:
    done: list[str] = []
    press = events.later(done.append)
    if not is_after:
        press("typed")  # and its run is stopped by Back
    state[url.LINK] = SimpleNamespace(opened={"session": state["attnviz.url-session"], "n": 1, "query": "?text=second"})
    if is_after:
        press("typed")
    assert url.begin("heads", frozenset(["text"])) == {"text": "second"}
    url.taken()
    events.apply()
    assert (done, state["attnviz.events"]) == (["typed"] if is_after else [], [])
