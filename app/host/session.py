"""Values of a person's session, each declared once with its type; so that what draws nothing needs no Streamlit."""

from collections.abc import Callable
from typing import Generic, TypeVar

import streamlit as st
from attnviz_app.host import url

T = TypeVar("T")


class Value(Generic[T]):
    def __init__(self, name: str, first: Callable[[], T]) -> None:
        """`first` makes the value of a session that has none yet."""
        self._name, self._first = name, first

    @property
    def _key(self) -> str:
        return f"attnviz.{self._name}"

    def get(self) -> T:
        if self._key not in st.session_state:
            st.session_state[self._key] = self._first()
        kept: T = st.session_state[self._key]
        return kept

    def set(self, value: T) -> None:
        st.session_state[self._key] = value

    def take(self) -> T:
        """The value; afterwards the session has none."""
        kept = self.get()
        del st.session_state[self._key]
        return kept


class OfPicture(Value[T]):
    """A value that lessons, which draw the pictures of other pages, have one of their own of."""

    @property
    def _key(self) -> str:
        return f"attnviz.lesson-{self._name}" if url.page() == "lessons" else super()._key


def nothing() -> None:
    """The first value of one that may be missing."""


def locale() -> str | None:
    """The language that the browser asks for."""
    return st.context.locale


def rerun() -> None:
    st.rerun()


def listens_on() -> str | None:
    address: str | None = st.get_option("server.address")
    return address
