"""What a person points at, as one frozen value, and its form in a link; `state` keeps it. Knows no Streamlit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, get_args

from attnviz.core.trace import Trace
from attnviz.text import LANGUAGES, Language

Size = Literal["normal", "projector"]
Notice = tuple[str, tuple[tuple[str, str | int], ...]]  # a message id and its arguments
NAMES = ("model", "text", "layer", "head", "token", "lang", "size")  # of the link, in this order
SIZES: tuple[Size, ...] = get_args(Size)


@dataclass(frozen=True)
class Selection:
    """What is on the screen; layer, head and token count from 0 here and from 1 in the link."""

    model: str
    text: str
    layer: int = 0
    head: int = 0
    token: int | None = None  # None: no row is isolated
    language: Language = "en"
    size: Size = "normal"


def to_link(selection: Selection) -> dict[str, str]:
    """The selection as the query of a link; `size` only where it is not the usual one."""
    token = "" if selection.token is None else str(selection.token + 1)
    size = "" if selection.size == "normal" else selection.size
    values = (selection.model, selection.text, str(selection.layer + 1), str(selection.head + 1), token)
    pairs = zip(NAMES, (*values, selection.language, size), strict=True)
    return {name: value for name, value in pairs if value}


def from_link(query: Mapping[str, str], default: Selection, models: tuple[str, ...]) -> tuple[Selection, list[Notice]]:
    """Read a link; what it lacks or says wrongly comes from `default`, and no value can raise.

    Args:
        query: the query of the link, as text.
        default: what to show where the link is silent.
        models: the models that may be asked for.
    Returns:
        The selection, not yet fitted to a trace, and a notice for each value that had to be corrected.
    """
    notices: list[Notice] = []
    model = query.get("model", default.model)
    if model not in models:
        notices.append(notice("notice-model", name=model[:60], shown=default.model))
        model = default.model
    text = query.get("text", default.text).encode("utf-8", "replace").decode()  # half a surrogate pair is no character
    is_other_text = text != default.text
    token = None if is_other_text else default.token
    if "token" in query:
        token = _index(query["token"], token)
    language = next((code for code in LANGUAGES if code == query.get("lang")), default.language)
    size = next((size for size in SIZES if size == query.get("size", "normal")), default.size)
    layer, head = _index(query.get("layer"), default.layer), _index(query.get("head"), default.head)
    return Selection(model, text, layer or 0, head or 0, token, language, size), notices


def fitted(selection: Selection, trace: Trace) -> tuple[Selection, list[Notice]]:
    """Keep layer, head and token inside a trace.

    Returns: the selection, and a notice for each value that had to change.
    """
    card, n_tokens = trace.card, len(trace.tokens.source)
    layer, head = min(selection.layer, card.n_layers - 1), min(selection.head, card.n_heads - 1)
    token = None if selection.token is None else min(selection.token, n_tokens - 1)
    notices: list[Notice] = []
    if layer != selection.layer:
        notices.append(notice("notice-layer", n=card.n_layers, shown=layer + 1))
    if head != selection.head:
        notices.append(notice("notice-head", n=card.n_heads, shown=head + 1))
    if token is not None and token != selection.token:
        notices.append(notice("notice-token", n=n_tokens, shown=token + 1))
    return replace(selection, layer=layer, head=head, token=token), notices


def notice(id: str, **arguments: str | int) -> Notice:
    return id, tuple(arguments.items())


def _index(written: str | None, default: int | None) -> int | None:
    """A number counted from 1, as an index; far too large ones stay large and are fitted later."""
    if written is None or not written.isascii() or not written.isdigit():
        return default
    return max(0, min(int(written[:9]), 10**9) - 1)
