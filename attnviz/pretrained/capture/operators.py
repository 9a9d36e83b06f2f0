"""Captures attention from the operators that a model's own code runs, with no code for any model.

A product of two tensors is followed through scaling, biases, masks and views to a softmax, and from there to the
product with the values. Scores are kept, so memory grows with the square of the text. One thread, no hooks.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from attnviz.core.attend import Kernel
from attnviz.core.capture import active_recorder, at, begin_attention, tap
from attnviz.core.ops import Call
from attnviz.core.site import Site

TAG = "_attnviz"  # the attribute that a followed tensor carries
PRODUCTS = frozenset(["matmul", "__matmul__", "bmm", "baddbmm"])
# Operators whose result is not the same numbers in another form, whatever its size.
NEW_VALUES = frozenset(
    ["zeros_like", "ones_like", "empty_like", "full_like", "rand_like", "randn_like",
     "linear", "layer_norm", "embedding"]
)  # fmt: skip
ARITHMETIC = frozenset(["mul", "div", "add", "sub"])
HIDDEN = 5e3  # a score this far down gets no weight: exp(-5000) is 0 in every dtype. BigBird's mask adds -10000

Function = Callable[..., Any]


class Scale(NamedTuple):
    """How scores are made from q·k."""

    factor: float
    is_all: bool  # whether nothing is added to q·k times the factor


@dataclass(frozen=True)
class Product:
    """The tag of a product from its making to its softmax."""

    factors: tuple[Tensor, Tensor]  # what was multiplied
    before: Tensor | None = None  # as it was before a mask hid some of it


@dataclass(frozen=True)
class Softmax:
    """The tag of weights, from their softmax to their product with the values."""

    number: int  # how many ran before it in this pass
    masked: Tensor  # what the softmax was given
    scores: Product


@dataclass(frozen=True)
class OperatorCall:
    """One attention as the model ran it: its scores, since they need not be q·k alone."""

    site: Site
    scores: Tensor  # [B, H, T_q, T_k], scaled, before the mask
    allowed: Tensor | None  # bool [B, 1 | H, T_q, T_k], True = can attend; None where nothing is hidden
    v: Tensor  # [B, H, T_k, d_v]
    context: Tensor  # [B, T_q, H, d_v], what the model itself went on with
    q: Tensor | None = None  # [B, H, T_q, d_k], kept where the scale is known, and while it is learned
    k: Tensor | None = None  # [B, Hkv, T_k, d_k]
    scale: Scale | None = None


class FollowOperators(TorchFunctionMode):
    """Follow the forward pass that runs inside `with FollowOperators(n_texts) as followed:`, in this thread only."""

    def __init__(
        self, n_texts: int, sites: Mapping[int, Site] | None = None, scales: Mapping[int, Scale] | None = None
    ) -> None:
        """`sites` and `scales` are by the number of the softmax, as learned at load; without them each is a site."""
        super().__init__()
        self.n_texts, self.sites, self.scales = n_texts, sites, scales or {}
        self.calls: list[OperatorCall] = []
        self.n_softmax = 0

    def site(self, number: int) -> Site | None:
        return Site("encoder", "self", number) if self.sites is None else self.sites.get(number)

    def __torch_function__(
        self, func: Function, types: Sequence[type], args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        """What torch calls for every operator of Python code; no operator inside it is followed."""
        kwargs = kwargs or {}
        name = getattr(func, "__name__", "")
        if name in PRODUCTS:
            return self.product(func, name, args, kwargs)
        source = next((part for part in (*args, *kwargs.values()) if tag_of(part) is not None), None)
        if source is None:
            return func(*args, **kwargs)
        tag = tag_of(source)
        if name == "softmax" and isinstance(tag, Product) and is_over_keys(source, args, kwargs):
            return self.weights(func, source, tag, args, kwargs)
        return follow(func, name, source, args, kwargs)

    def product(self, func: Function, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        left, right = operands(name, args, kwargs)
        result = func(*args, **kwargs)
        tag = tag_of(left)
        if isinstance(tag, Softmax) and isinstance(right, Tensor):
            self.complete(tag, left, right, result)
        elif isinstance(left, Tensor) and isinstance(right, Tensor) and result.ndim >= 3:
            setattr(result, TAG, Product((left.detach(), right.detach())))
        return result

    def weights(
        self, func: Function, masked: Tensor, tag: Product, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> Tensor:
        number = self.n_softmax
        self.n_softmax += 1
        site = self.site(number)
        if active_recorder() is not None and site is not None:
            with at(site):
                begin_attention(Call(1.0), has_weights=True)
                changed = self.tapped("masked", masked)
                given = [changed if part is masked else part for part in args]
                weights = self.tapped("weights", func(*given, **kwargs))
        else:
            weights = func(*args, **kwargs)
        setattr(weights, TAG, Softmax(number, masked, tag))
        return weights

    def tapped(self, name: str, value: Tensor) -> Tensor:
        """The value after the edits, which see it as [B, H, T_q, T_k] whatever axes the model gave it."""
        apart = heads_apart(value, self.n_texts)  # [B, H, T_q, T_k]
        changed = tap(name, apart)
        return value if changed is apart else changed.reshape(value.shape)

    def complete(self, tag: Softmax, weights: Tensor, values: Tensor, result: Tensor) -> None:
        """The product of weights and values completes an attention: note the call."""
        site, n_texts = self.site(tag.number), self.n_texts
        parts = value_and_context(weights, values, result, n_texts)
        if site is None or parts is None:
            return
        v, context = parts  # [B, H, T_k, d_v], [B, H, T_q, d_v]
        if active_recorder() is not None:
            apart = heads_apart(result, n_texts)  # a view of the result, so that gradients pass
            with at(site):
                changed = tap("context", apart)
            if changed is not apart:
                apart.copy_(changed)
        scale = self.scales.get(tag.number)
        is_kept = self.sites is None or scale is not None
        scores, allowed = scores_of(tag, n_texts)
        factors = query_and_key(tag.scores.factors, scores.shape, n_texts) if is_kept else None
        q, k = factors or (None, None)
        self.calls.append(OperatorCall(site, scores, allowed, v, context.transpose(1, 2), q, k, scale))


@dataclass(frozen=True)
class OperatorBackend:
    """Captures by the operators that the model's own eager code runs."""

    sites: Mapping[int, Site] | None = None  # by the number of the softmax, as learned at load
    scales: Mapping[int, Scale] = field(default_factory=dict)  # by the same number, of scores that are q·k
    token_bytes: int = 0  # of the queries and keys that are kept beside the scores, for each token
    name = "operators"

    @contextmanager
    def follow(self, n_texts: int, kernel: Kernel) -> Iterator[Sequence[OperatorCall]]:
        with FollowOperators(n_texts, self.sites, self.scales) as followed:
            yield followed.calls


