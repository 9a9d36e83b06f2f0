"""What the left side shows: how alike all heads of two models are, where they lie on a plane, and their kinds.

Nothing is measured here; a plane and a matching are made once for each set of sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from attnviz.analysis.compare import one_to_one
from attnviz.analysis.compare.self_attention_heads import self_attention_sites
from attnviz.analysis.heads.kinds import MIXED, TABLE
from attnviz.views.compare.header import Similarity as AllHeads
from attnviz.views.pack import Arrays

if TYPE_CHECKING:
    from attnviz.analysis.compare import Comparison, HeadMap, Similarity
    from attnviz.trace.trace import Trace

MOST_LOGARITHMS = 2e9  # of all pairs of heads on the text on the screen: three seconds of one core
NOBODY = 65_535  # in place of a partner, where one side has more heads than the other

_planes: WeakKeyDictionary[Similarity, HeadMap] = WeakKeyDictionary()


def layer_heads(trace: Trace) -> list[int]:
    """How many heads each attention has that reads the text."""
    return [trace[site].n_heads for site in self_attention_sites(trace)]


def can_measure(comparison: Comparison) -> bool:
    """Whether all heads can be compared on this text while a person waits; over many sentences it is done beside."""
    n_heads = sum(layer_heads(comparison.trace_a)) + sum(layer_heads(comparison.trace_b))
    return (n_heads * len(comparison.units)) ** 2 / 2 <= MOST_LOGARITHMS


def all_pairs(over: Similarity | None, source: str) -> tuple[AllHeads | None, Arrays]:
    """How alike all heads are, with the sentences that this rests on; nothing where that was not measured.

    Returns:
        facts for the header, and `js` float32 [Ha, Hb] in bits, `points` float32 [Ha + Hb, 2], and for each side, as
        numbers of heads of the other, `nearest_a`, `partner_a` uint16 [Ha] and `nearest_b`, `partner_b` [Hb]; 65,535
        has no partner.
    """
    if over is None:
        return None, {}
    facts: AllHeads = {
        "source": source, "n": over.n_sentences, "skipped": over.n_skipped, "by_words": over.by_words,
        "stress": plane(over).stress,
    }  # fmt: skip
    js = over.js
    partner_a, partner_b = (np.full(n, NOBODY, dtype=np.uint16) for n in js.shape)
    of_a, of_b = one_to_one(js)
    partner_a[of_a], partner_b[of_b] = of_b, of_a
    return facts, {
        "js": js.astype(np.float32), "points": plane(over).points.astype(np.float32),
        "nearest_a": js.argmin(1).astype(np.uint16), "nearest_b": js.argmin(0).astype(np.uint16),
        "partner_a": partner_a, "partner_b": partner_b,
    }  # fmt: skip


def kinds_of_sides(comparison: Comparison, kinds: tuple[Sequence[str], Sequence[str]]) -> Arrays:
    """`kinds_a` and `kinds_b`, uint8, each an index of the table; a name that is in no table is mixed.

    Raises:
        ValueError: there are more or fewer kinds than heads.
    """
    places = {kind.name: at for at, kind in enumerate(TABLE)}
    arrays: Arrays = {}
    for side, trace, names in zip("ab", (comparison.trace_a, comparison.trace_b), kinds, strict=True):
        n_heads = sum(layer_heads(trace))
        if len(names) != n_heads:
            raise ValueError(f"{len(names)} kinds for the {n_heads} heads of {side.upper()}. Give one for each head.")
        arrays[f"kinds_{side}"] = np.array([places.get(name, places[MIXED.name]) for name in names], dtype=np.uint8)
    return arrays


def plane(over: Similarity) -> HeadMap:
    """All heads of both sides on a plane, made once: a second for 768 heads, so who measures them makes it too."""
    if over not in _planes:
        _planes[over] = over.map()
    return _planes[over]
