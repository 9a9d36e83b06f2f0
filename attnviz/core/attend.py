"""Attention as every model of this project runs it: the lines of the paper, in `attend`.

raw -> scores -> masked -> weights -> context; `tap` records each value, or lets an edit replace it. Faster ways to the
same numbers are in kernels.py.
"""

from typing import Literal, get_args

from torch import Tensor

from . import kernels, ops
from .capture import begin_attention, has_edits, tap
from .ops import Call
from .tensor_checks import check_attention_inputs, check_choice, check_finite, check_numbers

Kernel = Literal["explicit", "fused"]


def scaled_dot_product_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """Attention(Q, K, V) = softmax(QKᵀ/√dₖ + mask) V.

    >>> import torch, attnviz as av
    >>> out, weights = av.scaled_dot_product_attention(*torch.randn(3, 5, 8))
    >>> weights.sum(-1).allclose(torch.ones(5))
    True

    Args:
        q: [..., T_q, d_k]. k: [..., T_k, d_k]. v: [..., T_k, d_v].
        mask: bool, True = can attend (torch's nn.MultiheadAttention means the opposite); or float, added to the
            scores; broadcast to [..., T_q, T_k].
    Returns:
        out [..., T_q, d_v] and weights [..., T_q, T_k]; each row of weights sums to 1, or is 0 where a query can attend
        to nothing.
    Raises:
        TraceShapeError, MaskError: the shapes or types do not belong together.
        InputError: q, k or v holds NaN or ∞.
    Source: Vaswani et al. 2017, equation 1.
    """
    check_finite(q=q, k=k, v=v)
    out, weights = attend(q, k, v, mask=mask)  # [..., T_q, d_v], [..., T_q, T_k]
    assert weights is not None  # the explicit kernel always makes them
    return out, weights


def attend(
    q: Tensor, k: Tensor, v: Tensor, *, mask: Tensor | None = None, scale: float | Tensor | None = None,
    is_causal: bool = False, bias: Tensor | None = None, softcap: float | None = None, sinks: Tensor | None = None,
    dropout: float = 0.0, kernel: Kernel = "explicit",
) -> tuple[Tensor, Tensor | None]:  # fmt: skip
    """Attention with every variant that the known models use, recorded when someone records.

    >>> import torch, attnviz as av
    >>> q = k = v = torch.eye(2)
    >>> av.attend(q, k, v, mask=torch.eye(2, dtype=torch.bool))[1]
    tensor([[1., 0.],
            [0., 1.]])

    Args:
        q: [..., T_q, d_k]. k: [..., T_k, d_k]. v: [..., T_k, d_v]. Heads are axis -3: [B, H, T, d]; with
            four axes k and v may have G heads, each shared by H / G heads of q in a row.
        mask: bool, True = can attend; or float, added; broadcast to [..., T_q, T_k].
        scale: what QKᵀ is multiplied by, or for each head another number, [H, 1, 1]; 1/√dₖ when None.
        is_causal: whether query i can attend to the keys up to i alone, beside what the mask says.
        bias: position bias added to the scores (T5, ALiBi), broadcast to [..., T_q, T_k].
        softcap: c in c · tanh(scores / c), before bias and mask.
        sinks: [H], one extra logit per head that absorbs weight; q then needs its head axis.
        dropout: probability on the weights that are used; recorded weights are those before it. 0 unless training.
        kernel: "explicit" makes the weights, as av.models do; "fused" never holds [T_q, T_k], as pretrained models
            run unless an edit needs the weights: torch's kernel, or blocks of queries with softcap or sinks.
    Returns:
        context [..., T_q, d_v] and weights [..., T_q, T_k] before dropout, or None with the fused kernel.
    Raises:
        TraceShapeError, MaskError: the shapes do not belong together.
        CaptureError, InputError: an edit aims at a value that the fused kernel never makes, or torch's fused kernel
            does not support the call.
    """
    check_choice("kernel", kernel, get_args(Kernel))
    check_numbers(q, dropout, softcap, scale)
    check_attention_inputs(q, k, v, mask, bias, sinks)
    call = Call.of(q, scale, mask, bias, softcap, sinks, dropout, is_causal)
    call = begin_attention(call, q, k, has_weights=kernel == "explicit")
    if isinstance(call.scale, Tensor):
        call = call._replace(scale=call.scale.to(q))  # [] or [H, 1, 1]

    if has_edits():  # one may have changed the call, and can give one head of q keys and values of its own
        check_attention_inputs(q, k, v, call.mask, call.bias, call.sinks)
        k, v = ops.repeat_heads(k, q), ops.repeat_heads(v, q)  # [..., H, T_k, d_k], [..., H, T_k, d_v]
    q, k, v = tap("q", q), tap("k", k), tap("v", v)  # [..., T_q, d_k], [..., T_k, d_k], [..., T_k, d_v]
    if kernel == "fused":  # torch's kernel adds the mask itself
        return tap("context", kernels.fused(q, k, v, call)), None  # [..., T_q, d_v]
    k, v = ops.repeat_heads(k, q), ops.repeat_heads(v, q)  # as many heads as q has
    call = call.written_out(q.shape[-2], k.shape[-2], q.device)
    if kernels.needs_each_line(q, k, v, call):
        raw = tap("raw", ops.raw_scores(q, k))  # [..., T_q, T_k]
        scores = tap("scores", ops.cap_scores(ops.scale_scores(raw, call.scale), call.softcap))  # [..., T_q, T_k]
        masked = tap("masked", ops.add_mask(scores, call.mask, call.bias))  # [..., T_q, T_k]
        blocked = ops.blocked_rows(call.mask, call.bias)  # [..., T_q, 1]
        weights = tap("weights", ops.softmax_rows(masked, sinks=call.sinks, blocked=blocked))  # [..., T_q, T_k]
    else:  # the same lines in one buffer
        weights = tap("weights", ops.weights_in_place(q, k, call))  # [..., T_q, T_k]
    context = tap("context", ops.weigh_values(ops.drop_weights(weights, call.dropout), v))  # [..., T_q, d_v]
    return context, weights
