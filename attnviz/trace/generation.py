"""A text that a model wrote on: its own beginning, and then the likeliest token each time, or drawn (sampling.py)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Continued:
    """What a model made of the beginning of a text."""

    text: str  # all of it; tracing it reads the same tokens that were written
    first: int  # the place of the first written token among those of the text
    n: int  # how many tokens were written
    has_ended: bool  # the model wrote its end token, which is not part of the text


def read_back(
    text: str,
    given: Sequence[int],
    written: Sequence[int],
    decode: Callable[[Sequence[int]], str],
    read: Callable[[str], Sequence[int]],
) -> tuple[str, int]:
    """The text with as much of what was written as is read in the same tokens again.

    Letters that were written one by one may be read as one token, and part of a character is no text at all.

    Args:
        text: the beginning. given: its ids. written: those that follow.
        decode: ids to text. read: text to ids, without what is added at its end.
    Returns:
        the text, and how many of the written tokens are in it.
    """  # fmt: skip
    begun = decode(given)
    for n in range(len(written), 0, -1):
        ids = [*given, *written[:n]]
        whole = decode(ids)
        longer = text + whole[len(begun) :]
        if whole.startswith(begun) and list(read(longer)) == ids:
            return longer, n
    return text, 0
