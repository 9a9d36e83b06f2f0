"""How a model written by hand shows its attention: by the operators it runs, with no code for any model.

A product of two tensors is followed through scaling, biases, masks and views to a softmax, and from there to the
product with the values. Scores are kept, so memory grows with the square of the text. Works in one thread, on no hook.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from attnviz.core.capture import active_recorder, at, tap
from attnviz.core.ops import Call
from attnviz.core.site import Site
from attnviz.pretrained.capture.axes import heads_apart, product_parts
from attnviz.pretrained.capture.qk import (
    HIDDEN,
    Formed,
    ReadProduct,
    formed_by,
    hides_some,
    product_of,
    step_by,
    stepped,
)

TAG = "_attnviz"  # the attribute that a followed tensor carries
PRODUCTS = frozenset(["matmul", "__matmul__", "bmm", "baddbmm", "einsum"])
# Operators whose result is not the same numbers in another form, whatever its size.
FRESH = frozenset(
    ["zeros_like", "ones_like", "empty_like", "full_like", "rand_like", "randn_like",
     "linear", "layer_norm", "embedding"]
)  # fmt: skip

Function = Callable[..., Any]


@dataclass(frozen=True)
class Product:
    """The tag of what was a product of queries and keys, until its softmax."""

    before: Tensor | None = None  # as it was before a mask hid some of it
    formed: Formed | None = None  # how it was made; None where that is not q·k · scale and one term


@dataclass(frozen=True)
class Derived:
    """The tag of what was made of a product and has other axes: where scores take it in, they are not q·k alone."""


@dataclass(frozen=True)
class Softmax:
    """The tag of weights, from their softmax to their product with the values."""

    number: int  # how many ran before it in this pass
    masked: Tensor  # what the softmax was given
    before: Tensor | None
    formed: Formed | None = None


Tag = Product | Softmax | Derived


@dataclass(frozen=True)
class KeptCall:
    """One attention as the model ran it: its scores, for they need not be q·k alone."""

    site: Site
    scores: Tensor  # [B, H, Tq, Tk], scaled, before the mask
    allowed: Tensor | None  # bool [B, 1 | H, Tq, Tk], True = may look; None where all is open
    v: Tensor  # [B, H, Tk, Dv]
    context: Tensor  # [B, Tq, H, Dv], what the model itself went on with
    product: ReadProduct | None = None  # the q·k in the scores, where they are that and one term


@dataclass
class OperatorPass:
    """One forward pass that is being followed. Without `order` every attention is called by its number."""

    n_texts: int
    order: Mapping[int, Site] | None = None  # number of the softmax -> site, as learned at load
    calls: list[KeptCall] = field(default_factory=list)
    n_softmax: int = 0

    def site(self, number: int) -> Site | None:
        return Site("encoder", "self", number) if self.order is None else self.order.get(number)


class Following(TorchFunctionMode):
    """Follow the forward pass that runs inside `with Following(opened):`, in this thread alone."""

    def __init__(self, opened: OperatorPass) -> None:
        super().__init__()
        self.opened = opened

    def __torch_function__(
        self, func: Function, types: Sequence[type], args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        """What torch calls for every operator of Python code; inside it no operator is followed."""
        kwargs = kwargs or {}
        name = getattr(func, "__name__", "")
        if name in PRODUCTS:
            return self.product(func, name, args, kwargs)
        source = followed_of((*args, *kwargs.values()))
        if source is None:
            return func(*args, **kwargs)
        tag = tag_of(source)
        if name == "softmax" and isinstance(tag, Product) and is_over_keys(source, args, kwargs):
            return self.softmax(func, source, tag, args, kwargs)
        return follow(func, name, source, args, kwargs)

    def product(self, func: Function, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        left, right = operands(name, args, kwargs)
        result = func(*args, **kwargs)
        for weights, values in ((left, right), (right, left)):
            tag = tag_of(weights)
            if isinstance(tag, Softmax) and isinstance(values, Tensor) and (weights is left or name == "einsum"):
                equation = (str(args[0]), weights is left) if name == "einsum" else None
                return self.weighed(tag, weights, values, result, equation)
        if isinstance(result, Tensor) and result.ndim >= 3:
            own = (part for part in (*args, *kwargs.values()) if part is not left and part is not right)
            is_clean = all(tag_of(part) is None for part in own)  # no product in baddbmm's summand
            formed = formed_by(name, left, right, args, kwargs) if is_clean else None
            setattr(result, TAG, Product(formed=formed))
        return result

    def softmax(
        self, func: Function, masked: Tensor, tag: Product, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> Tensor:
        number = self.opened.n_softmax
        self.opened.n_softmax += 1
        site, recorder = self.opened.site(number), active_recorder()
        if recorder is not None and site is not None:
            with at(site):
                recorder.begin(Call(1.0))
                changed = self.offered("masked", masked)
                given = [changed if part is masked else part for part in args]
                weights = self.offered("weights", func(*given, **kwargs))
        else:
            weights = func(*args, **kwargs)
        setattr(weights, TAG, Softmax(number, masked, tag.before, tag.formed))
        return weights

    def offered(self, name: str, value: Tensor) -> Tensor:
        """The value as edits leave it; they see it as [B, H, Tq, Tk], however this model wrote it."""
        apart = heads_apart(value, self.opened.n_texts)  # [B, H, Tq, Tk]
        changed = tap(name, apart)
        return value if changed is apart else changed.reshape(value.shape)

    def weighed(
        self, tag: Softmax, weights: Tensor, values: Tensor, result: Tensor, equation: tuple[str, bool] | None
    ) -> Tensor:
        """The product of weights and values: with it an attention is complete."""
        site = self.opened.site(tag.number)
        parts = product_parts(weights, values, result, equation, self.opened.n_texts)
        if site is None or parts is None:
            return result
        v, context = parts  # [B, H, Tk, Dv], [B, H, Tq, Dv]
        if active_recorder() is not None:
            with at(site):
                changed = tap("context", context)
            if changed is not context:
                context.copy_(changed)  # a view of the result
        scores, allowed = scores_of(tag, self.opened.n_texts)
        product = None if tag.formed is None else product_of(tag.formed, tag.masked, self.opened.n_texts)
        self.opened.calls.append(KeptCall(site, scores, allowed, v, context.transpose(1, 2), product))
        return result


def tag_of(part: object) -> Tag | None:
    return getattr(part, TAG, None) if isinstance(part, Tensor) else None


def followed_of(parts: Sequence[Any]) -> Tensor | None:
    """Which of an operator's tensors is followed: the first that is still a product or its softmax."""
    tagged = [part for part in parts if tag_of(part) is not None]
    return next((part for part in tagged if not isinstance(tag_of(part), Derived)), tagged[0] if tagged else None)


