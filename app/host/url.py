"""The link: which one the person opened, and what the pictures are told to write into the address bar.

Python never writes the link; `views/hosts/address.js` does, for what Python asks and for what is picked in the browser.
A link is opened by loading the page, by Back and Forward, and by an address that names another page of ours. Only then
`st.query_params` is worth reading: later Streamlit's browser side sends the query of the page's first load again.
"""

import secrets
from collections.abc import Container, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Literal
from urllib.parse import parse_qsl

import streamlit as st
from attnviz_app.settings import settings

from attnviz.cli.network import network_address

PAGES = ("", "step", "byhand", "heads", "compare", "train", "lessons", "about")  # in order; the first is Home, at "/"
LINK = "link"  # the component that tells of Back and Forward
_SESSION, _RUN, _HEARD, _SINCE, _BRINGS, _PAGE, _OPENED, _BY_PAGE, _ASKED, _CARRY, _VISIT, _BESIDE, _BROUGHT_TO = (
    f"attnviz.url-{key}" for key in ("session", "run", "heard", "since", "brings", "page", "opened", "by-page", "asked",
                                   "carry", "visit", "beside", "brought-to")
)  # fmt: skip
Carry = Literal["", "head", "look", "swap"]
FIELDS = 64  # of a query; the rest is no link of ours
_pressed_on: ContextVar[str | None] = ContextVar("pressed_on", default=None)


def query() -> dict[str, str]:
    """What the address said when the page was loaded, or came back to; see above for when it is true."""
    return dict(st.query_params.items())


def begin(page: str, names: Container[str]) -> dict[str, str] | None:
    """Find out whether the person opened a link; called once at the start of every full run.

    Returns:
        the query, in the run that has to take it over; `taken` ends that.
    """
    state = st.session_state
    state[_RUN] = state.get(_RUN, 0) + 1
    query = {name: value for name, value in st.query_params.items() if name in names}
    if _SESSION not in state:
        state.update({_SESSION: secrets.token_hex(4), _HEARD: 0, _BRINGS: 0, _PAGE: page, _OPENED: query})
    elif state[_PAGE] != page:
        state[_PAGE] = page
        state[_VISIT] = visit() + 1
        if query:  # our navigation goes to a page without a query, so Back or Forward came here
            state[_OPENED] = state[_BY_PAGE] = query
    told = _told(state)
    n = told.get("n")
    if type(n) is int and n > state[_HEARD] and told.get("session") == state[_SESSION]:
        state[_HEARD], said = n, str(told.get("query", ""))
        fields = parse_qsl(said.removeprefix("?"), max_num_fields=FIELDS) if said.count("&") < FIELDS else []
        opened = {name: value for name, value in fields if name in names}
        if opened != state.pop(_BY_PAGE, None):  # else it was taken over when the page changed
            state[_OPENED], state[_SINCE] = opened, n
    opened_now: dict[str, str] | None = state.get(_OPENED)
    return opened_now


def place(state: Mapping[Any, Any]) -> tuple[str, int]:
    """On which page the last run of this state of the session began, and how often the person had gone back or forward
    by then."""
    return str(state.get(_PAGE, "")), int(state.get(_HEARD, 0))


def is_left(heard: int) -> bool:
    """Whether a press, made after so many moves back or forward, was in a picture that the person has left since."""
    return heard < int(st.session_state.get(_SINCE, 0))


@contextmanager
def on(page: str) -> Iterator[None]:
    """Do here what was pressed on a page, which the person may have left before it could be done."""
    before = _pressed_on.set(page)
    try:
        yield
    finally:
        _pressed_on.reset(before)


def taken() -> None:
    """The link that was opened is taken over; the picture of its page brings what is picked in it."""
    st.session_state.pop(_OPENED, None)
    bring()


def bring(carry: Carry = "") -> None:
    """The next picture of this page, or of the one that we lead to, brings a selection of its own: that of a link, an
    example, or another model. Who goes on to another page before it was drawn takes along what is in the link.

    Args:
        carry: what of the selection before it the browser takes along: "head" for all but the token, "look" for what is
            not where something is, "swap" for both sides of a comparison, each in the other's place.
    """
    st.session_state[_BRINGS] = brings() + 1
    st.session_state[_CARRY] = carry
    lead(page())


def lead(page: str) -> None:
    """What was brought last is for this page."""
    st.session_state[_BROUGHT_TO] = page


def brings() -> int:
    """How often a picture was told to bring its own selection."""
    return int(st.session_state.get(_BRINGS, 0))


def page() -> str:
    """Where the run is, as its address says it, or what it does was pressed; "" is the first page."""
    there = _pressed_on.get()
    return str(st.session_state.get(_PAGE, "")) if there is None else there


def visit() -> int:
    """How often the person came to a page: it grows where the page is another one than before."""
    return int(st.session_state.get(_VISIT, 0))


def beside(asked: Mapping[str, str]) -> None:
    """What the page of this run asks beside its picture: it stands in the link of every picture on it."""
    st.session_state[_BESIDE] = (page(), dict(asked))


def for_picture(asked: Mapping[str, str]) -> dict[str, Any]:
    """What a picture's header says of the link.

    Args:
        asked: the value of every name that Python owns on the page; "" leaves it out of the link.
    """
    state = st.session_state
    where, others = state.get(_BESIDE, ("", {}))
    state[_ASKED] = {**(others if where == page() else {}), **asked}
    network = network_address() if settings().is_hosted else ""
    brought = brings() if state.get(_BROUGHT_TO) == page() else 0
    return {
        **_heard(), "brings": brought, "carry": state.get(_CARRY, ""), "asked": state[_ASKED], "network": network
    }  # fmt: skip


def told() -> dict[str, Any]:
    """What the component that tells of Back and Forward has to know; `run` makes it new in every full run."""
    return {**_heard(), "run": st.session_state[_RUN]}


def _told(state: Mapping[Any, Any]) -> Mapping[str, Any]:
    """What the component says of the last Back or Forward; empty where a browser says anything else."""
    told = getattr(state.get(LINK), "opened", None)
    return told if isinstance(told, Mapping) else {}


def _heard() -> dict[str, Any]:
    state = st.session_state
    return {"session": state[_SESSION], "heard": state[_HEARD], "page": state[_PAGE]}
