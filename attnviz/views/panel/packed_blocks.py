"""The blocks of a panel as they travel: words in the header, matrices as arrays. Of a large matrix the first part."""

import math
from collections.abc import Sequence
from typing import Any

import torch
from numpy.typing import NDArray
from torch import Tensor

from attnviz.views.panel.blocks import Block, Chart, Facts, Map, Maps, Prose, Table
from attnviz.views.panel.header import PanelBlock, PanelChart, PanelFact, PanelMap, PanelTable

MOST = 64  # rows and columns of a map that are drawn; the view says how many there are


class Sheets:
    """`blocks` for the header, and the `arrays` that they name."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self.arrays: dict[str, NDArray[Any]] = {}
        self.blocks = [self._block(block) for block in blocks]

    def _block(self, block: Block) -> PanelBlock:
        match block:
            case Prose(text):
                return {"kind": "prose", "text": text}
            case Facts():
                facts = [PanelFact(name=it.name, value=it.value, note=it.note) for it in block.facts]
                return {"kind": "facts", "facts": facts}
            case Table():
                return _table(block)
            case Maps(maps):
                return {"kind": "maps", "maps": [self._map(one) for one in maps]}
        return _chart(block)

    def _map(self, one: Map) -> PanelMap:
        values = one.values.detach().to("cpu", torch.float32)  # [R, C]
        assert values.shape == (len(one.rows), len(one.columns)), f"{one.title}: other names than numbers"
        name = f"map{len(self.arrays)}"
        self.arrays[name] = values[:MOST, :MOST].contiguous().numpy()
        return {
            "title": one.title,
            "values": name,
            "rows": list(one.rows[:MOST]),
            "columns": list(one.columns[:MOST]),
            "size": list(values.shape),
            "scale": one.scale,
            "limit": _usual(one, values) if one.limit is None else float(one.limit),
            "rowAxis": one.row_axis,
            "columnAxis": one.column_axis,
            "marked": None if one.marked is None or max(one.marked) >= MOST else list(one.marked),
            "leads": one.leads,
        }


def _usual(one: Map, values: Tensor) -> float:
    """What the strongest colour stands for: 1 for shares, the largest number there is for signed ones."""
    finite = values[torch.isfinite(values)].abs()
    return 1.0 if one.scale == "share" else float(finite.max()) if finite.numel() else 0.0


def _table(block: Table) -> PanelTable:
    assert all(len(row) == len(block.columns) for row in block.rows), f"{block.title}: other names than cells"
    return {
        "kind": "table", "title": block.title, "columns": list(block.columns),
        "rows": [list(row) for row in block.rows], "marked": block.marked,
        "bars": list(block.bars), "leads": [None if place is None else list(place) for place in block.leads],
    }  # fmt: skip


def _chart(block: Chart) -> PanelChart:
    assert all(len(curve.y) == len(block.x) for curve in block.curves), f"{block.title}: other points than the axis"
    return {
        "kind": "chart",
        "title": block.title,
        "x": [float(x) for x in block.x],
        "curves": [{"name": curve.name, "y": [_finite(y) for y in curve.y]} for curve in block.curves],
        "xTitle": block.x_title,
        "logX": block.log_x,
        "logY": block.log_y,
    }


def _finite(y: float) -> float | None:
    """JSON has no infinity; such a point is left out of its line."""
    return float(y) if math.isfinite(y) else None
