"""The parts of a block that are not attention: embedding, feed-forward, residual with LayerNorm.

Each works on every token alone; only attention (attention.py) moves anything from one token to another.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional

from attnviz.models.config import TransformerConfig, check_config
from attnviz.models.positions import LearnedPositions, SinusoidalPositions
from attnviz.models.support.checks import check_finite, check_ids, check_types, check_vectors


class TokenEmbedding(nn.Module):
    """Token ids in, the first state of the residual stream out.

        x = table[id] · sqrt(D) + P[place]        (paper)
        x = LayerNorm(table[id] + P[place] + type)      (BERT)

    Source: "Attention Is All You Need" (2017), sections 3.4 and 3.5; BERT (2018), figure 2.
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        check_config(config)
        style = config.embedding
        self.scale = math.sqrt(config.d_model) if style.is_scaled else 1.0
        self.tokens = nn.Embedding(config.vocab_size, config.d_model)  # [V, D]
        # After the scale, each number has a variance of 1, like the sines and cosines it is added to.
        nn.init.normal_(self.tokens.weight, std=config.d_model**-0.5 if style.is_scaled else 0.02)
        self.positions = _positions(config)
        self.types = nn.Embedding(style.n_token_types, config.d_model) if style.n_token_types else None
        self.norm = layer_norm(config) if style.is_normed else nn.Identity()
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, ids: Tensor, *, types: Tensor | None = None, start: int = 0) -> Tensor:
        """Look the tokens up and add where they stand.

        Args:
            ids: [B, T] integers, each below vocab_size.
            types: [B, T] integers, each below n_token_types; left out, all are of type 0.
            start: the place of the first token; not 0 when earlier tokens are in a key-value cache.
        Returns:
            [B, T, D].
        Raises:
            InputError: an id or a type is no whole number or not in its table, or types came to a model without.
            TooLong: more tokens than positions.
            TraceShapeError: the ids lie on another device than the model, or there is no type for each.
        """
        check_ids("token id", ids, self.tokens.num_embeddings, self.tokens.weight.device)
        check_types(types, ids, n_types=0 if self.types is None else self.types.num_embeddings)
        x = self.tokens(ids) * self.scale  # [B, T] -> [B, T, D]
        if self.positions is not None:
            x = x + self.positions(ids.shape[-1], start=start)  # [B, T, D] + [T, D]
        if self.types is not None:
            types = torch.zeros_like(ids) if types is None else types  # [B, T]
            x = x + self.types(types)  # [B, T, D]
        return self.dropout(self.norm(x))  # [B, T, D]


class FeedForward(nn.Module):
    """Two linear layers with an activation between them, for every token by itself: wide, and narrow again.

        f(x) = activation(x W_1 + b_1) W_2 + b_2        W_1: D -> d_ff, W_2: d_ff -> D

    Source: "Attention Is All You Need" (2017), section 3.3; GELU: Hendrycks & Gimpel 2016.
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        check_config(config)
        self.d_model = config.d_model
        self.w_1 = nn.Linear(config.d_model, config.d_ff, bias=config.bias)
        self.w_2 = nn.Linear(config.d_ff, config.d_model, bias=config.bias)
        self.activation = ACTIVATIONS[config.activation]
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, x: Tensor) -> Tensor:
        """[B, T, D] -> [B, T, D], every token by itself.

        Raises:
            TraceShapeError, InputError: x has another width, device or precision, or holds NaN.
        """
        check_vectors("x", x, self.d_model, self.w_1)
        check_finite("x", x)
        hidden = self.w_1(x)  # [B, T, D] -> [B, T, d_ff]
        active = self.activation(hidden)  # [B, T, d_ff]
        return self.w_2(self.dropout(active))  # [B, T, d_ff] -> [B, T, D]


class Residual(nn.Module):
    """The way around a sublayer f: its input is added to its output, and a LayerNorm keeps the sum at a steady size.

        post-norm:  LayerNorm(x + f(x))          (paper, BERT)
        pre-norm:   x + f(LayerNorm(x))          (GPT-2)

    Why a sum, and why in two places: blocks.py, at the top.

    Source: "Attention Is All You Need" (2017), section 3.1; pre-norm: Xiong et al. 2020, figure 1.
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        check_config(config)
        self.norm = layer_norm(config)
        self.is_pre = config.norm == "pre"
        self.dropout = nn.Dropout(config.dropout)

    def enter(self, x: Tensor) -> Tensor:
        """What the sublayer reads: [B, T, D] -> [B, T, D]."""
        return self.norm(x) if self.is_pre else x  # [B, T, D]

    def leave(self, x: Tensor, out: Tensor) -> Tensor:
        """The stream x [B, T, D] with what the sublayer computed, out [B, T, D], added to it.

        Of a token that may look at nothing, attention computes b_O alone: the stream goes on as x + b_O.
        """
        x = x + self.dropout(out)  # [B, T, D]
        return x if self.is_pre else self.norm(x)  # [B, T, D]


def layer_norm(config: TransformerConfig) -> nn.LayerNorm:
    """Shift and stretch each token's D numbers to mean 0 and variance 1, then by a learned amount.

        LayerNorm(x) = (x − mean) / sqrt(variance + eps) · gain + bias

    Source: Ba, Kiros & Hinton 2016, section 3.
    """
    return nn.LayerNorm(config.d_model, eps=config.norm_eps, bias=config.bias)


def _gelu_tanh(x: Tensor) -> Tensor:
    return functional.gelu(x, approximate="tanh")


ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "relu": functional.relu,  # max(0, x)
    "gelu": functional.gelu,  # x · (share of a normal distribution below x)
    "gelu_tanh": _gelu_tanh,  # the same to three digits, as GPT-2 computes it
}


def _positions(config: TransformerConfig) -> SinusoidalPositions | LearnedPositions | None:
    match config.embedding.positions:
        case "sinusoidal":
            return SinusoidalPositions(config.max_tokens, config.d_model)
        case "learned":
            return LearnedPositions(config.max_tokens, config.d_model)
        case "none":
            return None
