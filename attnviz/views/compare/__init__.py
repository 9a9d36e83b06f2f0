"""The compare view: every head of A beside every head of B, two of them laid over each other. Packs; draws nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from attnviz.analysis.compare.comparison import Comparison
from attnviz.analysis.compare.self_attention_heads import heads_of
from attnviz.core.errors import InputError
from attnviz.views.compare.all_heads import all_pairs, can_measure, kinds_of_sides, layer_heads
from attnviz.views.compare.header import CompareHeader, PairHeader
from attnviz.views.compare.maps import (
    FILE_BYTES,
    PAGE_BYTES,
    all_maps,
    difference_of,
    first_cell,
    mask_facts,
    pair_maps,
    texts_of,
)
from attnviz.views.compare.question import next_words, question
from attnviz.views.compare.verdict import Kinds, index_of, verdict
from attnviz.views.headers import catalogue, digest, identity, picture_header, tokens_of
from attnviz.views.heads.measured_heads import kind_table
from attnviz.views.pack import pack
from attnviz.views.view import View

if TYPE_CHECKING:
    from attnviz.analysis.compare import Similarity
    from attnviz.text.strings import Strings
    from attnviz.trace.trace import Trace


class Pair(NamedTuple):
    """A head of A beside a head of B, and a cell of their maps; counted from 0.

    A layer is an index among the attentions that read the text; without query and key the view takes the cell that
    differs most.
    """

    layer_a: int
    head_a: int
    layer_b: int
    head_b: int
    query: int | None = None
    key: int | None = None


def compare(
    comparison: Comparison,
    similarity: Similarity | None = None,
    selection: Pair | None = None,
    *,
    query: int | None = None,
    kinds: Kinds | None = None,
    names: tuple[str, str] | None = None,
    lang: str = "en",
    size: str = "normal",
    notice: str | None = None,
    scale: float | None = None,
) -> View:
    """Show how alike all heads of two runs are, and two of them with their difference.

    Args:
        comparison: two runs over one text.
        similarity: of the same two models over many sentences; None takes that on the text alone, and says so;
            on a text too long for that, the picture says this in place of all heads.
        selection: the pair and the cell picked first, clamped to what there is; None takes the head that moved most,
            or the two heads that are nearest where the models have other shapes.
        query: the row picked first where the selection has no cell; None takes that which differs most.
        kinds: the kind of each head of A and of B, by the names of `attnviz.analysis.heads.kinds`, site by site; None
            where they were not measured.
        names: what the two sides are called; None takes the names of the models and what was changed in their runs.
        lang: "en", "zh-CN" or "zh-TW".
        size: "normal" or "projector".
        notice: one sentence shown above the picture.
        scale: the end of the colour scale of differences, such as 1e-5 where two runs should agree; None takes the
            largest difference of the pair.
    """
    if not isinstance(comparison, Comparison):
        raise InputError(id="no-comparison", came=type(comparison).__name__)
    over = _over(comparison, similarity)
    pick = _clamped(selection, comparison, over)
    revision = revision_of(comparison)
    cards = [comparison.trace_a.card, comparison.trace_b.card]
    words = catalogue(lang).of(tokens_of(cards))
    one = difference_of(comparison, pick[:2], pick[2:4])
    if pick.query is None or pick.key is None:
        pick = Pair(*pick[:4], *first_cell(comparison, one, query))
    facts, arrays = pair_maps(one)
    of_layers, seen = mask_facts(comparison)
    facts_of_all, alike = all_pairs(over, "many" if similarity else "text")
    said, small = verdict(comparison, over, kinds, words)
    given = names or (_name(comparison.trace_a, words), _name(comparison.trace_b, words))
    header: CompareHeader = {
        **picture_header("compare", revision, lang, size, cards),
        **texts_of(comparison),
        "a": {"name": given[0], "heads": layer_heads(comparison.trace_a)},
        "b": {"name": given[1], "heads": layer_heads(comparison.trace_b)},
        "seen": of_layers,
        "asks": words(question(comparison)),
        "next": next_words(comparison),
        "verdict": said,
        "similarity": facts_of_all,
        "kinds": kind_table(words) if kinds else None,
        "selection": {"a": list(pick[:2]), "b": list(pick[2:4]), "query": pick.query, "key": pick.key, "pair": facts},
        "notice": notice,
        "scale": scale,
    }
    of_kinds = kinds_of_sides(comparison, kinds) if kinds else {}
    arrays |= seen | small | alike | of_kinds | all_maps(comparison, PAGE_BYTES)

    def complete() -> bytes:
        return pack(header, arrays | all_maps(comparison, FILE_BYTES))

    title = f"{given[0]} – {given[1]}: {header['text'][:60]}"

    def check(picked: Mapping[str, Any]) -> None:
        (layer_a, head_a), (layer_b, head_b) = picked["a"], picked["b"]
        _check(Pair(layer_a, head_a, layer_b, head_b, picked["query"], picked["key"]), comparison)

    return View("compare", pack(header, arrays), revision, title=title, complete=complete, check=check)


def rest(comparison: Comparison) -> bytes:
    """What a file of a compare view holds beyond what the dashboard shows at once: the maps of all heads."""
    return pack({}, all_maps(comparison, FILE_BYTES))


def exact_pair(comparison: Comparison, pair: Pair) -> bytes:
    """Return the float32 maps of one pair, for a compare view of the same two runs that is already on screen."""
    _check(pair, comparison)
    facts, arrays = pair_maps(difference_of(comparison, pair[:2], pair[2:4]))
    header: PairHeader = {
        "view": "pair", "revision": revision_of(comparison), "a": list(pair[:2]), "b": list(pair[2:4]), "pair": facts,
    }  # fmt: skip
    return pack(header, arrays)


def first_pair(comparison: Comparison, similarity: Similarity | None = None) -> Pair:
    """The pair that a picture begins with where nobody chose one."""
    return _clamped(None, comparison, _over(comparison, similarity))


def _over(comparison: Comparison, similarity: Similarity | None) -> Similarity | None:
    """Over what all heads are compared; None where that is a text too long for it."""
    if similarity is not None:
        return similarity
    return comparison.similarity if can_measure(comparison) else None


def revision_of(comparison: Comparison) -> str:
    """What the maps depend on: both models, the text and all edits. Not the sentences heads were measured over."""
    return digest(identity(comparison.trace_a), identity(comparison.trace_b))


def _name(trace: Trace, words: Strings) -> str:
    return " · ".join([words.named(trace.card.name), *map(str, trace.edits)])


def _check(pair: Pair, comparison: Comparison) -> None:
    if _clamped(pair, comparison, None) != pair:
        raise InputError(id="no-such-pair", pair=str(pair))


def _clamped(selection: Pair | None, comparison: Comparison, over: Similarity | None) -> Pair:
    heads_a, heads_b = layer_heads(comparison.trace_a), layer_heads(comparison.trace_b)
    if selection is None:
        if comparison.is_same_shape and can_measure(comparison) and comparison.moves:
            most = index_of(heads_of(comparison.trace_a), comparison.moves[0].head)
            return Pair(*most, *most)
        if over is None:
            a = len(heads_a) - 1, heads_a[-1] - 1
            return Pair(*a, *_inside(*a, heads_b))
        nearest_a, nearest_b = divmod(int(over.js.argmin()), over.js.shape[1])
        return Pair(*_placed(nearest_a, heads_a), *_placed(nearest_b, heads_b))
    n = len(comparison.units)
    is_cell = selection.query is not None and selection.key is not None
    return Pair(
        *_inside(selection.layer_a, selection.head_a, heads_a),
        *_inside(selection.layer_b, selection.head_b, heads_b),
        min(max(selection.query or 0, 0), n - 1) if is_cell else None,
        min(max(selection.key or 0, 0), n - 1) if is_cell else None,
    )


def _inside(layer: int, head: int, heads: Sequence[int]) -> tuple[int, int]:
    layer = min(max(layer, 0), len(heads) - 1)
    return layer, min(max(head, 0), heads[layer] - 1)


def _placed(index: int, heads: Sequence[int]) -> tuple[int, int]:
    """Layer and head of the head of this number, counted through all layers."""
    layer = 0
    while index >= heads[layer]:
        index -= heads[layer]
        layer += 1
    return layer, index
