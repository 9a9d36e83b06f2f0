"""A user's attention as something that can be called: inputs in, an `Answer` out, whatever happens inside.

A module is called on a copy each time, with newly drawn numbers in its matrices: the original is never touched, a layer
that starts as zeros can be told from a wrong one, and what one call leaves behind does not spoil the next.
"""

import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch import Tensor, nn

from attnviz.checking.call.inputs import BATCH_FIRST, TOKENS_FIRST, AxisOrder, Inputs, MaskFormat, draw
from attnviz.checking.call.interception import Without
from attnviz.checking.call.isolation import FIRST_SEED, clone, undisturbed
from attnviz.checking.call.signature import Signature, signature_of
from attnviz.checking.read.parameter_roles import roles_of
from attnviz.checking.report import Finding

RESEEDED = "torch's random numbers"


@dataclass(frozen=True)
class Answer:
    """What came back from one call."""

    out: Tensor | None = None  # the first tensor, or the one with the shape of the output; with its gradient
    others: tuple[tuple[str, Tensor], ...] = ()  # every other tensor, by its name where it has one
    problem: str = ""  # "raised", "type"; empty when a tensor came back
    message: str = ""  # the problem in words
    inputs: tuple[Tensor, ...] = ()  # as they were fed, after the call
    leaves: Mapping[str, Tensor] = field(default_factory=dict)  # the parameters of the copy that ran
    changed: tuple[str, ...] = ()  # what the call changed: "input 1", "buffer cache", RESEEDED

    @property
    def numbers(self) -> Tensor | None:
        return None if self.out is None else self.out.detach()


@dataclass(frozen=True)
class Candidate:
    """A user's attention and how to call it."""

    name: str
    subject: Callable[..., Any]  # a copy of the module, or the function
    signature: Signature
    is_function: bool
    dtype: torch.dtype  # in which it runs
    own_dtype: torch.dtype  # in which the person runs it, or the nearest that is tried
    axis_order: AxisOrder = BATCH_FIRST
    is_order_said: bool = True  # by the layer or the person; else its answers tell
    taken_out: tuple[Without, ...] = ()  # dropout or norms
    open_mask: MaskFormat | None = None  # the format of a mask that hides nothing, where it has to be given one

    def without(self, names: tuple[str, ...]) -> "Candidate":
        """A copy that is called without these functions of torch (DROPOUTS or NORMS)."""
        return replace(self, taken_out=(*self.taken_out, Without(names)))

    def parameters(self) -> dict[str, Tensor]:
        """Its parameters in float64; a tensor shared by two names is one tensor."""
        if not isinstance(self.subject, nn.Module):
            return {}
        named = dict(self.subject.named_parameters(remove_duplicate=False))
        once = {id(p): p.detach().to(torch.float64, copy=True).requires_grad_() for p in named.values()}
        return {name: once[id(p)] for name, p in named.items()}

    def call(
        self, inputs: Inputs, given: Mapping[str, Any] | None = None, *, seed: int = 0,
        shape: tuple[int, ...] | None = None, grad: bool = False,
    ) -> Answer:  # fmt: skip
        """Call it once.

        inputs: query, key and value, float64 [B, T, d_model]; as many as it takes are fed, in its own order of axes.
        given: more arguments by their names, masks in its format. shape: of the output, to find it among what is
        returned. grad: whether inputs ask for gradients.
        """
        subject = self.subject
        if isinstance(subject, nn.Module):
            subject = nn.Module.requires_grad_(clone(subject))
        with undisturbed(seed):
            try:
                named = self._arguments(inputs, given or {})
                fed = self._fed(inputs, grad)
                before = _state(subject, fed, named)
                outcome = self._run(subject, fed, named)
                reseeded = (RESEEDED,) if torch.initial_seed() != FIRST_SEED + seed else ()
            except (Exception, SystemExit) as error:  # user code must not end the check
                return Answer(problem="raised", message=first_line(error))
        after = _state(subject, fed, named)
        changed = tuple(name for name in before | after if not _same(before.get(name), after.get(name)))
        leaves = dict(subject.named_parameters(remove_duplicate=False)) if isinstance(subject, nn.Module) else {}
        return replace(self._answer(outcome, shape), inputs=tuple(fed), leaves=leaves, changed=changed + reseeded)

    def _fed(self, inputs: Inputs, grad: bool) -> list[Tensor]:
        # [B, T, d_model] each
        moved = [x.to(self.dtype, copy=True) for x in inputs[: self.signature.n_inputs]]
        return [self.axis_order.permuted(x).requires_grad_(grad) for x in moved]

    def _arguments(self, inputs: Inputs, given: Mapping[str, Any]) -> dict[str, Any]:
        signature = self.signature
        named: dict[str, Any] = dict.fromkeys(signature.required_masks)
        if self.open_mask is not None and signature.mask in named:
            named[signature.mask] = self.open_mask.open(inputs)
        named |= {**dict(signature.switches), **given}
        real = {name: x.to(self.dtype) for name, x in named.items() if isinstance(x, Tensor) and x.is_floating_point()}
        return named | real

    def _run(self, subject: Callable[..., Any], fed: list[Tensor], named: Mapping[str, Any]) -> Any:
        # Of leaves with a gradient copies are given: autograd forbids writing into them, which is another finding.
        copies = [x.clone() if x.requires_grad else x for x in fed]
        given = [copies[place] for place in self.signature.places]
        by_name = dict(zip(self.signature.names, given, strict=False))
        with ExitStack() as stack:
            for functions in self.taken_out:
                stack.enter_context(functions)
            return subject(*(() if by_name else given), **by_name, **named)

    def _answer(self, outcome: Any, shape: tuple[int, ...] | None) -> Answer:
        real = [(name, t.to("cpu", torch.float64)) for name, t in _tensors(outcome) if t.dtype.is_floating_point]
        if not real:
            came = None if outcome is None else type(outcome).__name__
            return Answer(problem="type", message=f"It returned {came}; expected a tensor of real numbers.")
        if shape is not None:
            real = [(name, self.axis_order.restored(tensor, shape)) for name, tensor in real]
        place = next((i for i, (_, tensor) in enumerate(real) if tuple(tensor.shape) == shape), 0)
        return Answer(real[place][1], tuple(pair for i, pair in enumerate(real) if i != place))


