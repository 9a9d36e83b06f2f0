"""The same layer called otherwise: without gradients, with its switches as they are, after another mask, more keys."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

import attnviz as av
from tests.unit.checking.layers import Right, broken, one_thread


@pytest.fixture(autouse=True, scope="module")
def _one_thread() -> Iterator[None]:
    with one_thread():
        yield


def right(subject: object, **options: Any) -> Any:
    report = av.check_attention(subject, **options)  # type: ignore[arg-type]
    assert report.ok, str(report)
    return report


def only(subject: object) -> Any:
    (finding,) = av.check_attention(subject).findings  # type: ignore[arg-type]
    return finding


def test_a_fault_without_gradients_is_found() -> None:
    def scores(self: Right, q: Tensor, k: Tensor) -> Tensor:
        return q @ k.mT / (math.sqrt(q.shape[-1]) if torch.is_grad_enabled() else 1)

    finding = only(broken(scores=scores))
    assert finding.id == "no-grad-differs" and "Under torch.no_grad() the output is wrong" in finding.sentence
    assert "The scale is missing" in finding.sentence
    assert "torch.no_grad()" in right(Right()).checked


class Switched(Right):
    """Returns its weights when it is asked to, and takes torch's function when it is not."""

    def scaled(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        return F.scaled_dot_product_attention(q, k, v)

    def forward(self, x: Tensor, return_attention: bool = False) -> Any:  # type: ignore[override]
        if return_attention:
            return super().forward(x)
        q, k, v = (self.split(part) for part in self.project(x))
        return self.w_o(self.join(self.scaled(q, k, v)))


def test_the_way_without_weights_is_compared_too() -> None:
    class Unscaled(Switched):
        def scaled(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
            return F.scaled_dot_product_attention(q, k, v, scale=1.0)

    assert "return_attention=False" in right(Switched()).checked
    finding = only(Unscaled())
    assert finding.id == "switch-differs" and "With return_attention=False the output is wrong" in finding.sentence
    assert "need_weights=False" in right(nn.MultiheadAttention(24, 3)).checked


def test_a_mask_that_is_kept_from_the_call_before_is_found() -> None:
    class Keeps(Right):
        kept: Tensor | None = None

        def hide(self, scores: Tensor, mask: Tensor | None) -> Tensor:
            if mask is not None and self.kept is None:
                self.kept = mask
            return super().hide(scores, None if mask is None else self.kept)

    finding = only(Keeps())
    assert finding.id == "remembers" and "after a call with another mask" in finding.sentence


class Cross(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.n_heads = 3
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (nn.Linear(24, 24) for _ in range(4))

    def cut(self, mask: Tensor, n_queries: int, n_keys: int) -> Tensor:
        return mask

    def forward(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> Tensor:
        parts = (self.q_proj(query), self.k_proj(key), self.v_proj(value))
        q, k, v = (part.unflatten(-1, (3, 8)).transpose(1, 2) for part in parts)
        mask = None if mask is None else self.cut(mask, q.shape[2], k.shape[2])
        out: Tensor = self.out_proj(F.scaled_dot_product_attention(q, k, v, mask).transpose(1, 2).flatten(2))
        return out


def test_a_mask_over_more_keys_than_queries_is_compared() -> None:
    class Cuts(Cross):
        """Takes the queries' length for the keys'."""

        def cut(self, mask: Tensor, n_queries: int, n_keys: int) -> Tensor:
            return F.pad(mask[..., :n_queries], (0, n_keys - n_queries), value=True)

    class Stops(Cross):
        def cut(self, mask: Tensor, n_queries: int, n_keys: int) -> Tensor:
            return mask.view(*mask.shape[:-2], n_keys, n_keys)

    assert "mask over more keys than queries" in right(Cross()).checked
    finding = only(Cuts())
    assert finding.id == "mask-of-more-keys" and "when there are more keys it is not" in finding.sentence
    finding = only(Stops())
    assert finding.id == "mask-of-more-keys" and "it stops with an error" in finding.sentence
    right(nn.MultiheadAttention(24, 3, kdim=10, vdim=12))


def test_a_mask_for_each_head_is_compared_where_it_is_taken() -> None:
    class OfTheFirst(Right):
        def hide(self, scores: Tensor, mask: Tensor | None) -> Tensor:
            return super().hide(scores, mask if mask is None or mask.ndim < 4 else mask[:, :1])

    assert "a mask for each head" in right(Right()).checked
    assert "a mask for each head" in right(nn.MultiheadAttention(24, 3)).checked
    finding = only(OfTheFirst())
    assert finding.id == "mask-per-head-differs" and "the mask of head 0 is used for all heads" in finding.sentence


def test_a_layer_in_half_precision_is_told_what_it_ran_in() -> None:
    report = right(Right().bfloat16())
    assert "its own precision, bfloat16: it was run in float64 and float32" in report.unchecked
