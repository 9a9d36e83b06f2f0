"""What the Compare page is asked, and what a link says is picked in its picture. Knows no Streamlit."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from attnviz.views.compare import Pair

NAMES = ("a", "b", "both", "other")  # what a question says in a link, in this order
# What its picture says, colours and lines to the browser alone; and what was asked under it.
PICKED = ("pair", "spot", "colours", "lines", "causes", "silenced")
PAIR = re.compile(r"([0-9]{1,4})\.([0-9]{1,4})-([0-9]{1,4})\.([0-9]{1,4})", re.ASCII)
PLACE = re.compile(r"(?<!\S)([1-9][0-9]{0,3})\.([1-9][0-9]{0,3})(?!\S)", re.ASCII)
SPOT = re.compile(r"([0-9]{1,4})-([0-9]{1,4})", re.ASCII)


@dataclass(frozen=True)
class Question:
    a: str
    b: str
    text: str
    other: str = ""  # what B reads, where that is another text; "" is A's


def pair_in(query: Mapping[str, str]) -> Pair | None:
    """The heads and the cell that a link says are picked; None where it says no heads. No value can raise."""
    heads, spot = heads_in(query.get("pair", "")), _places(SPOT, query.get("spot", ""))
    return None if heads is None else Pair(*heads, *(spot or (None, None)))


def pair_of_place(place: str, is_of_translator: bool) -> Pair | None:
    """The head on the screen when a trace was saved, "self encoder 3.4 weights", on both sides.

    None of a head that does not read the source: the page compares those that do.
    """
    match = PLACE.search(place)
    if match is None or (is_of_translator and "encoder" not in place.split()):
        return None
    return Pair(*[int(number) - 1 for number in match.groups()] * 2)


def heads_in(text: str) -> list[int] | None:
    """Layer and head of A and of B, of "3.4-3.4"; None where it says none."""
    return _places(PAIR, text)


def _places(form: re.Pattern[str], text: str) -> list[int] | None:
    match = form.fullmatch(text)
    if match is None or any(int(place) < 1 for place in match.groups()):
        return None
    return [int(place) - 1 for place in match.groups()]
