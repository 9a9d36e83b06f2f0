"""A rollout as maps for a panel, and as a file: every position with every token. Knows no Streamlit."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import torch
from attnviz_app.step.looks.token_slice import of_tokens, said
from torch import Tensor

from attnviz.analysis.heads.rollout import Rollout
from attnviz.core.site import Site
from attnviz.export.csv_text import csv_text
from attnviz.text import Strings
from attnviz.trace.decoder_rows import next_words
from attnviz.trace.tokens import Tokens
from attnviz.trace.trace import Trace
from attnviz.views.panel.blocks import Block, Map, Maps

# The formulas in TeX: Streamlit sets them, with MathML for those who listen.
LAYER = r"\bar A_l = \tfrac12 \cdot \tfrac1H \sum_h W_{l,h} + \tfrac12 \cdot I"
ALL = r"R = \bar A_L \cdots \bar A_1"
CROSS = r"R = R_{\mathrm{decoder}} \cdot \bar C \cdot R_{\mathrm{encoder}}"
OVER = r"\tilde R_{ij} = \frac{R_{ij} / E_{ij}}{\sum_k R_{ik} / E_{ik}}"
COLUMNS = ("query", "key", "query_token", "key_token", "rollout", "over_even")


def formulas(part: str, *, has_baseline: bool) -> tuple[str, ...]:
    """Those of a part's rollout, in order; the last one where what the mask alone gives is divided out."""
    return *((CROSS,) if part == "cross" else ()), LAYER, ALL, *((OVER,) if has_baseline else ())


def has_baseline(found: Rollout) -> bool:
    """Whether the mask lets some positions see more than others, so that it alone prefers some tokens."""
    own = torch.eye(*found.even.shape, dtype=torch.bool)  # the path around the attention is there for every position
    others = found.even[~own]
    return bool(others.numel() and others.max() - others.min() > 1e-9)


def rows_of(trace: Trace, site: Site) -> Tokens:
    """The tokens that name the rows; in cross-attention with what each row writes: 没 → 买."""
    read = trace.query_tokens(site)
    if site.kind != "cross":
        return read
    return replace(read, text=tuple(map("{} → {}".format, read.text, next_words(trace))))


def rollout_maps(trace: Trace, site: Site, found: Rollout, say: Strings, *, start: int = 0) -> tuple[Block, ...]:
    """The rollout, and beside it what it holds beyond the mask, where the mask prefers some tokens."""
    queries, keys = rows_of(trace, site), trace.key_tokens(site)
    rows, columns = of_tokens(queries, start), of_tokens(keys, start)

    def drawn(title: str, values: Tensor) -> Map:
        return Map(
            title, values[rows.cut, columns.cut].float(), rows.names, columns.names, "share", limit=1.0,
            row_axis=say("look-axis-query"), column_axis=say("look-axis-key"),
        )  # fmt: skip

    maps = [drawn(say("heads-rollout-map"), found.values)]
    if has_baseline(found):
        maps.append(drawn(say("heads-rollout-over"), found.over_even))
    return (*said(say, rows, columns), Maps(maps))


def rollout_csv(queries: Tokens, keys: Tokens, found: Rollout) -> bytes:
    """A line a pair of position and token, counted from 0, with all digits."""
    over = found.over_even.tolist()
    rows = [
        (query, key, queries.text[query], keys.text[key], value, over[query][key])
        for query, row in enumerate(found.values.tolist())
        for key, value in enumerate(row)
    ]
    return csv_text(pd.DataFrame(rows, columns=COLUMNS)).encode()
