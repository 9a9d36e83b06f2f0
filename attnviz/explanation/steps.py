"""The table of steps: what each one reads and writes, by which rule, and the line of code that does it.

The stepper, the explanations, the exports and the tests read this table: adding a step is adding a row, and a way to
take its matrices from a run.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from attnviz.core import ops
from attnviz.models.attention import MultiHeadAttention
from attnviz.models.layers import FeedForward, GatedFeedForward, PreNorm, TokenEmbedding
from attnviz.models.positions import LearnedPositions, rotate, sinusoidal_positions
from attnviz.trace.sampling import Sampling
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
    line: str  # of `code` that does it, as it stands there; a contract test compares them
    words: str = ""  # in the ids of its messages; its name if not given

    @property
    def says(self) -> str:
        """Message id of the explanation, which has at most 45 words."""
        return f"step-{self.words or self.name}-says"

    @property
    def try_this(self) -> str:
        """Message id of one thing to try."""
        return f"step-{self.words or self.name}-try"


PRODUCT, BIASED = "return x @ weight.mT", "return x @ weight.mT + bias"  # of ops.project
RESIDUAL = "x = x + self.dropout(f(self.norm(x)))"  # of PreNorm; of the others where a model has those
NORM_LINE = "return (x - mean) / torch.sqrt(variance + eps) * gain + shift"
RMS_LINE = "return (exact * torch.rsqrt(exact.square().mean(-1, keepdim=True) + eps)).to(x.dtype) * gain"
ROTATION_LINE = "return put_back(a * cos - b * sin, a * sin + b * cos)"
WAVES = "P[t, 2i] = sin(t / 10000^(2i/d_model)); P[t, 2i+1] = cos(t / 10000^(2i/d_model))"
TOP_K = "logits = logits.masked_fill(logits < kth, NEVER)"  # of Sampling.filtered, as the next two
TOP_P, ALL_WORDS = "logits = logits.masked_fill(out.scatter(-1, tokens, out), NEVER)", "return logits"
NORM = "(x − mean)/√(variance + ε)·gain + shift"
RMS_NORM = "x/√(mean square + ε)·gain"
ROTATION = "a_rot = a·cos α − b·sin α; b_rot = a·sin α + b·cos α; α = t·frequency_i; frequency_i = θ^(−2i/d_k)"

EMBEDDING_STEPS = (
    Step("tokens", "embed", ("ids", "table"), TOKEN_FEATURE, "lookup", "E = table[ids]", TokenEmbedding.forward,
         "x = self.tokens(ids)"),
    Step("scaled", "embed", ("tokens",), TOKEN_FEATURE, "scale", "E · √d_model", TokenEmbedding.forward,
         "x = x * self.scale"),
    Step("sinusoid", "embed", (), TOKEN_FEATURE, "position", WAVES, sinusoidal_positions,
         "table[:, 0::2] = angle.sin()"),
    Step("positions", "embed", ("ids", "table"), TOKEN_FEATURE, "lookup", "P = table[t]", LearnedPositions.forward,
         "return self.table.weight[start : start + n_tokens]"),
    Step("embed", "embed", ("tokens", "positions"), TOKEN_FEATURE, "add", "X = E + P", TokenEmbedding.forward,
         "x = x + positions"),
    Step("embed-norm", "embed-norm", ("embed",), TOKEN_FEATURE, "norm row", NORM, ops.normalise, NORM_LINE, "norm"),
)  # fmt: skip

ATTENTION_STEPS = (
    Step("q", "qkv", ("x_query", "w_q", "b_q"), QUERY_FEATURE, "product", "Q = X·W_Q + b_Q",
         MultiHeadAttention.forward, "q = ops.split_heads(self.w_q(query), self.n_heads)"),
    Step("k", "qkv", ("x_key", "w_k", "b_k"), KEY_FEATURE, "product", "K = X·W_K + b_K", MultiHeadAttention.forward,
         "k = ops.split_heads(self.w_k(key), self.n_kv_heads)"),
    Step("v", "qkv", ("x_key", "w_v", "b_v"), KEY_FEATURE, "product", "V = X·W_V + b_V", MultiHeadAttention.forward,
         "v = ops.split_heads(self.w_v(value), self.n_kv_heads)"),
    Step("q-norm", "qk-norm", ("q",), QUERY_FEATURE, "rms row", RMS_NORM, ops.rms_normalise, RMS_LINE, "qk-norm"),
    Step("k-norm", "qk-norm", ("k",), KEY_FEATURE, "rms row", RMS_NORM, ops.rms_normalise, RMS_LINE, "qk-norm"),
    Step("q-rotated", "rotated", ("q",), QUERY_FEATURE, "rotate", ROTATION, rotate, ROTATION_LINE, "rotated"),
    Step("k-rotated", "rotated", ("k",), KEY_FEATURE, "rotate", ROTATION, rotate, ROTATION_LINE, "rotated"),
    Step("raw", "raw", ("q", "k"), QUERY_KEY, "product", "raw = Q·Kᵀ", ops.raw_scores, "return q @ k.mT"),
    Step("scores", "scores", ("raw", "scale"), QUERY_KEY, "scale", "scores = raw/√d_k", ops.scale_scores,
         "return raw * scale"),
    Step("capped", "scores", ("scores", "softcap"), QUERY_KEY, "cap", "capped = c·tanh(scores/c)", ops.cap_scores,
         "return softcap * torch.tanh(scores / softcap)"),
    Step("masked", "masked", ("scores", "mask"), QUERY_KEY, "mask", "masked = scores + M", ops.add_mask,
         "return scores + mask"),
    Step("weights", "weights", ("masked",), QUERY_KEY, "softmax row", "weights = softmax(masked)", ops.softmax_rows,
         "weights = torch.softmax(masked, dim=-1)"),
    Step("context", "context", ("weights", "v"), QUERY_FEATURE, "product", "context = weights·V", ops.weigh_values,
         "return weights @ v"),
    Step("silenced", "context", ("context",), QUERY_FEATURE, "scale", "silenced = 0 · context", ops.scale_scores,
         "return raw * scale"),
    Step("head-out", "out", ("context", "w_o"), QUERY_FEATURE, "product", "out_h = context·W_O[h]", ops.project,
         PRODUCT),
    Step("concat", "concat", ("context",), QUERY_FEATURE, "concat", "concat(context_1 … context_H)",
         ops.merge_heads, "return context.transpose(-3, -2).flatten(-2)"),
    Step("out", "out", ("concat", "w_o", "b_o"), QUERY_FEATURE, "product", "out = concat(context)·W_O + b_O",
         ops.project, BIASED),
    Step("split", "split", ("q",), QUERY_FEATURE, "split", "Q_h = Q[:, h·d_k : (h+1)·d_k]", ops.split_heads,
         "return x.view(*x.shape[:-1], n_heads, x.shape[-1] // n_heads).transpose(-3, -2)"),
)  # fmt: skip

BLOCK_STEPS = (
    Step("self-norm", "self-norm", ("in",), TOKEN_FEATURE, "norm row", NORM, ops.normalise, NORM_LINE, "norm"),
    Step("self-norm-after", "self-norm-after", ("out",), TOKEN_FEATURE, "norm row", NORM, ops.normalise, NORM_LINE,
         "norm-after"),
    Step("mid", "mid", ("in", "out"), TOKEN_FEATURE, "add", "mid = x + out", PreNorm.forward, RESIDUAL, "residual"),
    Step("cross-norm", "cross-norm", ("mid",), TOKEN_FEATURE, "norm row", NORM, ops.normalise, NORM_LINE, "norm"),
    Step("cross-norm-after", "cross-norm-after", ("out",), TOKEN_FEATURE, "norm row", NORM, ops.normalise, NORM_LINE,
         "norm-after"),
    Step("crossed", "crossed", ("mid", "out"), TOKEN_FEATURE, "add", "crossed = x + out", PreNorm.forward, RESIDUAL,
         "residual"),
    Step("ff-norm", "ff-norm", ("mid",), TOKEN_FEATURE, "norm row", NORM, ops.normalise, NORM_LINE, "norm"),
    Step("gate", "ff", ("ff-norm", "w_gate", "b_gate"), TOKEN_FEATURE, "product", "gate = x·W_gate + b_gate",
         GatedFeedForward.forward, "gate = self.activation(self.w_gate(x))"),
    Step("hidden", "ff", ("ff-norm", "w_1", "b_1"), TOKEN_FEATURE, "product", "hidden = x·W_1 + b_1",
         FeedForward.forward, "hidden = self.w_1(x)"),
    Step("active", "ff", ("hidden",), TOKEN_FEATURE, "activation", "active = activation(hidden)",
         FeedForward.forward, "active = self.activation(hidden)"),
    Step("gated", "ff", ("active", "hidden"), TOKEN_FEATURE, "times", "gated = active·hidden",
         GatedFeedForward.forward, "gated = gate * self.w_1(x)"),
    Step("ff-out", "ff", ("active", "w_2", "b_2"), TOKEN_FEATURE, "product", "ff = active·W_2 + b_2",
         FeedForward.forward, "return self.w_2(active)"),
    Step("ff-norm-after", "ff-norm-after", ("ff-out",), TOKEN_FEATURE, "norm row", NORM, ops.normalise, NORM_LINE,
         "norm-after"),
    Step("block-out", "block-out", ("mid", "ff-out"), TOKEN_FEATURE, "add", "out = x + ff", PreNorm.forward,
         RESIDUAL, "residual"),
    Step("final-norm", "final-norm", ("block-out",), TOKEN_FEATURE, "norm row", NORM, ops.normalise, NORM_LINE,
         "norm"),
)  # fmt: skip

VOCABULARY_STEPS = (
    Step("logits", "logits", ("final-norm", "w_vocabulary"), TOKEN_ENTRY, "product", "logits = x·W_vocabulary",
         ops.project, PRODUCT),
    Step("capped-logits", "logits", ("logits", "softcap"), TOKEN_ENTRY, "cap", "capped = c·tanh(logits/c)",
         ops.cap_scores, "return softcap * torch.tanh(scores / softcap)"),
    Step("tempered", "probabilities", ("logits", "temperature"), TOKEN_ENTRY, "scale", "tempered = logits/temperature",
         Sampling.filtered, "logits = logits / self.temperature"),
    Step("probabilities", "probabilities", ("logits",), TOKEN_ENTRY, "softmax row",
         "probabilities = softmax(logits)", prediction_of, "probabilities = torch.softmax(logits, dim=-1)"),
    Step("kept", "choice", ("logits", "cut"), TOKEN_ENTRY, "mask", "kept = logits + cut", Sampling.filtered, TOP_K),
    Step("choice", "choice", ("kept",), TOKEN_ENTRY, "softmax row", "choice = softmax(kept)", Sampling.drawn,
         "shares = torch.softmax(self.filtered(logits.float()), dim=-1)"),
)  # fmt: skip

STEPS: tuple[Step, ...] = (*EMBEDDING_STEPS, *ATTENTION_STEPS, *BLOCK_STEPS, *VOCABULARY_STEPS)
BY_NAME = {step.name: step for step in STEPS}
