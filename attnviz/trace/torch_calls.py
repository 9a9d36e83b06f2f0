"""Records torch's own attention inside `with record():` in any module, without hooks.

Covers `F.scaled_dot_product_attention` and `nn.MultiheadAttention`, and what is built on them, such as
`nn.TransformerEncoder`. Torch's own lines run, so results and errors are torch's; a call that an edit aims at runs on
`attend`. A function mode keeps torch off its fast path (eval, no gradient), which means other things by its arguments:
where it would be taken, its function is called, and the lines beside it give the values. Attention that is written out
by hand or given nested tensors, and kernels of other packages such as flash-attn or flex_attention, are not recorded.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import islice
from types import FrameType, FunctionType
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.overrides import TorchFunctionMode

from attnviz.core import ops
from attnviz.core.attend import attend
from attnviz.core.callers import modules_running
from attnviz.core.capture import INTERMEDIATES, Recorder, active_recorder, at, begin_attention, tap
from attnviz.core.edit import ATTENTION_NAMES, EDITABLE
from attnviz.core.ops import Call

MULTI_HEAD = F.multi_head_attention_forward
SIGNATURE = inspect.signature(MULTI_HEAD)
# Its lines, without handing themselves to the active mode first: what they call is seen.
LINES = FunctionType(
    MULTI_HEAD.__code__, vars(F) | {"has_torch_function": lambda _: False}, argdefs=MULTI_HEAD.__defaults__
)
# In what has a fast path, the variable that says why it was not taken, and what it says of a function mode.
WHY_NOT_FAST = {
    nn.MultiheadAttention.forward.__code__: "why_not_fast_path",
    nn.TransformerEncoderLayer.forward.__code__: "why_not_sparsity_fast_path",
    nn.TransformerEncoder.forward.__code__: "why_not_sparsity_fast_path",
}
HAS_MODE = "some Tensor argument has_torch_function"


class FollowTorch(TorchFunctionMode):
    """Follows the code that runs inside `with FollowTorch(recorder):`, in this thread only, while that one records."""

    needs_weights = False  # whether the edited attention that runs now returns its weights
    weights: Tensor | None = None  # which are these

    def __init__(self, recorder: Recorder[Any]) -> None:
        super().__init__()
        self.recorder = recorder

    def __torch_function__(
        self, func: Callable[..., Any], types: Sequence[type], args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:  # fmt: skip
        """What torch calls for every function of Python code."""
        recorder, run = self.recorder, partial(func, *args, **(kwargs or {}))
        if active_recorder() is not recorder or recorder.is_inside:  # another records, or it is `attend`'s own call
            return run()
        if func is F.scaled_dot_product_attention and not has_nested(*run.args, *run.keywords.values()):
            context = None if recorder.edits else run()  # before all else: it raises what torch raises
            return self.scaled_dot_product(recorder, run, context, *run.args, **run.keywords)
        if func is MULTI_HEAD:
            given = SIGNATURE.bind(*run.args, **run.keywords)
            given.apply_defaults()
            with at(recorder.place(Call(1.0, allowed(given.arguments["attn_mask"])))):
                return self.multi_head(recorder, **given.arguments)
        if func is F.layer_norm and (padding := padding_left_out(run.args[0])) is not None:
            return run().masked_fill(padding[..., None], 0.0)
        return run()

    def scaled_dot_product(
        self, recorder: Recorder[Any], run: Callable[[], Tensor], context: Tensor | None,
        query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None = None, dropout_p: float = 0.0,
        is_causal: bool = False, scale: float | None = None, enable_gqa: bool = False,
    ) -> Tensor:  # fmt: skip
        """Torch's function: query [..., T_q, d_k], key [..., T_k, d_k], value [..., T_k, d_v]; `run` runs it."""
        call = Call.of(query, scale, attn_mask, None, None, None, dropout_p, is_causal)
        if enable_gqa and query.ndim != 4:  # of four axes heads stay grouped
            key, value = ops.repeat_heads(key, query), ops.repeat_heads(value, query)  # [..., H, T_k, d] each
        with at(recorder.place(call)):
            if self.needs_weights or recorder.edits_any(*EDITABLE):
                needs_lines = self.needs_weights or recorder.edits_any(*INTERMEDIATES, "weights")
                context, self.weights = attend(
                    query, key, value, mask=attn_mask, scale=scale, is_causal=is_causal, dropout=dropout_p,
                    kernel="explicit" if needs_lines else "fused",
                )  # fmt: skip
                return context
            context = run() if context is None else context
            note(call, q=query, k=key, v=value, context=context)
        return context

    def multi_head(self, recorder: Recorder[Any], **given: Any) -> tuple[Tensor, Tensor | None]:
        """Torch's function of the same arguments: query [T_q, B, d_model] or [T_q, d_model]."""
        has_batch, needs_weights = given["query"].ndim == 3, given["need_weights"]
        layer, fast = layer_left_by_mode(given["query"]), None
        if layer is not None:
            fast, given = fast_path(layer, given)
        if (needs_weights or fast is not None) and not recorder.edits_any(*EDITABLE):
            heard = Heard()
            with heard:  # no `as`: a graph of torch.compile that ends in this block goes on without that name
                out, weights = LINES(**given | {"need_weights": True})
            if fast is not None:
                out, weights = fast
                if weights is not None and not given["average_attn_weights"]:
                    heard.values["weights"] = weights.flatten(0, 1)  # [B·H, T, T]
            heard.note(given["num_heads"], given["dropout_p"] * given["training"])
        else:
            is_causal = given["is_causal"] and not (needs_weights and given["attn_mask"] is not None)
            self.needs_weights = needs_weights
            try:
                with self:
                    out, weights = LINES(**given | {"need_weights": False, "is_causal": is_causal})
            finally:
                self.needs_weights = False
            if self.weights is not None and needs_weights:
                weights, self.weights = self.weights, None  # [B, H, T_q, T_k]
                weights = weights.mean(1) if given["average_attn_weights"] else weights
                weights = weights if has_batch else weights[0]
        by_text = out.transpose(0, 1) if has_batch else out[None]  # [B, T_q, d_model]
        changed = tap("out", by_text)
        if changed is not by_text:
            out = changed.transpose(0, 1) if has_batch else changed[0]
        return out, weights


