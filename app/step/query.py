"""What a person points at on the Step through page, as one frozen value, and its form in a link. Knows no Streamlit."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from attnviz.core.errors import AttnvizError, InputError
from attnviz.core.site import Site
from attnviz.explanation import TABS
from attnviz.explanation.whatif import TEMPERATURES, Switches
from attnviz.trace.sources import Replay
from attnviz.trace.trace import Trace
from attnviz.views import At

NAMES = ("on", "say", "tab", "site", "cell", "if", "window", "words", "guess", "look")  # of the link, in this order
CELL = re.compile(r"([a-z-]{1,24}(?:\.[0-9]{1,3})?)(?:~([0-9]{1,6})~([0-9]{1,6})~([0-9]{1,6}))?", re.ASCII)
LOOK = re.compile(r"[a-z]{1,16}(?:-[a-z]{1,16}){0,3}", re.ASCII)
PLACE = re.compile(r"((?:encoder|decoder)\.[0-9]{1,4}\.(?:self|cross))(?:\.([0-9]{1,4}))?", re.ASCII)
WHATIF = re.compile(
    r"(causal|full|noscale|nopos)|t([0-9.]{1,6})|(hide|hidetarget)([0-9]{1,6})|mute\.(.{1,40})", re.ASCII
)
WINDOW = re.compile(r"([0-9]{1,6})\.([0-9]{1,6})", re.ASCII)  # the first token and feature of what is shown
MOST = 10**6
UNCHANGED = Switches()
TEMPERATURE_DIGITS = 2
SHOWN_TOKENS = 64  # of a long text at a time

Text = Literal["source", "target"]


@dataclass(frozen=True)
class Stepping:
    """A model, a text, a lesson, a place in it, and what was switched; places count from 0 here, from 1 in the link."""

    model: str = ""  # "" is the page's first
    text: str = ""  # "" is the model's first example
    tab: str = TABS[0]
    site: str = ""  # which attention; "" is the first of the tab
    head: int = 0
    at: At | None = None  # None lets the page choose a telling cell
    switches: Switches = UNCHANGED
    first_token: int = 0  # of the part of a long text that is shown
    first_feature: int = 0  # of the part of wide matrices that is sent
    by_word: bool = False  # whether a Chinese text is read by word, by a model that can do both
    guesses: bool = False  # whether results are hidden until the reader has guessed
    look: str = ""  # the closer look that is open


def to_link(stepping: Stepping) -> dict[str, str]:
    """The value as part of a link's query; what is usual is left out."""
    site = f"{stepping.site}.{stepping.head + 1}" if stepping.site else ""
    part = f"{stepping.first_token + 1}.{stepping.first_feature + 1}"
    values = (
        stepping.model, stepping.text, "" if stepping.tab == TABS[0] else stepping.tab, site, _cell(stepping.at),
        _whatif(stepping.switches), "" if part == "1.1" else part, "1" if stepping.by_word else "",
        "1" if stepping.guesses else "", stepping.look,
    )  # fmt: skip
    return {name: value for name, value in zip(NAMES, values, strict=True) if value}


def from_link(query: Mapping[str, str], default: Stepping) -> Stepping:
    """Read a link; what it says wrongly is left out, and no value can raise. A link that is silent keeps `default`."""
    if not query.keys() & set(NAMES):
        return default
    place = PLACE.fullmatch(query.get("site", ""))
    tab, part = query.get("tab", TABS[0]), WINDOW.fullmatch(query.get("window", ""))
    return Stepping(
        model=query.get("on", "")[:200],
        text=query.get("say", "").encode("utf-8", "replace").decode(),  # half a surrogate pair is no character
        tab=tab if tab in TABS else TABS[0],
        site=place[1] if place else "",
        head=max(0, int(place[2] or 1) - 1) if place else 0,
        at=_read_cell(query.get("cell", "")),
        switches=_read_whatif(query.get("if", "")),
        first_token=max(0, int(part[1]) - 1) if part else 0,
        first_feature=max(0, int(part[2]) - 1) if part else 0,
        by_word=query.get("words") == "1",
        guesses=query.get("guess") == "1",
        look=query["look"] if LOOK.fullmatch(query.get("look", "")) else "",
    )


def pointed(stepping: Stepping, said: Mapping[str, object]) -> Stepping:
    """The cell a view said is picked; what is no place is not taken over."""
    before = stepping.at or At()
    places = {name: said.get(name) for name in ("row", "key", "feature")}
    whole: dict[str, Any] = {name: it for name, it in places.items() if type(it) is int and 0 <= it < MOST}
    step = said.get("step")
    if isinstance(step, str) and CELL.fullmatch(step):
        whole["step"] = step
    return replace(stepping, at=before._replace(**whole))


