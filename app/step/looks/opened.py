"""Opens a closer look in a dialog: the picture or the link asks for it, Escape closes it, the look draws it."""

from collections.abc import Callable
from html import escape

import streamlit as st
from attnviz_app.host import events
from attnviz_app.shell import panels, visitor
from attnviz_app.step import state as page
from attnviz_app.step.looks import block_and_decoder_tabs, heads_tab, self_attention_tab
from attnviz_app.step.looks.look import Look
from attnviz_app.step.picture import shown
from attnviz_app.step.state import STEP

from attnviz.core.errors import AttnvizError
from attnviz.views.panel.blocks import Prose

SHOW: dict[str, Callable[[Look], None]] = {
    "why-scale": self_attention_tab.show_why_scale,
    "cost": self_attention_tab.show_cost,
    "two-heads": heads_tab.show_two_heads,
    "torch-check": heads_tab.show_torch_check,
    "gradient": heads_tab.show_gradient,
    "positions": block_and_decoder_tabs.show_positions,
    "shuffle": block_and_decoder_tabs.show_shuffle,
    "likeness": block_and_decoder_tabs.show_likeness,
    "norm-order": block_and_decoder_tabs.show_norm_order,
    "decoding": block_and_decoder_tabs.show_decoding,
    "lens": block_and_decoder_tabs.show_lens,
}


def open_dialog(key: str) -> None:
    """Open a closer look; none where the key is ""."""
    if not key:
        return

    def content() -> None:  # it may run again by itself: Streamlit keeps its arguments, and traces belong to the cache
        with panels.error_boundary():
            events.apply()
            run, say = shown(STEP.shown, page.TOLD.get()), visitor.say()
            look = Look(key, STEP.shown.model, run.trace, run.ran.untouched, run.picked, say, run.ran.model)
            st.html(f'<p class="av-look">{escape(say(f"look-{key}-about"))}</p>')
            try:
                SHOW[key](look)
            except AttnvizError as problem:  # it cannot be had of this model or this text
                look.draw((Prose(say.error(problem)),), panel="problem")

    st.dialog(visitor.say()(f"look-{key}"), width="large", on_dismiss=events.later(_close))(content)()


def _close() -> None:
    STEP.change(look="")
