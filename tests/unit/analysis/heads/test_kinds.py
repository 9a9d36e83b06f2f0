"""Hand-made maps of every kind are of that kind, and the same maps with their rows shuffled are mixed or broad."""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest
import torch

from attnviz.analysis.heads.kinds import KINDS, MIXED, kind_of
from attnviz.analysis.heads.measure import site_metrics
from attnviz.core.site import Site
from attnviz.trace.mask import Mask
from attnviz.trace.records import AttentionRecord
from attnviz.trace.tokens import TokenPair, Tokens
from attnviz.trace.trace import Card, Trace
from attnviz.trace.weight_sources import Kept

pytestmark = pytest.mark.usefixtures("one_thread")

EACH = 24  # maps of every kind
CARD = Card("test", "Test", "your code", 1, EACH, 8)
Draw = torch.Generator


class Text:
    """A text of a seeded length: a first token, words of which some return, a full stop or a comma, an end token."""

    def __init__(self, draw: Draw, is_causal: bool, *, is_repeated: bool = False) -> None:
        n = int(torch.randint(12, 31, (1,), generator=draw))
        if is_repeated:
            ids, self.marks = [1, *(list(range(10, 10 + n // 2)) * 2)], []
        else:
            ids = [1, *torch.randint(10, 10 + n // 2, (n - 2,), generator=draw).tolist(), 2]
            ids[n // 2], self.marks = 3, [n // 2, n - 1]
        self.n, self.ids, self.is_causal = len(ids), ids, is_causal
        texts = ["," if place in self.marks else f"w{id}" for place, id in enumerate(ids)]
        self.tokens = replace(Tokens.plain(texts), ids=tuple(ids))

    def visible(self) -> torch.Tensor:
        whole = torch.ones(self.n, self.n, dtype=torch.bool)
        return whole.tril() if self.is_causal else whole


def even(text: Text, draw: Draw, jitter: float = 0.3) -> torch.Tensor:
    """Rows of about equal weights over what may be seen."""
    scores = torch.randn(text.n, text.n, generator=draw) * jitter
    return torch.softmax(scores.masked_fill(~text.visible(), float("-inf")), -1)


def mixed_in(text: Text, draw: Draw, target: Callable[[int], list[int]], low: float, high: float) -> torch.Tensor:
    """A seeded share of every row on its target keys (on the first token where there is none), the rest about even."""
    weights = even(text, draw)
    sink = 0.7 * float(torch.rand(1, generator=draw))  # and a sink beside it, as models have
    for row in range(text.n):
        keys = [key for key in target(row) if 0 <= key < text.n and bool(text.visible()[row, key])]
        share = low + (high - low) * float(torch.rand(1, generator=draw))
        spike = torch.zeros(text.n)
        spike[keys or [0]] = 1 / len(keys or [0])
        kept = weights[row].clone()
        kept[0] = 0
        kept = kept / kept.sum() if kept.sum() > 0 else spike
        weights[row] = (1 - sink) * (share * spike + (1 - share) * kept)
        weights[row, 0] += sink
    return weights


def peaked_at_chance(text: Text, draw: Draw) -> torch.Tensor:
    """Most of every row on two keys of its own, chosen by chance."""
    seen = text.visible()
    weights = 0.1 * even(text, draw)
    for row in range(text.n):
        keys = seen[row].nonzero()[:, 0]
        chosen = keys[torch.randperm(len(keys), generator=draw)[:2]]
        weights[row, chosen] += 0.9 / len(chosen)
    return weights


def same_places(text: Text, row: int) -> list[int]:
    return [key for key in range(text.n) if key != row and text.ids[key] == text.ids[row]]


def followers(text: Text, row: int) -> list[int]:
    return [key for key in range(1, row) if text.ids[key - 1] == text.ids[row]]


MAKERS: dict[str, Callable[[Text, Draw], torch.Tensor]] = {
    "previous": lambda text, draw: mixed_in(text, draw, lambda row: [row - 1], 0.65, 0.98),
    "next": lambda text, draw: mixed_in(text, draw, lambda row: [row + 1], 0.65, 0.98),
    "sink": lambda text, draw: 0.04 * even(text, draw) + 0.96 * torch.eye(text.n)[0].expand(text.n, -1),
    "delimiter": lambda text, draw: mixed_in(text, draw, lambda row: text.marks, 0.65, 0.98),
    "same-word": lambda text, draw: mixed_in(text, draw, lambda row: same_places(text, row), 0.7, 0.98),
    "broad": even,
    "induction": lambda text, draw: mixed_in(text, draw, lambda row: followers(text, row), 0.65, 0.98),
    "mixed": peaked_at_chance,
    "aligned": lambda text, draw: 0.3 * even(text, draw) + 0.7 * torch.eye(text.n).flip(0),  # it reads backwards
    "end": lambda text, draw: 0.3 * even(text, draw) + 0.7 * torch.eye(text.n)[-1].expand(text.n, -1),
}
ACROSS = ("aligned", "end")  # kinds of cross-attention alone


def measured(text: Text, weights: torch.Tensor, *, is_cross: bool = False) -> dict[str, float]:
    """The row of metrics of one map; on a repeated sequence what is measured there has its own name."""
    mask = Mask(text.n, text.n, causal=text.is_causal)
    source = Kept(weights[None].clamp_min(1e-30).log(), torch.zeros(1, text.n, 1), mask)
    site = Site("decoder", "cross", 0) if is_cross else Site("encoder", "self", 0)
    links = {row: frozenset({text.n - 1 - row}) for row in range(text.n)}
    pair = TokenPair(text.tokens, text.tokens if is_cross else None)
    trace = Trace(CARD, pair, {site.key: AttentionRecord(site, source)}, links=links)
    return {name: float(values[0]) for name, values in site_metrics(trace, site).values.items()}


def kind(name: str, text: Text, weights: torch.Tensor) -> str:
    row = measured(text, weights, is_cross=name in ACROSS)
    if name == "induction":
        row["induction_repeated_over"] = row["induction_over"]
    return kind_of(row).name


@cache
def examples(name: str) -> tuple[tuple[Text, torch.Tensor], ...]:
    draw = torch.Generator().manual_seed(len(name) * 1000 + 17)
    found = []
    for number in range(EACH):
        is_causal = name == "induction" or (name not in ("next", *ACROSS) and number % 2 == 1)
        text = Text(draw, is_causal, is_repeated=name == "induction")
        found.append((text, MAKERS[name](text, draw)))
    return tuple(found)


def shuffled(text: Text, weights: torch.Tensor, draw: Draw) -> torch.Tensor:
    """Each row's weights dealt out again over the keys that the row may see."""
    other = weights.clone()
    for row in range(text.n):
        keys = text.visible()[row].nonzero()[:, 0]
        other[row, keys] = weights[row, keys[torch.randperm(len(keys), generator=draw)]]
    return other


@pytest.mark.parametrize("name", MAKERS)
def test_hand_made_maps_are_of_their_kind(name: str) -> None:
    assert [kind(name, text, weights) for text, weights in examples(name)] == [name] * EACH


def test_shuffled_maps_are_mixed_or_broad_at_least_nineteen_times_in_twenty() -> None:
    draw = torch.Generator().manual_seed(5)
    found = [
        kind(name, text, shuffled(text, weights, draw)) for name in MAKERS for text, weights in examples(name)
    ]  # fmt: skip
    assert len(found) == EACH * len(KINDS)
    assert sum(name in ("mixed", "broad") for name in found) >= 0.95 * len(found)


def test_every_kind_has_a_maker_and_the_table_ends_with_what_is_left_over() -> None:
    assert set(MAKERS) == {kind.name for kind in KINDS} and KINDS[-1] is MIXED and MIXED.metric == ""


def test_the_first_kind_that_is_reached_is_taken_and_nan_decides_nothing() -> None:
    assert kind_of({"first": 0.9, "previous_left": 0.9}).name == "previous"  # by what is left without the sink
    assert kind_of({"first": 0.8, "previous_left": 0.49, "evenness_left": 0.9}).name == "sink"
    assert kind_of({"first": 0.79, "previous_left": 0.49, "evenness_left": 0.9}).name == "broad"
    assert kind_of({"first": 0.95, "induction_repeated_over": 0.4}).name == "induction"
    assert kind_of({"previous_left": math.nan}).name == "mixed"
    assert kind_of({"induction_left": 1.0, "induction_over": 1.0}).name == "mixed"  # one text alone does not show it
