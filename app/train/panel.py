"""What the Training page draws: what can be chosen, how far the training is, and the picture of its heads.

The last two follow a training alone.
"""

from collections.abc import Callable
from dataclasses import replace
from html import escape
from typing import TypeVar

import streamlit as st
from attnviz_app.heads.state import open_model
from attnviz_app.host import component, events, lines, session, visitor
from attnviz_app.jobs.training_request import HEADS, LAYERS, RATES, offered_steps, own_ask
from attnviz_app.jobs.trainings import Training, trainings
from attnviz_app.serving import coverage, model_menu
from attnviz_app.serving.examples import examples_of, text_of
from attnviz_app.serving.runs import runs
from attnviz_app.serving.training_names import command, right, settings_line, task_name
from attnviz_app.settings import settings
from attnviz_app.shell import controls, frame, given_box, panels
from attnviz_app.train import curves, head_formation
from attnviz_app.train import state as page
from attnviz_app.train.query import moment_in
from attnviz_app.train.state import TRAIN

from attnviz import views
from attnviz.core.errors import InputError
from attnviz.text import Strings, sentences
from attnviz.training import TASKS
from attnviz.training.head_formation import HeadFormation
from attnviz.views import Moment
from attnviz.views.training import settled

POLL_SECONDS = 1.0  # between two pictures of a training that goes on: only a run that a page asks for can show it
TRADITIONAL = "zh-TW"
_drawn = session.Value("training-drawn", Moment)  # the moment that the picture chose where nobody picked one
T = TypeVar("T", int, float)


def bar(say: Strings) -> None:
    """The task and a text of one's own."""
    task, label, hint = TRAIN.asked.task, say("training-text"), say("training-text-hint")
    controls.menu(
        "train-task", task, tuple(TASKS), page.choose_task, say, label=say("training-task"),
        name_of=lambda name: task_name(name, say),
    )  # fmt: skip
    sent = given_box.lines_box("train-text", page.text(), lambda text: TRAIN.change(text=text), label=label, hint=hint)
    given_box.show_button("train-text", [sent], say)
    controls.example_menu("train-examples", examples_of(task), _take_example, say)


def follow() -> None:
    """Draw the rest; while the training goes on each runs again every second, and nothing else does."""
    active = _is_active()
    every = POLL_SECONDS if active else None
    with st.container(key="train-row", horizontal=True, vertical_alignment="center"):
        _change_menu(visitor.say())
        _start_buttons(visitor.say())
        st.fragment(_progress, run_every=every)(active)
        _use_button(visitor.say())
    with st.container(key="stage"):
        st.fragment(picture, run_every=every)()
    chart()


def _is_active() -> bool:
    job = page.job()
    return job is not None and job.is_active


# ----------------------------------------------------------------------------------------------- what can be changed


def _change_menu(say: Strings) -> None:
    """What teaches something when it is changed; the rest is the task's own."""
    ask, limits = page.ask(), settings()
    with st.popover(say("training-change"), key="train-change"):
        _segments("heads", ask.heads, HEADS, say)
        _segments("layers", ask.layers, LAYERS, say)
        label = say("training-positions")
        controls.switch("train-positions", ask.has_positions, _changes("has_positions"), label=label)
        label = say("training-feed-forward")
        controls.switch("train-feed-forward", ask.has_feed_forward, _changes("has_feed_forward"), label=label)
        rates = tuple(sorted({*RATES, ask.rate}))
        _slider("rate", ask.rate, rates, lambda rate: f"{rate:g}", say)
        steps = offered_steps(limits.training_steps, ask.steps)
        _slider("steps", ask.steps, steps, lambda n: f"{n:,}", say)
        limit = say("training-limit", steps=limits.training_steps, seconds=round(limits.training_seconds))
        lines.note(sentences(say("training-preset-help"), limit))
        st.button(say("training-reset"), key="train-reset", on_click=events.later(page.reset_ask))


