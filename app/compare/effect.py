"""Causal beside descriptive: both chosen heads silenced, each beside the same done to five others of its model."""

from __future__ import annotations

from html import escape

import streamlit as st
from attnviz_app.compare import state as page
from attnviz_app.compare.state import COMPARE
from attnviz_app.compare.tables import places_of
from attnviz_app.heads.effect import Asked, measured
from attnviz_app.heads.effect_blocks import effect_blocks
from attnviz_app.host import component
from attnviz_app.host.events import later
from attnviz_app.shell import panels, visitor

from attnviz import views
from attnviz.analysis.compare import Comparison
from attnviz.analysis.compare.self_attention_heads import Head, heads_of
from attnviz.analysis.heads.effect import OTHERS, Change
from attnviz.core.errors import AttnvizError
from attnviz.text import Strings
from attnviz.trace.trace import Trace
from attnviz.views.compare import Pair


def show(found: Comparison, pair: Pair, say: Strings) -> None:
    """The button, and both results if they are of the pair in the picture."""
    now = COMPARE.shown
    sides = ((now.a, found.trace_a, (pair.layer_a, pair.head_a)), (now.b, found.trace_b, (pair.layer_b, pair.head_b)))
    asked = tuple(_asked(name, trace, place) for name, trace, place in sides)
    st.html(f'<h2 class="av-section">{escape(say("compare-effect"))}</h2>')
    st.html(f'<p class="av-note">{escape(say("heads-effect-about", n=OTHERS))}</p>')
    names = {side: f"{layer + 1}.{head + 1}" for side, (_, _, (layer, head)) in zip("ab", sides, strict=True)}
    start = later(page.ask_effect)
    st.button(say("compare-effect-start", **names), key=page.EFFECT_START, on_click=start, args=(asked,))
    if page.asked_effect() == asked:
        for column, side, (_, trace, _), one in zip(st.columns(2, gap="large"), "ab", sides, asked, strict=True):
            with column:
                st.html(f'<h3 class="av-head">{side.upper()} {names[side]} · {escape(say.named(trace.card.name))}</h3>')
                _result(side, trace, one, say)
    st.html(f'<p class="av-caution">{escape(say("heads-effect-no-proof"))}</p>')


def _asked(name: str, trace: Trace, place: tuple[int, int]) -> Asked:
    head = next((it for it, at in places_of(heads_of(trace)).items() if at == place), Head("", 0))
    position = None if trace.prediction is None else len(trace.prediction.ids) - 1
    change = Change(head.site, head.head, "silence")
    return Asked(name, trace.card.revision, trace.tokens.source.source, "", change, position)


def _result(side: str, trace: Trace, asked: Asked, say: Strings) -> None:
    try:
        with panels.placeholder(say("heads-effect-coming", n=OTHERS + 2)):
            found = measured(trace, asked)
    except AttnvizError as problem:
        st.html(f'<p class="av-alert" role="alert">{escape(say.error(problem))}</p>')
        return
    blocks = effect_blocks(trace, found, say)
    size = visitor.size()
    title = say.named(trace.card.name)
    made = views.panel(blocks, title=title, strings=say.view("panel"), lang=say.language, size=size)
    component.panel(made.payload, f"compare-effect-{side}")
