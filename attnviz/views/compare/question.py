"""What a comparison opens with: its question in words, and the next words of both sides where both texts go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attnviz.analysis.compare.self_attention_heads import is_one_model
from attnviz.trace.decoder_rows import continues
from attnviz.views.compare.header import NextWords

if TYPE_CHECKING:
    from attnviz.analysis.compare import Comparison
    from attnviz.trace.trace import Trace

LIKELIEST = 3  # next words of a side
OURS = "ours:"  # how the name of a model in our blocks begins, before its own
RANDOM = "random numbers"  # how the source of a model without training begins
NO_STEP = "@0"  # how the revision of a model ends before the first step of its training


def question(comparison: Comparison) -> str:
    """The message that asks what these two sides are compared for."""
    a, b = comparison.trace_a, comparison.trace_b
    if comparison.is_of_two_texts:
        return "compare-question-texts"
    if is_untrained(a) != is_untrained(b):
        return "compare-question-training"
    if OURS + a.card.id == b.card.id or OURS + b.card.id == a.card.id:
        return "compare-question-same"
    if is_one_model(a, b):
        return "compare-question-edit" if a.edits or b.edits else "compare-question-same"
    if a.card.id == b.card.id:
        return "compare-question-steps"
    return "compare-question-models" if comparison.is_same_shape else "compare-question-nearest"


def is_untrained(trace: Trace) -> bool:
    return trace.card.source.startswith(RANDOM) or trace.card.revision.endswith(NO_STEP)


def next_words(comparison: Comparison) -> NextWords | None:
    """The likeliest next words of each side, and what the likeliest of either lose or gain; None where no text goes on.

    A side that predicts nothing has none.
    """
    of_sides = [_last_row(trace) for trace in comparison.traces]
    if not any(of_sides):
        return None
    first, second = of_sides
    likeliest = dict.fromkeys(text for words in of_sides for text in list(words)[:1])
    both = [(text, first[text], second[text]) for text in likeliest if text in first and text in second]
    a, b = (list(words.items())[:LIKELIEST] for words in of_sides)
    untrained = [side for side, trace in zip("ab", comparison.traces, strict=True) if is_untrained(trace)]
    return {"a": a, "b": b, "both": both, "untrained": untrained}


def _last_row(trace: Trace) -> dict[str, float]:
    """The words that are held for likeliest after the text, with their probabilities."""
    prediction = trace.predicted_tokens
    if prediction is None or not continues(trace):
        return {}
    words: dict[str, float] = {}
    for text, share in zip(prediction.texts[-1], prediction.probabilities[-1].tolist(), strict=True):
        words.setdefault(text, share)
    return words
