"""Refuses a text, before it runs, for which a run would keep or make more than 1 GiB that grows with its square."""

from collections.abc import Sequence
from math import isqrt

from attnviz.core.errors import TooLong
from attnviz.core.site import Site
from attnviz.pretrained.capture.backends import Backend, OperatorBackend
from attnviz.pretrained.tokens.tokenize import SentenceTokenizer
from attnviz.trace.run_facts import Card
from attnviz.trace.tokens import TokenPair

LIMIT_BYTES = 1 << 30
NUMBER_BYTES = 4  # float32


def check_memory(backend: Backend, card: Card, pairs: Sequence[TokenPair], tokenizer: SentenceTokenizer) -> None:
    longest = max((pair.source for pair in pairs), key=len)
    n_source, n_target = len(longest), max(len(pair.target or pair.source) for pair in pairs)
    wanted = len(pairs) * bytes_of_text(backend, card, n_source, n_target)
    fits = tokens_that_fit(backend, card, len(pairs))
    if wanted <= LIMIT_BYTES or fits is None:
        return
    keeps = isinstance(backend, OperatorBackend)
    does, verb = ("keeps its scores", "kept") if keeps else ("makes a bias or a mask for every pair of tokens", "made")
    n, gib, most = max(n_source, n_target), wanted / 2**30, LIMIT_BYTES / 2**30
    raise TooLong(
        f"{card.name} {does}, and {n} tokens take {gib:.1f} GiB; at most {most:.1f} GiB are {verb}, which is {fits} "
        "tokens. Trace the first part of the text: model.first_part(text).",
        id="too-long-to-keep" if keeps else "too-long-for-pairs", model=card.name, n=n, limit=fits, gib=round(gib, 1),
        most=round(most, 1), characters=len(tokenizer.first_part(longest.source, fits)),
    )  # fmt: skip


def bytes_of_text(backend: Backend, card: Card, n_source: int, n_target: int) -> int:
    """Bytes of one run: those that grow with the square of the text, and the queries and keys kept beside them."""
    linear = backend.token_bytes if isinstance(backend, OperatorBackend) else 0
    return square_bytes(backend, card, n_source, n_target) + linear * max(n_source, n_target)


def square_bytes(backend: Backend, card: Card, n_source: int, n_target: int) -> int:
    """Bytes of one run that grow with the square of the text."""
    if isinstance(backend, OperatorBackend):
        pairs = sum(n_pairs(site, n_source, n_target) for site in (backend.sites or {}).values())
        return card.n_heads * NUMBER_BYTES * pairs
    return backend.pair_bytes * max(n_source, n_target) ** 2


def tokens_that_fit(backend: Backend, card: Card, n_texts: int = 1) -> int | None:
    """How many tokens a text may have; None where nothing grows with its square."""
    room, square = LIMIT_BYTES // n_texts, square_bytes(backend, card, 1, 1)
    linear = bytes_of_text(backend, card, 1, 1) - square
    # the largest n with square·n² + linear·n <= room
    return (isqrt(linear * linear + 4 * square * room) - linear) // (2 * square) if square else None


def n_pairs(site: Site, n_source: int, n_target: int) -> int:
    """How many scores one head has at a site."""
    queries = n_target if site.stack == "decoder" else n_source
    return queries * (n_source if site.kind == "cross" else queries)
