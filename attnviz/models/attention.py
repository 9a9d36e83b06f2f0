"""Attention, from one head to many. Read top to bottom:

`scaled_dot_product_attention`   the formula below, in core; every attention of this project runs it
`SelfAttention`                  three weight matrices in front of it: one head
`MultiHeadAttention`             several heads side by side, and a fourth matrix that mixes what they found

The formula has five lines, each of which is a function of core/ops.py:

    raw     = q kᵀ               how well each query fits each key: a dot product, so large when they point the same way
    scores  = raw / √Dh          keeps the softmax from seeing one key only, see below
    masked  = scores + mask      −∞ where a query may not look
    weights = softmax(masked)    each row becomes shares that sum to 1
    context = weights v          each query's mixture of the values, in those shares

softmax(z)ⱼ = e^zⱼ / Σ e^z over one row, so −∞ becomes e^−∞ = 0. A row of −∞ only would be 0 / 0: a query that may look
at nothing gets weights of 0 instead.

Why √Dh: where the numbers of q and k are independent, with mean 0 and variance 1, each product has variance 1 too, and
the variances of a sum add up. q·k then has variance Dh, a spread of √Dh, and divided by √Dh a spread of 1 at any width.

`attend` in core/attend.py runs them in this order. Where neither gradients nor raw, scores or masked are asked for, it
writes the first four over each other in one buffer; where √Dh is a power of two, it scales q before the product, which
rounds nothing. Either gives the same bits sooner.

While training, dropout sets a share p of the weights to zero between the last two lines and divides the others by 1 −
p, which keeps their sum on average, so that no head relies on a single token. Recorded weights are those before it, the
same in every run, each row summing to 1; the recorded context is what the run made of them after it.

`tap` offers a value to whoever records, and gives it back: as it is, or as an edit changed it. With nobody recording it
does nothing.

Letters: B texts, T tokens (Tq asking, Tk looked at), D model width, H heads, Dh head width, Dv a head's value width.
Words, also in Chinese: docs/glossary.md.
Source: "Attention Is All You Need" (2017), section 3.2.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from attnviz.core import ops
from attnviz.core.attend import Kernel, attend, scaled_dot_product_attention
from attnviz.core.capture import tap
from attnviz.models.config import head_width
from attnviz.models.side_by_side import SideBySide
from attnviz.models.support.cache import KeysAndValues
from attnviz.models.support.checks import check_dropout, check_finite_read, check_kind, check_size, check_tokens
from attnviz.models.support.masking import join_masks
from attnviz.models.support.torch_exchange import ours_from_torch, torch_from_ours

__all__ = ["MultiHeadAttention", "SelfAttention", "scaled_dot_product_attention"]


class SelfAttention(nn.Module):
    """One head: every token asks with q, is found by k, and hands over v.

        q = x W_Q        k = x W_K        v = x W_V
        context = softmax(q kᵀ / √Dh + mask) v

    Args:
        d_model: D, the width of each token's vector.
        width: Dh, the width of q, k and v; D when left out.
    Raises:
        InputError: d_model or width is not a positive whole number.
    Source: "Attention Is All You Need" (2017), section 3.2.1, equation 1.
    """

    def __init__(self, d_model: int, width: int | None = None) -> None:
        super().__init__()
        width = d_model if width is None else width
        check_size("d_model", d_model)
        check_size("width", width)
        self.w_q = nn.Parameter(torch.empty(d_model, width))  # [D, Dh]: what am I looking for?
        self.w_k = nn.Parameter(torch.empty(d_model, width))  # [D, Dh]: what can I be found by?
        self.w_v = nn.Parameter(torch.empty(d_model, width))  # [D, Dh]: what do I hand over?
        for weight in (self.w_q, self.w_k, self.w_v):
            nn.init.xavier_uniform_(weight)  # x W then varies about as much as x

    def forward(self, x: Tensor, *, mask: Tensor | None = None) -> Tensor:
        """Let every token look at every token that its row of the mask allows.

        Args:
            x: [B, T, D].
            mask: [T, T] (query, key) for all texts or [B, T, T] for each, one head having no head axis; bool where
                True = may look, or float added to the scores.
        Returns:
            [B, T, Dh]. The weights are kept for whoever asks: `with record() as run: …`, then `run["weights"]`.
        Raises:
            TraceShapeError, MaskError, InputError: x or mask does not fit this layer, or x holds NaN.
        """
        d_model = self.w_q.shape[0]
        check_tokens(x, x, x, (d_model, d_model, d_model), self.w_q)
        q = x @ self.w_q  # [B, T, D] @ [D, Dh] -> [B, T, Dh]
        check_finite_read("query", x, q)
        k = x @ self.w_k  # [B, T, Dh]
        v = x @ self.w_v  # [B, T, Dh]
        context, _ = scaled_dot_product_attention(q, k, v, mask)  # [B, T, Dh], and the weights [B, T, T]
        return context  # [B, T, Dh]


class MultiHeadAttention(SideBySide):
    """H heads look at the same tokens, each in its own Dh dimensions; W_O mixes what they found.

        head_h = softmax(q_h k_hᵀ / √Dh + mask) v_h
        out = concat(head_0, …, head_(H−1)) W_O + b_O

    One head gives each token one mixture of values. H heads give it H different ones, say of the word before it, of its
    verb and of its noun, for the price of one head that is D wide.

    The W_Q of all heads lie side by side in one [D, D] matrix, so one product serves them all: head h has the columns
    h·Dh up to (h + 1)·Dh. The same for W_K and W_V; in W_O head h has those rows. Without gradients, one product serves
    W_Q, W_K and W_V as well, where all three are of one shape (side_by_side.py): the same numbers, sooner. A torch
    Linear keeps its matrix transposed, [out, in], and computes x Wᵀ + b: there, columns are rows.

    Args:
        d_model: D, width of the queries and of what comes out.
        n_heads: H. Each head is Dh = D / H wide.
        bias: whether the four linear layers add a constant.
        dropout: share of the weights set to zero while training.
        key_width: width of the keys that come in (torch's kdim); D when left out.
        value_width: width of the values that come in (torch's vdim); D when left out.
        head_value_dim: Dv, width of each head's values; Dh when left out.
        batch_first: True reads [B, T, D]. False reads and gives [T, B, D], torch's own default.
    Raises:
        InputError: d_model is not divisible by n_heads, a width is not a positive whole number, dropout not in [0, 1).
    Source: "Attention Is All You Need" (2017), section 3.2.2.
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        *,
        bias: bool = True,
        dropout: float = 0.0,
        key_width: int | None = None,
        value_width: int | None = None,
        head_value_dim: int | None = None,
        batch_first: bool = True,
    ) -> None:
        super().__init__(("w_q", "w_k", "w_v"))
        self.d_model, self.n_heads = d_model, n_heads
        self.head_width = head_width(d_model, n_heads)  # Dh
        self.head_value_dim = self.head_width if head_value_dim is None else head_value_dim  # Dv
        self.key_width = d_model if key_width is None else key_width
        self.value_width = d_model if value_width is None else value_width
        for name in ("head_value_dim", "key_width", "value_width"):
            check_size(name, getattr(self, name))
        for name, flag in (("bias", bias), ("batch_first", batch_first)):
            check_kind(name, flag, bool, "Give True or False.")
        check_dropout(dropout)
        self.dropout, self.batch_first = dropout, batch_first
        self.w_q = nn.Linear(d_model, n_heads * self.head_width, bias=bias)  # D -> H·Dh
        self.w_k = nn.Linear(self.key_width, n_heads * self.head_width, bias=bias)  # key_width -> H·Dh
        self.w_v = nn.Linear(self.value_width, n_heads * self.head_value_dim, bias=bias)  # value_width -> H·Dv
        self.w_o = nn.Linear(n_heads * self.head_value_dim, d_model, bias=bias)  # H·Dv -> D
        for linear in (self.w_q, self.w_k, self.w_v, self.w_o):
            nn.init.xavier_uniform_(linear.weight)
            if bias:
                nn.init.zeros_(linear.bias)
        self.lay_side_by_side()

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
            query: [B, Tq, D], the tokens that look.
            key: [B, Tk, key_width], the tokens that are looked at; query when left out.
            value: [B, Tk, value_width], what they hand over; key when left out.
            mask: bool, True = may look (torch's own means the opposite); or float, added to the scores. Broadcast to
                [B, H, Tq, Tk]: [Tq, Tk] for all, [B, 1, Tq, Tk] for each text, [H, Tq, Tk] for each head.
            is_causal: whether a token may look only at itself and those before it. With more keys than queries, the
                queries are the last tokens (a cache holds those before); with fewer, the first queries see nothing.
            is_token: [B, Tk] bool, True where a token stands and False where padding does: nobody looks there. What
                comes out at padding means nothing, and a loss leaves it out.
            past: keys and values read before, to which these are appended (see cache.py).
            kernel: "explicit" makes the weights. "fused" takes the keys block by block and keeps three running values
                a query: its largest score so far, Σ exp(score − largest) and Σ exp(score − largest) · v, the sums
                rescaled when a larger score comes. Their quotient is the same softmax, but no [Tq, Tk] matrix travels
                to memory and back, which is what takes the time on long texts. `record()` then keeps q, k, v, context
                and out, and makes the weights from them when they are read.
        Returns:
            [B, Tq, D]. A query that may look at nothing finds zeros, so only b_O is left of it.
        Raises:
            TraceShapeError, MaskError, InputError: what came does not fit this layer, or holds NaN.
        """
        query, key, value = self._checked(query, key, value)  # [B, Tq, D], [B, Tk, key_width], [B, Tk, value_width]
        q, k, v = self._projected(query, key, value, past)  # [B, H, Tq, Dh], [B, H, Tk, Dh], [B, H, Tk, Dv]
        shape = (*q.shape[:-1], k.shape[-2])  # B, H, Tq, Tk
        mask = join_masks(mask, is_causal=is_causal, is_token=is_token, shape=shape, like=q)  # [B, H, Tq, Tk]
        dropout = self.dropout if self.training else 0.0
        context, _ = attend(q, k, v, mask=mask, dropout=dropout, kernel=kernel)  # [B, H, Tq, Dv]
        merged = ops.merge_heads(context)  # [B, H, Tq, Dv] -> [B, Tq, H, Dv] -> [B, Tq, H·Dv]: a token's heads in a row
        out = tap("out", self.w_o(merged))  # [B, Tq, H·Dv] -> [B, Tq, D]
        return out if self.batch_first else self._swapped(out)  # [B, Tq, D], or [Tq, B, D] as it came

    def _checked(self, query: Tensor, key: Tensor | None, value: Tensor | None) -> tuple[Tensor, Tensor, Tensor]:
        """Query, key and value as the layer reads them: none left out, batch axis first, and fit to be read."""
        key = query if key is None else key  # [B, Tk, key_width]
        value = key if value is None else value  # [B, Tk, value_width]
        if not self.batch_first:
            query, key, value = self._swapped(query), self._swapped(key), self._swapped(value)  # [B, T, width] each
        check_tokens(query, key, value, (self.d_model, self.key_width, self.value_width), self.w_q)
        return query, key, value  # [B, Tq, D], [B, Tk, key_width], [B, Tk, value_width]

    def _swapped(self, x: Tensor) -> Tensor:
        """[T, B, width] <-> [B, T, width]; one text, [T, width], stays."""
        return x.transpose(0, 1) if isinstance(x, Tensor) and x.ndim == 3 else x  # [B, T, width]

    def _projected(
        self, query: Tensor, key: Tensor, value: Tensor, past: KeysAndValues | None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """q of the tokens that look; k and v of those looked at: those that came and, with a cache, those before."""
        if past is not None:
            check_kind("past", past, KeysAndValues, "Begin with KeysAndValues().")
            # Cross-attention (is_fixed) reads the encoder's tokens, the same at every step: their k and v are known
            # from the first step on. of_source refuses others than those that were read.
            if past.is_fixed and (known := past.of_source(key, value)) is not None:
                return self._made("query", query, self.w_q), *known  # [B, H, Tq, Dh], [B, H, Tk, Dh], [B, H, Tk, Dv]
        if query is key is value and (joint := self.joint_product(query)) is not None:  # x [W_Q W_K W_V]: [B, T, 3·D]
            # After the product: each of its numbers is a sum over all of a token's, so one of them tells of any NaN.
            check_finite_read("query", query, joint)
            q, k, v = ops.split_heads(joint, 3 * self.n_heads).chunk(3, -3)  # [B, H, T, Dh] each
        else:
            q = self._made("query", query, self.w_q)  # [B, Tq, D] -> [B, H, Tq, Dh]
            k = self._made("key", key, self.w_k)  # [B, Tk, key_width] -> [B, H, Tk, Dh]
            v = self._made("value", value, self.w_v)  # [B, Tk, value_width] -> [B, H, Tk, Dv]
        if past is None:
            return q, k, v
        past.read = (key, value) if past.is_fixed else None  # [B, Tk, key_width], [B, Tk, value_width]
        return q, *past.extend(k, v)  # [B, H, Tq, Dh], [B, H, Tk, Dh], [B, H, Tk, Dv]

    def _made(self, name: str, x: Tensor, linear: nn.Module) -> Tensor:
        """The q, k or v of every head: x times its matrix, one head an axis."""
        product = linear(x)  # [B, T, width] -> [B, T, H·Dh]
        check_finite_read(name, x, product)
        return ops.split_heads(product, self.n_heads)  # [B, T, H·Dh] -> [B, T, H, Dh] -> [B, H, T, Dh]

    @classmethod
    def from_torch(cls, theirs: nn.MultiheadAttention) -> MultiHeadAttention:
        """The same layer with the same numbers, its weights copied.

        Mind the masks: in torch's `attn_mask` and `key_padding_mask` True means *may not* look. Here True means *may*:
        pass `mask=~attn_mask` and `is_token=~key_padding_mask`. Float masks mean the same in both.

        Raises:
            InputError: theirs is no nn.MultiheadAttention, or adds keys that belong to no token (add_bias_kv or
                add_zero_attn).
        """
        return ours_from_torch(theirs, cls)

    def to_torch(self) -> nn.MultiheadAttention:
        """The same layer as torch's own, its weights copied; see `from_torch` for what torch's masks mean.

        Raises:
            InputError: head_value_dim differs from D / H, which torch's layer cannot have.
        """
        return torch_from_ours(self)
