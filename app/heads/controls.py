"""What Home and Heads let a person choose: model, text, example, and whose attention."""

import streamlit as st
from attnviz_app.heads import generation, shown_run
from attnviz_app.heads import state as page
from attnviz_app.heads.state import HEADS
from attnviz_app.host import events
from attnviz_app.serving import model_menu
from attnviz_app.shell import controls
from attnviz_app.train.training_names import model_label

from attnviz.text import Strings
from attnviz.trace.trace import Trace


def bar(say: Strings) -> None:
    """The models there are here, those this person trained among them; the text, and the prepared ones."""
    model = HEADS.asked.model
    controls.menu(
        "model-box", model, model_menu.models(model, HEADS.shown.model), shown_run.choose_model, say,
        label=say("model-label"), name_of=lambda name: model_label(name, say),
    )  # fmt: skip
    text_box(say)
    controls.example_menu("example-menu", shown_run.examples(), shown_run.choose_example, say)


def text_box(say: Strings) -> None:
    hint = say("training-text-hint" if model_menu.task(HEADS.asked.model) else "text-placeholder")
    controls.text_box("text-box", page.typed(), page.want, say, label=say("text-label"), hint=hint)


def target_box(trace: Trace, say: Strings) -> None:
    """What a model that writes is to write, for its attention over a text of the person's own."""
    if trace.tokens.target is None:
        return
    label, hint = say("target-label"), say("target-placeholder")
    controls.line_box("target-box", HEADS.asked.target, shown_run.want_target, label=label, hint=hint)


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
    """The prepared examples as quiet buttons in a row."""
    with st.container(key="examples", horizontal=True, gap="small"):
        for name in shown_run.examples():
            key = f"example-{name}"
            st.button(say(key), key=key, on_click=events.later(shown_run.choose_example), args=(name,))
