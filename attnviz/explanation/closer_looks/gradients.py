"""What one number of the output depends on: its derivative by every number of Q, K, V and X of the run.

The attention is run again over the record's own q, k and v with gradients on; no model runs.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from attnviz.core import ops
from attnviz.core.attend import attend
from attnviz.core.errors import StepError
from attnviz.core.site import Site
from attnviz.explanation.head_view import HeadView, input_of
from attnviz.trace.records import AttentionRecord
from attnviz.trace.trace import Trace

_SAME = 1e-2  # of the largest value: what rounding of half precision may change


@dataclass(frozen=True, eq=False)
class CellGradient:
    """The derivative of one cell of `out` (or of one head's context) by what it was made of."""

    value: float  # the cell
    # q [H, T_q, d_k], k [Hkv, T_k, d_k], v [Hkv, T_k, d_v]; x [T, d_model], x_key [T_k, d_model] where known
    maps: Mapping[str, Tensor]


def cell_gradient(trace: Trace, site: str | Site, *, query: int, feature: int, head: int | None = None) -> CellGradient:
    """The derivative of one output cell.

    Args:
        query: row of the cell, from 0. feature: its column, from 0.
        head: one head's context instead of the output of all heads.
    Returns:
        maps by name, in float32, computed in float64. In self-attention `x` is what all three projections read.
    Raises:
        StepError: there is no such cell, W_O is not held, or dropout or an edit changed the context, through which no
            derivative is taken (a silenced head is 0 and has none).
        TraceShapeError: the score of this model is not q·k.
    """
    record = trace[site]
    with torch.inference_mode(False), torch.enable_grad():
        inputs, made = _inputs(trace, record)
        context = _context(record, made)  # [H, T_q, d_v]
        out = context[head] if head is not None else _out(record, context)  # [T_q, d_model] or [T_q, d_v]
        if not (0 <= query < out.shape[0] and 0 <= feature < out.shape[1]):
            raise StepError(
                in_code=f"There is no cell ({query}, {feature}); the output is {out.shape[0]} x {out.shape[1]}.",
                id="cell-not-here", row=query, column=feature,
            )  # fmt: skip
        wanted = made | inputs
        gradients = torch.autograd.grad(out[query, feature], list(wanted.values()), allow_unused=True)
    maps = {
        name: torch.zeros_like(value).float() if gradient is None else gradient.float()
        for (name, value), gradient in zip(wanted.items(), gradients, strict=True)
    }
    return CellGradient(float(out[query, feature].detach()), maps)


def _inputs(trace: Trace, record: AttentionRecord) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """What was read, where it is known, and q, k, v made of it; q, k and v as they were used where it is not."""
    replay = record.replay
    held = trace.matrices.get(record.site.key, {})
    # A run of our own holds the keys and values of a group once for each of its heads; here they are one.
    n_groups = HeadView.of(trace, record.site).n_heads_of("k")
    k, v = (kept[:: len(kept) // n_groups] for kept in (replay.k, replay.v))  # [Hkv, T_k, d_k], [Hkv, T_k, d_v]
    used = {"q": replay.q, "k": k, "v": v}
    try:
        x, x_key = (_leaf(input_of(trace, record.site, is_key=is_key)[1]) for is_key in (False, True))  # [T, d_model]
    except StepError:
        held = {}
    if any(f"w_{name}" not in held for name in used):
        return {}, {name: _leaf(value) for name, value in used.items()}
    is_self = record.site.kind == "self"
    made = {}
    for name, value in used.items():
        read, bias = x if name == "q" or is_self else x_key, held.get(f"b_{name}")
        projected = ops.project(read, _double(held[f"w_{name}"]), None if bias is None else _double(bias))  # [T, H·d_k]
        made[name] = ops.split_heads(projected, value.shape[0])  # [H, T, d_k]
    return ({"x": x} if is_self else {"x": x, "x_key": x_key}), made


def _context(record: AttentionRecord, made: Mapping[str, Tensor]) -> Tensor:
    replay = record.replay
    k, v = (ops.repeat_heads(made[name], made["q"]) for name in ("k", "v"))  # [H, T_k, d_k]
    sinks = None if replay.sinks is None else _double(replay.sinks)
    mask = replay.mask.tensor(k.device)  # [1 | H, T_q, T_k] or None
    context, _ = attend(made["q"], k, v, mask=mask, scale=replay.scale, softcap=replay.softcap, sinks=sinks)
    if "context" in record.edited:  # a silenced head gives nothing
        used = record.edited["context"]  # [H, T_q, d_v]
        silent = ~used.flatten(1).any(-1)  # [H]
        context = context * (~silent)[:, None, None].double()
        if not torch.allclose(context.detach(), used.double(), rtol=0, atol=_SAME * float(used.abs().max())):
            raise StepError(id="gradient-of-changed-context")
    return context  # [H, T_q, d_v]


def _out(record: AttentionRecord, context: Tensor) -> Tensor:
    bias = None if record.b_o is None else _double(record.b_o)
    return ops.project(ops.merge_heads(context), _double(record.known_w_o), bias)  # [T_q, d_model]


def _double(value: Tensor) -> Tensor:
    return value.detach().clone().double()


def _leaf(value: Tensor) -> Tensor:
    return _double(value).requires_grad_()
