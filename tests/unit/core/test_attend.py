"""Attention with numbers a reader can check by hand, and the rules that every kernel keeps."""

import itertools
import math

import pytest
import torch
from torch.testing import assert_close

import attnviz as av
from attnviz.core import errors, ops

Q = torch.tensor([[1.0, 0.0], [0.0, 2.0]])  # [T_q, d_k]
K = torch.tensor([[1.0, 0.0], [0.0, 1.0]])  # [T_k, d_k]
V = torch.tensor([[10.0, 0.0, 1.0], [0.0, 10.0, 1.0]])  # [T_k, d_v]
KERNELS = ("explicit", "fused")


def test_two_tokens_by_hand():
    with av.record(keep="all") as run:
        out, weights = av.scaled_dot_product_attention(Q, K, V)
    assert_close(run["raw"], torch.tensor([[1.0, 0.0], [0.0, 2.0]]), rtol=0, atol=0)
    assert_close(run["scores"], run["raw"] / math.sqrt(2), rtol=0, atol=1e-7)
    assert_close(run["masked"], run["scores"], rtol=0, atol=0)
    first = math.exp(1 / math.sqrt(2)) / (math.exp(1 / math.sqrt(2)) + 1)  # scores of row 0: 1/√2 and 0
    second = math.exp(2 / math.sqrt(2)) / (math.exp(2 / math.sqrt(2)) + 1)  # scores of row 1: 0 and 2/√2
    assert_close(weights, torch.tensor([[first, 1 - first], [1 - second, second]]), rtol=0, atol=1e-6)
    assert_close(out[0], torch.tensor([10 * first, 10 * (1 - first), 1.0]), rtol=0, atol=1e-5)


MASKS = {
    "none": None,
    "bool": torch.tensor([[True] * 6 + [False] * 3]).repeat(7, 1),
    "blocked": torch.tensor([[True] * 9] * 4 + [[False] * 9] + [[True] * 8 + [False]] * 2),  # row 4 can attend to none
    "float": torch.linspace(-2, 2, 2 * 7 * 9).reshape(2, 1, 7, 9),
}


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("grad", [False, True])
@pytest.mark.parametrize("mask", MASKS)
def test_every_setting_does_what_its_formula_says(mask, grad, kernel):
    torch.manual_seed(1)
    shapes = (2, 3, 7, 8), (2, 3, 9, 8), (2, 3, 9, 5)
    q, k, v = (torch.randn(*shape, requires_grad=grad) for shape in shapes)
    given = MASKS[mask]
    added = torch.zeros(7, 9).masked_fill(~given, -math.inf) if mask in ("bool", "blocked") else given
    scales = None, 0.7, 0.25  # a power of two is multiplied at another place
    others = (None, 1.5), (None, torch.randn(3, 7, 9)), (None, torch.randn(3))
    for scale, cap, bias, sinks in itertools.product(scales, *others):
        scores = q @ k.mT * (8**-0.5 if scale is None else scale)
        scores = scores if cap is None else cap * torch.tanh(scores / cap)
        masked = logits = scores + (0.0 if bias is None else bias) + (0.0 if added is None else added)
        if sinks is not None:
            logits = torch.cat([masked, sinks.reshape(3, 1, 1).expand(2, 3, 7, 1)], -1)
        weights = torch.softmax(logits, -1)[..., :9].nan_to_num(0.0)  # NaN where no key is allowed
        with av.record() as run:
            context, made = av.attend(
                q, k, v, mask=given, scale=scale, softcap=cap, bias=bias, sinks=sinks, kernel=kernel
            )
        assert (made is None) == (kernel == "fused")
        assert_close(run["raw"], q @ k.mT, rtol=0, atol=5e-6)
        assert_close(run["scores"], scores, rtol=0, atol=2e-6)
        assert_close(run["masked"], masked, rtol=0, atol=2e-6)
        assert_close(run["weights"], weights, rtol=0, atol=1e-6)
        exact = kernel == "explicit"  # the fused one never makes these weights
        assert_close(context, run["weights"] @ v, rtol=0, atol=0 if exact else 2e-6)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("by", ["mask", "mask and bias"])
