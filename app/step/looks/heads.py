"""The closer looks of the tab Multi-head: two heads compared, torch's own layer, the gradient of a cell."""

from __future__ import annotations

import streamlit as st
from attnviz_app.step.looks import changes, dialog, head_blocks
from attnviz_app.step.looks.drawn_part import holding
from attnviz_app.step.looks.seen import Seen

from attnviz.core.errors import AttnvizError
from attnviz.explanation.closer_looks.gradients import cell_gradient
from attnviz.explanation.closer_looks.torch_layer import against_torch
from attnviz.text import Strings
from attnviz.trace.records import AttentionRecord
from attnviz.views.panel.blocks import Block, Prose


def show_two_heads(seen: Seen) -> None:
    """Two heads of the attention on the page, chosen here."""
    say, record = seen.say, seen.trace[seen.now.site]
    blocks: tuple[Block, ...] = (Prose(say("look-two-heads-one")),)
    if record.n_heads > 1:
        try:
            first, second = _two(record, seen.now.head, say)
            blocks = head_blocks.two_heads(seen.trace, seen.now.site, first, second, say, start=seen.now.first_token)
        except AttnvizError as problem:  # a text so long that its matrices are not held at once
            blocks = (Prose(say.error(problem)),)
    dialog.draw((*changes.made(seen), *blocks), "look-two-heads", say("look-two-heads"), say)


def _two(record: AttentionRecord, head: int, say: Strings) -> tuple[int, int]:
    """The heads that are chosen: at first the one on the page, and the one that differs most from it."""
    starts = (("look-two-heads-first", head), ("look-two-heads-second", head_blocks.farthest_head(record, head)))
    with st.container(horizontal=True):
        first, second = (
            st.selectbox(say(key), range(record.n_heads), at, key=key, format_func=lambda it: str(it + 1))
            for key, at in starts
        )
    return first, second


def show_torch_check(seen: Seen) -> None:
    """The attention on the page, untouched, beside torch.nn.MultiheadAttention with its weights."""
    say, site = seen.say, seen.now.site
    blocks: tuple[Block, ...]
    try:
        blocks = head_blocks.torch_check(seen.untouched, site, against_torch(seen.untouched, site), say)
        blocks = (*changes.left_out(seen), *blocks)
    except AttnvizError as problem:  # this model's W_Q is not one matrix, or is not held
        blocks = (Prose(say.error(problem)),)
    dialog.draw(blocks, "look-torch-check", say("look-torch-check"), say)


def show_gradient(seen: Seen) -> None:
    """The gradient of one cell of the output; its token, its column and the head are chosen here."""
    say, record, at = seen.say, seen.trace[seen.now.site], seen.now.at
    tokens = seen.trace.query_tokens(record.site)
    is_out = record.w_o is not None
    width = record.w_o.shape[0] if record.w_o is not None else record.source.v.shape[-1]
    with st.container(horizontal=True):
        query = st.selectbox(
            say("look-axis-token"), range(len(tokens)), min(at.row if at else 0, len(tokens) - 1),
            key="look-gradient-token", format_func=tokens.name,
        )  # fmt: skip
        feature = st.selectbox(
            say("look-axis-column"), range(width), min(at.feature if at else 0, width - 1),
            key="look-gradient-column", format_func=lambda it: str(it + 1),
        )  # fmt: skip
        head = st.selectbox(
            say("look-axis-head"), range(record.n_heads), seen.now.head, key="look-gradient-head",
            format_func=lambda it: str(it + 1),
        )  # fmt: skip
    blocks: tuple[Block, ...]
    try:
        found = cell_gradient(seen.trace, seen.now.site, query=query, feature=feature, head=None if is_out else head)
        blocks = head_blocks.gradient(
            seen.trace, seen.now.site, found, say, query=query, feature=feature, head=head, is_out=is_out,
            start=holding(query, seen.now.first_token),
        )  # fmt: skip
    except AttnvizError as problem:  # a model whose score is not q·k
        blocks = (Prose(say.error(problem)),)
    dialog.draw((*changes.made(seen), *blocks), "look-gradient", say("look-gradient"), say)
