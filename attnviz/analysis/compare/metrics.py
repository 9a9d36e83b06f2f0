"""What can be said of two models that read no text in common: the metrics of their heads, side by side."""

from __future__ import annotations

import pandas as pd

from attnviz.analysis.heads.metrics import METRICS

QUARTILES = {"low": 0.25, "median": 0.5, "high": 0.75}


def reading_rows(frame: pd.DataFrame) -> pd.DataFrame:
    """The heads of a table that read the text itself: an encoder's, or those of a decoder without a second text.

    Args:
        frame: as `head_metrics` gives it.
    """
    is_encoder = frame["stack"] == "encoder"
    return frame[is_encoder & (frame["kind"] == "self") if is_encoder.any() else frame["kind"] == "self"]


def metrics_beside(frame_a: pd.DataFrame, frame_b: pd.DataFrame) -> pd.DataFrame:
    """How the heads of two models lie on each metric, whatever each was measured on.

    Args:
        frame_a: a table of heads as `head_metrics` gives it; frame_b: another.
    Returns:
        one row a metric that some head of both has: `metric`, `unit`, and of the heads that read the text
        `median_a`, `low_a`, `high_a` (the quartiles), and the same of B.
    """
    frames = {"a": reading_rows(frame_a), "b": reading_rows(frame_b)}
    rows = []
    for metric in METRICS:
        if not all(metric.name in frame and frame[metric.name].notna().any() for frame in frames.values()):
            continue
        row: dict[str, object] = {"metric": metric.name, "unit": metric.unit}
        for side, frame in frames.items():
            row |= {f"{name}_{side}": float(frame[metric.name].quantile(at)) for name, at in QUARTILES.items()}
        rows.append(row)
    columns = ["metric", "unit", *(f"{name}_{side}" for side in "ab" for name in QUARTILES)]
    return pd.DataFrame(rows, columns=columns)
