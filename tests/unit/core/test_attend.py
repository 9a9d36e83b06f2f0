"""Attention with numbers a reader can check by hand, and the rules that every kernel keeps."""

import math

import pytest
import torch
from torch.testing import assert_close

import attnviz as av
from attnviz.core import ops

Q = torch.tensor([[1.0, 0.0], [0.0, 2.0]])  # [T_q, d_k]
K = torch.tensor([[1.0, 0.0], [0.0, 1.0]])  # [T_k, d_k]
V = torch.tensor([[10.0, 0.0, 1.0], [0.0, 10.0, 1.0]])  # [T_k, d_v]
KERNELS = ("explicit", "fused")


def test_two_tokens_by_hand():
    out, weights = av.scaled_dot_product_attention(Q, K, V)
    first = math.exp(1 / math.sqrt(2)) / (math.exp(1 / math.sqrt(2)) + 1)  # scores of row 0: 1/√2 and 0
    second = math.exp(2 / math.sqrt(2)) / (math.exp(2 / math.sqrt(2)) + 1)  # scores of row 1: 0 and 2/√2
    assert_close(weights, torch.tensor([[first, 1 - first], [1 - second, second]]), rtol=0, atol=1e-6)
    assert_close(out[0], torch.tensor([10 * first, 10 * (1 - first), 1.0]), rtol=0, atol=1e-5)


def test_every_value_is_recorded_under_its_name():
    with av.record(keep="all") as run:
        av.attend(Q, K, V)
    assert_close(run["raw"], torch.tensor([[1.0, 0.0], [0.0, 2.0]]), rtol=0, atol=0)
    assert_close(run["scores"], run["raw"] / math.sqrt(2), rtol=0, atol=1e-7)
    assert_close(run["masked"], run["scores"], rtol=0, atol=0)
    assert_close(run["context"], run["weights"] @ V, rtol=0, atol=0)


def test_true_in_a_mask_means_may_look():
    allowed = torch.tensor([[True, False], [True, True]])
    _, weights = av.scaled_dot_product_attention(Q, K, V, allowed)
    assert_close(weights[0], torch.tensor([1.0, 0.0]), rtol=0, atol=0)
    assert weights[1].min() > 0


def test_a_float_mask_is_added_to_the_scores():
    added = torch.tensor([[0.0, math.log(3.0) + 1 / math.sqrt(2)], [0.0, 0.0]])
    _, weights = av.scaled_dot_product_attention(Q, K, V, added)
    assert_close(weights[0], torch.tensor([0.25, 0.75]), rtol=0, atol=1e-6)


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_query_that_may_look_at_nothing_gives_zeros_and_no_nan_gradient(kernel):
    q, k, v = (torch.randn(2, 3, 5, 4, dtype=torch.float64, requires_grad=True) for _ in range(3))
    allowed = torch.rand(5, 5) > 0.4
    allowed[2] = False
    context, weights = av.attend(q, k, v, mask=allowed, kernel=kernel)
    assert_close(context[..., 2, :], torch.zeros(2, 3, 4, dtype=torch.float64), rtol=0, atol=0)
    context.sum().backward()
    assert all(bool(torch.isfinite(x.grad).all()) for x in (q, k, v))
    assert_close(q.grad[..., 2, :], torch.zeros(2, 3, 4, dtype=torch.float64), rtol=0, atol=0)
    if weights is not None:
        assert_close(weights[..., 2, :], torch.zeros(2, 3, 5, dtype=torch.float64), rtol=0, atol=0)


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_query_that_bias_and_mask_block_together_gives_zeros(kernel):
    q = torch.randn(1, 1, 3, 4)
    bias = torch.zeros(3, 3)
    bias[1, :2] = -math.inf
    allowed = torch.ones(3, 3, dtype=torch.bool)
    allowed[1, 2] = False
    with av.record() as run:
        context, _ = av.attend(q, q, q, mask=allowed, bias=bias, kernel=kernel)
    assert_close(context[..., 1, :], torch.zeros(1, 1, 4), rtol=0, atol=0)
    assert_close(run["weights"][..., 1, :], torch.zeros(1, 1, 3), rtol=0, atol=0)
    assert run.trace(0)["encoder.0.self"].is_blocked().tolist() == [False, True, False]


