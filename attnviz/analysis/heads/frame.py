"""`av.head_metrics`: one row a head, one column a metric, as a pandas DataFrame."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from attnviz.analysis.heads.aggregate import Gathering
from attnviz.analysis.heads.measure import site_metrics
from attnviz.analysis.heads.rows import BLOCK_BYTES
from attnviz.trace.trace import Trace


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
        - the same with `_left`: of what is left when the first token is taken out;
        - `same_token_over`, `induction_over`: the same with `_left`, less what all rows give those keys;
          `delimiter_over`: less what a row that is even over what it may see would give.

        A metric that means nothing at a head is NaN, and `frame.attrs["reasons"][site, metric]` says why. Of several
        texts each column is the mean over the texts in which it has a value, `NAME_sd` their standard deviation (NaN
        with fewer than two) and `NAME_n` how many they were; `frame.attrs["texts"]` counts all.
    Raises:
        InputError: no trace, or traces of different models.
    """
    traces = [trace] if isinstance(trace, Trace) else list(trace)
    gathering = Gathering()
    for own in traces:
        gathering.add([site_metrics(own, site, block_bytes=block_bytes) for site in own.sites])
    return gathering.frame(has_spread=not isinstance(trace, Trace))
