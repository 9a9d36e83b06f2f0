"""The table of all heads: rows find their head, columns have their spread, a browser may say anything."""

import pytest
from attnviz_app.heads.sections import table as heads_table
from attnviz_app.heads.sections.definitions import about_html
from attnviz_app.heads.sections.numbers import points_of, rows_of
from attnviz_app.heads.sections.scatter import SYMBOLS, figure_of
from attnviz_app.heads.sections.table import ShownHead

from attnviz import head_metrics, load
from attnviz.analysis.heads.kinds import KINDS, TABLE, head_kinds
from attnviz.analysis.heads.metrics import METRICS
from attnviz.text import strings
from attnviz.views.heads.columns import title_of

pytestmark = pytest.mark.usefixtures("one_thread")
SAY = strings("en")


@pytest.fixture(scope="module")
def trace():
    return load("translate-en-zh").trace("She is a doctor.")


@pytest.fixture(scope="module")
def frame(trace):
    measured = head_metrics([trace, trace])
    return measured.assign(kind_of_head=head_kinds(measured))


def test_every_row_knows_its_head_in_the_picture(frame, trace) -> None:
    heads = heads_table.heads_of(frame, trace)
    assert len(heads) == len(frame) == 48 and len(set(heads)) == 48
    at = frame.index[(frame["site"] == "decoder.1.cross") & (frame["head"] == 3)][0]
    assert heads[at] == ShownHead("cross", 1, 3)
    assert heads_table.name_of(heads[at], SAY) == "Cross-attention 2.4"
    assert heads_table.name_of(ShownHead("", 2, 9), SAY) == "3.10"


def test_the_table_counts_from_one_and_shows_each_metric_with_its_spread(frame, trace) -> None:
    table = heads_table.shown_table(frame, heads_table.heads_of(frame, trace), SAY, is_dark=False)
    assert list(table.columns[:5]) == ["part", "layer", "head", "glyph", "kind"]
    assert (table["layer"].min(), table["head"].min(), table["head"].max()) == (1, 1, 8)
    assert list(table["first"]) == list(frame["first"]) and list(table["first_sd"]) == list(frame["first_sd"])
    assert "induction_repeated_over" not in table  # nothing was said twice
    assert set(table["kind"]) <= {SAY(kind.title) for kind in KINDS}
    assert all(glyph.startswith("data:image/svg+xml;base64,") for glyph in table["glyph"])


def test_a_column_says_on_what_it_is_measured() -> None:
    say = title_of
    assert say("previous_left", SAY) == "Previous token, without the first token"
    assert say("delimiter_over", SAY) == "Punctuation, delimiter, beyond the baseline"
    assert say("induction_repeated_over", SAY) == "Induction, repeated random words"
    assert heads_table.range_of("first") == (0.0, 1.0) and heads_table.range_of("delimiter_over") is None


def test_the_scatter_shows_the_numbers_of_the_table(frame, trace) -> None:
    names = [heads_table.name_of(head, SAY) for head in heads_table.heads_of(frame, trace)]
    figure = figure_of(frame, "first", "entropy", names, SAY, chosen=5, is_dark=True)
    *kinds, ring = figure.data
    drawn = {int(at): (x, y) for part in kinds for at, x, y in zip(part.customdata, part.x, part.y, strict=True)}
    assert drawn == {at: (row["first"], row["entropy"]) for at, row in frame.iterrows()}
    assert list(ring.customdata) == [5] and ring.text == ("Encoder 1.6",)
    assert set(SYMBOLS) == {kind.name for kind in TABLE} and len(set(SYMBOLS.values())) == len(TABLE)


def test_the_printed_tables_are_those_that_decide() -> None:
    html = about_html(SAY, is_dark=False)
    for kind in KINDS:
        assert SAY(kind.title) in html and (not kind.metric or f"<td>{kind.threshold:g}</td>" in html)
    for metric in METRICS:
        assert metric.source in html and metric.formula.replace("<", "&lt;") in html


@pytest.mark.parametrize(
    "said",
    [None, 3, {}, {"selection": None}, {"selection": {"cells": None, "points": 7}},
     {"selection": {"cells": [["0", "a"], [True, "a"], 3]}},
     {"selection": {"cells": [[]], "points": ["x", {}, {"customdata": "5"}, {"customdata": -1}]}}],
)  # fmt: skip
def test_a_browser_may_say_anything(said) -> None:
    assert rows_of(said) == points_of(said) == []


def test_a_chosen_cell_or_point_is_the_number_of_a_row() -> None:
    assert rows_of({"selection": {"rows": [], "columns": [], "cells": [[4, "kind"]]}}) == [4]
    assert points_of({"selection": {"points": [{"customdata": 3}]}}) == [3]
    assert points_of({"selection": {"points": [{"customdata": [9]}]}}) == [9]
