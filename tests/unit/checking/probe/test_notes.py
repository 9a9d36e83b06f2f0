"""What is no fault and worth a note: an output of another precision, a triangle over another text, added masks."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

import attnviz as av
from tests.unit.checking.layers import Right, broken, one_thread


@pytest.fixture(autouse=True, scope="module")
def _one_thread() -> Iterator[None]:
    with one_thread():
        yield


def notes(subject: Any, **options: Any) -> dict[str, str]:
    report = av.check_attention(subject, **options)
    assert report.ok, str(report)
    return {note.id: note.sentence for note in report.notes}


def test_an_output_in_another_precision_than_the_input_is_noted() -> None:
    class Rounds(Right):
        def forward(self, x: Tensor, mask: Tensor | None = None) -> Any:
            out, weights = super().forward(x, mask)
            return out.float(), weights

    said = notes(Rounds())["output-precision"]
    assert said.startswith("The output comes in float32 for an input in float64")
    said = notes(lambda q, k, v: F.scaled_dot_product_attention(q.float(), k.float(), v.float()))["output-precision"]
    assert "float32" in said
    assert "output-precision" not in notes(Right()) | notes(F.scaled_dot_product_attention)


class Cross(Right):
    def forward(self, x: Tensor, memory: Tensor, mask: Tensor | None = None) -> Any:  # type: ignore[override]
        q, k, v = self.split(self.w_q(x)), self.split(self.w_k(memory)), self.split(self.w_v(memory))
        scores = self.scores(q, k)
        scores = scores.masked_fill(torch.ones(scores.shape[-2:]).triu(1).bool(), -math.inf)
        return self.w_o(self.join(self.hide(scores, mask).softmax(-1) @ v))


def test_a_triangle_over_another_text_is_no_triangle_over_itself() -> None:
    said = notes(Cross())["causal"]
    assert "query 0 sees one token of memory, query 1 two" in said and "itself" not in said
    assert "itself" in notes(lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True))["causal"]


def added(scores: Tensor, mask: Tensor | None) -> Tensor:
    return scores if mask is None else scores + mask


@pytest.mark.parametrize("cast", [lambda m, z: m, lambda m, z: m.to(z), lambda m, z: m.float()])
def test_a_bool_mask_that_is_added_as_numbers_is_noted(cast: Any) -> None:
    layer = broken(hide=lambda s, z, m: added(z, m if m is None else cast(m, z)))
    said = notes(layer)["mask-added-as-number"]
    assert said.startswith("A bool mask hides nothing: it is added as numbers")
    assert "mask-added-as-number" not in notes(layer, mask_means="added")


def test_a_mask_that_is_added_and_knows_bools_gets_no_note() -> None:
    def hide(layer: Right, scores: Tensor, mask: Tensor | None) -> Tensor:
        if mask is not None and mask.dtype == torch.bool:
            return scores.masked_fill(~mask, -math.inf)
        return added(scores, mask)

    assert "mask-added-as-number" not in notes(broken(hide=hide))

    def only_floats(layer: Right, scores: Tensor, mask: Tensor | None) -> Tensor:
        assert mask is None or mask.dtype.is_floating_point
        return added(scores, mask)

    assert "mask-added-as-number" not in notes(broken(hide=only_floats))


def test_a_second_mask_that_is_added_as_numbers_is_noted_by_its_name() -> None:
    class Padded(Right):
        def forward(self, x: Tensor, attn_mask: Tensor | None = None, key_padding_mask: Tensor | None = None) -> Any:
            kept = None if key_padding_mask is None else key_padding_mask[:, None, None, :].to(x.dtype)
            q, k, v = (self.split(part) for part in self.project(x))
            weights = self.weights(added(self.hide(self.scores(q, k), attn_mask), kept))
            return self.w_o(self.join(weights @ v)), weights

    assert "bool key_padding_mask hides nothing" in notes(Padded())["mask-added-as-number"]
