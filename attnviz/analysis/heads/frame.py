"""`av.head_metrics`: one row a head, one column a metric, as a pandas DataFrame."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray

from attnviz.analysis.heads.measured import SiteMetrics, site_metrics
from attnviz.analysis.heads.metrics import BY_NAME, LEFT_NAMES, REASONS, Reason
from attnviz.analysis.heads.rows import BLOCK_BYTES
from attnviz.analysis.heads.variability import variability
from attnviz.core.errors import InputError
from attnviz.core.trace import Trace

COLUMNS = (*BY_NAME, *LEFT_NAMES)  # what is measured
HEAD = ("site", "stack", "kind", "layer", "head")  # which head


def head_metrics(trace: Trace | Sequence[Trace], *, block_bytes: int = BLOCK_BYTES) -> pd.DataFrame:
    """What every head does, in numbers.

    Args:
        trace: one run; or runs of one model over several texts.
        block_bytes: the largest weights held at a time, so that a text of thousands of tokens can be measured.
    Returns:
        One row a head, in the order the sites ran. `site` ("encoder.2.self"), `stack`, `kind` (self or cross),
        `layer` and `head` (from 0) say which. Then, as means over the rows that count:

        - `entropy` (bits), `evenness` (entropy as a share of the most there can be), `sparsity` (Hoyer's): spread;
        - `distance` (tokens): how far a row looks;
        - `previous`, `next`, `self`, `first`, `delimiter`, `same_token`, `induction`: the share of the weight that
          lies on the token before, after, the token itself, the first token (the sink), other delimiters, other
          places of the same token, and on what followed it before;
        - `one_word`: the largest mean weight on one word (a vertical stripe);
        - `value_norm` (units of the residual stream), `first_by_norm`: weights times the length of what they move;
        - `variability`: the change from text to text (several texts only);
        - the same with `_left`: of what is left when the first token is taken out.

        A metric that means nothing at a head is NaN, and `frame.attrs["reasons"][site, metric]` says why. Of several
        texts each column is the mean over the texts in which it has a value, `NAME_sd` their standard deviation (NaN
        with fewer than two) and `NAME_n` how many they were; `frame.attrs["texts"]` counts all.
    Raises:
        InputError: no trace, or traces of different models.
    """
    traces = [trace] if isinstance(trace, Trace) else list(trace)
    check_same_model(traces)
    measured = [[site_metrics(own, site, block_bytes=block_bytes) for site in own.sites] for own in traces]
    return frame_of(measured, is_one=isinstance(trace, Trace))


def check_same_model(traces: Sequence[Trace]) -> None:
    """Refuse traces whose heads are not the same heads.

    Raises:
        InputError: no trace, or their sites differ.
    """
    if not traces:
        raise InputError("There is no trace to measure. Expected one or more.", id="no-traces")
    heads = {tuple((record.site.key, record.n_heads) for record in trace.records.values()) for trace in traces}
    if len(heads) > 1 or len({trace.card.id for trace in traces}) > 1:
        raise InputError(
            "These traces are of different models. Expected several texts of one model; measure each model alone.",
            id="traces-differ",
        )


def frame_of(measured: Sequence[Sequence[SiteMetrics]], is_one: bool = False) -> pd.DataFrame:
    """The table of what was measured, [texts][sites].

    Args:
        is_one: one text is meant: no columns for the spread.
    """
    parts = [_site_frame([text[at] for text in measured], is_one) for at in range(len(measured[0]))]
    frame = pd.concat([part for part, _ in parts], ignore_index=True)
    frame.attrs["reasons"] = {
        (site.site.key, name): REASONS[reason]
        for site, (_, reasons) in zip(measured[0], parts, strict=True)
        for name, reason in reasons.items()
    }
    frame.attrs["texts"] = len(measured)
    return frame


def _site_frame(texts: Sequence[SiteMetrics], is_one: bool) -> tuple[pd.DataFrame, dict[str, Reason]]:
    site, n_heads = texts[0].site, len(texts[0].stripe)
    columns: dict[str, object] = {"site": site.key, "stack": site.stack, "kind": site.kind, "layer": site.layer}
    columns["head"] = np.arange(n_heads)
    windows = [text.window for text in texts if text.window is not None]
    changes = variability(torch.stack(windows)).double().numpy() if windows else np.full(n_heads, np.nan)
    reasons: dict[str, Reason] = {}
    for name in COLUMNS:
        values = np.stack([text.values[name].numpy() for text in texts])  # [texts, H]
        mean, spread, counts = spread_of(values)
        if name == "variability":
            mean, counts = changes, np.full(n_heads, len(windows))
        columns[name] = mean
        if not is_one:
            columns[f"{name}_sd"], columns[f"{name}_n"] = spread, counts
        if np.isnan(mean).all():
            reasons[name] = _reason(name, texts, len(windows))
    return pd.DataFrame(columns), reasons


def _reason(name: str, texts: Sequence[SiteMetrics], n_windows: int) -> Reason:
    if name == "variability":
        return "one-text" if len(texts) < 2 else "short-texts" if n_windows < 2 else "no-row"
    return texts[0].reasons.get(name, "no-row")


def spread_of(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
    """Mean, standard deviation (of a sample, n − 1) and number of the values that are not NaN, [S, H] -> [H] each."""
    known = ~np.isnan(values)
    counts: NDArray[np.int64] = known.sum(0)
    mean = np.where(counts > 0, np.where(known, values, 0.0).sum(0) / np.maximum(counts, 1), np.nan)
    squares = np.where(known, (values - mean) ** 2, 0.0).sum(0)
    spread = np.where(counts > 1, np.sqrt(squares / np.maximum(counts - 1, 1)), np.nan)
    return mean, spread, counts


__all__ = ["COLUMNS", "HEAD", "check_same_model", "frame_of", "head_metrics", "spread_of"]
