"""What else a picture of heads shows: further heads, how they are brought together, and filters. Knows no Streamlit."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from attnviz.views.heads import TOGETHER

MOST = 8  # heads at once, the picked one among them: as many as there are colours
Heads = tuple[tuple[int, int], ...]  # (layer, head), counted from 0

_HEADS = re.compile(r"[1-9][0-9]{0,3}\.[1-9][0-9]{0,3}(?:,[1-9][0-9]{0,3}\.[1-9][0-9]{0,3}){0,6}", re.ASCII)
_FILTERS = re.compile(r"(?:special|first|rescaled|words|below-[1-9][0-9]?)", re.ASCII)


def from_link(query: Mapping[str, str]) -> dict[str, Any]:
    """Those of the three that a link says; None where it cannot be read."""
    read: dict[str, Any] = {}
    if "also" in query:
        written = query["also"]
        pairs = [pair.split(".") for pair in written.split(",")] if _HEADS.fullmatch(written) else None
        read["also"] = None if pairs is None else tuple((int(layer) - 1, int(head) - 1) for layer, head in pairs)
    if "together" in query:
        read["together"] = query["together"] if query["together"] in TOGETHER else None
    if "filter" in query:
        read["filter"] = query["filter"] if is_filter(query["filter"]) else None
    return read


def inside(also: Heads, picked: tuple[int, int], layers: int, heads: int) -> Heads:
    """Those that this model has, each once, without the picked one."""
    here = dict.fromkeys(pair for pair in also if pair[0] < layers and pair[1] < heads and pair != picked)
    return tuple(here)[: MOST - 1]


def is_filter(written: str) -> bool:
    """Whether these are words of the filter bar, each once."""
    words = written.split(" ")
    return len(set(words)) == len(words) <= 5 and all(_FILTERS.fullmatch(word) for word in words)
