"""The scatter of two metrics with the page's colours and words. Knows no Streamlit."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import pandas as pd
from attnviz_app.heads.sections.table import range_of

from attnviz.analysis.heads.kinds import BY_NAME as KINDS
from attnviz.analysis.heads.kinds import Kind
from attnviz.figures.scatter import Axis, Figure, Group, Palette, scatter
from attnviz.text import Strings
from attnviz.views.heads.columns import title_of

LIGHT = Palette(ink="#1A1C20", ticks="#656A74", line="#E4E3DC", surface="#FFFFFF")
DARK = Palette(ink="#ECEEF1", ticks="#8E96A2", line="#262C34", surface="#171B21")
# Plotly's name of each kind's symbol, and the character that looks like it.
SYMBOLS = {
    "induction": ("triangle-down", "▼"), "previous": ("triangle-left", "◀"), "next": ("triangle-right", "▶"),
    "same-word": ("square", "■"), "delimiter": ("diamond", "◆"), "sink": ("circle", "●"), "broad": ("cross", "✚"),
    "mixed": ("circle-open", "○"), "aligned": ("x", "✖"), "end": ("star", "★"), "short": ("circle-dot-open", "⊙"),
}  # fmt: skip


def figure_of(
    frame: pd.DataFrame, x: str, y: str, names: Sequence[str], say: Strings, *, chosen: int | None, is_dark: bool
) -> Figure:
    """The heads over two metrics."""
    groups = [_group(KINDS[name], say, is_dark=is_dark) for name in frame["kind_of_head"]]
    across, upwards = (
        Axis(title_of(column, say), frame[column].tolist(), *(range_of(column) or ())) for column in (x, y)
    )
    return scatter(across, upwards, groups, names, DARK if is_dark else LIGHT, chosen=chosen)


def _group(kind: Kind, say: Strings, *, is_dark: bool) -> Group:
    return Group(say(kind.title), SYMBOLS[kind.name][0], kind.dark if is_dark else kind.light)


def looks_html(kinds: Sequence[Kind], say: Strings) -> str:
    """What the symbols mean: symbol, glyph and name of each kind."""
    entries = "".join(
        f'<li><span style="color:light-dark({kind.light},{kind.dark})" aria-hidden="true">'
        f"{SYMBOLS[kind.name][1]}</span>{escape(say(kind.title))}</li>"
        for kind in kinds
    )
    return f'<ul class="av-looks">{entries}</ul>'
