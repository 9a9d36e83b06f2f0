"""What cannot be checked, in words: wrong arguments raise an error, a layer that cannot be run gets a finding."""

from typing import get_args

import torch
from torch import nn
from torch.nn.parameter import UninitializedParameter

from attnviz.checking.call.inputs import MaskMeans
from attnviz.checking.read.layouts import layouts_of, parameters_of
from attnviz.checking.report import Finding
from attnviz.core.errors import InputError

NOT_COPIED = Finding(
    "cannot-copy",
    "The layer cannot be copied (copy.deepcopy), and the original is not to be touched, so nothing was run.",
    "build a fresh one for the check: no locks, files or threads as attributes",
)


def refuse(candidate: object, n_heads: int | None, mask_means: str | None, reference: object) -> None:
    """Raise an InputError where an argument cannot be what is meant."""
    if isinstance(candidate, type):
        raise InputError(id="class-for-layer", name=candidate.__name__)
    if not callable(candidate):
        raise InputError(id="no-layer-to-check", came=type(candidate).__name__)
    if mask_means is not None and mask_means not in get_args(MaskMeans):
        raise InputError(id="bad-mask-means", came=repr(mask_means), known=tuple(map(repr, get_args(MaskMeans))))
    if reference is not None and not isinstance(reference, nn.Module):
        raise InputError(id="no-reference-module", came=type(reference).__name__)
    if n_heads is not None and (not isinstance(n_heads, int) or n_heads < 1):
        raise InputError(id="bad-n-heads", came=str(n_heads))


def refuse_heads(module: nn.Module, n_heads: int) -> None:
    for layout in layouts_of(module)[:1]:
        width = layout.build(parameters_of(module)).weight["q"].shape[0]
        if width % n_heads:
            raise InputError(id="heads-of-equal-width", n_heads=str(n_heads), width=str(width))


def not_runnable(candidate: object, what: str = "layer") -> Finding | None:
    modules = list(candidate.modules()) if isinstance(candidate, nn.Module) else []
    parameters = [parameter for module in modules for parameter in module._parameters.values() if parameter is not None]
    linears = [module for module in modules if isinstance(module, nn.Linear)]
    rows = (
        (isinstance(candidate, (torch.jit.ScriptModule, torch.jit.ScriptFunction)), "compiled",
         "was compiled by torch.jit, and what is left of its code cannot be read",
         f"check the Python {what} that it was made from"),
        (any(isinstance(parameter, UninitializedParameter) or parameter.is_meta for parameter in parameters),
         "no-numbers", "holds no numbers yet (nn.LazyLinear, or the meta device), so it was not run",
         'call it once on an input of the right width, or layer.to_empty(device="cpu"), then check it'),
        (any("weight" not in module._parameters for module in linears), "computed-matrices",
         "computes its matrices from other parameters (weight_norm, spectral_norm, …)",
         "check it without: parametrize.remove_parametrizations(…)"),
    )  # fmt: skip
    return next((Finding(id, f"The {what} {is_so}.", fix) for holds, id, is_so, fix in rows if holds), None)
