"""Inputs that come while another is at work: what is left undone is done, and what nobody typed is not taken."""

import pytest
from attnviz_app import page_state
from attnviz_app.compare import state as compare_state
from attnviz_app.host import url
from attnviz_app.step import state as step_state
from attnviz_app.train import state as training_state
from streamlit.testing.v1 import AppTest

from attnviz.text import strings
from tests.pages.conftest import TIMEOUT_S, link

DOG = "The dog barked at the mailman because he was late."
CAT = "The cat sat on the mat because it was tired."


def counting():
    """A page whose first attempt at what a button asks for is cut off, as the next input would."""
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

    events.take()
    st.text_input("text", key="text", on_change=events.later(add, "text"))
    st.button("again", key="again")
    events.finish()


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
    """A page that gives a box a value, and is then heard late."""
    import streamlit as st
    from attnviz_app.host import events

    events.take()
    if "asked" not in st.session_state:
        st.session_state["asked"] = True
        events.put("text", "ours")
    st.text_input("text", key="text")
    events.finish()


def test_what_was_typed_before_our_value_came_is_sent_after_it(monkeypatch):
    page = AppTest.from_function(putting, default_timeout=TIMEOUT_S).run()
    monkeypatch.setattr(url, "is_late", lambda: True)
    page.text_input[0].set_value("typed").run()
    assert page.text_input[0].proto.set_value and page.text_input[0].value == "typed"
    page.run()
    assert not page.text_input[0].proto.set_value  # once: the person may be typing on


def send_late(app, before):
    """Another input of a browser that still shows the link and the text of before."""
    for name in list(app.query_params):
        del app.query_params[name]
    for name, value in before.items():
        app.query_params[name] = value
    app.text_input(key=page_state.TEXT).set_value(before["text"])
    app.toggle(key=page_state.SIZE).set_value(True)
    return app.run()


def test_the_old_text_of_a_box_is_not_taken_for_a_typed_one(opened):
    app = opened("home")
    before = link(app)
    app.button(key="example-agreement").click().run()
    send_late(app, before)
    text = strings("en")("example-agreement-text")
    assert link(app)["text"] == app.text_input(key=page_state.TEXT).value == text
    assert link(app)["size"] == "projector"


def test_the_text_of_before_can_be_typed_again(opened):
    app = opened("home")
    app.button(key="example-agreement").click().run()
    app.text_input(key=page_state.TEXT).set_value(CAT).run()
    assert link(app)["text"] == CAT


def test_an_example_of_the_model_before_is_left_alone(opened):
    app = opened("home")
    app.button(key="example-agreement").click()
    app.selectbox(key=page_state.MODEL).set_value("reverse").run()
    assert not app.exception
    assert link(app)["model"] == "reverse"


def test_a_model_and_a_text_in_one_go_are_both_taken(opened):
    app = opened("heads")
    app.selectbox(key=page_state.MODEL).set_value("reverse")
    app.text_input(key=page_state.TEXT).set_value("drawer").run()
    assert (link(app)["model"], link(app)["text"]) == ("reverse", "drawer")
    assert app.text_input(key=page_state.TEXT).value == "drawer"


def test_the_shown_text_asked_for_again_keeps_what_is_pinned(opened):
    app = opened("heads", text=DOG, token="4")
    app.button(key=page_state.SHOW).click().run()
    assert link(app)["token"] == "4"


def late(app, before, key, value):
    """Another input of a browser that has not heard of the last answer: its link and its boxes are those of before."""
    for name in list(app.query_params):
        del app.query_params[name]
    for name, old in before.items():
        app.query_params[name] = old
    app.selectbox(key=key).set_value(value)
    app.toggle(key=page_state.SIZE).set_value(True)
    return app.run()


def test_sides_that_were_swapped_stay_so_where_the_browser_hears_it_late(opened):
    app = opened("compare", a="reverse", b="induction", both="a b c d")
    before = link(app)
    app.button(key=compare_state.SWAP).click().run()
    late(app, before, compare_state.A, "reverse")
    assert (link(app)["a"], link(app)["b"], link(app)["size"]) == ("induction", "reverse", "projector")
    assert app.selectbox(key=compare_state.A).value == "induction"


@pytest.mark.parametrize(
    ("page", "name", "key"), [("train", "task", training_state.TASK), ("step", "on", step_state.MODEL)]
)
def test_a_choice_stays_where_the_browser_hears_it_late(opened, page, name, key):
    app = opened(page, **{name: "reverse"})
    before = link(app)
    app.selectbox(key=key).set_value("induction").run()
    late(app, before, key, "induction")
    assert (link(app)[name], link(app)["size"]) == ("induction", "projector")
