"""Hand-made maps of every kind are of that kind, and the same maps with their rows shuffled are mixed or broad."""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest
import torch

from attnviz.analysis.heads.kinds import KINDS, MIXED, kind_of
from attnviz.analysis.heads.measure import site_metrics
from attnviz.trace.tokens import Tokens
from tests.unit.weights_as_trace import trace_of

EACH = 24  # maps of every kind
Draw = torch.Generator


class Text:
    """A text of a seeded length: a first token, words of which some return, a full stop or a comma, an end token."""

    def __init__(self, draw: Draw, is_causal: bool, *, is_repeated: bool = False) -> None:
        self.is_repeated = is_repeated
        n = int(torch.randint(12, 31, (1,), generator=draw))
        marks: list[int] = []
        if is_repeated:
            ids = [1, *(list(range(10, 10 + n // 2)) * 2)]
        else:
            ids = [1, *torch.randint(10, 10 + n // 2, (n - 2,), generator=draw).tolist(), 2]
            ids[n // 2], marks = 3, [n // 2, n - 1]
        self.n, self.is_causal, self.ids = len(ids), is_causal, torch.tensor(ids)
        self.key, self.row = torch.arange(self.n), torch.arange(self.n)[:, None]
        self.marks = torch.isin(self.key, torch.tensor(marks, dtype=torch.int64))
        texts = ["," if place in marks else f"w{id}" for place, id in enumerate(ids)]
        self.tokens = replace(Tokens.plain(texts), ids=tuple(ids))

    @property
    def visible(self) -> torch.Tensor:
        return (self.key <= self.row) | (not self.is_causal)


def even(text: Text, draw: Draw) -> torch.Tensor:
    """Rows of about equal weights over what may be seen."""
    scores = 0.3 * torch.randn(text.n, text.n, generator=draw)
    return torch.softmax(scores.masked_fill(~text.visible, -math.inf), -1)


def mostly_on(target: Callable[[Text], torch.Tensor]) -> Callable[[Text, Draw], torch.Tensor]:
    """A seeded share of every row on its target keys (on the first token where there is none), the rest about even."""

    def weights(text: Text, draw: Draw) -> torch.Tensor:
        keys = target(text) & text.visible
        keys[:, 0] |= ~keys.any(-1)
        spike = keys / keys.sum(-1, keepdim=True)
        rest = even(text, draw).index_fill(1, torch.tensor(0), 0.0)
        rest = torch.where(rest.any(-1, keepdim=True), rest / rest.sum(-1, keepdim=True), spike)
        share = 0.65 + 0.33 * torch.rand(text.n, 1, generator=draw)
        sink = 0.25 * torch.rand(1, generator=draw)  # beside it, as models have
        return (1 - sink) * (share * spike + (1 - share) * rest) + sink * torch.eye(text.n)[0]

    return weights


def peaked_at_chance(text: Text, draw: Draw) -> torch.Tensor:
    """Most of every row on two keys of its own, chosen by chance."""
    chosen = torch.zeros(text.n, text.n).scatter(-1, by_chance(text, draw)[:, :2], 1.0) * text.visible
    return 0.1 * even(text, draw) + 0.9 * chosen / chosen.sum(-1, keepdim=True)


def by_chance(text: Text, draw: Draw) -> torch.Tensor:
    """The keys of each row in an order of chance, those that it may see first: [n, n]."""
    return torch.rand(text.n, text.n, generator=draw).masked_fill(~text.visible, 2.0).argsort(-1)


# Known answers of a made-up verse: the name of the metric, and the keys of a row.
VERSE: dict[str, tuple[str, Callable[[int], set[int]]]] = {
    "line-mark": ("mark_before", lambda row: {row - row % 6} if row > 6 and row % 6 else set()),
    "first-line": ("first_line", lambda row: set(range(1, 6)) if row > 6 else set()),
    "rhyme": ("rhyme", lambda row: {row - 4} if row > 4 and row % 4 == 3 else set()),
}


def on_answer(name: str) -> Callable[[Text, Draw], torch.Tensor]:
    def weights(text: Text, draw: Draw) -> torch.Tensor:
        made = even(text, draw)
        for row in range(text.n):
            keys = sorted(VERSE[name][1](row))
            if keys:
                made[row] = 0.15 * made[row]
                made[row, keys] += 0.85 / len(keys)
        return made

    return weights


MAKERS: dict[str, Callable[[Text, Draw], torch.Tensor]] = {
    "previous": mostly_on(lambda text: text.key == text.row - 1),
    "next": mostly_on(lambda text: text.key == text.row + 1),
    "sink": lambda text, draw: 0.04 * even(text, draw) + 0.96 * torch.eye(text.n)[0],
    "delimiter": mostly_on(lambda text: text.marks.expand(text.n, -1)),
    "same-word": mostly_on(lambda text: (text.ids == text.ids[:, None]) & (text.key != text.row)),
    "broad": even,
    "induction": mostly_on(
        lambda text: (text.ids.roll(1) == text.ids[:, None]) & (text.key > 0) & (text.key < text.row)
    ),
    "mixed": peaked_at_chance,
    "aligned": lambda text, draw: 0.3 * even(text, draw) + 0.7 * torch.eye(text.n).flip(0),  # it reads backwards
    **{name: on_answer(name) for name in VERSE},
    "end": lambda text, draw: 0.3 * even(text, draw) + 0.7 * torch.eye(text.n)[-1],
}
ACROSS = ("aligned", "end")  # kinds of cross-attention alone


def kind(name: str, text: Text, weights: torch.Tensor) -> str:
    """The kind of one map by its metrics; on a repeated sequence what is measured there has its own name."""
    site, causal = "decoder.0.cross" if name in ACROSS else "encoder.0.self", "encoder" if text.is_causal else ""
    links = {row: frozenset({text.n - 1 - row}) for row in range(text.n)}
    answers = {}
    if name in VERSE:
        metric, keys = VERSE[name]
        answers = {metric: {row: frozenset(keys(row)) for row in range(text.n) if keys(row)}}
    trace = trace_of({site: weights[None]}, tokens=text.tokens, causal=causal)
    trace = replace(trace, links=links, answers=answers)
    row = {metric: float(values[0]) for metric, values in site_metrics(trace, [site])[0].values.items()}
    if text.is_repeated:
        row |= {f"{score}_repeated": row[score] for score in ("induction", "same_token")}
    return kind_of(row).name


@cache
def examples(name: str) -> tuple[tuple[Text, torch.Tensor], ...]:
    draw = torch.Generator().manual_seed(len(name) * 1000 + 17)
    found = []
    for number in range(EACH):
        is_causal = name == "induction" or name in VERSE or (name not in ("next", *ACROSS) and number % 2 == 1)
        text = Text(draw, is_causal, is_repeated=name in ("induction", "same-word"))
        found.append((text, MAKERS[name](text, draw)))
    return tuple(found)


@pytest.mark.parametrize("name", MAKERS)
def test_hand_made_maps_are_of_their_kind(name: str) -> None:
    assert [kind(name, text, weights) for text, weights in examples(name)] == [name] * EACH


def test_shuffled_maps_are_mixed_or_broad_at_least_nineteen_times_in_twenty() -> None:
    draw = torch.Generator().manual_seed(5)
    maps = [(name, *each) for name in MAKERS for each in examples(name)]
    found = [kind(name, text, weights.gather(-1, by_chance(text, draw))) for name, text, weights in maps]
    assert len(found) == EACH * len(KINDS)
    assert sum(name in ("mixed", "broad") for name in found) >= 0.95 * len(found)


def test_every_kind_has_a_maker_and_the_table_ends_with_what_is_left_over() -> None:
    assert set(MAKERS) == {kind.name for kind in KINDS} and KINDS[-1] is MIXED and MIXED.metric == ""


def test_the_first_kind_that_is_reached_is_taken_and_nan_decides_nothing() -> None:
    assert kind_of({"first": 0.9, "previous": 0.05, "previous_left": 0.9}).name == "sink"  # whatever is left does
    assert kind_of({"first": 0.8, "previous": 0.39, "evenness_left": 0.9}).name == "sink"
    assert kind_of({"first": 0.79, "previous": 0.39, "evenness_left": 0.9}).name == "broad"
    assert kind_of({"first": 0.95, "induction_repeated": 0.4}).name == "induction"  # on other texts than the sink
    assert kind_of({"previous": math.nan}).name == "mixed"
    assert kind_of({"induction": 1.0, "same_token": 1.0}).name == "mixed"  # one text alone does not show it
