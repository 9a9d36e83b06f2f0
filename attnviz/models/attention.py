"""Attention: the formula, one head, many heads.

    raw     = q kᵀ                how well each query matches each key
    scores  = raw / √dₖ
    masked  = scores + mask       −∞ where a query cannot attend to a key
    weights = softmax(masked)     each row becomes numbers from 0 to 1 that sum to 1
    context = weights v           each query's weighted mean of the values

`attend` in core/attend.py runs these five lines. It also takes dropout and, for models that have them, another scale, a
soft cap on the scores, a position bias that is added with the mask, and sinks. It hands each value to `tap`, which
records it by name, or lets an edit of that recording replace it (docs/transformer.md). Without a recording `tap` does
nothing:

    with av.record() as run:
        layer(x)
    run["weights"]                [B, H, T_q, T_k], before dropout; of a model run["encoder.2.self.weights"]

Why √dₖ: where the numbers in q and k are independent with mean 0 and variance 1, q·k is a sum of dₖ products of
variance 1, so its variance is dₖ. Divided by √dₖ, scores have variance 1 at any width, and softmax does not start out
one-hot.

A query that cannot attend to any key has a row of −∞ only, and softmax would give 0 / 0. Its weights and context are 0.

Letters: B texts, T tokens (T_q queries, T_k keys), d_model model width, H heads, G heads of keys and values, d_k head
width. Words, also in Chinese: docs/glossary.md.
Source: "Attention Is All You Need" (2017), section 3.2.
"""

from __future__ import annotations

from typing import Protocol

import torch
from torch import Tensor, nn

from attnviz.core import ops
from attnviz.core.attend import Kernel, attend, scaled_dot_product_attention
from attnviz.core.capture import tap
from attnviz.core.errors import InputError
from attnviz.core.tensor_checks import check_size, check_tokens
from attnviz.models.support.argument_checks import check_groups, check_heads, check_number, check_positive
from attnviz.models.support.key_value_cache import KeysAndValues
from attnviz.models.support.masking import join_masks
from attnviz.models.support.torch_exchange import for_torch_layer, from_torch_layer

__all__ = ["MultiHeadAttention", "SelfAttention", "scaled_dot_product_attention"]


class SelfAttention(nn.Module):
    """One head: each token has a query, a key and a value.

        q = x W_Q        k = x W_K        v = x W_V
        context = softmax(q kᵀ / √dₖ + mask) v

    Args:
        d_model: width of each token's vector.
        width: d_k, width of q, k and v; d_model when left out.
    Source: "Attention Is All You Need" (2017), section 3.2.1, equation 1.
    """

    def __init__(self, d_model: int, width: int | None = None) -> None:
        super().__init__()
        width = d_model if width is None else width
        check_size("d_model", d_model)
        check_size("width", width)
        self.w_q = nn.Parameter(torch.empty(d_model, width))  # [d_model, d_k]: what does this token look for?
        self.w_k = nn.Parameter(torch.empty(d_model, width))  # [d_model, d_k]: what is it found by?
        self.w_v = nn.Parameter(torch.empty(d_model, width))  # [d_model, d_k]: what does it pass on?
        for weight in (self.w_q, self.w_k, self.w_v):
            nn.init.xavier_uniform_(weight)  # x W then varies about as much as x

    def forward(self, x: Tensor, *, mask: Tensor | None = None) -> Tensor:
        """[B, T, d_model] -> [B, T, d_k].

        Args:
            x: [B, T, d_model].
            mask: [T, T] (query, key), or [B, T, T] for one per text; bool, True = can attend, or float, added to the
                scores.
        """
        check_tokens(x=(x, self.w_q.mT))
        q = x @ self.w_q  # [B, T, d_model] @ [d_model, d_k] -> [B, T, d_k]
        k = x @ self.w_k  # [B, T, d_k]
        v = x @ self.w_v  # [B, T, d_k]
        context, _ = scaled_dot_product_attention(q, k, v, mask)  # [B, T, d_k], and the weights [B, T, T]
        return context  # [B, T, d_k]


class ProcessHeads(Protocol):
    """What is done to queries and keys before their product, such as rotary positions."""

    def __call__(self, q: Tensor, k: Tensor, *, start: int = 0) -> tuple[Tensor, Tensor]:
        """Queries [B, H, T, d_k] and keys [B, G, T, d_k] of tokens from position `start` on, in the same shapes."""


