"""A stranger's attention as something that can be asked: inputs in, an `Answer` out, whatever happens inside.

A module is asked on a copy each time, with fresh numbers in its matrices, so that the original is never touched, a
layer that starts as zeros can be told from a wrong one, and what one call leaves behind cannot spoil the next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch import Tensor, nn

from attnviz.checking.call.axis_order import BATCH_FIRST, Arrangement
from attnviz.checking.call.inputs import Inputs
from attnviz.checking.call.interception import WithoutNorms
from attnviz.checking.call.isolation import (
    Dropped,
    PrintedTooMuch,
    WithoutDropout,
    is_restarted,
    start_random,
    twin,
    undisturbed,
)  # fmt: skip
from attnviz.checking.call.mask_format import Convention
from attnviz.checking.call.signature import Signature
from attnviz.checking.read.layouts import Layout, layouts_of

RESTARTED = "torch's random numbers"


@dataclass(frozen=True)
class Answer:
    """What came back from one call."""

    out: Tensor | None = None  # the first tensor, or the one shaped like the output; with its gradient
    others: tuple[tuple[str, Tensor], ...] = ()  # every other tensor, by its name where it has one
    dtype: torch.dtype = torch.float64  # in which it came; every tensor here is in float64
    problem: str = ""  # "raised", "nothing", "type", "printed"; empty when a tensor came back
    said: str = ""  # the problem in words
    inputs: tuple[Tensor, ...] = ()  # as they were fed, after the call
    leaves: Mapping[str, Tensor] = field(default_factory=dict)  # the parameters of the copy that ran
    changed: tuple[str, ...] = ()  # what the call changed: "input 1", "buffer cache", "training", RESTARTED


@dataclass(frozen=True)
class Candidate:
    """Somebody's attention and how to ask it."""

    name: str
    subject: Callable[..., Any]  # a copy of the module, or the function
    signature: Signature
    is_function: bool
    dtype: torch.dtype
    own_dtype: torch.dtype  # the precision the person runs it in, or the nearest that is tried
    kept_in: torch.dtype  # the precision of its parameters
    device: torch.device
    arrangement: Arrangement = BATCH_FIRST
    is_calm: bool = False  # dropout is taken out
    seen_by_dropout: list[Dropped] | None = None  # filled by calls while it is calm, where it is given
    seen_by_norms: list[Tensor] | None = None  # filled by calls; where it is given, norms are taken out
    open_mask: Convention | None = None  # how a mask that hides nothing is written, where it cannot do without
    n_heads: int = 0  # what a function is told, where it has to be told

    @property
    def layouts(self) -> list[Layout]:
        """Every reading of its parameters; none for a function."""
        return layouts_of(self.subject) if isinstance(self.subject, nn.Module) else []

    def parameters(self) -> dict[str, Tensor]:
        """The numbers it runs with: float64, on the CPU, a tensor shared by two names is one tensor."""
        if not isinstance(self.subject, nn.Module):
            return {}
        named = dict(self.subject.named_parameters(remove_duplicate=False))
        once = {id(p): p.detach().to("cpu", torch.float64, copy=True).requires_grad_() for p in named.values()}
        return {name: once[id(p)] for name, p in named.items()}

    def ask(
        self, inputs: Inputs, mask: Tensor | None = None, *, seed: int = 0, training: bool = False,
        mask_name: str | None = None, flags: Mapping[str, Any] | None = None, wants: tuple[int, ...] | None = None,
        before: tuple[Inputs, ...] = (), before_mask: Tensor | None = None, grad: bool = False,
        has_gradients: bool = True,
    ) -> Answer:  # fmt: skip
        """Call it once.

        Args:
            inputs: query, key and value, float64; as many as it takes are fed, [B, T, D] whatever it prefers.
            mask: as it is to be fed, in the convention of the candidate; mask_name: as which argument.
            flags: further arguments. wants: the shape of the output, to find it among what is returned.
            before: inputs of calls to make first, on the same copy; before_mask: their mask, where it is another one.
            grad: whether the inputs ask for gradients. has_gradients: False for a call under torch.no_grad().
        """
        subject = self._copy(training)
        outcome: Any = None
        with undisturbed(seed):
            try:
                named = self._named(inputs, mask, mask_name or self.signature.mask) | self._moved(flags or {})
                for earlier in before:
                    earlier_mask = mask if before_mask is None else before_mask
                    also = self._named(earlier, earlier_mask, mask_name or self.signature.mask)
                    self._call(subject, self._feed(earlier, False), also | self._moved(flags or {}))
                    start_random(seed)
                fed = self._feed(inputs, grad)
                untouched = [x.detach().clone() for x in fed]
                masks = {name: (value, value.clone()) for name, value in named.items() if isinstance(value, Tensor)}
                was = _state(subject)
                with torch.set_grad_enabled(has_gradients):
                    outcome = self._call(subject, fed, named)
                restarted = (RESTARTED,) if is_restarted(seed) else ()
            except PrintedTooMuch:
                return Answer(problem="printed", said="It printed more than 100,000 characters in one call.")
            except KeyboardInterrupt:
                raise  # the person at the terminal
            except BaseException as error:  # SystemExit and GeneratorExit too: a stranger's code ends nothing here
                return Answer(problem="raised", said=first_line(error))
        changed = tuple(
            f"input {i}" for i, (x, old) in enumerate(zip(fed, untouched, strict=True), 1) if not _same(x.detach(), old)
        ) + tuple(f"mask {name}" for name, (mine, old) in masks.items() if not _same(mine, old))
        changed += _changes(was, _state(subject)) + restarted
        answer = self._answer(outcome, wants)
        leaves = dict(subject.named_parameters(remove_duplicate=False)) if isinstance(subject, nn.Module) else {}
        return replace(answer, inputs=tuple(fed), leaves=leaves, changed=changed)

    def _copy(self, training: bool) -> Callable[..., Any]:
        if not isinstance(self.subject, nn.Module):
            return self.subject
        copied = twin(self.subject)
        assert copied is not None  # the subject is itself a copy
        set_training(copied, training)
        return nn.Module.requires_grad_(copied)

    def _feed(self, inputs: Inputs, grad: bool) -> list[Tensor]:
        moved = [x.to(self.device, self.dtype, copy=True) for x in inputs[: self.signature.n_inputs]]  # [B, T, D] each
        return [self.arrangement.given(x).requires_grad_(grad) for x in moved]

    def _named(self, inputs: Inputs, mask: Tensor | None, name: str | None) -> dict[str, Any]:
        """Everything that is given by name: the masks, the switches, the number of heads."""
        named: dict[str, Any] = dict(self.signature.switches)
        if self.signature.heads is not None:
            named[self.signature.heads] = self.n_heads
        given: dict[str, Tensor | None] = {}
        if self.signature.is_mask_required and self.signature.mask is not None:
            given[self.signature.mask] = None if self.open_mask is None else self.open_mask.hiding_nothing(inputs)
        if self.signature.is_padding_required and self.signature.padding is not None:
            given[self.signature.padding] = None
        if mask is not None and name is not None:
            given[name] = mask
        return named | self._moved(given)

    def _moved(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Arguments with their tensors where and as precise as the candidate is; bools and whole numbers stay."""
        return {
            name: each.to(self.device, self.dtype if each.is_floating_point() else None)
            if isinstance(each, Tensor) else each
            for name, each in given.items()
        }  # fmt: skip

    def _call(self, subject: Callable[..., Any], fed: list[Tensor], named: Mapping[str, Any]) -> Any:
        # A copy where gradients are asked for: writing into an input is then not forbidden by autograd.
        copies: list[Tensor] = [x.clone() if x.requires_grad else x for x in fed]
        given: list[Any] = [copies[place] for place in self.signature.places]
        rest, names = dict(named), self.signature.names
        rest |= {name: x for name, x in zip(names, given, strict=False) if name in self.signature.keyword_only}
        given = given[: len(given) - len(self.signature.keyword_only)]
        if self.signature.mask_by_place and self.signature.mask in rest:
            given.append(rest.pop(self.signature.mask))
        with ExitStack() as stack:
            if self.is_calm:
                stack.enter_context(WithoutDropout(self.seen_by_dropout))
            if self.seen_by_norms is not None:
                stack.enter_context(WithoutNorms(self.seen_by_norms))
            return subject(*given, **rest)

    def _answer(self, outcome: Any, wants: tuple[int, ...] | None) -> Answer:
        if outcome is None:
            return Answer(problem="nothing", said="It returned None.")
        tensors = _tensors(outcome)
        real = [(name, tensor) for name, tensor in tensors if tensor.dtype.is_floating_point and not tensor.is_meta]
        usable = [(name, tensor) for name, tensor in real if tensor.layout == torch.strided and not tensor.is_nested]
        if real and not usable:
            return Answer(problem="type", said="It returned a sparse or nested tensor; expected a dense one.")
        if not usable:
            what = "no tensor of real numbers" if tensors else "no tensor"
            return Answer(problem="type", said=f"It returned {what} but {type(outcome).__name__}.")
        moved = [(name, tensor.to("cpu", torch.float64)) for name, tensor in usable]
        if wants is not None:
            moved = [(name, self.arrangement.back(tensor, wants)) for name, tensor in moved]
        place = next((i for i, (_, t) in enumerate(moved) if wants is not None and tuple(t.shape) == wants), 0)
        others = tuple(pair for i, pair in enumerate(moved) if i != place)
        return Answer(moved[place][1], others, dtype=usable[place][1].dtype)


def set_training(module: nn.Module, training: bool) -> None:
    """As module.train() does; a stranger's class may have given that name to something else."""
    for part in module.modules():
        part.training = training


def first_line(error: BaseException) -> str:
    """An exception as "ValueError: its first line", whatever its own __str__ does."""
    try:
        text = str(error).strip().splitlines()[0][:200] if str(error).strip() else ""
    except Exception:
        text = "(its message cannot be read)"
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _tensors(outcome: Any, name: str = "", depth: int = 0) -> list[tuple[str, Tensor]]:
    """Every tensor in what was returned, in order, with the name of its key or field."""
    if isinstance(outcome, Tensor):
        return [(name, outcome)]
    if depth > 3:
        return []
    if isinstance(outcome, Mapping):
        pairs = [(str(key), part) for key, part in list(outcome.items())[:32]]
    elif isinstance(outcome, (tuple, list)):
        names = getattr(outcome, "_fields", None) or [name] * len(outcome)
        pairs = list(zip(names, outcome, strict=False))[:32]
    elif hasattr(outcome, "__dataclass_fields__"):
        pairs = [(field_name, getattr(outcome, field_name, None)) for field_name in outcome.__dataclass_fields__]
    else:
        return []
    return [found for key, part in pairs for found in _tensors(part, key, depth + 1)]


def _state(subject: Callable[..., Any]) -> dict[str, Any]:
    if not isinstance(subject, nn.Module):
        return {}
    tensors: dict[str, Any] = {f"parameter {n}": p.detach().clone() for n, p in subject.named_parameters()}
    tensors |= {f"buffer {n}": b.detach().clone() for n, b in subject.named_buffers()}
    return tensors | {f"training of {n or 'the layer'}": m.training for n, m in subject.named_modules()}


def _changes(was: dict[str, Any], now: dict[str, Any]) -> tuple[str, ...]:
    return tuple(name for name in {**was, **now} if not _same(was.get(name), now.get(name)))


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, Tensor) and isinstance(b, Tensor):
        return a.shape == b.shape and torch.equal(torch.nan_to_num(a), torch.nan_to_num(b))
    return type(a) is type(b) and bool(a == b)
