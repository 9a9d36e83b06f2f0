"""How a head is called, where the picture has it, and a number of each head as a map."""

from collections.abc import Sequence
from typing import Literal

from torch import Tensor

from attnviz.core.site import Site
from attnviz.text import Strings
from attnviz.trace.trace import Trace
from attnviz.views.heads.attention_parts import part_of, parts_of, sites_of
from attnviz.views.panel.blocks import Lead, Map


def name_of(trace: Trace, site: Site, head: int, say: Strings) -> str:
    """Short, counted from 1: "3.10", with its part where there are several: "3.10 (encoder)"."""
    short = f"{sites_of(trace, part_of(site)).index(site) + 1}.{head + 1}"
    return _with_part(trace, site, short, say)


def name_in_words(trace: Trace, site: Site, head: int, say: Strings) -> str:
    """The same in a sentence, where Chinese says layer and head with their measure words."""
    layer = sites_of(trace, part_of(site)).index(site) + 1
    return _with_part(trace, site, say("view-kit-head", layer=layer, head=head + 1), say)


def _with_part(trace: Trace, site: Site, name: str, say: Strings) -> str:
    return name if len(parts_of(trace)) == 1 else say(f"heads-of-{part_of(site)}", head=name)


def place_of(trace: Trace, site: Site, head: int, part: str, row: int | None = None) -> Lead:
    """Layer and head in the picture of a part; of another part's head that part too."""
    part_of_head = part_of(site)
    return sites_of(trace, part_of_head).index(site), head, "" if part_of_head == part else part_of_head, row


def map_of_heads(
    title: str,
    values: Tensor,
    say: Strings,
    *,
    limit: float,
    layers: Sequence[str] = (),
    leads: bool = False,
    scale: Literal["share", "signed"] = "signed",
) -> Map:
    """A number of each head, [L, H]. The layers are counted from 1 where they have no names; of many more layers than
    heads they go across.
    """
    down, across = (tuple(str(at + 1) for at in range(size)) for size in values.shape)
    sides = [(layers or down, say("heads-column-layer")), (across, say("heads-column-head"))]
    is_across = len(down) > 2 * len(across)
    if is_across:
        values, sides = values.T.contiguous(), sides[::-1]
    (rows, row_axis), (columns, column_axis) = sides
    way: Literal["down", "across"] = "across" if is_across else "down"
    return Map(
        title, values, rows, columns, scale, limit=limit, row_axis=row_axis, column_axis=column_axis,
        leads=way if leads else "",
    )  # fmt: skip
