"""Attention by hand, its masks and its dropout, and that recording changes nothing."""

import copy

import pytest
import torch
from torch import Tensor, nn

import attnviz as av
from attnviz.core.errors import AttnvizError
from attnviz.models import KeysAndValues, MultiHeadAttention, SelfAttention, causal_mask

kernels = pytest.mark.parametrize("kernel", ["explicit", "fused"])
CLOSE = {"rtol": 0, "atol": 1e-6}  # of float32: the same sums in another order


def randomised(seed: int = 0, d_model: int = 16, **options: object) -> MultiHeadAttention:
    torch.manual_seed(seed)
    layer = MultiHeadAttention(d_model, 4, **options)  # type: ignore[arg-type]
    for parameter in layer.parameters():
        nn.init.normal_(parameter, std=0.3)
    return layer.eval()


# -- by hand ---------------------------------------------------------------------------------------------------


def test_a_head_is_a_multi_head_layer_with_one_head() -> None:
    torch.manual_seed(0)
    head, layer, x = SelfAttention(8), MultiHeadAttention(8, 1, bias=False), torch.randn(2, 5, 8)
    with torch.no_grad():
        for ours, theirs in ((head.w_q, layer.w_q), (head.w_k, layer.w_k), (head.w_v, layer.w_v)):
            theirs.weight.copy_(ours.mT)  # a Linear keeps its matrix transposed
        layer.w_o.weight.copy_(torch.eye(8))
    torch.testing.assert_close(head(x), layer(x), **CLOSE)


def test_every_value_can_be_read_by_its_name() -> None:
    layer, x = randomised(), torch.randn(2, 5, 16)
    with av.record() as run:
        out = layer(x)
    widths = {"q": 4, "k": 4, "v": 4, "raw": 5, "scores": 5, "masked": 5, "weights": 5, "context": 4}
    assert {name: run[name].shape for name in widths} == {name: (2, 4, 5, last) for name, last in widths.items()}
    assert run["out"] is out and out.shape == x.shape
    torch.testing.assert_close(run["scores"], run["raw"] / 2)  # d_k = 4


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


# -- masks -----------------------------------------------------------------------------------------------------


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


# -- dropout and recording -------------------------------------------------------------------------------------


@kernels
@pytest.mark.parametrize("keep", ["weights", "all"])
@pytest.mark.parametrize("grad", [False, True])
@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize("d_model", [16, 24])  # 1/√d_k is a power of two, and is not: two ways to scale
@pytest.mark.parametrize("dropout", [0.0, 0.5])
def test_recording_changes_no_number(kernel, keep, grad, is_causal, d_model, dropout) -> None:
    layer, x = randomised(d_model=d_model, dropout=dropout).train(), torch.randn(2, 9, d_model)
    with torch.set_grad_enabled(grad):
        torch.manual_seed(1)
        alone = layer(x, is_causal=is_causal, kernel=kernel)
        torch.manual_seed(1)
        with av.record(keep=keep):
            recorded = layer(x, is_causal=is_causal, kernel=kernel)
    torch.testing.assert_close(alone, recorded, **CLOSE)


# -- as any module ---------------------------------------------------------------------------------------------


def test_large_finite_numbers_are_no_nan() -> None:
    randomised()(torch.full((1, 4, 16), 1e37))  # their sum is infinite in float32, each of them is not


class LowRank(nn.Module):
    """A linear layer with a small correction beside it, as LoRA has it."""

    def __init__(self, linear: nn.Linear) -> None:
        super().__init__()
        self.linear, self.weight = linear, linear.weight
        self.narrow = nn.Linear(linear.in_features, 2, bias=False)
        self.wide = nn.Linear(2, linear.out_features, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        return self.linear(x) + self.wide(self.narrow(x))  # [..., out]


def test_a_linear_layer_can_be_replaced_but_then_has_no_twin_in_torch() -> None:
    layer, x = randomised(), torch.randn(2, 5, 16)
    usual = copy.deepcopy(layer)
    layer.w_q = LowRank(layer.w_q)  # type: ignore[assignment]
    with torch.no_grad():
        usual.w_q.weight += layer.w_q.wide.weight @ layer.w_q.narrow.weight  # type: ignore[union-attr, operator]
        torch.testing.assert_close(layer(x), usual(x), **CLOSE)
    with pytest.raises(AttnvizError, match=r"This layer holds w_q\.linear\.bias; expected the weights and biases"):
        layer.to_torch()


@kernels
@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device here")
def test_a_gpu_gives_the_same_numbers_and_keeps_them_there(kernel: str) -> None:
    layer, x = randomised(), torch.randn(2, 9, 16)
    expected = layer(x, is_causal=True)
    with torch.no_grad(), av.record() as run:
        out = layer.cuda()(x.cuda(), is_causal=True, kernel=kernel)
    assert out.is_cuda and run["weights"].is_cuda
    torch.testing.assert_close(out.cpu(), expected, rtol=0, atol=1e-5)


def test_one_token_at_a_time_with_a_cache_equals_all_at_once() -> None:
    layer, x, past = randomised(), torch.randn(2, 6, 16), KeysAndValues()
    steps = [layer(x[:, t : t + 1], is_causal=True, past=past) for t in range(6)]
    torch.testing.assert_close(torch.cat(steps, dim=1), layer(x, is_causal=True), **CLOSE)
