"""The table of all heads as it is shown: which metrics, under which names, with their spread. Knows no Streamlit."""

from __future__ import annotations

import base64
from dataclasses import dataclass

import pandas as pd

from attnviz.analysis.heads.kinds import BY_NAME as KINDS
from attnviz.analysis.heads.kinds import Kind
from attnviz.core.site import Site
from attnviz.text import Strings
from attnviz.trace.trace import Trace
from attnviz.views.heads.columns import SHOWN, metric_of
from attnviz.views.heads.parts import part_of, parts_of, sites_of

SD = "_sd"
CELL = 3  # pixels of a glyph's cell


@dataclass(frozen=True)
class ShownHead:
    """A head as the picture counts: its part, its layer in that part, its number; all from 0."""

    part: str  # "" where the model has one part
    layer: int
    head: int


def range_of(column: str) -> tuple[float, float] | None:
    """The range that a column's values can have; None where they have no bounds, or seldom come near them."""
    metric = metric_of(column)
    return None if metric.high is None or column.endswith("_over") else (metric.low, metric.high)


def heads_of(frame: pd.DataFrame, trace: Trace) -> tuple[ShownHead, ...]:
    """The head of each row of a table in the picture of a trace of the same model."""
    has_parts = len(parts_of(trace)) > 1
    layers = {site.key: at for part in parts_of(trace) for at, site in enumerate(sites_of(trace, part))}
    parts = {key: part_of(Site.parse(key)) if has_parts else "" for key in layers}
    return tuple(
        ShownHead(parts[site], layers[site], int(head))
        for site, head in zip(frame["site"], frame["head"], strict=True)
        if site in layers
    )


def name_of(head: ShownHead, say: Strings) -> str:
    """Short, counted from 1: "3.10", with its part where there are several."""
    short = f"{head.layer + 1}.{head.head + 1}"
    return short if not head.part else f"{say(f'view-heads-part-{head.part}')} {short}"


def shown_table(frame: pd.DataFrame, heads: tuple[ShownHead, ...], say: Strings, *, is_dark: bool) -> pd.DataFrame:
    """The rows in the order of the model: which head, its kind with a glyph, the shown metrics, each with its spread.

    A metric that has no value at any head of this model is left out.
    """
    columns: dict[str, object] = {}
    if any(head.part for head in heads):
        columns["part"] = [say(f"view-heads-part-{head.part}") for head in heads]
    columns["layer"] = [head.layer + 1 for head in heads]
    columns["head"] = [head.head + 1 for head in heads]
    kinds = [KINDS[name] for name in frame["kind_of_head"]]
    glyphs = {kind.name: glyph_uri(kind, is_dark=is_dark) for kind in set(kinds)}
    columns["glyph"] = [glyphs[kind.name] for kind in kinds]
    columns["kind"] = [say(kind.title) for kind in kinds]
    for column in shown_columns(frame):
        columns[column] = frame[column].to_numpy()
        if f"{column}{SD}" in frame:
            columns[f"{column}{SD}"] = frame[f"{column}{SD}"].to_numpy()
    return pd.DataFrame(columns)


def shown_columns(frame: pd.DataFrame) -> tuple[str, ...]:
    """The columns of a table that are shown and have a value at some head."""
    return tuple(column for column in SHOWN if column in frame and bool(frame[column].notna().any()))


def glyph_svg(kind: Kind, colour: str) -> str:
    """The small picture of a kind's pattern."""
    size = CELL * len(kind.glyph)
    cells = "".join(
        f'<rect x="{CELL * column}" y="{CELL * row}" width="{CELL}" height="{CELL}"/>'
        for row, line in enumerate(kind.glyph)
        for column, cell in enumerate(line)
        if cell == "#"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" width="{size}" height="{size}" '
        f'fill="{colour}" shape-rendering="crispEdges" aria-hidden="true">{cells}</svg>'
    )


def glyph_uri(kind: Kind, *, is_dark: bool) -> str:
    """The same as an address that a cell of a table can show."""
    drawn = glyph_svg(kind, kind.dark if is_dark else kind.light)
    return f"data:image/svg+xml;base64,{base64.b64encode(drawn.encode()).decode()}"
