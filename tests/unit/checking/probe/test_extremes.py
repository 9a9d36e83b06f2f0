"""One text, one token, scores of thousands, and masks that only some probes betray."""

import math
from typing import Any

import pytest
import torch
from torch import Tensor

import attnviz as av
from tests.unit.checking.layers import Grouped, Right, broken, ids, only, right, tiled


def future(scores: Tensor) -> Tensor:
    return torch.ones(scores.shape[-2:]).triu(1).bool()


def naive(masked: Tensor) -> Tensor:
    return masked.exp() / masked.exp().sum(-1, keepdim=True)


@pytest.mark.parametrize(("weights", "id"), [
    (lambda s, m: naive(m).nan_to_num(), "large-scores-differ"),
    (lambda s, m: (m - m.max()).exp() / ((m - m.max()).exp().sum(-1, keepdim=True) + 1e-12), "large-scores-differ"),
    (lambda s, m: m.exp() / (m.exp().sum(-1, keepdim=True) + 1e-9), "softmax-overflows"),
], ids=["repaired", "one maximum for all", "with an eps"])  # fmt: skip
def test_a_softmax_that_is_wrong_at_large_scores_alone_is_found(weights: Any, id: str) -> None:
    only(broken(weights=weights), id, "arge scores")


@pytest.mark.parametrize("methods", [
    {"weights": lambda s, m: m.float().softmax(-1).to(m)},
    {"weights": lambda s, m: naive(m - m.amax(-1, keepdim=True))},
    {"weights": lambda s, m: (m - m.logsumexp(-1, keepdim=True)).exp()},
], ids=["in float32", "by hand", "by its logarithm"])  # fmt: skip
def test_large_scores_are_no_fault_of_a_softmax_that_subtracts_each_row_s_maximum(methods: dict[str, Any]) -> None:
    assert "large scores" in right(broken(**methods)).checked


@pytest.mark.parametrize(("floor", "precision"), [(0.0, torch.float64), (1e-30, torch.float32)])
def test_weights_that_a_hidden_token_takes_whole_are_told_from_hidden_tokens_that_are_seen(floor, precision) -> None:
    def after_softmax(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> Tensor:
        weights = (q @ k.mT / math.sqrt(q.shape[-1])).to(precision).softmax(-1).to(q.dtype)
        if mask is not None:
            weights = weights * mask
            weights = weights / weights.sum(-1, keepdim=True).clamp(min=floor)
        return weights @ v

    found = {found.id: found for found in av.check_attention(after_softmax).findings}
    said = found["mask-leaves-nothing"]
    assert "mask comes after the softmax" in said.sentence and "looked at" not in said.sentence
    assert "mask-outweighed" not in found


def test_heads_in_another_order_are_noted_and_excuse_nothing() -> None:
    usual: dict[str, Any] = {"keys": tiled, "values": tiled}
    assert [note.id for note in right(broken(Grouped, **usual)).notes] == ["parameters-read", "blocked-row-nan"]
    only(broken(Grouped, **usual, weights=lambda s, m: naive(m)), "softmax-overflows")
    first = broken(
        Grouped, **usual, hide=lambda s, x, m: Right.hide(s, x, m[:1] if m is not None and m.ndim == 4 else m)
    )
    only(first, "mask-of-one-text")


FILLS = {"mask": {"hide": lambda s, z, m: z if m is None else z.masked_fill(~m, s.fill)},
         "added": {"hide": lambda s, z, m: z if m is None else z + (~m) * s.fill},
         "triangle": {"hide": lambda s, z, m: Right.hide(s, z.masked_fill(future(z), s.fill), m)},
         "added triangle": {"hide": lambda s, z, m: Right.hide(s, z + future(z) * s.fill, m)}}  # fmt: skip


@pytest.mark.parametrize("fill", [-100.0, -1e3, -1e4])
@pytest.mark.parametrize("form", FILLS)
@pytest.mark.parametrize("sizes", [(24, 3), (8, 1), (128, 8)])
def test_a_number_of_the_size_of_scores_hides_nothing_in_a_mask_or_a_triangle(form, fill, sizes) -> None:
    id, words = (
        ("causal-outweighed", "hides the future is finite")
        if "triangle" in form
        else ("mask-outweighed", "hides tokens in a mask (mask) is finite")
    )
    finding = only(broken(Right, *sizes, fill=fill, **FILLS[form]), id, words, "scores of its size outweigh it")
    assert "-inf" in finding.fix and finding.evidence[1].value <= -10 * fill


@pytest.mark.parametrize("fill", [-65504.0, -1e9, torch.finfo(torch.float32).min, -math.inf])
@pytest.mark.parametrize("form", ["mask", "triangle"])
@pytest.mark.parametrize("sizes", [(24, 3), (8, 1), (128, 8)])
def test_a_number_that_no_usual_score_outweighs_is_no_fault_in_a_mask_or_a_triangle(form, fill, sizes) -> None:
    report = right(broken(Right, *sizes, fill=fill, **FILLS[form]))
    if form == "triangle":
        is_noted = "causal-finite" in [note.id for note in report.notes]
        assert is_noted == (fill > -1e30) != ("the future with scores of any size" in report.checked)


def test_what_hides_a_token_must_outweigh_any_score() -> None:
    low = -100.0

    def weights(self: Right, masked: Tensor) -> Tensor:
        return masked.softmax(-1).masked_fill((masked == low).all(-1, keepdim=True), 0.0)

    hide = {"hide": lambda s, z, m: z if m is None else z.masked_fill(~m, low)}
    assert "mask-outweighed" in ids(broken(weights=weights, **hide))
