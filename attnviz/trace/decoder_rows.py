"""What the rows of a decoder write: each reads one token and writes the next.

Every picture names such a row by the token that was read, and says beside it what it writes.
"""

from dataclasses import replace

from attnviz.core.site import Stack
from attnviz.trace.tokens import NO_WORD, Tokens
from attnviz.trace.trace import Trace

END = "<end>"


def as_written(given: Tokens, end: str = END, end_id: int = -1) -> Tokens:
    """The token that each row of a decoder writes: the next one it is given, and in the last row the end.

    Args:
        given: the tokens the decoder read, its start token first.
        end: what the last row writes, which no decoder is given.
        end_id: its row of the embedding table, where it is known.
    Returns:
        as many tokens, the first of them the one that the start token's row writes.
    """
    last = len(given.source)
    return Tokens(
        (*given.text[1:], end), (*given.ids[1:], end_id), (*given.special[1:], True), (*given.unknown[1:], False),
        (*given.spans[1:], (last, last)), (*given.words[1:], NO_WORD), given.source,
        (*given.pieces[1:], end) if given.pieces else (),
    )  # fmt: skip


def written(trace: Trace) -> Tokens | None:
    """What the rows of the decoder write in a run over a source and a target; None where there is no target."""
    if trace.tokens.target is None:
        return None
    return as_written(trace.tokens.target, trace.predicted_tokens.texts[-1][0] if trace.predicted_tokens else END)


def next_words(trace: Trace) -> tuple[str, ...]:
    """What each row of the decoder writes next; () where nothing is written.

    Of an edited run, and of a model that continues its own text, that is what the model itself holds for likeliest.
    """
    target = written(trace)
    if target is not None and not trace.edits:
        return target.text
    predicted = trace.predicted_tokens
    writes = predicted is not None and any(site.stack == "decoder" for site in trace.sites)
    return tuple(texts[0] for texts in predicted.texts) if writes and predicted else ()


def continues(trace: Trace) -> bool:
    """Whether a run is of one text, and each of its rows writes the token that follows."""
    return trace.tokens.target is None and bool(next_words(trace))


def row_tokens(trace: Trace, stack: Stack) -> Tokens:
    """The tokens that name the rows of a stack; of a decoder's each with what its row writes: 没 → 买."""
    words = next_words(trace)
    if stack != "decoder" or not words:
        return trace.tokens.source
    read = trace.tokens.target or trace.tokens.source
    return replace(read, text=tuple(f"{read.name(at)} → {word}" for at, word in enumerate(words)))
