"""What a classifier, a tagger or a reader of questions predicts of the text on the screen, in one line."""

from attnviz.text import Strings
from attnviz.trace.run_facts import Prediction
from attnviz.trace.tokens import Tokens
from attnviz.trace.trace import Trace

MOST_CLASSES = 5  # of a text
MOST_WORDS = 64  # whose labels are said


def predicted_line(trace: Trace, say: Strings) -> str | None:
    """None of a model that predicts tokens or nothing."""
    prediction, tokens = trace.prediction, trace.tokens.source
    if prediction is None or prediction.of == "tokens":
        return None
    if prediction.of == "span":
        return _span(prediction, tokens, say)
    if prediction.of == "classes":
        pairs = list(zip(prediction.texts[0], prediction.probabilities[0].tolist(), strict=True))[:MOST_CLASSES]
        return say("heads-predicts-any" if prediction.is_any else "heads-predicts-classes", classes=_listed(pairs, say))
    rows = [row for row, special in enumerate(tokens.special) if not special][:MOST_WORDS]
    labels = [
        (f"{tokens.name(row)} → {prediction.texts[row][0]}", float(prediction.probabilities[row, 0])) for row in rows
    ]
    return say("heads-predicts-labels", labels=_listed(labels, say))


def _listed(pairs: list[tuple[str, float]], say: Strings) -> str:
    return ", ".join(say("heads-predicts-one", name=name, percent=f"{100 * share:.1f}%") for name, share in pairs)


def _span(prediction: Prediction, tokens: Tokens, say: Strings) -> str:
    """Where the likeliest span starts and ends; its text, where the end is not before the start."""
    start, end = prediction.ids[:, 0].tolist()
    text = tokens.source[tokens.spans[start][0] : tokens.spans[end][1]] if start <= end else ""
    shares = [f"{100 * share:.1f}%" for share in prediction.probabilities[:, 0].tolist()]
    named = {"start": tokens.name(start), "end": tokens.name(end), "first": shares[0], "last": shares[1]}
    return say("heads-predicts-span" if text.strip() else "heads-predicts-no-span", text=text, **named)
