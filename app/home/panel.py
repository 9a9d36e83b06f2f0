"""What Home draws: the sentence with one head's curves, and the ways to the other pages with the same sentence."""

from collections.abc import Mapping
from dataclasses import replace
from html import escape
from typing import Any
from urllib.parse import parse_qsl, urlencode

import streamlit as st
from attnviz_app.compare.sides import small_baseline
from attnviz_app.compare.state import COMPARE
from attnviz_app.heads import state as heads
from attnviz_app.heads.state import HEADS
from attnviz_app.host import component, events, lines, visitor
from attnviz_app.page_state import PageState
from attnviz_app.serving import model_menu
from attnviz_app.serving.examples import pair_with
from attnviz_app.serving.runs import read_of, runs
from attnviz_app.serving.training_names import model_label
from attnviz_app.shell import frame, panels
from attnviz_app.step.state import STEP, reads_instead
from attnviz_app.train.state import TRAIN

from attnviz import views
from attnviz.text import Strings
from attnviz.trace.decoder_rows import continues
from attnviz.trace.given import Ids, Pair
from attnviz.trace.trace import Trace
from attnviz.views import Pick, link
from attnviz.views.heads.attention_parts import parts_of
from attnviz.views.heads.tokens import unknown_notice
from attnviz.views.home import PART

PROGRAM = """import attnviz

model = attnviz.load("{model}")
trace = model.trace({asked})
trace["{site}"].weights(head={head})  # [tokens, tokens]
attnviz.views.heads(trace).to_html("heads.html")"""


def about(trace: Trace, say: Strings) -> str:
    say, said = say.of(trace.card.tokens), "home-about-next" if continues(trace) else "home-about"
    if HEADS.shown.model.startswith(model_menu.UNTRAINED):
        said = "home-about-untrained"
    return f'<p class="av-lead">{escape(say(said, model=trace.card.name))}</p>'


def unknown(trace: Trace, say: Strings) -> None:
    """How much of the sentence the model cannot read, where that is much, and a model that reads it."""
    said = unknown_notice(trace.tokens.source, say.of(trace.card.tokens))
    if said is None:
        return
    if trace.card.tokens:  # no other model goes on with a poem
        lines.quiet(said)
        return
    reader = reads_instead(replace(STEP.asked, model=HEADS.shown.model, text=HEADS.shown.text))
    with st.container(key="unread", horizontal=True, vertical_alignment="center"):
        lines.quiet(said)
        label = say("home-step-instead", model=model_label(reader, say))
        st.button(label, key="home-step-instead", on_click=events.later(_step_instead), args=(reader,))


def _step_instead(reader: str) -> None:
    STEP.change(model=reader, text=HEADS.shown.text, look="")
    frame.go("step")


@st.fragment
def picture() -> None:
    with panels.error_boundary():
        events.apply()
        frame.leave()
        shown = HEADS.shown
        trace = runs().trace(*shown.of_run)
        question = {"model": shown.model, "text": shown.text}
        go = events.later(_go, "home-view")
        component.view(_payload(trace), "home-view", link=HEADS.link(visitor.link()), question=question, on_go=go)


def code(trace: Trace, say: Strings) -> None:
    """The five lines that give the same numbers, and what a teacher may want to know."""
    pick = _pick(trace)
    site = trace.sites[pick.layer].key
    with st.container(key="home-foot", horizontal=True, vertical_alignment="center"):
        component.guide(say, launches=True)
        lines.note(say("home-teach"))
        st.page_link(frame.page_path("lessons"), label=say("home-lessons"))
        with st.popover(say("home-code"), key="home-code"):
            program = PROGRAM.format(model=trace.card.id, asked=asked_for(HEADS.shown.text), site=site, head=pick.head)
            st.code(program, language="python")


def asked_for(written: str) -> str:
    """What a program gives to `trace` for the same run."""
    given = read_of(written)
    if isinstance(given, Pair):
        return f"{given.first!r}, pair={given.second!r}"
    if isinstance(given, str):
        return repr(given)
    if isinstance(given, Ids):
        return repr(list(given.ids))
    messages = [{"role": role, "content": content} for role, content in given.messages]
    return f"{messages!r}" + (", generation_prompt=True" if given.is_prompted else "")


def _payload(trace: Trace) -> bytes:
    shown, language, size = HEADS.shown, visitor.language(), visitor.size()
    pick = _pick(trace)

    def packed() -> bytes:
        compares = "training" if small_baseline(shown.model) else "texts"
        links = _links(trace, pick)
        is_trained = not shown.model.startswith(model_menu.UNTRAINED)
        return views.home(
            trace, pick, links=links, compares=compares, is_trained=is_trained, lang=language, size=size
        ).payload

    return runs().payloads.get(("home", trace.card.revision, shown.of_run, pick, language, size), packed)


def _pick(trace: Trace) -> Pick:
    """The head that shows what an example is about, or what stands out in how a model of several parts reads."""
    pick = heads.first_pick(HEADS.shown, trace) if len(parts_of(trace)) == 1 else None
    return pick or views.standout(trace)


def _links(trace: Trace, pick: Pick) -> dict[str, str]:
    """Where each way leads, with the head that is shown; the browser adds the picked word."""
    shown, say = HEADS.shown, visitor.say()
    part = PART if len(parts_of(trace)) > 1 else ""
    said = {"model": shown.model, "text": shown.text, "part": part}
    said |= link.written({"layer": pick.layer, "head": pick.head})
    untrained, texts = small_baseline(shown.model), pair_with(model_menu.kind(shown.model), shown.text, say)
    other = {"model2": untrained or shown.model} | dict(
        zip(("text", "text2"), () if untrained else texts or (), strict=False)
    )
    asked = {
        "step": said,
        "heads": said,
        "train": {"task": model_menu.training_of(shown.model)},
        "lessons": {},
        "compare": said | other if untrained or texts else {},
    }
    return {page: f"{page}?{urlencode(_filled(query | visitor.link()))}" for page, query in asked.items()}


def _filled(query: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in query.items() if value}


def _go(said: object) -> None:
    """Carry the sentence to the address that was chosen, which a browser may write as it likes."""
    told = getattr(said, "go", None)
    way, _, query = str(told.get("to") if isinstance(told, Mapping) else "").partition("?")
    states: dict[str, PageState[Any]] = {"compare": COMPARE, "step": STEP, "heads": HEADS, "train": TRAIN}
    if way in states:
        states[way].open(link.known(dict(parse_qsl(query))))
    if way in views.WAYS:
        frame.go(way)
