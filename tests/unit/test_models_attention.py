"""Attention by hand, its masks, its errors, and that recording changes nothing."""

from __future__ import annotations

import math
import threading

import pytest
import torch
from torch import Tensor

import attnviz as av
from attnviz.core.errors import AttnvizError, InputError, MaskError, TraceShapeError
from attnviz.models import KeysAndValues, MultiHeadAttention, SelfAttention, causal_mask, scaled_dot_product_attention

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


def test_recorded_weights_are_those_before_dropout() -> None:
    layer, x = randomised(dropout=0.5), torch.randn(2, 5, 16)
    with torch.no_grad(), av.record() as at_rest:
        out = layer(x)
    with torch.no_grad(), av.record() as training:
        trained = layer.train()(x)
    assert torch.equal(training["weights"], at_rest["weights"])
    torch.testing.assert_close(training["weights"].sum(-1), torch.ones(2, 4, 5))
    assert not torch.equal(trained, out)  # dropout did act on what was used


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


# -- errors ----------------------------------------------------------------------------------------------------


def errors() -> dict[str, tuple[type[AttnvizError], str, dict[str, Tensor]]]:
    x = torch.randn(2, 5, 16)
    nan = x.clone()
    nan[1, 2, 3] = float("nan")
    return {
        "width": (
            TraceShapeError,
            r"query has shape \[2, 5, 15\]; expected \[batch, tokens, 16",
            {"query": x[..., 1:]},
        ),
        "axes": (TraceShapeError, r"query has shape \[16\]; expected", {"query": x[0, 0]}),
        "no tokens": (InputError, r"query has shape \[2, 0, 16\]; expected at least one token", {"query": x[:, :0]}),
        "value length": (
            TraceShapeError,
            r"key has shape \[2, 5, 16\] and value \[2, 4, 16\].*one value",
            {"query": x, "key": x.clone(), "value": x[:, 1:]},
        ),
        "batch": (
            TraceShapeError,
            r"query has shape \[2, 5, 16\] and key \[3, 5, 16\]; expected the same batch.*batch_first=False",
            {"query": x, "key": torch.randn(3, 5, 16)},
        ),
        "device": (
            TraceShapeError,
            r"query is on meta and the layer on cpu; expected one device.*query.to\('cpu'\)",
            {"query": x.to("meta")},
        ),
        "precision": (TraceShapeError, r"query holds torch.float64 and the layer torch.float32", {"query": x.double()}),
        "nan": (InputError, r"query holds 1 NaN or infinite numbers, the first at \[1, 2, 3\]", {"query": nan}),
        "nan in key": (InputError, r"key holds 1 NaN or infinite numbers", {"query": x, "key": nan}),
        "mask size": (
            MaskError,
            r"mask has shape \[5, 4\]; expected \[queries, keys\] = \[5, 5\]",
            {"query": x, "mask": torch.ones(5, 4).bool()},
        ),
        "mask without its head axis": (
            MaskError,
            r"mask has shape \[2, 5, 5\].*pass mask\[:, None\]",
            {"query": x, "mask": torch.ones(2, 5, 5).bool()},
        ),
        "mask for more texts": (
            MaskError,
            r"broadcasts to \[2, 4, 5, 5\]",
            {"query": x, "mask": torch.ones(3, 1, 5, 5).bool()},
        ),
        "mask of whole numbers": (
            MaskError,
            r"mask holds torch.int64; expected bool \(True = may look\).*mask.bool\(\)",
            {"query": x, "mask": torch.ones(5, 5).long()},
        ),
        "padding size": (
            MaskError,
            r"is_token has shape \[2, 4\]; expected \[2, 5\]",
            {"query": x, "is_token": torch.ones(2, 4).bool()},
        ),
        "padding kind": (
            MaskError,
            r"is_token holds torch.float32; expected bool, True where a token stands",
            {"query": x, "is_token": torch.ones(2, 5)},
        ),
        "mask on another device": (
            TraceShapeError,
            r"mask is on meta and the layer on cpu; expected one device.*mask.to\('cpu'\)",
            {"query": x, "mask": torch.ones(5, 5, device="meta").bool()},
        ),
        "padding on another device": (
            TraceShapeError,
            r"is_token is on meta and the layer on cpu",
            {"query": x, "is_token": torch.ones(2, 5, device="meta").bool()},
        ),
    }


