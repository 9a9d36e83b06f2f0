"""The scatter: every point with two numbers once, under its kind's look, and the chosen one ringed."""

import math

from attnviz.figures.scatter import Axis, Group, Palette, scatter

RED, BLUE = Group("Red <b>", "circle", "#f00"), Group("Blue", "diamond", "#00f")
PALETTE = Palette("#111", "#666", "#ddd", "#fff")


def drawn(chosen: int | None = None):
    x = Axis("Sink", [0.0, 0.5, math.nan, 1.0], 0.0, 1.0)
    y = Axis("Bits", [1.0, 2.0, 3.0, 4.0])
    return scatter(x, y, [RED, BLUE, RED, RED], ["1.1", "1.2", "2.1", "2.2"], PALETTE, chosen=chosen)


def test_each_point_stands_once_with_its_number_under_its_kind() -> None:
    red, blue = drawn().data
    assert list(red.customdata) == [0, 3] and list(red.x) == [0.0, 1.0] and list(red.y) == [1.0, 4.0]
    assert (red.marker.symbol, red.marker.color) == ("circle", "#f00")
    assert list(blue.customdata) == [1] and blue.marker.symbol == "diamond"
    assert red.text[0] == "1.1 · Red &lt;b&gt;"  # a name is no markup


def test_the_chosen_point_is_ringed_unless_it_has_no_number() -> None:
    *_, ring = drawn(chosen=1).data
    assert (list(ring.x), list(ring.y), ring.marker.symbol) == ([0.5], [2.0], "circle-open")
    assert len(drawn(chosen=2).data) == len(drawn().data) == 2


def test_shares_keep_their_range_and_other_measures_take_what_they_need() -> None:
    layout = drawn().layout
    low, high = layout.xaxis.range
    assert low < 0 < 1 < high and layout.yaxis.range is None
    assert layout.showlegend is False and layout.paper_bgcolor == "rgba(0,0,0,0)"
