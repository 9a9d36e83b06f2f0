"""Makes a candidate of somebody's attention: a copy, in float64, with newly drawn numbers in its matrices."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch
from torch import nn

from attnviz.checking.call.candidate import Candidate, set_training
from attnviz.checking.call.inputs import BATCH_FIRST, TOKENS_FIRST, draw
from attnviz.checking.call.isolation import clone
from attnviz.checking.call.signature import signature_of
from attnviz.checking.read.parameter_roles import roles_of


def candidate_of(subject: Callable[..., Any], batch_first: bool | None) -> Candidate | None:
    """The candidate; None when a module cannot be copied."""
    inside = getattr(subject, "func", subject)  # of functools.partial
    name = getattr(inside, "__name__", type(subject).__name__)
    if not isinstance(subject, nn.Module):
        own, cpu = torch.float32, torch.device("cpu")
        return Candidate(name, subject, signature_of(subject, True), True, torch.float64, own, own, cpu)
    copied = clone(subject)
    if copied is None:
        return None
    first = next(iter(copied.parameters()), torch.zeros(()))
    own = first.dtype if first.dtype in (torch.float32, torch.float64) else torch.float32
    stored = first.dtype  # read here, for casting changes the tensor itself
    copied = _cast(copied, torch.float64)
    set_training(copied, False)
    _redraw(copied)
    has_no_parameters = next(iter(copied.parameters()), None) is None  # then it is called like a function
    is_batch_first = getattr(subject, "batch_first", True) is not False if batch_first is None else batch_first
    return Candidate(
        name, copied, signature_of(subject, False), has_no_parameters, torch.float64, own, stored, first.device,
        BATCH_FIRST if is_batch_first else TOKENS_FIRST,
    )  # fmt: skip


def in_precision(candidate: Candidate, dtype: torch.dtype) -> Candidate:
    """The same candidate called in another precision."""
    if candidate.dtype == dtype:
        return candidate
    subject = candidate.subject
    if isinstance(subject, nn.Module):
        copied = clone(subject)
        assert copied is not None  # the subject is itself a copy
        subject = _cast(copied, dtype)
    return replace(candidate, subject=subject, dtype=dtype)


def _cast(module: nn.Module, dtype: torch.dtype) -> nn.Module:
    """Not .to(dtype), which makes complex tables real; nn.Module's own, for a class may use the name otherwise."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return nn.Module.double(module) if dtype == torch.float64 else nn.Module.float(module)


def _redraw(module: nn.Module) -> None:
    """Draw numbers with which every mistake shows: no bias is zero, and no head attends to all tokens alike."""
    parameters = dict(module.named_parameters())
    with torch.no_grad():
        for seed, role in enumerate(roles_of(module)):
            parameter = parameters.get(role.name)
            if parameter is None:
                continue  # a second name of a tensor that was drawn already
            drawn = draw(tuple(parameter.shape), 1000 + seed)
            n_summed = parameter.shape[1 if role.stored == "linear" else -2] if parameter.ndim > 1 else 1  # about
            std = 1.2 / n_summed**0.5 if role.kind == "weight" else 0.5
            parameter.copy_(drawn * std)
