"""A tab of the "Step through" page as one chain of steps over one run. Steps are made elsewhere, tabs here.

self      words -> X -> Q, K, V -> raw -> scores -> masked -> weights -> context -> out, for one head
heads     Q, K, V of all heads -> split -> every head's weights and context -> concat -> W_O
block     one block: norm, attention, residual, feed-forward, residual
decoder   masked self-attention and cross-attention of one decoder block, the vocabulary, next-token probabilities
"""

from __future__ import annotations

from typing import Literal, get_args

from attnviz.core.attention_steps import is_projected, is_silenced, step_of
from attnviz.core.errors import StepError
from attnviz.core.matrices import Chain, Note, StepMatrix
from attnviz.core.place import Place, Projection
from attnviz.core.records import Kept
from attnviz.core.site import Site
from attnviz.core.trace import Trace
from attnviz.lessons.block import Block, attention_steps, entered, feed_forward_steps, left
from attnviz.lessons.embedding import embedding_steps, has_embedding
from attnviz.lessons.vocabulary import final_norm, vocabulary_steps

Tab = Literal["self", "heads", "block", "decoder"]
TABS: tuple[Tab, ...] = get_args(Tab)
MOST_SPLIT = 4  # heads up to which every head's split is a step; above, the chosen head's, for the others are like it
_NAMES: tuple[Projection, ...] = ("q", "k", "v")


def chain(
    trace: Trace, tab: str = "self", site: str | Site | None = None, *, head: int = 0, rows: slice | None = None
) -> Chain:
    """The steps of one tab.

    Args:
        trace: a run of any model; `trace.edits` travels with the chain.
        tab: self, heads, block or decoder.
        site: which attention, `"encoder.0.self"`; the first of the trace if not given. For `block` and `decoder` its
            stack and layer count.
        head: which head, from 0; the other tabs have all heads, and split the chosen one where there are many.
        rows: some of the queries (self, heads), for long texts.
    Raises:
        StepError: no such tab, or this trace holds too little for it; the message says what is missing.
        TraceShapeError: no such site or head.
    """
    if tab not in TABS:
        raise StepError(
            f"There is no tab {tab!r}. Expected one of: {', '.join(TABS)}.", id="no-such-tab", tab=str(tab)[:40]
        )
    asked = trace[site].site if site is not None else trace.sites[0]
    place = Place.of(trace, _decoder_site(trace, asked) if tab == "decoder" else asked, head, rows)
    steps, notes = {"self": _self, "heads": _heads, "block": _block, "decoder": _decoder}[tab](place)
    return Chain(tab, place.site.key, head, tuple(steps), tuple(notes), trace.edits)


def _decoder_site(trace: Trace, asked: Site) -> Site:
    """The site that was asked for where it is the decoder's, else the decoder's first."""
    sites = [site for site in trace.sites if site.stack == "decoder"]
    if not sites:
        raise StepError(
            f"{trace.card.name} has no decoder, so nothing is written token by token. Choose a model that writes.",
            id="no-decoder", model=trace.card.name,
        )  # fmt: skip
    return asked if asked in sites else sites[0]


Made = tuple[list[StepMatrix], list[Note]]


def _self(place: Place) -> Made:
    steps, notes = _inputs(place)
    if isinstance(place.record.source, Kept):
        notes = [Note("step-note-no-q")]
    else:
        steps += [step_of(place, name) for name in _NAMES if is_projected(place, name)]
    steps += _steps(place, _scoring(place))
    if is_silenced(place):
        steps.append(step_of(place, "silenced"))
    if place.record.w_o is None:
        notes.append(Note("step-note-no-w-o"))
    else:
        steps.append(step_of(place, "head-out"))
    return steps, notes


def _steps(place: Place, names: tuple[str, ...]) -> list[StepMatrix]:
    return [step_of(place, name) for name in names]


