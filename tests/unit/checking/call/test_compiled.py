"""What torch.jit made of a layer or a function is asked only what its schema takes."""

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

pytestmark = [pytest.mark.filterwarnings("ignore::DeprecationWarning"), pytest.mark.filterwarnings("ignore:Converting")]


@pytest.fixture(autouse=True, scope="module")
def _one_thread() -> Iterator[None]:
    with one_thread():
        yield


def right(subject: Any) -> Any:
    report = av.check_attention(subject)
    assert report.ok, str(report)
    return report


def attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return (q @ k.transpose(-2, -1) / float(q.shape[-1]) ** 0.5).softmax(-1) @ v


def masked(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
    scores = q @ k.transpose(-2, -1) / float(q.shape[-1]) ** 0.5
    weights = scores.masked_fill(~mask, -math.inf).softmax(-1)
    return weights.masked_fill(~mask, 0.0) @ v


def qkv(*shape: int) -> tuple[Tensor, Tensor, Tensor]:
    return torch.randn(*shape), torch.randn(*shape), torch.randn(*shape)


def test_a_scripted_function_is_given_what_its_schema_takes() -> None:
    report = right(torch.jit.script(attention))
    assert report.how.startswith("Called as function(q, k, v) in float64")
    assert report.name == "attention" and "mask: it takes none" in report.unchecked


def test_a_mask_that_a_scripted_function_asks_for_is_given() -> None:
    report = right(torch.jit.script(masked))
    assert any(what.startswith("mask (bool, True = may look") for what in report.checked)


def test_a_traced_function_is_given_what_it_was_traced_with() -> None:
    report = right(torch.jit.trace(lambda q, k, v: F.scaled_dot_product_attention(q, k, v), qkv(2, 3, 5, 6)))
    assert "mask: it takes none" in report.unchecked


def test_a_traced_layer_is_called_as_it_was_traced() -> None:
    layer = torch.jit.trace(Right().eval(), torch.randn(2, 5, 24))
    report = right(layer)
    assert report.how.startswith("Called as layer(x) in float64, 3 heads of width 8")
    torchs = torch.jit.trace(nn.MultiheadAttention(24, 3, batch_first=True).eval(), qkv(2, 5, 24))
    findings = av.check_attention(torchs).findings
    assert [found.id for found in findings] == ["heads-averaged"]  # as torch's layer gives them unless asked


def test_a_mistake_in_a_traced_layer_is_found() -> None:
    unscaled = broken(scores=lambda s, q, k: q @ k.mT)
    (finding,) = av.check_attention(torch.jit.trace(unscaled.eval(), torch.randn(2, 5, 24))).findings
    assert finding.id == "scale-missing"
