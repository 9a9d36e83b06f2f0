"""What is written on figures: tokens as text and never as markup, heads by number, the footnote of every figure."""

from collections.abc import Iterable, Sequence
from html import escape
from itertools import count
from typing import Literal

import plotly.graph_objects as go

from attnviz.core.errors import InputError
from attnviz.core.site import Site
from attnviz.figures.template import template_name
from attnviz.palette import TOKENS, Theme
from attnviz.text import Strings
from attnviz.trace.tokens import Tokens
from attnviz.trace.trace import Trace

CountFrom = Literal[0, 1]
Counting = CountFrom | None  # None: as `options` says
MOST_LABEL = 40  # characters of a token, or of a text in a footnote twice as many
CONTROLS = {"\n": "⏎", "\r": "⏎", "\t": "⇥"}
_count_from: CountFrom = 0
REPEATED = "\u200b"  # told apart by plotly, unseen by a reader


def plain(text: str, most: int = MOST_LABEL) -> str:
    """A text that plotly shows as it is: no markup, no formula, one line, shortened.

    Plotly reads tags like those of HTML and, beside MathJax, what stands between $ signs; entities are read as text.
    """
    line = "".join(CONTROLS.get(letter, letter if letter.isprintable() else "�") for letter in text)
    shortened = line if len(line) <= most else f"{line[: most - 1]}…"
    return escape(shortened, quote=False).replace("$", "&#36;")


def names_of(tokens: Tokens) -> list[str]:
    """A different label for each token: repeated ones are counted, as `the₂`."""
    return told_apart(plain(tokens.name(at)) for at in range(len(tokens)))


def told_apart(labels: Iterable[str]) -> list[str]:
    """The labels, each one different from those before it, as an axis of categories asks for."""
    seen: set[str] = set()
    unique_labels = []
    for label in labels:
        unique = next(name for n in count() if (name := label + REPEATED * n) not in seen)
        seen.add(unique)
        unique_labels.append(unique)
    return unique_labels


def number(index: int, count_from: CountFrom) -> str:
    return str(index + count_from)


def place(say: Strings, site: Site | str, head: int | None, count_from: CountFrom) -> str:
    """A head in words: "Layer 24, head 5", and of which stack where there are several."""
    parsed = site if isinstance(site, Site) else Site.parse(site)
    where, layer = "cross" if parsed.kind == "cross" else parsed.stack, number(parsed.layer, count_from)
    if head is None:
        return say("figure-site", where=where, layer=layer)
    return say("figure-place", where=where, layer=layer, head=number(head, count_from))


def short_place(site: str, head: int, count_from: CountFrom) -> str:
    """A head as `24.5`, its layer and number; of cross-attention `24.5×`."""
    parsed = Site.parse(site)
    return f"{number(parsed.layer, count_from)}.{number(head, count_from)}" + "×" * (parsed.kind == "cross")


def options(*, count_from: CountFrom) -> None:
    """From which number figures of this process count layers, heads and tokens where a call does not say it.

    >>> import attnviz as av
    >>> av.options(count_from=1)  # as on the screen; 0, as in code, until this is called
    >>> av.load("reverse").trace("a b c").figure("encoder.1.self", head=0).layout.title.text
    'Encoder layer 2, head 1'
    >>> av.options(count_from=0)
    """
    global _count_from
    _count_from = check_count(count_from)


def check_count(count_from: object) -> CountFrom:
    """0 or 1; of None what `options` says."""
    if count_from is None:
        return _count_from
    if count_from not in (0, 1) or isinstance(count_from, bool):
        raise InputError(f"count_from={count_from!r}. Expected 0, as in code, or 1, as on the screen.")
    return 1 if count_from == 1 else 0


def check_is(came: object, expected: type | tuple[type, ...], advice: str) -> None:
    """Refuse what no figure of this name can be drawn of."""
    if not isinstance(came, expected):
        raise InputError(f"{type(came).__name__} came. Expected {advice}.")


def drawn(
    fig: go.Figure, say: Strings, title: str, *, theme: Theme, count_from: CountFrom, trace: Trace | None = None,
    about: Sequence[Sequence[str]] = (), notes: Sequence[str] = (),
) -> go.Figure:  # fmt: skip
    """The figure with its template, its title and a footnote that names its runs: a trace, or several by `about`."""
    lines: list[str] = []
    for model, text, edits in about if trace is None else [trace.about]:
        lines.append(f"{plain(say.named(model))}: {plain(text, 4 * MOST_LABEL)}")
        if edits:
            lines.append(say("figure-edited", edits=plain(edits, 4 * MOST_LABEL)))
    lines.append(say("figure-counted", start=str(count_from)))
    foot = "<br>".join([*lines, *notes])
    return fig.update_layout(
        template=template_name(theme),
        title={"text": title},
        annotations=[
            *fig.layout.annotations,
            {
                "text": foot, "xref": "paper", "yref": "paper", "x": 0, "y": 0, "yshift": -58, "showarrow": False,
                "xanchor": "left", "yanchor": "top", "align": "left",
                "font": {"size": 10.5, "color": TOKENS["ink-3"].on(theme)}, "name": "footnote",
            },
        ],
        margin={"b": 84 + 14 * (1 + foot.count("<br>"))},
    )  # fmt: skip
