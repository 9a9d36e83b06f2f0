"""Torch's own function inside a person's layer, and keys that are lost."""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

import attnviz as av
from tests.unit.checking.layers import broken, only, right


def test_a_key_that_is_left_out_is_named() -> None:
    def found(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        return F.scaled_dot_product_attention(q, k[:, :, 1:], v[:, :, 1:])

    layer = broken(attend=lambda self, q, k, v, mask: (found(q, k, v), None))
    finding = av.check_attention(layer).findings[0]
    assert finding.id == "key-lost" and "No query attends to the first token" in finding.sentence
    assert finding.evidence[0].value > 0.1


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
