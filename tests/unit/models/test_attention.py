"""The layer of attention by hand, its masks, and that it is a module as any other."""

import copy

import pytest
import torch
from torch import Tensor, nn

import attnviz as av
from attnviz.core.errors import AttnvizError
from attnviz.models import MultiHeadAttention, SelfAttention, causal_mask

kernels = pytest.mark.parametrize("kernel", ["explicit", "fused"])
CLOSE = {"rtol": 0, "atol": 1e-6}  # of float32: the same sums in another order


def randomised() -> MultiHeadAttention:
    torch.manual_seed(0)
    layer = MultiHeadAttention(16, 4)
    for parameter in layer.parameters():
        nn.init.normal_(parameter, std=0.3)
    return layer.eval()


def test_a_head_is_a_multi_head_layer_with_one_head() -> None:
    torch.manual_seed(0)
    head, layer, x = SelfAttention(8), MultiHeadAttention(8, 1, bias=False), torch.randn(2, 5, 8)
    with torch.no_grad():
        for ours, theirs in ((head.w_q, layer.w_q), (head.w_k, layer.w_k), (head.w_v, layer.w_v)):
            theirs.weight.copy_(ours.mT)  # a Linear keeps its matrix transposed
        layer.w_o.weight.copy_(torch.eye(8))
    torch.testing.assert_close(head(x), layer(x), **CLOSE)


def test_a_new_layer_begins_with_small_different_weights_and_no_bias() -> None:
    torch.manual_seed(0)
    head, layer = SelfAttention(64), MultiHeadAttention(64, 4)
    bound = (6 / (64 + 64)) ** 0.5  # Glorot & Bengio 2010, equation 16
    matrices = [head.w_q, head.w_k, head.w_v, *(part.weight for part in layer.children())]
    for matrix in (matrix.detach() for matrix in matrices):
        assert float(matrix.abs().max()) <= bound
        assert float(matrix.std()) == pytest.approx(bound / 3**0.5, rel=0.05)
        assert abs(float(matrix.mean())) < 0.01
    assert len({float(matrix[0, 0].detach()) for matrix in matrices}) == 7
    assert all((part.bias == 0).all() for part in layer.children())


def test_causal_mask_is_a_triangle_that_ends_in_the_lower_right_corner() -> None:
    assert causal_mask(3).tolist() == [[True, False, False], [True, True, False], [True, True, True]]
    assert causal_mask(2, 3).tolist() == [[True, True, False], [True, True, True]]


@kernels
def test_masks_join_what_all_of_them_allow(kernel: str) -> None:
    layer, x = randomised(), torch.randn(2, 5, 16)
    is_token = torch.tensor([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]]).bool()
    mask = torch.rand(4, 5, 5) < 0.5
    mask[..., 0] = True
    joined = mask & causal_mask(5) & is_token[:, None, None, :]  # [B, H, T, T]
    with av.record() as run:
        out = layer(x, mask=mask, is_causal=True, is_token=is_token, kernel=kernel)
    assert (run["weights"][~joined] == 0).all()
    torch.testing.assert_close(out, layer(x, mask=joined, kernel=kernel), **CLOSE)
    additive = torch.zeros(4, 5, 5).masked_fill(~mask, float("-inf"))
    torch.testing.assert_close(layer(x, mask=additive, is_causal=True, is_token=is_token, kernel=kernel), out, **CLOSE)


@kernels
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float64])
@pytest.mark.parametrize("grad", [False, True])
@pytest.mark.parametrize("is_causal", [False, True])
def test_an_additive_mask_takes_the_precision_of_the_layer(kernel, dtype, grad, is_causal) -> None:
    layer, x = randomised().to(dtype), torch.randn(2, 5, 16, dtype=dtype)
    with torch.set_grad_enabled(grad):
        assert layer(x, mask=torch.randn(5, 5), is_causal=is_causal, kernel=kernel).dtype == dtype


def test_a_single_head_takes_a_mask_for_each_text() -> None:
    head, x = SelfAttention(8), torch.randn(2, 3, 8)
    masks = torch.stack([causal_mask(3), torch.ones(3, 3, dtype=torch.bool)])  # [2, 3, 3]
    out = head(x, mask=masks)  # [2, 3, 8]
    torch.testing.assert_close(out[:1], head(x[:1], mask=masks[0]), **CLOSE)
    torch.testing.assert_close(out[1:], head(x[1:]), **CLOSE)


def test_large_finite_numbers_are_no_nan() -> None:
    randomised()(torch.full((1, 4, 16), 1e37))  # their sum is infinite in float32, each of them is not


class Corrected(nn.Module):
    """A linear layer with a correction beside it, as LoRA has it."""

    def __init__(self, linear: nn.Linear) -> None:
        super().__init__()
        self.linear, self.weight = linear, linear.weight

    def forward(self, x: Tensor) -> Tensor:
        return self.linear(x) + x  # [..., out]


def test_a_linear_layer_can_be_replaced_but_then_has_no_twin_in_torch() -> None:
    layer, x = randomised(), torch.randn(2, 5, 16)
    usual = copy.deepcopy(layer)
    layer.w_q = Corrected(layer.w_q)
    with torch.no_grad():
        usual.w_q.weight += torch.eye(16)
        torch.testing.assert_close(layer(x), usual(x), **CLOSE)
    with pytest.raises(AttnvizError, match=r"This layer holds w_q\.linear\.bias; expected the weights and biases"):
        layer.to_torch()


@kernels
@pytest.mark.gpu
def test_a_gpu_gives_the_same_numbers_and_keeps_them_there(kernel: str) -> None:
    layer, x = randomised(), torch.randn(2, 9, 16)
    expected = layer(x, is_causal=True)
    with torch.no_grad(), av.record() as run:
        out = layer.cuda()(x.cuda(), is_causal=True, kernel=kernel)
    assert out.is_cuda and run["weights"].is_cuda
    torch.testing.assert_close(out.cpu(), expected, rtol=0, atol=1e-5)
