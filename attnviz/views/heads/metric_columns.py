"""Which of the measured columns are shown of a head, under which names, and how their values are read."""

from attnviz.analysis.heads.metrics import BY_NAME, Metric, base_name
from attnviz.text import Strings

# Of the columns that are measured, those that are shown: the sink first, which hides everything else.
SHOWN = (
    "aligned", "last", "first", "previous_left", "next_left", "same_token_over", "delimiter_over",
    "induction_repeated_over", "one_word", "evenness_left", "entropy", "distance", "self", "sparsity",
    "value_norm", "first_by_norm", "variability",
)  # fmt: skip


def metric_of(column: str) -> Metric:
    """The metric that a column is about."""
    return BY_NAME[base_name(column).removesuffix("_repeated")]


def title_of(column: str, say: Strings) -> str:
    """What a column is called: the metric, and on what it is measured."""
    name = say(metric_of(column).title)
    if "_repeated" in column:
        return say("heads-column-repeated", metric=name)
    if column.endswith("_over"):
        return say("heads-column-over", metric=name)
    return say("heads-column-left", metric=name) if column.endswith("_left") else name


def says_of(column: str, say: Strings) -> str:
    """What a column means, in a sentence."""
    return say(metric_of(column).says)
