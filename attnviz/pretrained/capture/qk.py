"""What became of a product of queries and keys on its way to the softmax: what it was multiplied by, what was added.

Read from the operators, and then held against the numbers: what does not agree is not shown as q·k.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from torch import Tensor

from attnviz.pretrained.capture.axes import heads_apart, query_and_key
from attnviz.trace.verify import TOLERANCE

HIDDEN = 5e3  # a score this far down gets no weight: exp(-5000) is 0 in every dtype. BigBird's mask adds -10000
ROWS = 8  # queries of a site whose scores are made again from what was read

TIMES = ("mul", "mul_", "multiply")
DIVIDED = ("div", "div_", "divide", "true_divide")
PLUS = ("add", "add_")
MINUS = ("sub", "sub_", "subtract")


class Step(NamedTuple):
    """One operator: the scores times a number, plus a term."""

    factor: float = 1.0
    term: Tensor | None = None  # of a shape that the scores can be added to


@dataclass(frozen=True)
class Formed:
    """A product and the steps that followed it."""

    left: Tensor
    right: Tensor
    equation: str | None  # einsum's
    scale: float = 1.0
    terms: tuple[tuple[Tensor, float], ...] = ()  # each in the shape of the scores, and what it was multiplied by since

    def after(self, step: Step, shape: torch.Size) -> Formed:
        """With one more step, of scores in this shape."""
        terms = [(term, times * step.factor) for term, times in self.terms]
        if step.term is not None:
            terms.append((step.term.detach().expand(shape), 1.0))
        return Formed(self.left, self.right, self.equation, self.scale * step.factor, tuple(terms))


@dataclass(frozen=True)
class ReadProduct:
    """The q·k in the scores of a batch, as it proved itself."""

    q: Tensor  # [B, H, Tq, Dh]
    k: Tensor  # [B, Hkv, Tk, Dh]
    scale: float
    is_all: bool  # whether nothing is added where a query may look


def formed_by(name: str, left: Any, right: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Formed | None:
    """A product as it begins; None where it is not one of queries and keys."""
    if not (isinstance(left, Tensor) and isinstance(right, Tensor)) or min(left.ndim, right.ndim) < 3:
        return None
    formed = Formed(left.detach(), right.detach(), str(args[0]) if name == "einsum" else None)
    if name != "baddbmm":
        return formed
    summand = args[0] if isinstance(args[0], Tensor) else kwargs.get("input")
    if not isinstance(summand, Tensor):
        return None
    shape = torch.Size((*left.shape[:-1], right.shape[-1]))
    scaled = formed.after(Step(float(kwargs.get("alpha", 1.0))), shape)
    beta = float(kwargs.get("beta", 1.0))
    return scaled.after(Step(term=summand.detach() * beta), shape) if beta else scaled


def step_by(name: str, source: Tensor, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Step | None:
    """What an operator does to the scores it is given; None where that is neither a factor nor a term."""
    others = [part for part in (*args, *kwargs.values()) if part is not source]
    if len(others) != 1 or not isinstance(others[0], Tensor | float | int):
        return None
    other, is_first = others[0], bool(args) and args[0] is source
    if isinstance(other, Tensor) and (other.is_complex() or not _fits(other, source)):
        return None
    number = None if isinstance(other, Tensor) and other.ndim else float(other)
    if name in TIMES and number is not None:
        return Step(number)
    if name in DIVIDED and number and is_first:
        return Step(1.0 / number)
    if name in PLUS or (name in MINUS and is_first):
        term = other.detach() if isinstance(other, Tensor) else torch.tensor(float(other), device=source.device)
        term = term if term.is_floating_point() else term.float()
        return Step(term=-term if name in MINUS else term)
    return None


def stepped(value: Tensor, step: Step, shape: torch.Size) -> Tensor:
    """Scores with one more step."""
    scores = value.reshape(shape) * step.factor
    return scores if step.term is None else scores + step.term


def hides_some(term: Tensor) -> bool:
    """Whether a term is so large that it can only be a mask's."""
    return term.numel() > 0 and float(term.abs().amax()) >= HIDDEN


def product_of(formed: Formed, masked: Tensor, n_texts: int) -> ReadProduct | None:
    """The queries, keys and scale of scores, if they make these scores again.

    Args:
        formed: what was seen of them.
        masked: what the softmax was given, [..., Tq, Tk].
    Returns:
        None where a few rows of q·k · scale + terms are other numbers than the model's own, more than rounding is.
    """
    parts = query_and_key(formed.left, formed.right, formed.equation, n_texts)
    scores = heads_apart(masked.detach(), n_texts)  # [B, H, Tq, Tk]
    if parts is None:
        return None
    q, k = parts  # [B, H, Tq, Dh], [B, Hkv, Tk, Dh]
    fits = q.shape[:3] == scores.shape[:3] and k.shape[2] == scores.shape[3] and q.shape[1] % k.shape[1] == 0
    if not fits or k.shape[0] != q.shape[0]:
        return None
    rows = torch.linspace(0, scores.shape[2] - 1, min(ROWS, scores.shape[2]), device=q.device).long()  # [R]
    keys = k.repeat_interleave(q.shape[1] // k.shape[1], dim=1)  # [B, H, Tk, Dh]
    made = (q[:, :, rows].float() @ keys.float().mT) * formed.scale  # [B, H, R, Tk]
    for term, times in formed.terms:
        made = made + heads_apart(term, n_texts)[:, :, rows].float() * times  # [B, H, R, Tk]
    own = scores[:, :, rows].float()  # [B, H, R, Tk]
    is_seen = own > -HIDDEN  # [B, H, R, Tk]
    if not bool(is_seen.any()):
        return None
    own, made = own[is_seen], made[is_seen]
    size = max(1.0, float(own.abs().amax()))
    tolerance = max(TOLERANCE[part.dtype] for part in (q, k, masked))
    if not float((own - made).abs().amax()) <= tolerance * size:
        return None
    return ReadProduct(q, k, formed.scale, not any(_adds(term) for term, _ in formed.terms))


def _fits(term: Tensor, scores: Tensor) -> bool:
    """Whether a term can be added without making the scores larger."""
    sizes = zip(reversed(term.shape), reversed(scores.shape), strict=False)
    return term.ndim <= scores.ndim and all(size in (1, own) for size, own in sizes)


def _adds(term: Tensor) -> bool:
    """Whether a term changes a score of a key that may be seen."""
    term = term[tuple(slice(None) if step else slice(1) for step in term.stride())]  # no number twice
    return bool(((term != 0) & (term.abs() < HIDDEN)).any())
