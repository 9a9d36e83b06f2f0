"""What cannot be checked, in words: wrong arguments raise an error, a layer that cannot be run gets a finding."""

from __future__ import annotations

from typing import get_args

import torch
from torch import nn
from torch.nn.parameter import UninitializedParameter

from attnviz.checking.call.mask_format import MaskMeans
from attnviz.checking.read.layouts import layouts_of
from attnviz.checking.report import Finding
from attnviz.core.errors import InputError

NOT_COPIED = Finding(
    "cannot-copy",
    "The layer cannot be copied (copy.deepcopy), and the original is not to be touched, so nothing was run.",
    "build a fresh one for the check: no locks, files or threads as attributes",
)


def refuse(candidate: object, n_heads: int | None, mask_means: str | None, reference: object) -> None:
    """Raise an InputError where an argument cannot be what is meant."""
    came = type(candidate).__name__
    if isinstance(candidate, type):
        raise InputError(
            f"{candidate.__name__} is a class; expected a layer made from it. Pass {candidate.__name__}(…).",
            id="check-class", name=candidate.__name__,
        )  # fmt: skip
    if not callable(candidate):
        raise InputError(
            f"check_attention got {came}; expected a torch module or a function f(q, k, v, mask). Pass the layer.",
            id="check-not-callable", came=came,
        )  # fmt: skip
    if mask_means is not None and mask_means not in get_args(MaskMeans):
        raise InputError(
            f"mask_means is {mask_means!r}; expected 'can attend', 'cannot attend' or 'added'. Say what True in your "
            "mask means.",
            id="check-mask-means", came=str(mask_means),
        )  # fmt: skip
    if reference is not None and not isinstance(reference, nn.Module):
        raise InputError(
            f"reference is {type(reference).__name__}; expected a torch module, whose weights can be read. Leave it "
            "out to compare with ours alone.",
            id="check-reference", came=type(reference).__name__,
        )  # fmt: skip
    if n_heads is not None and (isinstance(n_heads, bool) or not isinstance(n_heads, int) or n_heads < 1):
        raise InputError(
            f"n_heads is {n_heads}; expected a whole number of at least 1. Say how many heads your layer has.",
            id="check-heads", n=str(n_heads),
        )  # fmt: skip


def refuse_heads(module: nn.Module, n_heads: int) -> None:
    """Raise an InputError where the queries cannot be split into that many heads."""
    layouts = layouts_of(module)
    width = layouts[0].rows if layouts else 0
    if width % n_heads:
        raise InputError(
            f"n_heads={n_heads} does not divide the {width} features of the queries; expected heads of equal width. "
            "Say how many heads your layer has.",
            id="check-heads-width", n=n_heads, width=width,
        )  # fmt: skip


def not_runnable(candidate: object, what: str = "layer") -> Finding | None:
    """What to say of a layer that cannot be run on numbers of ours."""
    if isinstance(candidate, (torch.jit.ScriptModule, torch.jit.ScriptFunction)):
        sentence = f"The {what} was compiled by torch.jit, and what is left of its code cannot be read."
        return Finding("compiled", sentence, f"check the Python {what} that it was made from")
    modules = list(candidate.modules()) if isinstance(candidate, nn.Module) else []
    parameters = [parameter for module in modules for parameter in module._parameters.values() if parameter is not None]
    if any(isinstance(parameter, UninitializedParameter) for parameter in parameters):
        sentence = f"The {what} has matrices whose size is not known yet (nn.LazyLinear), so it was not run."
        return Finding("lazy", sentence, "call it once on an input of the right width, then check it")
    if any(parameter.is_meta for parameter in parameters):
        sentence = f"The {what} is on the meta device: it has shapes and holds no numbers, so it was not run."
        return Finding("no-numbers", sentence, 'build it on a device with memory, or layer.to_empty(device="cpu")')
    if any(
        "weight" not in module._parameters
        for module in modules
        if isinstance(module, (nn.Linear, nn.Conv1d, nn.Conv2d))
    ):
        sentence = f"The {what} computes its matrices from other parameters (weight_norm, spectral_norm, …)."
        return Finding("computed-matrices", sentence, "check it without: parametrize.remove_parametrizations(…)")
    return None
