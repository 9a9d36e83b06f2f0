"""Gets a stranger's attention ready to be asked: copied, in float64, with fresh numbers in its matrices."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor, nn

from attnviz.checking.call.axis_order import BATCH_FIRST, TOKENS_FIRST
from attnviz.checking.call.candidate import Candidate, set_training
from attnviz.checking.call.inputs import draw
from attnviz.checking.call.isolation import twin, without_parametrizations
from attnviz.checking.call.signature import signature_of
from attnviz.checking.read.parameter_roles import Part, parts_of


def candidate_of(subject: Callable[..., Any], batch_first: bool | None) -> Candidate | None:
    """Get ready to ask: copy a module and draw its matrices anew. None when the module cannot be copied."""
    inside = getattr(subject, "func", subject)  # of functools.partial
    name = getattr(inside, "__name__", getattr(subject, "original_name", type(subject).__name__))
    name = str(subject.name) if isinstance(subject, torch.jit.ScriptFunction) else name
    if not isinstance(subject, nn.Module):
        own = torch.float32
        return Candidate(name, subject, signature_of(subject, True), True, torch.float64, own, own, torch.device("cpu"))
    copied = twin(subject)
    if copied is None:
        return None
    first = next(iter(copied.parameters()), torch.zeros(()))
    own = first.dtype if first.dtype in (torch.float32, torch.float64) else torch.float32
    kept_in = first.dtype  # casting changes the tensor itself
    copied = _cast(without_parametrizations(copied), torch.float64)
    set_training(copied, False)
    redraw(copied)
    has_no_parameters = next(iter(copied.parameters()), None) is None  # then it is a function in a module's clothes
    if batch_first is None:
        batch_first = getattr(subject, "batch_first", True) is not False
    arrangement = BATCH_FIRST if batch_first else TOKENS_FIRST
    signature = signature_of(subject, False)
    return Candidate(
        name, copied, signature, has_no_parameters, torch.float64, own, kept_in, first.device, arrangement
    )  # fmt: skip


def redraw(module: nn.Module) -> None:
    """Numbers with which every mistake shows: no bias is zero, and no head looks at all tokens alike."""
    parameters = dict(module.named_parameters())
    with torch.no_grad():
        for seed, part in enumerate(parts_of(module)):
            parameter = parameters.get(part.name)
            if parameter is None:
                continue  # a second name of a tensor that has one already
            numbers = draw(tuple(parameter.shape), 1000 + seed)
            if part.kind == "weight":
                numbers = numbers * 1.2 / _fan_in(parameter, part) ** 0.5
            parameter.copy_(numbers if part.kind == "weight" else numbers * 0.5)
        for norm in module.modules():
            mean, variance = getattr(norm, "running_mean", None), getattr(norm, "running_var", None)
            if isinstance(mean, Tensor) and isinstance(variance, Tensor):  # else a new one changes hardly anything
                mean.copy_(draw(tuple(mean.shape), 2000))
                variance.copy_(1 + draw(tuple(variance.shape), 2001) ** 2)


def _fan_in(parameter: nn.Parameter, part: Part) -> int:
    """How many features are summed: D, as near as the shape can say."""
    if part.stored == "linear":
        return parameter.shape[1]
    return parameter.shape[-2] if parameter.ndim in (3, 4) else parameter.shape[0]


def in_precision(candidate: Candidate, dtype: torch.dtype) -> Candidate:
    """The same candidate asked in another precision."""
    if candidate.dtype == dtype:
        return candidate
    subject = candidate.subject
    if isinstance(subject, nn.Module):
        copied = twin(subject)
        assert copied is not None  # the subject is itself a copy
        subject = _cast(copied, dtype)
    return replace(candidate, subject=subject, dtype=dtype)


def _cast(module: nn.Module, dtype: torch.dtype) -> nn.Module:
    """The module in float64 or float32; not .to(dtype), which makes complex tables real."""
    with warnings.catch_warnings():  # torch warns of what it does itself with the gradients of a scripted layer
        warnings.simplefilter("ignore")
        return nn.Module.double(module) if dtype == torch.float64 else nn.Module.float(module)