class Heard(TorchFunctionMode):
    """Hears the values of torch's multi-head attention in its lines that make the weights, each [B·H, T, …]."""

    def __init__(self) -> None:
        super().__init__()
        self.values: dict[str, Tensor] = {}
        self.mask: Tensor | None = None  # [B·H | 1, T_q | 1, T_k]

    def __torch_function__(
        self, func: Callable[..., Any], types: Sequence[type], args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:  # fmt: skip
        result = func(*args, **(kwargs or {}))
        if func is torch.Tensor.mul:
            self.values["q"] = args[0]  # which is multiplied by the scale
        elif func is F.softmax:
            self.values["weights"] = result
        elif func is torch.bmm and "weights" in self.values:
            self.values |= {"v": args[1], "context": result}
        elif func in (torch.bmm, torch.baddbmm):
            self.values["k"] = args[-1].mT
            self.mask = args[0] if func is torch.baddbmm else None
        return result

    def note(self, n_heads: int, dropout: float) -> None:
        values = {
            name: value.unflatten(0, (len(value) // n_heads, n_heads)) for name, value in self.values.items()
        }  # [B, H, T, …]
        mask = self.mask
        if mask is not None and mask.shape[0] > 1:
            mask = mask.unflatten(0, (len(mask) // n_heads, n_heads))  # [B, H, T_q | 1, T_k]
        call = Call.of(values["q"], None, mask, None, None, None, dropout)
        note(call, **{name: values[name] for name in ATTENTION_NAMES if name in values})


def left_by_mode(frame: FrameType, layer: nn.Module, x: Tensor) -> bool:
    """Whether the forward in this frame, of this layer and x, leaves its fast path because of a mode."""
    if frame.f_locals.get(WHY_NOT_FAST.get(frame.f_code, "")) != HAS_MODE or x.device.type not in ("cpu", "cuda"):
        return False
    return not torch.is_grad_enabled() or not any(part.requires_grad for part in (x, *layer.parameters()))


def layer_left_by_mode(query: Tensor) -> nn.MultiheadAttention | None:
    """The attention that runs now, where it or its encoder layer leaves the fast path for a mode; else None."""
    running = list(islice(modules_running(), 2))
    if not any(left_by_mode(frame, module, query) for frame, module in running):
        return None
    return cast(nn.MultiheadAttention, running[0][1])


def padding_left_out(x: Tensor) -> Tensor | None:
    """In a layer's last norm, the padding [B, T] whose rows torch's fast path sets to zero; else None."""
    running = list(islice(modules_running(), 3))
    if len(running) < 3 or running[2][0].f_code is not nn.TransformerEncoder.forward.__code__:
        return None
    (_, norm), (_, layer), (frame, encoder) = running
    if norm is not layer.norm2 or not left_by_mode(frame, encoder.get_submodule("layers.0"), x):
        return None
    return frame.f_locals["src_key_padding_mask"].bool()


def fast_path(
    layer: nn.MultiheadAttention, given: dict[str, Any]
) -> tuple[tuple[Tensor, Tensor | None] | None, dict[str, Any]]:
    """What torch's fast path returns, [T, B, d_model], and the arguments with which the other lines do the same.

    It reads every mask as bool and ignores `is_causal`. A layer without biases has none but merges its masks first,
    which refuses those that do not fit.
    """
    query, n_heads = given["query"].transpose(0, 1), layer.num_heads  # [B, T, d_model]
    mask, mask_type = layer.merge_masks(given["attn_mask"], given["key_padding_mask"], query)
    if layer.in_proj_bias is None:
        return None, given
    out, weights = torch._native_multi_head_attention(
        query, query, query, layer.embed_dim, n_heads, layer.in_proj_weight, layer.in_proj_bias,
        layer.out_proj.weight, layer.out_proj.bias, mask, given["need_weights"], given["average_attn_weights"],
        mask_type,
    )  # [B, T, d_model], [B, H, T, T] or [B, T, T]  # fmt: skip
    if mask is not None:
        mask = mask[:, None, None] if mask.ndim == 2 else mask  # [B, 1, 1, T] of padding, else [B, H, T, T]
        mask = mask.bool().expand(len(query), n_heads, query.shape[1], -1).flatten(0, 1)  # [B·H, T, T]
    others = {"attn_mask": mask, "key_padding_mask": None, "is_causal": False}
    return (out.transpose(0, 1), weights), given | others


def has_nested(*given: object) -> bool:
    return any(isinstance(part, Tensor) and part.is_nested for part in given)


def allowed(attn_mask: Any) -> Any:
    """Torch's mask of a multi-head attention as one of ours: of a bool one, True is what is hidden."""
    return ~attn_mask if isinstance(attn_mask, Tensor) and attn_mask.dtype == torch.bool else attn_mask


def note(call: Call, **values: Tensor) -> None:
    """Record an attention that ran."""
    begin_attention(call, has_weights="weights" in values)
    for name, value in values.items():
        tap(name, value)
