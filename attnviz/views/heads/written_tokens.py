"""Which rows wrote which tokens: a decoder's row holds what it attended to when it wrote the next token."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attnviz.trace.decoder_rows import next_words, written
from attnviz.views.headers import Token
from attnviz.views.heads.header import PredictedWords, WrittenTokens
from attnviz.views.heads.tokens import token_rows

if TYPE_CHECKING:
    from attnviz.trace.trace import Trace
    from attnviz.views.heads.attention_parts import Part

LIKELIEST = 5  # words of a row
MOST_ROWS = 256  # of a text whose rows all travel


def written_by(trace: Trace, part: Part, written_from: int | None) -> WrittenTokens | None:
    """Return the written tokens in their order, each with the row that wrote it.

    Args:
        written_from: of a text that a model continued, the first token that it wrote; at least 1.
    Returns:
        `rows`, `tokens` as `token_rows` has them, `shares`, the probability of each where it is among the likeliest
        20, and `is_continued`, whether it is one text; None where this part writes nothing.
    """
    target = trace.tokens.target
    written_text = written(trace)
    if written_text is not None and part != "encoder":
        rows = range(len(written_text))
        names = token_rows(written_text)
        ids: list[int | None] = [*written_text.ids[:-1], None]
    elif target is None and written_from is not None and 1 <= written_from < len(trace.tokens.source):
        rows = range(written_from - 1, len(trace.tokens.source) - 1)
        names = token_rows(trace.tokens.source)[written_from:]
        ids = list(trace.tokens.source.ids[written_from:])
    else:
        return None
    shares = [_share(trace, row, number) for row, number in zip(rows, ids, strict=True)]
    return {"rows": list(rows), "tokens": names, "shares": shares, "is_continued": target is None}


def predicted_by(trace: Trace, part: Part) -> PredictedWords | None:
    """Return the likeliest words of each row of this part; None where it predicts none.

    A model that fills blanks is asked for its first blank, one that writes for its last row. Of a long text that row
    alone travels.
    """
    prediction = trace.predicted_tokens
    if prediction is None or (trace.tokens.target is not None and part == "encoder"):
        return None
    is_next = bool(next_words(trace))
    first = len(prediction.texts) - 1 if is_next else _blank(trace)
    rows = [
        list(zip(texts[:LIKELIEST], shares[:LIKELIEST].tolist(), strict=True))
        if len(prediction.texts) <= MOST_ROWS or row == first
        else []
        for row, (texts, shares) in enumerate(zip(prediction.texts, prediction.probabilities, strict=True))
    ]
    return {"rows": rows, "is_next": is_next, "first": first}


def _blank(trace: Trace) -> int | None:
    """The first token that stands for a hidden one."""
    tokens = trace.tokens.source
    names = (text.strip("<>[]").lower() for text in tokens.text)
    return next((at for at, name in enumerate(names) if name == "mask" and tokens.special[at]), None)


def marked(rows: list[Token], trace: Trace, written_from: int | None) -> list[Token]:
    """The tokens of a text, those with `written` that the model continued it with."""
    if trace.tokens.target is not None or written_from is None or written_from < 1:
        return rows
    return [*rows[:written_from], *(row | {"written": True} for row in rows[written_from:])]


def _share(trace: Trace, row: int, number: int | None) -> float | None:
    """The probability of a token in a row; of None the likeliest one's."""
    prediction = trace.predicted_tokens
    if prediction is None or row >= len(prediction.ids):
        return None
    ids = prediction.ids[row].tolist()
    at = 0 if number is None else ids.index(number) if number in ids else None
    return None if at is None else float(prediction.probabilities[row, at])
