"""The known mistakes in hiding: a triangle of its own, a mask that is passed, and rows with no key."""

from __future__ import annotations

from collections.abc import Mapping

from attnviz.checking.find.fault import Fault, row

CAUSAL = (
    *(row("causal-misses-itself",
          "The causal mask is off by one: a token may not look at itself, so the first one may look at nothing.",
          "torch.tril(ones), diagonal included; with triu mark what is forbidden: torch.triu(ones, diagonal=1)",
          causal="strict", blocked=blocked) for blocked in ("nan", "uniform", "zeros", "open")),
    row("causal-peeks-ahead",
        "The causal mask is off by one: each token sees the next one, the very token it should predict.",
        "torch.tril(ones), or forbid torch.triu(ones, diagonal=1), not diagonal=2", causal="peek"),
    *(row("causal-reversed",
          "The causal mask is reversed and hides the token itself too: each token sees only what comes after it, and "
          "the last one nothing.",
          "torch.tril(ones) marks what may be seen: scores.masked_fill(tril == 0, -inf)",
          causal="ahead", blocked=blocked) for blocked in ("nan", "uniform", "zeros", "open")),
    row("causal-after-softmax",
        "The causal mask comes after the softmax: the tokens that are hidden still take their share, and rows sum to "
        "less than 1.",
        "mask the scores, then softmax: torch.softmax(scores.masked_fill(tril == 0, -inf), dim=-1)", causal="after"),
    row("causal-as-zero-score",
        "Tokens to come get the score 0, not −∞: e⁰ = 1 still takes weight.",
        "scores.masked_fill(tril == 0, float('-inf')); multiplying the scores by tril gives 0", causal="zero"),
    row("causal-reversed",
        "The causal mask is reversed: each token sees only itself and what comes after it.",
        "torch.tril(ones) marks what may be seen; torch.triu(ones, diagonal=1) what may not", causal="reversed"),
)  # fmt: skip
CAUSAL_MISSING = row(
    "causal-missing", "Nothing hides the future: each token sees the tokens after it. Expected causal "
    "attention.",
    "scores.masked_fill(torch.triu(ones(T, T), diagonal=1).bool(), -inf) before the softmax", causal="no",
)  # fmt: skip
CAUSAL_UNASKED = row(
    "causal-unasked", "Each token sees only itself and what comes before it, and no causal mask was expected.",
    "leave out the triangle, or say check_attention(…, is_causal=True)", causal="right",
)  # fmt: skip

MASK: tuple[Fault, ...] = (
    row("mask-ignored",
        "The mask is ignored: with it and without it the output is the same.",
        "scores = scores.masked_fill(~mask, -inf) gives a new tensor: keep what it returns", mask="ignored"),
    *(row("mask-inverted",
          "The mask is read the wrong way round: each token looks only where the mask says it may not.",
          "{invert}",
          mask="inverted", blocked=blocked) for blocked in ("nan", "uniform", "zeros")),
    row("mask-after-softmax",
        "The mask comes after the softmax: hidden tokens still take their share, and rows sum to less than 1.",
        "mask the scores, then softmax: torch.softmax(scores.masked_fill(~mask, -inf), dim=-1)", mask="after"),
    row("mask-as-zero-score",
        "Hidden tokens get the score 0, not −∞: e⁰ = 1 still takes weight.",
        "scores.masked_fill(~mask, float('-inf')); multiplying by the mask, or filling with 1e-9 for -1e9, gives 0",
        mask="zero"),
    *(row("mask-transposed",
          "The mask is used transposed: its rows are taken for keys and its columns for queries.",
          "mask[query, key]: rows are queries, as in the scores",
          mask="transposed", blocked=blocked) for blocked in ("zeros", "nan", "uniform", "open")),
    row("mask-added-as-number",
        "The bool mask is added as a number: True raises a score by 1 and False hides nothing.",
        "scores.masked_fill(~mask, -inf), or add float('-inf') where a token may not look", mask="number"),
)  # fmt: skip

BLOCKED: Mapping[str, Fault] = {
    blocked: row("blocked-row-looks-everywhere", sentence,
                 "scores.masked_fill(~mask, -inf), and weights.masked_fill(~mask.any(-1, keepdim=True), 0) after the "
                 "softmax", blocked=blocked)
    for blocked, sentence in (
        ("uniform", "A query that may look at nothing looks at all tokens alike: a large finite number such as -1e9 "
        "hides nothing when a whole row has it. Expected zeros."),
        ("open", "A query that may look at nothing looks as if there were no mask: adding the same large number to a "
        "whole row changes nothing. Expected zeros."),
    )
}  # fmt: skip
