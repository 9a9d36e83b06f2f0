"""Several mistakes at once are found one by one; where none is known, experiments say what is not the cause."""

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from tests.unit.checking.layers import Right, broken, ids, only, right


def test_mistakes_that_hide_each_other_are_all_found() -> None:
    three = broken(
        project=lambda s, x: (s.w_k(x), s.w_q(x), s.w_v(x)),
        scores=lambda s, q, k: q @ k.mT / math.sqrt(24),
        hide=lambda s, x, mask: x.masked_fill(torch.ones(x.shape[-2:]).triu(2).bool(), -math.inf),
    )
    assert ids(three) == ["q-and-k-swapped", "scale-by-model-width", "causal-peeks-ahead", "mask-ignored"]


def differing(**methods: Callable[..., Any]) -> Any:
    finding = only(broken(**methods))
    assert finding.id == "differs"
    return finding


def test_a_fault_in_where_it_looks_is_narrowed_down() -> None:
    finding = differing(scores=lambda s, q, k: torch.tanh(q @ k.mT / math.sqrt(8)))
    assert "the joining of the heads and W_O are right, and the fault is in where it looks" in finding.sentence
    assert "look at q, k, the scale and the softmax" in finding.fix
    assert "The weights differ too." in finding.sentence


def test_a_fault_on_the_way_of_the_values_is_narrowed_down() -> None:
    finding = differing(join=lambda s, c: Right.join(s, c) * 1.3)
    assert "With all tokens alike, where every weight gives the same, it differs too" in finding.sentence


def test_rows_that_do_not_sum_to_1_are_measured() -> None:
    finding = differing(weights=lambda s, m: m.relu())
    assert "Their rows sum to between 0 and" in finding.sentence


@pytest.mark.parametrize("divisor", [math.sqrt(8) + 1e-3, 20.0])
def test_a_scale_without_a_name_is_measured(divisor: float) -> None:
    finding = only(broken(scores=lambda s, q, k: q @ k.mT / divisor))
    assert finding.id == "scale-other"
    assert finding.sentence == f"QKᵀ is divided by {divisor:.4g}; expected √d_head = 2.828."
    assert finding.evidence[1].value < 1e-9


def test_half_precision_inside_is_called_imprecise() -> None:
    half = broken(scores=lambda s, q, k: (q.bfloat16() @ k.bfloat16().mT).to(q) / math.sqrt(8))
    finding = only(half)
    assert finding.id == "imprecise" and "of its largest value and no better" in finding.sentence


def test_torchs_own_key_is_named() -> None:
    finding = only(torch.nn.MultiheadAttention(24, 3, batch_first=True, add_bias_kv=True))
    assert "a key of its own to every text" in finding.sentence and "build it without" in finding.sentence


def test_flash_attention_s_order_of_axes_is_told_how_to_be_checked() -> None:
    def flash(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        parts = (x.transpose(1, 2) for x in (q, k, v))
        return F.scaled_dot_product_attention(*parts).transpose(1, 2)

    finding = only(flash)
    assert finding.id == "heads-look-at-heads" and "as flash-attention does" in finding.fix

    def turned(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        return flash(q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2)).transpose(1, 2)

    right(turned)
