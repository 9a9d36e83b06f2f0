"""What a person points at, as one frozen value, and its form in a link; `state` keeps it. Knows no Streamlit."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from attnviz_app.heads import extra_heads
from attnviz_app.heads.overview_options import is_look

from attnviz.text import LANGUAGES, Language
from attnviz.trace.trace import Trace
from attnviz.views.heads import WAYS
from attnviz.views.heads.parts import PARTS, parts_of, shown_part, sites_of

Size = Literal["normal", "projector"]
Notice = tuple[str, tuple[tuple[str, str | int], ...]]  # a message id and its arguments
# Of the link, in this order.
NAMES = ("model", "text", "target", "part", "layer", "head", "token", "key", "view", "also", "together", "filter",
         "overview", "below", "lang", "size")  # fmt: skip
# A link with one of these says itself what is pinned.
POINTING = frozenset(("text", "target", "part", "layer", "head", "token", "key"))
HEAD = (
    "layer",
    "head",
    "view",
    "also",
    "together",
    "filter",
    "overview",
)  # which heads are shown and how, whatever the text is
BELOW = ("numbers", "sentences", "rollout", "effect")  # what can be open under the picture of the Heads page
POINTED = ("layer", "head", "token", "key")  # what a view may say, as indices; of the last two one at most
SIZES: tuple[Size, ...] = get_args(Size)
NO_TOKEN = "none"  # the token of a link where the person let go of the pinned one
WHOLE = re.compile(r"-?[0-9]+", re.ASCII)


@dataclass(frozen=True)
class Selection:
    """What is on the screen; layer, head, token and key count from 0 here and from 1 in the link.

    A link may ask for what no model has: -1 stands for any number below 1 until `fitted` moves it inside.
    """

    model: str
    text: str
    layer: int = 0
    head: int = 0
    token: int | None = None  # None: the view picks a telling one, unless `released`
    released: bool = False  # the person let go of the pinned token: none is picked
    key: int | None = None  # a token pinned on the right, among those that are looked at
    target: str = ""  # what it is to write, of a model that writes; "" lets it write for itself
    view: str = ""  # one of WAYS, how the head is shown; "" leaves it to the view
    also: extra_heads.Heads = ()  # those that are shown with it
    together: str = ""  # how: one of beside.TOGETHER; "" is the first
    filter: str = ""  # what the view takes out of the picture, in the words of its filter bar
    overview: str = ""  # how all heads are looked at: see overview_look
    below: str = ""  # one of BELOW, what is open under the picture; "" is nothing
    part: str = ""  # whose attention, of a model that has several parts; "" is the first
    language: Language = "en"
    size: Size = "normal"
    keeps_head: bool = False  # the text came without a head of its own; see heads/picked.js. Not in the link


def to_link(selection: Selection) -> dict[str, str]:
    """The selection as the query of a link; `size` only where it is not the usual one."""
    token = NO_TOKEN if selection.released else _counted(selection.token)
    size = "" if selection.size == "normal" else selection.size
    pointed = (_counted(selection.layer), _counted(selection.head), token, _counted(selection.key))
    asked = (selection.model, selection.text, selection.target, selection.part)
    seen_with = (selection.view, *extra_heads.to_link(selection.also, selection.together, selection.filter))
    values = (*asked, *pointed, *seen_with, selection.overview, selection.below, selection.language, size)
    return {name: value for name, value in zip(NAMES, values, strict=True) if value}


def from_link(
    query: Mapping[str, str], default: Selection, models: Container[str], removed: Container[str] = ()
) -> tuple[Selection, list[Notice]]:
    """Read a link; what it lacks or says wrongly comes from `default`, and no value can raise.

    Args:
        query: the query of the link, as text.
        default: what to show where the link is silent.
        models: the models that may be asked for.
        removed: those that were here and had to make room.
    Returns:
        The selection, not yet fitted to a trace, and a notice for each value that had to be corrected.
    """
    notices: list[Notice] = []
    model = query.get("model", default.model)
    if model not in models:
        id = "notice-removed" if model in removed else "notice-model"
        notices.append(notice(id, name=model[:60], shown=default.model))
        model = default.model
    text = _characters(query.get("text", default.text))
    numbers = {name: _index(query[name]) for name in ("layer", "head", "token", "key") if name in query}
    released = query.get("token") == NO_TOKEN
    part = next((part for part in PARTS if part == query.get("part")), None)
    view = next((way for way in WAYS if way == query.get("view")), None)
    seen_with = extra_heads.from_link(query)
    overview = query.get("overview") if is_look(query.get("overview")) else None
    below = next((name for name in BELOW if name == query.get("below")), None)
    language = next((code for code in LANGUAGES if code == query.get("lang")), None)
    size = next((size for size in SIZES if size == query.get("size", "normal")), None)
    readable = {
        **numbers,
        "token": released or numbers.get("token"),
        "part": part,
        "view": view,
        **seen_with,
        "overview": overview,
        "below": below,
        "lang": language,
        "size": size,
    }
    notices += [
        notice("notice-unreadable", value=f"{name}={query[name]}"[:60])
        for name, value in readable.items()
        if name in query and value is None
    ]
    # A link of ours leaves out the token for the view to pick one; only a link to no picture at all keeps ours.
    pinned = Selection(model, text) if POINTING & query.keys() or model != default.model else default
    layer, head = numbers.get("layer"), numbers.get("head")
    # Where a link is silent, another model starts with its first head: ours may have more layers than it has.
    ours = default if model == default.model else Selection(model, text)
    opened = Selection(
        model,
        text,
        layer=ours.layer if layer is None else layer,
        head=ours.head if head is None else head,
        token=pinned.token if numbers.get("token") is None else numbers["token"],
        released=released or pinned.released,
        key=pinned.key if numbers.get("key") is None else numbers["key"],
        target=_characters(query.get("target", pinned.target)),
        part=part or pinned.part,
        view=view or default.view,
        also=seen_with.get("also") or pinned.also,
        together=seen_with.get("together") or pinned.together,
        filter=seen_with.get("filter") or pinned.filter,
        overview=overview or default.overview,
        below=below or pinned.below,
        language=language or default.language,
        size=size or default.size,
    )
    return opened, notices


def fitted(selection: Selection, trace: Trace) -> tuple[Selection, list[Notice]]:
    """Keep part, layer, head and token inside a trace.

    Returns: the selection, and a notice for each value that had to change.
    """
    part = shown_part(trace, selection.part)
    sites = sites_of(trace, part)
    n_queries, n_keys = len(trace.query_tokens(sites[0])), len(trace.key_tokens(sites[0]))
    sizes = {"layer": len(sites), "head": trace[sites[0]].n_heads, "token": n_queries, "key": n_keys}
    inside: dict[str, Any] = {"part": part if len(parts_of(trace)) > 1 else ""}
    notices = [notice("notice-part")] if selection.part and selection.part != inside["part"] else []
    for name, n in sizes.items():
        asked = getattr(selection, name)
        if asked is None or 0 <= asked < n:
            continue
        inside[name] = min(max(asked, 0), n - 1)
        id = "token" if name == "key" else name
        notices.append(notice(f"notice-{id}", n=n, shown=inside[name] + 1))
    kept = replace(selection, **inside)
    also = extra_heads.inside(kept.also, (kept.layer, kept.head), sizes["layer"], sizes["head"])
    return replace(kept, also=also), notices


def picked(shown: Selection, said: Mapping[str, object]) -> Selection:
    """What is shown, changed by what a view said; what is no index is not taken over.

    Args:
        shown: the selection before.
        said: {layer, head, token, key, released, view, also, together, filter, overview},
            any of them missing or wrong.
    """
    changes: dict[str, Any] = {}
    for name in POINTED:
        value = said.get(name)
        if type(value) is int and value >= 0:
            changes[name] = value
    if said.get("view") in WAYS:
        changes["view"] = said["view"]
    if said.keys() & {"layer", "head"}:
        changes |= extra_heads.said(said)
        changes["overview"] = said["overview"] if is_look(said.get("overview")) else ""
    if said.keys() & {"token", "key", "released"}:
        token, key = changes.get("token"), changes.get("key")
        released = said.get("released")
        changes["token"], changes["key"] = token, key if token is None else None
        changes["released"] = token is None and key is None and (released is True or "released" not in said)
    return replace(shown, **changes)


def notice(id: str, **arguments: str | int) -> Notice:
    return id, tuple(arguments.items())


def _characters(written: str) -> str:
    """A text of a link; half a surrogate pair is no character."""
    return written.encode("utf-8", "replace").decode()


def _counted(index: int | None) -> str:
    return "" if index is None else str(index + 1)


def _index(written: str) -> int | None:
    """A number counted from 1, as an index; None where it is no number, and those outside a model are fitted later."""
    if not WHOLE.fullmatch(written):
        return None
    return max(-1, min(int(written[:40]), 10**9) - 1)
