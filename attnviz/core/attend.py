"""The one attention. Every model of this project goes through `attend`, and reads like the book:
raw -> scores -> masked -> weights -> context, each value offered to whoever records.

`_weights` is the first four lines; `_weights_in_place` the same where nobody asks for what stands between, `_fused` all
five by torch's own kernel, and `_row_blocks` for what that kernel cannot do.
"""

from __future__ import annotations

import math
from typing import Literal, get_args

import torch
from torch import Tensor
from torch.nn import functional as F

from . import ops
from .capture import Recorder, active_recorder, tap
from .checks import check_attention_inputs, check_finite, check_options
from .errors import CaptureError, InputError
from .masks import Mask
from .recording import Call

Kernel = Literal["explicit", "fused"]
KERNELS: tuple[Kernel, ...] = get_args(Kernel)
FUSED_ROWS = 1024  # rows computed at a time where torch's fused kernel cannot do the arithmetic


def scaled_dot_product_attention(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | Mask | None = None
) -> tuple[Tensor, Tensor]:
    """Attention(Q, K, V) = softmax(QKᵀ/√Dh + mask) V.

    Args:
        q: [..., Tq, Dh]. k: [..., Tk, Dh]. v: [..., Tk, Dv].
        mask: bool, True = may look (torch's nn.MultiheadAttention means the opposite); or float, added to the
            scores; broadcast to [..., Tq, Tk].
    Returns:
        out [..., Tq, Dv] and weights [..., Tq, Tk]; each row of weights sums to 1, or is 0
        where nothing may be seen.
    Raises:
        TraceShapeError, MaskError: the shapes or types do not belong together.
        InputError: q, k or v holds NaN or ∞.
    Source: Vaswani et al. 2017, equation 1.
    """
    check_finite(q=q, k=k, v=v)
    out, weights = attend(q, k, v, mask=mask)  # [..., Tq, Dv], [..., Tq, Tk]
    assert weights is not None  # the explicit kernel always makes them
    return out, weights


def attend(
    q: Tensor, k: Tensor, v: Tensor, *, mask: Tensor | Mask | None = None, scale: float | None = None,
    bias: Tensor | None = None, softcap: float | None = None, sinks: Tensor | None = None,
    dropout: float = 0.0, kernel: Kernel = "explicit",
) -> tuple[Tensor, Tensor | None]:  # fmt: skip
    """Attention with every variant that the known models use, recorded when someone records.

    Args:
        q: [..., Tq, Dh]. k: [..., Tk, Dh]. v: [..., Tk, Dv].
        mask: a `Mask`; or bool, True = may look; or float, added; broadcast to [..., Tq, Tk].
        scale: what QKᵀ is multiplied by; 1/√Dh when None.
        bias: position bias added to the scores (T5, ALiBi), broadcast to [..., Tq, Tk].
        softcap: c in c · tanh(scores / c), before the mask.
        sinks: [H], one more logit a head that takes weight; needs a head axis before Tq.
        dropout: probability on the weights that are used; recorded weights are those before it. 0 unless training.
        kernel: "explicit" makes every matrix; "fused" gives the context in linear memory and no weights.
    Returns:
        context [..., Tq, Dv] and weights [..., Tq, Tk], or None with the fused kernel.
    Raises:
        TraceShapeError, MaskError: the shapes do not belong together.
        CaptureError, InputError: an edit aims at a value the fused kernel never makes, or torch's cannot do this.
    """
    if isinstance(mask, Mask):
        mask = mask.tensor(q.device)  # [1 | H, Tq, Tk]
    check_options(kernel, KERNELS, dropout, softcap, scale)
    check_attention_inputs(q, k, v, mask, bias, sinks)
    mask, bias = _in_precision_of(q, mask), _in_precision_of(q, bias)  # [..., Tq, Tk] or broadcast to it
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    if (recorder := active_recorder()) is not None:
        _announce(recorder, Call(scale, mask, bias, softcap, sinks, dropout), kernel)
    q, k, v = tap("q", q), tap("k", k), tap("v", v)  # [..., Tq, Dh], [..., Tk, Dh], [..., Tk, Dv]
    blocked = ops.blocked_rows(mask, bias)  # [..., Tq, 1] or None
    if kernel == "fused":
        context = _fused(q, k, v, mask, scale, bias, softcap, sinks, dropout, blocked)  # [..., Tq, Dv]
        return tap("context", context), None  # [..., Tq, Dv]
    weights = tap("weights", _weights(q, k, mask, scale, bias, softcap, sinks, blocked))  # [..., Tq, Tk]
    used = F.dropout(weights, dropout) if dropout > 0.0 else weights  # [..., Tq, Tk]
    return tap("context", ops.weigh_values(used, v)), weights  # [..., Tq, Dv]


