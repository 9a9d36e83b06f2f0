"""Takes the norms out of a stranger's attention: torch's while they are called, a person's own by replacing them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from torch import Tensor, nn
from torch.nn import functional as F
from torch.overrides import TorchFunctionMode

_NORMS = ("layer_norm", "rms_norm", "group_norm", "batch_norm", "instance_norm", "normalize")


class WithoutNorms(TorchFunctionMode):
    """Inside it torch's norms change nothing; `seen` gets what they were asked to normalise."""

    def __init__(self, seen: list[Tensor]) -> None:
        super().__init__()
        self.seen = seen

    def __torch_function__(
        self, func: Callable[..., Any], types: Sequence[type], args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:  # fmt: skip
        if getattr(func, "__name__", "") in _NORMS and args:
            self.seen.append(args[0].detach().clone())
            return args[0]
        return func(*args, **(kwargs or {}))


class OfTorch(nn.Module):
    """Stands where a person's own norm stood, and calls torch's, which is passed over."""

    def forward(self, x: Tensor, *_: Any, **__: Any) -> Tensor:
        return F.layer_norm(x, x.shape[-1:])


def with_torchs_norms(module: nn.Module) -> nn.Module:
    """The module with every norm of its own, known by the name of its class, replaced; changed in place."""
    for part in list(module.modules()):
        for name, child in list(part.named_children()):
            is_own = "norm" in type(child).__name__.lower() and not type(child).__module__.startswith("torch.")
            if is_own and not any(isinstance(inside, nn.Linear) for inside in child.modules()):
                setattr(part, name, OfTorch())
    return module
