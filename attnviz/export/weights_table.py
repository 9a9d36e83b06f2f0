"""The weights of a trace as a table: a row for each head, query and key."""

import numpy as np
import pandas as pd

from attnviz.trace.trace import Trace

COLUMNS = ("site", "head", "query", "key", "query_token", "key_token", "weight")  # counted from 0


def weights_table(trace: Trace, site: str | None = None, head: int | None = None) -> pd.DataFrame:
    """The weights of one site and head, or of all.

    Returns:
        the columns of `COLUMNS`; weights as float32.
    Raises:
        TraceShapeError: no such site. InputError: no such head.
        LimitError: more than 1 GiB of one site.
    """
    parts = []
    for record in [trace[site]] if site is not None else trace.records.values():
        weights = record.weights(head).cpu().reshape(-1, record.n_queries, record.n_keys).numpy()  # [h, T_q, T_k]
        heads, queries, keys = np.indices(weights.shape).reshape(3, -1)
        part = pd.DataFrame({"head": heads + (head or 0), "query": queries, "key": keys})
        part.insert(0, "site", record.site.key)
        for name, asked, tokens in (("query", queries, trace.query_tokens), ("key", keys, trace.key_tokens)):
            part[f"{name}_token"] = np.asarray(tokens(record.site).text, dtype=object)[asked]
        parts.append(part.assign(weight=weights.reshape(-1)))
    return pd.concat(parts, ignore_index=True)
