"""Several mistakes at once are found one by one; where none is known, experiments say what is not the cause."""

import math
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from tests.unit.checking.layers import Right, broken, ids, only


def test_mistakes_that_hide_each_other_are_all_found() -> None:
    three = broken(
        project=lambda s, x: (s.w_k(x), s.w_q(x), s.w_v(x)),
        scores=lambda s, q, k: q @ k.mT / math.sqrt(24),
        hide=lambda s, x, mask: x.masked_fill(torch.ones(x.shape[-2:]).triu(2).bool(), -math.inf),
    )
    assert ids(three) == ["q-and-k-swapped", "scale-by-model-width", "causal-peeks-ahead", "mask-ignored"]


@pytest.mark.parametrize(
    ("methods", "words"),
    [
        ({"scores": lambda s, q, k: torch.tanh(q @ k.mT / math.sqrt(8))},
         ("the joining of the heads and W_O are right, and the fault is in where it looks", "The weights differ too.")),
        ({"join": lambda s, c: Right.join(s, c) * 1.3},
         ("With all tokens alike, where every weight gives the same, it differs too", "The weights agree with ours")),
        ({"weights": lambda s, m: m.relu()}, ("Their rows sum to between 0 and",)),
    ],
    ids=["where it looks", "the way of the values", "sums of rows"],
)  # fmt: skip
def test_a_fault_that_nobody_knows_is_narrowed_down(methods: dict[str, Any], words: tuple[str, ...]) -> None:
    finding = only(broken(**methods), "differs", *words)
    assert "scores" not in methods or "look at q, k, the scale and the softmax" in finding.fix


@pytest.mark.parametrize("divisor", [math.sqrt(8) + 1e-3, 20.0])
def test_a_scale_without_a_name_is_measured(divisor: float) -> None:
    finding = only(broken(scores=lambda s, q, k: q @ k.mT / divisor), "scale-other")
    assert finding.sentence == f"QKᵀ is divided by {divisor:.4g}; expected √d_head = 2.828."
    assert finding.evidence[1].value < 1e-9


def test_half_precision_inside_is_called_imprecise() -> None:
    half = broken(scores=lambda s, q, k: (q.bfloat16() @ k.bfloat16().mT).to(q) / math.sqrt(8))
    only(half, "imprecise", "of its largest value and no better")


def test_torchs_own_key_is_named() -> None:
    layer = torch.nn.MultiheadAttention(24, 3, batch_first=True, add_bias_kv=True)
    only(layer, "differs", "a key of its own to every text", "build it without")


def test_flash_attention_s_order_of_axes_is_told_how_to_be_checked() -> None:
    def flash(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        parts = (x.transpose(1, 2) for x in (q, k, v))
        return F.scaled_dot_product_attention(*parts).transpose(1, 2)

    assert "as flash-attention does" in only(flash, "heads-look-at-heads").fix
