"""The steps around attention, a row each, beside the layers that run them. Adding a step is adding a row."""

from __future__ import annotations

from attnviz.core import ops
from attnviz.explanation.steps import PRODUCT, STEPS, Step, row
from attnviz.models.layers import FeedForward, Residual, TokenEmbedding
from attnviz.models.positions import LearnedPositions, sinusoidal_positions

LOOK_UP, LEAVE = "x = self.tokens(", "x = x + "

MODEL_STEPS: tuple[Step, ...] = (
    row("tokens", ("ids", "table"), ("token", "feature"), "lookup", "E = table[ids]", TokenEmbedding.forward, LOOK_UP),
    row("scaled", ("tokens",), ("token", "feature"), "scale", "E · √D", TokenEmbedding.forward, LOOK_UP),
    row(
        "sinusoid", (), ("token", "feature"), "position",
        "P[t, 2i] = sin(t / 10000^(2i/D)); P[t, 2i+1] = cos(t / 10000^(2i/D))", sinusoidal_positions, "table[:, 0::2]",
    ),
    row("positions", ("places", "table"), ("token", "feature"), "lookup", "P = table[t]", LearnedPositions.forward),
    row(
        "embed", ("tokens", "positions"), ("token", "feature"), "add", "X = E + P", TokenEmbedding.forward,
        "x = x + self.positions(",
    ),
    row("embed-norm", ("embed",), ("token", "feature"), "norm row", NORM := "(x − mean)/√(variance + ε)·gain + shift",
        ops.normalise, words="norm"),
    row("self-norm", ("in",), ("token", "feature"), "norm row", NORM, ops.normalise, words="norm"),
    row("mid", ("in", "out"), ("token", "feature"), "add", "mid = x + out", Residual.leave, LEAVE, "residual"),
    row("cross-norm", ("mid",), ("token", "feature"), "norm row", NORM, ops.normalise, words="norm"),
    row("crossed", ("mid", "out"), ("token", "feature"), "add", "crossed = x + out",
        Residual.leave, LEAVE, "residual"),
    row("ff-norm", ("mid",), ("token", "feature"), "norm row", NORM, ops.normalise, words="norm"),
    row("hidden", ("ff-norm", "w_1", "b_1"), ("token", "feature"), "product", "hidden = x·W_1 + b_1",
        FeedForward.forward, "hidden = "),
    row("active", ("hidden",), ("token", "feature"), "activation", "active = activation(hidden)",
        FeedForward.forward, "active = "),
    row("ff-out", ("active", "w_2", "b_2"), ("token", "feature"), "product", "ff = active·W_2 + b_2",
        FeedForward.forward),
    row("block-out", ("mid", "ff-out"), ("token", "feature"), "add", "out = x + ff", Residual.leave, LEAVE,
        "residual"),
    row("final-norm", ("block-out",), ("token", "feature"), "norm row", NORM, ops.normalise, words="norm"),
    row("logits", ("final-norm", "w_vocabulary"), ("token", "vocabulary"), "product", "logits = x·W_vocabulary",
        ops.project, PRODUCT),
    row("probabilities", ("logits",), ("token", "vocabulary"), "softmax row", "probabilities = softmax(logits)",
        ops.softmax_rows, "weights = torch.softmax(masked,"),
)  # fmt: skip

ALL_STEPS: tuple[Step, ...] = (*MODEL_STEPS[:7], *STEPS, *MODEL_STEPS[7:])
BY_NAME = {step.name: step for step in ALL_STEPS}
