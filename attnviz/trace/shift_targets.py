"""The rows of cross-attention by what they write: a decoder reads one token and is about to write the next.

The convention of every picture of cross-attention here; a `Trace` itself keeps the tokens that were read.
"""

from __future__ import annotations

from attnviz.trace.tokens import NO_WORD, Tokens

END = "<end>"


def as_written(given: Tokens, end: str = END, end_id: int = -1) -> Tokens:
    """Name each row of a decoder by the token it writes: the next one it is given, and in the last row the end.

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
