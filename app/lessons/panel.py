"""What the Lessons page draws: a step in words on the left, and beside it the picture of the page it is about."""

import re
from html import escape
from typing import Any

import streamlit as st
from attnviz_app.byhand import panel as byhand
from attnviz_app.compare import panel as compare
from attnviz_app.heads import panel as heads
from attnviz_app.host import component, events, lines
from attnviz_app.host.events import later
from attnviz_app.lessons import class_answers
from attnviz_app.lessons import state as page
from attnviz_app.lessons.content import Form, Step, lessons, options, right, short_test, told
from attnviz_app.lessons.state import LESSONS
from attnviz_app.lessons.teaching import place_name
from attnviz_app.lessons.what_if import what_if
from attnviz_app.open_model import first_use
from attnviz_app.serving.training_names import model_label
from attnviz_app.shell import controls, panels
from attnviz_app.step import panel as stepper
from attnviz_app.step.query import picked_in
from attnviz_app.train import panel as training

from attnviz.text import Language, Strings

VIEWS = {"step": "stepper", "heads": "heads", "compare": "compare", "train": "training", "byhand": "byhand"}


def bar(say: Strings) -> None:
    """The lessons, and how far one is in one."""
    asked = LESSONS.asked
    titles = _titles(say)
    controls.menu(
        page.LESSON, asked.test or asked.lesson, tuple(titles), page.go, say, label=say("lessons-menu"),
        name_of=titles.__getitem__,
    )  # fmt: skip
    if asked.test:
        test = asked.test
        controls.segments(
            page.FORM, asked.form, tuple(page.FORMS.values()), lambda form: page.take(test, form),
            label=say("lessons-form-label"), name_of=lambda form: say("lessons-form", form=form), language=say.language,
        )  # fmt: skip
        return
    lesson = lessons()[asked.lesson]
    n, before = len(lesson.steps), sum(step.minutes for step in lesson.steps[: asked.step])
    place = say("lessons-place", step=asked.step + 1, n=n, minute=before, minutes=lesson.minutes)
    st.html(f'<p class="av-note" role="status">{escape(place)}</p>')
    _turn("lessons-back", say("lessons-back"), asked.lesson, asked.step - 1, is_off=asked.step == 0)
    if asked.step + 1 < n:
        _turn("lessons-next", say("lessons-next"), asked.lesson, asked.step + 1)
    else:
        following = _following()
        _turn("lessons-next", say("lessons-next-test" if following == "after" else "lessons-next-lesson"), following)


def _titles(say: Strings) -> dict[int | page.Time, str]:
    """What the menu offers: the lessons, and the short test before and after them."""
    named = (say("lessons-title", n=n + 1, title=lesson.titles[say.language]) for n, lesson in enumerate(lessons()))
    return {**dict(enumerate(named)), **{test: say(f"lessons-test-{test}") for test in page.FORMS}}


def _following() -> int | page.Time:
    """What comes after a lesson: the next one, and after the last the short test."""
    lesson = LESSONS.asked.lesson + 1
    return lesson if lesson < len(lessons()) else "after"


def room(say: Strings) -> None:
    """Where a class's room is opened or joined; the teacher of one can ask it the question of the step."""
    if LESSONS.asked.test:
        component.room(say, launches=True)
        return
    step = page.step()
    if page.not_here(step):
        component.room(say, launches=True)
        return
    with panels.error_boundary():
        words = {
            language: {
                "text": words.ask.format_map(told(step, language)),
                "options": list(options(step, language)),
                "why": words.see.format_map(told(step, language)),
            }
            for language, words in step.words.items()
        }
        of = "lesson={lesson}&step={step}".format_map(page.asks())
        component.room(say, launches=True, question={"words": words, "right": right(step), "of": of})


def test(say: Strings) -> None:
    """The short test: eight items, answered and counted in the browser; see views/hosts/short_test.js."""
    asked = LESSONS.asked
    with panels.error_boundary():
        forms = {name: [_item(item[name], say.language) for item in short_test()] for name in page.FORMS.values()}
        counted = component.short_test(say, {"test": asked.test, "form": asked.form, "forms": forms})
        class_answers.draw(counted, "items", say)


def _item(form: Form, language: Language) -> dict[str, Any]:
    words = form.words[language]
    why = words.why.format_map(told(form, language))
    return {"ask": words.ask, "options": words.options, "right": form.right, "why": why}


def _turn(id: str, label: str, *place: int | page.Time, is_off: bool = False) -> None:
    st.button(label, key=id, disabled=is_off, on_click=later(page.go), args=place)


def _paragraph(text: str, *, is_status: bool = False) -> None:
    role = ' role="status"' if is_status else ""
    st.html(f'<p class="av-say"{role}>{_set(text)}</p>')


def _set(text: str) -> str:
    """A text as HTML, with d_k and W_O set as in books."""
    return re.sub(r"([dW])_([kOQKV12])\b", r"\1<sub>\2</sub>", escape(text))


