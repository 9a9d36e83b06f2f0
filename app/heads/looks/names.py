"""How a head is called, and where the picture has it."""

from __future__ import annotations

from attnviz.core.site import Site
from attnviz.text import Strings
from attnviz.trace.trace import Trace
from attnviz.views.heads.parts import part_of, parts_of, sites_of


def name_of(trace: Trace, site: Site, head: int, say: Strings) -> str:
    """Short, counted from 1: "3.10", with its part where there are several."""
    short = f"{sites_of(trace, part_of(site)).index(site) + 1}.{head + 1}"
    return short if len(parts_of(trace)) == 1 else f"{say(f'view-heads-part-{part_of(site)}')} {short}"


def place_of(trace: Trace, site: Site, head: int, part: str) -> tuple[int, int] | None:
    """Layer and head in the picture of a part; None where it shows other attentions."""
    sites = sites_of(trace, part)
    return (sites.index(site), head) if site in sites else None
