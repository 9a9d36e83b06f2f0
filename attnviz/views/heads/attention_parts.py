"""Which attention of a model the heads view shows: the encoder's, the decoder's, or that from written to read text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from attnviz.core.site import Site
    from attnviz.trace.trace import Trace

Part = Literal["cross", "encoder", "decoder"]
PARTS: tuple[Part, ...] = get_args(Part)  # the first one a model has is shown first


def part_of(site: Site) -> Part:
    """The part a site belongs to."""
    return "cross" if site.kind == "cross" else site.stack


def parts_of(trace: Trace) -> tuple[Part, ...]:
    """The parts this model has: one for most, three where one text is read and another written."""
    here = {part_of(site) for site in trace.sites}
    return tuple(part for part in PARTS if part in here)


def shown_part(trace: Trace, wanted: str | None) -> Part:
    """The wanted part, or the first one where the model has no such part."""
    here = parts_of(trace)
    return next((part for part in here if part == wanted), here[0])


def sites_of(trace: Trace, part: str | None = None) -> tuple[Site, ...]:
    """The sites of one part, by layer."""
    shown = shown_part(trace, part)
    return tuple(sorted(site for site in trace.sites if part_of(site) == shown))
