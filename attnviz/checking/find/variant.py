"""What can be done otherwise than in the paper, a field each; mistaken.py computes it.

`Variant()` has no mistake and is the paper's.
"""

from __future__ import annotations

from dataclasses import dataclass

from attnviz.checking.find.positions import Positions


@dataclass(frozen=True)
class Variant:
    """One way to compute attention; every default is the paper's."""

    reads: str = "qkv"  # of which input q, k and v are made: "qqv" makes the keys of the query's text
    sequence: str = "token"  # or "batch": texts attend to texts
    projections: str = "qkv"  # which matrix makes q, which k, which v
    flipped: str = ""  # letters of the matrices that are used untransposed
    unbiased: str = ""  # letters of the projections whose bias is left out
    skipped: str = ""  # letters of the projections that are left out: x itself is taken
    heads: str = "split"  # or "whole": one head over all features
    split: str = "right"  # or "unswapped" [B, T, H, Dh], "viewed" across tokens, "strided" every H-th feature
    shared: str = (
        "right"  # or "tiled": heads that share keys and values are not neighbours; "keys tiled", "values tiled"
    )
    scale: str = "head"  # a key of `divisors`, or a number as text
    causal: str = "no"  # or "right", "strict" (not itself), "peek" (one ahead), "reversed" (itself and ahead), "ahead",
    # "after" (after the softmax), "zero" (scores of 0)
    mask: str = "right"  # or "ignored", "inverted", "transposed", "zero", "number", "after"
    blocked: str = "zeros"  # a row without keys; or "nan", "uniform", "open"
    keys: str = "all"  # or "but the first", "but the last", "but itself", "and zeros": one more score of 0 in each row
    shifted: int = 0  # by how many tokens the values are shifted against the keys
    softmax: str = "key"  # or "query", "head", "batch", "all", "none", "twice", "unscaled", "log", "sigmoid"
    mixing: str = "right"  # or "transposed": weightsᵀ V; "sum", "mean": of all values, whatever the weights
    merge: str = "right"  # or "viewed" without the transpose, "strided" heads innermost
    out: str = "right"  # or "missing" W_O, "residual" x added
    positions: Positions | None = None  # no mistake: what the layer adds on purpose
    turned: str = "qk"  # what rotary positions turn
    detached: str = ""  # the value whose gradient is cut: input, q, k, v, scores, weights, context


def divisors(head_width: int, n_heads: int, n_queries: int, value_width: int | None = None) -> dict[str, float]:
    """What QKᵀ is divided by: right under "head", and by mistake under the other names."""
    d_model = head_width * n_heads
    return {
        "head": head_width**0.5,
        "none": 1.0,
        "model": d_model**0.5,
        "twice": float(head_width),
        "precedence": 2.0 * head_width,
        "half": head_width / 2,
        "multiplied": head_width**-0.5,
        "d_model": float(d_model),
        "tokens": n_queries**0.5,
        "heads": n_heads**0.5,
        "values": (value_width or head_width) ** 0.5,
    }


def divisor_of(scale: str, head_width: int, n_heads: int, n_queries: int, value_width: int | None = None) -> float:
    """What QKᵀ is divided by in a variant."""
    named = divisors(head_width, n_heads, n_queries, value_width)
    return named[scale] if scale in named else float(scale)
