"""The closer looks of the tab Block: positions, shuffled words, how alike tokens become, where norms stand."""

from __future__ import annotations

import streamlit as st
from attnviz_app.serving.runs import runs
from attnviz_app.step.looks import changes, dialog, position_blocks, stream_blocks
from attnviz_app.step.looks.seen import Seen
from attnviz_app.train.names import model_label

from attnviz.core.errors import AttnvizError
from attnviz.core.site import Site
from attnviz.explanation.closer_looks.norm_order import MOST_BLOCKS, norm_orders
from attnviz.explanation.closer_looks.shuffle import another_order, shuffled
from attnviz.explanation.closer_looks.token_similarity import token_similarity
from attnviz.scratch.untrained import UntrainedModel
from attnviz.views.panel.blocks import Block, Prose

# Widget keys
AGAIN, FIRST, SECOND, AFTER, BLOCKS = (
    "look-shuffle-again", "look-likeness-first", "look-likeness-second", "look-likeness-after", "look-norm-order-blocks"
)  # fmt: skip
_SEED = "attnviz.look-shuffle-seed"
USUAL_BLOCKS = 12


def show_positions(seen: Seen) -> None:
    """The model's own table of positions."""
    stack = Site.parse(seen.now.site).stack
    blocks = position_blocks.positions(seen.untouched, stack, seen.say, name=model_label(seen.model, seen.say))
    dialog.draw((*changes.left_out(seen), *blocks), "look-positions-panel", seen.say("look-positions"), seen.say)


def show_shuffle(seen: Seen) -> None:
    """The text in another order, without positions and with them; another order for each press of a button."""
    seed = st.session_state.setdefault(_SEED, 1)
    blocks = _shuffled(seen, seed)
    if len(blocks) > 1:
        st.button(seen.say("look-shuffle-again"), key=AGAIN, on_click=_another_order)
    dialog.draw((*changes.left_out(seen), *blocks), "look-shuffle-panel", seen.say("look-shuffle"), seen.say)


def _another_order() -> None:
    st.session_state[_SEED] += 1


def _shuffled(seen: Seen, seed: int) -> tuple[Block, ...]:
    say, base = seen.say, seen.untouched
    try:
        order = another_order(base.tokens.source, seed)
        with runs().gate.entered():
            without, positioned = (shuffled(seen.ran, base, order, positions=has) for has in (False, True))
    except AttnvizError as problem:  # one word, positions that cannot be switched off, words that become other tokens
        return (Prose(say.error(problem)),)
    head = min(seen.now.head, base[base.sites[0]].n_heads - 1)
    return position_blocks.shuffle(without, positioned, head, say, seed=seed, start=seen.now.first_token)


def show_likeness(seen: Seen) -> None:
    """The cosine of two tokens, chosen here, from block to block."""
    say, stack, at = seen.say, Site.parse(seen.now.site).stack, seen.now.at
    tokens = seen.trace.query_tokens(Site.parse(seen.now.site))
    try:
        found = token_similarity(seen.trace, stack)
    except AttnvizError as problem:  # a trace without the stream
        dialog.draw((Prose(say.error(problem)),), "look-likeness-panel", say("look-likeness"), say)
        return
    n, last = len(tokens), len(found.points) - 1
    start = (min(at.row, n - 1), min(at.key, n - 1)) if at and at.row != at.key else (0, min(1, n - 1))
    with st.container(horizontal=True):
        first, second = (
            st.selectbox(say(key), range(n), place, key=key, format_func=tokens.name)
            for key, place in zip((FIRST, SECOND), start, strict=True)
        )
        after = (
            st.slider(say("look-likeness-after"), 1, last, last, key=AFTER)
            if last >= stream_blocks.ALL_POINTS
            else last
        )
    blocks = stream_blocks.likeness(found, tokens, first, second, say, block=after, start=seen.now.first_token)
    dialog.draw((*changes.made(seen), *blocks), "look-likeness-panel", say("look-likeness"), say)


def show_norm_order(seen: Seen) -> None:
    """Where this model's norms stand, and both ways with as many blocks as chosen here."""
    say, site = seen.say, Site.parse(seen.now.site)
    own: tuple[Block, ...]
    try:
        own = stream_blocks.norm_order(seen.trace, site.stack, site.layer, say, name=model_label(seen.model, say))
    except AttnvizError as problem:  # a trace without the stream
        own = (Prose(say.error(problem)),)
    dialog.draw((*changes.made(seen), *own), "look-norm-order-panel", say("look-norm-order"), say)
    n_blocks = st.slider(say("look-norm-order-blocks"), 1, MOST_BLOCKS, USUAL_BLOCKS, key=BLOCKS)
    dialog.draw(_untrained(seen, n_blocks), "look-norm-order-both", say("look-norm-order-blocks"), say)


def _untrained(seen: Seen, n_blocks: int) -> tuple[Block, ...]:
    seed, words = (seen.ran.seed, seen.ran.words) if isinstance(seen.ran, UntrainedModel) else (0, ())
    try:
        with runs().gate.entered():
            compared = norm_orders(seen.untouched.tokens.source.source, n_blocks, seed=seed, words=words)
    except AttnvizError as problem:  # more words than an untrained model takes
        return (Prose(seen.say.error(problem)),)
    return stream_blocks.both_orders(compared, seen.say, seed=seed)
