"""What the Step through page draws: its widgets, and the picture, which alone runs again when something is switched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from html import escape

import streamlit as st
from attnviz_app import page_state
from attnviz_app.host import component
from attnviz_app.host.events import finish, is_part_of_page, later, put, take
from attnviz_app.serving import missing_models
from attnviz_app.serving import model_menu as choice
from attnviz_app.serving.examples import examples_of, text_of
from attnviz_app.serving.runs import runs
from attnviz_app.shell import panels
from attnviz_app.step import runs as step_runs
from attnviz_app.step import state as page
from attnviz_app.step.controls import controls
from attnviz_app.step.looks import dialog
from attnviz_app.step.looks.buttons import Seen
from attnviz_app.step.looks.table import LOOKS
from attnviz_app.step.query import Stepping, fitted, held, why_dropped
from attnviz_app.step.runs import Source
from attnviz_app.train.names import model_label

from attnviz import views
from attnviz.core.errors import AttnvizError, InputError
from attnviz.explanation import TABS
from attnviz.text import Strings
from attnviz.trace.trace import Trace
from attnviz.views.heads.tokens import unknown_notice

LOUD = ("step-note-no-block", "step-note-no-decoder")  # said above the picture: it is less than the tab's name promises
HAN = range(0x3400, 0xA000)  # code points of Chinese characters


def model_menu(say: Strings) -> None:
    """The models there are: small ones first, then the others, then those that were never trained."""
    put(page.MODEL, page.model(), language=page_state.read().language)
    st.selectbox(
        say("model-label"),
        page.models(),
        key=page.MODEL,
        format_func=lambda name: model_label(name, say),
        label_visibility="collapsed",
        on_change=later(page.choose_model, page.MODEL),
    )


def text_box(say: Strings) -> None:
    """The sentence; while it differs from the one drawn, a line under it says so."""
    put(page.TEXT, page.text())
    st.text_input(
        say("text-label"),
        key=page.TEXT,
        placeholder=say("stepping-text-hint"),
        label_visibility="collapsed",
        on_change=later(_submit, page.TEXT),
        autocomplete="off",
    )
    st.button(say("text-show"), key=page.SHOW, on_click=later(_submit, page.TEXT))
    with st.container(key="enter"):  # shell.css shows it while Streamlit holds the typed text back
        st.html(f'<p class="av-enter">{escape(say("text-enter"))}</p>')


def example_menu(say: Strings) -> None:
    """The prepared texts of the model."""
    names = tuple(examples_of(choice.task(page.model())))
    st.menu_button(
        say("example-label"),
        names,
        key=page.EXAMPLES,
        format_func=lambda name: say(f"example-{name}"),
        on_click=later(_take_example, page.EXAMPLES),
        args=(names, say),
    )


def word_switch(say: Strings) -> None:
    """Chinese by character or by word, where a model could do both."""
    if page.model() not in page.UNTRAINED or not any(ord(character) in HAN for character in page.text()):
        return
    put(page.BY_WORD, page.stepping().by_word)
    st.toggle(
        say("stepping-by-word"),
        key=page.BY_WORD,
        on_change=later(lambda by_word: page.change(by_word=by_word), page.BY_WORD),
    )


def guess_switch(say: Strings) -> None:
    """Whether results are hidden until the reader has guessed."""
    put(page.GUESSES, page.stepping().guesses)
    st.toggle(
        say("stepping-guesses"),
        key=page.GUESSES,
        on_change=later(lambda guesses: page.change(guesses=guesses), page.GUESSES),
    )


@st.fragment
def picture() -> None:
    """The steps. It takes nothing: Streamlit keeps a fragment's arguments, and traces belong to the bounded cache."""
    say = page_state.say()
    with panels.error_boundary():
        take()
        with panels.placeholder(_loading(say)):
            ran = _ran(say)
        missing_models.say_so("step", {"on": page.model()}, say)
        asked = page.stepping()
        now = fitted(asked, ran.untouched)
        trace, problem = _changed(ran, now)
        # A link says the model and the text, also where nobody chose them: the page's first depend on the language.
        now = held(replace(now, model=page.model(), text=page.text(), at=now.at or _telling(trace, now)), trace)
        page.put(now)
        if reason := why_dropped(asked.switches, now.switches):
            page.refuse(reason)
        try:
            payload = _payload(trace, ran, problem or page.refusal(), say)
        except AttnvizError as reason:  # this model has no such tab
            if now.tab == TABS[0]:
                raise
            page.put(fitted(replace(now, tab=TABS[0], site="", at=None), ran.untouched))
            page.refuse(reason)
            payload = _payload(trace, ran, reason, say)
        component.view(payload, page.VIEW, later(_point, page.VIEW, is_picked=True), heard=page.heard_then())
        dialog.open_asked(LOOKS[page.stepping().tab], _seen)
    if is_part_of_page():
        finish()


