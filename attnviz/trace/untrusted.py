"""A trace may come from anyone, in a file or from a service: what pages rely on beyond its shapes is checked here."""

from dataclasses import fields

import torch
from torch import Tensor

from attnviz.core.errors import AttnvizError, TraceFileError
from attnviz.trace.records import AttentionRecord
from attnviz.trace.run_facts import Card
from attnviz.trace.tokens import Tokens
from attnviz.trace.trace import Trace
from attnviz.trace.weight_sources import Replay

MOST_HEADS = 1000
MOST_TEXT = 1000  # characters of what a card says
_CARD_NUMBERS = ("n_layers", "n_heads", "d_model", "parameters")


def refuse_impossible(trace: Trace, path: str, *, most_heads: int = MOST_HEADS) -> None:
    """Refuse what a page cannot show: a field of another type, numbers that are not finite, too many heads.

    Raises:
        TraceFileError: it names `path`.
    """
    try:
        holds = is_card(trace.card) and all(isinstance(edit.label, str) for edit in trace.edits)
        holds = holds and all(_are_tokens(it) for it in (trace.tokens.source, trace.tokens.target) if it is not None)
        holds = holds and sum(record.n_heads for record in trace.records.values()) <= most_heads
        holds = holds and all(_is_record(record) for record in trace.records.values())
        holds = holds and (trace.prediction is None or _is_prediction(trace))
        holds = holds and all(_is_stream(trace, point, value) for point, value in trace.stream.items())
    except (AttnvizError, TypeError, ValueError, LookupError, AttributeError, RuntimeError):
        holds = False  # a replay that does not fit
    if not holds:
        raise TraceFileError(
            f"{path} is cut short or not a trace. Make it again with Trace.save().", id="broken-trace", path=path
        )  # fmt: skip


def is_card(card: Card) -> bool:
    """Whether every field of a card has the type it should have."""
    texts = [getattr(card, field.name) for field in fields(Card) if field.type is str]
    numbers = [getattr(card, name) for name in _CARD_NUMBERS]
    return all(isinstance(it, str) and len(it) <= MOST_TEXT for it in texts) and all(type(it) is int for it in numbers)


def _are_tokens(tokens: Tokens) -> bool:
    n = len(tokens.source)
    return (
        all(isinstance(it, str) for it in (tokens.source, *tokens.text, *tokens.pieces))
        and all(type(it) is int for it in (*tokens.ids, *tokens.words))
        and all(isinstance(it, bool) for it in (*tokens.special, *tokens.unknown))
        and all(type(it) is int for span in tokens.spans for it in span)
        and all(0 <= start <= end <= n for start, end in tokens.spans)
    )


def _is_record(record: AttentionRecord) -> bool:
    source = record.source
    parts = [source.q, source.k, source.v] if isinstance(source, Replay) else [source.kept, source.v]
    parts += [part for name, part in record.edited.items() if name != "masked"]
    masked = record.edited.get("masked")  # -inf where a query cannot attend, or an edge was cut
    if masked is not None and not bool((masked < torch.inf).all()):
        return False
    if not all(part.numel() and part.isfinite().all() for part in parts):
        return False
    for row in (0, record.n_queries - 1):  # what does not fit together shows where it is replayed
        weights = record.weights(rows=slice(row, row + 1))  # [H, 1, T_k]
        if weights.shape != (record.n_heads, 1, record.n_keys) or not bool(weights.isfinite().all()):
            return False
    return True


def _is_prediction(trace: Trace) -> bool:
    found = trace.prediction
    assert found is not None
    n = len(trace.tokens.target or trace.tokens.source)
    same = found.ids.shape == found.probabilities.shape == (n, len(found.texts[0])) and len(found.texts) == n
    numbers = found.ids.dtype == torch.int64 and found.probabilities.is_floating_point()
    words = all(isinstance(text, str) for row in found.texts for text in row)
    return same and numbers and words and bool(found.probabilities.isfinite().all())


def _is_stream(trace: Trace, point: str, value: Tensor) -> bool:
    """Whether what is kept of the residual stream is [T, d_model] of one of the texts."""
    lengths = [len(it) for it in (trace.tokens.source, trace.tokens.target) if it is not None]
    return value.is_floating_point() and value.ndim == 2 and len(value) in lengths and bool(value.isfinite().all())
