"""The blocks of a panel as they travel: words in the header, matrices as arrays. Of a large matrix the first part."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import torch
from numpy.typing import NDArray
from torch import Tensor

from attnviz.views.panel.blocks import Block, Chart, Map, Maps, Table
from attnviz.views.panel.header import PanelBlock, PanelMap

MOST = 64  # rows and columns of a map that are drawn; the view says how many there are


class Sheets:
    """`blocks` for the header, and the `arrays` that they name."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self.arrays: dict[str, NDArray[Any]] = {}
        self.blocks = [self._block(block) for block in blocks]

    def _block(self, block: Block) -> PanelBlock:
        match block:
            case Maps(maps):
                return {"kind": "maps", "maps": [self._map(one) for one in maps]}
            case Chart(title, x, curves):
                assert all(len(curve.y) == len(x) for curve in curves), f"{title}: other points than the axis"
                finite = [replace(curve, y=[_finite(y) for y in curve.y]) for curve in curves]
                return replace(block, x=[float(at) for at in x], curves=finite)
            case Table(columns, rows, title):
                assert all(len(row) == len(columns) for row in rows), f"{title}: other names than cells"
        return block

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
            "row_axis": one.row_axis,
            "column_axis": one.column_axis,
            "marked": None if one.marked is None or max(one.marked) >= MOST else list(one.marked),
            "leads": one.leads,
            "first": one.first,
            "texts": [list(row[:MOST]) for row in one.texts[:MOST]],
        }


def _usual(one: Map, values: Tensor) -> float:
    """What the strongest colour stands for: 1 for shares, the largest number there is for signed ones."""
    finite = values[torch.isfinite(values)].abs()
    return 1.0 if one.scale == "share" else float(finite.max()) if finite.numel() else 0.0


def _finite(y: float | None) -> float | None:
    """JSON has no infinity; such a point is left out of its line."""
    return float(y) if y is not None and math.isfinite(y) else None
