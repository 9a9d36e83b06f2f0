"""The scale comes from the queries and keys, also where values are wider."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

import attnviz as av
from tests.unit.checking.layers import Right, ids


def _by_values(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return (q @ k.mT / math.sqrt(v.shape[-1])).softmax(-1) @ v


def test_a_function_that_scales_by_the_width_of_the_values_is_found() -> None:
    report = av.check_attention(_by_values)
    assert [found.id for found in report.findings] == ["scale-by-value-width"]
    assert "√d_v = 3.162" in report.findings[0].sentence
    assert "√d_head = 2.449" in report.findings[0].sentence


def test_a_right_function_is_right_for_values_of_another_width() -> None:
    def f(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        return (q @ k.mT / math.sqrt(k.shape[-1])).softmax(-1) @ v

    report = av.check_attention(f)
    assert report.ok
    assert "values wider than keys" in report.checked


def test_a_function_that_refuses_values_of_another_width_is_right() -> None:
    def f(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        if v.shape[-1] != k.shape[-1]:
            raise ValueError("one width, please")
        return (q @ k.mT / math.sqrt(k.shape[-1])).softmax(-1) @ v

    report = av.check_attention(f)
    assert report.ok
    assert any("values wider than keys" in reason for reason in report.unchecked)


def test_an_output_that_is_cut_to_the_width_of_the_keys_is_found() -> None:
    def f(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        return (q @ k.mT / math.sqrt(k.shape[-1])).softmax(-1) @ v[..., : k.shape[-1]]

    assert ids(f) == ["value-width-differs"]


def test_a_layer_that_scales_by_the_width_of_its_values_is_found() -> None:
    class Wide(Right):
        def __init__(self) -> None:
            super().__init__()
            self.w_v, self.w_o = nn.Linear(24, 30), nn.Linear(30, 24)

        def forward(self, x: Tensor) -> Tensor:  # type: ignore[override]
            q, k, v = (self.split(part) for part in self.project(x))
            return self.w_o(self.join(torch.softmax(q @ k.mT / math.sqrt(v.shape[-1]), dim=-1) @ v))

    assert ids(Wide()) == ["scale-by-value-width"]
