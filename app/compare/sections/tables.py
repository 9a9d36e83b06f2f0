"""The tables under the comparison: nearest heads and partners, which heads moved."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import pandas as pd
import streamlit as st
from attnviz_app.compare import state as page
from attnviz_app.host import events, lines, session

from attnviz.analysis.compare import Comparison, Similarity
from attnviz.analysis.compare.self_attention_heads import Head, heads_of
from attnviz.export.csv_text import csv_text, plain
from attnviz.text import Strings
from attnviz.views.compare import Pair

Places = tuple[int, int, int, int]  # layer and head of A, layer and head of B, from 0

ROWS_SEEN, ROW = 12, 36  # of the table, and pixels of one


@dataclass
class _Chosen:
    """The pair that was chosen last in a table."""

    pair: Places | None  # None once the picture went on to another
    before: Places | None  # what the picture last told of when it was chosen; None once it has told of the pair
    version: int = 0  # of the table: a new one has no cell chosen, so that a press of the same cell counts again


_chosen: session.Value[dict[str, _Chosen]] = session.Value("compare-chosen", dict)


def short(place: tuple[int, int]) -> str:
    """A head as the picture names it, counted from 1: "3.10"."""
    return f"{place[0] + 1}.{place[1] + 1}"


def places_of(heads: tuple[Head, ...]) -> dict[Head, tuple[int, int]]:
    """Layer and number of each head as the picture counts them, from 0."""
    layers = {site: layer for layer, site in enumerate(dict.fromkeys(head.site for head in heads))}
    return {head: (layers[head.site], head.head) for head in heads}


def match_table(similarity: Similarity) -> tuple[pd.DataFrame, list[Places]]:
    """What is shown of the matches, and the pair that each row stands for."""
    places = {"a": places_of(similarity.heads_a), "b": places_of(similarity.heads_b)}
    rows: list[tuple[Any, ...]] = []
    pairs = []
    for row in similarity.matches().itertuples():
        of_row, others = (places["a"], places["b"]) if row.of == "a" else (places["b"], places["a"])
        head, near = of_row[Head(row.site, row.head)], others[Head(row.nearest_site, row.nearest_head)]
        has_partner = pd.notna(row.partner_js)
        partner = short(others[Head(row.partner_site, int(row.partner_head))]) if has_partner else "–"
        rows.append((row.of.upper(), short(head), short(near), row.js, partner, row.partner_js))
        pairs.append((*head, *near) if row.of == "a" else (*near, *head))
    return pd.DataFrame(rows, columns=["side", "head", "nearest", "js", "partner", "partner_js"]), pairs


def matches(similarity: Similarity, say: Strings, *, shown: Places | None = None) -> None:
    """The nearest head and the partner of each; the pair that the picture shows is marked."""
    frame, pairs = match_table(similarity)
    name = f"attnviz-compare-{similarity.n_sentences}-texts.csv"
    lines.section_with_file(
        say("compare-matches"), say("compare-csv"), lambda: csv_text(similarity.frame(), heads_from=0).encode(), name,
        "compare-csv",
    )  # fmt: skip
    how = say("compare-by-words" if similarity.by_words else "compare-by-tokens")
    lines.note(say("compare-matches-about"))
    lines.note(f"{say('compare-over', n=similarity.n_sentences, rows=similarity.n_rows)} {how}")
    pair_table(
        frame, pairs, shown, say,
        {
            "side": st.column_config.TextColumn(say("compare-side"), width="small"),
            "head": st.column_config.TextColumn(say("compare-head"), width="small"),
            "nearest": st.column_config.TextColumn(say("compare-nearest"), width="small"),
            "js": st.column_config.NumberColumn(say("compare-bits"), format="%.3f", width="small"),
            "partner": st.column_config.TextColumn(say("compare-partner"), width="small"),
            "partner_js": st.column_config.NumberColumn(say("compare-partner-bits"), format="%.3f", width="small"),
        },
        name="compare-table",
    )  # fmt: skip
    lines.note(say("compare-alike"))


def moved(compared: Comparison, say: Strings, *, shown: Places) -> None:
    """How far each head moved from A to B, the farthest first; the one that the picture shows is marked."""
    places = places_of(heads_of(compared.trace_a))
    frame = pd.DataFrame(
        {
            "head": [short(places[move.head]) for move in compared.moves],
            "moved": [100 * move.share for move in compared.moves],
            "row": [plain(compared.units.each[move.row].label) for move in compared.moves],  # may be saved
            "row_moved": [100 * move.row_share for move in compared.moves],
        }
    )  # fmt: skip
    lines.section_with_file(
        say("compare-moved-title"), say("heads-csv"), lambda: csv_text(frame, heads_from=1).encode(),
        "attnviz-moved.csv", "moved-csv",
    )  # fmt: skip
    lines.note(say("compare-moved-about"))
    longest = max(float(frame["moved"].max()), 1e-3) if len(frame) else 1.0  # a bar as long as its column
    pair_table(
        frame, [places[move.head] * 2 for move in compared.moves], shown, say,
        {
            "head": st.column_config.TextColumn(say("compare-head"), width="small"),
            "moved": st.column_config.ProgressColumn(
                say("compare-moved"), min_value=0, max_value=longest, format="%.1f%%",
            ),
            "row": st.column_config.TextColumn(say("compare-moved-at")),
            "row_moved": st.column_config.NumberColumn(say("compare-moved-most"), format="%.1f%%"),
        },
        name="compare-moved",
    )  # fmt: skip


def pair_table(
    frame: pd.DataFrame, pairs: Sequence[Places | None], shown: Places | None, say: Strings, columns: dict[str, Any],
    *, name: str,
) -> None:  # fmt: skip
    """A table of which each row stands for a pair of heads and leads to it; None is in another picture."""

    def choose(said: Any) -> None:
        match events.selected(said, "cells"):
            case [[int(row), *_]] if 0 <= row < len(pairs) and (pair := pairs[row]):
                page.BEGINNING.bring(Pair(*pair))
                _chosen.get()[name] = _Chosen(pair, shown, version)

    chosen = _chosen.get().get(name)
    if chosen and chosen.pair == shown:
        chosen.before = None
    elif chosen and chosen.pair and shown != chosen.before:  # it may go on before it has told of the pair
        chosen.pair, chosen.version = None, chosen.version + 1
    version = chosen.version if chosen else 0
    key = f"{name}--{version}"

    formats = {name: column["type_config"].get("format") or "" for name, column in columns.items()}
    digits = {name: int(written.split(".")[1][0]) for name, written in formats.items() if written}
    frame = frame.astype(dict.fromkeys(digits, float)).round(digits)  # a screen reader reads all the digits there are
    frame = frame.assign(shown=["●" if pair and pair == shown else "" for pair in pairs])[["shown", *frame]]
    mark = st.column_config.TextColumn(say("compare-shown"), width=64, help=say("compare-shown-help"))
    with st.expander(say("compare-table", n=len(frame)), key=f"{name}-open"):
        st.dataframe(
            frame, key=key, hide_index=True, height=ROW * (min(ROWS_SEEN, len(frame)) + 1), row_height=ROW,
            on_select=events.later(choose, key), selection_mode="single-cell", column_config={"shown": mark, **columns},
        )  # fmt: skip
    _paper(frame.head(ROWS_SEEN), len(frame), say, columns)


def _paper(seen: pd.DataFrame, n: int, say: Strings, columns: dict[str, Any]) -> None:
    """The same rows for the printer, which would get a picture of a part of that table in the colours of the screen."""
    cells = pd.DataFrame({
        col["label"]: [(col["type_config"].get("format") or "%s") % one if pd.notna(one) else "–" for one in seen[name]]
        for name, col in columns.items()
    })  # fmt: skip
    part = f"<p>{escape(say('view-heads-numbers-part', shown=len(seen), n=n))}</p>" if len(seen) < n else ""
    st.html(f'<div class="av-paper">{cells.to_html(index=False, border=0)}{part}</div>')
