"""Causal beside descriptive: both chosen heads silenced, each beside the same done to five others of its model."""

import streamlit as st
from attnviz_app.compare import state as page
from attnviz_app.compare.query import heads_in, heads_said
from attnviz_app.compare.sections.tables import places_of
from attnviz_app.compare.state import COMPARE
from attnviz_app.heads.looks.effect import effect_blocks, measured, position_of
from attnviz_app.host import component, lines
from attnviz_app.shell import panels

from attnviz.analysis.compare import Comparison
from attnviz.analysis.compare.self_attention_heads import Head, heads_of
from attnviz.analysis.heads.effect import OTHERS
from attnviz.core.errors import AttnvizError
from attnviz.text import Strings
from attnviz.trace.edits import HeadEdit
from attnviz.trace.trace import Trace
from attnviz.views.compare import Pair


def show(compared: Comparison, pair: Pair, say: Strings) -> None:
    """The button, and both results if they are of the pair in the picture."""
    lines.section(say("compare-effect"))
    lines.note(say("heads-effect-about", n=OTHERS))
    component.press(
        say("compare-effect-start", a="{a}", b="{b}"), "compare-effect-start", "compare",
        lambda picked: page.ask_under("silenced", heads_said(picked)),
    )  # fmt: skip
    if heads_in(page.under("silenced")) == list(pair[:4]):
        now = COMPARE.shown
        sides = ((now.a, compared.trace_a, pair[:2]), (now.b, compared.trace_b, pair[2:4]))
        for column, side, (name, trace, (layer, head)) in zip(st.columns(2, gap="large"), "ab", sides, strict=True):
            with column:
                title = say.named(trace.card.name)
                lines.head(f"{side.upper()} {layer + 1}.{head + 1} · {title}")
                _result(trace, name, (layer, head), title, f"compare-effect-{side}", say)
    lines.caution(say("heads-effect-no-proof"))


def _result(trace: Trace, name: str, place: tuple[int, int], title: str, key: str, say: Strings) -> None:
    """The measured effect as a panel; where it cannot be measured, why."""
    heads = {at: head for head, at in places_of(heads_of(trace)).items()}
    head = heads.get(place, Head("", 0))
    position = position_of(trace, trace.sites[-1], None)
    try:
        with panels.placeholder(say("heads-effect-coming", n=OTHERS + 2)):
            effects = measured(trace, name, HeadEdit(head.site, head.head, "silence"), position)
    except AttnvizError as problem:
        lines.alert(problem, say)
        return
    component.panel(effect_blocks(trace, effects, say), title, key, say)
