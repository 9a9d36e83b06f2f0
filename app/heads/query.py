"""What the pages of heads are asked, what a link says is picked in their picture, and both in a link.

Knows no Streamlit. The browser owns what is picked and writes it into the link (`views/heads/picked_in_link.js`); it is
read here for the picture that a link opens.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, replace
from typing import Any

from attnviz_app.notice import Notice, notice
from attnviz_app.serving.truncation import Cut

from attnviz.trace.trace import Trace
from attnviz.views import Pick
from attnviz.views.heads.attention_parts import PARTS, parts_of, shown_part, sites_of
from attnviz.views.heads.options import BESIDE, FILTERS, TOGETHER, WAYS, are_words, is_of_overview

NAMES = ("model", "text", "target", "part")  # what a question says in a link, in this order
PICKED = ("layer", "head", "token", "key", "view", "also", "together", "filter", "overview", "beside")  # in a picture
NO_TOKEN = "none"  # the token of a link where the person let go of the pinned one
WHOLE = re.compile(r"-?[0-9]+", re.ASCII)
MOST = 8  # heads at once, the picked one among them: as many as there are colours
ALSO = re.compile(r"[1-9][0-9]{0,3}\.[1-9][0-9]{0,3}(?:,[1-9][0-9]{0,3}\.[1-9][0-9]{0,3}){0,6}", re.ASCII)
Heads = tuple[tuple[int, int], ...]  # (layer, head), counted from 0


@dataclass(frozen=True)
class Question:
    """A model, a text, and whose attention over it."""

    model: str
    text: str
    target: str = ""  # what it is to write, of a model that writes; "" lets it write for itself
    part: str = ""  # whose attention, of a model that has several parts; "" is the first
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

    @classmethod
    def of(cls, pick: Pick | None) -> Picked | None:
        """The pick of an example, if it has one."""
        return None if pick is None else cls(**pick._asdict())

    @property
    def pick(self) -> Pick:
        return Pick(self.layer, self.head, self.token, self.released, self.key)


def to_link(question: Question) -> dict[str, str]:
    return {name: getattr(question, name) for name in NAMES}


def from_link(
    query: Mapping[str, str], default: Question, models: Container[str], removed: Container[str] = ()
) -> tuple[Question, list[Notice]]:
    """Read a question; what a link lacks or says wrongly comes from `default`, and no value can raise.

    Args:
        models: those that may be asked for. removed: those that were here and had to make room.
    Returns:
        the question, not yet fitted to a run, and a notice for each value that had to be corrected.
    """
    notices: list[Notice] = []
    model = query.get("model", default.model)
    if model not in models:
        id = "notice-removed" if model in removed else "notice-model"
        notices.append(notice(id, name=model[:60], shown=default.model, asked=model))
        model = default.model
    is_other = model != default.model or "text" in query
    part = query.get("part", "" if is_other else default.part)
    if part and part not in PARTS:
        notices.append(_unreadable("part", query))
        part = ""
    target = query.get("target", "" if is_other else default.target)
    return Question(model, query.get("text", default.text), target, part), notices


def picked_in(query: Mapping[str, str]) -> tuple[Picked, list[Notice]]:
    """What a link says is picked, and a notice for each value that cannot be read. No value can raise."""
    numbers = {name: _index(query[name]) for name in ("layer", "head", "token", "key") if query.get(name)}
    released = query.get("token") == NO_TOKEN
    also = query.get("also", "")
    pairs = [pair.split(".") for pair in also.split(",")] if ALSO.fullmatch(also) else []
    others: dict[str, Any] = {
        "view": query.get("view") if query.get("view") in WAYS else "",
        "also": tuple((int(layer) - 1, int(head) - 1) for layer, head in pairs),
        "together": query.get("together") if query.get("together") in TOGETHER else "",
        "filter": _words(query.get("filter", ""), lambda word: FILTERS.fullmatch(word) is not None, most=7),
        "overview": _words(query.get("overview", ""), is_of_overview),
        "beside": query.get("beside") if query.get("beside") in BESIDE else "",
    }
    readable = {**numbers, "token": True if released else numbers.get("token"), **others}
    notices = [
        _unreadable(name, query) for name, value in readable.items() if query.get(name) and value in (None, "", ())
    ]
    layer, head = (numbers.get(name) or 0 for name in ("layer", "head"))
    return Picked(layer, head, numbers.get("token"), released, numbers.get("key"), **others), notices


def _words(written: str, is_known: Callable[[str], bool], most: int = 99) -> str:
    """What is written, if it is known words, each once; else ""."""
    return written if are_words(written, is_known, most) else ""


def fitted(question: Question, picked: Picked, trace: Trace) -> tuple[Question, Picked, list[Notice]]:
    """Keep part, layer, head and token inside a run; a notice for each value that had to change."""
    part = shown_part(trace, question.part)
    sites = sites_of(trace, part)
    n_queries, n_keys = len(trace.query_tokens(sites[0])), len(trace.key_tokens(sites[0]))
    sizes = {"layer": len(sites), "head": trace[sites[0]].n_heads, "token": n_queries, "key": n_keys}
    own_part = part if len(parts_of(trace)) > 1 else ""
    notices = [notice("notice-part")] if question.part and question.part != own_part else []
    inside: dict[str, Any] = {}
    for name, n in sizes.items():
        asked = getattr(picked, name)
        if asked is None or 0 <= asked < n:
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


def _index(written: str) -> int | None:
    """A number counted from 1, as an index; None where it is no number, and those outside a model are fitted later."""
    if not WHOLE.fullmatch(written):
        return None
    return max(-1, min(int(written[:40]), 10**9) - 1)