def test_a_query_that_can_attend_to_nothing_gives_zeros_and_no_nan_gradient(by, kernel):
    q, k, v = (torch.randn(2, 3, 5, 4, dtype=torch.float64, requires_grad=True) for _ in range(3))
    allowed, bias = torch.rand(5, 5) > 0.4, None
    allowed[:, 0] = True
    allowed[2] = False
    if by == "mask and bias":
        allowed[2, 4], bias = True, torch.zeros(5, 5)
        bias[2, 4] = -math.inf
    with av.record() as run:
        context, _ = av.attend(q, k, v, mask=allowed, bias=bias, kernel=kernel)
    context.sum().backward()
    assert all(bool(torch.isfinite(x.grad).all()) for x in (q, k, v))
    for zeros in (context[..., 2, :], run["weights"][..., 2, :], q.grad[..., 2, :]):
        assert_close(zeros, torch.zeros_like(zeros), rtol=0, atol=0)
    assert run.trace(0)["encoder.0.self"].is_blocked().tolist() == [False, False, True, False, False]


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("keep", ["weights", "all"])
@pytest.mark.parametrize("grad", [False, True])
def test_recording_never_changes_a_number(grad, keep, kernel):
    torch.manual_seed(2)
    blocked = torch.rand(33, 33) > 0.5
    blocked[4] = False
    added = torch.zeros(33, 33).masked_fill(~blocked, -math.inf)
    masks = (None, torch.rand(33, 33) > 0.5, blocked, added, torch.randn(33, 33), torch.randn(33, 33).double())
    for mask, width, dropout in itertools.product(masks, (16, 12), (0.0, 0.5)):  # 1/√16 is a power of two
        q, k, v = (torch.randn(2, 4, 33, width, requires_grad=grad) for _ in range(3))
        torch.manual_seed(3)
        plain, _ = av.attend(q, k, v, mask=mask, dropout=dropout, kernel=kernel)
        torch.manual_seed(3)
        with av.record(keep=keep) as run:
            recorded, weights = av.attend(q, k, v, mask=mask, dropout=dropout, kernel=kernel)
        assert torch.equal(plain, recorded)
        assert run["weights"].shape == (2, 4, 33, 33)
        assert weights is None or torch.equal(weights, run["weights"])  # before dropout, as test_recorded_layers says


def test_the_recorded_raw_is_what_made_the_scores():
    doubled = av.Edit("raw", lambda name, raw: raw * 2, "raw doubled")
    with av.record(keep="all", edits=doubled) as run:
        _, weights = av.attend(Q, K, V)
    assert torch.equal(run["raw"], (Q @ K.mT) * 2)
    assert torch.equal(run["scores"], run["raw"] * Q.shape[-1] ** -0.5)
    assert torch.equal(run["scores"].softmax(-1), weights)


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


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(
    "extra", [{}, {"is_causal": True}, {"mask": torch.eye(4).flip(0) < 1}, {"softcap": 2.0, "is_causal": True}], ids=str
)
def test_grouped_keys_and_values_are_each_shared_by_neighbouring_heads(kernel, extra):
    q = torch.randn(2, 6, 4, 8, dtype=torch.float64, requires_grad=True)  # [B, H, T, d_k]
    k, v = (torch.randn(2, 2, 4, 8, dtype=torch.float64, requires_grad=True) for _ in "kv")  # [B, G, T, d_k]
    shared = [part.repeat_interleave(3, dim=1) for part in (k, v)]  # [B, H, T, d_k]
    grouped, _ = av.attend(q, k, v, kernel=kernel, **extra)
    expected, _ = av.attend(q, *shared, kernel="explicit", **extra)
    assert_close(grouped, expected, rtol=0, atol=1e-12)
    theirs = torch.autograd.grad(expected.square().sum(), (q, k, v))
    for ours, own in zip(torch.autograd.grad(grouped.square().sum(), (q, k, v)), theirs, strict=True):
        assert_close(ours, own, rtol=0, atol=1e-11)
    with av.record() as run, av.at("here"):
        av.attend(q, k, v, kernel=kernel, **extra)
    assert run["k"] is k and run["weights"].shape == (2, 6, 4, 4)  # nothing was copied


def test_heads_of_keys_that_do_not_divide_those_of_queries_are_refused():
    q, k = torch.randn(1, 6, 4, 8), torch.randn(1, 4, 4, 8)
    with pytest.raises(errors.TraceShapeError, match="a number of heads of k and v that divides that of q"):
        av.attend(q, k, k)
