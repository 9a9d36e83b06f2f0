"""What the Step through page draws: its widgets, the picture's place, and a closer look over it."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import streamlit as st
from attnviz_app.host import component, events, visitor
from attnviz_app.open_model import first_use
from attnviz_app.open_model import panel as open_model
from attnviz_app.serving import model_menu
from attnviz_app.serving.examples import examples_of
from attnviz_app.serving.training_names import model_label
from attnviz_app.shell import controls, frame, given_box, panels
from attnviz_app.step import runs as step_runs
from attnviz_app.step import state as page
from attnviz_app.step.looks.dialog import open_dialog
from attnviz_app.step.query import picked_in, picked_link
from attnviz_app.step.state import STEP

from attnviz.core.errors import InputError, UnknownWords
from attnviz.text import Strings
from attnviz.views import link
from attnviz.views.pack import pack


def bar(say: Strings) -> None:
    """The model, the text, whether Chinese is read by word where that can be, and whether results are guessed at."""
    asked = STEP.asked
    open_model.menu(
        "step-model", asked.model, page.models(), _choose, say,
        label=say("model-label"), name_of=lambda name: model_label(name, say),
    )  # fmt: skip
    label, hint = say("text-label"), say("stepping-text-hint")
    given_box.boxes("step-text", lambda: STEP.asked.text, page.want, say, label=label, hint=hint)
    given_box.form_switch("step-text", lambda: STEP.asked.text, page.want, step_runs.forms(asked), say)
    controls.example_menu("step-examples", examples_of(model_menu.kind(asked.model)), page.choose_example, say)
    if asked.model in step_runs.UNTRAINED and page.is_chinese(asked.text):
        label = say("stepping-by-word")
        controls.switch("step-words", asked.by_word, lambda by_word: STEP.change(by_word=by_word), label=label)
    label = say("stepping-guesses")
    controls.switch("step-guesses", asked.guesses, lambda guesses: STEP.change(guesses=guesses), label=label)


def _choose(model: str) -> None:
    STEP.change(model=model, look="")


def answer(say: Strings) -> None:
    """Run the text that is asked for; the picture before it stays where that cannot be done, and a line says why."""
    panels.notices(STEP.notices, say)
    open_model.offer(STEP.notices, "step-model", say)
    first_use.line((STEP.asked.model,), _choose, say)
    asked, shown = STEP.asked, STEP.shown
    with panels.waiting(asked.model, say):
        try:
            trace = step_runs.base(asked)
        except InputError as problem:
            is_of_last = shown.model == asked.model and shown.text != asked.text
            text = shown.text if is_of_last else page.first_text(asked.model)
            is_unknown = isinstance(problem, UnknownWords)
            offer = partial(_offer, page.reads_instead(asked), asked.text, say) if is_unknown else None
            panels.text_problem(problem, say, also=offer)
            STEP.fell_back(replace(asked, text=text))
        else:
            STEP.answered(asked)
            panels.doubled_start(trace, say)


def _offer(model: str, text: str, say: Strings) -> None:
    """A button that reads the text with another model."""
    read = events.later(lambda: STEP.change(model=model, text=text, look=""))
    st.button(say("stepping-other-model", model=model_label(model, say)), key="step-other-model", on_click=read)


@st.fragment
def picture() -> None:
    """The place of the picture, which fetches itself: the browser knows where in it the person is."""
    with panels.error_boundary():
        events.apply()
        frame.leave()
        shown = replace(STEP.shown, look=page.look())
        STEP.fell_back(shown)
        language, size = visitor.language(), visitor.size()
        question = {
            "model": shown.model, "text": shown.text, "by_word": shown.by_word, "guesses": shown.guesses, "size": size,
        }  # fmt: skip
        place, words = picked_link(page.TOLD.get()), visitor.say().view("kit")
        header = pack({"view": "stepper", "lang": language, "place": place, "strings": words}, {})
        look = events.later(_look, "stepper-view")
        component.view(header, "stepper-view", link=STEP.link(visitor.link()), question=question, on_go=look)
        open_dialog(shown.look)


def _look(said: object) -> None:
    """Open a closer look at what is picked, or the page By hand; a browser may say anything."""
    told = getattr(said, "go", None)
    if not isinstance(told, Mapping) or not link.BY_NAME["look"].fits(str(told.get("to"))):
        return
    if told["to"] == "byhand":
        frame.go("byhand")
        return
    picked = told.get("picked")
    known = {name: str(picked[name]) for name in STEP.picked if name in picked} if isinstance(picked, Mapping) else {}
    page.TOLD.set(picked_in(known))
    STEP.change(look=str(told["to"]))