def words(say: Strings) -> None:
    """What is said, the question, and, once it is answered, what there is to see and what is often believed.

    What refutes that is said once the what-if was shown, whose outcome it tells.
    """
    step, language, asked = page.step(), say.language, LESSONS.asked
    said, missing, better = page.predicted(asked), page.not_here(step), page.runs_instead(asked)
    with panels.error_boundary():
        if missing:
            st.html(f'<h2 class="av-section">{_set(step.words[language].title)}</h2>')
            lines.note(say("lessons-not-here", model=model_label(missing, say), name=missing), is_status=True)
            return
        if better:
            lines.note(say("lessons-instead", model=model_label(better, say), name=better))
        _away(step, say)
        numbers, choices = told(step, language), options(step, language)
        if step.kind != "cell" and said and int(said) >= len(choices):
            said = ""  # the browser kept it from a lesson that had more
        text = {
            name: template.format_map(numbers) for name, template in step.words[language] if isinstance(template, str)
        }
        is_told = bool(said) or page.is_told(asked)
        if asked.step == 0 and not is_told:
            lines.note(lessons()[asked.lesson].goals[language])
        st.html(f'<h2 class="av-section">{_set(text["title"])}</h2><p class="av-say">{_set(text["say"])}</p>')
        lines.head(say("lessons-predict", minutes=step.minutes))
        _paragraph(text["ask"])
        if is_told:  # each part has a place of its own: what the step before showed there goes at once
            st.empty()
            st.empty()
            with st.container(key="lesson-told"):
                _told(step, said, text, choices, say)
        else:
            with st.container(key="lesson-predict"):  # hidden from who follows: shell.css
                _point(say) if step.kind == "cell" else _choice(choices, say)
            st.html(f'<p class="av-note av-waits">{escape(say("lessons-waits"))}</p>')  # and this from who does not
            st.empty()


def _away(step: Step, say: Strings) -> None:
    """What the words speak of, where the picture is of something else."""
    of = page.spoken_of()
    link = of[-1]
    is_placed = step.page in ("step", "heads") and "layer" in link
    site = picked_in({"part": "encoder", **link}).site
    head = int(link["head"]) - 1 if "head" in link else None
    place = place_name(link["model"], site, head, say) if is_placed else ""
    words = {
        "other": say("lessons-away-other", text=link.get("text", ""), place=place or "none"),
        "changed": say("lessons-away-changed"), "back": say("lessons-away-back"),
    }  # fmt: skip
    component.away(words, VIEWS[step.page], asked=page.asks(), spoken_of=of, back=page.back)


def _told(step: Step, said: str, text: dict[str, str], choices: tuple[str, ...], say: Strings) -> None:
    """What there is to see, and what is often believed; what refutes that once the what-if was shown."""
    if said and step.kind != "cell":
        lines.note(say("lessons-said", said=choices[int(said)]))
    lines.note(_result(step, said, choices, say), is_status=True)
    _paragraph(text["see"])
    lines.head(say("lessons-believed"))
    _paragraph(text["believe"])
    if step.what_if:
        st.button(what_if(step, say.language, say), key=page.WHAT_IF, on_click=later(page.try_what_if))
    if not step.what_if or page.is_tried(LESSONS.asked):
        _paragraph(text["refute"], is_status=True)
    else:
        st.empty()  # so that no other step's stands here until the picture is there


def _result(step: Step, said: str, choices: tuple[str, ...], say: Strings) -> str:
    """Whether the run says what was predicted."""
    answer = right(step)
    if said == answer:
        return say("lessons-right")
    if step.kind == "cell":
        return say("lessons-wrong-cell" if said else "lessons-told-cell")
    return say("lessons-wrong", right=choices[int(answer)])


def _choice(choices: tuple[str, ...], say: Strings) -> None:
    asked = LESSONS.asked
    name = f"lesson-{asked.lesson}-{asked.step}"
    st.radio(
        say("lessons-choose"), range(len(choices)), None, key=events.put(name, None, say.language),
        format_func=lambda n: choices[n], label_visibility="collapsed",
        on_change=events.changed(lambda n: page.predict(str(n)), name),
    )  # fmt: skip


def _point(say: Strings) -> None:
    lines.note(say("lessons-point-how"))
    component.press(say("lessons-point"), page.POINT, "stepper", page.point, needs_pick=True)


def picture(say: Strings) -> None:
    """The picture of the step, drawn as its own page draws it; none of a model that is not here."""
    if page.not_here(page.step()):
        first_use.line((), lambda _: page.go(LESSONS.asked.lesson, LESSONS.asked.step), say)
        return
    match page.step().page:
        case "step":
            stepper.answer(say)
            stepper.picture()
        case "heads":
            _, problem = heads.current(say)
            heads.problems(problem, say)
            heads.picture()
        case "compare":
            compare.picture()
        case "byhand":
            byhand.picture(of_lesson=True)
        case "train":
            st.fragment(training.picture)()
            training.chart()