def _in_precision_of(q: Tensor, added: Tensor | None) -> Tensor | None:
    """A mask or bias as it is added to the scores of q, with its query and key axes at least."""
    if added is None:
        return None
    added = torch.atleast_2d(added)  # [..., Tq | 1, Tk | 1]
    return added if added.dtype == torch.bool else added.to(q.dtype)  # [..., Tq | 1, Tk | 1]


def _announce(recorder: Recorder, call: Call, kernel: Kernel) -> None:
    """Tell whoever records that an attention begins; refuse edits of what its kernel never makes."""
    recorder.open_call(call)
    if kernel == "fused" and recorder.edits_any("raw", "scores", "masked", "weights"):
        raise CaptureError(
            "An edit aims at raw, scores, masked or weights, which the fused kernel never makes. "
            "Run with kernel='explicit'.",
            id="edit-needs-explicit",
        )


def _weights(
    q: Tensor, k: Tensor, mask: Tensor | None, scale: float, bias: Tensor | None,
    softcap: float | None, sinks: Tensor | None, blocked: Tensor | None,
) -> Tensor:  # fmt: skip
    recorder = active_recorder()
    listened = recorder is not None and recorder.wants("raw", "scores", "masked")
    needs_grad = torch.is_grad_enabled() and any(t is not None and t.requires_grad for t in (q, k, mask, bias, sinks))
    may_write = not (listened or needs_grad or torch.jit.is_tracing())  # one graph with and without gradients
    if may_write and sinks is None and q.dtype == k.dtype:
        try:
            return _weights_in_place(q, k, mask, scale, bias, softcap, blocked)  # [..., Tq, Tk]
        except RuntimeError:  # torch.func.vmap over masks: the scores have an axis less, and nothing fits into them
            pass  # what else went wrong goes wrong below too
    scores = _scaled(q, k, scale)  # [..., Tq, Tk]
    if listened:
        raw = ops.raw_scores(q, k)  # [..., Tq, Tk]
        if (edited := tap("raw", raw)) is not raw:
            scores = ops.scale_scores(edited, scale)  # [..., Tq, Tk]
    if softcap is not None:
        scores = ops.cap_scores(scores, softcap)  # [..., Tq, Tk]
    if listened:
        scores = tap("scores", scores)  # [..., Tq, Tk]
    masked = ops.add_mask(scores, mask, bias)  # [..., Tq, Tk]
    if listened:
        masked = tap("masked", masked)  # [..., Tq, Tk]
    return ops.softmax_rows(masked, sinks=sinks, blocked=blocked)  # [..., Tq, Tk]


def _scaled(q: Tensor, k: Tensor, scale: float) -> Tensor:
    """QKᵀ · scale, in a tensor of its own, and the same bits whether or not anybody listens."""
    # Scaling by a power of two (Dh = 64) rounds nothing, so the smaller q can be scaled; float16 could underflow.
    if math.frexp(scale)[0] == 0.5 and q.dtype != torch.float16:
        if q.ndim == 4 and q.shape[:2] == k.shape[:2] and q.dtype == torch.float32:  # the product scales as it goes
            nothing = q.new_empty(())  # what beta=0 leaves unread
            flat = torch.baddbmm(nothing, q.flatten(0, 1), k.flatten(0, 1).mT, beta=0, alpha=scale)
            return flat.unflatten(0, q.shape[:2])  # [B·H, Tq, Tk] -> [B, H, Tq, Tk]
        return ops.raw_scores(ops.scale_scores(q, scale), k)  # [..., Tq, Tk]
    raw = ops.raw_scores(q, k)  # [..., Tq, Tk]
    is_kept = raw.requires_grad or torch.jit.is_tracing()  # one graph with and without gradients
    return ops.scale_scores(raw, scale) if is_kept else raw.mul_(scale)  # [..., Tq, Tk]


