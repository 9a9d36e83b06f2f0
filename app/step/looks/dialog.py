"""Opens a closer look in a dialog: the picture or the link asks for it, Escape closes it, a function here draws it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import accumulate

import streamlit as st
from attnviz_app.host import component, events, lines, session, visitor
from attnviz_app.open_model import state as open_model
from attnviz_app.serving import checkpoints
from attnviz_app.serving.runs import runs
from attnviz_app.serving.training_names import model_label
from attnviz_app.shell import panels
from attnviz_app.step import state as page
from attnviz_app.step.looks import (
    cost_blocks,
    decoding_blocks,
    design_blocks,
    head_blocks,
    learning_blocks,
    merge_blocks,
    position_blocks,
    stream_blocks,
)
from attnviz_app.step.looks.token_slice import holding
from attnviz_app.step.picture import shown
from attnviz_app.step.query import Picked
from attnviz_app.step.state import STEP
from attnviz_app.step.tokenizers import tokenizer_of

from attnviz.analysis.circuits.logits import logit_lens
from attnviz.core.errors import AttnvizError, UnsupportedModel
from attnviz.core.site import Site
from attnviz.core.tensor_checks import whole_number
from attnviz.explanation.attention_steps import scale_factors
from attnviz.explanation.closer_looks.cache import cache_sizes
from attnviz.explanation.closer_looks.cost import LENGTHS, attention_cost
from attnviz.explanation.closer_looks.distance import rotated_pair
from attnviz.explanation.closer_looks.gradients import cell_gradient
from attnviz.explanation.closer_looks.norm_order import MOST_BLOCKS, norm_orders
from attnviz.explanation.closer_looks.residual_stream import token_similarity
from attnviz.explanation.closer_looks.shuffle import another_order, shuffled
from attnviz.explanation.closer_looks.torch_layer import against_torch
from attnviz.explanation.head_view import HeadView
from attnviz.explanation.model_steps.decoding import generation_steps
from attnviz.pretrained.tokens.merges import merges
from attnviz.scratch.untrained import UntrainedModel
from attnviz.text import Strings
from attnviz.trace.decoder_rows import row_tokens
from attnviz.trace.model_protocol import Model
from attnviz.trace.trace import Trace
from attnviz.training.gradient_step import gradient_step
from attnviz.training.trained_model import TrainedModel
from attnviz.views.panel.blocks import Block, Prose

USUAL_LENGTH = 1_000
USUAL_BLOCKS = 12
FURTHEST = 1_000  # positions by which two tokens can be moved
RATES, USUAL_RATE = (0.01, 0.1, 0.5, 1.0), 0.1  # of a step of gradient descent
_seed = session.Value("shuffle-seed", lambda: 1)


@dataclass(frozen=True, eq=False)
class Look:
    """One that is open, and what was on the page when it was asked for."""

    key: str  # its name is the message `look-<key>`, what it shows `look-<key>-about`
    model: str  # its name, as the menu has it
    trace: Trace  # of the run on the page, with its switches
    untouched: Trace  # of the same text without them
    now: Picked
    say: Strings
    ran: Model  # what made these runs

    @property
    def site(self) -> Site:
        return Site.parse(self.now.site)

    @property
    def width(self) -> int:
        """d_k of the heads on the page."""
        return int(self.trace[self.now.site].source.v.shape[-1])

    def draw(
        self, blocks: Sequence[Block], *, panel: str = "panel", title: str = "",
        go: Callable[[object], None] | None = None,
    ) -> None:  # fmt: skip
        """Show blocks; a second panel has a name of its own and a title for screen readers. `go` is told of a press on
        what leads somewhere."""
        key = f"look-{self.key}-{panel}"
        on_go = None if go is None else events.later(go, key)
        component.panel(blocks, title or self.say(f"look-{self.key}"), key, self.say, on_go)

    def draw_of_run(self, blocks: Sequence[Block]) -> None:
        """What is said of the run on the page, after what was switched in it, if anything."""
        if self.trace.edits:
            notes = (self.say(note.id, **note.arguments) for note in self.now.switches.notes(self.untouched))
            blocks = (Prose(self.say("look-with-switches", changes=" · ".join(notes))), *blocks)
        self.draw(blocks)

    def draw_of_untouched(self, blocks: Sequence[Block], go: Callable[[object], None] | None = None) -> None:
        """What is said of the untouched run; it says so where something is switched on the page."""
        self.draw((Prose(self.say("look-without-switches")), *blocks) if self.trace.edits else blocks, go=go)

    def number(self, label: str, n: int, at: int, key: str) -> int:
        """A menu of one of n, which count from 1 on the screen and from 0 here; `at` is chosen at first."""
        return st.selectbox(
            self.say(label), range(n), min(at, n - 1), key=key, format_func=lambda index: str(index + 1)
        )


def open_dialog(key: str) -> None:
    """Open a closer look; none where the key is ""."""
    if not key:
        return

    def draw() -> None:
        run, say = shown(STEP.shown, page.TOLD.get()), visitor.say()
        look = Look(key, STEP.shown.model, run.trace, run.ran.untouched, run.picked, say, run.ran.model)
        st.html(f'<p class="av-look">{escape(say(f"look-{key}-about"))}</p>')
        try:
            SHOW[key](look)
        except AttnvizError as problem:  # it cannot be had of this model or this text
            look.draw((Prose(say.error(problem)),), panel="problem")

    panels.dialog(visitor.say()(f"look-{key}"), draw, asked=lambda: STEP.asked.look, close=lambda: STEP.change(look=""))


# -------------------------------------------------------------------------------------- self-attention and multi-head


def _why_scale(look: Look) -> None:
    look.draw(cost_blocks.why_scale(look.width, look.say))


def _cost(look: Look) -> None:
    """Of one layer of this model's shape: by number of tokens, and step by step at a number chosen here."""
    n_heads, n = look.trace[look.now.site].n_heads, len(look.trace.query_tokens(look.site))
    n_kv_heads = HeadView.of(look.trace, look.site).n_heads_of("k")
    window = look.untouched[look.now.site].source.mask.window
    look.draw(cost_blocks.of_layer(n, n_heads * look.width, n_heads, n_kv_heads, window, look.say))
    label, step = "look-cost-length", look.now.at.step.split(".")[0] if look.now.at else ""
    n = st.select_slider(look.say(label), LENGTHS, USUAL_LENGTH, key=label, format_func="{:,}".format, width=420)
    by_step = cost_blocks.by_step(attention_cost(n, n_heads * look.width, n_heads, n_kv_heads), step, look.say)
    look.draw([by_step], panel="steps", title=by_step.title)


