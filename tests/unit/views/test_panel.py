"""The panel of a closer look: its payload holds the numbers it was given, and of large maps a part that says so."""

import math

import pytest
import torch
from torch.testing import assert_close

from attnviz import views
from attnviz.text import LANGUAGES
from attnviz.views.pack import unpack
from attnviz.views.panel import Chart, Curve, Fact, Facts, Map, Maps, Prose, Table


def read(*blocks, **options):
    return unpack(views.panel(blocks, title="A look", **options).payload)


def a_map(values, scale="signed", **options) -> Map:
    rows, columns = values.shape
    return Map("M", values, [f"r{i}" for i in range(rows)], [f"c{i}" for i in range(columns)], scale, **options)


def test_words_travel_in_the_header_in_their_order():
    fact, table = Fact("spread", "2.0", "of all"), Table(["n", "bytes"], [["10", "1 kB"]], "By n", marked=0)
    header, arrays = read(Prose("Say."), Facts([fact]), table)
    assert [block["kind"] for block in header["blocks"]] == ["prose", "facts", "table"]
    assert header["blocks"][1]["facts"] == [{"name": "spread", "value": "2.0", "note": "of all"}]
    assert header["blocks"][2]["rows"] == [["10", "1 kB"]] and header["blocks"][2]["marked"] == 0
    assert arrays == {}


def test_a_map_travels_as_its_own_numbers():
    values = torch.tensor([[0.25, -3.0], [math.inf, 2.0]])
    header, arrays = read(Maps([a_map(values, marked=(1, 1))]))
    (sent,) = header["blocks"][0]["maps"]
    assert_close(torch.tensor(arrays[sent["values"]]), values, rtol=0, atol=0)
    assert (sent["size"], sent["marked"]) == ([2, 2], [1, 1])


def test_the_strongest_colour_of_shares_is_1_and_of_signed_numbers_the_largest_or_what_is_said():
    values = torch.tensor([[0.5, -3.0, math.inf]])
    header, _ = read(Maps([a_map(values, "share"), a_map(values), a_map(values, limit=2)]))
    assert [sent["limit"] for sent in header["blocks"][0]["maps"]] == [1, 3, 2]


def test_of_a_large_map_the_first_64_travel_with_how_many_there_are():
    values = torch.randn(3, 384, generator=torch.Generator().manual_seed(0))
    header, arrays = read(Maps([a_map(values, marked=(1, 200))]))
    (sent,) = header["blocks"][0]["maps"]
    assert arrays[sent["values"]].shape == (3, 64) and len(sent["columns"]) == 64
    assert sent["size"] == [3, 384]
    assert sent["limit"] == pytest.approx(float(values.abs().max()))  # of all 384
    assert sent["marked"] is None  # it is not among those that are drawn


def test_a_point_without_a_number_is_left_out_of_its_line():
    header, _ = read(Chart("C", [1, 10, 100], [Curve("a", [1.0, math.nan, math.inf])], "n", log_x=True))
    (chart,) = header["blocks"]
    assert chart["curves"] == [{"name": "a", "y": [1.0, None, None]}]
    assert (chart["log_x"], chart["log_y"]) == (True, False)


@pytest.mark.parametrize("block", [
    Maps([Map("M", torch.zeros(2, 2), ["a"], ["b", "c"], "share")]),
    Chart("C", [1, 2], [Curve("a", [1.0])], "n"),
    Table(["a", "b"], [["1"]]),
])  # fmt: skip
def test_more_or_fewer_names_than_numbers_are_a_bug(block):
    with pytest.raises(AssertionError, match="other"):
        read(block)


def test_the_revision_follows_words_and_numbers_and_not_language_or_size():
    zeros, ones = (Maps([a_map(values)]) for values in (torch.zeros(1, 2), torch.ones(1, 2)))
    revisions = [views.panel([block], title="t").revision for block in (zeros, ones, Prose("a"), Prose("b"))]
    assert len(set(revisions)) == 4
    again = {views.panel([zeros], title="t", lang=lang, size="projector").revision for lang in LANGUAGES}
    assert again == {revisions[0]}
