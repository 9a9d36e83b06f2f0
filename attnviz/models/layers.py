"""The parts of a block that are not attention: embedding, feed-forward, norms, residual connections.

Each works on every token alone. Only attention moves anything from one token to another.
"""

import math
from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional

from attnviz.core import ops
from attnviz.core.capture import edit_point, tap
from attnviz.core.site import Stack
from attnviz.models.attention import ProcessHeads, as_they_are
from attnviz.models.config import AttentionStyle, TransformerConfig
from attnviz.models.positions import LearnedPositions, RotaryPositions, SinusoidalPositions
from attnviz.models.support.argument_checks import check_ids, check_types


class TokenEmbedding(nn.Module):
    """Token ids in, the first state of the residual stream out.

        x = table[id] · √d_model + P[position]                   (paper)
        x = LayerNorm(table[id] + P[position] + type)             (BERT)

    Source: "Attention Is All You Need" (2017), sections 3.4 and 3.5; BERT (2018), figure 2.
    """

    def __init__(self, config: TransformerConfig, stack: Stack = "encoder") -> None:
        super().__init__()
        style, self.stack = config.embedding, stack
        self.scale = math.sqrt(config.d_model) if style.is_scaled else 1.0
        self.tokens = nn.Embedding(config.vocab_size, config.d_model)  # [V, d_model]
        # With the scale each number has variance 1, about that of the sines and cosines added to it.
        nn.init.normal_(self.tokens.weight, std=config.d_model**-0.5 if style.is_scaled else 0.02)
        self.positions = _positions(config)
        self.types = None
        if style.n_token_types:
            self.types = nn.Embedding(style.n_token_types, config.d_model)  # [types, d_model]
            nn.init.normal_(self.types.weight, std=0.02)
        self.norm = norm_of(config) if style.is_normed else nn.Identity()
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, ids: Tensor, *, types: Tensor | None = None, start: int = 0) -> Tensor:
        """[B, T] -> [B, T, d_model].

        Args:
            ids: [B, T] integers below vocab_size.
            types: [B, T] integers below n_token_types; left out, all are 0.
            start: position of the first token; with a key-value cache, the number of tokens before it.
        """
        check_ids("ids", ids, self.tokens.num_embeddings, self.tokens.weight.device)
        if types is not None:
            check_types(types, ids, n_types=0 if self.types is None else self.types.num_embeddings)
        x = self.tokens(ids)  # [B, T] -> [B, T, d_model]
        x = x * self.scale
        if self.positions is not None:
            positions = tap(f"{self.stack}.positions", self.positions(ids.shape[-1], start=start))  # [T, d_model]
            x = x + positions  # [B, T, d_model] + [T, d_model]
        if self.types is not None:
            x = x + self.types(torch.zeros_like(ids) if types is None else types)  # [B, T, d_model]
        return self.dropout(self.norm(x))  # [B, T, d_model]


class FeedForward(nn.Module):
    """Two linear layers with an activation between them.

        f(x) = activation(x W_1 + b_1) W_2 + b_2        W_1: d_model -> d_ff, W_2: d_ff -> d_model

    Source: "Attention Is All You Need" (2017), section 3.3; GELU: Hendrycks & Gimpel 2016.
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.w_1 = nn.Linear(config.d_model, config.d_ff, bias=config.bias)
        self.w_2 = nn.Linear(config.d_ff, config.d_model, bias=config.bias)
        self.activation = ACTIVATIONS[config.activation]
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, x: Tensor) -> Tensor:
        """[B, T, d_model] -> [B, T, d_model]."""
        hidden = self.w_1(x)  # [B, T, d_model] -> [B, T, d_ff]
        active = self.activation(hidden)  # [B, T, d_ff]
        active = self.dropout(active)  # [B, T, d_ff]
        return self.w_2(active)  # [B, T, d_ff] -> [B, T, d_model]


class GatedFeedForward(nn.Module):
    """A feed-forward part whose hidden numbers are each multiplied by a gate, computed from the same token.

        f(x) = (activation(x W_gate) ⊙ x W_1) W_2        W_gate, W_1: d_model -> d_ff, W_2: d_ff -> d_model

    With SiLU it is SwiGLU (Llama, Qwen, Mistral), with GELU it is GeGLU (Gemma). Where `bias`, each product adds one.
    Published models call W_1 "up" and W_2 "down".

    Source: Shazeer 2020, equations 5 and 6.
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.w_gate = nn.Linear(config.d_model, config.d_ff, bias=config.bias)
        self.w_1 = nn.Linear(config.d_model, config.d_ff, bias=config.bias)
        self.w_2 = nn.Linear(config.d_ff, config.d_model, bias=config.bias)
        self.activation = ACTIVATIONS[config.activation]
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, x: Tensor) -> Tensor:
        """[B, T, d_model] -> [B, T, d_model]."""
        gate = self.activation(self.w_gate(x))  # [B, T, d_model] -> [B, T, d_ff]
        gate = edit_point("gate", gate)  # [B, T, d_ff]
        gated = gate * self.w_1(x)  # [B, T, d_ff]
        gated = self.dropout(gated)  # [B, T, d_ff]
        return self.w_2(gated)  # [B, T, d_ff] -> [B, T, d_model]


Sublayer = Callable[[Tensor], Tensor]  # attention or feed-forward: [B, T, d_model] -> [B, T, d_model]


