"""A trace whose weights a test gives, over words that are made up."""

from collections.abc import Mapping

import torch

from attnviz.core.site import Site
from attnviz.trace.mask import Mask
from attnviz.trace.records import AttentionRecord
from attnviz.trace.tokens import TokenPair, Tokens
from attnviz.trace.trace import Card, Trace
from attnviz.trace.weight_sources import Kept


def trace_of(
    sites: Mapping[str, torch.Tensor], *, tokens: Tokens | None = None, name: str = "A", causal: str = ""
) -> Trace:
    """Weights [H, T_q, T_k] by site key; `causal` is the stack, if any, whose tokens do not look ahead."""
    records = {}
    for key, weights in sites.items():
        site, (n_heads, n_queries, n_keys) = Site.parse(key), weights.shape
        mask = Mask(n_queries, n_keys, causal=site.kind == "self" and site.stack == causal)
        scores = weights.clamp_min(1e-38).log()  # [H, T_q, T_k]
        records[key] = AttentionRecord(site, Kept(scores, torch.zeros(n_heads, n_keys, 1), mask))
    read = [w.shape[-1] for key, w in sites.items() if not key.startswith("decoder") or key.endswith("cross")]
    written = [w.shape[-2] for key, w in sites.items() if key.startswith("decoder")]
    source, target = (Tokens.plain([f"w{at}" for at in range(max(n, default=1))]) for n in (read, written))
    card = Card(name, name, "your code", len(sites), len(next(iter(sites.values()))), 8)
    return Trace(card, TokenPair(tokens or source, target if written else None), records)
