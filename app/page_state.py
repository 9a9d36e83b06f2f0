"""The one place where what a person points at is kept: read(), select(), and the link in the address bar.

Alone owns every widget key, and says what `address` puts into the address bar. A text that cannot be shown stays in
the draft, so the picture and the link keep the last one that could.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st
from attnviz_app.heads.query import HEAD, NAMES, POINTED, SIZES, Notice, Selection, fitted, from_link, notice, to_link
from attnviz_app.host import events, url
from attnviz_app.host.mounted import remount
from attnviz_app.jobs.trainings import trainings
from attnviz_app.serving.allowed_models import offer
from attnviz_app.serving.examples import examples_of, task_of, text_of
from attnviz_app.serving.truncation import Cut
from attnviz_app.settings import Settings
from streamlit.runtime.scriptrunner import get_script_run_ctx

from attnviz.text import LANGUAGES, Strings, negotiate, strings
from attnviz.trace.trace import Trace
from attnviz.views import Pick

# Widget keys
TEXT = "text-box"
TARGET = "target-box"
SHOW = "text-show"
EXAMPLE_MENU = "example-menu"
LANGUAGE = "language-box"
SIZE = "size-box"
MODEL = "model-box"
PART = "part-box"
EXACT = "heads-exact"
KINDS, KINDS_OF_MANY = "heads-kinds", "heads-kinds-of-many"
HEAD_PART = "heads-exact-part"
NEURONS = "heads-exact-neurons"
LINK = "link"

OF_EXAMPLE = ("notice-other-text", "notice-unknown-text")  # why an example is shown: not true of a text typed since

# Entries that are no widgets
_SHOWN, _WANTED, _NOTICES = (f"attnviz.{it}" for it in ("shown", "wanted", "notices"))
_IS_SILENT, _IS_CHOSEN, _VISITOR = "attnviz.is-silent", "attnviz.is-chosen", "attnviz.visitor"
_PAGE, _TYPED, _CUT, _TOLD = (f"attnviz.{it}" for it in ("page", "typed", "cut", "told"))

VISITOR = re.compile(r"[0-9a-f]{32}", re.ASCII)
OWN_LINK = ("step", "compare", "train")  # pages whose link says all they show; there ours says language and size alone
ALWAYS = ("lang", "size")
FRAME_LINK = url.Part("frame", NAMES)


def begin(settings: Settings) -> Selection:
    """Bring the link and the session together; called once at the start of every full run."""
    events.take()
    query = FRAME_LINK.query()
    if _SHOWN not in st.session_state:
        st.session_state[_IS_SILENT] = "lang" not in query and "size" not in query
    if _SHOWN not in st.session_state or FRAME_LINK.is_opened(query):
        _open(query, settings)
    if _TYPED in st.session_state:  # a widget's value can only be changed before it is drawn
        events.put(TEXT, st.session_state[_TYPED])
        del st.session_state[_TYPED]
    if read().model not in offer() or wanted().model not in offer():
        _leave_removed(settings)
    shown = read()
    if not query or wanted() == shown:
        _write(shown)
    return shown


def _leave_removed(settings: Settings) -> None:
    """A trained model had to make room while somebody looked at it."""
    gone = next(it.model for it in (read(), wanted()) if it.model not in offer())
    now = read()
    first = replace(_first(settings, now.language), language=now.language, size=now.size)
    st.session_state[_SHOWN] = first
    st.session_state[_WANTED] = first
    events.put(TEXT, first.text)
    tell("notice-removed", name=gone, shown=first.model)
    remount()


def _open(query: dict[str, str], settings: Settings) -> None:
    """Take over a link that the person opened; it is heard once, also where its text cannot be shown."""
    default: Selection = st.session_state.get(_SHOWN) or _first(settings, query.get("lang"))
    if default.model not in offer():
        default = _first(settings, default.language)
    opened, notices = from_link(query, default, offer(), offer().removed)
    # Until a trace of the wanted text exists, the picture and the link keep the one before it.
    shown = replace(default, language=opened.language, size=opened.size)
    st.session_state.update({_SHOWN: shown, _WANTED: opened, _NOTICES: notices})
    _put(opened)
    remount()
    FRAME_LINK.take(query)


def _put(opened: Selection) -> None:
    """What the boxes say."""
    events.put(TEXT, opened.text)
    events.put(LANGUAGE, opened.language)
    events.put(SIZE, opened.size != "normal")


def read() -> Selection:
    """What is on the screen now."""
    return st.session_state[_SHOWN]


def wanted() -> Selection:
    """What the person asked for; its text may be one that cannot be shown."""
    return st.session_state[_WANTED]


def select(**changes: Any) -> Selection:
    """Change what the person points at, here and in the link; the text is changed by want() and show().

    Args:
        changes: fields of `Selection`.
    """
    st.session_state[_WANTED] = replace(wanted(), **changes)
    shown = st.session_state[_SHOWN] = replace(read(), **changes)
    _write(shown)
    return shown


def point(pointed: Selection, *, is_in_shown: bool) -> None:
    """Take over what the person points at in a picture; they may do so while another is on its way.

    Args:
        pointed: what is shown, with what was picked.
        is_in_shown: it was picked in the picture that is shown, not in the one before it.
    """
    now, asked = read(), wanted()
    head: dict[str, Any] = {name: getattr(pointed, name) for name in HEAD}
    changes = head | {name: getattr(pointed, name) for name in (*POINTED, "released") if is_in_shown}
    if not is_in_shown and not now.keeps_head:
        return
    shown = st.session_state[_SHOWN] = replace(now, **changes)
    if _is_same_picture(asked, now):
        st.session_state[_WANTED] = replace(asked, **changes)
    elif asked.keeps_head:
        st.session_state[_WANTED] = replace(asked, **head)
    _write(shown)


def _is_same_picture(one: Selection, other: Selection) -> bool:
    return (one.model, one.text, one.target, one.part) == (other.model, other.text, other.target, other.part)


def prefer(**changes: Any) -> None:
    """Change the language or the size because the person chose it; the browser then keeps it for a later visit."""
    st.session_state[_IS_CHOSEN] = True
    select(**changes)


def kept() -> dict[str, Any]:
    """What the browser may keep, and whether the link left room for what it kept; see recall()."""
    now, text = read(), wanted().text
    return {
        "lang": now.language,
        "size": now.size,
        "isChosen": st.session_state.get(_IS_CHOSEN, False),
        "isSilent": st.session_state.get(_IS_SILENT, False),
        "visitor": visitor(),
        "draft": text if text != now.text else None,
    }


def visitor() -> str:
    """A name nobody can guess, so that only this person stops this person's training; the browser's tab keeps it."""
    name: str = st.session_state.setdefault(_VISITOR, secrets.token_hex(16))
    context = get_script_run_ctx()
    if context is not None:
        trainings().presence.saw(name, context.session_id)
    return name


def recall(said: Mapping[str, object]) -> None:
    """Take over what the browser kept from a visit before; a browser may say anything.

    Args:
        said: {lang, size} of an earlier visit, where the link says neither, {draft}, a text that was not shown, and
            {visitor}, who this tab was before the page was loaded again.
    """
    # The run that follows draws the page anew: what was said of the link a moment ago is said again.
    st.session_state[_NOTICES] = [*st.session_state.get(_TOLD, ()), *st.session_state[_NOTICES]]
    st.session_state[_TOLD] = ()
    before = said.get("visitor")
    if isinstance(before, str) and VISITOR.fullmatch(before):
        st.session_state[_VISITOR] = before
    if st.session_state.get(_IS_SILENT):
        language = next((code for code in LANGUAGES if code == said.get("lang")), read().language)
        size = next((size for size in SIZES if size == said.get("size")), read().size)
        select(language=language, size=size)
        events.put(LANGUAGE, language)
        events.put(SIZE, size != "normal")
    draft = said.get("draft")
    if isinstance(draft, str) and draft != wanted().text:
        draft = draft.encode("utf-8", "replace").decode()
        events.put(TEXT, draft)
        want(draft)


def want(text: str, pick: Pick | None = None, *, token: int | None = None) -> None:
    """Ask for another text, as it was typed; without a pick the head stays, and without a token the view picks one."""
    now, asked = read(), wanted()
    st.session_state[_TOLD] = ()
    st.session_state[_NOTICES] = [told for told in st.session_state[_NOTICES] if told[0] not in OF_EXAMPLE]
    st.session_state.pop(_CUT, None)
    st.session_state.pop(_TYPED, None)  # the box holds this text
    if pick and text == now.text:
        remount()
    is_same_model = asked.model == now.model  # one that is still on its way brings its own head
    new = replace(now if is_same_model else asked, text=text, target=asked.target)
    if pick:
        new = replace(new, **pick._asdict(), also=(), keeps_head=False)
    elif _is_same_picture(new, now):
        new = now  # it is shown already, with what is pinned in it
    else:
        new = replace(new, token=token, released=False, key=None, keeps_head=is_same_model)
    st.session_state[_WANTED] = new


def want_target(target: str) -> None:
    """Ask for another text for the model to write, or with "" for what it writes by itself."""
    now = wanted()
    keeps_head = now.keeps_head or _is_same_picture(now, read())
    new = replace(now, target=target, token=None, released=False, key=None)
    st.session_state[_WANTED] = replace(new, keeps_head=keeps_head)


def want_part(cut: Cut) -> None:
    """Ask for the first part of a text; the box keeps the whole of it, as it was typed."""
    want(cut.part)
    st.session_state[_CUT] = cut


def cut() -> Cut | None:
    """What was left out of the text on the screen, if anything was."""
    kept: Cut | None = st.session_state.get(_CUT)
    return kept if kept is not None and kept.shown and kept.part == read().text else None


def typed() -> str:
    """The wanted text as the box holds it: whole, also where only its first part is shown."""
    kept: Cut | None = st.session_state.get(_CUT)
    text = wanted().text
    return kept.typed if kept is not None and kept.part == text else text


def ask(selection: Selection) -> None:
    """Ask for something else to be shown; the text box says its text from the next run on."""
    asked = replace(selection, keeps_head=False, below=read().below)
    st.session_state.update({_WANTED: asked, _TYPED: selection.text})
    FRAME_LINK.remember(FRAME_LINK.query())  # the link was heard


def tell(id: str, **arguments: str) -> None:
    """A correction to be shown with the next picture."""
    st.session_state[_NOTICES] = [*st.session_state[_NOTICES], notice(id, **arguments)]


def show(trace: Trace) -> Selection:
    """Put what was wanted on the screen, now that its trace exists; layer, head and token are fitted to it."""
    selection, notices = fitted(wanted(), trace)
    st.session_state[_NOTICES] = st.session_state[_NOTICES] + notices
    st.session_state[_SHOWN] = st.session_state[_WANTED] = selection
    if _CUT in st.session_state:
        st.session_state[_CUT] = replace(st.session_state[_CUT], shown=len(trace.tokens.source))
    _write(selection)
    return selection


def turn_to(page: str) -> None:
    """Carry the typed text to another page, whose text box is a new widget with the same key; each has its own link."""
    if st.session_state.get(_PAGE) != page:
        st.session_state[_PAGE] = page
        events.put(TEXT, typed())
        if page in OWN_LINK or wanted() == read():
            _write(read())


def say() -> Strings:
    """The catalogue of the language on the screen."""
    return strings(read().language, strict=False)


def take_notices() -> list[Notice]:
    """The corrections not yet shown, once."""
    notices: list[Notice] = st.session_state[_NOTICES]
    st.session_state[_NOTICES] = []
    st.session_state.setdefault(_TOLD, notices)
    return notices


def _first(settings: Settings, language: str | None) -> Selection:
    chosen, model = negotiate(language or st.context.locale), settings.models[0]
    name, pick = next(iter(examples_of(task_of(model), model).items()))
    pick, text = pick or Pick(0, 0), text_of(name, strings(chosen, strict=False))
    return Selection(model, text, pick.layer, pick.head, pick.token, language=chosen)


def _write(selection: Selection) -> None:
    """Put the selection into the address bar, where it is not there already."""
    link = to_link(selection)
    if st.session_state.get(_PAGE) in OWN_LINK:
        link = {name: value for name, value in link.items() if name in ALWAYS}
    FRAME_LINK.write(link)
