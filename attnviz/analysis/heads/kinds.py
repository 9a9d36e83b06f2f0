"""The kinds of heads: one table, in order of precedence. A kind describes a pattern, never a purpose.

Every share but the sink's is taken without the first token, which has most of the weight in many models and would hide
everything else.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd


@dataclass(frozen=True)
class Kind:
    """One row of the table."""

    name: str
    glyph: tuple[str, str, str, str, str]  # a small picture of the pattern: 5 rows of 5 cells, # for weight
    light: str  # its colour on a light page
    dark: str
    metric: str = ""  # a column of the table of metrics; "" for all other heads
    threshold: float = 0.0  # the smallest value of the metric

    @property
    def title(self) -> str:
        """The id of the message with its name."""
        return f"head-kind-{self.name}"

    @property
    def says(self) -> str:
        """The id of the message with its sentence, which takes the threshold as `percent`."""
        return f"head-kind-{self.name}-says"


# A head is of the first kind whose metric reaches its threshold. Colours always come with their glyph.
KINDS = (
    Kind("induction", (".....", ".....", "#....", ".#...", "..#.."), "#BE4412", "#FF8A5A",
         "induction_repeated_over", 0.4),
    Kind("previous", (".....", "#....", ".#...", "..#..", "...#."), "#0B5FA5", "#5B9DE8", "previous_left", 0.5),
    Kind("next", (".#...", "..#..", "...#.", "....#", "....."), "#1E93B8", "#7BE3F2", "next_left", 0.5),
    Kind("same-word", ("#..#.", ".....", "..#..", "#..#.", "....."), "#8E2277", "#C765B8", "same_token_over", 0.25),
    Kind("delimiter", ("....#", "....#", "....#", "....#", "....#"), "#7B5A3A", "#B98F6A", "delimiter_over", 0.3),
    Kind("sink", ("#....", "#....", "#....", "#....", "#...."), "#7C828C", "#98A0AC", "first", 0.8),
    Kind("broad", ("#.#.#", ".....", "#.#.#", ".....", "#.#.#"), "#B08A00", "#EBCF5A", "evenness_left", 0.8),
    Kind("mixed", (".....", ".#...", ".....", "...#.", "....."), "#85888F", "#6C7480"),
)  # fmt: skip

BY_NAME = {kind.name: kind for kind in KINDS}
MIXED = KINDS[-1]


def kind_of(metrics: Mapping[str, float]) -> Kind:
    """The kind of one head: the first in the table whose metric reaches its threshold.

    Args:
        metrics: column -> value, as a row of `head_metrics`. A metric that is missing or NaN is passed over, so that
            without `induction_repeated_over`, measured on repeated random sequences, no head is of kind induction.
    """
    for kind in KINDS:
        value = metrics.get(kind.metric, math.nan)
        if value >= kind.threshold:
            return kind
    return MIXED


def head_kinds(frame: pd.DataFrame) -> pd.Series:
    """The kind of every head in a table of metrics: names, in its order."""
    columns = [kind.metric for kind in KINDS if kind.metric in frame]
    rows = frame[columns].to_dict("records")
    return pd.Series([kind_of(row).name for row in rows], index=frame.index, name="kind_of_head")
