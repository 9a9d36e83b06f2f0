"""What the pages of heads are asked, what a link says is picked in their picture, and both in a link.

Knows no Streamlit. The browser owns what is picked and writes it into the link (`views/heads/picked_in_link.js`); it is
read here for the picture that a link opens.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from attnviz_app.model_in_link import model_in_link
from attnviz_app.notice import Notice, notice
from attnviz_app.serving.truncation import Cut

from attnviz.core.errors import InputError
from attnviz.core.tensor_checks import index_in
from attnviz.trace.generation import Stretch
from attnviz.trace.sampling import Sampling
from attnviz.trace.trace import Trace
from attnviz.views import Pick, link
from attnviz.views.heads.attention_parts import PARTS, parts_of, shown_part, sites_of

NO_TOKEN = "none"  # the token of a link where the person let go of the pinned one
MOST = 8  # heads at once, the picked one among them: as many as there are colours
Heads = tuple[tuple[int, int], ...]  # (layer, head), counted from 0
MOST_STRETCHES = 32  # of a text
STRETCH = re.compile(
    r"([1-9][0-9]{0,6})-([1-9][0-9]{0,6})(,c)?(?:,t([0-9.]{1,8})(?:,k([0-9]{1,7}))?(?:,p([0-9.]{1,8}))?,s([0-9]{1,10}))?",
    re.ASCII,
)  # the first and last token, whether a person chose the first, and how the others were drawn


@dataclass(frozen=True)
class Question:
    """A model, a text, and whose attention over it."""

    model: str
    text: str
    target: str = ""  # what it is to write, of a model that writes; "" lets it write for itself
    part: str = ""  # whose attention, of a model that has several parts; "" is the first
    written: str = ""  # which tokens of the text the model is said to have written, and how: `stretches_to_link`
    cut: Cut | None = None  # the text as typed, where `text` is its first part; not in the link

    @property
    def of_run(self) -> tuple[str, str, str]:
        """What the run depends on."""
        return self.model, self.text, self.target


@dataclass(frozen=True)
class Picked:
    """What is picked in the picture; all places count from 0 here and from 1 in the link.

    A link may ask for what no model has: -1 stands for any number below 1 until `fitted` moves it inside.
    """

    layer: int = 0
    head: int = 0
    token: int | None = None  # None: the view picks a telling one, unless `released`
    released: bool = False  # the person let go of the pinned token: none is picked
    key: int | None = None  # a token pinned on the right, among those that can be attended to; with `token` their cell
    view: str = ""  # one of WAYS, how the head is shown; "" leaves it to the view
    also: Heads = ()  # those that are shown with it
    together: str = ""  # how: one of TOGETHER; "" is the first
    filter: str = ""  # what the view takes out of the picture, in the words of its filter bar
    overview: str = ""  # how all heads are looked at: words of `views/heads/options.py`
    beside: str = ""  # what stands in their place, one of BESIDE
    is_placed: bool = field(
        default=True, compare=False
    )  # whether a head was said; else the first is chosen for the text

    @classmethod
    def of(cls, pick: Pick | None) -> Picked | None:
        """The pick of an example, if it has one."""
        return None if pick is None else cls(**pick._asdict())

    @property
    def pick(self) -> Pick:
        return Pick(self.layer, self.head, self.token, self.released, self.key)


def to_link(question: Question) -> dict[str, str]:
    return {name: getattr(question, name) for name in link.asked_by("heads")}


def from_link(
    query: Mapping[str, str], default: Question, models: Container[str], removed: Container[str] = ()
) -> tuple[Question, list[Notice]]:
    """Read a question; what a link lacks or says wrongly comes from `default`, and no value can raise.

    Args:
        models: those that may be asked for. removed: those that were here and had to make room.
    Returns:
        the question, not yet fitted to a run, and a notice for each value that had to be corrected.
    """
    model, notices = model_in_link(query.get("model", default.model), default.model, models, removed)
    is_other = model != default.model or "text" in query
    part = query.get("part", "" if is_other else default.part)
    if part and part not in PARTS:
        notices.append(_unreadable("part", query))
        part = ""
    target = query.get("target", "" if is_other else default.target)
    written = query.get("written", "" if is_other else default.written)
    if written and not stretches_in(written):
        notices.append(_unreadable("written", query))
        written = ""
    return Question(model, query.get("text", default.text), target, part, written), notices


def stretches_to_link(stretches: Iterable[Stretch]) -> str:
    """What a model wrote of a text: 6-21,t0.8,k40,p0.9,s7~22-30,c is 16 tokens that were drawn, then a chosen one and
    what it wrote after it, greedily.
    """
    said = []
    for stretch in stretches:
        parts, how = [f"{stretch.first + 1}-{stretch.first + stretch.n}"], stretch.sampling
        parts += ["c"] if stretch.is_chosen else []
        if how is not None:
            named = {"t": how.temperature, "k": how.top_k, "p": how.top_p, "s": how.seed}
            parts += [f"{name}{value}" for name, value in named.items() if value is not None]
        said.append(",".join(parts))
    return "~".join(said)


def stretches_in(written: str) -> tuple[Stretch, ...]:
    """The same read; () where it cannot be read."""
    stretches: list[Stretch] = []
    for said in written.split("~")[: MOST_STRETCHES + 1]:
        parts = STRETCH.fullmatch(said)
        if parts is None:
            return ()
        first, last, chosen, temperature, top_k, top_p, seed = parts.groups()
        try:
            drawn = _sampling(temperature, top_k, top_p, seed) if temperature else None
        except (ValueError, InputError):
            return ()
        stretches.append(Stretch(int(first) - 1, int(last) - int(first) + 1, drawn, bool(chosen)))
    ends = [0, *(stretch.first + stretch.n for stretch in stretches)]
    is_in_order = all(end <= stretch.first and stretch.n > 0 for end, stretch in zip(ends, stretches, strict=False))
    return tuple(stretches) if is_in_order and len(stretches) <= MOST_STRETCHES else ()


def _sampling(temperature: str, top_k: str | None, top_p: str | None, seed: str) -> Sampling:
    return Sampling(
        float(temperature), None if top_k is None else int(top_k), None if top_p is None else float(top_p), int(seed)
    )


def picked_in(query: Mapping[str, str]) -> tuple[Picked, list[Notice]]:
    """What a link says is picked, and a notice for each value that cannot be read. No value can raise."""
    released = query.get("token") == NO_TOKEN
    said, unreadable = link.read({**query, "token": ""} if released else query, link.picked_in("heads"))
    also = tuple(tuple(int(number) - 1 for number in place.split(".")) for place in said["also"].split(",") if place)
    at = {"layer": said["layer"] or 0, "head": said["head"] or 0}
    is_placed = said["layer"] is not None or said["head"] is not None
    return Picked(**{**said, **at, "also": also, "released": released}, is_placed=is_placed), [
        _unreadable(n, query) for n in unreadable
    ]


def fitted(question: Question, picked: Picked, trace: Trace) -> tuple[Question, Picked, list[Notice]]:
    """Keep part, layer, head and token inside a run; a notice for each value that had to change."""
    part = shown_part(trace, question.part)
    sites = sites_of(trace, part)
    n_queries, n_keys = len(trace.query_tokens(sites[0])), len(trace.key_tokens(sites[0]))
    sizes = {"layer": len(sites), "head": trace[sites[0]].n_heads, "token": n_queries, "key": n_keys}
    own_part = part if len(parts_of(trace)) > 1 else ""
    notices = [notice("notice-part")] if question.part and question.part != part else []
    inside: dict[str, Any] = {}
    for name, n in sizes.items():
        asked = getattr(picked, name)
        if asked is None or index_in(asked, n, from_end=False) is not None:
            continue
        inside[name] = min(max(asked, 0), n - 1)
        id = "token" if name == "key" else name
        notices.append(notice(f"notice-{id}", n=n, shown=inside[name] + 1))
    kept = replace(picked, **inside)
    here = dict.fromkeys(place for place in kept.also if place[0] < sizes["layer"] and place[1] < sizes["head"])
    also = tuple(place for place in here if place != (kept.layer, kept.head))[: MOST - 1]
    return replace(question, part=own_part), replace(kept, also=also), notices


def _unreadable(name: str, query: Mapping[str, str]) -> Notice:
    return notice("notice-unreadable", value=f"{name}={query[name]}"[:60])
