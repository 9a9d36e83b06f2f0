"""What is written on figures: tokens as text and never as markup, heads by number, the footnote of every figure."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape, unescape
from itertools import count
from typing import Any, Literal
from unicodedata import east_asian_width

import plotly.graph_objects as go

from attnviz.analysis.circuits.patching import heads_named
from attnviz.core.errors import InputError
from attnviz.core.site import Site
from attnviz.figures.template import template_name
from attnviz.palette import TOKENS, Theme
from attnviz.text import Strings
from attnviz.trace.tokens import Tokens
from attnviz.trace.trace import Trace

CountFrom = Literal[0, 1]
Named = str | tuple[str | Site, int]  # a head: "15.3", or its site and number
Counting = CountFrom | None  # None: as `options` says
MOST_LABEL = 40  # characters of a token, or of a text in a footnote twice as many
CONTROLS = {"\n": "⏎", "\r": "⏎", "\t": "⇥"}
_count_from: CountFrom = 0
UNSEEN = str.maketrans("01", "\u200b\u200c")  # told apart by plotly, unseen by a reader
NO_BREAK = frozenset("，。、；：？！）」”》,.;:!?)")  # begin no line
SLIM, BROAD = frozenset("ijlI.,:;'!|()[] ftr-"), frozenset("mwMW%@—…⏎")  # of a wide Latin font, DejaVu Sans
COLUMN = 560  # px: how wide a figure without a width is at least taken to be
TICK, INK, TITLE, FOOT = 11.5, 13, 15, 10.5  # px of type, as in the template
ROW, TALLEST = 15.5, 640  # px of a row of a map with its label, and of all
LINE = 1.35  # lines of text, in sizes of the type
BAR = 130  # px of a bar of colours with its title
HEAD_EDIT = re.compile(  # the label of `attnviz.trace.edits.HeadEdit`
    r"(?P<stack>encoder|decoder)\.(?P<layer>\d{1,4})\.(?P<kind>self|cross)(?: head (?P<head>\d+))? "
    r"(?:(?P<how>silenced|held at its mean)|edge (?P<query>\d+) to (?P<key>\d+) cut)"
)


def plain(text: str, most: int = MOST_LABEL) -> str:
    """A text that plotly shows as it is: no markup, no formula, no template, one line, shortened.

    Plotly reads tags like those of HTML, what stands in %{…} where it has a template and, beside MathJax, between $
    signs; entities are read as text.
    """
    line = "".join(CONTROLS.get(letter, letter if letter.isprintable() else "�") for letter in text)
    shortened = line if len(line) <= most else f"{line[: most - 1]}…"
    return escape(shortened, quote=False).replace("$", "&#36;").replace("%{", "&#37;{")


def text_width(label: str, size: float) -> float:
    """About how wide a label is drawn, in px."""
    seen = unescape(label).translate({ord(mark): None for mark in "\u200b\u200c"})
    return size * sum(map(ems, seen))


def ems(letter: str) -> float:
    """At most about how wide a letter is, in sizes of its type."""
    if letter in BROAD or east_asian_width(letter) in "WF":
        return 1.0
    return 0.41 if letter in SLIM else 0.75 if letter.isupper() else 0.64


def cut(text: str, width: float, size: float) -> str:
    """As much of a text as stands in so many px, as `plain` has it."""
    n = next(n for n in range(len(text), -1, -1) if n <= 1 or text_width(plain(text, n), size) <= width)
    return plain(text, max(n, 1))


def wrapped(text: str, width: float, size: float) -> str:
    """A text as `plain` has it, broken where it is wider than so many px: at blanks, in Chinese anywhere."""
    lines: list[str] = []
    line: list[str] = []
    blank = 0  # entities are one letter each; blank: where the line may end
    for letter in re.findall(r"&#?\w+;|.", text):
        if line and letter not in NO_BREAK and letter != " " and text_width("".join([*line, letter]), size) > width:
            end = blank or len(line)
            lines.append("".join(line[:end]).rstrip())
            line, blank = line[end:], 0
        line.append(letter)
        if letter == " " or east_asian_width(letter[0]) in "WF":
            blank = len(line)
    return "<br>".join([*lines, "".join(line)])


def names_of(tokens: Tokens) -> list[str]:
    """A different label for each token: repeated ones are counted, as `the₂`."""
    return told_apart(plain(tokens.name(at)) for at in range(len(tokens)))


def told_apart(labels: Iterable[str]) -> list[str]:
    """The labels, each one different from those before it, as an axis of categories asks for."""
    seen: set[str] = set()
    times: Counter[str] = Counter()
    unique_labels = []
    for label in labels:
        first = times[label]
        unique = next(name for n in count(first) if (name := label + f"{n:b}".translate(UNSEEN) * bool(n)) not in seen)
        times[label] += 1
        seen.add(unique)
        unique_labels.append(unique)
    return unique_labels


def point_name(point: str, say: Strings, count_from: CountFrom) -> str:
    """A point of the residual stream in words: "Layer 15, output"."""
    stack, *layer, last = point.split(".")
    if not layer:
        return say("figure-point-name", point="embedding" if last == "embed" else "last", site="")
    kind = last if len(layer) == 1 else f"read-{layer[1]}"
    return say("figure-point-name", point=kind, site=place(say, f"{stack}.{layer[0]}.self", None, count_from))


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


def place_of(trace: Trace, head: Named) -> tuple[str | Site, int]:
    """The site and number of a head: as they are given, or by its name, "15.3" or "decoder.15.self.3", from 0."""
    if isinstance(head, tuple | list) and len(head) == 2:
        return head[0], head[1]
    if not isinstance(head, str):
        raise InputError(id="no-head-of-figure", head=repr(head))
    where, number = next(iter(heads_named([head]) or ()))
    if not where.isdecimal():
        return where, number
    sites = [site.key for site in trace.sites if site.layer == int(where) and site.kind == "self"]
    if len(sites) == 1:
        return sites[0], number
    if not sites:
        layers = [site.layer for site in trace.sites]
        raise InputError(
            id="no-layer-of-head", head=repr(head), layer=where, first=str(min(layers)), last=str(max(layers))
        )
    raise InputError(id="which-head", head=repr(head), names=tuple(f"{site}.{number}" for site in sites))


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
        raise InputError(id="bad-count-from", came=repr(count_from))
    return 1 if count_from == 1 else 0


def check_is(came: object, expected: type | tuple[type, ...], made_by: str) -> None:
    """Refuse what no figure of this name can be drawn of."""
    if not isinstance(came, expected):
        raise InputError(id="not-made-by", came=type(came).__name__, call=made_by)


def drawn(
    fig: go.Figure, say: Strings, title: str, *, theme: Theme, count_from: CountFrom, trace: Trace | None = None,
    about: Sequence[Any] = (), notes: Sequence[str] = (), height: float = 330,
) -> go.Figure:  # fmt: skip
    """The figure with its template, its title and a footnote that names its runs: a trace, or several as `Trace.about`.

    The footnote stands below the labels of the axis and its title, whatever their length, and makes the figure higher.

    Args:
        title, notes: as `plain` has them; broken into lines where they are wider than the figure.
        height: px at least of the plot alone, without title, labels and footnote.
    """
    lines: list[str] = []
    for model, text, edits in about if trace is None else [trace.about]:
        lines.append(": ".join([plain(say.named(model)), *([plain(text, 4 * MOST_LABEL)] if text else [])]))
        lines += edited(edits, say, count_from)
    lines += [say("figure-counted", start=str(count_from)), *notes]
    left = max([60.0, *(labels_left(axis, fig) for axis in fig.select_yaxes())])
    room = max(200.0, (fig.layout.width or COLUMN) - left - 16)
    foot = "<br>".join(wrapped(line, room, FOOT) for line in lines)
    below = max(set_angle(axis, fig, left) for axis in fig.select_xaxes())
    titled = wrapped(title, room + 100, TITLE)  # nothing stands beside it
    labels = axis_labels(fig.layout.yaxis, fig) or []
    if fig.layout.yaxis.scaleanchor is None:
        height = max(height, min(ROW * len(labels), TALLEST))
    top = 56 + TITLE * LINE * titled.count("<br>")
    bottom = below + 24 + FOOT * LINE * (1 + foot.count("<br>"))
    return fig.update_layout(
        template=template_name(theme),
        title={"text": titled},
        annotations=[
            *fig.layout.annotations,
            {
                "text": foot, "xref": "paper", "yref": "paper", "x": 0, "y": 0, "yshift": -below - 8,
                "showarrow": False, "xanchor": "left", "yanchor": "top", "align": "left",
                "font": {"size": FOOT, "color": TOKENS["ink-3"].on(theme)}, "name": "footnote",
            },
        ],
        height=round(top + height + bottom),
        margin={"t": top, "b": bottom},
    )  # fmt: skip


def axis_labels(axis: Any, fig: go.Figure) -> list[str] | None:
    """What an axis of tokens or names has as labels; None of an axis of numbers."""
    if axis.ticktext is not None:
        return list(axis.ticktext)
    if axis.type != "category":
        return None
    return list(dict.fromkeys(label for one in fig.data for label in getattr(one, axis.plotly_name[0])))


def has_labels(axis: Any) -> bool:
    return axis.visible is not False and axis.showticklabels is not False


def labels_left(axis: Any, fig: go.Figure) -> float:
    """px that the labels of a y axis and its title take."""
    widest = max((text_width(label, TICK) for label in axis_labels(axis, fig) or ["0000"]), default=0.0)
    return (widest + 8 if has_labels(axis) else 0) + (26 if axis.title.text else 0)


def set_angle(axis: Any, fig: go.Figure, left: float) -> float:
    """Turn the labels of an x axis where they have no room side by side, and return the px that it takes below."""
    labels = axis_labels(axis, fig) or ["0"]
    widest = max(text_width(label, TICK) for label in labels)
    room = ((fig.layout.width or COLUMN) - left - BAR) / len(labels)
    is_turned = widest + 6 > room
    if axis.type == "category":
        axis.tickangle = 90 if is_turned else 0
    depth = (widest if is_turned else TICK * LINE) + 8 if has_labels(axis) else 0
    return depth + (28 if axis.title.text else 0)


def edited(edits: Sequence[tuple[str, str]], say: Strings, count_from: CountFrom) -> list[str]:
    """What was edited in a run, by the kind and label of each: heads in words, by number; what a person named keeps
    that name.
    """
    named: list[str] = []
    others: list[str] = []
    for kind, label in edits:
        words = head_edit(label, say, count_from) if kind == "head" else None
        (others if words is None else named).append(label if words is None else words)
    # labels of code count from 0
    in_code = count_from == 1 and any(letter.isdigit() for label in others for letter in label)
    lines = [say("figure-edited", edits=listed(named, say))] if named else []
    if others:
        lines.append(say("figure-edited-in-code" if in_code else "figure-edited", edits=listed(others, say)))
    return lines


def head_edit(label: str, say: Strings, count_from: CountFrom) -> str | None:
    """An edit of `av.ablate` or `av.cut` in words; None where its label has no one site."""
    parts = HEAD_EDIT.fullmatch(label)
    if parts is None:
        return None
    site = Site.parse(f"{parts['stack']}.{parts['layer']}.{parts['kind']}")
    where = place(say, site, None if parts["head"] is None else int(parts["head"]), count_from)
    if parts["query"] is None:
        return say(f"figure-edit-{parts['how'].split()[0]}", place=where)
    query, key = (int(parts[name]) + count_from for name in ("query", "key"))
    return say("figure-edit-edge", place=where, query=query, key=key)


def listed(edits: Sequence[str], say: Strings) -> str:
    """As many edits as have room in a footnote, and how many more there are."""
    between = "; " if say.language == "en" else "；"
    n = next(n for n in range(len(edits), 0, -1) if n == 1 or len(between.join(edits[:n])) <= 4 * MOST_LABEL)
    shown = plain(between.join(edits[:n]), 4 * MOST_LABEL)
    return say("figure-edits-more", edits=shown, n=len(edits) - n) if n < len(edits) else shown
