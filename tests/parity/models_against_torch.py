"""What the parity tests of the from-scratch models share: how close is close, masks in both conventions, gradients."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor, nn

RELATIVE = {torch.float32: 1e-6, torch.float64: 1e-12}  # of the largest value of the tensor
GRADIENT = 1e-5


def assert_same(ours: Tensor, theirs: Tensor, relative: float | None = None) -> None:
    """Every number within `relative` of the largest one; the precision's own bound when left out."""
    assert ours.dtype == theirs.dtype
    largest = float(theirs.detach().abs().max())
    bound = RELATIVE[theirs.dtype] if relative is None else relative
    torch.testing.assert_close(ours, theirs, rtol=0.0, atol=bound * largest)


def assert_same_gradients(ours: Iterable[Tensor], theirs: Iterable[Tensor]) -> None:
    """As `assert_same`, over two lists of gradients in the same order."""
    for our_gradient, their_gradient in zip(ours, theirs, strict=True):
        assert_same(our_gradient, their_gradient, GRADIENT)


def allowed_somewhere(*shape: int, share: float = 0.6) -> Tensor:
    """A random bool mask, True = may look, that leaves every query at least one key."""
    mask = torch.rand(*shape) < share  # [..., Tq, Tk]
    one_key = torch.randint(shape[-1], (*shape[:-1], 1))  # [..., Tq, 1]
    return mask.scatter(-1, one_key, True)  # [..., Tq, Tk]


def shaken(module: nn.Module) -> nn.Module:
    """The module with every parameter random: torch starts biases at 0 and gains at 1, which would hide a mix-up."""
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
    return module
