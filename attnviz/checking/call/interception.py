"""Takes dropout or norms out of a call, and notes the shapes that they were applied to."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from torch import Tensor, nn
from torch.nn import functional as F
from torch.overrides import TorchFunctionMode

DROPOUTS = ("dropout", "dropout_")
NORMS = ("layer_norm", "rms_norm", "group_norm", "batch_norm", "instance_norm", "normalize")


class Without(TorchFunctionMode):
    """A context in which these functions of torch (DROPOUTS or NORMS) return their input unchanged."""

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__()
        self.names = names
        self.shapes: list[tuple[int, ...]] = []  # of what they were applied to, filled by the calls

    def __torch_function__(
        self, func: Callable[..., Any], types: Sequence[type], args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:  # fmt: skip
        kwargs = dict(kwargs or {})
        if getattr(func, "__name__", "") in self.names and args:
            self.shapes.append(tuple(args[0].shape))
            return args[0]
        if self.names is DROPOUTS and func is F.scaled_dot_product_attention:
            names = ("query", "key", "value", "attn_mask", "dropout_p", "is_causal")
            return func(**kwargs | dict(zip(names, args, strict=False)) | {"dropout_p": 0.0})
        return func(*args, **kwargs)


class _TorchsNorm(nn.Module):
    """Replaces a user-defined norm by torch's, which `Without` can take out."""

    def forward(self, x: Tensor, *_: Any, **__: Any) -> Tensor:
        return F.layer_norm(x, x.shape[-1:])


def with_torchs_norms(module: nn.Module) -> nn.Module:
    """Replace every user-defined norm, recognised by its class name, by torch's, in place."""
    for parent in list(module.modules()):
        for name, child in list(parent.named_children()):
            is_own = "norm" in type(child).__name__.lower() and not type(child).__module__.startswith("torch.")
            if is_own and not any(isinstance(inside, nn.Linear) for inside in child.modules()):
                setattr(parent, name, _TorchsNorm())
    return module
