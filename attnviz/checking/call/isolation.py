"""Runs a stranger's code so that nothing of it stays behind: random state, grad mode, what it prints, its parameters.

It cannot stop an endless loop that prints nothing; one that prints is stopped by its own print.
"""

from __future__ import annotations

import copy
import io
import random
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.utils import parametrize, remove_spectral_norm, remove_weight_norm
from torch.nn.utils.spectral_norm import SpectralNorm
from torch.nn.utils.weight_norm import WeightNorm
from torch.overrides import TorchFunctionMode

from attnviz.core.capture import active_recorder, record

_DROPOUTS = (  # the first two draw for each number, the others for whole channels, or put in no zeros
    "dropout", "dropout_", "dropout1d", "dropout2d", "dropout3d", "feature_dropout", "alpha_dropout",
    "feature_alpha_dropout",
)  # fmt: skip
_PLACE = 10  # of dropout_p among the arguments of multi_head_attention_forward; three further is training
_FIRST_SEED = 774_019_283
MOST_PRINTED = 100_000  # characters that one call may print before it is stopped


class PrintedTooMuch(BaseException):
    """Raised inside the stranger's print; not an Exception, so that `except Exception` does not swallow it."""


class Sink(io.TextIOBase):
    """Swallows what is printed, up to a limit."""

    def __init__(self) -> None:
        self.printed = 0

    def write(self, text: str) -> int:
        self.printed += len(text)
        if self.printed > MOST_PRINTED:
            raise PrintedTooMuch
        return len(text)


@dataclass(frozen=True)
class Dropped:
    """One call of torch's dropout."""

    what: Tensor | None  # what it was asked to drop from; None: the weights, inside torch
    by: str = "dropout"  # the name of the function

    @property
    def is_of_each(self) -> bool:
        """Whether it draws a number for each number, not for whole heads or features, and puts in zeros."""
        return self.by in _DROPOUTS[:2]