def first_line(error: BaseException) -> str:
    text = str(error).strip().partition("\n")[0][:200]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _tensors(outcome: Any, name: str = "") -> list[tuple[str, Tensor]]:
    """Every tensor in what was returned, in order, with the name of its key or field."""
    if isinstance(outcome, Tensor):
        return [(name, outcome)]
    pairs: list[tuple[Any, Any]] = []
    if isinstance(outcome, Mapping):
        pairs = list(outcome.items())
    elif isinstance(outcome, (tuple, list)):
        pairs = list(zip(getattr(outcome, "_fields", [name] * len(outcome)), outcome, strict=False))
    return [pair for key, part in pairs for pair in _tensors(part, str(key))]


def _state(subject: Callable[..., Any], fed: Sequence[Tensor], named: Mapping[str, Any]) -> dict[str, Tensor]:
    """A copy of everything that a call may change, by its name."""
    tensors = {f"input {i}": x for i, x in enumerate(fed, 1)}
    tensors |= {f"mask {name}": value for name, value in named.items() if isinstance(value, Tensor)}
    if isinstance(subject, nn.Module):
        tensors |= {f"parameter {name}": parameter for name, parameter in subject.named_parameters()}
        tensors |= {f"buffer {name}": buffer for name, buffer in subject.named_buffers()}
    return {name: tensor.detach().clone() for name, tensor in tensors.items()}


def _same(a: Tensor | None, b: Tensor | None) -> bool:
    if a is None or b is None or a.shape != b.shape:
        return False
    return torch.equal(torch.nan_to_num(a), torch.nan_to_num(b))


def side_effects(answer: Answer) -> tuple[Finding, ...]:
    """A finding each for the caller's tensors, the parameters and the seed that a call changed."""
    tensors = [name.removeprefix("mask ") for name in answer.changed if name.startswith(("input ", "mask "))]
    parameters = [name.removeprefix("parameter ") for name in answer.changed if name.startswith("parameter ")]
    listed = ", ".join(parameters[:3]) + (f" and {len(parameters) - 3} more" if len(parameters) > 3 else "")
    rows = (
        (tensors, "input-overwritten", f"The call writes into the caller's tensor: {', '.join(tensors)}.",
         "use the operation without the underscore: x = x * 2, not x *= 2"),
        (parameters, "parameters-changed", f"The call changes the layer's own parameters ({listed}): what an optimizer "
         "has learned is written over at every call.",
         "compute with a new tensor, w = self.w.weight * 0.99: no .data, .mul_() or no_grad writes in forward"),
        (RESEEDED in answer.changed, "reseeds", "The call sets the seed of torch's random numbers (torch.manual_seed): "
         "dropout drops the same weights at every step, and whatever is random after it in the program repeats.",
         "seed once, before training; no torch.manual_seed in forward"),
    )  # fmt: skip
    return tuple(Finding(id, sentence, fix) for is_so, id, sentence, fix in rows if is_so)


def candidate_of(subject: Callable[..., Any], batch_first: bool | None) -> Candidate | None:
    """The candidate; None when a module cannot be copied, or its copy shares parameters with it."""
    name = getattr(subject, "__name__", type(subject).__name__)
    if not isinstance(subject, nn.Module):
        return Candidate(name, subject, signature_of(subject, True), True, torch.float64, torch.float32)
    try:
        copy = clone(subject)
    except Exception:  # a module may hold anything: a lock, a file
        return None
    if {id(parameter) for parameter in copy.parameters()} & {id(parameter) for parameter in subject.parameters()}:
        return None  # its numbers are drawn anew
    first = next(iter(copy.parameters()), torch.zeros(()))
    own_dtype = torch.float64 if first.dtype == torch.float64 else torch.float32
    copy = _cast(nn.Module.cpu(copy), torch.float64)
    for part in copy.modules():  # as eval() does; a user's class may use that name for something else
        part.training = False
    _redraw(copy)
    has_no_parameters = next(iter(copy.parameters()), None) is None  # then it is called like a function
    is_batch_first = getattr(subject, "batch_first", True) is not False if batch_first is None else batch_first
    return Candidate(
        name, copy, signature_of(subject, False), has_no_parameters, torch.float64, own_dtype,
        BATCH_FIRST if is_batch_first else TOKENS_FIRST,
        has_no_parameters or batch_first is not None or hasattr(subject, "batch_first"),
    )  # fmt: skip


def in_precision(candidate: Candidate, dtype: torch.dtype) -> Candidate:
    if candidate.dtype == dtype:
        return candidate
    subject = candidate.subject
    subject = _cast(clone(subject), dtype) if isinstance(subject, nn.Module) else subject
    return replace(candidate, subject=subject, dtype=dtype)


def _cast(module: nn.Module, dtype: torch.dtype) -> nn.Module:
    """Cast by nn.Module's own method: .to(dtype) makes complex tables real, and a class may override the name."""
    with warnings.catch_warnings(action="ignore"):
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
