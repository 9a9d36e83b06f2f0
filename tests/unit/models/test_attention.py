"""Attention by hand, its masks, its errors, and that recording changes nothing."""

from __future__ import annotations

import math
import threading

import pytest
import torch

import attnviz as av
from attnviz.core.errors import AttnvizError, InputError
from attnviz.models import MultiHeadAttention, SelfAttention, causal_mask, scaled_dot_product_attention

KERNELS = ("explicit", "fused")


def identity_head(width: int) -> SelfAttention:
    """A head whose q, k and v are the token vectors themselves."""
    head = SelfAttention(width)
    with torch.no_grad():
        for weight in (head.w_q, head.w_k, head.w_v):
            weight.copy_(torch.eye(width))
    return head


def randomised(seed: int = 0, d_model: int = 16, **options: object) -> MultiHeadAttention:
    torch.manual_seed(seed)
    layer = MultiHeadAttention(d_model, 4, **options)  # type: ignore[arg-type]
    for parameter in layer.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    return layer.eval()


# -- by hand ---------------------------------------------------------------------------------------------------


def test_two_tokens_by_hand() -> None:
    x = torch.tensor([[[1.0, 0.0], [0.0, 1.0]]])  # [1, 2, 2]: raw is the identity matrix
    with av.record() as run:
        out = identity_head(2)(x)
    e = math.exp(1 / math.sqrt(2))  # a token's score for itself is 1/√2, for the other 0
    own, other = e / (e + 1), 1 / (e + 1)
    torch.testing.assert_close(run["raw"][0], torch.eye(2))
    torch.testing.assert_close(run["weights"][0], torch.tensor([[own, other], [other, own]]))
    torch.testing.assert_close(out[0], torch.tensor([[own, other], [other, own]]))


def test_values_may_be_wider_than_queries_and_any_axes_may_stand_before() -> None:
    q, k, v = torch.randn(2, 3, 5, 4, 8), torch.randn(2, 3, 5, 6, 8), torch.randn(2, 3, 5, 6, 11)
    out, weights = scaled_dot_product_attention(q, k, v)
    assert out.shape == (2, 3, 5, 4, 11)
    assert weights.shape == (2, 3, 5, 4, 6)
    torch.testing.assert_close(weights.sum(-1), torch.ones(2, 3, 5, 4))


def test_a_head_is_a_multi_head_layer_with_one_head() -> None:
    torch.manual_seed(0)
    head, layer, x = SelfAttention(8), MultiHeadAttention(8, 1, bias=False), torch.randn(2, 5, 8)
    with torch.no_grad():
        for ours, theirs in ((head.w_q, layer.w_q), (head.w_k, layer.w_k), (head.w_v, layer.w_v)):
            theirs.weight.copy_(ours.mT)  # a Linear keeps its matrix transposed
        layer.w_o.weight.copy_(torch.eye(8))
    torch.testing.assert_close(head(x), layer(x), rtol=0, atol=1e-6)


def test_every_value_can_be_read_by_its_name() -> None:
    layer, x = randomised(), torch.randn(2, 5, 16)
    with av.record() as run:
        out = layer(x)
    shapes = {"q": 4, "k": 4, "v": 4, "raw": 5, "scores": 5, "masked": 5, "weights": 5, "context": 4}
    for name, last in shapes.items():
        assert run[name].shape == (2, 4, 5, last)
    assert run["out"] is out
    torch.testing.assert_close(run["scores"], run["raw"] / 2)  # Dh = 4


def test_head_values_may_have_a_width_of_their_own() -> None:
    layer = MultiHeadAttention(12, 3, head_value_dim=7)
    with av.record() as run:
        assert layer(torch.randn(2, 5, 12)).shape == (2, 5, 12)
    assert run["context"].shape == (2, 3, 5, 7)
    with pytest.raises(InputError, match=r"head_value_dim is 7; torch's layer expects D / H = 4"):
        layer.to_torch()


def test_tokens_first_layout_gives_the_same_numbers() -> None:
    layer, swapped = randomised(), randomised(batch_first=False)
    x, memory = torch.randn(2, 5, 16), torch.randn(2, 7, 16)
    out = swapped(x.transpose(0, 1), memory.transpose(0, 1))
    torch.testing.assert_close(out.transpose(0, 1), layer(x, memory), rtol=0, atol=1e-6)


