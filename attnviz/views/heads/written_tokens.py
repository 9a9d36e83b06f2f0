"""Which rows wrote which tokens: a decoder's row holds what it attended to when it wrote the next token."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import torch

from attnviz.analysis.heads.effect import embedding
from attnviz.core.capture import Recorder
from attnviz.core.errors import StepError
from attnviz.core.recording import Recording
from attnviz.trace.decoder_rows import next_words, written
from attnviz.views.headers import Token
from attnviz.views.heads.header import PredictedWords, TextVector, WrittenTokens
from attnviz.views.heads.tokens import token_rows

if TYPE_CHECKING:
    from attnviz.text import Strings
    from attnviz.trace.generation import Stretch
    from attnviz.trace.sampling import Sampling
    from attnviz.trace.trace import Trace
    from attnviz.views.heads.attention_parts import Part

LIKELIEST = 5  # words of a row
MOST_ROWS = 256  # of a text whose rows all travel


def written_by(trace: Trace, part: Part, stretches: Sequence[Stretch], say: Strings) -> WrittenTokens | None:
    """Return the written tokens in their order, each with the row that wrote it.

    Args:
        stretches: of a text that a model continued, what it wrote of it.
    Returns:
        `rows`, `tokens` as `token_rows` has them, `shares`, the probability of each, `ranks`, its place among
        the likeliest 20, whether it was `chosen` by hand, `how` the model chose it, in words, and `is_continued`,
        whether it is one text; None where this part writes nothing.
    """
    places: dict[int, Stretch] = {}
    target = trace.tokens.target
    written_text = written(trace)
    if written_text is not None and part != "encoder":
        rows = list(range(len(written_text)))
        names = token_rows(written_text)
        ids: list[int | None] = [*written_text.ids[:-1], None]
    elif target is None and (places := _places(trace, stretches)):
        rows, named = [at - 1 for at in places], token_rows(trace.tokens.source)
        names, ids = [named[at] for at in places], [trace.tokens.source.ids[at] for at in places]
    else:
        return None
    ranks = [_rank(trace, row, number) for row, number in zip(rows, ids, strict=True)]
    chosen = [stretch.is_chosen and at == stretch.first for at, stretch in places.items()] or [False] * len(names)
    how = [
        "" if by_hand or stretch.sampling is None else sampling_in_words(stretch.sampling, say)
        for by_hand, stretch in zip(chosen, places.values(), strict=False)
    ]
    return {
        "rows": rows, "tokens": names, "shares": _shares(trace, rows, ids, ranks), "ranks": ranks,
        "chosen": chosen, "how": how or [""] * len(names), "is_continued": target is None,
    }  # fmt: skip


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
    goes_on = is_next and trace.tokens.target is None and not trace.tokens.source.form
    return {"rows": rows, "is_next": is_next, "goes_on": goes_on, "first": first}


def vector_of(trace: Trace) -> TextVector | None:
    """What there is of a model that predicts nothing: its vector of the text, which the run has to hold."""
    if trace.prediction is not None or trace.tokens.target is not None:
        return None
    try:
        return {"width": len(embedding(trace))}
    except StepError:
        return None


def _blank(trace: Trace) -> int | None:
    """The first token that stands for a hidden one."""
    tokens = trace.tokens.source
    names = (text.strip("<>[]").lower() for text in tokens.text)
    return next((at for at, name in enumerate(names) if name == "mask" and tokens.special[at]), None)


def marked(rows: list[Token], trace: Trace, stretches: Sequence[Stretch]) -> list[Token]:
    """The tokens of a text, those with `written` that the model continued it with."""
    places = {} if trace.tokens.target is not None else _places(trace, stretches)
    return [row | {"written": True} if at in places else row for at, row in enumerate(rows)]


def _places(trace: Trace, stretches: Sequence[Stretch]) -> dict[int, Stretch]:
    """The place of each written token, and what it is part of."""
    n = len(trace.tokens.source)
    return {
        at: stretch for stretch in stretches if stretch.first >= 1
        for at in range(stretch.first, min(stretch.first + stretch.n, n))
    }  # fmt: skip


def sampling_in_words(sampling: Sampling, say: Strings) -> str:
    """How a token is drawn: "T 0.8 · top-k 40 · seed 7"."""
    filters = {"top-k": sampling.top_k, "top-p": sampling.top_p}
    kept = [f"{name} {value:g}" for name, value in filters.items() if value is not None]
    return " · ".join([f"T {sampling.temperature:g}", *kept, f"{say('write-seed').lower()} {sampling.seed}"])


def _rank(trace: Trace, row: int, number: int | None) -> int | None:
    """The place of a token among the likeliest of its row; that of None is the first."""
    prediction = trace.predicted_tokens
    if prediction is None or row >= len(prediction.ids):
        return None
    ids = prediction.ids[row].tolist()
    return 0 if number is None else ids.index(number) if number in ids else None


def _shares(
    trace: Trace, rows: Sequence[int], ids: Sequence[int | None], ranks: Sequence[int | None]
) -> list[float | None]:
    """The probability of each; of one not among the likeliest it is run again, where the trace has its model."""
    prediction = trace.predicted_tokens
    shares = [
        None if rank is None or prediction is None else float(prediction.probabilities[row, rank])
        for row, rank in zip(rows, ranks, strict=True)
    ]
    missing = {at: number for at, number in enumerate(ids) if shares[at] is None and number is not None}
    if missing and trace.rerun is not None and trace.rerun.logits is not None:
        recomputed = _recomputed(trace, [rows[at] for at in missing], list(missing.values()))
        for at, share in zip(missing, recomputed, strict=True):
            shares[at] = share
    return shares


def _recomputed(trace: Trace, rows: Sequence[int], ids: Sequence[int]) -> list[float]:
    rerun = trace.rerun
    assert rerun is not None and rerun.logits is not None  # asked before
    with torch.inference_mode(), Recorder(Recording, edits=rerun.edits):
        states = rerun.states(1)[0][list(rows)]  # [R, d_model]
        read = (trace.tokens.target or trace.tokens.source).ids
        logits = rerun.logits(states, torch.tensor([read[row] for row in rows], device=states.device)).float()  # [R, V]
        return logits.softmax(-1)[range(len(rows)), list(ids)].tolist()