def tag_of(part: object) -> Product | Softmax | None:
    return getattr(part, TAG, None) if isinstance(part, Tensor) else None


def operands(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[Any, Any]:
    """What a product multiplies; baddbmm's summand comes before it."""
    named = [kwargs[key] for key in ("input", "batch1", "other", "mat2", "batch2") if key in kwargs]
    parts = [*args, *named][1 if name == "baddbmm" else 0 :]
    return (parts[0], parts[1]) if len(parts) == 2 else (None, None)


def is_over_keys(scores: Tensor, args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool:
    """Whether a softmax runs over the last axis, where the keys are."""
    axis = kwargs.get("dim", args[1] if len(args) > 1 else None)
    return axis in (-1, scores.ndim - 1)


def follow(func: Function, name: str, source: Tensor, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """Run an operator and pass the tag on to its result, if that is the same numbers in another form."""
    tag = tag_of(source)
    if isinstance(tag, Product) and hides(source, args, kwargs):
        is_in_place = name.startswith("__i") or (name.endswith("_") and not name.endswith("__"))
        before = source.clone() if is_in_place else source
        tag = tag if tag.before is not None else replace(tag, before=before)
    elif isinstance(tag, Product) and tag.before is not None and name in ARITHMETIC:  # CodeGen scales after its mask
        before = tag.before.reshape(source.shape)
        tag = replace(tag, before=func(*[before if part is source else part for part in args], **kwargs))
    result = func(*args, **kwargs)
    is_same_size = isinstance(result, Tensor) and result.is_floating_point() and result.numel() == source.numel()
    if is_same_size and name not in NEW_VALUES:
        setattr(result, TAG, tag)
    return result


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
    """The scores before the mask, and what it allowed: [B, H, T_q, T_k] and [B, 1 | H, T_q, T_k] or None."""
    masked = heads_apart(tag.masked.detach(), n_texts)  # [B, H, T_q, T_k]
    allowed = masked > -HIDDEN  # [B, H, T_q, T_k]
    if bool(allowed.all()):
        return masked, None
    if tag.scores.before is not None:
        masked = torch.where(allowed, masked, heads_apart(tag.scores.before.detach(), n_texts))  # [B, H, T_q, T_k]
    shared = allowed[:, :1]  # [B, 1, T_q, T_k]
    return masked, shared.clone() if bool((allowed == shared).all()) else allowed


def heads_apart(value: Tensor, n_texts: int) -> Tensor:
    """Batch and heads as two axes: [B·H, T, d_k], [B, H, T, d_k] or [B, groups, H/groups, T, d_k] -> [B, H, T, d_k]."""
    if value.ndim == 3:
        return value.unflatten(0, (n_texts, -1))  # [B, H, T, d_model]
    return value if value.ndim == 4 else value.flatten(1, -3)  # [B, H, T, d_model]


def query_and_key(
    factors: tuple[Tensor, Tensor], scores: torch.Size, n_texts: int
) -> tuple[Tensor, Tensor] | None:  # fmt: skip
    """q [B, H, T_q, d_k] and k [B, Hkv, T_k, d_k], views of the `factors` of a product, [..., T_q, d_k] and
    [..., d_k, T_k], of which `scores` [B, H, T_q, T_k] were made; None where these are not the axes of an attention.
    """
    left, right = factors
    if left.ndim != right.ndim or left.ndim not in (3, 4, 5) or left.shape[-1] != right.shape[-2]:
        return None
    firsts = left.shape[0], right.shape[0]  # texts, or texts and heads in one axis
    if any(first % n_texts if left.ndim == 3 else first != n_texts for first in firsts):
        return None
    q, k = heads_apart(left, n_texts), heads_apart(right.mT, n_texts)  # [B, H, T_q, d_k], [B, Hkv, T_k, d_k]
    fits = q.shape[:3] == scores[:3] and (k.shape[0], k.shape[2]) == (scores[0], scores[3])
    return (q, k) if fits and q.shape[1] % k.shape[1] == 0 else None


def value_and_context(weights: Tensor, values: Tensor, result: Tensor, n_texts: int) -> tuple[Tensor, Tensor] | None:
    """v [B, H, T_k, d_v] and context [B, H, T_q, d_v], views of a product weights · V: [..., T_q, T_k], [..., T_k, d_v]
    and [..., T_q, d_v]; None where these are not the axes of an attention.
    """
    leading = weights.shape[:-2]
    fits = values.ndim == weights.ndim == result.ndim and values.shape[-2] == weights.shape[-1]
    has_texts = leading[0] == n_texts if weights.ndim > 3 else leading[0] % n_texts == 0
    if not fits or not has_texts or weights.ndim not in (3, 4, 5):
        return None
    try:
        values = values.detach().expand(*leading, *values.shape[-2:])  # [..., T_k, d_v]
    except RuntimeError:
        return None
    return heads_apart(values, n_texts), heads_apart(result.detach(), n_texts)  # [B, H, T, d_v] each
