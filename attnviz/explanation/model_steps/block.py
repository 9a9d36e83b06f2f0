"""The steps of one block around its attention: norm, attention, residual, norm, feed-forward, residual.

What the trace holds (the stream, and what attention read) is taken from it; norms and feed-forward are computed with
the same `ops`, and the sum at the end is compared with the stream.
"""

from dataclasses import dataclass, replace
from typing import Self

from attnviz.core.site import Site, Stack
from attnviz.explanation.attention_steps import attention_step
from attnviz.explanation.head_view import HeadView, features
from attnviz.explanation.matrices import Matrix, RunStep
from attnviz.explanation.step_makers import norm_step, product, product_step, state
from attnviz.explanation.steps import BY_NAME
from attnviz.models.blocks import ParallelBlock
from attnviz.models.layers import ACTIVATIONS, GatedFeedForward, NormBothSides, PostNorm
from attnviz.trace.trace import Trace

POST = "x = x + self.dropout(f(x))"  # of PostNorm
BOTH_SIDES = "x = x + self.dropout(self.norm_after(f(self.norm(x))))"  # of NormBothSides
PARALLEL = 'return tap("out", self.self_residual(x, attend) + added)'  # of ParallelBlock
STATES = {"in": "X", "mid": "X_mid", "crossed": "X_crossed", "out": "X_out"}  # of the stream, by the point in the block


@dataclass(frozen=True, eq=False)
class Block:
    trace: Trace
    stack: Stack
    layer: int

    @classmethod
    def of(cls, view: HeadView) -> Self:
        """The block that an attention is of."""
        return cls(view.trace, view.site.stack, view.site.layer)

    @property
    def key(self) -> str:
        return f"{self.stack}.{self.layer}"

    @property
    def is_known(self) -> bool:
        """Whether this trace holds the norms and the stream of this block."""
        last = "out" if self.is_parallel else "mid"
        return f"{self.key}.self_norm" in self.trace.matrices and f"{self.key}.{last}" in self.trace.stream

    @property
    def is_parallel(self) -> bool:
        """Whether attention and feed-forward read the same X, so that nothing stands in the stream between them."""
        return "is_parallel" in self.trace.matrices.get(f"{self.key}.ff_norm", {})

    @property
    def has_feed_forward(self) -> bool:
        return f"{self.key}.ff" in self.trace.matrices

    def is_pre(self, sublayer: str) -> bool:
        """Whether the norm of a sublayer (self, cross, ff) stands before it."""
        return bool(self.trace.parameters(f"{self.key}.{sublayer}_norm")["is_pre"])

    def state(self, point: str) -> Matrix:
        return state(self.trace, self.stack, f"{self.key}.{point}", STATES[point])


def steps_before(view: HeadView) -> tuple[RunStep, ...]:
    """What comes before an attention: its norm, in a pre-norm model."""
    block, kind = Block.of(view), view.site.kind
    if not block.is_pre(kind):
        return ()
    read, key = block.state("in" if kind == "self" else "mid"), f"{block.key}.{kind}.x"
    values = block.trace.stream[key]  # [T, d_model]
    return (norm_step(block.trace, f"{kind}-norm", read, f"{block.key}.{kind}_norm", key=key, values=values),)


def steps_after(view: HeadView) -> tuple[RunStep, ...]:
    """What comes after an attention: the residual sum, in a post-norm model its norm, and a norm before it where norms
    stand on both sides; nothing in a parallel block, whose sum follows the feed-forward part.
    """
    block, kind = Block.of(view), view.site.kind
    if block.is_parallel:
        return ()
    before, after = ("in", "mid") if kind == "self" else ("mid", "crossed")
    out = attention_step(view, "out").result
    return _residual(block, kind, after, block.state(before), out, block.state(after))


