"""What one page is asked and what it shows: one class for all pages.

A question that cannot be answered leaves the last one that could in the picture and in the link; what was typed stays
in its box. What is picked inside a picture is not here: the browser owns it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any, Generic, TypeVar

import streamlit as st
from attnviz_app.host import url
from attnviz_app.notice import Notice, notice

Question = TypeVar("Question")


class PageState(Generic[Question]):
    """The question of a page in this session."""

    def __init__(
        self,
        name: str,
        names: tuple[str, ...],
        picked: tuple[str, ...],
        *,
        first: Callable[[], Question],
        from_link: Callable[[Mapping[str, str], Question], tuple[Question, list[Notice]]],
        to_link: Callable[[Question], dict[str, str]],
    ) -> None:
        """
        Args:
            name: of this part of the session.
            names: all that a question says in a link. picked: all that its picture does.
            first: what is asked before anybody asked.
            from_link: reads a query, over the question before it; never raises.
            to_link: the values of `names`; what is missing or "" is left out of the link.
        """
        self.names, self.picked = names, picked
        self._asked, self._shown, self._notices = (f"attnviz.{name}-{it}" for it in ("asked", "shown", "notices"))
        self._first, self._from_link, self._to_link = first, from_link, to_link

    @property
    def asked(self) -> Question:
        """What the person asks for."""
        if self._asked not in st.session_state:
            st.session_state[self._asked] = self._first()
        asked: Question = st.session_state[self._asked]
        return asked

    @property
    def shown(self) -> Question:
        """What is in the picture: the last question that could be answered; before any, what is asked at first."""
        if self._shown not in st.session_state:
            st.session_state[self._shown] = self._first()
        shown: Question = st.session_state[self._shown]
        return shown

    @property
    def is_shown(self) -> bool:
        """Whether the picture answers what is asked."""
        return bool(st.session_state.get(self._shown) == self.asked)

    def ask(self, question: Question) -> None:
        """Ask for something else."""
        st.session_state[self._asked] = question

    def change(self, **fields: Any) -> None:
        """Ask for the same with other fields."""
        self.ask(replace(self.asked, **fields))  # type: ignore[type-var]

    def open(self, query: Mapping[str, str]) -> None:
        """Take over a link that the person opened; where it says nothing of this page, what is asked stays."""
        if not query.keys() & {*self.names, *self.picked}:
            return
        question, notices = self._from_link(query, self.asked)
        self.ask(question)
        st.session_state[self._notices] = notices

    def answered(self, question: Question) -> None:
        """Note that a question is in the picture, as it was fitted to its run."""
        st.session_state[self._asked] = st.session_state[self._shown] = question

    def fell_back(self, question: Question) -> None:
        """Note that another question is in the picture than the one that is asked, which cannot be answered."""
        st.session_state[self._shown] = question

    def tell(self, id: str, **arguments: str | int) -> None:
        """Say something with the next picture."""
        st.session_state.setdefault(self._notices, []).append(notice(id, **arguments))

    def forget(self, ids: Collection[str]) -> None:
        """Take back what was to be said."""
        notices: list[Notice] = st.session_state.get(self._notices, [])
        st.session_state[self._notices] = [it for it in notices if it[0] not in ids]

    def take_notices(self) -> list[Notice]:
        """What is to be said with this picture; what an interrupted run took is lost with that run's picture."""
        notices: list[Notice] = st.session_state.pop(self._notices, [])
        return notices

    def link(self, also: Mapping[str, str]) -> dict[str, Any]:
        """What the picture's header says of the link; `also` is what the frame asks."""
        own = dict.fromkeys(self.names, "") | self._to_link(self.shown)
        return url.for_picture({**own, **also})
