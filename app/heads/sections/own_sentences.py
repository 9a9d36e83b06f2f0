"""A person's own sentences: pasted or from a file, measured beside the page; and what excites the head above most."""

from __future__ import annotations

from html import escape

import streamlit as st
from attnviz_app.heads import state as page
from attnviz_app.heads.query import Picked
from attnviz_app.heads.sections.numbers import Source, measured_on, surveyed
from attnviz_app.heads.state import HEADS
from attnviz_app.host import events
from attnviz_app.shell import lines, visitor
from attnviz_app.shell.pending import coming

from attnviz.analysis.heads.kinds import BY_NAME
from attnviz.analysis.heads.sentences import MOST_CHARACTERS, MOST_LINES
from attnviz.analysis.heads.survey import Excited, Survey, excited_by, pattern_of
from attnviz.text import Strings
from attnviz.trace.trace import Trace
from attnviz.views.heads.parts import sites_of

SENTENCES = 5  # that excite a head most
HEIGHT = 168  # pixels of the box


def show(trace: Trace, picked: Picked, say: Strings) -> None:
    """The box, and beside it the sentences of the last list; of the project's own where there is none."""
    box, found = st.columns([5, 7], gap="medium")
    with box:
        _box(say)
    with found:
        _exciting(trace, picked, say)


def _box(say: Strings) -> None:
    lines.note(say("heads-own-about", lines=MOST_LINES, characters=MOST_CHARACTERS))
    typed = page.TYPED.get()
    st.text_area(
        say("heads-own-text"), typed, key=events.put(page.OWN_TEXT, typed), height=HEIGHT,
        placeholder=say("heads-own-hint"), on_change=events.changed(page.TYPED.set, page.OWN_TEXT),
    )  # fmt: skip
    st.html(f'<style>.st-key-{page.PART}{{--av-upload:"{say("heads-own-choose")}"}}</style>')
    st.file_uploader(
        say("heads-own-file"), type=["txt"], key=page.OWN_FILE,
        on_change=events.later(page.take_file, page.OWN_FILE),
    )  # fmt: skip
    st.button(say("heads-own-start"), key=page.OWN_START, on_click=events.later(page.take_sentences, page.OWN_TEXT))
    lines.alert(page.PROBLEM.get(), say)


def _exciting(trace: Trace, now: Picked, say: Strings) -> None:
    source: Source = "own" if page.OWN.get() else "bundled"
    found = surveyed(source, say)
    if found.found is None:
        coming(lambda: surveyed(source, visitor.say()), say)
        return
    site = sites_of(trace, HEADS.shown.part)[now.layer].key
    kind = _kind(found.found, site, now.head)
    lines.head(say("heads-excited", layer=now.layer + 1, head=now.head + 1))
    measured_on(source, found, found.found, say)
    lines.note(_by(kind, say))
    for number, each in enumerate(excited_by(found.found, site, now.head, n=SENTENCES)):
        _sentence(number, each, say)


def _kind(survey: Survey, site: str, head: int) -> str:
    frame = survey.frame
    return str(frame.loc[(frame["site"] == site) & (frame["head"] == head), "kind_of_head"].iloc[0])


def _by(kind: str, say: Strings) -> str:
    """By what sentences are ranked for a head of this kind."""
    _, is_least = pattern_of(kind)
    name = say(BY_NAME[kind].title)
    return say("heads-excited-least", kind=name) if is_least else say("heads-excited-most", kind=name)


def _sentence(number: int, each: Excited, say: Strings) -> None:
    with st.container(key=f"heads-excited-{number}", horizontal=True, vertical_alignment="center"):
        st.html(
            f'<div class="av-share" style="--share:{each.value:.3f}"><b>{each.value:.2f}</b>'
            f'<span dir="auto">{escape(each.sentence)}</span></div>'
        )
        st.button(
            say("heads-excited-show"), key=f"heads-show-{number}", on_click=events.later(page.show_text),
            args=(each.sentence,),
        )  # fmt: skip
