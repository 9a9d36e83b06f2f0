"""Every property that a link can say, declared once: pages read links by this table, and the views' JavaScript writes
them by `hosts/properties.js`, which `scripts/make_header_types.py` makes of it.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, NamedTuple
from urllib.parse import parse_qsl

from attnviz.explanation import TABS
from attnviz.views.heads.attention_parts import PARTS
from attnviz.views.heads.options import BESIDE, FILTERS, TOGETHER, WAYS, are_words, is_of_overview

Type = Literal[
    "text", "index", "flag"
]  # an index counts from 1 in a link and from 0 everywhere else; a flag is "1" or ""
MOST = 10**9  # of an index; a page moves it inside its run
WHOLE = re.compile(r"-?[0-9]+", re.ASCII)
PLACE = r"[1-9][0-9]{0,3}\.[1-9][0-9]{0,3}"  # a layer and a head


def _any(written: str) -> bool:
    return True


def _form(form: str) -> Callable[[str], bool]:
    pattern = re.compile(form, re.ASCII)
    return lambda written: pattern.fullmatch(written) is not None


class Property(NamedTuple):
    """One of them; without a value it is "", False or None, as its type is."""

    name: str
    asked: str = ""  # the pages whose question it is part of, which Python owns
    picked: str = ""  # the pages in whose picture it is picked, which the browser owns
    type: Type = "text"
    of: Literal["", "model", "text"] = ""  # what it says nothing of any more once that is another one
    along: bool = False  # whether it goes along to the other pages
    quiet: bool = False  # whether another value makes no entry in the browser's history
    fits: Callable[[str], bool] = _any  # of a text, whether a page understands it


TABLE = (
    Property("lang", "frame", quiet=True),
    Property("size", "frame", quiet=True),
    Property("from", picked="frame"),  # on a page without a model: what the others ask, as a query of what goes along
    Property("lesson", "lessons"),
    Property("step", "lessons"),
    Property("form", "lessons"),
    Property("told", "lessons", quiet=True),
    Property("model", "heads step compare", along=True),
    Property("model2", "compare", of="model", along=True),
    Property("text", "heads step compare train", along=True),
    Property("text2", "compare", of="text", along=True),
    Property("target", "heads", of="text"),
    Property("written", "heads", of="text"),  # which of its tokens the model wrote, and how
    Property("part", "heads", "step", of="model", along=True, fits=PARTS.__contains__),
    Property("words", "step", type="flag"),
    Property("guess", "step", type="flag"),
    Property("look", "step", of="text", fits=_form(r"[a-z]{1,16}(?:-[a-z]{1,16}){0,3}")),
    Property("task", "train"),
    Property("run", "train"),
    Property("train", "train"),
    Property("scene", picked="home", type="index"),
    Property("tab", picked="step", fits=TABS.__contains__),
    Property("layer", picked="heads step compare train", type="index", of="model", along=True),
    Property("head", picked="heads step compare train", type="index", of="model", along=True),
    Property("layer2", picked="compare", type="index", of="model", along=True),
    Property("head2", picked="compare", type="index", of="model", along=True),
    Property("token", picked="home heads step compare train", type="index", of="text", along=True),
    Property("key", picked="heads step compare train", type="index", of="text", along=True),
    Property("also", picked="heads", of="model", fits=_form(rf"{PLACE}(?:,{PLACE}){{0,6}}")),
    Property("together", picked="heads", fits=TOGETHER.__contains__),
    Property("view", picked="heads", fits=WAYS.__contains__),
    Property("filter", picked="heads", fits=lambda written: are_words(written, _form(FILTERS.pattern), most=7)),
    Property("overview", picked="heads", fits=lambda written: are_words(written, is_of_overview)),
    Property("beside", picked="heads", fits=BESIDE.__contains__),
    Property("matrix", picked="step", of="model", fits=_form(r"[a-z-]{1,24}(?:\.[0-9]{1,3})?")),
    Property("feature", picked="step", type="index", of="text"),
    Property("if", picked="home step", of="model", along=True),  # what is changed in the run
    Property("draw", picked="step", of="model"),
    Property("window", picked="step", of="text"),  # the first token and feature of what is shown
    Property("guessed", picked="step", of="text", fits=_form(r"[a-z0-9.~_-]{1,1000}")),  # of each step, the cell
    Property("columns", picked="step", of="text", fits=_form(r"[a-z0-9._]{1,1000}")),  # where the drawn part begins
    Property("present", picked="step train byhand", type="flag"),
    Property("door", picked="compare"),
    Property("colours", picked="compare"),
    Property("lines", picked="compare"),
    Property("causes", "compare", quiet=True),
    Property("silenced", "compare", quiet=True),
    Property("update", picked="train", fits=_form(r"[0-9]{1,6}")),  # of a training: its checkpoint
    Property("side", picked="train", fits=("a", "b").__contains__),
    Property("log", picked="train"),
    Property("hand", picked="byhand"),  # the sizes of a sheet, its numbers, its words and the cell that is picked
    Property("numbers", picked="byhand"),
    Property("named", picked="byhand"),
    Property("pick", picked="byhand"),
)
BY_NAME = {each.name: each for each in TABLE}


def asked_by(page: str) -> tuple[str, ...]:
    """The names that the question of a page says, in this order."""
    return tuple(each.name for each in TABLE if page in each.asked.split())


def picked_in(page: str) -> tuple[str, ...]:
    """The names that the picture of a page says."""
    return tuple(each.name for each in TABLE if page in each.picked.split())


def known(query: Mapping[str, str]) -> dict[str, str]:
    """What a query says that a link can."""
    return {name: said for name, said in query.items() if name in BY_NAME}


def kept(before: Mapping[str, str], now: Mapping[str, str]) -> dict[str, str]:
    """What a link said, where something else is asked: without what says nothing of another model or another text."""
    others = {name for name in ("model", "text") if name in now and now[name] != before.get(name)}
    gone = others | ({"text"} if "model" in others else set())
    return {name: said for name, said in before.items() if BY_NAME[name].of not in gone} | dict(now)


def carried(query: Mapping[str, str]) -> dict[str, str]:
    """What the link of a page without a model carries for the other pages. No value can raise."""
    said = query.get("from", "").encode("utf-8", "replace").decode()
    fields = parse_qsl(said) if said.count("&") < len(TABLE) else []
    return {name: value for name, value in fields if name in BY_NAME and BY_NAME[name].along}


def read(query: Mapping[str, str], names: Iterable[str]) -> tuple[dict[str, Any], list[str]]:
    """The values of these properties, and the names of those that cannot be read, which are as if they were not there.

    An index below 1 is −1, so that who fits it to a run can say that it was outside. No value can raise.
    """
    values: dict[str, Any] = {}
    unreadable = []
    for name in names:
        said, property = query.get(name, ""), BY_NAME[name]
        value = _value(property, said)
        if said and (value is None or value is False):
            unreadable.append(name)
        values[name] = "" if value is None and property.type == "text" else value
    return values, unreadable


def _value(property: Property, said: str) -> Any:
    """What a value of a link means; None or False where it cannot be read."""
    if property.type == "index":
        return max(-1, min(int(said[:40]), MOST) - 1) if WHOLE.fullmatch(said) else None
    if property.type == "flag":
        return said == "1"
    return said if property.fits(said) else None


def written(values: Mapping[str, Any]) -> dict[str, str]:
    """The same as a link says it; what is missing is ""."""
    return {name: _said(BY_NAME[name].type, value) for name, value in values.items()}


def _said(type: Type, value: Any) -> str:
    if type == "index":
        return "" if value is None else str(value + 1)
    return "1" if value is True else str(value or "")
