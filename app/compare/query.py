"""What the Compare page is asked, and what a link says is picked in its picture. Knows no Streamlit."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from attnviz.views import link
from attnviz.views.compare import Pair

PAIR = re.compile(r"([0-9]{1,4})\.([0-9]{1,4})-([0-9]{1,4})\.([0-9]{1,4})", re.ASCII)
PLACE = re.compile(r"(?<!\S)([1-9][0-9]{0,3})\.([1-9][0-9]{0,3})(?!\S)", re.ASCII)


@dataclass(frozen=True)
class Question:
    a: str
    b: str
    text: str
    other: str = ""  # what B reads, where that is another text; "" is A's


def pair_in(query: Mapping[str, str]) -> Pair | None:
    """The heads and the cell, by its tokens of A, that a link says are picked; None where it says no head. No value can
    raise. A head that is said of A alone is meant on both sides.
    """
    said, _ = link.read(query, ("layer", "head", "layer2", "head2", "token", "key"))
    if said["layer"] is None and said["head"] is None:
        return None
    a = said["layer"] or 0, said["head"] or 0
    b = a if said["layer2"] is None and said["head2"] is None else (said["layer2"] or 0, said["head2"] or 0)
    is_cell = said["token"] is not None and said["key"] is not None
    return Pair(*a, *b, said["token"], said["key"] if is_cell else None)


def heads_said(query: Mapping[str, str]) -> str:
    """The heads that are picked as one word, "3.4-3.4"; "" where none are."""
    pair = pair_in(query)
    return "" if pair is None else "{}.{}-{}.{}".format(*(place + 1 for place in pair[:4]))


def pair_of_place(place: str, is_of_translator: bool) -> Pair | None:
    """The head on the screen when a trace was saved, "self encoder 3.4 weights", on both sides.

    None of a head that does not read the source: the page compares those that do.
    """
    match = PLACE.search(place)
    if match is None or (is_of_translator and "encoder" not in place.split()):
        return None
    return Pair(*[int(number) - 1 for number in match.groups()] * 2)


def heads_in(said: str) -> list[int] | None:
    """Layer and head of A and of B, of such a word; None where it says none."""
    match = PAIR.fullmatch(said)
    if match is None or any(int(place) < 1 for place in match.groups()):
        return None
    return [int(place) - 1 for place in match.groups()]
