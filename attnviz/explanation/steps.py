"""The table of steps: what each one reads and writes, by which rule, and the line of code that does it.

The stepper, the explanations, the exports and the tests read this table: adding a step is adding a row, and a way to
take its matrices from a run. `code` is the function that runs; its line is read by `inspect`, so it cannot go stale.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from attnviz.core import ops
from attnviz.models.layers import FeedForward, GatedFeedForward, PreNorm, TokenEmbedding
from attnviz.models.positions import LearnedPositions, rotate, sinusoidal_positions
from attnviz.trace.traced_run import prediction_of

RuleName = Literal[
    "lookup", "position", "product", "scale", "add", "times", "mask", "softmax row", "norm row", "rms row", "rotate",
    "activation", "split", "concat", "cap",
]  # fmt: skip
AxisName = Literal["query", "key", "token", "feature", "entry"]
Axes = tuple[AxisName, AxisName]  # row and column of what a step writes

QUERY_KEY: Axes = ("query", "key")
QUERY_FEATURE: Axes = ("query", "feature")
KEY_FEATURE: Axes = ("key", "feature")
TOKEN_FEATURE: Axes = ("token", "feature")
TOKEN_ENTRY: Axes = ("token", "entry")


@dataclass(frozen=True)
class Step:
    """One step: how a matrix is computed from others, cell by cell."""

    name: str  # of the step and of the matrix it writes
    group: str  # steps that share one stop on the rail, such as Q, K and V
    reads: tuple[str, ...]
    axes: Axes
    rule: RuleName  # a row of cell_rules.py
    formula: str
    code: Callable[..., Any]
    line: str = "return "  # how the line of `code` that does it begins; the last such line counts
    words: str = ""  # in the ids of its messages; its name if not given

    @property
    def says(self) -> str:
        """Message id of the explanation, which has at most 45 words."""
        return f"step-{self.words or self.name}-says"

    @property
    def try_this(self) -> str:
        """Message id of one thing to try."""
        return f"step-{self.words or self.name}-try"

    @property
    def code_line(self) -> str:
        """The source line that does it, as it stands in the file."""
        lines = [line.strip() for line in inspect.getsource(self.code).splitlines()]
        found = [line for line in lines if line.startswith(self.line)]
        return found[-1].split("  #")[0]


PRODUCT, BIASED = "return x @ weight.mT  #", "return x @ weight.mT + bias"  # of ops.project
ADDED = "return scores + mask"  # of ops.add_mask
RESIDUAL = "x = x + "  # of PreNorm; of PostNorm where a model has that
WAVES = "P[t, 2i] = sin(t / 10000^(2i/d_model)); P[t, 2i+1] = cos(t / 10000^(2i/d_model))"
NORM = "(x − mean)/√(variance + ε)·gain + shift"
RMS_NORM = "x/√(mean square + ε)·gain"
ROTATION = "x·cos α ± x_pair·sin α; α = t·frequency"

EMBEDDING_STEPS = (
    Step("tokens", "embed", ("ids", "table"), TOKEN_FEATURE, "lookup", "E = table[ids]", TokenEmbedding.forward,
         "x = self.tokens("),
    Step("scaled", "embed", ("tokens",), TOKEN_FEATURE, "scale", "E · √d_model", TokenEmbedding.forward,
         "x = x * self.scale"),
    Step("sinusoid", "embed", (), TOKEN_FEATURE, "position", WAVES, sinusoidal_positions, "table[:, 0::2]"),
    Step("positions", "embed", ("ids", "table"), TOKEN_FEATURE, "lookup", "P = table[t]", LearnedPositions.forward),
    Step("embed", "embed", ("tokens", "positions"), TOKEN_FEATURE, "add", "X = E + P", TokenEmbedding.forward,
         "x = x + self.positions("),
    Step("embed-norm", "embed-norm", ("embed",), TOKEN_FEATURE, "norm row", NORM, ops.normalise, words="norm"),
)  # fmt: skip

ATTENTION_STEPS = (
    Step("q", "qkv", ("x_query", "w_q", "b_q"), QUERY_FEATURE, "product", "Q = X·W_Q + b_Q", ops.project, BIASED),
    Step("k", "qkv", ("x_key", "w_k", "b_k"), KEY_FEATURE, "product", "K = X·W_K + b_K", ops.project, BIASED),
    Step("v", "qkv", ("x_key", "w_v", "b_v"), KEY_FEATURE, "product", "V = X·W_V + b_V", ops.project, BIASED),
    Step("q-norm", "qk-norm", ("q",), QUERY_FEATURE, "rms row", RMS_NORM, ops.rms_normalise, "scaled = ", "qk-norm"),
    Step("k-norm", "qk-norm", ("k",), KEY_FEATURE, "rms row", RMS_NORM, ops.rms_normalise, "scaled = ", "qk-norm"),
    Step("q-rotated", "rotated", ("q",), QUERY_FEATURE, "rotate", ROTATION, rotate, words="rotated"),
    Step("k-rotated", "rotated", ("k",), KEY_FEATURE, "rotate", ROTATION, rotate, words="rotated"),
    Step("raw", "raw", ("q", "k"), QUERY_KEY, "product", "raw = Q·Kᵀ", ops.raw_scores),
    Step("scores", "scores", ("raw", "scale"), QUERY_KEY, "scale", "scores = raw/√d_k", ops.scale_scores),
    Step("capped", "scores", ("scores", "softcap"), QUERY_KEY, "cap", "capped = c·tanh(scores/c)", ops.cap_scores),
    Step("masked", "masked", ("scores", "mask"), QUERY_KEY, "mask", "masked = scores + M", ops.add_mask, ADDED),
    Step("weights", "weights", ("masked",), QUERY_KEY, "softmax row", "weights = softmax(masked)", ops.softmax_rows,
         "weights = torch.softmax(masked,"),
    Step("context", "context", ("weights", "v"), QUERY_FEATURE, "product", "context = weights·V", ops.weigh_values),
    Step("silenced", "context", ("context",), QUERY_FEATURE, "scale", "silenced = 0 · context", ops.scale_scores),
    Step("head-out", "out", ("context", "w_o"), QUERY_FEATURE, "product", "out_h = context·W_O[h]", ops.project,
         PRODUCT),
    Step("concat", "concat", ("context",), QUERY_FEATURE, "concat", "concat(context_1 … context_H)", ops.merge_heads),
    Step("out", "out", ("concat", "w_o", "b_o"), QUERY_FEATURE, "product", "out = concat(context)·W_O + b_O",
         ops.project, BIASED),
    Step("split", "split", ("q",), QUERY_FEATURE, "split", "Q_h = Q[:, h·d_k : (h+1)·d_k]", ops.split_heads),
)  # fmt: skip

BLOCK_STEPS = (
    Step("self-norm", "self-norm", ("in",), TOKEN_FEATURE, "norm row", NORM, ops.normalise, words="norm"),
    Step("mid", "mid", ("in", "out"), TOKEN_FEATURE, "add", "mid = x + out", PreNorm.forward, RESIDUAL, "residual"),
    Step("cross-norm", "cross-norm", ("mid",), TOKEN_FEATURE, "norm row", NORM, ops.normalise, words="norm"),
    Step("crossed", "crossed", ("mid", "out"), TOKEN_FEATURE, "add", "crossed = x + out", PreNorm.forward, RESIDUAL,
         "residual"),
    Step("ff-norm", "ff-norm", ("mid",), TOKEN_FEATURE, "norm row", NORM, ops.normalise, words="norm"),
    Step("gate", "ff", ("ff-norm", "w_gate", "b_gate"), TOKEN_FEATURE, "product", "gate = x·W_gate + b_gate",
         GatedFeedForward.forward, "gate = "),
    Step("hidden", "ff", ("ff-norm", "w_1", "b_1"), TOKEN_FEATURE, "product", "hidden = x·W_1 + b_1",
         FeedForward.forward, "hidden = "),
    Step("active", "ff", ("hidden",), TOKEN_FEATURE, "activation", "active = activation(hidden)", FeedForward.forward,
         "active = self.activation("),
    Step("gated", "ff", ("active", "hidden"), TOKEN_FEATURE, "times", "gated = active·hidden", GatedFeedForward.forward,
         "gated = gate * "),
    Step("ff-out", "ff", ("active", "w_2", "b_2"), TOKEN_FEATURE, "product", "ff = active·W_2 + b_2",
         FeedForward.forward),
    Step("block-out", "block-out", ("mid", "ff-out"), TOKEN_FEATURE, "add", "out = x + ff", PreNorm.forward, RESIDUAL,
         "residual"),
    Step("final-norm", "final-norm", ("block-out",), TOKEN_FEATURE, "norm row", NORM, ops.normalise, words="norm"),
)  # fmt: skip

VOCABULARY_STEPS = (
    Step("logits", "logits", ("final-norm", "w_vocabulary"), TOKEN_ENTRY, "product", "logits = x·W_vocabulary",
         ops.project, PRODUCT),
    Step("probabilities", "probabilities", ("logits",), TOKEN_ENTRY, "softmax row", "probabilities = softmax(logits)",
         prediction_of, "probabilities = "),
)  # fmt: skip

STEPS: tuple[Step, ...] = (*EMBEDDING_STEPS, *ATTENTION_STEPS, *BLOCK_STEPS, *VOCABULARY_STEPS)
BY_NAME = {step.name: step for step in STEPS}
