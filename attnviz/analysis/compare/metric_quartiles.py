"""Compares the heads of two models that read no text in common: the quartiles of each metric."""

import pandas as pd

from attnviz.analysis.heads.metrics import METRICS

QUARTILES = {"low": 0.25, "median": 0.5, "high": 0.75}


def self_attention_rows(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows of heads that attend from the text to itself: an encoder's, or those of a decoder without a source."""
    is_encoder = frame["stack"] == "encoder"
    return frame[is_encoder & (frame["kind"] == "self") if is_encoder.any() else frame["kind"] == "self"]


def metric_quartiles(frame_a: pd.DataFrame, frame_b: pd.DataFrame) -> pd.DataFrame:
    """The quartiles of each metric over the heads of two models, whatever texts each was measured on.

    Args:
        frame_a, frame_b: tables of heads as `head_metrics` gives them.
    Returns:
        one row a metric that some head of both has: `metric`, `unit`, `low_a`, `median_a`, `high_a` and the same of B.
    """
    frames = {"a": self_attention_rows(frame_a), "b": self_attention_rows(frame_b)}
    measured = [set(frame.columns[frame.notna().any()]) for frame in frames.values()]
    both = [metric for metric in METRICS if all(metric.name in names for names in measured)]
    table = pd.DataFrame({"metric": [metric.name for metric in both], "unit": [metric.unit for metric in both]})
    for side, frame in frames.items():
        for name, at in QUARTILES.items():
            table[f"{name}_{side}"] = frame[table["metric"]].quantile(at).to_numpy()
    return table
