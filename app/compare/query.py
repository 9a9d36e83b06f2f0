"""What the Compare page shows, as one frozen value, and its form in a link. Knows no Streamlit."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from dataclasses import dataclass, replace

from attnviz.views.compare import Pair

NAMES = ("a", "b", "both", "other", "pair", "spot")  # of the link, in this order
PLACE = re.compile(r"([0-9]{1,4})\.([0-9]{1,4})-([0-9]{1,4})\.([0-9]{1,4})", re.ASCII)
SPOT = re.compile(r"([0-9]{1,4})-([0-9]{1,4})", re.ASCII)


@dataclass(frozen=True)
class Comparing:
    """Two sides, what they read, and the heads that are picked; all places count from 0 here and from 1 in the link."""

    a: str = ""  # "" leaves it to the page
    b: str = ""
    text: str = ""
    other: str = ""  # what B reads, where that is another text; "" is A's
    heads: tuple[int, int, int, int] | None = None  # layer and head of A, of B; None: the page picks a telling pair
    spot: tuple[int, int] | None = None  # query and key

    @property
    def pair(self) -> Pair | None:
        """What the picture is told."""
        return None if self.heads is None else Pair(*self.heads, *(self.spot or (None, None)))


def to_link(now: Comparing) -> dict[str, str]:
    """The query of a link; what the page chose by itself is left out."""
    heads = "" if now.heads is None else "{}.{}-{}.{}".format(*(place + 1 for place in now.heads))
    spot = "" if now.spot is None else "{}-{}".format(*(place + 1 for place in now.spot))
    values = (now.a, now.b, now.text, now.other, heads, spot)
    return {name: value for name, value in zip(NAMES, values, strict=True) if value}


def from_link(query: Mapping[str, str], known: Container[str]) -> Comparing:
    """Read a link; what it says wrongly is left to the page, and no value can raise."""
    a, b = (name if (name := query.get(side, "")) in known else "" for side in ("a", "b"))
    text, other = (query.get(name, "").encode("utf-8", "replace").decode() for name in ("both", "other"))
    heads = _places(PLACE, query.get("pair", ""))
    spot = _places(SPOT, query.get("spot", ""))
    return Comparing(
        a, b, text, other,
        None if heads is None else (heads[0], heads[1], heads[2], heads[3]),
        None if spot is None else (spot[0], spot[1]),
    )  # fmt: skip


def pointed(now: Comparing, said: Mapping[str, object]) -> Comparing:
    """Take over what a picture says is picked; a browser may say anything."""
    places = [_pair_of(said.get(side)) for side in ("a", "b")]
    if places[0] is None or places[1] is None:
        return now
    spot = _pair_of([said.get("query"), said.get("key")])
    return replace(now, heads=(*places[0], *places[1]), spot=spot)


def _places(form: re.Pattern[str], text: str) -> list[int] | None:
    found = form.fullmatch(text)
    if found is None or any(int(place) < 1 for place in found.groups()):
        return None
    return [int(place) - 1 for place in found.groups()]


def _pair_of(said: object) -> tuple[int, int] | None:
    if not isinstance(said, list | tuple) or len(said) != 2:
        return None
    one, two = said
    if type(one) is not int or type(two) is not int or not (0 <= one < 10_000 and 0 <= two < 10_000):
        return None
    return one, two
