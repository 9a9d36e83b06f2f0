"""The kinds of heads: one table, in order of precedence. A kind describes a pattern, never a purpose.

Shares are of all of a row's weight: a head that leaves nearly all of it on the first token is of kind sink, whatever it
does with the rest. Only how evenly weight is spread is measured without the first token.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from attnviz.palette import KINDS as COLOURS
from attnviz.palette import Colour


@dataclass(frozen=True)
class Kind:
    name: str
    glyph: tuple[str, str, str, str, str]  # a small picture of the pattern: 5 rows of 5 cells, # for weight
    metric: str = ""  # a column of the table of metrics; "" for all other heads
    threshold: float = 0.0  # the smallest value of the metric

    @property
    def colour(self) -> Colour:
        return COLOURS[self.name]

    @property
    def title(self) -> str:
        """The id of the message with its name."""
        return f"head-kind-{self.name}"

    @property
    def says(self) -> str:
        """The id of the message with its sentence, which takes `numbers`."""
        return f"head-kind-{self.name}-says"

    @property
    def numbers(self) -> dict[str, int]:
        """The threshold in percent, and how many rows a text needs."""
        return {"percent": round(100 * self.threshold), "rows": LEAST_ROWS}


# A head is of the first kind whose metric reaches its threshold. Colours always come with their glyph.
KINDS = (
    Kind("induction", (".....", ".....", "#....", ".#...", "..#.."), "induction_repeated", 0.4),
    Kind("same-word", ("##...", "##...", ".....", "...##", "...##"), "same_token_repeated", 0.4),
    Kind("previous", ("...##", "..##.", ".##..", "..##.", "...##"), "previous", 0.4),
    Kind("next", ("##...", ".##..", "..##.", ".##..", "##..."), "next", 0.4),
    Kind("aligned", ("#...#", ".#.#.", "..#..", ".#.#.", "#...#"), "aligned", 0.5),
    Kind("line-mark", ("#....", "##...", "##...", "##.#.", "##.##"), "mark_before", 0.5),
    Kind("rhyme", (".....", "..#..", ".....", ".....", "..#.#"), "rhyme", 0.4),
    Kind("first-line", ("##...", "##...", "##...", "##...", "##..."), "first_line", 0.6),
    Kind("end", ("....#", "....#", "....#", "....#", "#####"), "last", 0.5),
    Kind("delimiter", ("....#", "....#", "....#", "....#", "....#"), "delimiter_over", 0.3),
    Kind("sink", ("#....", "#....", "#....", "#....", "#...."), "first", 0.8),
    Kind("broad", ("#...#", ".....", "..#..", ".....", "#...#"), "evenness_left", 0.8),
    Kind("mixed", (".....", ".....", ".###.", ".....", ".....")),
)  # fmt: skip

MIXED = KINDS[-1]
# A text with fewer rows than this that could have been otherwise decides nothing: "Hi" has one row with a token before,
# and of the four of "Good morning" two are what the model added.
LEAST_ROWS = 5
SHORT = Kind("short", (".....", ".....", "#.#.#", ".....", "....."))
TABLE = (*KINDS, SHORT)
BY_NAME = {kind.name: kind for kind in TABLE}


def in_a_text(metric: str) -> str:
    """The metric that shows in any text what one shows on repeated random tokens."""
    return metric.removesuffix("_repeated")


def kind_of(metrics: Mapping[str, float]) -> Kind:
    """The kind of one head: the first in the table whose metric reaches its threshold on enough rows.

    Args:
        metrics: column -> value, as a row of `head_metrics`. A metric that is missing or NaN is passed over, so that
            without the scores on repeated random tokens no head is of kind induction or same-word.
            `NAME_rows` says on how many rows of one text a metric rests; a table of many sentences has none.
    """
    for kind in KINDS:
        value, n_rows = metrics.get(kind.metric, math.nan), metrics.get(f"{kind.metric}_rows", math.inf)
        if value >= kind.threshold and n_rows >= LEAST_ROWS:
            return kind
    return MIXED if metrics.get("evenness_left_rows", math.inf) >= LEAST_ROWS else SHORT


def rows_of(frame: pd.DataFrame) -> pd.Series:
    """On how many rows of one text the kind of each head in `kind_of_head` rests."""
    metrics = [BY_NAME[name].metric or "evenness_left" for name in frame["kind_of_head"]]
    return pd.Series([frame[f"{metric}_rows"].iat[at] for at, metric in enumerate(metrics)], index=frame.index)


def head_kinds(frame: pd.DataFrame) -> pd.Series:
    """The kind of every head in a table of metrics: names, in its order."""
    columns = [name for kind in KINDS for name in (kind.metric, f"{kind.metric}_rows") if name in frame]
    rows = frame[columns].to_dict("records")
    return pd.Series([kind_of(row).name for row in rows], index=frame.index, name="kind_of_head")