@pytest.mark.parametrize("mask", [None, "bool", "float", "blocked"])
@pytest.mark.parametrize("softcap", [None, 1.5])
@pytest.mark.parametrize("with_sinks", [False, True])
def test_the_two_kernels_agree(mask, softcap, with_sinks):
    torch.manual_seed(1)
    q, k, v = torch.randn(2, 3, 7, 8), torch.randn(2, 3, 9, 8), torch.randn(2, 3, 9, 5)
    allowed = torch.rand(7, 9) > 0.3
    allowed[:, 0] = True
    if mask == "blocked":
        allowed[4] = False
    given = {None: None, "bool": allowed, "float": torch.randn(2, 1, 7, 9), "blocked": allowed}[mask]
    settings = {"mask": given, "softcap": softcap, "sinks": torch.randn(3) if with_sinks else None}
    explicit, _ = av.attend(q, k, v, **settings)
    fused, weights = av.attend(q, k, v, kernel="fused", **settings)
    assert weights is None
    assert_close(fused, explicit, rtol=0, atol=2e-6)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("scale", [0.7, 0.25])  # a power of two is multiplied at another place
@pytest.mark.parametrize("softcap", [None, 1.5])
def test_a_scale_of_ones_own_is_the_one_that_acts(kernel, scale, softcap):
    torch.manual_seed(3)
    q, k, v = torch.randn(2, 3, 7, 8), torch.randn(2, 3, 9, 8), torch.randn(2, 3, 9, 5)
    scores = q @ k.mT * scale
    scores = scores if softcap is None else softcap * torch.tanh(scores / softcap)
    with av.record() as run:
        context, _ = av.attend(q, k, v, scale=scale, softcap=softcap, kernel=kernel)
    assert_close(run["scores"], scores, rtol=0, atol=2e-6)
    assert_close(run["weights"], torch.softmax(scores, -1), rtol=0, atol=1e-6)
    assert_close(context, torch.softmax(scores, -1) @ v, rtol=0, atol=2e-6)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("is_masked", [False, True])
@pytest.mark.parametrize("grad", [False, True])
def test_a_position_bias_is_added_to_the_scores(kernel, is_masked, grad):
    torch.manual_seed(4)
    q, k, v = (torch.randn(2, 3, 6, 8, requires_grad=grad) for _ in range(3))
    bias, allowed = torch.randn(3, 6, 6), torch.ones(6, 6, dtype=torch.bool).tril()
    masked = q @ k.mT / math.sqrt(8) + bias
    masked = masked.masked_fill(~allowed, -math.inf) if is_masked else masked
    with av.record() as run:
        context, _ = av.attend(q, k, v, bias=bias, mask=allowed if is_masked else None, kernel=kernel)
    assert_close(run["weights"], torch.softmax(masked, -1), rtol=0, atol=1e-6)
    assert_close(context, torch.softmax(masked, -1) @ v, rtol=0, atol=2e-6)


def test_a_sink_takes_weight_and_gives_nothing():
    q = k = v = torch.zeros(1, 2, 4)  # all scores 0: two keys and a sink of logit 0 share alike
    _, weights = av.attend(q, k, v, sinks=torch.zeros(1))
    assert_close(weights, torch.full((1, 2, 2), 1 / 3), rtol=0, atol=1e-7)


def test_a_sink_shares_by_its_own_logit():
    sinks = torch.tensor([0.5, -2.0])
    with av.record() as run:
        _, weights = av.attend(Q.expand(2, 2, 2), K.expand(2, 2, 2), V.expand(2, 2, 3), sinks=sinks)
    for head in range(2):
        for query in range(2):
            scores = [float(score) for score in run["scores"][head, query]]
            total = sum(math.exp(score) for score in (*scores, float(sinks[head])))
            expected = torch.tensor([math.exp(score) / total for score in scores])
            assert_close(weights[head, query], expected, rtol=0, atol=1e-6)