@pytest.mark.parametrize("name", errors())
def test_what_does_not_fit_is_refused_with_what_was_expected_and_what_came(name: str) -> None:
    kind, sentence, arguments = errors()[name]
    with pytest.raises(kind, match=sentence):
        randomised()(**arguments)


def test_large_finite_numbers_are_no_nan() -> None:
    layer = randomised()
    layer(torch.full((1, 4, 16), 1e37))  # their sum is infinite in float32, each of them is not


def test_self_attention_refuses_what_does_not_fit() -> None:
    with pytest.raises(TraceShapeError, match=r"\[2, 5, 15\]; expected \[batch, tokens, 16\]"):
        SelfAttention(16)(torch.randn(2, 5, 15))
    with pytest.raises(MaskError, match=r"mask has shape \[4, 4\]"):
        SelfAttention(16)(torch.randn(2, 5, 16), mask=causal_mask(4))


@pytest.mark.parametrize(("d_model", "n_heads", "advice"), [(10, 4, "8 or 12"), (3, 4, "4")])
def test_a_width_that_the_heads_cannot_share_is_refused(d_model: int, n_heads: int, advice: str) -> None:
    sentence = rf"d_model={d_model} cannot be shared equally by n_heads={n_heads}.*Choose d_model={advice}"
    with pytest.raises(InputError, match=sentence):
        MultiHeadAttention(d_model, n_heads)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"d_model": 0}, "d_model is 0; expected at least 1"),
        ({"d_model": -8}, "d_model is -8; expected at least 1"),
        ({"n_heads": 2.0}, "n_heads is 2.0; expected a whole number"),
        ({"n_heads": 0}, "n_heads is 0; expected at least 1"),
        ({"dropout": 1.0}, "dropout is 1.0; expected 0 <= dropout < 1"),
        ({"dropout": -0.1}, "dropout is -0.1; expected 0 <= dropout < 1"),
        ({"head_value_dim": 0}, "head_value_dim is 0; expected at least 1"),
        ({"key_width": 0}, "key_width is 0; expected at least 1"),
        ({"value_width": -1}, "value_width is -1; expected at least 1"),
    ],
)
def test_a_layer_that_cannot_be_built_is_refused(arguments: dict[str, object], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        MultiHeadAttention(**{"d_model": 8, "n_heads": 4, **arguments})  # type: ignore[arg-type]


def test_a_head_without_width_is_refused() -> None:
    with pytest.raises(InputError, match="width is 0; expected at least 1"):
        SelfAttention(8, 0)


def test_a_single_head_takes_a_mask_for_each_text() -> None:
    head, x = SelfAttention(8), torch.randn(2, 3, 8)
    masks = torch.stack([causal_mask(3), torch.ones(3, 3, dtype=torch.bool)])  # [2, 3, 3]
    out = head(x, mask=masks)  # [2, 3, 8]
    torch.testing.assert_close(out[:1], head(x[:1], mask=masks[0]), rtol=0, atol=1e-6)
    torch.testing.assert_close(out[1:], head(x[1:]), rtol=0, atol=1e-6)


def test_a_kernel_that_does_not_exist_is_refused() -> None:
    with pytest.raises(InputError, match=r"kernel is 'flash'; expected one of 'explicit', 'fused'\. Check"):
        randomised()(torch.randn(1, 2, 16), kernel="flash")  # type: ignore[arg-type]


def test_another_torch_layer_is_refused() -> None:
    with pytest.raises(InputError, match=r"Linear came; expected a torch\.nn\.MultiheadAttention"):
        MultiHeadAttention.from_torch(torch.nn.Linear(4, 4))  # type: ignore[arg-type]


def test_a_torch_layer_with_keys_of_its_own_is_refused() -> None:
    with pytest.raises(InputError, match="adds keys that belong to no token"):
        MultiHeadAttention.from_torch(torch.nn.MultiheadAttention(16, 4, add_bias_kv=True))


# -- cache -----------------------------------------------------------------------------------------------------


def test_one_token_at_a_time_with_a_cache_equals_all_at_once() -> None:
    layer, x, past = randomised(), torch.randn(2, 6, 16), KeysAndValues()
    whole = layer(x, is_causal=True)
    steps = [layer(x[:, t : t + 1], is_causal=True, past=past) for t in range(6)]
    torch.testing.assert_close(torch.cat(steps, dim=1), whole, rtol=0, atol=1e-6)


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
