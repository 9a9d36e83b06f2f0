"""Runs user code so that it leaves nothing behind: random numbers, output, parameters."""

import copy
import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import Any

import torch
from torch import Tensor, nn

FIRST_SEED = 774_019_283  # a number that nobody else uses, so that a call that seeds torch again is noticed


@contextmanager
def undisturbed(seed: int) -> Iterator[None]:
    """Put back torch's random numbers and modes, which start from this seed inside; what is printed is swallowed."""
    with (
        torch.random.fork_rng(devices=[]),
        torch.enable_grad(),
        warnings.catch_warnings(action="ignore"),
        redirect_stdout(io.StringIO()),
        redirect_stderr(io.StringIO()),
    ):
        torch.manual_seed(FIRST_SEED + seed)
        yield


def clone(module: nn.Module) -> nn.Module:
    return copy.deepcopy(module, _computed_tensors(module))


def _computed_tensors(module: nn.Module) -> dict[int, Tensor]:
    """Copies, by id, of what deepcopy refuses: tensors with a history, such as weights kept after a call."""
    copies: dict[int, Tensor] = {}
    kept: list[tuple[Any, int]] = [(list(vars(part).values()), 0) for part in module.modules()]
    while kept:
        value, depth = kept.pop()
        if isinstance(value, Tensor) and not value.is_leaf:
            copies[id(value)] = value.detach().clone()
        elif isinstance(value, (list, tuple, dict)) and depth < 4:
            kept += [(part, depth + 1) for part in (value.values() if isinstance(value, dict) else value)]
    return copies
