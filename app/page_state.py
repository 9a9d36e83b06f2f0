"""What one page is asked and what it shows: one class for all pages.

A page that stands on what it opened on, which nobody chose, opens anew in another language. A question that cannot be
answered leaves the last one that could in the picture and in the link; what was typed stays in its box. What is picked
inside a picture is not here: the browser owns it.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from typing import Any, Generic, TypeVar

from attnviz_app.host import session, url, visitor
from attnviz_app.notice import Notice, notice

from attnviz.views import link

Question = TypeVar("Question")
Pick = TypeVar("Pick")


_along = session.OfPicture[dict[str, str]]("along", dict)  # what was asked last, of what goes along to other pages
_along_in = session.OfPicture("along-in", str)  # the language in which a page opens on that; "" where a person chose it


def carry(query: Mapping[str, str]) -> None:
    """Take over what the link of a page without a model carries for the other pages, also on Lessons."""
    if said := link.carried(query):
        with url.on(""):
            _carry(said)


def _carry(said: dict[str, str]) -> None:
    _along.set(said)
    _along_in.set("")


def _nothing(query: Mapping[str, str], question: object) -> list[Notice]:
    return []


class PageState(Generic[Question]):
    """The question of a page in this session. On Lessons it is that of the lesson: the page keeps its own."""

    def __init__(
        self, name: str, *, first: Callable[[], Question],
        from_link: Callable[[Mapping[str, str], Question], tuple[Question, list[Notice]]],
        to_link: Callable[[Question], dict[str, str]],
        bring: Callable[[Mapping[str, str], Question], list[Notice]] = _nothing,
    ) -> None:  # fmt: skip
        """
        Args:
            name: of the page in the table of properties, and of this part of the session.
            first: what is asked before anybody asked.
            from_link: reads a query, over the question before it; never raises.
            to_link: the values of `names`; what is missing or "" is left out of the link.
            bring: has the picture begin with what a link says is picked.
        """
        self.names, self.picked, self._bring = link.asked_by(name), link.picked_in(name), bring
        self._asked, self._shown = session.OfPicture(f"{name}-asked", first), session.OfPicture(f"{name}-shown", first)
        self._opens_in = session.OfPicture[str](
            f"{name}-opens-in", visitor.language
        )  # "" once something else was asked
        self._first = first
        self._notices = session.OfPicture[list[Notice]](f"{name}-notices", list)
        self._from_link, self._to_link = from_link, to_link

    @property
    def asked(self) -> Question:
        if self._opens_in.get() not in ("", visitor.language()):
            self._notices.set([])
            self._set(question := self._first())
            self._bring({}, question)  # what was picked is of the model before
        return self._asked.get()

    @property
    def shown(self) -> Question:
        """What is in the picture: the last question that could be answered; before any, what is asked at first."""
        return self._shown.get()

    def ask(self, question: Question) -> None:
        if question != self.asked:
            self._notices.set([])
        self._set(question)
        self._take_along(question)

    def change(self, **fields: Any) -> None:
        self.ask(replace(self.asked, **fields))  # type: ignore[type-var]

    def open(self, query: Mapping[str, str]) -> None:
        """Take over a link that the person opened; where it says nothing of this page, what is asked stays.

        Half a surrogate pair, which only a made-up link holds, becomes a question mark.
        """
        if not query.keys() & {*self.names, *self.picked}:
            return
        said = {name: text.encode("utf-8", "replace").decode() for name, text in query.items()}
        if "model" in self.names:
            _carry({name: value for name, value in said.items() if link.BY_NAME[name].along})
        question, notices = self._from_link(said, self.asked)
        self.ask(question)
        self._notices.set(notices + self._bring(said, question))

    def come(self) -> None:
        """Ask what was asked last on another page, if this one can; the browser takes along what was picked there."""
        said = self._said(self.asked)
        now = {name: value for name, value in _along.get().items() if name in self.names}
        is_of_other_language = _along_in.get() not in ("", visitor.language())
        if "model" not in said or now.items() <= said.items() or is_of_other_language:
            return
        asked = link.kept(said, now)
        if asked["model"] == asked.get("model2") and "text2" not in asked:
            del asked["model2"]  # nothing is left to compare
        question, notices = self._from_link(asked, self.asked)
        if all(id == "notice-variant" for id, _ in notices):  # which says what is shown in its place
            self.ask(question)
            self._notices.set(notices)

    def _set(self, question: Question) -> None:
        self._asked.set(question)
        self._opens_in.set(visitor.language() if question == self._first() else "")

    def _take_along(self, question: Question) -> None:
        said = self._said(question)
        if "model" in said:
            _along.set(link.kept(_along.get(), {name: said[name] for name in said if link.BY_NAME[name].along}))
            _along_in.set(self._opens_in.get())

    def _said(self, question: Question) -> dict[str, str]:
        return {name: value for name, value in self._to_link(question).items() if value}

    def answered(self, question: Question) -> None:
        """Note that a question is in the picture, as it was fitted to its run."""
        self._set(question)
        self._shown.set(question)
        if not _along.get():  # what a page opens on goes along too
            self._take_along(question)

    def fell_back(self, question: Question) -> None:
        """Note that another question is in the picture than the one that is asked, which cannot be answered."""
        self._shown.set(question)

    def tell(self, id: str, **arguments: str | int) -> None:
        """Say something beside the picture, until something else is asked."""
        told = notice(id, **arguments)
        self._notices.set([*(notice for notice in self.notices if notice != told), told])

    @property
    def models(self) -> list[str]:
        """The models that are asked."""
        said = self._said(self.asked)
        return [said[name] for name in ("model", "model2") if name in said]

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
