"""What a run has to keep when scores are kept: counted before it runs, for it grows with the square of the text."""

from collections.abc import Sequence
from math import isqrt

from attnviz.core.errors import TooLong
from attnviz.core.site import Site
from attnviz.core.tokens import TokenPair
from attnviz.core.trace import Card
from attnviz.pretrained.ways import OperatorWay, Way

KEPT_BYTES = 1 << 30  # the most scores one run may keep
NUMBER_BYTES = 4  # float32


def check_kept_bytes(way: Way, card: Card, pairs: Sequence[TokenPair]) -> None:
    """Refuse texts that would make more than fits.

    Raises:
        TooLong: with the bytes they would take, and how many tokens fit.
    """
    n_source = max(len(pair.source) for pair in pairs)
    n_target = max(len(pair.target or pair.source) for pair in pairs)
    if isinstance(way, OperatorWay):
        sites = tuple((way.order or {}).values())
        numbers = sum(pairs_of_tokens(site, n_source, n_target) for site in sites)
        each = card.n_heads * NUMBER_BYTES
        refuse_large(card, len(pairs) * each * numbers, n_source, each * len(sites), keeps_scores=True)
    elif way.pair_bytes:
        n = max(n_source, n_target)
        refuse_large(card, len(pairs) * way.pair_bytes * n * n, n, way.pair_bytes, keeps_scores=False)


def refuse_large(card: Card, wanted: int, n: int, pair_bytes: int, *, keeps_scores: bool) -> None:
    """Refuse so many bytes; `pair_bytes` are those of one pair of tokens of one text."""
    if wanted <= KEPT_BYTES:
        return
    fits, gib, most = isqrt(KEPT_BYTES // pair_bytes), wanted / 2**30, KEPT_BYTES / 2**30
    if keeps_scores:
        raise TooLong(
            f"{card.name} keeps its scores, and those of {n} tokens take {gib:.1f} GiB; at most {most:.1f} GiB are "
            f"kept, which is {fits} tokens. Trace the first part of the text.",
            id="too-long-to-keep", model=card.name, n=n, limit=fits, gib=round(gib, 1), most=round(most, 1),
        )  # fmt: skip
    raise TooLong(
        f"{card.name} makes a bias or a mask for every pair of tokens, and {n} tokens take {gib:.1f} GiB; at most "
        f"{most:.1f} GiB are made, which is {fits} tokens. Trace the first part of the text.",
        id="too-long-for-pairs", model=card.name, n=n, limit=fits, gib=round(gib, 1), most=round(most, 1),
    )  # fmt: skip


def pairs_of_tokens(site: Site, n_source: int, n_target: int) -> int:
    """How many scores one head has at a site."""
    queries = n_target if site.stack == "decoder" else n_source
    return queries * (n_source if site.kind == "cross" else queries)
