"""Events that come while another is at work: what is left undone is done, and what nobody chose is not taken."""

from types import SimpleNamespace

import pytest
import streamlit
from attnviz_app.host import events, url
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import TIMEOUT_S, link, menu


def counting():
    """A page whose first attempt at what is typed is cut off, as the next event would."""
    import streamlit as st
    from attnviz_app.host import events
    from streamlit.runtime.scriptrunner import StopException

    def add(text):
        st.session_state["tries"] = st.session_state.get("tries", 0) + 1
        if st.session_state["tries"] == 1:
            raise StopException()
        if text == "bad":
            raise ValueError(text)
        st.session_state["done"] = [*st.session_state.get("done", []), text]

    events.apply()
    st.text_input("text", key="text", on_change=events.later(add, "text"))
    st.button("again", key="again")


@pytest.fixture
def page():
    return AppTest.from_function(counting, default_timeout=TIMEOUT_S).run()


def test_what_a_stopped_run_left_undone_is_done_by_the_next(page):
    page.text_input[0].set_value("one").run()
    assert "done" not in page.session_state
    page.run()
    assert page.session_state["done"] == ["one"]
    page.run()
    assert page.session_state["done"] == ["one"]


def test_what_fails_is_said_once_and_not_tried_again(page):
    page.session_state["tries"] = 1
    page.text_input[0].set_value("bad").run()
    assert [error.message for error in page.exception] == ["bad"]
    assert not page.run().exception


def putting():
    """A page that gives a box a value of its own once a button is pressed."""
    import streamlit as st
    from attnviz_app.host import events

    events.apply()
    st.session_state.setdefault("asked", "first")
    st.button("ours", key="ours", on_click=events.later(lambda: st.session_state.update(asked="ours")))
    asked = st.session_state["asked"]
    key = events.put("text", asked)
    typed = events.changed(lambda text: st.session_state.update(asked=text), "text")
    st.text_input("text", asked, key=key, on_change=typed)


def test_a_value_of_ours_is_a_new_box_so_that_the_old_ones_value_is_nobodys_choice():
    page = AppTest.from_function(putting, default_timeout=TIMEOUT_S).run()
    before = page.text_input[0].key
    page.text_input[0].set_value("typed").run()
    assert page.text_input[0].key == before and page.session_state["asked"] == "typed"
    page.button(key="ours").click().run()
    assert page.text_input[0].key != before and page.text_input[0].value == "ours"
    page.session_state[before] = "typed"  # what a browser that heard nothing yet sends once more
    page.run()
    assert page.session_state["asked"] == "ours" and page.text_input[0].value == "ours"


def test_an_example_of_the_model_before_is_left_alone(opened):
    app = opened("heads", model="reverse", text="drawer")
    app.query_params.clear()
    app.button(key="text-box-show").click()
    menu(app).set_value("minilm-l6").run()
    assert link(app)["model"] == "minilm-l6"


class State(dict):
    to_dict = dict.copy


@pytest.mark.parametrize("is_one_message", [False, True])
def test_what_was_pressed_before_back_is_not_done_in_what_it_opened_what_comes_after_is(monkeypatch, is_one_message):
    state = State({"attnviz.events": []})
    monkeypatch.setattr(streamlit, "session_state", state)
    monkeypatch.setattr(streamlit, "query_params", {"text": "first"})
    url.begin("heads", frozenset(["text"]))
    url.taken()
    done = []
    press = events.later(done.append)
    if not is_one_message:
        press("typed")  # and its run is stopped by Back
    state[url.LINK] = SimpleNamespace(opened={"session": state["attnviz.url-session"], "n": 1, "query": "?text=second"})
    if is_one_message:  # Streamlit drops a run that has not begun when Back comes
        press("typed")
    assert url.begin("heads", frozenset(["text"])) == {"text": "second"}
    url.taken()
    events.apply()
    assert (done, state["attnviz.events"]) == ([], [])
    press("typed")
    events.apply()
    assert done == ["typed"]
