"""The chain of steps of each tab of the "Step through" page, over one run.

self      words -> X -> Q, K, V -> raw -> scores -> masked -> weights -> context -> out, for one head
heads     Q, K, V of all heads -> split -> every head from raw to context -> concat -> W_O
block     one block: norm, attention, residual, feed-forward, residual
decoder   masked self-attention and cross-attention of one decoder block, the vocabulary, next-token probabilities

A run that holds nothing but its attention shows that alone under block and decoder, with a note on it.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, get_args

from attnviz.core.errors import StepError
from attnviz.core.site import Site
from attnviz.explanation.attention_steps import PROJECTIONS, attention_step, is_projected, is_silenced
from attnviz.explanation.cell_rules import checked
from attnviz.explanation.head_view import HeadView, Projection
from attnviz.explanation.matrices import Chain, Note, RunStep
from attnviz.explanation.model_steps.block import (
    Block,
    feed_forward_steps,
    final_norm,
    last_layer,
    multi_head_steps,
    steps_after,
    steps_before,
)
from attnviz.explanation.model_steps.embedding import embedding_steps, has_embedding
from attnviz.explanation.model_steps.vocabulary import vocabulary_steps
from attnviz.trace.trace import Trace
from attnviz.trace.weight_sources import Kept

Tab = Literal["self", "heads", "block", "decoder"]
TABS: tuple[Tab, ...] = get_args(Tab)


def chain(
    trace: Trace,
    tab: str = "self",
    site: str | Site | None = None,
    *,
    head: int = 0,
    rows: slice | None = None,
    beside: Trace | None = None,
) -> Chain:
    """The steps of one tab.

    Args:
        trace: a run of any model; `trace.edits` travels with the chain.
        tab: self, heads, block or decoder.
        site: which attention, `"encoder.0.self"`; the first of the trace if not given. For `block` and `decoder` its
            stack and layer count.
        head: which head, from 0; the other tabs have all heads.
        rows: some of the queries (self, heads), for long texts.
        beside: another run of the same text, which this one is compared with; next-token probabilities then have the
            same words as columns in both.
    Raises:
        StepError: no such tab, or this trace holds too little for it; the message says what is missing.
        TraceShapeError: no such site or head.
    """
    if tab not in TABS:
        raise StepError(
            f"There is no tab {tab!r}. Expected one of: {', '.join(TABS)}.", id="no-such-tab", tab=str(tab)[:40]
        )
    asked = trace[site].site if site is not None else trace.sites[0]
    view = HeadView.of(trace, _decoder_site(trace, asked) if tab == "decoder" else asked, head, rows)
    if tab == "decoder":
        steps, notes = _decoder(view, beside)
    else:
        steps, notes = {"self": _self, "heads": _heads, "block": _block}[tab](view)
    unique = tuple(note for number, note in enumerate(notes) if note not in notes[:number])
    return Chain(tab, view.site.key, head, tuple(checked(step, trace) for step in steps), unique, trace.edits)


def _decoder_site(trace: Trace, asked: Site) -> Site:
    """The site that was asked for, if it is a decoder's or there is no decoder; else the decoder's first."""
    sites = [site for site in trace.sites if site.stack == "decoder"]
    return asked if asked in sites or not sites else sites[0]


Made = tuple[list[RunStep], list[Note]]


def _self(view: HeadView) -> Made:
    steps, notes = _inputs(view)
    own, no_q = _one_head(view)
    notes = no_q or notes
    if view.record.w_o is None:
        return [*steps, *own], [*notes, Note("step-note-no-w-o")]
    return [*steps, *own, attention_step(view, "head-out")], notes


def _inputs(view: HeadView) -> Made:
    """What comes before Q, K and V: the embedding below the first block, and the norm of a pre-norm model."""
    trace, site = view.trace, view.site
    steps: list[RunStep] = []
    block = Block(trace, site.stack, site.layer)
    if site.layer == 0 and site.kind == "self" and has_embedding(trace, site.stack):
        steps += embedding_steps(trace, site.stack)
    if block.is_known:
        steps += steps_before(block, site.kind)
    if all(is_projected(view, name) for name in PROJECTIONS):
        return steps, []
    return steps, [Note("step-note-no-projection", {"model": trace.card.name})]


def _one_head(view: HeadView) -> Made:
    """One head from Q, K and V to its context, or from its scores on where these are not q·k."""
    projections = [] if _no_q(view) else [name for name in PROJECTIONS if is_projected(view, name)]
    names = [*projections, *_mixing(view), *(["silenced"] if is_silenced(view) else [])]
    return [attention_step(view, step) for step in names], _no_q(view)


def _mixing(view: HeadView) -> list[str]:
    """The steps of one head from its first scores that this trace holds to its context."""
    if _no_q(view):
        return ["masked", "weights", "context"]
    capped = [] if view.record.replay.softcap is None else ["capped"]
    return ["raw", "scores", *capped, "masked", "weights", "context"]


def _no_q(view: HeadView) -> list[Note]:
    return [Note("step-note-no-q")] if isinstance(view.record.source, Kept) else []


def _heads(view: HeadView) -> Made:
    before, notes = _inputs(view)
    norm = [step for step in before[-1:] if step.name.endswith("-norm")]
    steps, others = _all_heads(view)
    return [*norm, *steps], [*notes, *others]


def _all_heads(view: HeadView) -> Made:
    """One attention with all its heads: Q, K, V and their splits, every head's scores to context, concat and W_O."""
    read: Sequence[Projection] = ("v",) if _no_q(view) else PROJECTIONS
    heads = [replace(view, head=head) for head in range(view.record.n_heads)]
    steps = [attention_step(view, f"{name}-all") for name in read if is_projected(view, name)]
    steps += [attention_step(head, f"{name}-split") for name in read for head in heads]
    for name in _mixing(view):
        steps += [attention_step(head, name) for head in heads]
    steps += [attention_step(head, "silenced") for head in heads if is_silenced(head)]
    joined, no_w_o = _joined(view)
    return [*steps, *joined], [*_no_q(view), *no_w_o]


