"""A tab of the "Step through" page as one chain of steps over one run. Steps are made elsewhere, tabs here.

self      words -> X -> Q, K, V -> raw -> scores -> masked -> weights -> context -> out, for one head
heads     Q, K, V of all heads -> split -> every head's weights and context -> concat -> W_O
block     one block: norm, attention, residual, feed-forward, residual
decoder   masked self-attention and cross-attention of one decoder block, the vocabulary, next-token probabilities

A run that does not hold what stands around attention has its attention alone under block and decoder, and a note on it.
"""

from __future__ import annotations

from typing import Literal, get_args

from attnviz.core.errors import StepError
from attnviz.core.site import Site
from attnviz.explanation.attention_steps import is_projected, is_silenced, step_of
from attnviz.explanation.head_view import Place, Projection
from attnviz.explanation.matrices import Chain, Note, StepMatrix
from attnviz.explanation.model_steps.block import Block, attention_steps, entered, feed_forward_steps, left
from attnviz.explanation.model_steps.embedding import embedding_steps, has_embedding
from attnviz.explanation.model_steps.vocabulary import final_norm, vocabulary_steps
from attnviz.trace.records import Kept
from attnviz.trace.trace import Trace

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
    """The site that was asked for where it is a decoder's or there is no decoder, else the decoder's first."""
    sites = [site for site in trace.sites if site.stack == "decoder"]
    return asked if asked in sites or not sites else sites[0]


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
    steps, notes = _inputs(place)
    steps = steps[-1:] if steps and steps[-1].name.endswith("-norm") else []
    made, without = _all_heads(place)
    return [*steps, *made], [*notes, *without]


def _all_heads(place: Place) -> Made:
    """One attention with all its heads: Q, K, V, their parts, every head's weights and context, concat and W_O."""
    has_scores_alone = isinstance(place.record.source, Kept)
    notes = [Note("step-note-no-q")] if has_scores_alone else []
    read: tuple[Projection, ...] = ("v",) if has_scores_alone else _NAMES
    heads = [Place(place.trace, place.record, head, place.rows) for head in range(place.record.n_heads)]
    steps = [step_of(place, f"{name}-all") for name in read if is_projected(place, name)]
    parted = heads if len(heads) <= MOST_SPLIT else [place]
    steps += [step_of(head, f"{name}-split") for name in read for head in parted]
    for name in ("weights", "context"):
        steps += [step_of(head, name) for head in heads]
    steps += [step_of(head, "silenced") for head in heads if is_silenced(head)]
    ended, without = _joined(place)
    return [*steps, *ended], [*notes, *without]


def _joined(place: Place) -> Made:
    """The heads side by side, and W_O where this trace holds it."""
    joined = step_of(place, "concat")
    if place.record.w_o is None:
        return [joined], [Note("step-note-no-w-o")]
    return [joined, step_of(place, "out")], []


def _beside(place: Place) -> list[Place]:
    """Every attention of the block that a place is in; the place itself keeps its head."""
    sites = [site for site in place.trace.sites if (site.stack, site.layer) == (place.site.stack, place.site.layer)]
    heads = {site: min(place.head, place.trace[site].n_heads - 1) for site in sites}
    return [Place.of(place.trace, site, heads[site]) for site in sites]


def _no_block(place: Place) -> Note:
    return Note("step-note-no-block", {"model": place.trace.card.name})


def _unique(notes: list[Note]) -> list[Note]:
    return [note for at, note in enumerate(notes) if note not in notes[:at]]


def _block(place: Place) -> Made:
    block = Block(place.trace, place.site.stack, place.site.layer)
    if not block.is_known:
        made = [_all_heads(own) for own in _beside(place)]
        notes = [note for _, own in made for note in own]
        return [step for steps, _ in made for step in steps], _unique([_no_block(place), *notes])
    steps = list(embedding_steps(place.trace, block.stack)) if block.layer == 0 else []
    for own in _beside(place):
        kind = own.site.kind
        steps += [*entered(block, kind), *attention_steps(block, kind), *left(block, kind)]
    steps += feed_forward_steps(block)
    notes = [] if block.has_feed_forward else [Note("step-note-no-feed-forward", {"model": place.trace.card.name})]
    n_layers = 1 + max(site.layer for site in place.trace.sites if site.stack == block.stack)
    return [*steps, *(final_norm(place.trace, block.stack) if block.layer == n_layers - 1 else ())], notes


def _decoder(place: Place) -> Made:
    trace = place.trace
    if place.site.stack != "decoder":
        made, without = _self(place)
        return made, [Note("step-note-no-decoder", {"model": trace.card.name}), *without]
    block = Block(trace, "decoder", place.site.layer)
    steps = list(embedding_steps(trace, "decoder")) if block.is_known and block.layer == 0 else []
    notes: list[Note] = [] if block.is_known else [_no_block(place)]
    for own in _beside(place):
        made, without = _one_head(own)
        if block.is_known:
            made = [*entered(block, own.site.kind), *made, *left(block, own.site.kind)]
        steps, notes = [*steps, *made], [*notes, *without]
    if not block.is_known:
        return steps, _unique(notes)
    steps += [*feed_forward_steps(block), *final_norm(trace, "decoder")]
    if "decoder.vocabulary" not in trace.matrices:
        return steps, [Note("step-note-no-vocabulary", {"model": trace.card.name})]
    n_layers = 1 + max(site.layer for site in trace.sites if site.stack == "decoder")
    return [*steps, *vocabulary_steps(trace)], [Note("step-note-further-blocks")] if n_layers > 1 else []


def _one_head(own: Place) -> Made:
    """One head's way from Q, K, V to its context, and all heads joined."""
    has_scores_alone = isinstance(own.record.source, Kept)
    notes = [Note("step-note-no-q")] if has_scores_alone else []
    names = [] if has_scores_alone else [name for name in _NAMES if is_projected(own, name)]
    steps = _steps(own, (*names, *_scoring(own)))
    steps += [step_of(own, "silenced")] if is_silenced(own) else []
    ended, without = _joined(own)
    return [*steps, *ended], [*notes, *without]
