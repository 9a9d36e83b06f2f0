"""What every payload's header holds. Each view declares its own in its folder's `header.py`.

mypy holds the Python that fills a header to these classes, and `tsc` the JavaScript that reads it, by
`headers.d.ts`, which `scripts/make_header_types.py` writes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, NotRequired, TypedDict

from attnviz.core.tensor_checks import check_choice
from attnviz.text import LANGUAGES, Strings, strings

if TYPE_CHECKING:
    from attnviz.trace.run_facts import Card
    from attnviz.trace.trace import Trace

HeadIndex = list[int]  # [layer, head], counted from 0 as everywhere


class Token(TypedDict):
    """One token as it is labelled; see `heads.tokens.token_rows`."""

    text: str
    word: NotRequired[int]  # the number of its word in the text, −1 for none
    special: NotRequired[bool]
    continues: NotRequired[bool]  # the word before it goes on
    unknown: NotRequired[bool]
    read: NotRequired[str]  # what the model saw in place of an unknown one
    n: NotRequired[int]  # which occurrence of a repeated one, from 1
    group: NotRequired[str]  # of two texts "A" or "B", of a chat whose it is
    space: NotRequired[int]  # what stands before it: 1 a blank, 2 the end of a line
    written: NotRequired[bool]  # the model wrote it
    sink: NotRequired[bool]  # as a key it takes a large part of the rows in many heads
    writes: NotRequired[str]  # what its row of a decoder writes next
    wrote: NotRequired[str]  # the same in the untouched run, where another one is shown
    hidden: NotRequired[bool]  # crossed out; the view's own filter says so


class TokenRows(TypedDict):
    """The tokens of both sides; `target` only where the rows are other tokens than the columns."""

    source: list[Token]
    target: NotRequired[list[Token]]


class Kind(TypedDict):
    """A kind of head, as a legend shows it."""

    name: str
    title: str
    says: str
    metric: str  # what decides it; "" for what is left over
    least: float  # the value from which it does
    glyph: tuple[str, ...]
    light: str
    dark: str


class Link(TypedDict):
    """What the dashboard adds on the link: see app/host/url.py."""

    session: str
    page: str
    asked: dict[str, str]
    heard: int
    brings: int
    carry: NotRequired[str | None]
    changed: NotRequired[str]  # what the link says is changed in the run, which the picture may not show
    network: NotRequired[str]  # this machine's name for others, where they reach it


class Message(TypedDict):
    """What every header begins with."""

    view: str
    revision: str  # the same text, model and edits give the same one, whatever is selected


class Picture(Message):
    """What every view has; the optional ones are added on the way by the dashboard."""

    lang: str
    size: str
    strings: dict[str, str]  # templates by message id
    sources: list[str]  # whose numbers these are: models with their revisions
    address: NotRequired[str]  # of a file: where it was made, as it is shared
    title: NotRequired[str]
    link: NotRequired[Link]
    question: NotRequired[dict[str, object]]  # what its requests for numbers say of the picture
    is_heard: NotRequired[bool]
    picked: NotRequired[object]  # a selection in place of the payload's own
    look: NotRequired[object]  # how it is drawn, as an opened link says; set in the browser


def digest(*parts: object) -> str:
    """A revision: the same parts give the same twelve digits."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:12]


def identity(trace: Trace) -> tuple[object, ...]:
    """What the numbers of a run depend on: its model, its texts as they were read, and its edits."""
    card, source, target = trace.card, trace.tokens.source, trace.tokens.target
    return card.id, card.revision, source.source, source.ids, target and target.ids, trace.edits


def catalogue(lang: str) -> Strings:
    """The words of a language; an unknown one is refused."""
    check_choice("lang", lang, LANGUAGES)
    return strings(lang)


def tokens_of(cards: Iterable[Card]) -> str:
    """What the tokens of all of these models are: see `Card.tokens`; "" where they differ."""
    (tokens, *others) = {card.tokens for card in cards} or {""}
    return "" if others else tokens


def picture_header(view: str, revision: str, lang: str, size: str, cards: Iterable[Card] = ()) -> Picture:
    """What a view's header begins with."""
    check_choice("size", size, ("normal", "projector"))
    cards = tuple(cards)
    say = catalogue(lang).of(tokens_of(cards))
    sources = [f"{say.named(card.name)} ({', '.join(filter(None, (card.id, card.revision)))})" for card in cards]
    words = say.view(view)
    return {"view": view, "revision": revision, "lang": lang, "size": size, "strings": words, "sources": sources}