def _seen() -> Seen:
    """What a closer look is given: the run on the page and the same run without its switches."""
    name, now = page.model(), page.stepping()
    ran = step_runs.source(name, page.good_text(name), now.tab, by_word=now.by_word)
    trace, _ = _changed(ran, now)
    return Seen(name, trace, ran.untouched, now, page_state.say(), ran.model)


def _loading(say: Strings) -> str:
    """What is said while a model is loaded; nothing where it is there already."""
    name = page.model()
    return "" if name in page.UNTRAINED or runs().has_model(name) else say("loading-model", model=name)


def _ran(say: Strings) -> Source:
    """The run of the text on the page; of the last one that could be read where this one cannot."""
    name, now = page.model(), page.stepping()
    try:
        ran = step_runs.source(name, page.text(), now.tab, by_word=now.by_word)
    except InputError as problem:
        is_example = page.good_text(name) == page.first_text(name)
        panels.text_problem(problem, say, is_of_example=is_example)
        return step_runs.source(name, page.good_text(name), now.tab, by_word=now.by_word)
    page.read_well(name, page.text())
    return ran


def _changed(ran: Source, now: Stepping) -> tuple[Trace, AttnvizError | None]:
    """The run with its switches; the untouched one, and why, where this model cannot be switched so."""
    try:
        return step_runs.changed(ran, page.model(), now.switches, by_word=now.by_word), None
    except AttnvizError as problem:
        return ran.untouched, problem


def _telling(trace: Trace, now: Stepping) -> views.At:
    """The cell to start at: a word and the other word it gives the largest weight above what all words give it."""
    record = trace[now.site]
    tokens, keys = trace.query_tokens(record.site), trace.key_tokens(record.site)
    rows = [i for i in range(len(tokens)) if not tokens.special[i]] or [0]
    columns = [j for j in range(len(keys)) if not keys.special[j]] or [0]
    weights = record.weights(now.head)  # [Tq, Tk]
    above = (weights - weights.mean(0))[rows][:, columns]  # [rows, columns]
    place = int(above.argmax())
    return views.At("", rows[place // len(columns)], columns[place % len(columns)], 0)


def _payload(trace: Trace, ran: Source, problem: AttnvizError | None, say: Strings) -> bytes:
    """The bytes of the picture; the same steps give the same bytes, which the browser then has already.

    Raises:
        AttnvizError: this run holds too little for the tab; the message says what is missing.
    """
    shown, now = page_state.read(), page.stepping()
    notice = None if problem is None else say.error(problem)
    identity = (
        page.model(),
        trace.tokens.source.source,
        replace(now, at=None, look=""),
        notice,
        shown.language,
        shown.size,
    )
    at = page.mounted(identity)

    def packed() -> bytes:
        made = step_runs.steps(trace, now)
        notes = [*made.notes, *([] if ran.note is None else [ran.note])]
        loud = next((note for note in notes if note.id in LOUD), None) if notice is None else None
        said = (
            unknown_notice(trace.tokens.source, say),
            notice if loud is None else say(loud.id, **loud.arguments),
        )
        return views.stepper(
            made,
            trace,
            at,
            strings=say.view("stepper"),
            lang=shown.language,
            size=shown.size,
            notice=" ".join(filter(None, said)) or None,
            edits=[say(note.id, **note.arguments) for note in now.switches.notes(ran.untouched)] if trace.edits else [],
            questions=step_runs.questions(made, say) if now.guesses else None,
            controls=controls(trace, ran.untouched, now, say),
            notes=[
                *(say(note.id, **note.arguments) for note in notes if note is not loud),
                *_provenance(trace, say),
            ],
        ).payload

    return runs().payloads.get((trace.card.revision, identity, at), packed)


def _provenance(trace: Trace, say: Strings) -> list[str]:
    """Whose weights these are, and this run's own check."""
    card = trace.card
    is_untrained = page.model() in page.UNTRAINED
    about = (
        say("stepping-untrained", seed=card.revision)
        if is_untrained
        else " · ".join(filter(None, (card.name, card.revision[:7], card.licence)))
    )
    check = trace.verified
    if check is None:
        return [about]
    found, rows = check.difference, check.rows
    return [about, say("verified", difference=found, rows=rows) if found else say("verified-exact", rows=rows)]


def _submit(text: str) -> None:
    page.change(text=text, model=page.model(), at=None, first_token=0)


def _take_example(name: str | None, names: tuple[str, ...], say: Strings) -> None:
    if name is not None and name in names:
        page.change(text=text_of(name, say), model=page.model(), at=None, first_token=0)


def _point(picture: object) -> None:
    said = getattr(picture, "selection", None)
    if not isinstance(said, Mapping):
        return
    with panels.error_boundary():
        name, now = page.model(), page.stepping()
        page.point(said, step_runs.base(name, page.good_text(name), by_word=now.by_word))