def operands(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[Any, Any]:
    """What a product multiplies; einsum's equation and baddbmm's summand come before them."""
    named = [kwargs[key] for key in ("input", "batch1", "other", "mat2", "batch2") if key in kwargs]
    parts = [*args, *named][1 if name in ("einsum", "baddbmm") else 0 :]
    if len(parts) == 1 and isinstance(parts[0], list | tuple):
        parts = list(parts[0])
    return (parts[0], parts[1]) if len(parts) == 2 else (None, None)


def is_over_keys(scores: Tensor, args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool:
    """Whether a softmax runs over the last axis, where the keys are."""
    axis = kwargs.get("dim", args[1] if len(args) > 1 else None)
    return axis in (-1, scores.ndim - 1)


def follow(func: Function, name: str, source: Tensor, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """Run an operator and pass the tag on to its result, if that is the same numbers in another form."""
    tag = tag_of(source)
    in_place = name.startswith("__i") or (name.endswith("_") and not name.endswith("__"))
    if isinstance(tag, Product):
        tag = stepped_tag(tag, name, source, args, kwargs, in_place)
    result = func(*args, **kwargs)
    if name in FRESH or not isinstance(result, Tensor) or not result.is_floating_point():
        return result
    if result.numel() == source.numel():
        setattr(result, TAG, tag)
    elif not isinstance(tag, Softmax):
        setattr(result, TAG, Derived())
    return result


def stepped_tag(
    tag: Product, name: str, source: Tensor, args: Sequence[Any], kwargs: Mapping[str, Any], in_place: bool
) -> Product:
    """The tag of a product after one more operator."""
    before, formed = tag.before, tag.formed
    if any(part is not source and tag_of(part) is not None for part in (*args, *kwargs.values())):
        formed = None  # another product comes in
    step = step_by(name, source, args, kwargs)
    if before is None and hides(source, args, kwargs):
        before = source.clone() if in_place else source
    elif before is not None and step is not None and (step.term is None or not hides_some(step.term)):
        before = stepped(before, step, source.shape)
    if formed is not None and step is not None:
        formed = formed.after(step, source.shape)
    return Product(before, formed)


def hides(source: Tensor, args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool:
    """Whether an operator brings numbers so large that they can only be a mask's."""
    for part in (*args, *kwargs.values()):
        if isinstance(part, float | int) and part <= -HIDDEN:
            return True
        is_other = isinstance(part, Tensor) and part is not source and part.is_floating_point() and part.numel() > 0
        if is_other and float(part.abs().amax()) >= HIDDEN:
            return True
    return False


def scores_of(tag: Softmax, n_texts: int) -> tuple[Tensor, Tensor | None]:
    """The scores before the mask, and what it allowed: [B, H, Tq, Tk] and [B, 1 | H, Tq, Tk] or None."""
    masked = heads_apart(tag.masked.detach(), n_texts)  # [B, H, Tq, Tk]
    allowed = masked > -HIDDEN  # [B, H, Tq, Tk]
    if bool(allowed.all()):
        return masked, None
    if tag.before is not None:
        masked = torch.where(allowed, masked, heads_apart(tag.before.detach(), n_texts))  # [B, H, Tq, Tk]
    shared = allowed[:, :1]  # [B, 1, Tq, Tk]
    return masked, shared.clone() if bool((allowed == shared).all()) else allowed
