"""Attention rollout of the part that is in the picture: its formula, its map, and a file of it."""

from __future__ import annotations

from functools import partial

import streamlit as st
from attnviz_app.heads import state as page
from attnviz_app.heads.query import Picked
from attnviz_app.heads.sections.rollout_blocks import formulas, has_baseline, rollout_csv, rollout_maps, rows_of
from attnviz_app.heads.state import HEADS
from attnviz_app.host import component
from attnviz_app.shell import lines, panels
from attnviz_app.step.looks.token_slice import holding

from attnviz.analysis.heads.rollout import Rollout, cross_rollout, rollout
from attnviz.bounded_cache import BoundedCache
from attnviz.core.errors import AttnvizError
from attnviz.text import Strings
from attnviz.trace.trace import Trace
from attnviz.views.heads.parts import shown_part, sites_of
from attnviz.views.heads.tokens import unknown_notice

KEPT_BYTES = 32 * 1024**2  # of all visitors together
_kept: BoundedCache[Rollout] = BoundedCache(KEPT_BYTES, lambda found: found.values.nbytes + found.even.nbytes)


def rolled(trace: Trace, part: str) -> Rollout:
    """The rollout of a part of a run, computed once.

    Raises:
        LimitError: the text is too long for a matrix of every token with every token.
    """
    shown = HEADS.shown
    key = (shown.model, trace.card.revision, shown.text, shown.target, part)
    return _kept.get(key, lambda: _of_part(trace, part))


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
        lines.alert(problem, say)
        return
    lines.note(say(f"heads-rollout-{part}"), unknown_notice(trace.tokens.source, say))
    with st.container(key="heads-formulas", horizontal=True, vertical_alignment="center"):
        for formula in formulas(part, has_baseline=has_baseline(found)):
            st.latex(formula, width="content")
    if has_baseline(found):
        lines.note(say("heads-rollout-even"))
    maps = rollout_maps(trace, site, found, say, start=holding(picked.token or 0, 0))
    component.panel(maps, say("heads-rollout"), page.ROLLOUT, say)
    csv = partial(rollout_csv, rows_of(trace, site), trace.key_tokens(site), found)
    lines.file_button(say("heads-rollout-csv"), csv, "rollout.csv", page.ROLLOUT_CSV)
