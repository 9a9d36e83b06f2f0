"""Somebody's attention as something that can be called: inputs in, an `Answer` out, whatever happens inside.

A module is called on a copy each time, with newly drawn numbers in its matrices: the original is never touched, a layer
that starts as zeros can be told from a wrong one, and what one call leaves behind does not spoil the next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch import Tensor, nn

from attnviz.checking.call.axis_order import BATCH_FIRST, AxisOrder
from attnviz.checking.call.inputs import Inputs
from attnviz.checking.call.interception import WithoutDropout, WithoutNorms
from attnviz.checking.call.isolation import clone, is_reseeded, start_random, undisturbed
from attnviz.checking.call.mask_format import MaskFormat
from attnviz.checking.call.signature import Signature

RESEEDED = "torch's random numbers"


@dataclass(frozen=True)
class Answer:
    """What came back from one call."""

    out: Tensor | None = None  # the first tensor, or the one with the shape of the output; with its gradient
    others: tuple[tuple[str, Tensor], ...] = ()  # every other tensor, by its name where it has one
    problem: str = ""  # "raised", "nothing", "type"; empty when a tensor came back
    message: str = ""  # the problem in words
    inputs: tuple[Tensor, ...] = ()  # as they were fed, after the call
    leaves: Mapping[str, Tensor] = field(default_factory=dict)  # the parameters of the copy that ran
    changed: tuple[str, ...] = ()  # what the call changed: "input 1", "buffer cache", "training of …", RESEEDED

    @property
    def numbers(self) -> Tensor | None:
        """The output without its gradient."""
        return None if self.out is None else self.out.detach()


@dataclass(frozen=True)
class Candidate:
    """Somebody's attention and how to call it."""

    name: str
    subject: Callable[..., Any]  # a copy of the module, or the function
    signature: Signature
    is_function: bool
    dtype: torch.dtype  # in which it runs
    own_dtype: torch.dtype  # in which the person runs it, or the nearest that is tried
    stored_dtype: torch.dtype  # of its parameters
    device: torch.device
    axis_order: AxisOrder = BATCH_FIRST
    has_dropout: bool = True  # False: dropout is taken out
    dropped: list[Tensor | None] = field(default_factory=list)  # to what dropout was applied, while it is taken out
    normed: list[Tensor | None] | None = None  # to what norms were applied; None: norms are left in
    open_mask: MaskFormat | None = None  # the format of a mask that hides nothing, where it has to be given one
    n_heads: int = 0  # what a function is told, where it has to be told

    def parameters(self) -> dict[str, Tensor]:
        """Its parameters in float64 on the CPU; a tensor shared by two names is one tensor."""
        if not isinstance(self.subject, nn.Module):
            return {}
        named = dict(self.subject.named_parameters(remove_duplicate=False))
        once = {id(p): p.detach().to("cpu", torch.float64, copy=True).requires_grad_() for p in named.values()}
        return {name: once[id(p)] for name, p in named.items()}

    def call(
        self, inputs: Inputs, mask: Tensor | None = None, *, seed: int = 0, training: bool = False,
        mask_name: str | None = None, flags: Mapping[str, Any] | None = None, shape: tuple[int, ...] | None = None,
        before: Inputs | None = None, grad: bool = False, with_autograd: bool = True,
    ) -> Answer:  # fmt: skip
        """Call it once.

        Args:
            inputs: query, key and value, float64 [B, T, D]; as many as it takes are fed, in its own order of axes.
            mask: in the candidate's format. mask_name: the argument that takes it.
            flags: more arguments. shape: of the output, to find it among what is returned.
            before: the inputs of a call to make first, on the same copy.
            grad: whether the inputs ask for gradients. with_autograd: False for a call under torch.no_grad().
        """
        subject = self._copy(training)
        with undisturbed(seed):
            try:
                named = self._arguments(inputs, mask, mask_name, flags)
                if before is not None:
                    self._run(subject, self._fed(before, False), self._arguments(before, mask, mask_name, flags))
                    start_random(seed)
                fed = self._fed(inputs, grad)
                tensors = {f"input {i}": x for i, x in enumerate(fed, 1)}
                tensors |= {f"mask {name}": value for name, value in named.items() if isinstance(value, Tensor)}
                untouched = {name: tensor.detach().clone() for name, tensor in tensors.items()}
                state = _state(subject)
                with torch.set_grad_enabled(with_autograd):
                    outcome = self._run(subject, fed, named)
                reseeded = (RESEEDED,) if is_reseeded(seed) else ()
            except KeyboardInterrupt:
                raise  # the person at the terminal
            except BaseException as error:  # SystemExit and GeneratorExit too: somebody's code ends nothing here
                return Answer(problem="raised", message=first_line(error))
        changed = tuple(name for name, was in untouched.items() if not _same(tensors[name].detach(), was))
        now = _state(subject)
        changed += tuple(name for name in {**state, **now} if not _same(state.get(name), now.get(name)))
        leaves = dict(subject.named_parameters(remove_duplicate=False)) if isinstance(subject, nn.Module) else {}
        return replace(self._answer(outcome, shape), inputs=tuple(fed), leaves=leaves, changed=changed + reseeded)

    def _copy(self, training: bool) -> Callable[..., Any]:
        if not isinstance(self.subject, nn.Module):
            return self.subject
        copied = clone(self.subject)
        assert copied is not None  # the subject is itself a copy
        set_training(copied, training)
        return nn.Module.requires_grad_(copied)

    def _fed(self, inputs: Inputs, grad: bool) -> list[Tensor]:
        moved = [x.to(self.device, self.dtype, copy=True) for x in inputs[: self.signature.n_inputs]]  # [B, T, D] each
        return [self.axis_order.permuted(x).requires_grad_(grad) for x in moved]

    def _arguments(
        self, inputs: Inputs, mask: Tensor | None, mask_name: str | None, flags: Mapping[str, Any] | None
    ) -> dict[str, Any]:
        """Everything that is given by name: masks, switches, the number of heads."""
        signature = self.signature
        given: dict[str, Any] = dict.fromkeys(signature.required_masks)
        if self.open_mask is not None and signature.mask in given:
            given[signature.mask] = self.open_mask.open(inputs)
        given |= dict(signature.switches) | ({} if signature.heads is None else {signature.heads: self.n_heads})
        name = mask_name or signature.mask
        given |= {name: mask} if mask is not None and name is not None else {}
        return {key: self._moved(value) for key, value in (given | dict(flags or {})).items()}

    def _moved(self, value: Any) -> Any:
        """A tensor on the candidate's device and in its precision; bools and whole numbers stay what they are."""
        if not isinstance(value, Tensor):
            return value
        return value.to(self.device, self.dtype if value.is_floating_point() else None)

    def _run(self, subject: Callable[..., Any], fed: list[Tensor], named: Mapping[str, Any]) -> Any:
        # Of leaves with a gradient copies are given: autograd forbids writing into them, which is another finding.
        copies = [x.clone() if x.requires_grad else x for x in fed]
        given = [copies[place] for place in self.signature.places]
        by_name = {
            name: x for name, x in zip(self.signature.names, given, strict=False)
            if name in self.signature.keyword_only
        }  # fmt: skip
        with ExitStack() as stack:
            if not self.has_dropout:
                stack.enter_context(WithoutDropout(self.dropped))
            if self.normed is not None:
                stack.enter_context(WithoutNorms(self.normed))
            return subject(*given[: len(given) - len(by_name)], **by_name, **named)

    def _answer(self, outcome: Any, shape: tuple[int, ...] | None) -> Answer:
        if outcome is None:
            return Answer(problem="nothing", message="It returned None.")
        tensors = _tensors(outcome)
        real = [(name, tensor) for name, tensor in tensors if tensor.dtype.is_floating_point and not tensor.is_meta]
        dense = [(name, tensor) for name, tensor in real if tensor.layout == torch.strided and not tensor.is_nested]
        if real and not dense:
            return Answer(problem="type", message="It returned a sparse or nested tensor; expected a dense one.")
        if not dense:
            what = "no tensor of real numbers" if tensors else "no tensor"
            return Answer(problem="type", message=f"It returned {what} but {type(outcome).__name__}.")
        moved = [(name, tensor.to("cpu", torch.float64)) for name, tensor in dense]
        if shape is not None:
            moved = [(name, self.axis_order.restored(tensor, shape)) for name, tensor in moved]
        place = next((i for i, (_, tensor) in enumerate(moved) if tuple(tensor.shape) == shape), 0)
        return Answer(moved[place][1], tuple(pair for i, pair in enumerate(moved) if i != place))


def set_training(module: nn.Module, training: bool) -> None:
    """As module.train() does; somebody's class may use that name for something else."""
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


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, Tensor) and isinstance(b, Tensor):
        return a.shape == b.shape and torch.equal(torch.nan_to_num(a), torch.nan_to_num(b))
    return type(a) is type(b) and bool(a == b)
