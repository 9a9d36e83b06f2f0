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
from attnviz.core.tensor_checks import index_in
from attnviz.explanation.head_view import HeadView, Projection, input_of
from attnviz.explanation.model_steps.block import Block
from attnviz.models.positions import rotate
from attnviz.trace.records import AttentionRecord
from attnviz.trace.trace import Trace

_SAME = 1e-2  # of the largest value: what rounding of half precision may change


@dataclass(frozen=True, eq=False)
class CellGradient:
    """The derivative of one cell of `out` (or of one head's context) by what it was made of."""

    value: float  # the cell
    # q [H, T_q, d_k], k [Hkv, T_k, d_k], v [Hkv, T_k, d_v] as attention uses them; x [T, d_model], x_key [T_k, d_model]
    # where known
    maps: Mapping[str, Tensor]


def cell_gradient(trace: Trace, site: str | Site, *, query: int, feature: int, head: int | None = None) -> CellGradient:
    """The derivative of one output cell.

    Args:
        query, feature: row and column of the cell, from 0 or, negative, from the end.
        head: one head's context instead of the output of all heads.
    Returns:
        maps by name, in float32, computed in float64. In self-attention `x` is what all three projections are made
        of: the vector that the block reads, before a norm that stands before the projections.
    Raises:
        StepError: there is no such cell, W_O is not held, or dropout or an edit changed the context, through which no
            derivative is taken (a silenced head is 0 and has none).
        TraceShapeError: the score of this model is not q·k.
    """
    record = trace[site]
    head = None if head is None else record.check_head(head)
    with torch.inference_mode(False), torch.enable_grad():
        inputs, made = _inputs(trace, record)
        context = _context(record, made)  # [H, T_q, d_v]
        out = context[head] if head is not None else _out(record, context)  # [T_q, d_model] or [T_q, d_v]
        row, column = index_in(query, out.shape[0]), index_in(feature, out.shape[1])
        if row is None or column is None:
            raise StepError(
                id="cell-not-here", row=query, column=feature, name="out",
                rows=f"0–{out.shape[0] - 1}", columns=f"0–{out.shape[1] - 1}",
            )  # fmt: skip
        wanted = made | inputs
        gradients = torch.autograd.grad(out[row, column], list(wanted.values()), allow_unused=True)
    maps = {
        name: torch.zeros_like(value).float() if gradient is None else gradient.float()
        for (name, value), gradient in zip(wanted.items(), gradients, strict=True)
    }
    return CellGradient(float(out[row, column].detach()), maps)


def _inputs(trace: Trace, record: AttentionRecord) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """What was read, where it is known, and q, k, v made of it; q, k and v as they were used where it is not, or where
    they are not what is made of it.
    """
    view, replay = HeadView.of(trace, record.site), record.replay
    # A run of our own holds the keys and values of a group once for each of its heads; here they are one.
    n_groups = view.n_heads_of("k")
    k, v = (kept[:: len(kept) // n_groups] for kept in (replay.k, replay.v))  # [Hkv, T_k, d_k], [Hkv, T_k, d_v]
    used: dict[Projection, Tensor] = {"q": replay.q, "k": k, "v": v}
    leaves = {str(name): _leaf(value) for name, value in used.items()}
    if any(f"w_{name}" not in view.parameters for name in used):
        return {}, leaves
    try:
        x, read = _read(trace, record.site)  # [T, d_model] each
        inputs, of_keys = {"x": x}, read
        if record.site.kind == "cross":
            inputs["x_key"] = of_keys = _leaf(input_of(trace, record.site, is_key=True)[1])  # [T_k, d_model]
    except StepError:
        return {}, leaves
    made = {}
    for name, value in used.items():
        made[str(name)] = _made(view, name, read if name == "q" else of_keys, value.shape[0])  # [H, T, d_k]
        if not torch.allclose(made[name].detach(), value.double(), rtol=0, atol=_SAME * float(value.abs().max())):
            return {}, leaves
    return inputs, made


def _read(trace: Trace, site: Site) -> tuple[Tensor, Tensor]:
    """The vectors that the block reads, and what W_Q multiplies: their norm in a pre-norm block. [T, d_model] each.

    Raises:
        StepError: the trace does not hold them, or not the norm that stands between the two.
    """
    block = Block(trace, site.stack, site.layer)
    if block.is_known and block.is_pre(site.kind):
        x = _leaf(block.state("in" if site.kind == "self" else "mid").values)  # [T, d_model]
        held = {name: _double(value) for name, value in trace.parameters(f"{block.key}.{site.kind}_norm").items()}
        gain, eps = held["gain"], float(held["eps"])
        if "shift" in held:
            return x, ops.normalise(x, gain, held["shift"], eps)
        return x, ops.rms_normalise(x, gain, eps)
    point, values = input_of(trace, site, is_key=False)
    if point.endswith(".x"):
        raise StepError(id="no-input", site=site.key)
    x = _leaf(values)  # [T, d_model]
    return x, x


def _made(view: HeadView, name: Projection, x: Tensor, n_heads: int) -> Tensor:
    """q, k or v of all heads as attention uses them, of x [T, d_model]: product, norm, rotation. [H, T, d_k]."""
    held = view.parameters
    bias = _double(held[f"b_{name}"]) if f"b_{name}" in held else None
    made = ops.split_heads(ops.project(x, _double(held[f"w_{name}"]), bias), n_heads)  # [H, T, d_k]
    if name != "q" and "key_order" in held:
        made = made[held["key_order"]]  # [G, T, d_k]
    if view.is_normed(name):
        made = ops.rms_normalise(made, _double(held[f"{name}_gain"]), float(held["eps"]))  # [H, T, d_k]
    return _rotated(held, made) if view.is_rotated(name) else made


def _rotated(held: Mapping[str, Tensor], x: Tensor) -> Tensor:
    """[H, T, d_k] -> [H, T, d_k]; angles are float32, as models compute them."""
    frequencies, magnitude = held["frequencies"].float().cpu(), float(held["magnitude"])  # [width/2]
    position = torch.arange(x.shape[-2], dtype=torch.float32)[:, None]  # [T, 1]
    angle, width = (position * frequencies).double(), 2 * len(frequencies)  # [T, width/2]
    cos, sin = magnitude * angle.cos(), magnitude * angle.sin()  # [T, width/2] each
    turned = rotate(x[..., :width], cos, sin, "halves" if bool(held["is_halves"]) else "neighbours")  # [H, T, width]
    return torch.cat([turned, x[..., width:]], dim=-1)  # [H, T, d_k]


def _context(record: AttentionRecord, made: Mapping[str, Tensor]) -> Tensor:
    replay = record.replay
    k, v = (ops.repeat_heads(made[name], made["q"]) for name in ("k", "v"))  # [H, T_k, d_k]
    sinks = None if replay.sinks is None else _double(replay.sinks)
    mask = replay.mask.tensor(k.device)  # [1 | H, T_q, T_k] or None
    scale = replay.scale[:, None, None] if isinstance(replay.scale, Tensor) else replay.scale  # [H, 1, 1]
    context, _ = attend(made["q"], k, v, mask=mask, scale=scale, softcap=replay.softcap, sinks=sinks)
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
