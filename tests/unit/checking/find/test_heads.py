"""Heads that are lost, repeated or made with other keys; keys that are lost or added; weights without effect."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

import attnviz as av
from tests.unit.checking.layers import Grouped, broken, ids, only, right, tiled, unscaled

SWAPPED = "head 0 holds what head 2 found; head 2 holds what head 0 found."


@pytest.mark.parametrize(("found", "id", "sentence"), [
    (lambda q, k, v: F.scaled_dot_product_attention(q, k, v) * torch.tensor([0, 0, 1])[:, None, None],
     "heads-lost", "Heads 0 and 1 are lost: zeros stand in place of what was found. The others are right."),
    (lambda q, k, v: F.scaled_dot_product_attention(q, k[:, -1:].expand_as(q), v),
     "heads-mixed-up", "The heads are mixed up: heads 0 and 1 use the keys of head 2. The others are right."),
    (lambda q, k, v: F.scaled_dot_product_attention(q, k, v).flip(1), "heads-mixed-up", SWAPPED),
    (lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True).flip(1), "heads-mixed-up", SWAPPED),
    (lambda q, k, v: F.scaled_dot_product_attention(q, k[:, :, 1:], v[:, :, 1:]),
     "key-lost", "No query attends to the first token"),
], ids=["lost", "keys", "swapped", "causal and swapped", "a key left out"])  # fmt: skip
def test_the_heads_that_are_wrong_are_named(found: Callable[..., Tensor], id: str, sentence: str) -> None:
    finding = av.check_attention(broken(attend=lambda self, q, k, v, mask: (found(q, k, v), None))).findings[0]
    assert finding.id == id and sentence in finding.sentence and finding.evidence[0].value > 0.1


@pytest.mark.parametrize(("methods", "sentence"), [
    ({"keys": lambda self, k: k[:, [0] * 6]}, "heads 3, 4 and 5 use the keys of group 0, expected of group 1."),
    ({"values": lambda self, v: v[:, [0, 1, 0, 1, 0, 0]]},
     "head 1 uses the values of group 1, expected of group 0; heads 4 and 5 use the values of group 0, expected"),
], ids=["keys", "values"])  # fmt: skip
def test_groups_that_are_wrong_for_some_heads_are_named(methods: dict[str, Any], sentence: str) -> None:
    only(broken(Grouped, **methods), "heads-mixed-up", sentence)


@pytest.mark.parametrize("part", ["keys", "values"])
def test_keys_and_values_that_do_not_belong_together_are_named(part: str) -> None:
    apart: dict[str, Any] = {part: tiled}
    only(broken(Grouped, **apart), f"shared-{part}-tiled")
    assert ids(broken(Grouped, **apart, scores=unscaled)) == ["scale-missing", f"shared-{part}-tiled"]


class ByTorchsFunction(nn.Module):
    """Calls the function behind nn.MultiheadAttention, whose masks mean the opposite."""

    def __init__(self) -> None:
        super().__init__()
        self.n_heads = 3
        self.in_proj_weight, self.in_proj_bias = nn.Parameter(torch.randn(72, 24)), nn.Parameter(torch.randn(72))
        self.out_proj = nn.Linear(24, 24)

    def is_dropping(self) -> bool:
        return self.training

    def forward(self, x: Tensor, attn_mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        x = x.transpose(0, 1)
        out, weights = F.multi_head_attention_forward(
            x, x, x, 24, self.n_heads, self.in_proj_weight, self.in_proj_bias, None, None, False, 0.2,
            self.out_proj.weight, self.out_proj.bias, training=self.is_dropping(), attn_mask=attn_mask,
            average_attn_weights=False,
        )  # fmt: skip
        assert weights is not None
        return out.transpose(0, 1), weights


def test_torchs_function_is_read_with_torchs_masks_and_random_where_its_dropout_is_always_on() -> None:
    """It drops inside, where nothing can be taken out."""
    right(ByTorchsFunction())
    only(broken(ByTorchsFunction, is_dropping=lambda self: True), "random")
