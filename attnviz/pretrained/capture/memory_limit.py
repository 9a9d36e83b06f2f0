"""What a run has to keep when scores are kept: counted before it runs, for it grows with the square of the text."""

from collections.abc import Sequence
from math import isqrt

from attnviz.core.errors import TooLong
from attnviz.core.site import Site
from attnviz.pretrained.capture.backends import OperatorWay, Way
from attnviz.pretrained.tokens.tokenize import SentenceTokenizer
from attnviz.trace.tokens import TokenPair
from attnviz.trace.trace import Card

KEPT_BYTES = 1 << 30  # the most scores one run may keep
NUMBER_BYTES = 4  # float32


def check_kept_bytes(way: Way, card: Card, pairs: Sequence[TokenPair], tokenizer: SentenceTokenizer) -> None:
    """Refuse texts that would make more than fits.

    Raises:
        TooLong: with the bytes they would take, how many tokens fit, and how many characters of the longest those are.
    """
    longest = max((pair.source for pair in pairs), key=len)
    n_source, n_target = len(longest), max(len(pair.target or pair.source) for pair in pairs)
    wanted = len(pairs) * bytes_of_one(way, card, n_source, n_target)
    fits = tokens_that_fit(way, card, len(pairs))
    if wanted <= KEPT_BYTES or fits is None:
        return
    n, gib, most = max(n_source, n_target), wanted / 2**30, KEPT_BYTES / 2**30
    characters = len(tokenizer.first_part(longest.source, fits))
    if isinstance(way, OperatorWay):
        raise TooLong(
            f"{card.name} keeps its scores, and those of {n} tokens take {gib:.1f} GiB; at most {most:.1f} GiB are "
            f"kept, which is {fits} tokens. Trace the first part of the text: model.first_part(text).",
            id="too-long-to-keep", model=card.name, n=n, limit=fits, gib=round(gib, 1), most=round(most, 1),
            characters=characters,
        )  # fmt: skip
    raise TooLong(
        f"{card.name} makes a bias or a mask for every pair of tokens, and {n} tokens take {gib:.1f} GiB; at most "
        f"{most:.1f} GiB are made, which is {fits} tokens. Trace the first part of the text: model.first_part(text).",
        id="too-long-for-pairs", model=card.name, n=n, limit=fits, gib=round(gib, 1), most=round(most, 1),
        characters=characters,
    )  # fmt: skip


def bytes_of_one(way: Way, card: Card, n_source: int, n_target: int) -> int:
    """Bytes of one run: those that grow with the square of the text, and the queries and keys kept beside them."""
    linear = way.token_bytes if isinstance(way, OperatorWay) else 0
    return square_bytes(way, card, n_source, n_target) + linear * max(n_source, n_target)


def square_bytes(way: Way, card: Card, n_source: int, n_target: int) -> int:
    """Bytes that grow with the square of the text, of one run."""
    if isinstance(way, OperatorWay):
        numbers = sum(pairs_of_tokens(site, n_source, n_target) for site in (way.order or {}).values())
        return card.n_heads * NUMBER_BYTES * numbers
    return way.pair_bytes * max(n_source, n_target) ** 2


def tokens_that_fit(way: Way, card: Card, n_texts: int = 1) -> int | None:
    """How many tokens a text may have for what is kept to fit; None where nothing grows with its square."""
    room, square = KEPT_BYTES // n_texts, square_bytes(way, card, 1, 1)
    linear = bytes_of_one(way, card, 1, 1) - square
    # the largest n with square·n² + linear·n <= room
    return (isqrt(linear * linear + 4 * square * room) - linear) // (2 * square) if square else None


def pairs_of_tokens(site: Site, n_source: int, n_target: int) -> int:
    """How many scores one head has at a site."""
    queries = n_target if site.stack == "decoder" else n_source
    return queries * (n_source if site.kind == "cross" else queries)