def _scoring(place: Place) -> tuple[str, ...]:
    shared = ("masked", "weights", "context")
    if isinstance(place.record.source, Kept):
        return shared
    capped = () if place.record.replay.softcap is None else ("capped",)
    return ("raw", "scores", *capped, *shared)


def _inputs(place: Place) -> Made:
    """What comes before Q, K and V: the embedding below the first block, and the norm of a pre-norm model."""
    trace, site = place.trace, place.site
    steps: list[StepMatrix] = []
    block = Block(trace, site.stack, site.layer)
    if site.layer == 0 and site.kind == "self" and has_embedding(trace, site.stack):
        steps += embedding_steps(trace, site.stack)
    if block.is_known:
        steps += entered(block, site.kind)
    if all(is_projected(place, name) for name in _NAMES):
        return steps, []
    return steps, [Note("step-note-no-projection", {"model": trace.card.name})]


def _heads(place: Place) -> Made:
    _ = place.record.replay  # says so where scores are not q·k
    steps, notes = _inputs(place)
    projected = [name for name in _NAMES if is_projected(place, name)]
    steps = steps[-1:] if steps and steps[-1].name.endswith("-norm") else []
    heads = [Place(place.trace, place.record, head, place.rows) for head in range(place.record.n_heads)]
    steps += [step_of(place, f"{name}-all") for name in projected]
    parted = heads if len(heads) <= MOST_SPLIT else [place]
    steps += [step_of(head, f"{name}-split") for name in _NAMES for head in parted]
    for name in ("weights", "context"):
        steps += [step_of(head, name) for head in heads]
    steps += [step_of(head, "silenced") for head in heads if is_silenced(head)]
    steps.append(step_of(place, "concat"))
    if place.record.w_o is None:
        return steps, [*notes, Note("step-note-no-w-o")]
    return [*steps, step_of(place, "out")], notes


def _known(place: Place) -> Block:
    block = Block(place.trace, place.site.stack, place.site.layer)
    if not block.is_known:
        raise StepError(
            f"This trace of {place.trace.card.name} does not hold the norms and the feed-forward of {block.key}, so "
            "its block cannot be written out. Choose a model from scratch.",
            id="no-block", model=place.trace.card.name, layer=block.layer + 1,
        )  # fmt: skip
    return block


def _block(place: Place) -> Made:
    block = _known(place)
    steps = list(embedding_steps(place.trace, block.stack)) if block.layer == 0 else []
    for site in place.trace.sites:
        if (site.stack, site.layer) == (block.stack, block.layer):
            steps += [*entered(block, site.kind), *attention_steps(block, site.kind), *left(block, site.kind)]
    steps += feed_forward_steps(block)
    notes = [] if block.has_feed_forward else [Note("step-note-no-feed-forward", {"model": place.trace.card.name})]
    n_layers = 1 + max(site.layer for site in place.trace.sites if site.stack == block.stack)
    return [*steps, *(final_norm(place.trace, block.stack) if block.layer == n_layers - 1 else ())], notes


def _decoder(place: Place) -> Made:
    trace, layer = place.trace, place.site.layer
    block = _known(place)
    steps = list(embedding_steps(trace, "decoder")) if layer == 0 else []
    for site in trace.sites:
        if (site.stack, site.layer) != ("decoder", layer):
            continue
        own = Place.of(trace, site, min(place.head, trace[site].n_heads - 1))
        steps += [*entered(block, site.kind), *_steps(own, ("q", "k", "v", *_scoring(own)))]
        steps += [*([step_of(own, "silenced")] if is_silenced(own) else []), *_steps(own, ("concat", "out"))]
        steps += left(block, site.kind)
    steps += [*feed_forward_steps(block), *final_norm(trace, "decoder"), *vocabulary_steps(trace)]
    n_layers = 1 + max(site.layer for site in trace.sites if site.stack == "decoder")
    return steps, [Note("step-note-further-blocks")] if n_layers > 1 else []
