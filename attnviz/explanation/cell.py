"""One number written out: the terms it is made of, and the rules that make a number of its terms, in float64."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

SUMS = ("product", "add", "mask")  # rules whose terms add up to the cell


@dataclass(frozen=True)
class Term:
    """One part of a cell: `left` and `right`, and what the rule makes of them."""

    label: str  # the token or the number of the feature, from 0; or "bias", "rest", "sink", …
    left: float
    right: float
    product: float


@dataclass(frozen=True)
class Cell:
    """One number with the arithmetic that makes it."""

    value: float  # as the trace has it
    rule: str
    terms: tuple[Term, ...]
    formula: str
    own: int = 0  # softmax row: which term is this cell's; position: which column, for even ones are sines

    @property
    def recomputed(self) -> float:
        """The rule over the terms, in float64."""
        return RULES[self.rule](self.terms, self.own)

    @property
    def is_sum(self) -> bool:
        """Whether the products of the terms add up to the value."""
        return self.rule in SUMS


def added(values: Sequence[float]) -> float:
    """The sum of numbers of which some may be −∞."""
    return -math.inf if -math.inf in values else math.fsum(values)


def _softmax(terms: Sequence[Term], own: int) -> float:
    total = math.fsum(term.product for term in terms)
    return terms[own].product / total if total > 0 else 0.0  # nothing allowed: zero by convention


def _scaled(terms: Sequence[Term], own: int) -> float:
    return terms[0].left * math.prod(term.right for term in terms)


def _normalised(terms: Sequence[Term], own: int) -> float:
    """Terms: x, mean, variance, epsilon, gain, shift."""
    x, mean, variance, epsilon, gain, shift = (term.left for term in terms)
    return (x - mean) / math.sqrt(variance + epsilon) * gain + shift


def _wave(terms: Sequence[Term], own: int) -> float:
    angle = terms[0].left * terms[0].right  # place · rate
    return math.cos(angle) if own % 2 else math.sin(angle)


# What a feed-forward layer bends its numbers by. Source: Hendrycks & Gimpel 2016, sections 2 and 4 (GELU).
CURVES: dict[str, Callable[[float], float]] = {
    "relu": lambda x: max(0.0, x),
    "gelu": lambda x: x / 2 * (1 + math.erf(x / math.sqrt(2))),
    "gelu_tanh": lambda x: x / 2 * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
}

RULES: dict[str, Callable[[Sequence[Term], int], float]] = {
    "lookup": lambda terms, own: terms[0].left,
    "split": lambda terms, own: terms[0].left,
    "concat": lambda terms, own: terms[0].left,
    "position": _wave,
    "product": lambda terms, own: math.fsum(term.left * term.right for term in terms),
    "add": lambda terms, own: added([term.left for term in terms]),
    "mask": lambda terms, own: added([term.left for term in terms]),
    "scale": _scaled,
    "cap": lambda terms, own: terms[0].right * math.tanh(terms[0].left / terms[0].right),
    "activation": lambda terms, own: CURVES[terms[0].label](terms[0].left),
    "softmax row": _softmax,
    "max": lambda terms, own: max(term.left for term in terms),
    "exp": lambda terms, own: math.exp(terms[0].left - terms[0].right) if terms[0].left > -math.inf else 0.0,
    "norm row": _normalised,
}