def _distance(look: Look) -> None:
    """A query and a key of a head, moved together and apart; at first that of the page, as they stand in the text."""
    say, now, tokens = look.say, look.now, look.trace.query_tokens(look.site)
    at, n = now.at, len(tokens)
    query = min(at.row, n - 1) if at else n - 1
    record = look.trace[now.site]
    key = min(at.key, n - 1) if at else 0
    is_read = at is not None and bool(record.weights(now.head)[query, key] > 0)
    places = query, key if is_read else max(0, query - 1)
    with st.container(horizontal=True):
        query, key = (
            st.selectbox(say(label), range(n), place, key=label, format_func=tokens.name)
            for label, place in zip(("look-distance-query", "look-distance-key"), places, strict=True)
        )
        head = look.number("look-axis-head", record.n_heads, now.head, "look-distance-head")
    pair = rotated_pair(look.trace, now.site, head, query=query, key=key)
    longest = look.trace.card.max_tokens or FURTHEST
    most, distance = max(1, min(FURTHEST, longest - n)), query - key
    farthest = max(position_blocks.FAR, distance)
    with st.container(horizontal=True):
        moved = st.slider(say("look-distance-move"), 0, most, 0, key="look-distance-move", width=340)
        label = f"look-distance-apart-{query}-{key}"  # of two other tokens their own distance
        apart = st.slider(say("look-distance-apart"), min(0, distance), farthest, distance, key=label, width=340)
    score = float(record.scores(head)[query, key])
    scale = scale_factors(HeadView.of(look.trace, now.site))
    names = tokens.name(query), tokens.name(key)
    look.draw_of_run(position_blocks.distance(pair, score, names, scale, say, moved=moved, apart=apart, most=most))


def _two_heads(look: Look) -> None:
    """Two heads of the attention on the page, chosen here: at first its own, and the one that differs most from it."""
    record = look.trace[look.now.site]
    if record.n_heads == 1:
        look.draw_of_run((Prose(look.say("look-two-heads-one")),))
        return
    label, other = "look-two-heads-first", "look-two-heads-second"
    with st.container(horizontal=True):
        first = look.number(label, record.n_heads, look.now.head, label)
        second = look.number(other, record.n_heads, head_blocks.farthest_head(record, look.now.head), other)
    start = look.now.first_token
    look.draw_of_run(head_blocks.two_heads(look.trace, look.now.site, first, second, look.say, start=start))


def _torch_check(look: Look) -> None:
    """The attention on the page, untouched, beside torch.nn.MultiheadAttention with its weights."""
    base, site = look.untouched, look.now.site
    look.draw_of_untouched(head_blocks.torch_check(base, site, against_torch(base, site), look.say))


