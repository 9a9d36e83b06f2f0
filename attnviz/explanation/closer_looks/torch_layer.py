"""The same attention in torch's own layer: the largest differences in output, weights and gradients, for this run."""

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from attnviz.core.errors import StepError
from attnviz.core.recording import largest_difference
from attnviz.core.site import Site
from attnviz.explanation.attention_steps import is_divided
from attnviz.explanation.head_view import input_of
from attnviz.models.attention import MultiHeadAttention
from attnviz.trace.records import AttentionRecord
from attnviz.trace.trace import Trace
from attnviz.trace.weight_sources import Replay


@dataclass(frozen=True)
class TorchCheck:
    """Largest absolute differences between this run's attention and torch.nn.MultiheadAttention with its weights."""

    out: float
    weights: float  # of every head
    gradients: float  # of the sum of squares of the output, by inputs and parameters
    largest_gradient: float  # to compare with


def is_torch_layer(trace: Trace, site: str | Site) -> bool:
    """Whether torch's layer computes this attention: one product each for Q, K, V and the output, as many heads of keys
    as of queries, scores divided by √d_k and nothing else done to q, k and scores. torch's has all biases or none.
    """
    record = trace[site]
    source, parameters = record.source, trace.matrices.get(record.site.key, {})
    if not isinstance(source, Replay) or any(f"w_{letter}" not in parameters for letter in "qkvo"):
        return False
    is_square = all(rows == columns for rows, columns in (parameters[f"w_{letter}"].shape for letter in "qkvo"))
    is_plain = is_divided(source) and source.softcap is None and source.sinks is None
    return is_square and is_plain and len({f"b_{letter}" in parameters for letter in "qkvo"}) == 1


def against_torch(trace: Trace, site: str | Site) -> TorchCheck:
    """Copy this attention's weights into torch's layer, run both over what the run read, forwards and backwards.

    Raises:
        StepError: torch's layer computes something else (`is_torch_layer`), or the run was changed.
    """
    record = trace[site]
    is_self = record.site.kind == "self"
    if trace.edits or not is_torch_layer(trace, site):
        raise StepError(id="no-torch-check", site=record.site.key, model=trace.card.name)
    parameters = trace.parameters(record.site.key)
    read = [input_of(trace, record.site, is_key=is_key)[1] for is_key in (False, True)]  # [T, d_model] each
    with torch.inference_mode(False), torch.enable_grad():
        query = _leaf(read[0])
        return _compared(record, _layer(parameters, record.n_heads), query, query if is_self else _leaf(read[1]))


def _layer(parameters: Mapping[str, Tensor], n_heads: int) -> MultiHeadAttention:
    ours = MultiHeadAttention(parameters["w_q"].shape[1], n_heads, bias="b_q" in parameters)
    names = {"weight": "w", "bias": "b"}
    state = {name: parameters[f"{names[name[4:]]}_{name[2]}"] for name in ours.state_dict()}  # of w_q.weight: w_q
    ours.load_state_dict(state)
    return ours.eval()


def _compared(record: AttentionRecord, ours: MultiHeadAttention, query: Tensor, key: Tensor) -> TorchCheck:
    theirs = ours.to_torch()
    allowed = record.source.mask.tensor()  # [1 | H, T_q, T_k] or None
    out, weights = theirs(query[None], key[None], key[None], attn_mask=_blocked(allowed), average_attn_weights=False)
    our_out = ours(query[None], key[None], mask=allowed)  # [1, T_q, d_model]
    their_gradients = _gradients(out, [query, key, *theirs.parameters()])
    of_ours = _gradients(our_out, [query, key, *ours.parameters()])
    with torch.no_grad():  # our gradients in the place of our weights, which torch's layer lays out as it does weights
        for parameter, gradient in zip(ours.parameters(), of_ours[2:], strict=True):
            parameter.copy_(gradient)
    laid_out = [*of_ours[:2], *(parameter.detach() for parameter in ours.to_torch().parameters())]
    return TorchCheck(
        max(largest_difference(made, out[0].detach()) for made in (record.out(), our_out[0].detach())),
        largest_difference(record.weights(), weights[0].detach()),
        max(largest_difference(a, b) for a, b in zip(laid_out, their_gradients, strict=True)),
        max(float(gradient.abs().max()) for gradient in their_gradients),
    )


def _blocked(allowed: Tensor | None) -> Tensor | None:
    """Our mask as torch's layer takes it: True = cannot attend; a float mask means the same in both.

    Where a query cannot attend to any key torch's layer gives NaN, so the two differ by ∞.
    """
    if allowed is None:
        return None
    theirs = ~allowed if allowed.dtype == torch.bool else allowed
    return theirs[0] if theirs.shape[0] == 1 else theirs  # [T_q, T_k] for all heads, or [H, T_q, T_k]


def _gradients(out: Tensor, by: list[Tensor]) -> list[Tensor]:
    """The derivative of the sum of squares of the output, a loss in which every number counts."""
    return list(torch.autograd.grad(out.square().sum(), by))


def _leaf(value: Tensor) -> Tensor:
    return value.detach().clone().requires_grad_()
