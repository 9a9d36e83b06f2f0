"""What goes with a person through all pages: language, size, and the name that the browser's tab keeps for them."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from typing import Any, Literal, get_args

import streamlit as st
from attnviz_app.host import url
from attnviz_app.notice import Notice, notice

from attnviz.text import LANGUAGES, Language, Strings, negotiate, strings

Size = Literal["normal", "projector"]
SIZES: tuple[Size, ...] = get_args(Size)
NAMES = ("lang", "size")  # of every link
VISITOR = re.compile(r"[0-9a-f]{32}", re.ASCII)
_LANGUAGE, _SIZE, _IS_SILENT, _IS_CHOSEN, _VISITOR, _NOTICES = (
    f"attnviz.{it}" for it in ("language", "size", "is-silent", "is-chosen", "visitor", "frame-notices")
)


def open(query: Mapping[str, str]) -> None:
    """Take over what a link says of language and size."""
    if _LANGUAGE not in st.session_state:
        st.session_state[_IS_SILENT] = not query.keys() & set(NAMES)
    st.session_state[_LANGUAGE] = next((code for code in LANGUAGES if code == query.get("lang")), language())
    st.session_state[_SIZE] = next((it for it in SIZES if it == query.get("size", "normal")), size())
    known: dict[str, tuple[str, ...]] = {"lang": LANGUAGES, "size": SIZES}
    wrong = [f"{name}={query[name]}"[:60] for name in NAMES if query.get(name) and query[name] not in known[name]]
    st.session_state[_NOTICES] = [notice("notice-unreadable", value=value) for value in wrong]


def take_notices() -> list[Notice]:
    """What of a link could not be read, once."""
    notices: list[Notice] = st.session_state.pop(_NOTICES, [])
    return notices


def language() -> Language:
    """The language of the page; before a link or a person chose one, the browser's."""
    kept: Language | None = st.session_state.get(_LANGUAGE)
    named = next((code for code in LANGUAGES if code == st.query_params.get("lang")), None)
    return kept or named or negotiate(st.context.locale)


def size() -> Size:
    """The size of text and drawings."""
    kept: Size = st.session_state.get(_SIZE, "normal")
    return kept


def say() -> Strings:
    """The catalogue of the language on the screen."""
    return strings(language(), strict=False)


def choose_language(code: Language) -> None:
    """Another language; the browser keeps it for a later visit."""
    st.session_state.update({_LANGUAGE: code, _IS_CHOSEN: True})


def choose_size(is_projector: bool) -> None:
    """Another size; the browser keeps it for a later visit."""
    st.session_state.update({_SIZE: SIZES[is_projector], _IS_CHOSEN: True})


def link() -> dict[str, str]:
    """Language and size as every link says them; the usual size is left out."""
    return {"lang": language(), "size": "" if size() == "normal" else size()}


def name() -> str:
    """A name nobody can guess, so that only this person stops this person's training; the browser's tab keeps it."""
    kept: str = st.session_state.setdefault(_VISITOR, secrets.token_hex(16))
    return kept


def kept() -> dict[str, Any]:
    """What the browser may keep, and whether the link left room for what it kept; see recall()."""
    return {
        "lang": language(),
        "size": size(),
        "isChosen": st.session_state.get(_IS_CHOSEN, False),
        "isSilent": st.session_state.get(_IS_SILENT, False),
        "visitor": name(),
        "url": url.told(),
    }


def recall(said: Mapping[str, object]) -> None:
    """Take over what the browser kept from a visit before; a browser may say anything.

    Args:
        said: {lang, size} of an earlier visit, where the link says neither; {visitor}, who this tab was before the
            page was loaded again.
    """
    before = said.get("visitor")
    if isinstance(before, str) and VISITOR.fullmatch(before):
        st.session_state[_VISITOR] = before
    if st.session_state.get(_IS_SILENT):
        st.session_state[_LANGUAGE] = next((code for code in LANGUAGES if code == said.get("lang")), language())
        st.session_state[_SIZE] = next((it for it in SIZES if it == said.get("size")), size())