# -- masks -----------------------------------------------------------------------------------------------------


def test_causal_mask_is_a_triangle_that_ends_in_the_lower_right_corner() -> None:
    assert causal_mask(3).tolist() == [[True, False, False], [True, True, False], [True, True, True]]
    assert causal_mask(2, 3).tolist() == [[True, True, False], [True, True, True]]


@pytest.mark.parametrize("kernel", KERNELS)
def test_masks_join_what_all_of_them_allow(kernel: str) -> None:
    layer, x = randomised(), torch.randn(2, 5, 16)
    is_token = torch.tensor([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]]).bool()
    mask = torch.rand(4, 5, 5) < 0.5
    mask[..., 0] = True
    joined = mask & causal_mask(5) & is_token[:, None, None, :]  # [B, H, T, T]
    with av.record() as run:
        out = layer(x, mask=mask, is_causal=True, is_token=is_token, kernel=kernel)
    assert (run["weights"][~joined] == 0).all()
    assert torch.equal(out, layer(x, mask=joined, kernel=kernel))
    additive = torch.zeros(4, 5, 5).masked_fill(~mask, float("-inf"))
    torch.testing.assert_close(layer(x, mask=additive, is_causal=True, is_token=is_token, kernel=kernel), out)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float64])
@pytest.mark.parametrize("grad", [False, True])
def test_an_additive_mask_takes_the_precision_of_the_layer(kernel: str, dtype: torch.dtype, grad: bool) -> None:
    layer, x = randomised().to(dtype), torch.randn(2, 5, 16, dtype=dtype)
    with torch.set_grad_enabled(grad):
        assert layer(x, mask=torch.randn(5, 5), kernel=kernel).dtype == dtype


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("is_additive", [False, True])
def test_a_query_that_may_look_at_nothing_gets_zeros_and_never_nan(kernel: str, is_additive: bool) -> None:
    layer, x = randomised(), torch.randn(2, 5, 16, requires_grad=True)
    mask = torch.rand(5, 5) < 0.7
    mask[:, 0], mask[2] = True, False
    given = torch.zeros(5, 5).masked_fill(~mask, float("-inf")) if is_additive else mask
    with av.record() as run:
        out = layer(x, mask=given, kernel=kernel)
    assert (run["weights"][:, :, 2] == 0).all()
    assert (run["context"][:, :, 2] == 0).all()
    torch.testing.assert_close(out[:, 2], layer.w_o.bias.expand(2, 16))  # only b_O is left
    torch.testing.assert_close(run["weights"].sum(-1)[..., [0, 1, 3, 4]], torch.ones(2, 4, 4))
    out.sum().backward()
    for gradient in (x.grad, *(parameter.grad for parameter in layer.parameters())):
        assert gradient is not None
        assert torch.isfinite(gradient).all()


def test_a_query_that_may_look_at_nothing_is_known_to_its_trace() -> None:
    layer, mask = randomised(), torch.ones(5, 5, dtype=torch.bool)
    mask[2] = False
    with torch.no_grad(), av.record() as run:
        layer(torch.randn(1, 5, 16), mask=mask)
    record = run.trace(0)["encoder.0.self"]
    assert record.is_blocked(1).tolist() == [False, False, True, False, False]
    assert record.weights(1).sum(-1).round(decimals=5).tolist() == [1.0, 1.0, 0.0, 1.0, 1.0]


# -- dropout ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", KERNELS)
def test_recorded_weights_are_those_before_dropout(kernel: str) -> None:
    layer, x = randomised(dropout=0.5), torch.randn(2, 5, 16)
    with torch.no_grad(), av.record() as at_rest:
        out = layer(x, kernel=kernel)
    with torch.no_grad(), av.record() as training:
        trained = layer.train()(x, kernel=kernel)
    assert torch.equal(training["weights"], at_rest["weights"])
    torch.testing.assert_close(training["weights"].sum(-1), torch.ones(2, 4, 5))
    assert not torch.equal(trained, out)  # dropout did act on what was used


@pytest.mark.parametrize("kernel", KERNELS)
def test_recording_takes_no_number_from_the_dropout(kernel: str) -> None:
    layer, x = randomised(dropout=0.5).train(), torch.randn(2, 5, 16)
    torch.manual_seed(1)
    alone = layer(x, kernel=kernel)
    torch.manual_seed(1)
    with av.record():
        recorded = layer(x, kernel=kernel)
    assert torch.equal(alone, recorded)


