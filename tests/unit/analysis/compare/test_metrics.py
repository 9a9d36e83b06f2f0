"""Metrics of two models side by side, where nothing else can be: heads with numbers that a reader can check."""

import pandas as pd
import pytest

import attnviz as av
from attnviz.analysis.compare import metric_quartiles
from attnviz.analysis.compare.metric_quartiles import self_attention_rows
from attnviz.analysis.compare.self_attention_heads import heads_of


def heads(**columns: list[float]) -> pd.DataFrame:
    n = len(next(iter(columns.values())))
    return pd.DataFrame({"stack": ["encoder"] * n, "kind": ["self"] * n, **columns})


def test_each_metric_is_the_median_and_the_middle_half_of_both_sides() -> None:
    table = metric_quartiles(heads(entropy=[0, 1, 2, 3, 4], self=[0.5] * 5), heads(entropy=[1, 3], first=[0.1, 0.2]))
    assert table["metric"].tolist() == ["entropy"]  # the only one that both have
    (row,) = table.to_dict("records")
    assert (row["low_a"], row["median_a"], row["high_a"]) == (1, 2, 3)
    assert (row["low_b"], row["median_b"], row["high_b"]) == (1.5, 2, 2.5) and row["unit"] == "bits"


@pytest.mark.parametrize("name", ["induction", "reverse"])
def test_only_heads_that_read_the_text_itself_count(name: str) -> None:
    trace = av.load(name).trace("a b c")
    rows = self_attention_rows(av.head_metrics(trace))
    assert list(zip(rows["site"], rows["head"], strict=True)) == [(head.site, head.head) for head in heads_of(trace)]
