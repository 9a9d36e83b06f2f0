"""The closer looks of the tabs Block and Decoder: positions, word order, likeness of tokens, norms, decoding."""

import streamlit as st
from attnviz_app.serving.runs import runs
from attnviz_app.step.looks import decoding_blocks, position_blocks, stream_blocks
from attnviz_app.step.looks.look import Look
from attnviz_app.train.training_names import model_label

from attnviz.analysis.circuits.logits import logit_lens
from attnviz.core.errors import AttnvizError
from attnviz.explanation.closer_looks.norm_order import MOST_BLOCKS, norm_orders
from attnviz.explanation.closer_looks.residual_stream import token_similarity
from attnviz.explanation.closer_looks.shuffle import another_order, shuffled
from attnviz.explanation.model_steps.decoding import generation_steps
from attnviz.scratch.untrained import UntrainedModel
from attnviz.trace.decoder_rows import row_tokens
from attnviz.views.panel.blocks import Block, Prose

_SEED = "attnviz.look-shuffle-seed"
USUAL_BLOCKS = 12


def show_positions(look: Look) -> None:
    name = model_label(look.model, look.say)
    look.draw(look.of_untouched(position_blocks.positions(look.untouched, look.site.stack, look.say, name=name)))


def show_shuffle(look: Look) -> None:
    """The text in another order, without positions and with them; another order for each press of a button."""
    say, base, seed = look.say, look.untouched, st.session_state.setdefault(_SEED, 1)
    order = another_order(base.tokens.source, seed)
    with runs().gate.entered():
        without, positioned = (shuffled(look.ran, base, order, positions=has) for has in (False, True))
    st.button(say("look-shuffle-again"), key="look-shuffle-again", on_click=_another_order)
    head = min(look.now.head, base[base.sites[0]].n_heads - 1)
    blocks = position_blocks.shuffle(without, positioned, head, say, seed=seed, start=look.now.first_token)
    look.draw(look.of_untouched(blocks))


def _another_order() -> None:
    st.session_state[_SEED] += 1


def show_likeness(look: Look) -> None:
    """The cosine of two tokens, chosen here, from block to block."""
    say, at, tokens = look.say, look.now.at, look.trace.query_tokens(look.site)
    found = token_similarity(look.trace, look.site.stack)
    n, last = len(tokens), len(found.points) - 1
    start = (min(at.row, n - 1), min(at.key, n - 1)) if at and at.row != at.key else (0, min(1, n - 1))
    with st.container(horizontal=True):
        first, second = (
            st.selectbox(say(key), range(n), place, key=key, format_func=tokens.name)
            for key, place in zip(("look-likeness-first", "look-likeness-second"), start, strict=True)
        )
        has_choice = last >= stream_blocks.ALL_POINTS
        label = "look-likeness-after"
        after = st.slider(say(label), 1, last, last, key=label) if has_choice else last
    named, begins = row_tokens(look.trace, look.site.stack), look.now.first_token
    blocks = stream_blocks.likeness(found, tokens, named, first, second, say, block=after, start=begins)
    look.draw(look.of_run(blocks))


def show_norm_order(look: Look) -> None:
    """Where this model's norms stand, and both ways with as many blocks as chosen here."""
    say, site = look.say, look.site
    own: tuple[Block, ...]
    try:
        own = stream_blocks.norm_order(look.trace, site.stack, site.layer, say, name=model_label(look.model, say))
    except AttnvizError as problem:  # a trace without the stream; both ways are shown all the same
        own = (Prose(say.error(problem)),)
    look.draw(look.of_run(own))
    label = "look-norm-order-blocks"
    n_blocks = st.slider(say(label), 1, MOST_BLOCKS, USUAL_BLOCKS, key=label)
    seed, words = (look.ran.seed, look.ran.words) if isinstance(look.ran, UntrainedModel) else (0, ())
    with runs().gate.entered():
        compared = norm_orders(look.untouched.tokens.source.source, n_blocks, seed=seed, words=words)
    look.draw(stream_blocks.both_orders(compared, say, seed=seed), panel="both", title=say(label))


def show_decoding(look: Look) -> None:
    """One step of writing, chosen here: what may come next, and whose keys and values are new."""
    steps = generation_steps(look.trace)
    label = "look-decoding-step"
    at = st.slider(look.say(label), 1, len(steps), 1, key=label) - 1 if len(steps) > 1 else 0
    look.draw(look.of_run(decoding_blocks.decoding(look.trace, steps, at, look.say)))


def show_lens(look: Look) -> None:
    """How the prediction forms from block to block, for the token that is picked."""
    with runs().gate.entered():
        lens = logit_lens(look.untouched)
    at = look.now.at.row if look.now.at else len(look.untouched.query_tokens(look.site)) - 1
    look.draw(look.of_untouched(decoding_blocks.lens(look.untouched, lens, at, look.say)))
