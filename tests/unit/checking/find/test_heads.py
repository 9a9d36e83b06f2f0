"""Single heads that are lost, repeated or made with another's keys: the sentence names them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import attnviz as av
from tests.unit.checking.layers import Right, one_thread


@pytest.fixture(autouse=True, scope="module")
def _one_thread() -> Iterator[None]:
    with one_thread():
        yield


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


def _summed(self: OfHeads, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return OfHeads.found(self, q, k, v).sum(1, keepdim=True).expand_as(q)


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (_last_is_lost, "Head 2 is lost: zeros stand in place of what was found. The others are right."),
        (_only_the_last, "Only head 2 is kept: zeros stand in the place of heads 0 and 1."),
        (_last_everywhere, "All 3 heads hold what head 2 found: one head stands in every place."),
        (_keys_of_the_last, "The heads are mixed up: heads 0 and 1 use the keys of head 2. The others are right."),
        (_first_and_last_swapped, "head 0 holds what head 2 found; head 2 holds what head 0 found."),
        (_summed, "Each head's place holds the sum of all 3 heads; expected each its own head."),
    ],
    ids=lambda each: each.__name__.strip("_") if callable(each) else "",
)
def test_the_heads_that_are_wrong_are_named(found: Callable[..., Tensor], sentence: str) -> None:
    layer = type("Broken", (OfHeads,), {"found": found})()
    report = av.check_attention(layer)
    assert sentence in report.findings[0].sentence
    assert report.findings[0].evidence[0].value > 0.1
    assert av.check_attention(OfHeads()).ok


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
    assert av.check_attention(Grouped()).ok
    report = av.check_attention(type("Broken", (Grouped,), methods)())
    assert sentence in report.findings[0].sentence


class ListOfHeads(nn.Module):
    """Three small heads, and what `join` makes of what they found."""

    def __init__(self, join: Callable[[list[Tensor]], Tensor]) -> None:
        super().__init__()
        self.heads = nn.ModuleList(av.models.SelfAttention(24, 8) for _ in range(3))
        self.joined = join

    def forward(self, x: Tensor) -> Tensor:
        return self.joined([head(x) for head in self.heads])


@pytest.mark.parametrize(
    ("join", "sentence"),
    [
        (lambda found: found[-1], "it is what head 2 found alone, expected all 3 heads side by side"),
        (lambda found: torch.stack(found).mean(0), "the 3 heads are averaged, expected side by side"),
        (lambda found: found[0] + found[1] + found[2], "the 3 heads are added up, expected side by side"),
    ],
    ids=["last", "mean", "sum"],
)
def test_heads_that_are_not_joined_are_told_from_a_wrong_shape(
    join: Callable[[list[Tensor]], Tensor], sentence: str
) -> None:
    assert av.check_attention(ListOfHeads(lambda found: torch.cat(found, dim=-1))).ok
    report = av.check_attention(ListOfHeads(join))
    assert report.findings[0].id == "heads-not-joined"
    assert sentence in report.findings[0].sentence


class OneHead(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.key, self.query, self.value = (nn.Linear(24, 8, bias=False) for _ in range(3))

    def forward(self, x: Tensor) -> Tensor:
        scores = self.query(x) @ self.key(x).mT / 8**0.5  # [B, T, T]
        return scores.softmax(-1) @ self.value(x)  # [B, T, 8]


class Several(nn.Module):
    def __init__(self, heads: list[nn.Module]) -> None:
        super().__init__()
        self.heads, self.w_o = nn.ModuleList(heads), nn.Linear(24, 24)

    def forward(self, x: Tensor) -> Tensor:
        return self.w_o(torch.cat([head(x) for head in self.heads], dim=-1))


def test_one_head_under_three_names_is_noted() -> None:
    report = av.check_attention(Several([OneHead()] * 3), n_heads=3)
    assert report.ok and [note.id for note in report.notes] == ["heads-are-one"]
    assert "Its 3 heads are one and the same" in str(report)
    assert not av.check_attention(Several([OneHead() for _ in range(3)]), n_heads=3).notes
