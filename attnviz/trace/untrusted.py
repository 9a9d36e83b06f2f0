"""A trace may come from anyone, in a file or from a service: what pages rely on beyond its shapes is checked here."""

import torch
from pydantic import ConfigDict, TypeAdapter
from torch import Tensor

from attnviz.core.errors import AttnvizError, TraceFileError
from attnviz.trace.records import AttentionRecord
from attnviz.trace.run_facts import AppliedEdit, Card, Verified
from attnviz.trace.tokens import TokenPair, Tokens
from attnviz.trace.trace import Trace

MOST_HEADS = 1000
MOST_TEXT = 1000  # characters of what a card says
# A header is JSON, so a field can hold another type than its class says.
_STRICT = ConfigDict(strict=True, revalidate_instances="always")
_CARDS = TypeAdapter(tuple[Card], config=ConfigDict(**_STRICT, str_max_length=MOST_TEXT))
_PARTS = TypeAdapter(tuple[TokenPair, Verified | None, tuple[AppliedEdit, ...]], config=_STRICT)


def refuse_impossible(trace: Trace, path: str, *, most_heads: int = MOST_HEADS) -> None:
    """Refuse what a page cannot show: a field of another type, numbers that are not finite, too many heads.

    Raises:
        TraceFileError: it names `path`.
    """
    try:
        check_card(trace.card)
        _PARTS.validate_python((trace.tokens, trace.verified, trace.edits))
        holds = all(_spans_fit(tokens) for tokens in (trace.tokens.source, trace.tokens.target) if tokens is not None)
        holds = holds and sum(record.n_heads for record in trace.records.values()) <= most_heads
        holds = holds and all(_is_record(record) for record in trace.records.values())
        holds = holds and (trace.prediction is None or _is_prediction(trace))
        holds = holds and all(_is_stream(trace, point, value) for point, value in trace.stream.items())
    except (AttnvizError, TypeError, ValueError, LookupError, AttributeError, RuntimeError, OverflowError):
        holds = False  # a replay that does not fit
    if not holds:
        raise TraceFileError(id="broken-trace", path=path)


def check_card(card: Card) -> None:
    """Refuse a card, by a ValueError, with a field of another type than its class says or with a very long text."""
    _CARDS.validate_python((card,))


def _spans_fit(tokens: Tokens) -> bool:
    return all(0 <= start <= end <= len(tokens.source) for start, end in tokens.spans)


def _is_record(record: AttentionRecord) -> bool:
    parts = list(record.source.tensors.values())
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
    given = trace.prediction
    assert given is not None
    n = {"classes": 1, "span": 2}.get(given.of, len(trace.tokens.target or trace.tokens.source))
    same = given.ids.shape == given.probabilities.shape == (n, len(given.texts[0])) and len(given.texts) == n
    numbers = given.ids.dtype == torch.int64 and given.probabilities.is_floating_point()
    words = all(isinstance(text, str) for row in given.texts for text in row)
    kinds = given.of in ("tokens", "classes", "labels", "span") and isinstance(given.is_any, bool)
    return same and numbers and words and kinds and bool(given.probabilities.isfinite().all())


def _is_stream(trace: Trace, point: str, value: Tensor) -> bool:
    """Whether what is kept of the residual stream is [T, d_model] of one of the texts."""
    lengths = [len(tokens) for tokens in (trace.tokens.source, trace.tokens.target) if tokens is not None]
    return value.is_floating_point() and value.ndim == 2 and len(value) in lengths and bool(value.isfinite().all())
