"""The closer look of the tab Decoder: writing one token after another."""

from __future__ import annotations

import streamlit as st
from attnviz_app.step.looks import changes, decoding_blocks, dialog
from attnviz_app.step.looks.seen import Seen

from attnviz.core.errors import AttnvizError
from attnviz.explanation.model_steps.decoding import generation_steps
from attnviz.views.panel.blocks import Block, Prose

STEP = "look-decoding-step"  # widget key


def show_decoding(seen: Seen) -> None:
    """One step of writing, chosen here: what may come next, and whose keys and values are new."""
    say = seen.say
    blocks: tuple[Block, ...]
    try:
        steps = generation_steps(seen.trace, decoding_blocks.KNOWN)
    except AttnvizError as problem:  # a model that writes nothing, or one that looks ahead
        blocks = (Prose(say.error(problem)),)
    else:
        at = st.slider(say(STEP), 1, len(steps), 1, key=STEP) - 1 if len(steps) > 1 else 0
        blocks = decoding_blocks.decoding(seen.trace, steps, at, say)
    dialog.draw((*changes.made(seen), *blocks), "look-decoding-panel", say("look-decoding"), say)