def asked(stepping: Stepping, asks: Mapping[str, object] | None, trace: Trace) -> Stepping:
    """What a view asked for; null puts the what-ifs back, and what cannot be read is not taken over.

    Args:
        asks: {tab, site, head, look, first_token, first_feature} or one of the switches; any of them wrong.
        trace: the run on the screen, whose site a head and a hidden token belong to.
    """
    if asks is None:
        return replace(stepping, switches=Switches())
    if asks.get("tab") in TABS:
        return replace(stepping, tab=str(asks["tab"]), site="", head=0, at=None, look="")
    if LOOK.fullmatch(str(asks.get("look", ""))):
        return replace(stepping, look=str(asks["look"]))
    if isinstance(asks.get("site"), str) and asks["site"] in trace.records:
        return replace(stepping, site=str(asks["site"]), head=min(stepping.head, trace[str(asks["site"])].n_heads - 1))
    for name in ("head", "first_token", "first_feature"):
        number = asks.get(name)
        if type(number) is int and 0 <= number < MOST:
            return replace(stepping, **{name: number})  # type: ignore[arg-type]
    return replace(stepping, switches=_switched(stepping, asks, trace))


def _switched(stepping: Stepping, asks: Mapping[str, object], trace: Trace) -> Switches:
    now, site, head = stepping.switches, stepping.site, stepping.head
    temperature, hide = asks.get("temperature"), asks.get("hide")
    if type(asks.get("causal")) is bool:
        own = trace[site].source.mask.causal
        return replace(now, causal=None if asks["causal"] is own else bool(asks["causal"]))
    if type(asks.get("scaling")) is bool:
        return replace(now, scaling=bool(asks["scaling"]))
    if type(asks.get("positions")) is bool:
        return replace(now, positions=bool(asks["positions"]))
    if type(asks.get("silence")) is bool:
        others = tuple(one for one in now.silenced if one != (site, head))
        return replace(now, silenced=(*others, (site, head)) if asks["silence"] else others)
    if isinstance(temperature, int | float) and TEMPERATURES[0] <= temperature <= TEMPERATURES[1]:
        return replace(now, temperature=round(float(temperature), TEMPERATURE_DIGITS))
    if "hide" in asks and (hide is None or type(hide) is int):
        tokens = hideable(stepping, trace)
        if hide is None or not 0 <= hide < len(tokens):
            return replace(now, hidden=None, hidden_target=None) if hide is None else now
        text, place = tokens[hide]
        is_target = text == "target"
        return replace(now, hidden=None if is_target else place, hidden_target=place if is_target else None)
    return now


# --------------------------------------------------------------------------------------------------- cell and what-ifs


def _cell(at: At | None) -> str:
    return (
        "" if at is None or not at.step else "~".join([at.step, *(str(it + 1) for it in (at.row, at.key, at.feature))])
    )


def _read_cell(written: str) -> At | None:
    match = CELL.fullmatch(written)
    if match is None:
        return None
    return At(match[1], *(max(0, int(it or 1) - 1) for it in match.groups()[1:]))


def _whatif(switches: Switches) -> str:
    said = []
    if switches.causal is not None:
        said.append("causal" if switches.causal else "full")
    said += ["noscale"] if not switches.scaling else []
    said += [f"t{switches.temperature:g}"] if switches.temperature != 1.0 else []
    said += ["nopos"] if not switches.positions else []
    said += [f"mute.{site}.{head + 1}" for site, head in switches.silenced]
    said += [f"hide{switches.hidden + 1}"] if switches.hidden is not None else []
    said += [f"hidetarget{switches.hidden_target + 1}"] if switches.hidden_target is not None else []
    return "~".join(said)


def _read_whatif(written: str) -> Switches:
    changes: dict[str, Any] = {}
    for word in written.split("~")[: 4 * len(fields(Switches))]:
        match = WHATIF.fullmatch(word)
        if match is None:
            continue
        name, temperature, hide, token, mute = match.groups()
        if name in ("causal", "full"):
            changes["causal"] = name == "causal"
        elif name:
            changes["scaling" if name == "noscale" else "positions"] = False
        elif hide:
            changes["hidden" if hide == "hide" else "hidden_target"] = max(0, int(token) - 1)
        elif mute and (place := PLACE.fullmatch(mute)):
            changes["silenced"] = (*changes.get("silenced", ()), (place[1], max(0, int(place[2] or 1) - 1)))
        elif temperature:
            changes["temperature"] = _number(temperature)
    try:
        return Switches(**changes)
    except InputError:  # a temperature out of its range
        return Switches(**{**changes, "temperature": 1.0})


def _number(written: str) -> float:
    try:
        return float(written)
    except ValueError:
        return 1.0


