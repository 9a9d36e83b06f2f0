"""What the Step through page is asked, what is picked in its picture, and both in a link.

Knows no Streamlit. The browser owns what is picked (`views/stepper/picked_in_link.js`): the tab, the attention, the
cell, and what is switched. It is read here for the picture that these values ask for.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from attnviz_app.model_in_link import model_in_link
from attnviz_app.notice import Notice

from attnviz.core.errors import InputError
from attnviz.explanation import TABS
from attnviz.explanation.whatif import THETAS, UNSWITCHED, ScoreSwitches, Switches
from attnviz.trace.edits import TEMPERATURES
from attnviz.trace.sampling import GREEDY, Sampling
from attnviz.views import At, link

HEAD = r"((?:encoder|decoder)\.[0-9]{1,4}\.(?:self|cross))\.([0-9]{1,4})"
OF_SCORES = re.compile(
    rf"(causal|full|noscale|hide([0-9]{{1,6}})|t([0-9]{{1,4}}\.?[0-9]{{0,4}}))(?:\.{HEAD})?", re.ASCII
)
OF_MODEL = re.compile(r"(nopos|norot|nogate|swapkeys)|hidetarget([0-9]{1,6})|theta([0-9]{1,12})", re.ASCII)
MUTE = re.compile(rf"mute\.{HEAD}", re.ASCII)
MOST_WORDS = 64  # of what is switched
DRAW = re.compile(r"t([0-9]{1,3}\.?[0-9]{0,3})|k([0-9]{1,6})|p(0?\.[0-9]{1,4})|(all)", re.ASCII)
WINDOW = re.compile(r"([0-9]{1,6})\.([0-9]{1,6})", re.ASCII)  # the first token and feature of what is shown
UNCHANGED = Switches()
OFF = {"nopos": "positions", "norot": "rotation", "nogate": "gate"}  # what a word switches off
ALL_HEADS = ("heads", "block")  # tabs where each head has a step of its own
# The closer looks of each tab, in the order of their buttons; looks/dialog.py draws them.
LOOKS = {
    "self": ("distance", "why-scale", "learning", "cost", "cache", "designs"),
    "heads": ("distance", "cache", "two-heads", "torch-check", "gradient"),
    "block": ("positions", "shuffle", "distance", "likeness", "norm-order", "designs"),
    "decoder": ("merges", "decoding", "distance", "cache", "lens", "designs"),
}


@dataclass(frozen=True)
class Question:
    model: str
    text: str
    by_word: bool = False  # whether a Chinese text is read by word, by a model that can do both
    guesses: bool = False  # whether results are hidden until the reader has guessed
    look: str = ""  # the closer look that is open


@dataclass(frozen=True)
class Picked:
    """A tab, an attention, a cell, and what is switched; places count from 0 here and from 1 in the link."""

    tab: str = TABS[0]
    site: str = ""  # which attention; "" is the first of the tab, ".3." a layer of the first part
    head: int = 0
    at: At | None = None  # None lets the picture choose a telling cell
    matrix: str = ""  # in this one, this row and this column, where a link says some of them
    row: int | None = None
    key: int | None = None
    switches: Switches = UNCHANGED
    first_token: int = 0  # of the part of a long text that is shown
    first_feature: int = 0  # of the part of wide matrices that is sent
    guessed: str = ""  # what was guessed and which columns are drawn, in the words of the browser
    columns: str = ""
    sampling: Sampling = GREEDY  # how a decoder chooses the next token
    is_presented: bool = False  # whether only the rail and the stage are shown, over the whole window


def to_link(question: Question) -> dict[str, str]:
    return link.written({
        "model": question.model, "text": question.text, "words": question.by_word, "guess": question.guesses,
        "look": question.look,
    })  # fmt: skip


def from_link(query: Mapping[str, str], default: Question, models: Collection[str]) -> tuple[Question, list[Notice]]:
    """Read a question; what a link lacks or says wrongly is left out, and no value can raise.

    Args:
        default: its model stands where the link names none of `models`. A text that is missing stays empty.
    """
    said, _ = link.read(query, link.asked_by("step"))
    model, notices = model_in_link(said["model"] or default.model, default.model, models)
    return Question(model, said["text"], said["words"], said["guess"], said["look"]), notices


def picked_in(query: Mapping[str, str]) -> Picked:
    """What a link says is picked; what it says wrongly is left out, and no value can raise."""
    said, _ = link.read(query, link.picked_in("step"))
    layer, head, row, key, feature = (
        None if said[name] is None else max(0, said[name]) for name in ("layer", "head", "token", "key", "feature")
    )
    shown, is_placed = WINDOW.fullmatch(said["window"]), layer is not None or head is not None
    return Picked(
        tab=said["tab"] or TABS[0],
        site=site_of(said["part"], layer or 0) if is_placed else "",
        head=head or 0,
        at=At(said["matrix"], row, key or 0, feature or 0) if said["matrix"] and row is not None else None,
        matrix=said["matrix"],
        row=row,
        key=key,
        switches=_read_whatif(said["if"]),
        first_token=_index(shown[1]) if shown else 0,
        first_feature=_index(shown[2]) if shown else 0,
        guessed=said["guessed"],
        columns=said["columns"],
        sampling=read_draw(said["draw"]),
        is_presented=said["present"],
    )


def site_of(part: str, layer: int) -> str:
    """Which attention a part and a layer are; without a part it is not known which stack it is of."""
    return f"decoder.{layer}.cross" if part == "cross" else f"{part}.{layer}.{'self' if part else ''}"


def picked_link(picked: Picked) -> dict[str, str]:
    """What is picked, as a link says it; what is usual is ""."""
    stack, _, place = picked.site.partition(".")
    layer, _, kind = place.partition(".")
    part = f"{picked.first_token + 1}.{picked.first_feature + 1}"
    at = picked.at if picked.at is not None and picked.at.step else None
    return link.written({
        "tab": "" if picked.tab == TABS[0] else picked.tab,
        "part": "cross" if kind == "cross" else stack,
        "layer": int(layer) if layer else None,
        "head": picked.head if layer else None,
        "token": at.row if at else picked.row,
        "key": at.key if at else picked.key,
        "matrix": at.step if at else picked.matrix,
        "feature": (at and at.feature) or None,
        "if": switch_words(picked.switches),
        "draw": draw_words(picked.sampling),
        "window": "" if part == "1.1" else part,
        "guessed": picked.guessed,
        "columns": picked.columns,
        "present": picked.is_presented,
    })  # fmt: skip


def draw_words(sampling: Sampling) -> str:
    """How the next token is chosen, in the words of a link: "" is greedy, and its temperature then says nothing."""
    said = [f"t{sampling.temperature:g}"] if sampling.temperature != 1.0 else []
    said += [f"k{sampling.top_k}"] if sampling.top_k not in (None, GREEDY.top_k) else []
    said += [f"p{sampling.top_p:g}"] if sampling.top_p is not None else []
    said += ["all"] if sampling.top_k is None and sampling.top_p is None else []
    return "~".join(said)


def read_draw(written: str, now: Sampling = GREEDY) -> Sampling:
    """The opposite, beginning with what is now: what cannot be read is left out, and of two filters the last counts."""
    sampling = now
    for word in written.split("~")[:4]:
        match = DRAW.fullmatch(word)
        try:
            sampling = sampling if match is None else _drawn(sampling, *match.groups())
        except InputError:  # a number out of its range
            continue
    return sampling


def _drawn(
    now: Sampling, temperature: str | None, top_k: str | None, top_p: str | None, is_all: str | None
) -> Sampling:
    """Another temperature, or another rule for which tokens are left.

    Raises:
        InputError: a number is out of its range.
    """
    if temperature:
        return replace(now, temperature=float(temperature))
    if is_all:
        return replace(now, top_k=None, top_p=None)
    k, p = (int(top_k), None) if top_k else (None, float(top_p or 0))
    return replace(now, top_k=k, top_p=p)


def _index(written: str | None) -> int:
    """A number of a link, which counts from 1, counted from 0."""
    return max(0, int(written or 1) - 1)


def switch_words(switches: Switches) -> str:
    """What is switched, in the words of a link; of one head alone with its place."""
    said = _score_words(switches)
    said += [word for word, name in OFF.items() if not getattr(switches, name)]
    said += ["swapkeys"] if switches.swaps_groups else []
    said += [f"theta{switches.theta:.0f}"] if switches.theta is not None else []
    said += [f"{word}.{site}.{head + 1}" for site, head, own in switches.heads for word in _score_words(own)]
    said += [f"mute.{site}.{head + 1}" for site, head in switches.silenced]
    said += [f"hidetarget{switches.hidden_target + 1}"] if switches.hidden_target is not None else []
    return "~".join(said)


def _score_words(of: ScoreSwitches) -> list[str]:
    said = [] if of.causal is None else ["causal" if of.causal else "full"]
    said += [] if of.scaling else ["noscale"]
    said += [f"t{of.temperature:g}"] if of.temperature != 1.0 else []
    return said if of.hidden is None else [*said, f"hide{of.hidden + 1}"]


def _read_whatif(written: str) -> Switches:
    changes: dict[str, Any] = {}
    silenced: list[tuple[str, int]] = []
    of_all, places = UNSWITCHED, dict[tuple[str, int], ScoreSwitches]()
    for word in written.split("~")[:MOST_WORDS]:
        if scores := OF_SCORES.fullmatch(word):
            place = (scores[4], _index(scores[5]))
            if scores[4]:
                places[place] = _with_word(places.get(place, UNSWITCHED), scores)
            else:
                of_all = _with_word(of_all, scores)
        elif mute := MUTE.fullmatch(word):
            silenced.append((mute[1], _index(mute[2])))
        elif other := OF_MODEL.fullmatch(word):
            name, token, theta = other.groups()
            if name:
                changes |= {OFF[name]: False} if name in OFF else {"swaps_groups": True}
            elif token:
                changes["hidden_target"] = _index(token)
            elif THETAS[0] <= float(theta) <= THETAS[1]:
                changes["theta"] = float(theta)
    heads = tuple((site, head, own) for (site, head), own in places.items() if own != UNSWITCHED)
    return Switches(**vars(of_all), **changes, heads=heads, silenced=tuple(silenced))


def _with_word(now: ScoreSwitches, word: re.Match[str]) -> ScoreSwitches:
    """The same with what a word of a link says; not with a temperature out of its range."""
    name, token, temperature = word[1], word[2], word[3]
    if token:
        return replace(now, hidden=_index(token))
    if not temperature:
        return replace(now, scaling=False) if name == "noscale" else replace(now, causal=name == "causal")
    low, high = TEMPERATURES
    return replace(now, temperature=float(temperature)) if low <= float(temperature) <= high else now
