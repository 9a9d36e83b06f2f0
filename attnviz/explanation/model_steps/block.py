"""One block of a stack around its attention: norm, attention, residual, norm, feed-forward, residual.

What the trace holds (the stream, and what attention read) is taken from it; norms and feed-forward are made with the
same `ops`, and the sum at the end is held against the stream.
"""

from __future__ import annotations

from dataclasses import dataclass

from attnviz.core.site import Kind, Site, Stack
from attnviz.explanation.attention_steps import step_of
from attnviz.explanation.head_view import Place
from attnviz.explanation.matrices import Matrix, Reading, StepMatrix
from attnviz.explanation.model_steps.parts import add_step, features, norm_step, product_step, state
from attnviz.explanation.model_steps.table import BY_NAME
from attnviz.explanation.recompute import proved
from attnviz.models.layers import ACTIVATIONS
from attnviz.trace.trace import Trace

STATES = {"in": "X", "mid": "X_mid", "crossed": "X_crossed", "out": "X_out"}  # of the stream, by the point in the block


@dataclass(frozen=True, eq=False)
class Block:
    """One block of one run."""

    trace: Trace
    stack: Stack
    layer: int

    @property
    def key(self) -> str:
        return f"{self.stack}.{self.layer}"

    @property
    def is_known(self) -> bool:
        """Whether this trace holds the norms and the stream of this block."""
        return f"{self.key}.self_norm" in self.trace.matrices and f"{self.key}.mid" in self.trace.stream

    @property
    def has_feed_forward(self) -> bool:
        return f"{self.key}.ff" in self.trace.matrices

    def is_pre(self, part: str) -> bool:
        """Whether the norm of a part (self, cross, ff) stands before it."""
        return bool(self.trace.parameters(f"{self.key}.{part}_norm")["is_pre"])

    def state(self, point: str) -> Matrix:
        return state(self.trace, self.stack, f"{self.key}.{point}", STATES[point])


def entered(block: Block, kind: Kind) -> tuple[StepMatrix, ...]:
    """What stands before an attention: its norm, in a pre-norm model."""
    if not block.is_pre(kind):
        return ()
    before, site = block.state("in" if kind == "self" else "mid"), Site(block.stack, kind, block.layer)
    point, values = f"{block.key}.{kind}_norm", block.trace.stream[f"{site.key}.x"]  # [T, D]
    return (norm_step(block.trace, f"{kind}-norm", before, point, key=f"{site.key}.x", written=values),)


def left(block: Block, kind: Kind) -> tuple[StepMatrix, ...]:
    """What stands after an attention: the residual sum, and in a post-norm model its norm."""
    before, after = (block.state(point) for point in (("in", "mid") if kind == "self" else ("mid", "crossed")))
    place = Place.of(block.trace, Site(block.stack, kind, block.layer))
    out = step_of(place, "out").written
    return _added(block, kind, {"self": "mid", "cross": "crossed"}[kind], before, out, after)


def attention_steps(block: Block, kind: Kind) -> tuple[StepMatrix, ...]:
    """An attention from the outside: every head's weights and context, concat, W_O."""
    place = Place.of(block.trace, Site(block.stack, kind, block.layer))
    heads = [Place.of(block.trace, place.site, head) for head in range(place.record.n_heads)]
    steps = [step_of(head, name) for name in ("weights", "context") for head in heads]
    return (*steps, step_of(place, "concat"), step_of(place, "out"))


def feed_forward_steps(block: Block) -> tuple[StepMatrix, ...]:
    """Norm, linear, activation, linear, residual sum; none where the model has no feed-forward part."""
    if not block.has_feed_forward:
        return ()
    own = block.trace.parameters(f"{block.key}.ff")
    before = block.state("crossed" if f"{block.key}.crossed" in block.trace.stream else "mid")
    steps: list[StepMatrix] = []
    read = before
    if block.is_pre("ff"):
        steps.append(norm_step(block.trace, "ff-norm", before, f"{block.key}.ff_norm", key=f"{block.key}.ff.x"))
        read = steps[-1].written
    wide, narrow = features(own["w_1"].shape[0], "F"), features(own["w_2"].shape[0])
    hidden = product_step(
        block.trace, "hidden", "ff", read, own["w_1"], own.get("b_1"), key=f"{block.key}.ff.hidden", shown="hidden",
        columns=wide, symbol="W_1",
    )  # fmt: skip
    active = _activated(block, hidden.written, bytes(own["curve"].tolist()).decode())
    out = product_step(
        block.trace, "ff-out", "ff", active.written, own["w_2"], own.get("b_2"), key=f"{block.key}.ff.out", shown="ff",
        columns=narrow, symbol="W_2",
    )  # fmt: skip
    steps += [hidden, active, out]
    return (*steps, *_added(block, "ff", "block-out", before, out.written, block.state("out")))


def _activated(block: Block, hidden: Matrix, curve: str) -> StepMatrix:
    values = ACTIVATIONS[curve](hidden.values)  # [T, d_ff]
    written = Matrix(f"{block.key}.ff.active", "active", values, hidden.rows, hidden.columns)
    step = StepMatrix(BY_NAME["active"], "ff", written, (Reading(hidden),), facts={"curve": curve})
    return proved(step, block.trace.edits)


def _added(block: Block, part: str, name: str, before: Matrix, change: Matrix, after: Matrix) -> tuple[StepMatrix, ...]:
    """The residual sum; in a post-norm model the stream holds what the norm makes of it."""
    if block.is_pre(part):
        return (add_step(block.trace, name, name, after, (before, change)),)
    total = Matrix(f"{after.key}.sum", "sum", before.values + change.values, before.rows, before.columns)  # [T, D]
    norm = f"{part}-norm"
    return (
        add_step(block.trace, name, name, total, (before, change)),
        norm_step(
            block.trace, norm, total, f"{block.key}.{part}_norm", key=after.key, shown=after.name, written=after.values
        ),
    )
