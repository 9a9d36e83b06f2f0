"""Groups of tokens: the two texts of a pair, the roles of a chat. How much attention goes from each to each."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
import torch
from torch import Tensor

from attnviz.analysis.circuits.arguments import check_trace
from attnviz.core.errors import InputError
from attnviz.core.site import Site
from attnviz.trace.tokens import Tokens
from attnviz.trace.trace import Trace

SEGMENTS = ("A", "B")
BLOCK = 256  # rows at a time


@dataclass(frozen=True, eq=False)
class Among:
    """Which queries are measured, and on which of their keys: bool [T_q] and [T_k]."""

    queries: Tensor
    keys: Tensor


def groups_of(tokens: Tokens) -> tuple[str, ...]:
    """The group of each token: "A" or "B" of two texts, the role of a chat, "" of what has none; () of a text."""
    return tuple(SEGMENTS[at] for at in tokens.segments) or tokens.roles


def among(trace: Trace, site: Site, between: tuple[str, str]) -> Among:
    """The queries of one group and the keys of another.

    Raises:
        InputError: the text has no groups, or not these.
    """
    sides = groups_of(trace.query_tokens(site)), groups_of(trace.key_tokens(site))
    if not all(sides):
        raise InputError(id="between-of-one-text", between=repr(between), site=site.key)
    for name, groups in zip(between, sides, strict=True):
        if name not in groups:
            raise InputError(id="no-group", name=repr(name), known=tuple(dict.fromkeys(filter(None, groups))))
    queries, keys = ([group == name for group in groups] for name, groups in zip(between, sides, strict=True))
    return Among(torch.tensor(queries), torch.tensor(keys))


def group_attention(trace: Trace) -> pd.DataFrame:
    """How much attention goes from each text of a pair, or each role of a chat, to each.

    >>> import attnviz as av
    >>> trace = av.load("minilm-l6").trace("How old are you?", pair="I am six years old.")
    >>> frame = av.group_attention(trace)
    >>> float(frame[(frame.layer == 0) & (frame["head"] == 0) & (frame["from"] == "A")].weight.sum().round(4))
    1.0

    Args:
        trace: a run over two texts or over a chat.
    Returns:
        One row a head, group of queries (`from`) and group of keys (`to`): `site`, `layer` and `head` from 0, `weight`,
        the sum of the weights on those keys as a mean over those queries, and `queries`, how many these are. Keys that
        belong to no group have a `to` of "".
    Raises:
        InputError: the run is over one text.
    """
    check_trace(trace)
    rows = []
    for record in trace.records.values():
        site = record.site
        queries, keys = groups_of(trace.query_tokens(site)), groups_of(trace.key_tokens(site))
        if not queries or not keys:
            continue
        to, of = list(dict.fromkeys(keys)), list(dict.fromkeys(queries))
        onto = torch.tensor([[group == name for name in to] for group in keys], dtype=torch.float64)  # [T_k, to]
        into = torch.tensor([[group == name for group in queries] for name in of], dtype=torch.float64)  # [of, T_q]
        total = torch.zeros(record.n_heads, len(of), len(to), dtype=torch.float64)
        for start in range(0, record.n_queries, BLOCK):
            weights = record.weights(rows=slice(start, start + BLOCK)).cpu().double()  # [H, R, T_k]
            total += into[:, start : start + BLOCK] @ (weights @ onto)  # [H, of, to]
        counts = into.sum(1)  # [of]
        for head, row in enumerate((total / counts[:, None]).tolist()):
            for i, name in enumerate(of):
                rows += [
                    (site.key, site.layer, head, name, other, row[i][j], int(counts[i])) for j, other in enumerate(to)
                ]
    if not rows:
        raise InputError(id="one-text-without-groups")
    return pd.DataFrame(rows, columns=["site", "layer", "head", "from", "to", "weight", "queries"])
