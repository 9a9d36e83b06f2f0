"""The panel of a closer look: sentences, facts, tables, maps, curves, dials. Packs what it was given; draws nothing."""

from collections.abc import Sequence

import numpy as np

from attnviz.views.headers import digest, picture_header
from attnviz.views.pack import pack
from attnviz.views.panel.blocks import Block, Chart, Curve, Dial, Dials, Fact, Facts, Map, Maps, Prose, Table
from attnviz.views.panel.header import PanelHeader
from attnviz.views.panel.packed_blocks import Sheets
from attnviz.views.view import View


def panel(blocks: Sequence[Block], *, title: str, lang: str = "en", size: str = "normal") -> View:
    """Show blocks one under the other.

    Args:
        title: names the whole, for screen readers and as the title of a file of its own.
    """
    sheets = Sheets(blocks)
    revision = digest(sheets.blocks, *(np.ascontiguousarray(values).tobytes() for values in sheets.arrays.values()))
    header: PanelHeader = {**picture_header("panel", revision, lang, size), "text": title, "blocks": sheets.blocks}
    return View("panel", pack(header, sheets.arrays), revision, title=title[:80])


__all__ = ["Block", "Chart", "Curve", "Dial", "Dials", "Fact", "Facts", "Map", "Maps", "Prose", "Table", "panel"]