class Residual(nn.Module):
    """The residual connection around a sublayer f: its output is added to its input. A block has one of these three.

    Source: He et al. 2015, section 3.1; "Attention Is All You Need" (2017), section 3.1.
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.norm = norm_of(config)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, x: Tensor, f: Sublayer) -> Tensor:
        """The stream with what f adds to it: [B, T, d_model] -> [B, T, d_model]."""
        raise NotImplementedError


class PostNorm(Residual):
    """norm(x + f(x)), as in the paper and BERT."""

    def forward(self, x: Tensor, f: Sublayer) -> Tensor:
        x = x + self.dropout(f(x))  # [B, T, d_model]
        return self.norm(x)  # [B, T, d_model]


class PreNorm(Residual):
    """x + f(norm(x)), as in GPT-2 and Llama.

    Source: Xiong et al. 2020, figure 1.
    """

    def forward(self, x: Tensor, f: Sublayer) -> Tensor:
        x = x + self.dropout(f(self.norm(x)))  # [B, T, d_model]
        return x  # [B, T, d_model]


class NormBothSides(Residual):
    """x + norm'(f(norm(x))), as in Gemma 2 and 3.

    Source: Gemma 2 (2024), section 2.
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__(config)
        self.norm_after = norm_of(config)

    def forward(self, x: Tensor, f: Sublayer) -> Tensor:
        x = x + self.dropout(self.norm_after(f(self.norm(x))))  # [B, T, d_model]
        return x  # [B, T, d_model]


class RMSNorm(nn.Module):
    """Brings the root mean square of each token's numbers to 1, then scales them by learned amounts.

        RMSNorm(x) = x / sqrt(mean(x²) + eps) · gain

    LayerNorm without the mean and without the shift: one sum instead of two, and as good.

    Source: Zhang & Sennrich 2019, equation 4.
    """

    def __init__(self, width: int, *, eps: float = 1e-6) -> None:
        super().__init__()
        self.weight, self.eps = nn.Parameter(torch.ones(width)), eps  # the gain, [width]

    def forward(self, x: Tensor) -> Tensor:
        """[..., width] -> [..., width]."""
        return ops.rms_normalise(x, self.weight, self.eps)  # [..., width]


def layer_norm(config: TransformerConfig) -> nn.LayerNorm:
    """Brings each token's d_model numbers to mean 0 and variance 1, then scales and shifts them by learned amounts.

        LayerNorm(x) = (x − mean) / sqrt(variance + eps) · gain + shift

    The variance is the mean of (x − mean)², divided by d_model, not d_model − 1.

    Source: Ba, Kiros & Hinton 2016, section 3.
    """
    return nn.LayerNorm(config.d_model, eps=config.norm_eps, bias=config.bias)


def norm_of(config: TransformerConfig) -> nn.LayerNorm | RMSNorm:
    """The norm that a model has everywhere."""
    return layer_norm(config) if config.norm_kind == "layer" else RMSNorm(config.d_model, eps=config.norm_eps)


class NormedHeads(nn.Module):
    """Each head's q and k brought to root mean square 1, so that no score grows large; then what `after` does to them.

        q_h = RMSNorm(q_h)        k_g = RMSNorm(k_g)

    All heads of queries share one gain, all heads of keys another.

    Source: Henry et al. 2020, section 3; RMSNorm over each head as in Qwen 3 (2025) and Gemma 3 (2025).
    """

    def __init__(self, head_width: int, *, eps: float, after: ProcessHeads = as_they_are) -> None:
        super().__init__()
        self.q_norm, self.k_norm = RMSNorm(head_width, eps=eps), RMSNorm(head_width, eps=eps)
        self.after = after

    def forward(self, q: Tensor, k: Tensor, *, start: int = 0) -> tuple[Tensor, Tensor]:
        """Queries [B, H, T, d_k] and keys [B, G, T, d_k] of tokens from position `start` on."""
        return self.after(self.q_norm(q), self.k_norm(k), start=start)


def process_heads_of(config: TransformerConfig, style: AttentionStyle) -> ProcessHeads:
    """What self-attention does to q and k before their product: the paper nothing, Llama a rotation, Qwen 3 both."""
    width = config.d_model // config.n_heads if style.head_width is None else style.head_width
    process: ProcessHeads = as_they_are
    if style.rotary is not None:
        process = RotaryPositions(width, style.rotary)
    return NormedHeads(width, eps=config.norm_eps, after=process) if style.normalises_qk else process


RESIDUALS: dict[str, type[Residual]] = {"post": PostNorm, "pre": PreNorm, "both": NormBothSides}  # by config.norm


def _gelu_tanh(x: Tensor) -> Tensor:
    return functional.gelu(x, approximate="tanh")


ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "relu": functional.relu,  # max(0, x)
    "gelu": functional.gelu,  # x · Φ(x), Φ the normal distribution function
    "gelu_tanh": _gelu_tanh,  # within 0.001 of gelu, as GPT-2 computes it
    "silu": functional.silu,  # x · sigmoid(x), called Swish too
}


def _positions(config: TransformerConfig) -> SinusoidalPositions | LearnedPositions | None:
    match config.embedding.positions:
        case "sinusoidal":
            return SinusoidalPositions(config.max_tokens, config.d_model)
        case "learned":
            return LearnedPositions(config.max_tokens, config.d_model)
        case "none":
            return None
