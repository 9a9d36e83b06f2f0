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

from attnviz.checking.call.inputs import BATCH_FIRST, AxisOrder, Inputs
from attnviz.checking.call.interception import DROPOUTS, NORMS, Without
from attnviz.checking.call.isolation import FIRST_SEED, clone, undisturbed
from attnviz.checking.call.mask_format import MaskFormat
from attnviz.checking.call.signature import Signature
from attnviz.checking.report import Finding

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
    changed: tuple[str, ...] = ()  # what the call changed: "input 1", "buffer cache", RESEEDED

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
        before: Inputs | None = None, grad: bool = False,
    ) -> Answer:  # fmt: skip
        """Call it once.

        inputs: query, key and value, float64 [B, T, d_model]; as many as it takes are fed, in its own order of axes.
        mask: in its format, for the argument mask_name. flags: more arguments. shape: of the output, to find it among
        what is returned. before: the inputs of a call to make first, on the same copy. grad: whether inputs ask for
        gradients.
        """
        subject = self.subject
        if isinstance(subject, nn.Module):
            copied = clone(subject)
            assert copied is not None  # the subject is itself a copy
            set_training(copied, training)
            subject = nn.Module.requires_grad_(copied)
        with undisturbed(seed):
            try:
                named = self._arguments(inputs, mask, mask_name, flags)
                if before is not None:
                    self._run(subject, self._fed(before, False), self._arguments(before, mask, mask_name, flags))
                    torch.manual_seed(FIRST_SEED + seed)
                fed = self._fed(inputs, grad)
                tensors = {f"input {i}": x for i, x in enumerate(fed, 1)}
                tensors |= {f"mask {name}": value for name, value in named.items() if isinstance(value, Tensor)}
                untouched = {name: tensor.detach().clone() for name, tensor in tensors.items()}
                state = _state(subject)
                outcome = self._run(subject, fed, named)
                reseeded = (RESEEDED,) if torch.initial_seed() != FIRST_SEED + seed else ()
            except KeyboardInterrupt:
                raise  # the person at the terminal
            except BaseException as error:  # SystemExit and GeneratorExit too: somebody's code ends nothing here
                return Answer(problem="raised", message=first_line(error))
        changed = tuple(name for name, was in untouched.items() if not _same(tensors[name].detach(), was))
        now = _state(subject)
        changed += tuple(name for name in {**state, **now} if not _same(state.get(name), now.get(name)))
        leaves = dict(subject.named_parameters(remove_duplicate=False)) if isinstance(subject, nn.Module) else {}
        return replace(self._answer(outcome, shape), inputs=tuple(fed), leaves=leaves, changed=changed + reseeded)

    def _fed(self, inputs: Inputs, grad: bool) -> list[Tensor]:
        # [B, T, d_model] each
        moved = [x.to(self.device, self.dtype, copy=True) for x in inputs[: self.signature.n_inputs]]
        return [self.axis_order.permuted(x).requires_grad_(grad) for x in moved]

    def _arguments(
        self, inputs: Inputs, mask: Tensor | None, mask_name: str | None, flags: Mapping[str, Any] | None
    ) -> dict[str, Any]:
        """Everything that is given by name: masks and switches."""
        signature = self.signature
        given: dict[str, Any] = dict.fromkeys(signature.required_masks)
        if self.open_mask is not None and signature.mask in given:
            given[signature.mask] = self.open_mask.open(inputs)
        given |= dict(signature.switches)
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
        by_name = dict(zip(self.signature.names, given, strict=False))
        with ExitStack() as stack:
            if not self.has_dropout:
                stack.enter_context(Without(DROPOUTS, self.dropped))
            if self.normed is not None:
                stack.enter_context(Without(NORMS, self.normed))
            return subject(*(() if by_name else given), **by_name, **named)

    def _answer(self, outcome: Any, shape: tuple[int, ...] | None) -> Answer:
        if outcome is None:
            return Answer(problem="nothing", message="It returned None.")
        tensors = _tensors(outcome)
        real = [(name, t) for name, t in tensors if t.dtype.is_floating_point and not t.is_meta]
        dense = [(name, t) for name, t in real if t.layout == torch.strided and not t.is_nested]
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
    pairs: list[tuple[Any, Any]] = []
    if isinstance(outcome, Mapping):
        pairs = list(outcome.items())
    elif isinstance(outcome, (tuple, list)):
        pairs = list(zip(getattr(outcome, "_fields", [name] * len(outcome)), outcome, strict=False))
    return [found for key, part in pairs if depth < 4 for found in _tensors(part, str(key), depth + 1)]


def _state(subject: Callable[..., Any]) -> dict[str, Tensor]:
    if not isinstance(subject, nn.Module):
        return {}
    tensors = {f"parameter {n}": p.detach().clone() for n, p in subject.named_parameters()}
    return tensors | {f"buffer {n}": b.detach().clone() for n, b in subject.named_buffers()}


def _same(a: Tensor | None, b: Tensor | None) -> bool:
    if a is None or b is None or a.shape != b.shape:
        return False
    return torch.equal(torch.nan_to_num(a), torch.nan_to_num(b))


def side_effects(answer: Answer, *ids: str, where: str = "The call") -> tuple[Finding, ...]:
    """A finding each for the caller's tensors, the parameters and the seed; only `ids`, where given."""
    tensors = [name.removeprefix("mask ") for name in answer.changed if name.startswith(("input ", "mask "))]
    parameters = [name.removeprefix("parameter ") for name in answer.changed if name.startswith("parameter ")]
    listed = ", ".join(parameters[:3]) + (f" and {len(parameters) - 3} more" if len(parameters) > 3 else "")
    rows = (
        (tensors, "input-overwritten", f"{where} writes into the caller's tensor: {', '.join(tensors)}.",
         "use the operation without the underscore: x = x * 2, not x *= 2"),
        (parameters, "parameters-changed", f"{where} changes the layer's own parameters ({listed}): what an optimizer "
         "has learned is written over at every call.",
         "compute with a new tensor, w = self.w.weight * 0.99: no .data, .mul_() or no_grad writes in forward"),
        (RESEEDED in answer.changed, "reseeds", f"{where} sets the seed of torch's random numbers (torch.manual_seed): "
         "dropout drops the same weights at every step, and whatever is random after it in the program repeats.",
         "seed once, before training; no torch.manual_seed in forward"),
    )  # fmt: skip
    return tuple(Finding(id, sentence, fix) for is_so, id, sentence, fix in rows if is_so and (not ids or id in ids))