def _start_buttons(say: Strings) -> None:
    """Train what the controls say; or, in one click, the same without positions. One training a person at a time."""
    if not settings().training:
        lines.note(say("error-training-off"))
        return
    lines.note(settings_line(page.ask(), say))
    is_busy = trainings().queue.of(visitor.name()) is not None
    st.button(say("training-start"), key="train-start", on_click=events.later(page.start), disabled=is_busy)
    st.button(say("training-preset"), key="train-preset", on_click=events.later(_start_bare), disabled=is_busy)


def _segments(field: str, value: int, choices: tuple[int, ...], say: Strings) -> None:
    name, label = f"train-{field}", say(f"training-{field}")
    controls.segments(name, value, choices, _changes(field), label=label, name_of=str, is_labelled=True)


def _slider(field: str, value: T, choices: tuple[T, ...], said: Callable[[T], str], say: Strings) -> None:
    name, label = f"train-{field}", say(f"training-{field}")
    key = events.put(name, value)
    st.select_slider(label, choices, value, key=key, format_func=said, on_change=events.changed(_changes(field), name))


def _changes(field: str) -> Callable[[object], None]:
    return lambda value: page.change_ask(**{field: value})


def _start_bare() -> None:
    page.change_ask(has_positions=False)
    page.start()


def _take_example(name: str) -> None:
    if name in examples_of(TRAIN.asked.task):
        TRAIN.change(text=text_of(name, visitor.say()))


# ------------------------------------------------------------------------------------------------------ how far it is


def _progress(was_active: bool) -> None:
    """One line: the place in the queue, the step, or how it ended; and the button that stops it."""
    events.apply()
    say, job = visitor.say(), page.job()
    if was_active and not _is_active():
        st.rerun()  # the whole page: its buttons can be pressed again, and nothing has to be asked every second
    with st.container(key="train-progress", horizontal=True, vertical_alignment="center"):
        lines.alert(page.PROBLEM.get(), say)
        kind = "av-progress" if job is None else "av-progress av-long"
        active = job if job is not None and job.is_active else None
        done = lines.bar(active.progress.step, active.asked.steps, say("training-bar")) if active else ""
        st.html(f'<p class="{kind}" role="status">{escape(_told(job, say))}</p>{done}')
        if active and visitor.name() in active.owners:
            label = say("training-leave" if active.state == "waiting" else "training-stop")
            st.button(label, key="train-stop", on_click=events.later(page.stop), disabled=active.state == "stopping")


def _told(job: Training | None, say: Strings) -> str:
    if job is None:
        return _told_before(say)
    if job.state == "waiting":
        return say("training-waiting", n=trainings().queue.place(job.key))
    if job.state == "failed" and job.error is not None:
        return say.error(job.error)
    point = job.progress
    if job.state == "running" and point.step == 0:
        return say("training-preparing")
    if job.state in ("left", "freed"):
        return say("training-kept" if trainings().store.has(job.asked.id) else f"training-{job.state}")
    if job.state == "finished" and not point.seconds:
        return say("training-known")
    steps = {"step": str(point.step), "steps": str(job.asked.steps)}  # as the picture writes them
    ended = say(f"training-{job.state}", **steps, seconds=round(point.seconds))
    return sentences(ended, *right(job.asked.task, point.accuracy, say)[:1])  # the picture has the harder texts too


def _told_before(say: Strings) -> str:
    """Of a training that this server remembers only by what it left, or of none."""
    asked, store = TRAIN.asked, trainings().store
    if asked.run and store.has(asked.run):
        return say("training-kept")
    if asked.run and asked.run in store.removed:
        return say("training-removed")
    if asked.run:
        return say("training-unknown")
    id = "training-only-shipped" if head_formation.shipped(asked.task, say) else "training-none-shipped"
    return say(id, task=task_name(asked.task, say))


def _use_button(say: Strings) -> None:
    """The model that was trained, or the one that ships, on the page of heads."""
    if _usable(0) or _usable(page.MINE):
        component.press(say("training-use"), "train-use", "training", _use)


def _use(picked: dict[str, str]) -> None:
    """Ask for the model whose heads are shown, at the head and the row that are picked or that the picture chose."""
    at = moment_in(picked) or _drawn.get()
    model = _usable(at.run)
    if model is not None:
        open_model(model, page.good_text(TRAIN.asked.task), at)
        frame.go("heads")


