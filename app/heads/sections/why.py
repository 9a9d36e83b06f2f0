"""Why the chosen head gives a token its score, and what was written for the next token: sums with all their parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import streamlit as st
from attnviz_app.heads import state as page
from attnviz_app.heads.query import Picked
from attnviz_app.heads.sections.effect import edge_of
from attnviz_app.heads.sections.table import ShownHead, name_of
from attnviz_app.heads.sections.why_blocks import heads_in, why_blocks, wrote_blocks
from attnviz_app.heads.state import HEADS
from attnviz_app.host import component, events
from attnviz_app.serving.runs import runs
from attnviz_app.shell import lines, panels

from attnviz.analysis.circuits.ledger import Why, why
from attnviz.analysis.circuits.logits import Wrote, wrote
from attnviz.bounded_cache import BoundedCache
from attnviz.core.errors import AttnvizError
from attnviz.export.csv_text import csv_text
from attnviz.text import Strings
from attnviz.trace.trace import Trace
from attnviz.views.heads.parts import sites_of

T = TypeVar("T")
KEPT = 64  # ledgers remembered, of all visitors together
_kept: BoundedCache[Why] = BoundedCache(KEPT, lambda found: 1)
_wrote: BoundedCache[Wrote] = BoundedCache(KEPT, lambda found: 1)


def show(trace: Trace, picked: Picked, say: Strings) -> None:
    """The two tokens, the score in parts, the heads among them, and the next token's logit in parts."""
    now = HEADS.shown
    site = sites_of(trace, now.part)[picked.layer]
    lines.note(say("heads-why-about"))
    with st.container(key="heads-why-bar", horizontal=True, vertical_alignment="bottom"):
        query, key = edge_of(trace, site, picked, say)
    name = (now.model, trace.card.revision, now.text, now.target)
    try:
        with panels.placeholder(say("heads-why-coming")):
            found = _kept.get((*name, site.key, picked.head, query, key), lambda: _gated(
                lambda: why(trace, site, picked.head, query, key)
            ))  # fmt: skip
    except AttnvizError as problem:
        lines.alert(problem, say)
        return
    component.panel(why_blocks(trace, found, say), say("heads-why"), page.WHY, say)
    heads = heads_in(trace, found)
    if heads:
        _heads(heads, now.model, say)
    lines.file_button(say("heads-csv"), lambda: csv_text(found.frame()).encode(), "why.csv", page.WHY_CSV)
    own = trace.tokens.target or trace.tokens.source
    if trace.prediction is not None and trace.query_tokens(site) is own:
        lines.section(say("heads-wrote"))
        best, second = trace.prediction.ids[query, :2].tolist()
        try:
            said = _wrote.get((*name, query), lambda: _gated(lambda: wrote(trace, query, best, second)))
        except AttnvizError as problem:
            lines.alert(problem, say)
            return
        component.panel(wrote_blocks(trace, said, say), say("heads-wrote"), page.WROTE, say)
    lines.caution(say("heads-why-no-proof"))


def _heads(heads: tuple[ShownHead, ...], model: str, say: Strings) -> None:
    """Buttons that show one of the heads of the sum in the picture."""
    with st.container(key="heads-why-heads", horizontal=True, vertical_alignment="center"):
        for head in heads:
            name = name_of(head, say)
            shown = events.later(_choose)
            st.button(say("heads-why-show", head=name), key=f"{page.WHY}-{name}", on_click=shown, args=(head, model))


def _choose(head: ShownHead, model: str) -> None:
    if HEADS.asked.model == model:
        page.choose(head)
        page.turn(page.PICTURE)


def _gated(make: Callable[[], T]) -> T:
    with runs().gate.entered():
        return make()
