"""What a change to the chosen head does to what the model gives, beside the same done to five other heads."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st
from attnviz_app.heads import state as page
from attnviz_app.heads.query import Picked
from attnviz_app.heads.sections.effect_blocks import effect_blocks
from attnviz_app.heads.state import HEADS
from attnviz_app.host import component, events
from attnviz_app.serving.runs import runs
from attnviz_app.shell import lines, panels

from attnviz.analysis.heads.effect import OTHERS, Change, Effects, How, effect
from attnviz.bounded_cache import BoundedCache
from attnviz.core.errors import AttnvizError
from attnviz.core.site import Site
from attnviz.export.csv_text import csv_text
from attnviz.text import Strings
from attnviz.trace.tokens import Tokens
from attnviz.trace.trace import Trace
from attnviz.views.heads.parts import sites_of
from attnviz.views.heads.tokens import unknown_notice

WAYS: tuple[How, ...] = ("silence", "mean", "edge")
KEPT = 256  # effects remembered, of all visitors together
_kept: BoundedCache[Effects] = BoundedCache(KEPT, lambda found: 1)
MASKS = ("[MASK]", "<mask>")


@dataclass(frozen=True)
class Asked:
    """One measurement: of which run, what is done, and whose prediction is looked at."""

    model: str
    revision: str
    text: str
    target: str
    change: Change
    position: int | None


def show(trace: Trace, picked: Picked, say: Strings) -> None:
    """What may be changed, the button, and the result of the last change if it is of the head in the picture."""
    now = HEADS.shown
    site = sites_of(trace, now.part)[picked.layer]
    lines.note(say("heads-effect-about", n=_n_others(trace)), unknown_notice(trace.tokens.source, say))
    with st.container(key="heads-effect-bar", horizontal=True, vertical_alignment="bottom"):
        how = st.segmented_control(
            say("heads-effect-how"), WAYS, key=page.HOW, default="silence", required=True,
            format_func=lambda way: say(f"heads-effect-{way}"), label_visibility="collapsed",
        ) or "silence"  # fmt: skip
        query, key = edge_of(trace, site, picked, say) if how == "edge" else (None, None)
        position = _position(trace, site, picked, say)
        change = Change(site.key, picked.head, how, query, key)
        asked = Asked(now.model, trace.card.revision, now.text, now.target, change, position)
        start = events.later(page.ASKED_EFFECT.set)
        st.button(say("heads-effect-start"), key=page.EFFECT_START, on_click=start, args=(asked,))
    if asked in _kept or page.ASKED_EFFECT.get() == asked:
        found = result(trace, asked, say("heads-effect"), page.EFFECT, say)
        if found is not None:
            lines.file_button(say("heads-csv"), lambda: csv_text(found.frame()).encode(), "effect.csv", page.EFFECT_CSV)
    else:
        lines.note(say("heads-effect-ready", layer=picked.layer + 1, head=picked.head + 1))
    lines.caution(say("heads-effect-no-proof"))


def _n_others(trace: Trace) -> int:
    """How many heads there are to compare with: of a small model, all but the chosen one."""
    return min(OTHERS, sum(trace[site].n_heads for site in trace.sites) - 1)


def measured(trace: Trace, asked: Asked) -> Effects:
    """The effect, measured once.

    Raises:
        AttnvizError: this model or this edge cannot be changed so, or too many people are waiting.
    """
    model = runs().model(asked.model)

    def run() -> Effects:
        with runs().gate.entered():
            return effect(model, trace, asked.change, position=asked.position)

    return _kept.get(asked, run)


def result(trace: Trace, asked: Asked, title: str, key: str, say: Strings) -> Effects | None:
    """The measured effect as a panel; where it cannot be measured, why."""
    try:
        with panels.placeholder("" if asked in _kept else say("heads-effect-coming", n=_n_others(trace) + 2)):
            found = measured(trace, asked)
    except AttnvizError as problem:
        lines.alert(problem, say)
        return None
    component.panel(effect_blocks(trace, found, say), title, key, say)
    return found


def edge_of(trace: Trace, site: Site, now: Picked, say: Strings) -> tuple[int, int]:
    """The edge that is cut: at first from the pinned token to the one it looks at most."""
    queries, keys = trace.query_tokens(site), trace.key_tokens(site)
    at = now.token if now.token is not None and now.token < len(queries) else len(queries) - 1
    query = token_of(say("heads-effect-from"), page.FROM, queries, at)
    most = int(trace[site].weights(now.head, slice(query, query + 1))[0].argmax())
    return query, token_of(say("heads-effect-to"), page.TO, keys, most)


def _position(trace: Trace, site: Site, picked: Picked, say: Strings) -> int | None:
    """Whose prediction is looked at, of a model that predicts: a hidden token, else the pinned one, else the last."""
    if trace.prediction is None:
        return None
    tokens = trace.tokens.source if trace.tokens.target is None else trace.tokens.target
    pinned = picked.token
    at = len(tokens) - 1
    if pinned is not None and trace.query_tokens(site) is tokens and pinned <= at:
        at = pinned
    hidden = [place for place, text in enumerate(tokens.text) if text in MASKS]
    return token_of(say("heads-effect-position"), page.POSITION, tokens, hidden[0] if hidden else at)


def token_of(label: str, key: str, tokens: Tokens, at: int) -> int:
    chosen = st.selectbox(label, range(len(tokens)), at, key=f"{key}-{at}-{len(tokens)}", format_func=tokens.name)
    return int(chosen)
