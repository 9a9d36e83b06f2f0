"""The parts of a block that are not attention: embedding, feed-forward, residual connection with LayerNorm.

Each works on every token alone. Only attention moves anything from one token to another.
"""

import math
from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional

from attnviz.models.config import TransformerConfig
from attnviz.models.positions import LearnedPositions, SinusoidalPositions
from attnviz.models.support.argument_checks import check_ids, check_types


class TokenEmbedding(nn.Module):
    """Token ids in, the first state of the residual stream out.

        x = table[id] · √d_model + P[position]                   (paper)
        x = LayerNorm(table[id] + P[position] + type)             (BERT)

    Source: "Attention Is All You Need" (2017), sections 3.4 and 3.5; BERT (2018), figure 2.
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        style = config.embedding
        self.scale = math.sqrt(config.d_model) if style.is_scaled else 1.0
        self.tokens = nn.Embedding(config.vocab_size, config.d_model)  # [V, d_model]
        # With the scale each number has variance 1, about that of the sines and cosines added to it.
        nn.init.normal_(self.tokens.weight, std=config.d_model**-0.5 if style.is_scaled else 0.02)
        self.positions = _positions(config)
        self.types = None
        if style.n_token_types:
            self.types = nn.Embedding(style.n_token_types, config.d_model)  # [types, d_model]
            nn.init.normal_(self.types.weight, std=0.02)
        self.norm = layer_norm(config) if style.is_normed else nn.Identity()
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, ids: Tensor, *, types: Tensor | None = None, start: int = 0) -> Tensor:
        """[B, T] -> [B, T, d_model].

        Args:
            ids: [B, T] integers below vocab_size.
            types: [B, T] integers below n_token_types; left out, all are 0.
            start: position of the first token; with a key-value cache, the number of tokens before it.
        """
        check_ids("token id", ids, self.tokens.num_embeddings, self.tokens.weight.device)
        if types is not None:
            check_types(types, ids, n_types=0 if self.types is None else self.types.num_embeddings)
        x = self.tokens(ids)  # [B, T] -> [B, T, d_model]
        x = x * self.scale
        if self.positions is not None:
            x = x + self.positions(ids.shape[-1], start=start)  # [B, T, d_model] + [T, d_model]
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


class Residual(nn.Module):
    """The residual connection around a sublayer f: its output is added to its input, with a LayerNorm before or after.

        post-norm:  LayerNorm(x + f(x))          (paper, BERT)
        pre-norm:   x + f(LayerNorm(x))          (GPT-2)

    A block writes this as `residual.leave(x, f(residual.enter(x)))`, so that f(x) can be recorded.

    Source: "Attention Is All You Need" (2017), section 3.1; pre-norm: Xiong et al. 2020, figure 1.
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.norm = layer_norm(config)
        self.is_pre = config.norm == "pre"
        self.dropout = nn.Dropout(config.dropout)

    def enter(self, x: Tensor) -> Tensor:
        """What the sublayer reads: [B, T, d_model] -> [B, T, d_model]."""
        return self.norm(x) if self.is_pre else x  # [B, T, d_model]

    def leave(self, x: Tensor, out: Tensor) -> Tensor:
        """The stream x [B, T, d_model] plus the sublayer's output [B, T, d_model]."""
        out = self.dropout(out)  # [B, T, d_model]
        x = x + out  # [B, T, d_model]
        return x if self.is_pre else self.norm(x)  # [B, T, d_model]


def layer_norm(config: TransformerConfig) -> nn.LayerNorm:
    """Brings each token's d_model numbers to mean 0 and variance 1, then scales and shifts them by learned amounts.

        LayerNorm(x) = (x − mean) / sqrt(variance + eps) · gain + shift

    The variance is the mean of (x − mean)², divided by d_model, not d_model − 1.

    Source: Ba, Kiros & Hinton 2016, section 3.
    """
    return nn.LayerNorm(config.d_model, eps=config.norm_eps, bias=config.bias)


def _gelu_tanh(x: Tensor) -> Tensor:
    return functional.gelu(x, approximate="tanh")


ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "relu": functional.relu,  # max(0, x)
    "gelu": functional.gelu,  # x · Φ(x), Φ the normal distribution function
    "gelu_tanh": _gelu_tanh,  # within 0.001 of gelu, as GPT-2 computes it
}


def _positions(config: TransformerConfig) -> SinusoidalPositions | LearnedPositions | None:
    match config.embedding.positions:
        case "sinusoidal":
            return SinusoidalPositions(config.max_tokens, config.d_model)
        case "learned":
            return LearnedPositions(config.max_tokens, config.d_model)
        case "none":
            return None
