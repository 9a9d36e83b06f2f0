"""Takes dropout or norms out of a call, and notes what they were applied to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from torch import Tensor, nn
from torch.nn import functional as F
from torch.overrides import TorchFunctionMode

_DROPOUTS = (
    "dropout", "dropout_", "dropout1d", "dropout2d", "dropout3d", "feature_dropout", "alpha_dropout",
    "feature_alpha_dropout",
)  # fmt: skip
_NORMS = ("layer_norm", "rms_norm", "group_norm", "batch_norm", "instance_norm", "normalize")
_DROPOUT_P = 10  # the place of dropout_p among the arguments of multi_head_attention_forward
_TRAINING = 13  # and of training


class _WithoutFunctions(TorchFunctionMode):
    """Inside it these functions of torch return what they are given."""

    names: tuple[str, ...] = ()

    def __init__(self, applied_to: list[Tensor | None]) -> None:
        super().__init__()
        self.applied_to = applied_to  # filled by the calls; None: the weights, inside a function of torch

    def __torch_function__(
        self, func: Callable[..., Any], types: Sequence[type], args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:  # fmt: skip
        if getattr(func, "__name__", "") in self.names and args:
            self.applied_to.append(args[0].detach().clone())
            return args[0]
        return func(*args, **(kwargs or {}))


class WithoutNorms(_WithoutFunctions):
    """Inside it torch's norms change nothing."""

    names = _NORMS


class WithoutDropout(_WithoutFunctions):
    """Inside it torch's dropout changes nothing, also inside torch's attention."""

    names = _DROPOUTS

    def __torch_function__(
        self, func: Callable[..., Any], types: Sequence[type], args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:  # fmt: skip
        kwargs = dict(kwargs or {})
        if func is F.scaled_dot_product_attention:
            if (args[4] if len(args) > 4 else kwargs.get("dropout_p", 0.0)) > 0:
                self.applied_to.append(None)
            kwargs |= {} if len(args) > 4 else {"dropout_p": 0.0}
            args = (*args[:4], 0.0, *args[5:]) if len(args) > 4 else args
        if func is F.multi_head_attention_forward and len(args) > _DROPOUT_P:
            is_training = args[_TRAINING] if len(args) > _TRAINING else kwargs.get("training", True)
            if args[_DROPOUT_P] > 0 and is_training:
                self.applied_to.append(None)
            args = (*args[:_DROPOUT_P], 0.0, *args[_DROPOUT_P + 1 :])
        return super().__torch_function__(func, types, args, kwargs)


class _TorchsNorm(nn.Module):
    """Stands for a person's own norm and calls torch's, which WithoutNorms takes out."""

    def forward(self, x: Tensor, *_: Any, **__: Any) -> Tensor:
        return F.layer_norm(x, x.shape[-1:])


def with_torchs_norms(module: nn.Module) -> nn.Module:
    """The module with every norm of its own, known by the name of its class, replaced in place by torch's."""
    for parent in list(module.modules()):
        for name, child in list(parent.named_children()):
            is_own = "norm" in type(child).__name__.lower() and not type(child).__module__.startswith("torch.")
            if is_own and not any(isinstance(inside, nn.Linear) for inside in child.modules()):
                setattr(parent, name, _TorchsNorm())
    return module
