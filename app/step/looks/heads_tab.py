"""The closer looks of the tab Multi-head: two heads compared, torch's own layer, the gradient of a cell."""

import streamlit as st
from attnviz_app.step.looks import head_blocks
from attnviz_app.step.looks.look import Look
from attnviz_app.step.looks.token_slice import holding

from attnviz.explanation.closer_looks.gradients import cell_gradient
from attnviz.explanation.closer_looks.torch_layer import against_torch
from attnviz.text import Strings
from attnviz.trace.decoder_rows import row_tokens
from attnviz.trace.records import AttentionRecord
from attnviz.views.panel.blocks import Prose


def show_two_heads(look: Look) -> None:
    """Two heads of the attention on the page, chosen here."""
    say, record = look.say, look.trace[look.now.site]
    if record.n_heads == 1:
        look.draw(look.of_run((Prose(say("look-two-heads-one")),)))
        return
    first, second = _two(record, look.now.head, say)
    blocks = head_blocks.two_heads(look.trace, look.now.site, first, second, say, start=look.now.first_token)
    look.draw(look.of_run(blocks))


def _two(record: AttentionRecord, head: int, say: Strings) -> tuple[int, int]:
    """The heads that are chosen: at first the one on the page, and the one that differs most from it."""
    with st.container(horizontal=True):
        first = _number(say("look-two-heads-first"), record.n_heads, head, "look-two-heads-first")
        farthest = head_blocks.farthest_head(record, head)
        return first, _number(say("look-two-heads-second"), record.n_heads, farthest, "look-two-heads-second")


def _number(label: str, n: int, at: int, key: str) -> int:
    """One of n, which count from 1 on the screen and from 0 here; `at` is chosen at first."""
    return st.selectbox(label, range(n), min(at, n - 1), key=key, format_func=lambda it: str(it + 1))


def show_torch_check(look: Look) -> None:
    """The attention on the page, untouched, beside torch.nn.MultiheadAttention with its weights."""
    base, site = look.untouched, look.now.site
    look.draw(look.of_untouched(head_blocks.torch_check(base, site, against_torch(base, site), look.say)))


def show_gradient(look: Look) -> None:
    """The gradient of one cell of the output; its token, its column and the head are chosen here."""
    say, record, at = look.say, look.trace[look.now.site], look.now.at
    tokens = row_tokens(look.trace, record.site.stack)
    is_out = record.w_o is not None
    width = record.w_o.shape[0] if record.w_o is not None else record.source.v.shape[-1]
    with st.container(horizontal=True):
        query = st.selectbox(
            say("look-axis-token"), range(len(tokens)), min(at.row if at else 0, len(tokens) - 1),
            key="look-gradient-token", format_func=tokens.name,
        )  # fmt: skip
        feature = _number(say("look-axis-column"), width, at.feature if at else 0, "look-gradient-column")
        head = _number(say("look-axis-head"), record.n_heads, look.now.head, "look-gradient-head")
    found = cell_gradient(look.trace, look.now.site, query=query, feature=feature, head=None if is_out else head)
    blocks = head_blocks.gradient(
        look.trace, look.now.site, found, say, query=query, feature=feature, head=head, is_out=is_out,
        start=holding(query, look.now.first_token),
    )  # fmt: skip
    look.draw(look.of_run(blocks))
