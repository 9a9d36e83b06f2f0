"""What goes with a person through all pages: language, size, and the name that the browser's tab keeps for them."""

import re
import secrets
from collections.abc import Mapping
from typing import Any, Literal, get_args

from attnviz_app.host import session, url

from attnviz.text import LANGUAGES, Language, Strings, negotiate, strings

Size = Literal["normal", "projector"]
SIZES: tuple[Size, ...] = get_args(Size)
NAMES = ("lang", "size")  # of every link
VISITOR = re.compile(r"[0-9a-f]{32}", re.ASCII)

_language: session.Value[Language | None] = session.Value("language", session.nothing)
_size: session.Value[Size] = session.Value("size", lambda: "normal")
_is_silent = session.Value("is-silent", bool)  # the link that was opened said nothing of the two
_is_chosen = session.Value("is-chosen", bool)  # the person chose one of them
_name = session.Value("visitor", lambda: secrets.token_hex(16))


def open(query: Mapping[str, str]) -> None:
    """Take over what a link says of language and size."""
    if _language.get() is None:
        _is_silent.set(not query.keys() & set(NAMES))
    _take(query.get("lang"), query.get("size", "normal"))


def _take(lang: object, size: object) -> None:
    """Language and size, each unless it is none of ours."""
    _language.set(next((code for code in LANGUAGES if code == lang), language()))
    _size.set(next((each for each in SIZES if each == size), _size.get()))


def language() -> Language:
    """The language of the page; before a link or a person chose one, the browser's."""
    if chosen := _language.get():
        return chosen  # asked for many times in a run: reading the query is slow
    named = next((code for code in LANGUAGES if code == url.query().get("lang")), None)
    return named or negotiate(session.locale())


def size() -> Size:
    return _size.get()


def say() -> Strings:
    return strings(language())


def choose_language(code: Language) -> None:
    """Another language; the browser keeps it for a later visit."""
    _language.set(code)
    _is_chosen.set(True)


def choose_size(is_projector: bool) -> None:
    _size.set(SIZES[is_projector])
    _is_chosen.set(True)


def link() -> dict[str, str]:
    """Language and size as every link says them; the usual size is left out."""
    return {"lang": language(), "size": "" if size() == "normal" else size()}


def name() -> str:
    """A name nobody can guess, so that only this person stops this person's training; the browser's tab keeps it."""
    return _name.get()


def kept() -> dict[str, Any]:
    """What the browser may keep, and whether the link left room for what it kept; see recall()."""
    return {
        "lang": language(), "size": size(), "isChosen": _is_chosen.get(), "isSilent": _is_silent.get(),
        "visitor": name(),
    }  # fmt: skip


def recall(said: Mapping[str, object]) -> None:
    """Take over what the browser kept from a visit before; a browser may say anything.

    Args:
        said: {lang, size} of an earlier visit, where the link says neither; {visitor}, who this tab was before the
            page was loaded again.
    """
    before = said.get("visitor")
    if isinstance(before, str) and VISITOR.fullmatch(before):
        _name.set(before)
    if _is_silent.get():
        _take(said.get("lang"), said.get("size"))
