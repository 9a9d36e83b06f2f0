"""What Home and Heads draw: what can be chosen, the run on the screen and why it may be another, and the picture."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from html import escape
from typing import Any

import streamlit as st
from attnviz_app.heads import generation
from attnviz_app.heads import state as page
from attnviz_app.heads.looks import dialog
from attnviz_app.heads.predicted import predicted_line
from attnviz_app.heads.query import Picked, picked_in
from attnviz_app.heads.state import HEADS
from attnviz_app.host import component, events, lines, visitor
from attnviz_app.open_model import first_use
from attnviz_app.open_model import panel as open_model
from attnviz_app.serving import coverage, model_menu
from attnviz_app.serving.runs import runs
from attnviz_app.serving.training_names import model_label
from attnviz_app.shell import controls, frame, given_box, panels

from attnviz import views
from attnviz.core.errors import AttnvizError
from attnviz.text import Strings
from attnviz.trace.generation import Stretch
from attnviz.trace.sampling import Sampling
from attnviz.trace.trace import Trace
from attnviz.views.heads.attention_parts import PARTS
from attnviz.views.heads.written_tokens import sampling_in_words

FIRST_WAY = Sampling(temperature=0.8, top_k=40, top_p=0.95, seed=1)  # where somebody asks for chance


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
    if (n := generation.own_lines()) is not None:  # what the model wrote makes it no taller: what is below stands still
        rule = f"{{ max-height: calc(var(--av-box) - 2px + {n - 1} * 1.4em) }}"
        st.html(f"<style>.st-key-bar [class*='st-key-text-box--'] textarea:not(:focus) {rule}</style>")
    hint = say("training-text-hint" if model_menu.task(HEADS.asked.model) else "text-placeholder")
    given_box.boxes("text-box", page.typed, page.want, say, label=say("text-label"), hint=hint)


def form_switch(say: Strings) -> None:
    """Whether a text, two texts or a chat is read; drawn once the model is here, which knows what it reads."""
    given_box.form_switch("text-box", page.typed, page.want, runs().forms(HEADS.asked.model), say)


def target_box(trace: Trace, say: Strings) -> None:
    """What a model that writes is to write, for its attention over a text of the person's own."""
    if trace.tokens.target is None:
        return
    given_box.lines_box(
        "target-box", HEADS.asked.target, lambda target: HEADS.change(target=target if target.strip() else ""),
        label=say("target-label"), hint=say("target-placeholder"),
    )  # fmt: skip


def write_on_menu(trace: Trace, say: Strings) -> None:
    """How many tokens the model is to write, and how each is chosen; off where none can be, with the reason. What is
    written as a target has a line of its own."""
    if trace.tokens.target is not None:
        return
    say, why = say.of(trace.card.tokens), generation.why_none(trace)
    counts = generation.COUNTS[:1] if why else generation.counts(trace)
    st.menu_button(
        say("heads-write-on"), counts, key="heads-write-on", disabled=why is not None,
        format_func=lambda n: say("heads-write-on-one") if n == 1 else say("heads-write-on-n", n=n),
        help=say(why or "heads-write-on-hint"), on_click=events.later(generation.ask, "heads-write-on"),
    )  # fmt: skip
    if why in (None, "heads-write-on-full"):
        _write_way(say)


def _write_way(say: Strings) -> None:
    """How each token is chosen that the model writes: the likeliest, or drawn by what stands here."""
    now = generation.way()
    with st.popover(say("write-sampling-off" if now is None else "write-sampling-on"), key="write-way"):
        controls.segments(
            "write-is-drawn", now is not None, (False, True),
            lambda is_drawn: generation.choose_way(FIRST_WAY if is_drawn else None), label=say("write-way"),
            name_of=lambda is_drawn: say("write-drawn" if is_drawn else "write-greedy"), language=say.language,
            is_labelled=True,
        )  # fmt: skip
        if now is None:
            lines.note(say("write-greedy-says"))
            return
        with st.container(key="write-numbers"):
            _number("temperature", now.temperature, 0.05, 5.0, 0.1, say)
            _choice("top-k", now.top_k, (None, 5, 10, 20, 40, 100), say)
            _choice("top-p", now.top_p, (None, 0.5, 0.8, 0.9, 0.95, 0.99), say)
            _number("seed", now.seed, 0, 2**31 - 1, 1, say)
        lines.note(say("write-drawn-says"))


def _number(name: str, value: float, least: float, most: float, step: float, say: Strings) -> None:
    key = f"write-{name}"
    st.number_input(
        say(key), least, most, value, step, key=events.put(key, value), on_change=events.changed(_draws(name), key)
    )