def test_layer_norm_adds_eps_to_the_variance():
    x, gain, shift = torch.randn(3, 8), torch.randn(8), torch.randn(8)
    for eps in (1e-5, 0.5):
        expected = torch.nn.functional.layer_norm(x, (8,), gain, shift, eps)
        assert_close(ops.normalise(x, gain, shift, eps), expected, rtol=0, atol=1e-6)


def test_dropout_does_not_touch_the_recorded_weights():
    torch.manual_seed(0)
    q, k, v = (torch.randn(1, 2, 6, 4) for _ in range(3))
    _, clean = av.attend(q, k, v)
    with av.record() as run:
        dropped, weights = av.attend(q, k, v, dropout=0.5)
    assert_close(weights, clean, rtol=0, atol=0)
    assert_close(run["weights"], clean, rtol=0, atol=0)
    assert not torch.equal(dropped, clean @ v)


def test_gradients_flow_like_those_of_the_formula():
    q, k, v = (torch.randn(3, 4, dtype=torch.float64, requires_grad=True) for _ in range(3))
    assert torch.autograd.gradcheck(lambda *x: av.attend(*x)[0], (q, k, v))


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("keep", ["weights", "all"])
def test_recording_never_changes_a_number(kernel, keep):
    torch.manual_seed(2)
    q, k, v = (torch.randn(2, 4, 33, 16) for _ in range(3))
    blocked = torch.rand(33, 33) > 0.5
    blocked[4] = False
    masks = (
        None,
        torch.rand(33, 33) > 0.5,
        blocked,
        torch.zeros(33, 33).masked_fill(~blocked, -math.inf),
        torch.randn(33, 33),
        torch.randn(33, 33).double(),
    )
    for mask in masks:
        plain, _ = av.attend(q, k, v, mask=mask, kernel=kernel)
        with av.record(keep=keep) as run:
            recorded, _ = av.attend(q, k, v, mask=mask, kernel=kernel)
        assert torch.equal(plain, recorded)
        assert run["weights"].shape == (2, 4, 33, 33)


def test_the_recorded_raw_is_what_made_the_scores(monkeypatch):
    products = []
    monkeypatch.setattr(ops, "raw_scores", lambda q, k: products.append(q @ k.mT) or products[-1])
    with av.record(keep="all") as run:
        av.attend(Q, K, V)
    assert len(products) == 1 and run["raw"] is products[0]


@pytest.mark.parametrize("fault", [torch.OutOfMemoryError, RuntimeError])
def test_what_goes_wrong_in_torch_is_not_tried_again_another_way(monkeypatch, fault):
    calls = []

    def fails(*args, **kwargs):
        calls.append(kwargs)
        raise fault("out of memory")

    monkeypatch.setattr(torch, "softmax", fails)
    with pytest.raises(fault, match="out of memory"):
        av.attend(Q, K, V)
    assert len(calls) == 1


def test_autocast_takes_the_formula_as_it_is_written():
    q = torch.randn(2, 3, 5, 16)
    with torch.autocast("cpu", torch.bfloat16), torch.no_grad():
        plain, _ = av.attend(q, q, q)
        with av.record(keep="all"):
            recorded, _ = av.attend(q, q, q)
    assert torch.equal(plain, recorded)


def test_a_row_is_blocked_where_no_key_is_allowed_and_only_there():
    never = -math.inf
    mask = torch.tensor([[0.0, never], [never, never], [math.nan, never], [-1e30, -1e30]])
    assert ops.blocked_rows(mask).flatten().tolist() == [False, True, False, False]
    assert ops.blocked_rows(mask == 0).flatten().tolist() == [False, True, True, True]
    assert ops.blocked_rows(torch.zeros(2, 3)) is None
    assert ops.blocked_rows(torch.zeros(2, 0)).tolist() == [[True], [True]]  # there is no key at all