def _joined(view: HeadView) -> Made:
    """The heads side by side, and W_O where this trace holds it."""
    concat = attention_step(view, "concat")
    if view.record.w_o is None:
        return [concat], [Note("step-note-no-w-o")]
    return [concat, attention_step(view, "out")], []


def _same_block(view: HeadView) -> list[HeadView]:
    """Every attention of the block that a view is of, with the same head where it has one."""
    sites = [site for site in view.trace.sites if (site.stack, site.layer) == (view.site.stack, view.site.layer)]
    heads = {site: min(view.head, view.trace[site].n_heads - 1) for site in sites}
    return [HeadView.of(view.trace, site, heads[site]) for site in sites]


def _note(view: HeadView, id: str) -> Note:
    return Note(id, {"model": view.trace.card.name})


def _block(view: HeadView) -> Made:
    trace, block = view.trace, Block(view.trace, view.site.stack, view.site.layer)
    steps: list[RunStep] = []
    if not block.is_known:
        notes = [_note(view, "step-note-no-block")]
        for own in _same_block(view):
            made, others = _all_heads(own)
            steps, notes = [*steps, *made], [*notes, *others]
        return steps, notes
    if block.layer == 0:
        steps += embedding_steps(trace, block.stack)
    for own in _same_block(view):
        kind = own.site.kind
        steps += [*steps_before(block, kind), *multi_head_steps(block, kind), *steps_after(block, kind)]
    steps += feed_forward_steps(block)
    if block.layer == last_layer(trace, block.stack):
        steps += final_norm(trace, block.stack)
    return steps, [] if block.has_feed_forward else [_note(view, "step-note-no-feed-forward")]


def _decoder(view: HeadView, beside: Trace | None) -> Made:
    trace, block = view.trace, Block(view.trace, "decoder", view.site.layer)
    if view.site.stack != "decoder":
        steps, notes = _self(view)
        return steps, [_note(view, "step-note-no-decoder"), *notes]
    steps = list(embedding_steps(trace, "decoder")) if block.is_known and block.layer == 0 else []
    notes = [] if block.is_known else [_note(view, "step-note-no-block")]
    for own in _same_block(view):
        (made, no_q), (joined, no_w_o) = _one_head(own), _joined(own)
        if block.is_known:
            kind = own.site.kind
            steps += [*steps_before(block, kind), *made, *joined, *steps_after(block, kind)]
        else:
            steps += [*made, *joined]
        notes += [*no_q, *no_w_o]
    if not block.is_known:
        return steps, notes
    steps += [*feed_forward_steps(block), *final_norm(trace, "decoder")]
    if "decoder.vocabulary" not in trace.matrices:
        return steps, [_note(view, "step-note-no-vocabulary")]
    return [*steps, *vocabulary_steps(trace, beside)], []
