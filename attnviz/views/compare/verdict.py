"""What the comparison comes to, in one sentence, and the pairs of heads that show it, each as two small maps."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from attnviz.analysis.compare.moved_heads import Move, Target, unevenness
from attnviz.analysis.compare.self_attention_heads import Head, heads_of, maps_of
from attnviz.analysis.heads.kinds import TABLE
from attnviz.core.errors import LimitError
from attnviz.text.numbers import figure
from attnviz.views.compare.header import ShownPair, Verdict
from attnviz.views.compare.maps import difference_of
from attnviz.views.compare.question import is_untrained
from attnviz.views.headers import HeadIndex
from attnviz.views.heads.long_heads import quantise
from attnviz.views.pack import Arrays

if TYPE_CHECKING:
    from attnviz.analysis.compare import Comparison, Similarity
    from attnviz.text import Strings

Kinds = tuple[Sequence[str], Sequence[str]]  # of every head of A and of B, site by site
MOVED = 0.2  # of a row's weight: from here on a head has moved
EVEN = 0.1  # of a row's weight: up to here a head is even
AGREE = 1e-4  # of a row's weight: up to here two heads are the same
NEAR = 0.1  # bits between two heads that look alike
SHOWN = 6  # pairs
SMALL = 48  # cells along a side of a small map


def verdict(
    comparison: Comparison, over: Similarity | None, kinds: Kinds | None, say: Strings
) -> tuple[Verdict | None, Arrays]:
    """The sentence, the pairs, and `small_a`, `small_b` uint8 [pairs, P, P], round(255·√) of the largest weights.

    None where all heads cannot be compared on this text. No pairs where all heads agree: there is nothing to show.
    """
    try:
        first, said, pairs = (
            _of_moves(comparison, kinds, say) if comparison.is_same_shape else _of_nearest(comparison, over, say)
        )
    except LimitError:
        return None, {}
    if not said:
        return None, {}
    if not pairs:
        return {"first": first, "said": said, "pairs": []}, {}
    one = [difference_of(comparison, pair["a"], pair["b"]) for pair in pairs]
    small = {f"small_{side}": _small([getattr(difference, side) for difference in one]) for side in "ab"}
    return {"first": first, "said": said, "pairs": pairs}, small


def index_of(heads: tuple[Head, ...], head: Head) -> HeadIndex:
    """Layer and number of a head, counted from 0 among the attentions that read the text."""
    layers = list(dict.fromkeys(head.site for head in heads))
    return [layers.index(head.site), head.head]


def _of_moves(comparison: Comparison, kinds: Kinds | None, say: Strings) -> tuple[str, str, list[ShownPair]]:
    moved, heads = comparison.moves, heads_of(comparison.trace_a)
    if not moved:
        return "", "", []
    followers = sorted(_followers(moved[1:]), key=lambda move: -move.followed)[:1]  # named in the sentence
    pairs: list[ShownPair] = []
    others = [move for move in moved if move not in followers]
    for move in [*others[: SHOWN - len(followers)], *followers]:
        at = index_of(heads, move.head)
        pairs.append({"a": at, "b": at, "value": move.share + move.followed, "unit": "share"})
    n, most = len(moved), moved[0]
    name = _name(index_of(heads, most.head), say)
    if most.share <= AGREE:
        return say("compare-first-same", n=n), say("compare-verdict-same", n=n, share=f"{100 * AGREE:g}%"), []
    is_training = is_untrained(comparison.trace_a) != is_untrained(comparison.trace_b)
    first = say("compare-first-training" if is_training else "compare-first-moved", n=n, named_head=name)
    row = comparison.next_row
    if row is not None:
        first = say("compare-first-next", n=n, named_head=name, token=comparison.units.each[row].label)
    where = _where(comparison, most, kinds, say)
    of_sides = ((comparison.trace_a, "a"), (comparison.trace_b, "b")) if comparison.units.are_tokens else ()
    uneven = [unevenness(maps_of(trace, comparison.units, side)[0]) for trace, side in of_sides]  # [H] each
    least, even = (float(uneven[0].min()), float(uneven[1].max())) if uneven else (0.0, 1.0)
    if even <= EVEN:
        first = say("compare-first-even", n=n, named_head=name) if is_untrained(comparison.trace_b) else first
        return first, say(
            "compare-verdict-even", n=n, share=f"{math.ceil(100 * even)}%", named_head=name, most=_percent(most.share),
            where=where,
        ), pairs  # fmt: skip
    if 2 * even <= least:
        return first, say(
            "compare-verdict-evener", share=f"{math.ceil(100 * even)}%", least=f"{math.floor(100 * least)}%",
            named_head=name, most=_percent(most.share), where=where,
        ), pairs  # fmt: skip
    count = sum(move.share >= MOVED for move in moved)
    said = say(
        "compare-verdict-moved" if row is None else "compare-verdict-next", n=n, count=count, least=_percent(MOVED),
        named_head=name, most=_percent(most.share), where=where,
    )  # fmt: skip
    return first, f"{said}{_followed(moved, heads, say)}", pairs


def _followed(moved: Sequence[Move], heads: tuple[Head, ...], say: Strings) -> str:
    """How many heads only went with words that changed places."""
    went = _followers(moved)
    if not went:
        return ""
    most = max(went, key=lambda move: move.followed)
    name = _name(index_of(heads, most.head), say)
    return say("compare-verdict-followed", n=len(went), named_head=name, share=_percent(most.share + most.followed))


def _followers(moved: Sequence[Move]) -> list[Move]:
    return [move for move in moved if move.share < MOVED <= move.share + move.followed]


def _where(comparison: Comparison, move: Move, kinds: Kinds | None, say: Strings) -> str:
    """From where to where the weight of a head went, as far as either can be named; else its kinds, if they differ."""
    left, reached = (_target(comparison, target, say) for target in (move.left, move.reached))
    if left and reached:
        return say("compare-verdict-from-to", left=left, reached=reached)
    if left:
        return say("compare-verdict-from", left=left)
    if reached:
        return say("compare-verdict-to", reached=reached)
    a, b = (of_side[heads_of(comparison.trace_a).index(move.head)] for of_side in kinds) if kinds else ("", "")
    titles = {kind.name: say(kind.title) for kind in TABLE}
    return say("compare-verdict-many") if a == b else say("compare-verdict-kinds", a=titles[a], b=titles[b])


def _target(comparison: Comparison, target: Target | None, say: Strings) -> str:
    if target is None:
        return ""
    if isinstance(target, str):
        return say(f"compare-verdict-{target}")
    return say("compare-verdict-token", token=comparison.units.each[target].label)


def _of_nearest(comparison: Comparison, over: Similarity | None, say: Strings) -> tuple[str, str, list[ShownPair]]:
    """Of models with other heads: how many of A's have one that looks alike in B."""
    if over is None:
        return "", "", []
    nearest = over.js.argmin(axis=1)  # [Ha]
    bits = over.js.min(axis=1)  # [Ha]
    order = np.argsort(bits, kind="stable")
    heads = heads_of(comparison.trace_a), heads_of(comparison.trace_b)
    pairs: list[ShownPair] = []
    for at in order if len(order) <= SHOWN else [*order[: SHOWN // 2], *order[-SHOWN // 2 :]]:
        a, b = over.heads_a[at], over.heads_b[int(nearest[at])]
        pairs.append({"a": index_of(heads[0], a), "b": index_of(heads[1], b), "value": float(bits[at]), "unit": "bits"})
    said = say(
        "compare-verdict-nearest", n=len(bits), count=int((bits <= NEAR).sum()), bits=NEAR,
        near_head=_name(pairs[0]["a"], say), to_head=_name(pairs[0]["b"], say), least=float(bits[order[0]]),
        named_head=_name(pairs[-1]["a"], say), far=float(bits[order[-1]]),
    )  # fmt: skip
    first = say("compare-first-nearest", a_head=_name(pairs[0]["a"], say), b_head=_name(pairs[0]["b"], say))
    return first, said, pairs


def _small(maps: Sequence[Tensor]) -> NDArray[np.uint8]:
    """The largest weight of each block of each map: [pairs, P, P], P at most SMALL."""
    stacked = torch.stack(list(maps))  # [pairs, U, U]
    step = -(-stacked.shape[-1] // SMALL)
    return quantise(torch.nn.functional.max_pool2d(stacked, step, ceil_mode=True))


def _name(place: HeadIndex, say: Strings) -> str:
    return say("view-kit-head", layer=place[0] + 1, head=place[1] + 1)


def _percent(share: float) -> str:
    return f"{100 * share:.0f}%" if share >= 0.01 else f"{figure(100 * share)}%"