def _choice(name: str, value: float | None, usual: Sequence[float | None], say: Strings) -> None:
    """One of a few numbers, and that of a link; None leaves no token out."""
    key = f"write-{name}"
    options = usual if value in usual else (*usual, value)
    st.selectbox(
        say(key), options, options.index(value), key=events.put(key, value, say.language),
        format_func=lambda one: say("write-all") if one is None else f"{one:g}",
        on_change=events.changed(_draws(name), key),
    )  # fmt: skip


def _draws(name: str) -> Callable[[float | None], None]:
    """What changes one number of how tokens are drawn."""

    def choose(said: float | None) -> None:
        now = generation.way()
        if now is not None:
            numbers: dict[str, Any] = {name.replace("-", "_"): round(said, 2) if isinstance(said, float) else said}
            generation.choose_way(replace(now, **numbers))

    return choose


def example_pills(say: Strings) -> None:
    """The prepared texts as quiet buttons; drawn once the model is here, which knows what suits it."""
    for name in page.examples():
        key = f"example-{name}"
        st.button(say(key), key=key, on_click=events.later(page.choose_example), args=(name,))


# ---------------------------------------------------------------------------------------------- the run and its picture


def current(say: Strings) -> tuple[Trace, AttnvizError | None]:
    """The run on the screen, and why it is still the last one. Where there is none, the page ends with the reason."""
    with panels.error_boundary(also=lambda error: _first_part(error, say)), panels.waiting(HEADS.asked.model, say):
        trace, problem = page.current()
        generation.check(trace, say)
        return trace, problem
    st.stop()


def first_use_line(say: Strings) -> None:
    first_use.line((HEADS.asked.model,), page.show_model, say)


def problems(problem: AttnvizError | None, say: Strings) -> None:
    """Why the picture is still the last one."""
    if problem is not None:
        panels.text_problem(problem, say, also=partial(_first_part, problem, say))


def notices(trace: Trace, say: Strings) -> None:
    """What the model wrote of the text, what was left out or corrected, and what the model was not for: under the
    picture, which stays where it is.
    """
    with st.container(key="notices"):
        if stretches := generation.written():
            st.html(_continued(trace, stretches, say.of(trace.card.tokens)))
        panels.cut_line(HEADS.shown.cut, len(trace.tokens.source), say)
        panels.notices(HEADS.notices, say.of(trace.card.tokens))
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


def _continued(trace: Trace, stretches: Sequence[Stretch], say: Strings) -> str:
    """A line with what the model wrote of the text, so that nobody takes it for the person's own, or a poet's."""
    tokens, shown = trace.tokens.source, list[str]()
    for old in stretches:
        text = tokens.source[tokens.spans[old.first][0] : tokens.spans[old.first + old.n - 1][1]].strip()
        how = f" ({sampling_in_words(old.sampling, say)})" if old.sampling else ""
        shown.append(f"<bdi>{escape(text)}</bdi>{escape(how)}")
    wrote = escape(say("written-continued", model=trace.card.name, text=""))
    return f'<p class="av-line av-quiet av-continued" dir="auto"><span>{wrote}{" · ".join(shown)}</span></p>'


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
        base, go = page.base(trace), events.later(_go, "heads-view")
        component.view(
            _payload(trace, base), "heads-view", link=HEADS.link(visitor.link()), question=question, on_go=go,
            is_open=not base.is_placed,
        )  # fmt: skip
        dialog.open_dialog(visitor.say())


def _go(said: object) -> None:
    """Show a sentence that was chosen in the picture, a head of another part, charts, or what is changed in the run on
    another page; a browser may say anything.
    """
    told = getattr(said, "go", None)
    match told:
        case {"to": str(text)} if text:
            page.want(text)
        case {"to": {"next": [int(row), int(at)]}}:
            generation.ask_branch(row, at)
        case {"to": {"charts": _} as to, "picked": Mapping() as picked}:
            return dialog.ask(to, picked)
        case {"to": {"page": "step"}}:
            frame.go("step")
        case {"to": {"part": part}, "picked": Mapping() as picked} if part in PARTS:
            HEADS.change(part=part)
            page.BEGINNING.bring(picked_in({str(name): str(value) for name, value in picked.items()})[0])
        case _:
            return
    page.IS_LED.set(True)


def _payload(trace: Trace, base: Picked) -> bytes:
    """The bytes of a picture; the same pick gives the same bytes, which the browser then has already."""
    shown, language, size = HEADS.shown, visitor.language(), visitor.size()
    written = generation.written()

    def packed() -> bytes:
        is_drawn = any(stretch.sampling for stretch in written)  # what is unlikely is run again for its probability
        with runs().gate.entered() if is_drawn else nullcontext():
            return views.heads(
                trace, base.pick, lang=language, size=size, part=shown.part,
                way=base.view, also=base.also, together=base.together, filters=base.filter, overview=base.overview,
                beside=base.beside, written_from=written,
            ).payload  # fmt: skip

    key = (trace.card.revision, shown.of_run, shown.part, base, language, size, written)
    return runs().payloads.get(key, packed)
