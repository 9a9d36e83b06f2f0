"""Attention rollout of the part that is in the picture: its formula, its map, and a file of it."""

from __future__ import annotations

from functools import cache, partial
from html import escape

import streamlit as st
from attnviz_app.heads import state as page
from attnviz_app.heads.formulas import rollout_formulas
from attnviz_app.heads.query import Picked
from attnviz_app.heads.rollout_blocks import has_baseline, rollout_csv, rollout_maps
from attnviz_app.heads.state import HEADS
from attnviz_app.host import component
from attnviz_app.shell import panels, visitor
from attnviz_app.step.looks.drawn_part import holding

from attnviz import views
from attnviz.analysis.heads.rollout import Rollout, cross_rollout, rollout
from attnviz.cache import BoundedCache
from attnviz.core.errors import AttnvizError
from attnviz.text import Strings
from attnviz.trace.trace import Trace
from attnviz.views.heads.parts import shown_part, sites_of
from attnviz.views.heads.tokens import rows_of, unknown_notice

KEPT_BYTES = 32 * 1024**2  # of all visitors together


@cache
def _kept() -> BoundedCache[Rollout]:
    return BoundedCache(KEPT_BYTES, lambda found: found.values.nbytes + found.even.nbytes)


def rolled(trace: Trace, part: str) -> Rollout:
    """The rollout of a part of a run, computed once.

    Raises:
        LimitError: the text is too long for a matrix of every token with every token.
    """
    shown = HEADS.shown
    key = (shown.model, trace.card.revision, shown.text, shown.target, part)
    return _kept().get(key, lambda: _of_part(trace, part))


def _of_part(trace: Trace, part: str) -> Rollout:
    if part == "cross":
        return cross_rollout(trace)
    return rollout(trace, "encoder" if part == "encoder" else "decoder")


def show(trace: Trace, picked: Picked, say: Strings) -> None:
    """The sentence, the formula, the maps and the file."""
    part = shown_part(trace, HEADS.shown.part)
    site = sites_of(trace, part)[0]
    try:
        with panels.placeholder(say("heads-rollout-coming")):
            found = rolled(trace, part)
    except AttnvizError as problem:
        st.html(f'<p class="av-alert" role="alert">{escape(say.error(problem))}</p>')
        return
    unknown = unknown_notice(trace.tokens.source, say)
    warning = f"<b>{escape(unknown)}</b> " if unknown else ""
    st.html(f'<p class="av-note">{warning}{escape(say(f"heads-rollout-{part}"))}</p>')
    with st.container(key="heads-formulas", horizontal=True, vertical_alignment="center"):
        for formula in rollout_formulas(part, has_baseline=has_baseline(found)):
            st.latex(formula, width="content")
    if has_baseline(found):
        st.html(f'<p class="av-note">{escape(say("heads-rollout-even"))}</p>')
    blocks = rollout_maps(trace, site, found, say, start=holding(picked.token or 0, 0))
    made = views.panel(
        blocks, title=say("heads-rollout"), strings=say.view("panel"), lang=say.language, size=visitor.size()
    )  # fmt: skip
    component.panel(made.payload, page.ROLLOUT)
    st.download_button(
        say("heads-rollout-csv"), partial(rollout_csv, rows_of(trace, site), trace.key_tokens(site), found),
        file_name="rollout.csv", mime="text/csv", key=page.ROLLOUT_CSV, on_click="ignore",
    )  # fmt: skip
