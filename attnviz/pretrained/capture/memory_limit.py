"""Refuses a text, before it runs, for which a run would keep or make more than 1 GiB that grows with its square."""

from bisect import bisect_right
from collections.abc import Sequence

from attnviz.core.errors import TooLong
from attnviz.core.site import Site
from attnviz.pretrained.capture.interface import Backend
from attnviz.pretrained.capture.operators import OperatorBackend
from attnviz.pretrained.tokens.tokenize import SentenceTokenizer
from attnviz.trace.run_facts import Card
from attnviz.trace.tokens import TokenPair

LIMIT_BYTES = 1 << 30
MOST = 1 << 20  # tokens, more than any model takes
NUMBER_BYTES = 4  # float32


def check_memory(backend: Backend, card: Card, pairs: Sequence[TokenPair], tokenizer: SentenceTokenizer) -> None:
    longest = max((pair.source for pair in pairs), key=len)
    n_source, n_target = len(longest), max(len(pair.target or pair.source) for pair in pairs)
    wanted = len(pairs) * bytes_of_text(backend, card, n_source, n_target)
    fits = tokens_that_fit(backend, card, len(pairs))
    if wanted <= LIMIT_BYTES or fits is None:
        return
    n, gib, most = max(n_source, n_target), wanted / 2**30, LIMIT_BYTES / 2**30
    raise TooLong(
        id="too-long-for-pairs", model=card.name, n=n, limit=fits, gib=round(gib, 1), most=round(most, 1),
        characters=len(tokenizer.first_part(longest.given, fits)),
    )  # fmt: skip


def bytes_of_text(backend: Backend, card: Card, n_source: int, n_target: int) -> int:
    """Bytes of one run: those that grow with the square of the text, and the queries and keys kept beside them."""
    longest = max(n_source, n_target)
    if not isinstance(backend, OperatorBackend):
        return backend.pair_bytes * longest**2
    pairs = sum(n_pairs(site, n_source, n_target) for site in (backend.sites or {}).values())
    return card.n_heads * NUMBER_BYTES * pairs + backend.token_bytes * longest


def tokens_that_fit(backend: Backend, card: Card, n_texts: int = 1) -> int | None:
    """How many tokens a text may have; None where nothing grows with its square."""
    if bytes_of_text(backend, card, 1, 1) == 0:
        return None
    too_many = bisect_right(range(MOST), LIMIT_BYTES // n_texts, key=lambda n: bytes_of_text(backend, card, n, n))
    return too_many - 1


def n_pairs(site: Site, n_source: int, n_target: int) -> int:
    """How many scores one head has at a site."""
    queries = n_target if site.stack == "decoder" else n_source
    return queries * (n_source if site.kind == "cross" else queries)