def feed_forward_steps(block: Block) -> tuple[RunStep, ...]:
    """Norm, linear, activation, linear, residual sum; none where the model has no feed-forward sublayer.

    With a gate two products are made of the norm: one goes through the activation and multiplies the other.
    """
    if not block.has_feed_forward:
        return ()
    trace, key, parameters = block.trace, f"{block.key}.ff", block.trace.parameters(f"{block.key}.ff")
    before = block.state(_read_by_feed_forward(block))
    steps: list[RunStep] = []
    if block.is_pre("ff"):
        steps.append(norm_step(trace, "ff-norm", before, f"{key}_norm", key=f"{key}.x"))
    read = steps[-1].result if steps else before
    w_1, b_1, w_2, b_2 = parameters["w_1"], parameters.get("b_1"), parameters["w_2"], parameters.get("b_2")
    w_gate, b_gate = parameters.get("w_gate"), parameters.get("b_gate")
    hidden = product(f"{key}.hidden", "hidden", read, w_1, b_1, features(len(w_1), "d_ff"))  # [T, d_ff]
    made_hidden = product_step("hidden", hidden, read, w_1, b_1, "W_1")
    if "curve" not in parameters:  # a what-if: the gate stands at 1
        out = product(f"{key}.out", "ff", hidden, w_2, b_2, features(len(w_2)))  # [T, d_model]
        steps += [_of_gated(made_hidden), _of_gated(product_step("ff-out", out, hidden, w_2, b_2, "W_2"))]
        return (*steps, *_residual(block, "ff", "block-out", before, out, block.state("out")))
    if w_gate is not None:
        gate = product(f"{key}.gate", "gate", read, w_gate, b_gate, hidden.columns)  # [T, d_ff]
        steps.append(product_step("gate", gate, read, w_gate, b_gate, "W_gate"))
    else:
        steps.append(made_hidden)
        gate = hidden
    curve = bytes(parameters["curve"].tolist()).decode()
    active = Matrix(f"{key}.active", "active", ACTIVATIONS[curve](gate.values), hidden.rows, hidden.columns)
    steps.append(RunStep.of("active", active, gate, facts={"curve": curve}))
    last = active
    if w_gate is not None:
        last = Matrix(f"{key}.gated", "gated", active.values * hidden.values, hidden.rows, hidden.columns)
        steps += [made_hidden, RunStep.of("gated", last, active, hidden)]
    out = product(f"{key}.out", "ff", last, w_2, b_2, features(len(w_2)))  # [T, d_model]
    steps.append(product_step("ff-out", out, last, w_2, b_2, "W_2"))
    if w_gate is not None:
        steps = [_of_gated(step) for step in steps]
    return (
        *steps,
        *_residual(block, "ff", "block-out", before, out, block.state("out")),
    )


# The steps that the gated part has too: its line of code, and the words that are said of it.
GATED = {
    "hidden": (BY_NAME["gated"].line, "gated-hidden"), "active": (BY_NAME["gate"].line, "gated-active"),
    "ff-out": ("return self.w_2(gated)", "gated-ff-out"),
}  # fmt: skip


def _read_by_feed_forward(block: Block) -> str:
    """The point of the block that its feed-forward part begins with."""
    if block.is_parallel:
        return "in"
    return "crossed" if f"{block.key}.crossed" in block.trace.stream else "mid"


def _of_gated(step: RunStep) -> RunStep:
    """A step of the plain feed-forward part as one of the gated part."""
    if step.name not in GATED:
        return step
    line, words = GATED[step.name]
    return replace(step, definition=replace(step.definition, code=GatedFeedForward.forward, line=line, words=words))


def final_norm(trace: Trace, stack: Stack) -> tuple[RunStep, ...]:
    """The norm after the last block, which pre-norm models have."""
    key, point = f"{stack}.out", f"{stack}.final_norm"
    if point not in trace.matrices:
        return ()
    last = Block(trace, stack, last_layer(trace, stack)).state("out")
    return (norm_step(trace, "final-norm", last, point, key=key, values=trace.stream[key]),)


def last_layer(trace: Trace, stack: Stack) -> int:
    return max(site.layer for site in trace.sites if site.stack == stack)


def _residual(
    block: Block, sublayer: str, name: str, before: Matrix, change: Matrix, after: Matrix
) -> tuple[RunStep, ...]:
    """The residual sum; in a post-norm model the stream holds what the norm makes of it."""
    second = f"{block.key}.{sublayer}_norm_after"
    if second in block.trace.matrices:
        key = f"{block.key}.{sublayer}.norm_after"
        normed = norm_step(block.trace, f"{sublayer}-norm-after", change, second, key=key)
        added = RunStep.of(name, after, before, normed.result)
        return (
            normed,
            replace(added, definition=replace(added.definition, code=NormBothSides.forward, line=BOTH_SIDES)),
        )
    if block.is_parallel:
        of_attention = attention_step(HeadView.of(block.trace, Site(block.stack, "self", block.layer)), "out").result
        added = RunStep.of(name, after, before, of_attention, change)
        definition = replace(added.definition, code=ParallelBlock.forward, line=PARALLEL, words="residual-parallel")
        return (replace(added, definition=definition),)
    if block.is_pre(sublayer):
        return (RunStep.of(name, after, before, change),)
    # [T, d_model]
    total = Matrix(f"{after.key}.sum", "sum", before.values + change.values, before.rows, before.columns)
    point, shown, values = f"{block.key}.{sublayer}_norm", after.name, after.values
    added = RunStep.of(name, total, before, change)
    return (
        replace(added, definition=replace(added.definition, code=PostNorm.forward, line=POST)),
        norm_step(block.trace, f"{sublayer}-norm", total, point, key=after.key, shown=shown, values=values),
    )