def _usable(run: int) -> str | None:
    """A training that is shown, as a model for the other pages: the one that ships, or one's own once it has ended."""
    asked = TRAIN.asked
    finished = asked.run if trainings().store.has(asked.run) and not _is_active() else None
    shipped = next((name for name in trainings().limits.models if model_menu.task(name) == asked.task), None)
    return finished if finished and (run == page.MINE or shipped is None) else shipped


# -------------------------------------------------------------------------------------------------------- the picture


def picture() -> None:
    """All heads over time. It takes nothing: Streamlit keeps a fragment's arguments, and pictures are large."""
    say = visitor.say()
    with panels.error_boundary():
        events.apply()
        if curves.IS_NEW.take():
            st.rerun()
        task, stand_in = _subject(say)
        asked, text = TRAIN.asked, page.text()
        try:
            formed = _formed(task, text, say)
            TRAIN.answered(asked)
        except InputError as problem:
            text = page.good_text(task)
            panels.text_problem(problem, say)
            formed = _formed(task, text, say)
            TRAIN.fell_back(replace(asked, text=text))
        uncovered = None if formed[0].is_covered else coverage.outside(task, say)
        notice = sentences(stand_in, uncovered) or None
        link, go = TRAIN.link(visitor.link()), events.later(_go, "training-view")
        component.view(_payload(formed, notice), "training-view", link=link, question={}, on_go=go)
        with st.container(key="notices"):
            panels.notices(TRAIN.notices, say)
            if task in model_menu.SPEAKS.values():
                lines.quiet(sentences(say("training-poems-kept", task=task), say("training-poems")), role="note")
        panels.foot(_verified(max(each.largest_difference for each in formed), say), _command(task))


def chart() -> None:
    """The curves of what is in the picture, in a dialog where they are asked for."""
    say = visitor.say()

    def formed() -> list[HeadFormation]:
        task, _ = _subject(visitor.say())
        return _formed(task, page.good_text(task), visitor.say())

    curves.open_dialog(formed, say)


def _go(said: object) -> None:
    """Show the curves as a chart; a browser may say anything."""
    match getattr(said, "go", None):
        case {"to": "curves"}:
            curves.ask()


def _verified(difference: float, say: Strings) -> str:
    return say("training-verified", difference=difference) if difference else say("training-verified-exact")


def _subject(say: Strings) -> tuple[str, str | None]:
    """The task to draw, and why it is another than was chosen. That one reads the same symbols."""
    asked = TRAIN.asked
    if head_formation.shipped(asked.task, say) or head_formation.of_run(asked.run, asked.task, say):
        return asked.task, None
    stand_in = head_formation.STAND_IN
    return stand_in, say("training-stand-in", shown=task_name(stand_in, say))


def _formed(task: str, text: str, say: Strings) -> list[HeadFormation]:
    """The training that ships and the person's own, where there are any, both on the same text."""
    both = head_formation.shipped(task, say), head_formation.of_run(TRAIN.asked.run, task, say)
    sources = [source for source in both if source is not None]
    script = TRADITIONAL if visitor.language() == TRADITIONAL else ""
    line = "" if all(head_formation.is_measured(source) for source in sources[:1]) else say("training-measuring")
    with panels.placeholder(line):
        return [head_formation.formed(source, text, script) for source in sources]


def _payload(formed: list[HeadFormation], notice: str | None) -> bytes:
    """The bytes of the picture; the same trainings at the same checkpoints give the same bytes."""
    moment, language, size = page.base(), visitor.language(), visitor.size()
    _drawn.set(settled(moment, formed))
    parts = tuple((each.revision, each.label, each.outcome) for each in formed)

    def packed() -> bytes:
        return views.training(formed, moment, lang=language, size=size, notice=notice).payload

    return runs().payloads.get((parts, moment, language, size, notice), packed)


def _command(task: str) -> str:
    ask = trainings().store.ask(TRAIN.asked.run)
    return command(ask if ask is not None and ask.task == task else own_ask(task))
