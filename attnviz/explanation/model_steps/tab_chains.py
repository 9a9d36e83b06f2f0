"""The chain of steps of each tab of the "Step through" page, over one run.

self      words -> X -> Q, K, V -> raw -> scores -> masked -> weights -> context -> out, for one head
heads     Q, K, V of all heads -> split -> every head from raw to context -> concat -> W_O
block     one block: norm, attention, residual, feed-forward, residual
decoder   masked self-attention and cross-attention of one decoder block, the vocabulary, next-token probabilities

A run that holds nothing but its attention shows that alone under block and decoder, with a note on it.
"""

from collections.abc import Sequence
from dataclasses import replace

from attnviz.core.errors import StepError
from attnviz.core.site import Site
from attnviz.explanation.attention_steps import PROJECTIONS, attention_step, is_projected, is_silenced, processing
from attnviz.explanation.cell_rules import checked
from attnviz.explanation.head_view import HeadView, Projection
from attnviz.explanation.matrices import Chain, Note, RunStep
from attnviz.explanation.model_steps.block import (
    Block,
    feed_forward_steps,
    final_norm,
    last_layer,
    steps_after,
    steps_before,
)
from attnviz.explanation.model_steps.embedding import embedding_steps
from attnviz.explanation.model_steps.vocabulary import vocabulary_steps
from attnviz.trace.sampling import GREEDY, Sampling
from attnviz.trace.trace import Trace
from attnviz.trace.weight_sources import Replay

TABS = ("self", "heads", "block", "decoder")


def chain(
    trace: Trace, tab: str = "self", site: str | Site | None = None, *, head: int = 0, beside: Trace | None = None,
    sampling: Sampling = GREEDY,
) -> Chain:  # fmt: skip
    """The steps of one tab.

    Args:
        trace: a run of any model; `trace.edits` travels with the chain.
        tab: self, heads, block or decoder.
        site: which attention, `"encoder.0.self"`; the first of the trace if not given. For `block` and `decoder` its
            stack and layer count.
        head: which head, from 0; the other tabs have all heads.
        beside: another run of the same text, which this one is compared with; next-token probabilities then have the
            same words as columns in both.
        sampling: how the next token is chosen, in the last steps of the decoder.
    Raises:
        StepError: no such tab, or this trace holds too little for it; the message says what is missing.
        TraceShapeError: no such site. InputError: no such head.
    """
    if tab not in TABS:
        raise StepError(id="no-such-tab", tab=str(tab)[:40], tabs=TABS)
    asked = trace[site].site if site is not None else trace.sites[0]
    view = HeadView.of(trace, _decoder_site(trace, asked) if tab == "decoder" else asked, head)
    others = {"self": _self, "heads": _heads, "block": _block}
    made = _decoder(view, beside, sampling) if tab == "decoder" else others[tab](view)
    steps = tuple(checked(step, trace) for step in made)
    notes = tuple(Note(id, {"model": trace.card.name}) for id in dict.fromkeys(_missing(view, tab)))
    return Chain(tab, view.site.key, head, steps, notes, trace.edits)


def _decoder_site(trace: Trace, asked: Site) -> Site:
    """The site that was asked for, if it is a decoder's or there is no decoder; else the decoder's first."""
    sites = [site for site in trace.sites if site.stack == "decoder"]
    return asked if asked in sites or not sites else sites[0]


def _missing(view: HeadView, tab: str) -> list[str]:
    """What this run does not hold of a tab, as message ids."""
    block, views = Block.of(view), [view]
    if tab == "decoder" and view.site.stack != "decoder":
        return ["step-note-no-decoder", *_missing(view, "self")]
    if tab in ("self", "heads"):
        is_whole = all(is_projected(view, name) for name in PROJECTIONS) or (tab == "self" and not _has_q(view))
        notes = [] if is_whole else ["step-note-no-projection"]
    elif not block.is_known:
        notes, views = ["step-note-no-block"], _same_block(view)
    elif tab == "block":
        return [] if block.has_feed_forward else ["step-note-no-feed-forward"]
    else:
        return [] if "decoder.vocabulary" in view.trace.matrices else ["step-note-no-vocabulary"]
    for of_layer in views:
        notes += [] if _has_q(of_layer) else ["step-note-no-q"]
        notes += [] if of_layer.record.w_o is not None else ["step-note-no-w-o"]
    return notes


def _has_q(view: HeadView) -> bool:
    """Whether the scores are made of queries and keys that this run holds."""
    return isinstance(view.record.source, Replay)


def _self(view: HeadView) -> list[RunStep]:
    out = [] if view.record.w_o is None else [attention_step(view, "head-out")]
    return [*_inputs(view), *_one_head(view), *out]