# -- capture ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("keep", ["weights", "all"])
@pytest.mark.parametrize("grad", [False, True])
@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize("d_model", [16, 24])  # 1/√Dh is a power of two, and is not: two ways to scale
def test_recording_changes_no_number(kernel: str, keep: str, grad: bool, is_causal: bool, d_model: int) -> None:
    layer, x = randomised(d_model=d_model), torch.randn(2, 9, d_model)
    with torch.set_grad_enabled(grad):
        alone = layer(x, is_causal=is_causal, kernel=kernel)
        with av.record(keep=keep):  # type: ignore[arg-type]
            recorded = layer(x, is_causal=is_causal, kernel=kernel)
    assert torch.equal(alone, recorded)


def test_eight_threads_over_one_layer_never_mix() -> None:
    layer = randomised()
    inputs = [torch.randn(1, 3 + i, 16) for i in range(8)]
    expected = []
    for x in inputs:
        with torch.no_grad(), av.record() as run:
            layer(x)
        expected.append(run["weights"])
    wrong: list[int] = []

    def work(i: int) -> None:
        for _ in range(25):
            with torch.no_grad(), av.record() as run:
                layer(inputs[i])
            if len(run.places) != 1 or not torch.equal(run["weights"], expected[i]):
                wrong.append(i)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_nothing_stays_behind_after_an_exception() -> None:
    layer = randomised()
    before = dict(layer.__dict__)
    with pytest.raises(AttnvizError), av.record() as run:
        layer(torch.randn(2, 5, 16))
        layer(torch.randn(2, 5, 15))
    layer(torch.randn(2, 5, 16))
    assert run.places == ("attention",)  # only what ran before the fault
    assert layer.__dict__ == before
    assert not layer._forward_hooks and not layer._forward_pre_hooks


def test_a_single_head_takes_a_mask_for_each_text() -> None:
    head, x = SelfAttention(8), torch.randn(2, 3, 8)
    masks = torch.stack([causal_mask(3), torch.ones(3, 3, dtype=torch.bool)])  # [2, 3, 3]
    out = head(x, mask=masks)  # [2, 3, 8]
    torch.testing.assert_close(out[:1], head(x[:1], mask=masks[0]), rtol=0, atol=1e-6)
    torch.testing.assert_close(out[1:], head(x[1:]), rtol=0, atol=1e-6)


def test_large_finite_numbers_are_no_nan() -> None:
    layer = randomised()
    layer(torch.full((1, 4, 16), 1e37))  # their sum is infinite in float32, each of them is not


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device here")
@pytest.mark.parametrize("kernel", KERNELS)
def test_a_gpu_gives_the_same_numbers_and_keeps_them_there(kernel: str) -> None:
    layer, x = randomised(), torch.randn(2, 9, 16)
    expected = layer(x, is_causal=True)
    with torch.no_grad(), av.record() as run:
        out = layer.cuda()(x.cuda(), is_causal=True, kernel=kernel)
    assert out.is_cuda and run["weights"].is_cuda
    torch.testing.assert_close(out.cpu(), expected, rtol=0, atol=1e-5)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device here")
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("is_additive", [False, True])
def test_on_a_gpu_too_a_query_that_may_look_at_nothing_gets_zeros(kernel: str, is_additive: bool) -> None:
    layer, x = randomised().cuda(), torch.randn(2, 5, 16, device="cuda", requires_grad=True)
    mask = torch.ones(5, 5, dtype=torch.bool, device="cuda").tril()
    mask[2] = False
    given = torch.zeros(5, 5, device="cuda").masked_fill(~mask, float("-inf")) if is_additive else mask
    with av.record() as run:
        out = layer(x, mask=given, kernel=kernel)
    assert (run["weights"][:, :, 2] == 0).all() and (run["context"][:, :, 2] == 0).all()
    out.square().sum().backward()
    assert all(torch.isfinite(part.grad).all() for part in (x, *layer.parameters()))


@pytest.mark.parametrize("switch", ["bias", "batch_first"])
def test_a_switch_is_true_or_false(switch):
    with pytest.raises(InputError, match=f"{switch} came as str; expected a bool"):
        MultiHeadAttention(8, 2, **{switch: "no"})
