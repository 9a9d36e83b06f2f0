"""What a column of a table of heads is called on a figure, its unit, and on which range its colours lie.

A table says in its `attrs` which columns were measured here; any other keeps its own name, whatever it is.
"""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from attnviz.analysis.heads.metrics import COLUMNS, metric_of, title_of
from attnviz.core.errors import InputError
from attnviz.figures.labels import BAR, TICK, plain, wrapped
from attnviz.figures.template import signed_scale, weight_scale
from attnviz.palette import Theme
from attnviz.text import Strings

PATCHED = ("effect", "share", "value", "gradient")  # numbers of `av.patch`
SIGNED = ("effect", "share", "gradient")  # columns of differences: 0 is paper also where none is negative
EIGENVALUES = ("copying", "matching")  # numbers of `av.circuits` from −1 to 1
SPREAD = re.compile(r"_(sd|n|rows)$")  # of a metric: standard deviation, and how many texts or rows it is of


@dataclass(frozen=True)
class Column:
    title: str  # as `plain` has it
    label: str  # with its unit: of an axis, a bar of colours, a number
    is_signed: bool
    largest: float | None = None  # of a number that has a bound


def column_of(table: pd.DataFrame, column: str, say: Strings) -> Column:
    """What a column is; of one that was not measured here its own name."""
    base, spread = SPREAD.sub("", column), SPREAD.search(column)
    known = measured(table, base, say)
    if known is None:
        return Column(plain(column), plain(column), column in SIGNED)
    title, unit = known
    if spread is not None:
        title = say("figure-spread", what=title, of=spread[1])
        return Column(title, in_unit(say, title, unit if spread[1] == "sd" else ""), is_signed=False)
    is_bounded = column in EIGENVALUES and "circuits" in table.attrs
    is_signed = is_bounded or (column in PATCHED and "patched" in table.attrs)
    return Column(title, in_unit(say, title, unit), is_signed, 1.0 if is_bounded else None)


def measured(table: pd.DataFrame, column: str, say: Strings) -> tuple[str, str] | None:
    """The title of a column that was measured here, and its unit, "" for none."""
    if column in PATCHED and "patched" in table.attrs:
        return say(f"figure-patched-{column}"), "" if column == "share" else table.attrs["patched"]
    if column in table.attrs.get("circuits", ()):
        return say(f"figure-circuits-{column}"), "" if column in EIGENVALUES else "share"
    metric, title = metric_of(column), title_of(column, say)
    if metric is None or title is None or column not in metrics_of(table):
        return None
    return title, metric.unit


def metrics_of(table: pd.DataFrame) -> tuple[str, ...]:
    """The columns that `av.head_metrics` or `av.survey` measured; a file or a join loses `attrs`."""
    if "metrics" in table.attrs:
        return tuple(table.attrs["metrics"])
    return COLUMNS if set(COLUMNS) <= set(table.columns) else ()


def in_unit(say: Strings, title: str, unit: str) -> str:
    """A title with its unit behind it; of a number without one the title."""
    return say("figure-in-unit", what=title, unit=say("figure-unit", unit=unit)) if unit else title


def colours(values: np.ndarray, name: str, shown: Column, theme: Theme) -> dict[str, Any]:
    """The range, the colours and the bar of a map: about 0, or from 0 to 1 or to what is larger.

    Raises:
        InputError: no value is finite.
    """
    finite = values[np.isfinite(values)]
    if finite.size == 0:
        raise InputError(id="column-of-no-number", column=repr(name))
    low, high = float(finite.min()), float(finite.max())
    bar = {"title": {"text": wrapped(shown.label, BAR, TICK)}, "thickness": 12}
    if low < 0 or shown.is_signed:
        largest = shown.largest or max(-low, high) or 1.0
        return {"zmin": -largest, "zmax": largest, "colorscale": signed_scale(theme), "colorbar": bar}
    return {"zmin": 0.0, "zmax": 1.0 if high <= 1 else high, "colorscale": weight_scale(theme), "colorbar": bar}