def as_they_are(q: Tensor, k: Tensor, *, start: int = 0) -> tuple[Tensor, Tensor]:
    """Queries and keys as W_Q and W_K made them: the paper's `ProcessHeads`."""
    return q, k


class MultiHeadAttention(nn.Module):
    """H heads attend to the same tokens, each in d_k dimensions of its own; W_O mixes their contexts.

        head_h = softmax(q_h k_hᵀ / √dₖ + mask) v_h
        out = concat(head_0, …, head_(H−1)) W_O + b_O

    One head gives each token one weighted mean of the values. H heads of width d_k = d_model / H give it H of them, for
    the arithmetic of one head of width d_model.

    Head h is columns h·d_k up to (h + 1)·d_k of W_Q, W_K and W_V, and the same rows of W_O. nn.Linear stores the
    transpose, [out, in]: in `w_q.weight` head h has rows, in `w_o.weight` columns.

    With n_kv_heads = G < H, heads are grouped: H / G heads of queries in a row share one head of keys and values, k_g
    and v_g with g = ⌊h · G / H⌋. W_K and W_V are narrower, and a cache holds G heads instead of H.

    Args:
        d_model: width of the queries and of the output.
        n_heads: H; d_k is d_model / H unless head_width says otherwise.
        n_kv_heads: G, which divides H; 1 is multi-query attention; H when left out.
        head_width: d_k.
        bias: whether the four linear layers add a constant.
        qkv_bias: whether W_Q, W_K and W_V do, where that differs.
        dropout: share of the weights set to zero in training.
        scale: what q kᵀ is multiplied by; 1/√dₖ when left out.
        softcap: c, which keeps scores within ±c.
        process_heads: what is done to q and k before their product: rotary positions, a norm. In self-attention; a
            cache holds what it gave.
    Raises:
        InputError: d_model is not divisible by n_heads, or n_heads by n_kv_heads, or a number is impossible.
    Source: "Attention Is All You Need" (2017), section 3.2.2; grouped: Ainslie et al. 2023, section 2.2, and Shazeer
        2019 for G = 1; softcap: Gemma 2 (2024), section 2.
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        *,
        n_kv_heads: int | None = None,
        head_width: int | None = None,
        bias: bool = True,
        qkv_bias: bool | None = None,
        dropout: float = 0.0,
        scale: float | None = None,
        softcap: float | None = None,
        process_heads: ProcessHeads = as_they_are,
    ) -> None:
        super().__init__()
        if head_width is None:
            check_heads(d_model, n_heads)
            head_width = d_model // n_heads
        check_size("head_width", head_width)
        check_groups(n_heads, n_kv_heads)
        check_number("dropout", dropout, below=1)
        check_positive(scale=scale, softcap=softcap)
        self.d_model, self.n_heads, self.head_width = d_model, n_heads, head_width  # d_model, H, d_k
        self.n_kv_heads = n_heads if n_kv_heads is None else n_kv_heads  # G
        self.dropout, self.scale, self.softcap, self.process_heads = dropout, scale, softcap, process_heads
        qkv_bias = bias if qkv_bias is None else qkv_bias
        self.w_q = nn.Linear(d_model, n_heads * head_width, bias=qkv_bias)  # d_model -> H·d_k
        self.w_k = nn.Linear(d_model, self.n_kv_heads * head_width, bias=qkv_bias)  # d_model -> G·d_k
        self.w_v = nn.Linear(d_model, self.n_kv_heads * head_width, bias=qkv_bias)  # d_model -> G·d_k
        self.w_o = nn.Linear(n_heads * head_width, d_model, bias=bias)  # H·d_k -> d_model
        for linear in (self.w_q, self.w_k, self.w_v, self.w_o):
            nn.init.xavier_uniform_(linear.weight)
            if linear.bias is not None:
                nn.init.zeros_(linear.bias)

    def forward(
        self,
        query: Tensor,
        key: Tensor | None = None,
        value: Tensor | None = None,
        *,
        mask: Tensor | None = None,
        is_causal: bool = False,
        is_token: Tensor | None = None,
        past: KeysAndValues | None = None,
        kernel: Kernel = "explicit",
    ) -> Tensor:
        """Self-attention with one argument; cross-attention with the other text as key (and value).

        Args:
            query: [B, T_q, d_model], the tokens that attend.
            key: [B, T_k, d_model], the tokens attended to; query when left out.
            value: [B, T_k, d_model]; key when left out.
            mask: bool, True = can attend (nn.MultiheadAttention means the opposite); or float, added to the scores.
                Broadcast to [B, H, T_q, T_k]: [T_q, T_k] for all, [B, 1, T_q, T_k] for each text (with the 1: three
                axes are [H, T_q, T_k], one for each head).
            is_causal: whether a token can attend only to itself and those before it. With more keys than queries the
                queries are the last tokens.
            is_token: [B, T_k] bool, False for padding, to which no query can attend. Outputs at padding mean nothing.
            past: keys and values computed before (support/key_value_cache.py), to which these are appended; T_k of
                mask and is_token counts both.
            kernel: "explicit" makes the weights; "fused" gives the same context, but for rounding, without them in
                memory. `run["weights"]` then computes them when they are read.
        Returns:
            [B, T_q, d_model]; for a query that cannot attend to any key: b_O.
        Raises:
            TraceShapeError, MaskError, InputError: an argument does not fit this layer, or holds NaN.
        """
        key = query if key is None else key
        value = key if value is None else value
        check_tokens(query=(query, self.w_q.weight), key=(key, self.w_k.weight), value=(value, self.w_v.weight))

        q = ops.split_heads(self.w_q(query), self.n_heads)  # [B, T_q, d_model] -> [B, T_q, H·d_k] -> [B, H, T_q, d_k]
        # Cross-attention reads the source once: from its second step on they are kept. Elsewhere this is None.
        cached = None if past is None else past.of_source(key)
        if cached is not None:
            k, v = cached  # [B, G, T_k, d_k] each
        else:
            k = ops.split_heads(self.w_k(key), self.n_kv_heads)  # [B, T_k, d_model] -> [B, G, T_k, d_k]
            v = ops.split_heads(self.w_v(value), self.n_kv_heads)  # [B, T_k, d_model] -> [B, G, T_k, d_k]
            # [B, H, T_q, d_k], [B, G, T_k, d_k]
            q, k = self.process_heads(q, k, start=0 if past is None else past.n_tokens)
            if past is not None:
                k, v = past.extend(k, v, key)  # appended to the cached tokens

        if is_causal or is_token is not None:
            shape = (*q.shape[:-1], k.shape[-2])  # B, H, T_q, T_k
            mask = join_masks(mask, is_causal=is_causal, is_token=is_token, shape=shape, device=q.device)
        dropout = self.dropout if self.training else 0.0
        context, _ = attend(
            q, k, v, mask=mask, scale=self.scale, softcap=self.softcap, dropout=dropout, kernel=kernel
        )  # [B, H, T_q, d_k]
        out = self.w_o(ops.merge_heads(context))  # [B, H, T_q, d_k] -> [B, T_q, H·d_k] -> [B, T_q, d_model]
        return tap("out", out)  # [B, T_q, d_model]

    @classmethod
    def from_torch(cls, theirs: nn.MultiheadAttention) -> MultiHeadAttention:
        """The same layer with a copy of torch's weights; it takes [B, T, d_model], whatever `batch_first` says.

        In torch's bool masks True means *cannot* attend: pass `mask=~attn_mask` and `is_token=~key_padding_mask`. Its
        mask of three axes, [B·H, T_q, T_k], becomes one of four by `.unflatten(0, (B, H))`.
        """
        settings, weights = from_torch_layer(theirs)
        ours = cls(**settings).to(theirs.out_proj.weight)  # device and precision
        ours.load_state_dict(weights)
        return ours.train(theirs.training)

    def to_torch(self) -> nn.MultiheadAttention:
        """The same layer as torch's own, with batch_first and a copy of the weights; see `from_torch` for its masks."""
        if self.n_kv_heads != self.n_heads or self.head_width * self.n_heads != self.d_model or self._differs:
            raise InputError(id="not-torchs-layer")
        weights = for_torch_layer(self.state_dict())
        theirs = nn.MultiheadAttention(
            self.d_model, self.n_heads, dropout=self.dropout, bias=self.w_o.bias is not None, batch_first=True
        ).to(self.w_o.weight)
        theirs.load_state_dict(weights)
        return theirs.train(self.training)

    @property
    def _differs(self) -> bool:
        """Whether it computes anything that torch's layer does not."""
        return self.scale is not None or self.softcap is not None or self.process_heads is not as_they_are
