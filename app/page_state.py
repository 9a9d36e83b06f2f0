"""What one page is asked and what it shows: one class for all pages.

A question that cannot be answered leaves the last one that could in the picture and in the link; what was typed stays
in its box. What is picked inside a picture is not here: the browser owns it.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from typing import Any, Generic, TypeVar

from attnviz_app.host import session, url
from attnviz_app.notice import Notice, notice

Question = TypeVar("Question")
Pick = TypeVar("Pick")


class PageState(Generic[Question]):
    """The question of a page in this session. On Lessons it is that of the lesson: the page keeps its own."""

    def __init__(
        self, name: str, names: tuple[str, ...], picked: tuple[str, ...], *, first: Callable[[], Question],
        from_link: Callable[[Mapping[str, str], Question], tuple[Question, list[Notice]]],
        to_link: Callable[[Question], dict[str, str]],
    ) -> None:  # fmt: skip
        """
        Args:
            name: of this part of the session.
            names: all that a question says in a link. picked: all that its picture does.
            first: what is asked before anybody asked.
            from_link: reads a query, over the question before it; never raises.
            to_link: the values of `names`; what is missing or "" is left out of the link.
        """
        self.names, self.picked = names, picked
        self._asked, self._shown = session.OfPicture(f"{name}-asked", first), session.OfPicture(f"{name}-shown", first)
        self._notices = session.OfPicture[list[Notice]](f"{name}-notices", list)
        self._from_link, self._to_link = from_link, to_link

    @property
    def asked(self) -> Question:
        return self._asked.get()

    @property
    def shown(self) -> Question:
        """What is in the picture: the last question that could be answered; before any, what is asked at first."""
        return self._shown.get()

    def ask(self, question: Question) -> None:
        if question != self.asked:
            self._notices.set([])
        self._asked.set(question)

    def change(self, **fields: Any) -> None:
        self.ask(replace(self.asked, **fields))  # type: ignore[type-var]

    def open(self, query: Mapping[str, str]) -> None:
        """Take over a link that the person opened; where it says nothing of this page, what is asked stays.

        Half a surrogate pair, which only a made-up link holds, becomes a question mark.
        """
        if not query.keys() & {*self.names, *self.picked}:
            return
        said = {name: text.encode("utf-8", "replace").decode() for name, text in query.items()}
        question, notices = self._from_link(said, self.asked)
        self.ask(question)
        self._notices.set(notices)

    def answered(self, question: Question) -> None:
        """Note that a question is in the picture, as it was fitted to its run."""
        self._asked.set(question)
        self._shown.set(question)

    def fell_back(self, question: Question) -> None:
        """Note that another question is in the picture than the one that is asked, which cannot be answered."""
        self._shown.set(question)

    def tell(self, id: str, **arguments: str | int) -> None:
        """Say something beside the picture, until something else is asked."""
        told = notice(id, **arguments)
        self._notices.set([*(notice for notice in self.notices if notice != told), told])

    @property
    def notices(self) -> list[Notice]:
        return self._notices.get()

    def link(self, also: Mapping[str, str]) -> dict[str, Any]:
        """What the picture's header says of the link; `also` is what the frame asks."""
        query = dict.fromkeys(self.names, "") | self._to_link(self.shown)
        return url.for_picture({**query, **also})


class Beginning(Generic[Pick]):
    """What a picture begins with before the person picks, until another is brought or something else is asked."""

    def __init__(self, name: str) -> None:
        """`name` is that of this part of the session."""
        self._brought = session.OfPicture[Pick | None](f"{name}-brought", session.nothing)
        self._kept = session.OfPicture[tuple[tuple[Hashable, int], Pick] | None](f"{name}-begins", session.nothing)

    def bring(self, pick: Pick | None, carry: url.Carry = "") -> None:
        """The next picture begins with this one; None lets it choose. See url.bring."""
        self._brought.set(pick)
        url.bring(carry)

    def of(self, asked: Hashable, choose: Callable[[Pick | None, tuple[Any, Pick] | None], Pick]) -> Pick:
        """What the picture of a question begins with.

        Args:
            choose: given what was brought, and the question before with what its picture began with; each None where
                there is none.
        """
        key, kept = (asked, url.brings()), self._kept.get()
        if kept is None or kept[0] != key:
            kept = key, choose(self._brought.take(), kept and (kept[0][0], kept[1]))
            self._kept.set(kept)
        return kept[1]
