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
    name, kind, of_reference = getattr(candidate, "__name__", ""), type(candidate).__name__, type(reference).__name__
    rows = (
        (isinstance(candidate, type), f"{name} is a class; expected a layer made from it. Pass {name}(…)."),
        (not callable(candidate), f"check_attention got {kind}; expected a torch module or a function "
         "f(q, k, v, mask). Pass the layer."),
        (mask_means is not None and mask_means not in get_args(MaskMeans), f"mask_means is {mask_means!r}; expected "
         "'can attend', 'cannot attend' or 'added'. Say what True in your mask means."),
        (reference is not None and not isinstance(reference, nn.Module), f"reference is {of_reference}; expected a "
         "torch module, whose weights can be read. Leave it out to compare with ours alone."),
        (n_heads is not None and (not isinstance(n_heads, int) or n_heads < 1), f"n_heads is {n_heads}; expected a "
         "whole number of at least 1. Say how many heads your layer has."),
    )  # fmt: skip
    for is_so, message in rows:
        if is_so:
            raise InputError(message)


def refuse_heads(module: nn.Module, n_heads: int) -> None:
    for layout in layouts_of(module)[:1]:
        width = layout.build(parameters_of(module)).weight["q"].shape[0]
        if width % n_heads:
            raise InputError(
                f"n_heads={n_heads} does not divide the {width} features of the queries; expected heads of equal "
                "width. Say how many heads your layer has."
            )


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