def _inputs(view: HeadView) -> list[RunStep]:
    """What comes before Q, K and V: the embedding below the first block, and the norm of a pre-norm model."""
    trace, site, point = view.trace, view.site, f"{view.site.stack}.embed"
    begins = site.layer == 0 and site.kind == "self" and point in trace.matrices and point in trace.stream
    embedding = embedding_steps(trace, site.stack) if begins else ()
    norm = steps_before(view) if Block.of(view).is_known else ()
    return [*embedding, *norm]


def _one_head(view: HeadView) -> list[RunStep]:
    """One head from Q, K and V to its context, or from its scores on where these are not q·k."""
    projections = [name for name in PROJECTIONS if _has_q(view) and is_projected(view, name)]
    names = [*projections, *processing(view, projections), *_mixing(view), *(["silenced"] if is_silenced(view) else [])]
    return [attention_step(view, name) for name in names]


def _mixing(view: HeadView) -> list[str]:
    """The steps of one head from its first scores that this trace holds to its context."""
    if not _has_q(view):
        return ["masked", "weights", "context"]
    capped = [] if view.record.replay.softcap is None else ["capped"]
    return ["raw", "scores", *capped, "masked", "weights", "context"]


def _heads(view: HeadView) -> list[RunStep]:
    norm = [step for step in _inputs(view)[-1:] if step.name.endswith("-norm")]
    return [*norm, *_all_heads(view)]


def _all_heads(view: HeadView) -> list[RunStep]:
    """One attention with all its heads: Q, K, V and their splits, every head's scores to context, concat and W_O."""
    read: Sequence[Projection] = PROJECTIONS if _has_q(view) else ("v",)
    heads, made = _every_head(view), [name for name in read if is_projected(view, name)]
    steps = [attention_step(view, f"{name}-all") for name in made]
    for name in (*(f"{name}-split" for name in read), *processing(view, made)):
        letter: Projection = next(projection for projection in PROJECTIONS if name.startswith(projection))
        groups = {head.head_of(letter): head for head in reversed(heads)}  # the first head of each group
        steps += [attention_step(groups[number], name) for number in sorted(groups)]
    steps += [attention_step(head, name) for name in _mixing(view) for head in heads]
    steps += [attention_step(head, "silenced") for head in heads if is_silenced(head)]
    return [*steps, *_joined(view)]


def _every_head(view: HeadView) -> list[HeadView]:
    return [replace(view, head=head) for head in range(view.record.n_heads)]


def _joined(view: HeadView) -> list[RunStep]:
    """The heads side by side, and W_O where this trace holds it."""
    names = ["concat"] if view.record.w_o is None else ["concat", "out"]
    return [attention_step(view, name) for name in names]


def _same_block(view: HeadView) -> list[HeadView]:
    """Every attention of the block that a view is of, with the same head where it has one."""
    sites = [site for site in view.trace.sites if (site.stack, site.layer) == (view.site.stack, view.site.layer)]
    heads = {site: min(view.head, view.trace[site].n_heads - 1) for site in sites}
    return [HeadView.of(view.trace, site, heads[site]) for site in sites]


def _block(view: HeadView) -> list[RunStep]:
    trace, block = view.trace, Block.of(view)
    if not block.is_known:
        return [step for attention in _same_block(view) for step in _all_heads(attention)]
    steps = list(embedding_steps(trace, block.stack)) if block.layer == 0 else []
    for attention in _same_block(view):
        mixed = [attention_step(head, name) for name in ("weights", "context") for head in _every_head(attention)]
        steps += [*steps_before(attention), *mixed, *_joined(attention), *steps_after(attention)]
    steps += feed_forward_steps(block)
    if block.layer == last_layer(trace, block.stack):
        steps += final_norm(trace, block.stack)
    return steps


def _decoder(view: HeadView, beside: Trace | None, sampling: Sampling) -> list[RunStep]:
    trace, block = view.trace, Block.of(view)
    if view.site.stack != "decoder":
        return _self(view)
    if not block.is_known:
        return [step for attention in _same_block(view) for step in (*_one_head(attention), *_joined(attention))]
    steps = list(embedding_steps(trace, "decoder")) if block.layer == 0 else []
    for attention in _same_block(view):
        steps += [*steps_before(attention), *_one_head(attention), *_joined(attention), *steps_after(attention)]
    steps += [*feed_forward_steps(block), *final_norm(trace, "decoder")]
    has_words = "decoder.vocabulary" in trace.matrices
    return [*steps, *vocabulary_steps(trace, beside, sampling)] if has_words else steps