def _weights_in_place(
    q: Tensor, k: Tensor, mask: Tensor | None, scale: float, bias: Tensor | None,
    softcap: float | None, blocked: Tensor | None,
) -> Tensor:  # fmt: skip
    """The same arithmetic on one buffer: from 512 tokens on, allocating new ones is where the time goes."""
    buffer = _scaled(q, k, scale)  # [..., Tq, Tk]
    if softcap is not None:
        buffer.div_(softcap).tanh_().mul_(softcap)
    for extra in (mask, bias):
        if extra is not None and torch.broadcast_shapes(extra.shape, buffer.shape) != buffer.shape:
            # It has leading axes that q and k lack, so the result does not fit into the buffer.
            return ops.softmax_rows(ops.add_mask(buffer, mask, bias), blocked=blocked)  # [..., Tq, Tk]
    if bias is not None:
        buffer.add_(bias)
    if mask is not None:
        buffer.masked_fill_(~mask, ops.NEVER) if mask.dtype == torch.bool else buffer.add_(mask)
    if blocked is not None:
        buffer.masked_fill_(blocked, 0.0)
    buffer = _softmax_in_place(buffer)  # [..., Tq, Tk]
    return buffer if blocked is None else buffer.masked_fill_(blocked, 0.0)  # [..., Tq, Tk]


def _softmax_in_place(buffer: Tensor) -> Tensor:
    try:
        return torch.softmax(buffer, dim=-1, out=buffer)  # [..., Tq, Tk]
    except RuntimeError:  # torch.func.vmap and jvp know no out=
        return torch.softmax(buffer, dim=-1)  # [..., Tq, Tk]


def _fused(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, scale: float, bias: Tensor | None,
    softcap: float | None, sinks: Tensor | None, dropout: float, blocked: Tensor | None,
) -> Tensor:  # fmt: skip
    if softcap is not None or sinks is not None:
        return _row_blocks(q, k, v, mask, scale, bias, softcap, sinks, dropout)  # [..., Tq, Dv]
    if bias is not None:
        mask = ops.add_mask(bias, mask)  # [..., Tq, Tk]
    if blocked is not None and mask is not None:  # torch gives NaN gradients there: let them look, then drop the result
        mask = mask | blocked if mask.dtype == torch.bool else mask.masked_fill(blocked, 0.0)
    try:
        context = F.scaled_dot_product_attention(q, k, v, mask, dropout, scale=scale)  # [..., Tq, Dv]
    except NotImplementedError as error:  # such as forward-mode derivatives (torch.func.jvp)
        raise InputError(
            f"Torch's fused kernel cannot do this: {str(error).splitlines()[0].rstrip('.')}. "
            "Run with kernel='explicit', which can."
        ) from error
    return context if blocked is None else context.masked_fill(blocked, 0.0)  # [..., Tq, Dv]


def _row_blocks(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, scale: float, bias: Tensor | None,
    softcap: float | None, sinks: Tensor | None, dropout: float,
) -> Tensor:  # fmt: skip
    """Soft-capped and sink attention a thousand rows at a time: linear memory for what torch's kernel cannot do."""

    def rows_of(part: Tensor | None, rows: slice) -> Tensor | None:
        return part if part is None or part.shape[-2] == 1 else part[..., rows, :]

    blocks = []
    for start in range(0, q.shape[-2], FUSED_ROWS):
        rows = slice(start, start + FUSED_ROWS)
        scores = ops.scale_scores(ops.raw_scores(q[..., rows, :], k), scale)  # [..., R, Tk]
        if softcap is not None:
            scores = ops.cap_scores(scores, softcap)  # [..., R, Tk]
        part, added = rows_of(mask, rows), rows_of(bias, rows)
        masked = ops.add_mask(scores, part, added)  # [..., R, Tk]
        weights = ops.softmax_rows(masked, sinks=sinks, blocked=ops.blocked_rows(part, added))  # [..., R, Tk]
        blocks.append(ops.weigh_values(F.dropout(weights, dropout) if dropout > 0.0 else weights, v))  # [..., R, Dv]
    return torch.cat(blocks, dim=-2)  # [..., Tq, Dv]