def fitted(stepping: Stepping, trace: Trace) -> Stepping:
    """Keep site, head and switches inside a trace; a tab that it has no attention for starts at its first.

    Args:
        trace: an untouched run, whose own masks say what a switch would change.
    """
    sites = sites_of(trace, stepping.tab)
    site = stepping.site if stepping.site in sites else sites[0]
    head = min(stepping.head, trace[site].n_heads - 1)
    now = stepping.switches
    silenced = tuple((key, h) for key, h in now.silenced if key in trace.records and h < trace[key].n_heads)
    n_target = 0 if trace.tokens.target is None else len(trace.tokens.target)
    hidden = now.hidden if now.hidden is not None and now.hidden < len(trace.tokens.source) else None
    target = now.hidden_target if now.hidden_target is not None and now.hidden_target < n_target else None
    causal = now.causal if now.causal is not None and _changes_mask(now.causal, trace) else None
    switches = replace(now, causal=causal, silenced=silenced, hidden=hidden, hidden_target=target)
    return replace(stepping, site=site, head=head, switches=switches)


def held(stepping: Stepping, trace: Trace) -> Stepping:
    """Move the part of a long text so that the picked row is in it, and the picked column where no part was chosen."""
    at, site = stepping.at or At(), trace[stepping.site].site
    n_rows, n_keys = len(trace.query_tokens(site)), len(trace.key_tokens(site))
    row, key, first = min(at.row, n_rows - 1), min(at.key, n_keys - 1), stepping.first_token
    if n_rows > SHOWN_TOKENS:
        first = _holding(first, row)
    if n_keys > SHOWN_TOKENS and not stepping.first_token:
        moved = _holding(first, key)
        first = moved if n_rows <= SHOWN_TOKENS or moved <= row < moved + SHOWN_TOKENS else first
    return replace(stepping, first_token=first)


def _holding(first: int, place: int) -> int:
    """The first token of a part that holds a place, as near to `first` as can be."""
    return min(place, max(first, place - SHOWN_TOKENS + 1))


def _changes_mask(causal: bool, trace: Trace) -> bool:
    """Whether some attention of this model looks ahead where it should not, or the other way round."""
    own = [trace[site].source for site in trace.sites if site.kind == "self"]
    return any(not isinstance(source, Replay) or source.mask.causal is not causal for source in own)


def why_dropped(asked_for: Switches, kept: Switches) -> AttnvizError | None:
    """Why some of the switches are not those of a run; None where all are."""
    if asked_for.causal is not None and kept.causal is None:
        if asked_for.causal:
            return InputError("The causal mask is on in this model already.", id="mask-is-causal")
        return InputError("This model has no causal mask that could be taken away.", id="mask-is-not-causal")
    gone = [word for word in _whatif(asked_for).split("~") if word not in _whatif(kept).split("~")]
    if not gone:
        return None
    named = ", ".join(gone)
    return InputError(f"{named} changes nothing in this run and was left out.", id="switch-left-out", switch=named)


def hideable(stepping: Stepping, trace: Trace) -> tuple[tuple[Text, int], ...]:
    """The tokens that can be hidden, in the order they are offered: of each text that the attentions on the screen look
    at, and of one where a token is hidden now, so that this can be seen and undone. `stepping` fits the trace.
    """
    here, now = trace[stepping.site].site, stepping.switches
    is_whole = stepping.tab in ("block", "decoder")  # every attention of the block is on the screen
    is_here = [
        site == here or (is_whole and (site.stack, site.layer) == (here.stack, here.layer)) for site in trace.sites
    ]
    looked_at = [trace.key_tokens(site) for site, is_shown in zip(trace.sites, is_here, strict=True) if is_shown]
    found: list[tuple[Text, int]] = []
    for text, tokens, hidden in (
        ("source", trace.tokens.source, now.hidden), ("target", trace.tokens.target, now.hidden_target),
    ):  # fmt: skip
        if tokens is not None and (hidden is not None or any(tokens is it for it in looked_at)):
            found += [(text, place) for place in range(len(tokens))]  # type: ignore[misc]
    return tuple(found)


def hidden_at(stepping: Stepping, trace: Trace) -> tuple[int, ...]:
    """Which of the tokens that can be hidden are; a link may hide one of each text."""
    hidden = {"source": stepping.switches.hidden, "target": stepping.switches.hidden_target}
    return tuple(at for at, (text, place) in enumerate(hideable(stepping, trace)) if hidden[text] == place)


def sites_of(trace: Trace, tab: str) -> tuple[str, ...]:
    """The attentions a tab can be about, by their keys; of a block the self-attention stands for it."""
    keys = tuple(trace.records)
    if tab == "decoder":
        keys = (
            tuple(key for key in keys if Site.parse(key).stack == "decoder" and Site.parse(key).kind == "self") or keys
        )
    elif tab == "block":
        keys = tuple(key for key in keys if Site.parse(key).kind == "self") or keys
    return keys


__all__ = [
    "NAMES",
    "Stepping",
    "asked",
    "fitted",
    "from_link",
    "held",
    "hidden_at",
    "hideable",
    "pointed",
    "sites_of",
    "to_link",
    "why_dropped",
]
