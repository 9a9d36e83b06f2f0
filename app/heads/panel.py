"""What Home and Heads draw: what can be chosen, the run on the screen and why it may be another, and the picture."""

from collections.abc import Mapping
from functools import partial
from html import escape

import streamlit as st
from attnviz_app.heads import generation
from attnviz_app.heads import state as page
from attnviz_app.heads.looks import dialog
from attnviz_app.heads.predicted import predicted_line
from attnviz_app.heads.query import Picked, picked_in
from attnviz_app.heads.state import HEADS
from attnviz_app.host import component, events
from attnviz_app.open_model import first_use
from attnviz_app.open_model import panel as open_model
from attnviz_app.serving import coverage, model_menu
from attnviz_app.serving.runs import runs
from attnviz_app.shell import controls, given_box, lines, panels, visitor
from attnviz_app.train.training_names import model_label

from attnviz import views
from attnviz.core.errors import AttnvizError
from attnviz.text import Strings
from attnviz.trace.trace import Trace
from attnviz.views.heads.attention_parts import PARTS


def bar(say: Strings) -> None:
    """The model and the text."""
    model_box(say)
    text_box(say)


def example_menu(say: Strings) -> None:
    """The prepared texts; drawn once the model is here, which knows what suits it."""
    controls.example_menu("example-menu", page.examples(), page.choose_example, say)


def model_box(say: Strings) -> None:
    """The models there are here, those this person trained among them."""
    model = HEADS.asked.model
    open_model.menu(
        "model-box", model, model_menu.models(model, HEADS.shown.model), page.choose_model, say,
        label=say("model-label"), name_of=lambda name: model_label(name, say),
    )  # fmt: skip


def text_box(say: Strings) -> None:
    hint = say("training-text-hint" if model_menu.task(HEADS.asked.model) else "text-placeholder")
    given_box.boxes("text-box", page.typed, page.want, say, label=say("text-label"), hint=hint)


def form_switch(say: Strings) -> None:
    """Whether a text, two texts or a chat is read; drawn once the model is here, which knows what it reads."""
    given_box.form_switch("text-box", page.typed, page.want, runs().forms(HEADS.asked.model), say)


def target_box(trace: Trace, say: Strings) -> None:
    """What a model that writes is to write, for its attention over a text of the person's own."""
    if trace.tokens.target is None:
        return
    controls.lines_box(
        "target-box", HEADS.asked.target, lambda target: HEADS.change(target=target if target.strip() else ""),
        label=say("target-label"), hint=say("target-placeholder"),
    )  # fmt: skip


def write_on_menu(trace: Trace, say: Strings) -> None:
    """How many tokens a model that continues its text is to write."""
    counts = generation.counts(trace)
    if counts is None:
        return
    st.menu_button(
        say("heads-write-on"), counts or generation.COUNTS[:1], key="heads-write-on", disabled=not counts,
        format_func=lambda n: say("heads-write-on-one") if n == 1 else say("heads-write-on-n", n=n),
        help=say("heads-write-on-hint" if counts else "heads-write-on-full"),
        on_click=events.later(generation.ask, "heads-write-on"),
    )  # fmt: skip


def example_pills(say: Strings) -> None:
    """The prepared texts as quiet buttons; drawn once the model is here, which knows what suits it."""
    for name in page.examples():
        key = f"example-{name}"
        st.button(say(key), key=key, on_click=events.later(page.choose_example), args=(name,))


# ---------------------------------------------------------------------------------------------- the run and its picture


def current(say: Strings) -> tuple[Trace, AttnvizError | None]:
    """The run on the screen, and why it is still the last one. Where there is none, the page ends with the reason."""
    with panels.error_boundary(also=lambda error: _first_part(error, say)), panels.waiting(HEADS.asked.model, say):
        return page.current()
    st.stop()


def first_use_line(say: Strings) -> None:
    first_use.line((HEADS.asked.model,), page.show_model, say)


def problems(problem: AttnvizError | None, say: Strings) -> None:
    """Why the picture is still the last one."""
    shown = HEADS.shown
    if problem is not None:
        is_example = model_menu.is_example(shown.text, shown.model, say)
        panels.text_problem(problem, say, is_of_example=is_example, also=partial(_first_part, problem, say))


def notices(trace: Trace, say: Strings) -> None:
    """What was left out or corrected, and what the model was not for: under the picture, which stays where it is."""
    with st.container(key="notices"):
        panels.cut_line(HEADS.shown.cut, len(trace.tokens.source), say)
        panels.notices(HEADS.notices, say)
        open_model.offer(HEADS.notices, "model-box", say)
        panels.doubled_start(trace, say)
        uncovered = coverage.line(HEADS.shown.model, HEADS.shown.text, say)
        if uncovered is not None:
            lines.quiet(uncovered, role="note")


def written(trace: Trace, say: Strings) -> None:
    """What a model that reads one text writes, where the person did not say it."""
    if trace.tokens.target is not None and not HEADS.shown.target:
        text = trace.tokens.target.source
        line = say("written-text", text=text) if text else say("written-nothing")
        st.html(f'<p class="av-written" dir="auto" title="{escape(line)}">{escape(line)}</p>')


def predicted(trace: Trace, say: Strings) -> None:
    """The classes, labels or span that a model's own head gives for the text."""
    line = predicted_line(trace, say)
    if line is not None:
        st.html(f'<p class="av-written" dir="auto" title="{escape(line)}">{escape(line)}</p>')


def _first_part(error: AttnvizError, say: Strings) -> None:
    panels.first_part(error, HEADS.asked.text, page.want_part_of, say)


@st.fragment
def picture() -> None:
    """The heads of the run on the screen.

    It takes no trace: Streamlit keeps a fragment's arguments for the session, and traces belong to the bounded cache.
    """
    with panels.error_boundary():
        events.apply()
        if page.IS_LED.take():
            st.rerun()
        shown = HEADS.shown
        trace = runs().trace(*shown.of_run)
        question = {"model": shown.model, "text": shown.text, "target": shown.target, "part": shown.part}
        payload, go = _payload(trace, page.base(trace)), events.later(_go, "heads-view")
        component.view(payload, "heads-view", link=HEADS.link(visitor.link()), question=question, on_go=go)
        dialog.open_dialog(visitor.say())


def _go(said: object) -> None:
    """Show a sentence that was chosen in the picture, a head of another part, or charts; a browser may say anything."""
    told = getattr(said, "go", None)
    match told:
        case {"to": str(text)} if text:
            page.want(text)
        case {"to": {"charts": _} as to, "picked": Mapping() as picked}:
            return dialog.ask(to, picked)
        case {"to": {"part": part}, "picked": Mapping() as picked} if part in PARTS:
            HEADS.change(part=part)
            page.BEGINNING.bring(picked_in({str(name): str(value) for name, value in picked.items()})[0])
        case _:
            return
    page.IS_LED.set(True)


def _payload(trace: Trace, base: Picked) -> bytes:
    """The bytes of a picture; the same pick gives the same bytes, which the browser then has already."""
    shown, language, size = HEADS.shown, visitor.language(), visitor.size()
    written = generation.written_from(shown.model, shown.text)

    def packed() -> bytes:
        return views.heads(
            trace, base.pick, lang=language, size=size, part=shown.part,
            way=base.view, also=base.also, together=base.together, filters=base.filter, overview=base.overview,
            beside=base.beside, written_from=written,
        ).payload  # fmt: skip

    key = (trace.card.revision, shown.of_run, shown.part, base, language, size, written)
    return runs().payloads.get(key, packed)
