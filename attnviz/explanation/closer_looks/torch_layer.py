"""The same attention in torch's own layer: the largest differences in output, weights and gradients, for this run."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from attnviz.core.errors import StepError
from attnviz.core.recording import largest_difference
from attnviz.core.site import Site
from attnviz.explanation.head_view import input_of
from attnviz.models.attention import MultiHeadAttention
from attnviz.trace.records import AttentionRecord
from attnviz.trace.trace import Trace


@dataclass(frozen=True)
class TorchCheck:
    """Largest absolute differences between this run's attention and torch.nn.MultiheadAttention with its weights."""

    out: float
    weights: float  # of every head
    gradients: float  # of the sum of squares of the output, by inputs and parameters
    largest_gradient: float  # to compare with
    tokens: tuple[int, int]  # queries and keys


def against_torch(trace: Trace, site: str | Site) -> TorchCheck:
    """Copy this attention's weights into torch's layer, run both over what the run read, forwards and backwards.

    Raises:
        StepError: the trace does not hold what the attention read and the matrices it used, or its run was edited.
        TraceShapeError: no such site.
    """
    record = trace[site]
    own = trace.matrices.get(record.site.key, {})
    if trace.edits or any(f"w_{letter}" not in own for letter in "qkvo"):
        raise StepError(
            f"torch's layer needs W_Q, W_K, W_V and W_O of {record.site} and an untouched run; this trace of "
            f"{trace.card.name} does not have both.",
            id="no-torch-check", site=record.site.key, model=trace.card.name,
        )  # fmt: skip
    # [T_q, d_model], [T_k, d_model]
    query, key = (input_of(trace, record.site, is_key=is_key)[1] for is_key in (False, True))
    with torch.inference_mode(False), torch.enable_grad():
        theirs = _layer(trace, record).to_torch()
        allowed = record.source.mask.tensor()  # [1 | H, T_q, T_k] or None
        return _compared(trace, record, theirs, (_leaf(query), _leaf(key)), allowed)


def _layer(trace: Trace, record: AttentionRecord) -> MultiHeadAttention:
    """Our layer with the weights of this site."""
    own = trace.parameters(record.site.key)
    ours = MultiHeadAttention(own["w_q"].shape[1], record.n_heads, bias="b_q" in own)
    with torch.no_grad():
        for letter in "qkvo":
            linear = getattr(ours, f"w_{letter}")
            linear.weight.copy_(own[f"w_{letter}"].clone())  # [out, in]
            if linear.bias is not None:
                linear.bias.copy_(own[f"b_{letter}"].clone())
    return ours.eval()


def _compared(
    trace: Trace, record: AttentionRecord, theirs: nn.MultiheadAttention, read: tuple[Tensor, Tensor],
    allowed: Tensor | None,
) -> TorchCheck:  # fmt: skip
    ours, is_self = _layer(trace, record), record.site.kind == "self"
    query, key = read[0], read[0] if is_self else read[1]  # [T_q, d_model], [T_k, d_model]
    open_rows = ~torch.stack([record.is_blocked(head) for head in range(record.n_heads)]).any(0)  # [T_q], in every head
    mask = _blocked(allowed, open_rows)
    out, weights = theirs(query[None], key[None], key[None], attn_mask=mask, average_attn_weights=False)
    their_gradients = _gradients(out[0, open_rows], [query, key, *_parameters(theirs)])
    own_out = ours(query[None], key[None], mask=allowed)[0]  # [T_q, d_model]
    parameters = [parameter for letter in "qkvo" for parameter in _linear(ours, letter)]
    own = _gradients(own_out[open_rows], [query, key, *parameters])
    stacked = _as_torch_stacks(own[2:], has_bias=ours.w_q.bias is not None)
    worst = [largest_difference(a, b) for a, b in zip([*own[:2], *stacked], their_gradients, strict=True)]
    expected = out[0, open_rows].detach()  # [T_q, d_model]
    return TorchCheck(
        max(largest_difference(made[open_rows], expected) for made in (record.out(), own_out.detach())),
        largest_difference(record.weights()[:, open_rows], weights[0][:, open_rows].detach()),
        max(worst),
        max(float(gradient.abs().max()) for gradient in their_gradients),
        (record.n_queries, record.n_keys),
    )


def _blocked(allowed: Tensor | None, open_rows: Tensor) -> Tensor | None:
    """Our mask as torch's layer takes it: True = cannot attend; a float mask means the same in both.

    Where a query cannot attend to any key, if only in one head, torch's layer gives NaN, which reaches every head.
    Such a row is opened here, and left out of the comparison.
    """
    if allowed is None:
        return None
    closed = ~open_rows[:, None]  # [T_q, 1]
    theirs = ~(allowed | closed) if allowed.dtype == torch.bool else allowed.masked_fill(closed, 0.0)
    return theirs[0] if theirs.shape[0] == 1 else theirs  # [T_q, T_k] for all heads, or [H, T_q, T_k]


def _parameters(theirs: nn.MultiheadAttention) -> list[Tensor]:
    assert theirs.in_proj_weight is not None
    found = [theirs.in_proj_weight, theirs.out_proj.weight, theirs.in_proj_bias, theirs.out_proj.bias]
    # [3·d_model, d_model], [d_model, d_model], [3·d_model], [d_model]
    return [parameter for parameter in found if parameter is not None]


def _linear(ours: MultiHeadAttention, letter: str) -> list[Tensor]:
    linear = getattr(ours, f"w_{letter}")
    return [linear.weight] if linear.bias is None else [linear.weight, linear.bias]


def _as_torch_stacks(gradients: list[Tensor], *, has_bias: bool) -> list[Tensor]:
    """Ours, one after another for q, k, v and o, as torch stacks them: in, out, and their biases."""
    weights, biases = (gradients[::2], gradients[1::2]) if has_bias else (gradients, [])
    stacked = [torch.cat(weights[:3]), weights[3]]  # [3·d_model, d_model], [d_model, d_model]
    return [*stacked, torch.cat(biases[:3]), biases[3]] if has_bias else stacked


def _gradients(out: Tensor, by: list[Tensor]) -> list[Tensor]:
    """The derivative of the sum of squares of the output, a loss in which every number counts."""
    return list(torch.autograd.grad(out.square().sum(), by))


def _leaf(value: Tensor) -> Tensor:
    return value.detach().clone().requires_grad_()
