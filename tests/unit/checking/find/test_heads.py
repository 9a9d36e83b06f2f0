"""Single heads that are lost, repeated or made with another's keys: the sentence names them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import attnviz as av
from tests.unit.checking.layers import Right, right


class OfHeads(Right):
    """Joins what `found` gives of the heads."""

    def found(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        return self.weights(self.scores(q, k)) @ v

    def forward(self, x: Tensor) -> Any:  # type: ignore[override]
        q, k, v = (self.split(part) for part in self.project(x))
        return self.w_o(self.join(self.found(q, k, v)))


def _last_is_lost(self: OfHeads, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    context = torch.zeros_like(q)
    for head in range(self.n_heads - 1):
        context[:, head] = OfHeads.found(self, q, k, v)[:, head]
    return context


def _only_the_last(self: OfHeads, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    for head in range(self.n_heads):
        context = torch.zeros_like(q)
        context[:, head] = OfHeads.found(self, q, k, v)[:, head]
    return context


def _last_everywhere(self: OfHeads, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    for head in range(self.n_heads):
        one = self.weights(self.scores(q[:, head], k[:, head])) @ v[:, head]
    return torch.stack([one] * self.n_heads, dim=1)


def _keys_of_the_last(self: OfHeads, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return self.weights(self.scores(q, k[:, -1:])) @ v


def _first_and_last_swapped(self: OfHeads, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return OfHeads.found(self, q, k, v).flip(1)


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (_last_is_lost, "Head 2 is lost: zeros stand in place of what was found. The others are right."),
        (_only_the_last, "Heads 0 and 1 are lost: zeros stand in place of what was found. The others are right."),
        (_last_everywhere, "All 3 heads hold what head 2 found: one head stands in every place."),
        (_keys_of_the_last, "The heads are mixed up: heads 0 and 1 use the keys of head 2. The others are right."),
        (_first_and_last_swapped, "head 0 holds what head 2 found; head 2 holds what head 0 found."),
    ],
    ids=lambda each: each.__name__.strip("_") if callable(each) else "",
)
def test_the_heads_that_are_wrong_are_named(found: Callable[..., Tensor], sentence: str) -> None:
    layer = type("Broken", (OfHeads,), {"found": found})()
    report = av.check_attention(layer)
    assert sentence in report.findings[0].sentence
    assert report.findings[0].evidence[0].value > 0.1
    right(OfHeads())


class Grouped(nn.Module):
    """Six heads of queries, two of keys and values."""

    def __init__(self) -> None:
        super().__init__()
        self.n_heads, self.n_groups = 6, 2
        self.q_proj, self.o_proj = nn.Linear(48, 48), nn.Linear(48, 48)
        self.k_proj, self.v_proj = nn.Linear(48, 16), nn.Linear(48, 16)

    def keys(self, k: Tensor) -> Tensor:
        return k.repeat_interleave(3, dim=1)

    def values(self, v: Tensor) -> Tensor:
        return v.repeat_interleave(3, dim=1)

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = (p(x).unflatten(-1, (-1, 8)).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj))
        weights = (q @ self.keys(k).mT / math.sqrt(8)).softmax(-1)
        return self.o_proj((weights @ self.values(v)).transpose(1, 2).flatten(2))


def _first_group_for_all(self: Grouped, k: Tensor) -> Tensor:
    return k[:, [0, 0, 0, 0, 0, 0]]


def _three_of_the_wrong_group(self: Grouped, v: Tensor) -> Tensor:
    return v[:, [0, 1, 0, 1, 0, 0]]


@pytest.mark.parametrize(
    ("methods", "sentence"),
    [
        (
            {"keys": _first_group_for_all, "values": _first_group_for_all},
            "heads 3, 4 and 5 use the keys and values of group 0, expected of group 1. The others are right.",
        ),
        ({"keys": _first_group_for_all}, "heads 3, 4 and 5 use the keys of group 0, expected of group 1."),
        (
            {"values": _three_of_the_wrong_group},
            "head 1 uses the values of group 1, expected of group 0; heads 4 and 5 use the values of group 0, expected",
        ),
    ],
    ids=["both", "keys", "values"],
)
def test_groups_that_are_wrong_for_some_heads_are_named(methods: dict[str, Any], sentence: str) -> None:
    right(Grouped())
    report = av.check_attention(type("Broken", (Grouped,), methods)())
    assert sentence in report.findings[0].sentence
