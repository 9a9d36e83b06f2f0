"""Who says which head is picked, while one picture is on the screen and another on its way."""

from dataclasses import replace

import pytest
from attnviz_app import page_state
from attnviz_app.heads.query import Selection
from streamlit.testing.v1 import AppTest

from attnviz.views import Pick
from tests.pages.conftest import TIMEOUT_S

SHOWN = Selection("minilm-l6", "The cat sat.", layer=5, head=11, token=2)


def session():
    """A session in which one thing is done to what is pointed at; nothing is drawn."""
    import streamlit as st
    from attnviz_app import page_state
    from attnviz_app.settings import settings

    page_state.begin(settings())
    st.session_state["attnviz.shown"] = st.session_state["shown"]
    st.session_state["attnviz.wanted"] = st.session_state["wanted"]
    st.session_state["act"]()
    st.session_state["after"] = (page_state.read(), page_state.wanted())


def after(act, shown=SHOWN, wanted=None):
    """What is shown and what is wanted once this was done."""
    app = AppTest.from_function(session, default_timeout=TIMEOUT_S)
    app.session_state["shown"], app.session_state["wanted"] = shown, wanted or shown
    app.session_state["act"] = act
    app.run()
    assert not app.exception
    return app.session_state["after"]


def pick(shown, **changes):
    return replace(shown, layer=4, head=10, **changes)


def test_what_is_picked_in_the_shown_picture_is_taken_whole():
    pointed = pick(SHOWN, token=None, key=1)
    assert after(lambda: page_state.point(pointed, is_in_shown=True)) == (pointed, pointed)


def test_of_a_pick_in_the_picture_before_a_typed_text_keeps_the_head_alone():
    shown = replace(SHOWN, token=None, keeps_head=True)
    pointed = pick(shown, token=7)
    expected = replace(shown, layer=4, head=10)
    assert after(lambda: page_state.point(pointed, is_in_shown=False), shown) == (expected, expected)


def test_further_heads_and_filters_stay_with_the_head_where_a_text_is_typed_and_leave_with_an_example():
    shown = replace(SHOWN, token=None, keeps_head=True)
    together = {"also": ((1, 1),), "together": "max", "filter": "words"}
    expected = replace(shown, layer=4, head=10, **together)
    pointed = pick(shown, token=7, **together)
    assert after(lambda: page_state.point(pointed, is_in_shown=False), shown) == (expected, expected)
    _, asked = after(lambda: page_state.want("A dog.", Pick(0, 2, 3)), replace(SHOWN, **together))
    assert (asked.also, asked.filter) == ((), "words")


def test_a_pick_in_the_picture_before_an_example_is_forgotten():
    assert after(lambda: page_state.point(pick(SHOWN), is_in_shown=False)) == (SHOWN, SHOWN)


def test_a_text_on_its_way_takes_the_head_that_is_picked_before_it_comes_and_no_word():
    wanted = replace(SHOWN, text="A dog.", token=None, keeps_head=True)
    shown, asked = after(lambda: page_state.point(pick(SHOWN, token=1), is_in_shown=True), SHOWN, wanted)
    assert (shown.layer, shown.head, shown.token) == (4, 10, 1)
    assert asked == replace(wanted, layer=4, head=10)


def test_an_example_on_its_way_keeps_its_own_head():
    wanted = replace(SHOWN, text="A dog.", layer=0, head=2, token=3)
    shown, asked = after(lambda: page_state.point(pick(SHOWN), is_in_shown=True), SHOWN, wanted)
    assert (shown.layer, shown.head, asked) == (4, 10, wanted)


def test_a_typed_text_keeps_the_head_of_the_picture_and_lets_it_be_changed():
    _, asked = after(lambda: page_state.want("A dog."))
    assert asked == replace(SHOWN, text="A dog.", token=None, keeps_head=True)


def test_an_example_brings_its_own_head():
    _, asked = after(lambda: page_state.want("A dog.", Pick(0, 2, 3)), replace(SHOWN, keeps_head=True))
    assert asked == replace(SHOWN, text="A dog.", layer=0, head=2, token=3)


def test_a_text_typed_for_a_model_on_its_way_has_that_models_head():
    wanted = replace(SHOWN, model="reverse", layer=0, head=1, token=None)
    _, asked = after(lambda: page_state.want("drawer"), SHOWN, wanted)
    assert asked == replace(wanted, text="drawer")


@pytest.mark.parametrize("pinned", [{"token": 2}, {"token": None, "key": 1}, {"token": None, "released": True}])
def test_the_shown_text_typed_again_changes_nothing(pinned):
    shown = replace(SHOWN, **pinned)
    assert after(lambda: page_state.want(SHOWN.text), shown, replace(shown, text="x" * 9999)) == (shown, shown)
