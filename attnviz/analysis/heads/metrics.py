"""The table of metrics: name, unit, formula, source, range, and where a metric means nothing."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from torch import Tensor

from attnviz.analysis.heads import row_metrics as of
from attnviz.analysis.heads.rows import Rows
from attnviz.trace.records import AttentionRecord

Unit = Literal["bits", "tokens", "share", "norm"]
By = Literal["rows", "columns", "norms", "texts", "values"]


@dataclass(frozen=True)
class Metric:
    name: str  # the column of a table
    unit: Unit
    formula: str
    source: str
    by: By  # mean over rows; columns of the map; rows with norms of values; several texts;
    # values alone, whatever a row attends to
    of_rows: Callable[[Tensor, Rows], Tensor] | None = None
    only_self: bool = False  # about positions of one text, so cross-attention has none
    only_cross: bool = False  # about two texts; of one, where a task links words of it
    only_verse: bool = False  # about the lines of a poem

    @property
    def title(self) -> str:
        """The id of the message with its name."""
        return f"head-metric-{DASHED.get(self.name, self.name)}"

    @property
    def says(self) -> str:
        """The id of the message with its sentence."""
        return f"head-metric-{DASHED.get(self.name, self.name)}-says"


# Names of columns as they are in message ids.
DASHED = {
    "same_token": "same-token", "one_word": "one-word", "value_norm": "value-norm", "first_by_norm": "first-by-norm",
    "negative_copying": "negative-copying", "mark_before": "mark-before", "first_line": "first-line",
}  # fmt: skip


METRICS = (
    Metric("entropy", "bits", "−Σ w log₂ w", "Clark et al. 2019, 3.2", "rows", of_rows=of.entropy),
    Metric("evenness", "share", "entropy / log₂ n", "Pielou 1966", "rows", of_rows=of.evenness),
    Metric("sparsity", "share", "(√n − ‖w‖₁ / ‖w‖₂) / (√n − 1)", "Hoyer 2004, 3.1", "rows", of_rows=of.sparsity),
    Metric("distance", "tokens", "Σ w |i − j|", "Vig and Belinkov 2019, 3.3", "rows", of_rows=of.distance,
           only_self=True),
    Metric("previous", "share", "w[i, i − 1]", "Clark et al. 2019, 3.1; Voita et al. 2019, 5.2", "rows",
           of_rows=of.previous, only_self=True),
    Metric("next", "share", "w[i, i + 1]", "Clark et al. 2019, 3.1", "rows", of_rows=of.following, only_self=True),
    Metric("self", "share", "w[i, i]", "Kovaleva et al. 2019, 4.1", "rows", of_rows=of.itself, only_self=True),
    Metric("first", "share", "w[i, 0]", "Xiao et al. 2023, 3.1", "rows", of_rows=of.first),
    Metric("delimiter", "share", "Σ w over delimiters", "Clark et al. 2019, 3.2", "rows", of_rows=of.delimiter),
    Metric("same_token", "share", "Σ w[i, j], token j = token i, j ≠ i", "Wang et al. 2022, 3.2", "rows",
           of_rows=of.same_token, only_self=True),
    Metric("induction", "share", "Σ w[i, p + 1], token p = token i, p < i", "Olsson et al. 2022", "rows",
           of_rows=of.induction, only_self=True),
    Metric("aligned", "share", "Σ w over linked words", "Och and Ney 2003; Garg et al. 2019", "rows",
           of_rows=of.aligned, only_cross=True),
    Metric("mark_before", "share", "Σ w over the mark before the line", "", "rows", of_rows=of.mark_before,
           only_verse=True),
    Metric("first_line", "share", "Σ w over the first line", "", "rows", of_rows=of.first_line, only_verse=True),
    Metric("rhyme", "share", "Σ w over the rhymes before", "", "rows", of_rows=of.rhyme, only_verse=True),
    Metric("last", "share", "w[i, n − 1]", "Raganato and Tiedemann 2018, 4", "rows", of_rows=of.last, only_cross=True),
    Metric("one_word", "share", "max over j of the mean over i of w[i, j]", "Kovaleva et al. 2019, 4.1", "columns"),
    Metric("value_norm", "norm", "Σ w[i, j] ‖v_j W_O‖", "Kobayashi et al. 2020, 3", "norms"),
    Metric("first_by_norm", "share", "w[i, 0] ‖v_0 W_O‖ / Σ w[i, j] ‖v_j W_O‖", "Kobayashi et al. 2020, 4.1", "norms"),
    Metric("variability", "share", "Σ |w − mean w| / (2 Σ w)", "Vig and Belinkov 2019, 3.3", "texts"),
)  # fmt: skip

BY_NAME = {metric.name: metric for metric in METRICS}

# Of a survey alone: what a head's values would write if it gave a token all of its weight (moved.py).
OF_VALUES = (
    Metric("copying", "share", "name among the 5 highest logits of W_U W_O W_V x", "Wang et al. 2022, 3.1", "values"),
    Metric("negative_copying", "share", "name among the 5 lowest of them", "Wang et al. 2022, 3.1", "values"),
    Metric("succession", "share", "successor has the highest logit of W_U W_O W_V MLP(E) in its sequence",
           "Gould et al. 2023, 3", "values"),
)  # fmt: skip

# The same metrics without the first token, each row divided by the rest of its weight.
LEFT = ("evenness", "previous", "next", "delimiter", "same_token", "induction")

# Every metric of a head in a text; `delimiter_over` is less what a row of equal weights gives delimiters.
# Metrics of known answers, whose baseline is `NAME_even`: what equal weights give the same keys.
KNOWN = ("aligned", "mark_before", "first_line", "rhyme")

COLUMNS = (*BY_NAME, *(f"{name}_left" for name in LEFT), "delimiter_over", *(f"{name}_even" for name in KNOWN))


def base_name(column: str) -> str:
    """The metric of a column: "previous_left" -> "previous"."""
    return column.removesuffix("_left").removesuffix("_over").removesuffix("_even")


def metric_of(column: str) -> Metric | None:
    """The metric that a column of `av.head_metrics` holds; None of any other column."""
    every = BY_NAME | {metric.name: metric for metric in OF_VALUES}
    return every.get(base_name(column).removesuffix("_repeated"))


def title_of(column: str, say: Callable[..., str]) -> str | None:
    """What a column of `av.head_metrics` is called: its metric, and on what it is measured; None of another column."""
    metric = metric_of(column)
    if metric is None:
        return None
    name = say(metric.title)
    if "_repeated" in column:
        return say("heads-column-repeated", metric=name)
    if column.endswith("_even"):
        return say("heads-column-even", metric=name)
    if column.endswith("_over"):
        return say("heads-column-over", metric=name)
    return say("heads-column-left", metric=name) if column.endswith("_left") else name


Reason = Literal[
    "cross", "one-side", "no-verse", "no-links", "causal", "no-w-o", "one-text", "short-texts", "no-row", "no-logits"
]


def why_not(metric: Metric, record: AttentionRecord) -> Reason:
    """Why a metric is NaN in an attention of one text."""
    if metric.only_self and record.site.kind == "cross":
        return "cross"
    if metric.only_cross and record.site.kind != "cross":
        return "one-side"
    if metric.only_verse:
        return "no-verse"
    if metric.name == "aligned":
        return "no-links"
    if metric.name == "next" and record.source.mask.causal:
        return "causal"
    if metric.by == "norms" and record.w_o is None:
        return "no-w-o"
    if metric.by == "texts":
        return "one-text"
    return "no-row"


def reason_message(reason: Reason) -> str:
    return f"head-no-value-{reason}"


REASONS: dict[Reason, str] = {
    "cross": "queries and keys belong to two texts, which share no places",
    "one-side": "queries and keys belong to one text",
    "no-verse": "this is no poem of lines of one length",
    "no-links": "nothing says which words of the two texts belong together",
    "causal": "no token may look at a later one",
    "no-w-o": "this trace does not hold W_O",
    "one-text": "it compares several texts, and there is one",
    "short-texts": "fewer than two of the texts have ten tokens",
    "no-row": "no row of this text counts",
    "no-logits": "it is measured on English words, of a decoder that continues a text",
}
