"""Which model a person looks at: the menu, the texts prepared for it, and what becomes of a text it cannot read."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st
from attnviz_app import page_state
from attnviz_app.serving.allowed_models import offer
from attnviz_app.serving.examples import Examples, examples_of, task_of, text_of

from attnviz.views import Moment, Pick

OWN_RUNS = 6  # trained models of this person that stand in the menu
FIRST = Pick(0, 0)
_IS_SWITCHED, _SEEN = "attnviz.is-switched", "attnviz.seen"


def task(model: str) -> str | None:
    """The task a model was trained for here or by us; None for a model of ordinary text."""
    return offer().task(model) or task_of(model)


def models() -> tuple[str, ...]:
    """The models of the menu: the operator's, then those this person trained or opened, newest first."""
    for model in (page_state.read().model, page_state.wanted().model):
        if offer().is_run(model) and model not in _seen():
            saw(model)
    return (*offer().names, *(model for model in _seen() if model in offer()))


def saw(run: str) -> None:
    """Note a trained model for the menu."""
    st.session_state[_SEEN] = [run, *(other for other in _seen() if other != run)][:OWN_RUNS]


def want_model(model: str) -> None:
    """Ask for another model with the text that is there; see current() for a text that does not suit it."""
    if model not in offer() or model == page_state.wanted().model:
        return
    pick = next((pick for pick in examples_of(task(model), model).values() if pick), FIRST)
    wanted = replace(page_state.read(), model=model, text=page_state.typed(), target="", part="")
    page_state.ask(replace(wanted, layer=pick.layer, head=pick.head, token=None, released=False, key=None))
    st.session_state[_IS_SWITCHED] = True


def open_model(model: str, text: str, at: Moment) -> None:
    """Ask for a model with a text, a head and a row of its own: what was looked at while it was trained."""
    layer, head = at.layer or 0, at.head or 0
    wanted = replace(page_state.read(), model=model, text=text, target="", part="", layer=layer, head=head)
    page_state.ask(replace(wanted, token=at.query, released=False, key=None))
    if offer().is_run(model):
        saw(model)


def is_switched() -> bool:
    """Whether the person has just chosen another model; asked once."""
    return bool(st.session_state.pop(_IS_SWITCHED, False))


def use_example(id: str, **arguments: str) -> None:
    """Put an example of the wanted model in the place of a text that does not suit it, say so, and run again.

    The example's own head belongs to the first part of the model; who asked for another part keeps that, and its head.
    """
    wanted = page_state.wanted()
    name, pick = next(iter(examples_of(task(wanted.model), wanted.model).items()))
    text = text_of(name, page_state.say())
    if text == wanted.text:
        return
    head = {} if wanted.part else (pick or FIRST)._asdict()
    page_state.ask(replace(wanted, text=text, target="", **head))
    page_state.tell(id, **arguments)
    st.rerun()


def examples() -> Examples:
    """The prepared texts of the model that is asked for."""
    model = page_state.wanted().model
    return examples_of(task(model), model)


def is_example(text: str) -> bool:
    """Whether a text is one of those prepared for the model on the screen."""
    return any(text == text_of(name, page_state.say()) for name in examples_of(task(page_state.read().model)))


def _seen() -> list[str]:
    seen: list[str] = st.session_state.setdefault(_SEEN, [])
    return seen
