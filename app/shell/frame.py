"""The frame around every page: title, header, navigation, language, size and the look. Pages draw what is inside."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import streamlit as st
from attnviz_app.host import component, session, url, visitor
from attnviz_app.jobs.queue import BEAT_SECONDS
from attnviz_app.jobs.trainings import trainings
from attnviz_app.shell import controls, panels
from attnviz_app.shell.style_sheet import CHINESE_PUNCTUATION, PROJECTOR

from attnviz.core.errors import AttnvizError
from attnviz.text import Strings, negotiate, strings

APP = Path(__file__).resolve().parents[1]
# Not beside dashboard.py: Streamlit would take a folder "pages" there for its own navigation before ours is drawn.
PAGES = next(folder for name in ("pages", "attnviz_pages") if (folder := APP.parent / name).is_dir())
PAGE_NAMES = tuple(path or "home" for path in url.PAGES)
MARK = APP / "static" / "mark.svg"
_going = session.Value("going", str)
_drawn_in = session.Value("drawn-in", visitor.language)  # the language of the page that was drawn last


def open_page() -> Any:
    """Draw the frame and return the page to run in it, an `st.Page`."""
    say = visitor.say()
    _configure(say)
    pages = [_page(name, say) for name in PAGE_NAMES]
    pages.append(st.Page(page_path("teaching"), title=say("lessons-teachers"), visibility="hidden"))
    page = st.navigation(pages, position="hidden" if st.context.is_embedded else "top")
    st.set_page_config(page_title=f"{page.title} · {say('shell-brand')}")
    return page


def tools(
    *, link: Mapping[str, str] | None, kept: Mapping[str, Any], recall: Callable[[Mapping[str, object]], None],
    on_chart: Callable[[object], None],
) -> None:  # fmt: skip
    """Link, language and size, and on a phone the pages, which Streamlit folds away there; drawn before the page.

    Args:
        link: what the link of a page without a picture says; None where a picture writes it.
        kept: what the browser keeps for this person. recall takes it back after a reload; it may say anything.
        on_chart: takes what a class answered, where its teacher asks for a figure of it.
    """
    say = visitor.say()
    if visitor.size() == "projector":
        st.html(f"<style>{PROJECTOR}</style>")
    _name_streamlit(say)
    if not st.context.is_embedded:
        with st.container(key="phone-pages", horizontal=True):
            for name in PAGE_NAMES:
                is_here = name == (url.page() or PAGE_NAMES[0])
                with st.container(key="phone-here" if is_here else f"phone-{name}", width="content"):
                    st.page_link(page_path(name), label=say(f"nav-{name}"))
    with st.container(key="tools", horizontal=True, horizontal_alignment="right", vertical_alignment="center"):
        query = None if link is None else {**link, **visitor.link()}
        component.link(say, asked=query, kept={**visitor.kept(), **kept}, recall=recall)
        controls.language(say)
        controls.size(say)
        if trainings().queue.of(visitor.name()) is not None:
            _here()  # the last in here: whatever stands behind it is drawn twice for a moment when it goes
    component.theme(say)
    component.room(say, on_chart=on_chart)
    component.guide(say)


@st.fragment(run_every=BEAT_SECONDS)
def _here() -> None:
    """Keeps a person's place in the queue of trainings while one of their pages is open."""
    trainings().queue.saw(visitor.name())


@contextmanager
def opened_anew() -> Iterator[None]:
    """While a page is drawn in another language, nothing of what is there in the one before is seen beside it."""
    place = st.empty()
    if visitor.language() != _drawn_in.get():
        place.html('<i class="av-anew"></i>')  # what it hides says shell.css
    yield
    place.empty()
    _drawn_in.set(visitor.language())


def refuse(error: AttnvizError) -> None:
    """Say why nothing is served; used before a language could be chosen."""
    say = strings(negotiate(url.query().get("lang") or session.locale()))
    _configure(say)
    panels.error_card(error, say, can_retry=False)


def go(page: str) -> None:
    """Have the next run go to another page."""
    _going.set(page)


def leave() -> None:
    """Go to the page that was asked for, if one was."""
    page = _going.take()
    if page:
        url.lead(page)
        st.switch_page(page_path(page))


def page_path(name: str) -> str:
    """Where a page's file is, for links between pages."""
    return str(PAGES / f"{name}.py")


def _configure(say: Strings) -> None:
    st.set_page_config(page_title=say("shell-brand"), page_icon=str(MARK), layout="wide")
    st.logo(str(MARK), size="small")


def _page(name: str, say: Strings) -> Any:
    is_first = name == PAGE_NAMES[0]
    return st.Page(page_path(name), title=say(f"nav-{name}"), url_path=None if is_first else name, default=is_first)


def _name_streamlit(say: Strings) -> None:
    """The person's language in what Streamlit says itself: the way to the page, its menu, and where no view loads."""
    words = {
        "stSkipToContent": say("control-skip-head"), "stMainMenuButton": say("control-theme"),
        "stMainMenuItem-theme-System": say("control-theme-system"),
        "stMainMenuItem-theme-Light": say("control-theme-light"),
        "stMainMenuItem-theme-Dark": say("control-theme-dark"), "stMainMenuItem-print": say("control-print"),
        "stMainMenuItem-recordScreencast": say("control-record"),
        "stAlertContentError": rf"{say('view-kit-failed')}\a {say('view-kit-failed-help')}",
    }  # fmt: skip
    punctuation = CHINESE_PUNCTUATION if say.language.startswith("zh") else ""
    rules = (f'[data-testid="{part}"]{{--av-name:"{word}"}}' for part, word in words.items())
    drawing = f':root{{--av-drawing:"{say("page-drawing")}"}}'  # of hosts/waiting.css
    st.html(f'<style class="av-names">{"".join(rules)}{drawing}{punctuation}</style>')