class WithoutDropout(TorchFunctionMode):
    """Inside it torch's dropout changes nothing, whoever calls it and with whatever settings."""

    def __init__(self, seen: list[Dropped] | None = None) -> None:
        super().__init__()
        self.seen = [] if seen is None else seen  # its calls

    def __torch_function__(
        self, func: Callable[..., Any], types: Sequence[type], args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:  # fmt: skip
        kwargs = dict(kwargs or {})
        name = getattr(func, "__name__", "")
        if name in _DROPOUTS and args:
            self.seen.append(Dropped(args[0].detach().clone(), name))
            return args[0]
        if func is torch.nn.functional.scaled_dot_product_attention:
            if (args[4] if len(args) > 4 else kwargs.get("dropout_p", 0.0)) > 0:
                self.seen.append(Dropped(None))
            if len(args) > 4:
                args = (*args[:4], 0.0, *args[5:])
            else:
                kwargs["dropout_p"] = 0.0
        if func is torch.nn.functional.multi_head_attention_forward and len(args) > _PLACE:
            if args[_PLACE] > 0 and (args[_PLACE + 3] if len(args) > _PLACE + 3 else kwargs.get("training", True)):
                self.seen.append(Dropped(None))
            args = (*args[:_PLACE], 0.0, *args[_PLACE + 1 :])
        return func(*args, **kwargs)


class Watching(TorchFunctionMode):
    """Notes whether torch's own layer's function is called, whose masks mean the opposite of everybody else's."""

    def __init__(self) -> None:
        super().__init__()
        self.calls_torchs = False

    def __torch_function__(
        self, func: Callable[..., Any], types: Sequence[type], args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:  # fmt: skip
        self.calls_torchs |= func is torch.nn.functional.multi_head_attention_forward
        return func(*args, **(kwargs or {}))


def _settings() -> dict[str, Any]:
    """What can be set for all of torch, and Python's limit of recursion."""
    return {
        "dtype": torch.get_default_dtype(),
        "device": torch.get_default_device(),
        "threads": torch.get_num_threads(),
        "deterministic": (torch.are_deterministic_algorithms_enabled(),
                          torch.is_deterministic_algorithms_warn_only_enabled()),
        "precision": torch.get_float32_matmul_precision(),
        "cudnn": (torch.backends.cudnn.enabled, torch.backends.cudnn.deterministic, torch.backends.cudnn.benchmark),
        "anomaly": (torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()),
        "recursion": sys.getrecursionlimit(),
    }  # fmt: skip


def _put_back(was: dict[str, Any]) -> None:
    """Set again only what is no longer as it was: some settings are slow to set, or not to be touched twice."""
    now = _settings()
    changed = {name for name in was if was[name] != now[name]}
    if "device" in changed:
        torch.set_default_device(None)
        if torch.get_default_device() != was["device"]:
            torch.set_default_device(was["device"])
    if "dtype" in changed:
        torch.set_default_dtype(was["dtype"])
    if "threads" in changed:
        torch.set_num_threads(was["threads"])
    if "deterministic" in changed:
        torch.use_deterministic_algorithms(was["deterministic"][0], warn_only=was["deterministic"][1])
    if "precision" in changed:
        torch.set_float32_matmul_precision(was["precision"])
    if "cudnn" in changed:
        cudnn: Any = torch.backends.cudnn
        cudnn.enabled, cudnn.deterministic, cudnn.benchmark = was["cudnn"]
    if "anomaly" in changed:
        torch.autograd.set_detect_anomaly(*was["anomaly"])
    if "recursion" in changed:
        sys.setrecursionlimit(was["recursion"])


@contextmanager
def one_thread() -> Iterator[None]:
    """Matrices this small are slower with several threads, and many times slower on a busy machine."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def start_random(seed: int) -> None:
    """Start torch's random numbers where no stranger starts them, so that one who does is noticed."""
    torch.manual_seed(_FIRST_SEED + seed)


def is_restarted(seed: int) -> bool:
    """Whether somebody has started torch's random numbers anew since `start_random(seed)`."""
    return torch.initial_seed() != _FIRST_SEED + seed


@contextmanager
def undisturbed(seed: int) -> Iterator[None]:
    """Everything global that the code inside may change is put back; inside, torch's random numbers start from seed.

    A recording in which this stands gets nothing of it, and none of its edits is made.
    """
    numpy_random = getattr(sys.modules.get("numpy"), "random", None)
    numpy_state = numpy_random.get_state() if numpy_random else None
    python_state, settings = random.getstate(), _settings()
    with ExitStack() as stack:
        stack.enter_context(torch.random.fork_rng(devices=range(torch.cuda.device_count())))
        stack.enter_context(torch.inference_mode(False))
        stack.enter_context(torch.enable_grad())
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        stack.enter_context(redirect_stdout(Sink()))
        stack.enter_context(redirect_stderr(Sink()))
        if active_recorder() is not None:
            stack.enter_context(record())  # the innermost gets all
        start_random(seed)
        try:
            yield
        finally:
            _put_back(settings)
            random.setstate(python_state)
            if numpy_random:
                numpy_random.set_state(numpy_state)


def _computed(module: nn.Module) -> dict[int, Tensor]:
    """What deepcopy refuses, by its id: tensors with a history, such as weights kept to be shown; copies without it."""
    found: dict[int, Tensor] = {}
    kept: list[tuple[Any, int]] = [(list(vars(part).values()), 0) for part in module.modules()]
    while kept:
        value, depth = kept.pop()
        if isinstance(value, Tensor) and not value.is_leaf:
            found[id(value)] = value.detach().clone()
        elif isinstance(value, (list, tuple, dict)) and depth < 4:
            kept += [(part, depth + 1) for part in (value.values() if isinstance(value, dict) else value)]
    return found


def without_parametrizations(module: nn.Module) -> nn.Module:
    """The same layer with plain matrices where they were computed from others (weight_norm, orthogonal, …)."""
    for part in list(module.modules()):
        for hook in list(part._forward_pre_hooks.values()):
            if isinstance(hook, WeightNorm):  # the old weight_norm and spectral_norm, which compute before each call
                remove_weight_norm(part, hook.name)
            elif isinstance(hook, SpectralNorm):
                remove_spectral_norm(part, hook.name)
        if not parametrize.is_parametrized(part):
            continue
        # Not remove_parametrizations: it takes the property from the class, which the original still has.
        with torch.no_grad():
            values = {name: getattr(part, name).detach().clone() for name in list(part.parametrizations)}  # type: ignore[arg-type]
        del part.parametrizations
        part.__class__ = type(part).__mro__[1]
        for name, value in values.items():
            setattr(part, name, nn.Parameter(value))
    return module


def twin(module: nn.Module) -> nn.Module | None:
    """A copy that shares nothing with the module, or None when it cannot be copied."""
    try:
        with torch.inference_mode(False):
            made = copy.deepcopy(module, _computed(module))
    except Exception:  # a stranger's module may hold anything: a lock, a file, a tensor with a history
        return None
    theirs = {parameter.data_ptr() for parameter in module.parameters() if parameter.numel()}
    return None if any(parameter.data_ptr() in theirs for parameter in made.parameters()) else made
