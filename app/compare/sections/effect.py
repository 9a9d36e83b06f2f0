"""Causal beside descriptive: both chosen heads silenced, each beside the same done to five others of its model."""

import streamlit as st
from attnviz_app.compare import state as page
from attnviz_app.compare.sections.tables import places_of
from attnviz_app.compare.state import COMPARE
from attnviz_app.heads.looks.effect import Asked, effect_blocks, measured
from attnviz_app.host import component
from attnviz_app.shell import lines, panels

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
    lines.section(say("compare-effect"))
    lines.note(say("heads-effect-about", n=OTHERS))
    names = {side: f"{layer + 1}.{head + 1}" for side, (_, _, (layer, head)) in zip("ab", sides, strict=True)}
    component.press(say("compare-effect-start", a="{a}", b="{b}"), page.EFFECT_START, "compare", page.silence)
    if page.silenced() == list(pair[:4]):
        for column, side, (name, trace, place) in zip(st.columns(2, gap="large"), "ab", sides, strict=True):
            with column:
                title = say.named(trace.card.name)
                lines.head(f"{side.upper()} {names[side]} · {title}")
                _result(trace, _asked(name, trace, place), title, f"compare-effect-{side}", say)
    lines.caution(say("heads-effect-no-proof"))


def _result(trace: Trace, asked: Asked, title: str, key: str, say: Strings) -> None:
    """The measured effect as a panel; where it cannot be measured, why."""
    try:
        with panels.placeholder(say("heads-effect-coming", n=OTHERS + 2)):
            found = measured(trace, asked)
    except AttnvizError as problem:
        lines.alert(problem, say)
        return
    component.panel(effect_blocks(trace, found, say), title, key, say)


def _asked(name: str, trace: Trace, place: tuple[int, int]) -> Asked:
    head = next((it for it, at in places_of(heads_of(trace)).items() if at == place), Head("", 0))
    position = None if trace.prediction is None else len(trace.prediction.ids) - 1
    change = Change(head.site, head.head, "silence")
    return Asked(name, trace.card.revision, trace.tokens.source.source, "", change, position)