def _gradient(look: Look) -> None:
    """The gradient of one cell of the output; its token, its column and the head are chosen here."""
    say, record, at = look.say, look.trace[look.now.site], look.now.at
    tokens = row_tokens(look.trace, record.site.stack)
    is_out = record.w_o is not None
    width = record.w_o.shape[0] if record.w_o is not None else look.width
    with st.container(horizontal=True):
        query = st.selectbox(
            say("look-axis-token"), range(len(tokens)), min(at.row if at else 0, len(tokens) - 1),
            key="look-gradient-token", format_func=tokens.name,
        )  # fmt: skip
        feature = look.number("look-axis-column", width, at.feature if at else 0, "look-gradient-column")
        head = look.number("look-axis-head", record.n_heads, look.now.head, "look-gradient-head")
    gradient = cell_gradient(look.trace, look.now.site, query=query, feature=feature, head=None if is_out else head)
    start = holding(query, look.now.first_token)
    look.draw_of_run(head_blocks.gradient(
        look.trace, look.now.site, gradient, say, query=query, feature=feature, head=head, is_out=is_out, start=start,
    ))  # fmt: skip


# --------------------------------------------------------------------------------------------------- block and decoder


def _learning(look: Look) -> None:
    """One step of gradient descent from a checkpoint, with a learning rate; both are chosen here."""
    say, store = look.say, runs().store
    steps = checkpoints.steps_of(look.model, store)
    with st.container(horizontal=True):
        step = st.selectbox(say("look-learning-step"), steps, len(steps) // 2, key="look-learning-step")
        rate = st.selectbox(say("look-learning-rate"), RATES, RATES.index(USUAL_RATE), key="look-learning-rate")
    model = runs().model(checkpoints.named(step, look.model))
    if not isinstance(model, TrainedModel):
        raise UnsupportedModel(id="no-gradient-step", site=str(look.site))
    name = HeadView.of(look.untouched, look.site, look.now.head).of_head("q").name
    look.draw_of_untouched(learning_blocks.learning(
        gradient_step(model, step, look.site, look.now.head, rate), f"W_{name}", say,
    ))  # fmt: skip


def _positions(look: Look) -> None:
    name = model_label(look.model, look.say)
    look.draw_of_untouched(position_blocks.positions(look.untouched, look.site.stack, look.say, name=name))


def _shuffle(look: Look) -> None:
    """The text in another order, without positions and with them; another order for each press of a button."""
    base, seed, label = look.untouched, _seed.get(), "look-shuffle-again"
    order = another_order(base.tokens.source, seed)
    with runs().gate.entered():
        without, positioned = (shuffled(look.ran, base, order, positions=has) for has in (False, True))
    st.button(look.say(label), key=label, on_click=events.later(lambda: _seed.set(_seed.get() + 1)))
    head, start = min(look.now.head, base[base.sites[0]].n_heads - 1), look.now.first_token
    look.draw_of_untouched(position_blocks.shuffle(without, positioned, head, look.say, seed=seed, start=start))


def _likeness(look: Look) -> None:
    """The cosine of two tokens, chosen here, from block to block."""
    say, at, tokens = look.say, look.now.at, look.trace.query_tokens(look.site)
    likeness = token_similarity(look.trace, look.site.stack)
    n, last = len(tokens), len(likeness.points) - 1
    places = (min(at.row, n - 1), min(at.key, n - 1)) if at and at.row != at.key else (0, min(1, n - 1))
    with st.container(horizontal=True):
        first, second = (
            st.selectbox(say(key), range(n), place, key=key, format_func=tokens.name)
            for key, place in zip(("look-likeness-first", "look-likeness-second"), places, strict=True)
        )
        label, has_choice = "look-likeness-after", last >= stream_blocks.ALL_POINTS
        after = st.slider(say(label), 1, last, last, key=label) if has_choice else last
    named, start = row_tokens(look.trace, look.site.stack), look.now.first_token
    look.draw_of_run(stream_blocks.likeness(likeness, tokens, named, first, second, say, block=after, start=start))


def _norm_order(look: Look) -> None:
    """Where this model's norms stand, and both ways with as many blocks as chosen here."""
    say, site, label = look.say, look.site, "look-norm-order-blocks"
    blocks: tuple[Block, ...]
    try:
        blocks = stream_blocks.norm_order(look.trace, site.stack, site.layer, say, name=model_label(look.model, say))
    except AttnvizError as problem:  # a trace without the stream; both ways are shown all the same
        blocks = (Prose(say.error(problem)),)
    look.draw_of_run(blocks)
    n_blocks = st.slider(say(label), 1, MOST_BLOCKS, USUAL_BLOCKS, key=label)
    seed, words = (look.ran.seed, look.ran.words) if isinstance(look.ran, UntrainedModel) else (0, ())
    with runs().gate.entered():
        compared = norm_orders(look.untouched.tokens.source.source, n_blocks, seed=seed, words=words)
    look.draw(stream_blocks.both_orders(compared, say, seed=seed), panel="both", title=say(label))


def _decoding(look: Look) -> None:
    """One step of writing, chosen here: what may come next, and whose keys and values are new."""
    steps, label = generation_steps(look.trace), "look-decoding-step"
    at = st.slider(look.say(label), 1, len(steps), 1, key=label) - 1 if len(steps) > 1 else 0
    look.draw_of_run(decoding_blocks.decoding(look.trace, steps, at, look.say))


def _merges(look: Look) -> None:
    """How one word, chosen here, was cut into tokens; at first that of the token that is picked."""
    source, say, label = look.untouched.tokens.source, look.say, "look-merges-word"
    tokenizer = tokenizer_of(look.ran, look.untouched)
    if tokenizer is None:
        raise UnsupportedModel(id="no-merges", model=model_label(look.model, say))
    words = merges(tokenizer, source.source)
    ends = list(accumulate(len(word.states[-1].pieces) for word in words))
    row = min(look.now.at.row if look.now.at else 0, ends[-1] - 1)
    own = next(at for at, end in enumerate(ends) if row < end)
    at = st.selectbox(
        say(label), range(len(words)), own, key=label, format_func=lambda at: merge_blocks.shown(words[at])
    )
    look.draw_of_untouched(merge_blocks.cut(words, at, say))


def _cache(look: Look) -> None:
    """What one more token computes and reads, after as many tokens as the text has or as are chosen here."""
    label, n = "look-cache-tokens", len(look.untouched.query_tokens(look.site))
    lengths = cost_blocks.cache_lengths(look.untouched.card.max_tokens)
    chosen = st.select_slider(
        look.say(label), sorted({n, *lengths}), n, key=label, format_func="{:,}".format, width=420
    )
    has_cross = any(site.kind == "cross" for site in look.untouched.sites)
    about = (Prose(look.say("look-cache-cross")),) if has_cross else ()
    look.draw((*about, *cost_blocks.cache(cache_sizes(look.untouched), chosen, lengths, look.say)))


def _designs(look: Look) -> None:
    """Three designs part by part, and a button for each model that is built so; one that is not here may be opened."""
    say, known = look.say, page.models()
    look.draw(design_blocks.designs(say))
    lines.head(say("look-designs-open"))
    with st.container(horizontal=True):
        for design, names in design_blocks.BUILT_SO:
            here = next((name for name in names if name in known), None)
            name, go = (here, page.step_through) if here else (names[-1], page.open_here)
            if here or open_model.could_open(name):
                model = model_label(name, say) if here else say("open-model-offer", model=name)
                opens = say("look-designs-link", design=say(f"look-designs-{design}"), model=model)
                st.button(opens, key=f"look-designs-{name}", type="tertiary", on_click=events.later(go), args=(name,))
            else:
                lines.note(say("look-designs-not-here", model=name))
    lines.note(say("look-designs-translator"))


def _lens(look: Look) -> None:
    """How the prediction forms from block to block, for the token that is picked."""
    with runs().gate.entered():
        lens = logit_lens(look.untouched)
    at = look.now.at.row if look.now.at else len(look.untouched.query_tokens(look.site)) - 1
    look.draw_of_untouched(decoding_blocks.lens(look.untouched, lens, at, look.say), go=_to_cell)


def _to_cell(said: object) -> None:
    """Step through the attention that a cell of the lens is after, at its token; a browser may say anything."""
    told = getattr(said, "go", None)
    place = told.get("to") if isinstance(told, Mapping) else None
    layer, _, _, token = place if isinstance(place, list | tuple) and len(place) == 4 else (None, None, None, None)
    if (at := whole_number(token)) is not None and at >= 0:
        page.go_to(max(0, whole_number(layer) or 0), at)


SHOW: dict[str, Callable[[Look], None]] = {
    "distance": _distance, "why-scale": _why_scale, "cost": _cost, "two-heads": _two_heads, "torch-check": _torch_check,
    "gradient": _gradient, "learning": _learning, "positions": _positions, "shuffle": _shuffle, "likeness": _likeness,
    "norm-order": _norm_order, "merges": _merges, "decoding": _decoding, "cache": _cache, "lens": _lens,
    "designs": _designs,
}  # fmt: skip
