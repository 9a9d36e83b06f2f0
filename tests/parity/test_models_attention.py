"""MultiHeadAttention against torch.nn.MultiheadAttention: outputs, weights of each head, gradients."""

from dataclasses import dataclass
from typing import Annotated

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

import attnviz as av
from attnviz.core.errors import InputError
from attnviz.models import MultiHeadAttention
from tests.parity.models_against_torch import allowed_somewhere, assert_same, shaken

MASKS = ("none", "bool", "additive", "causal", "padding", "per head", "per text and head", "additive and padding")


@dataclass(frozen=True)
class Case:
    batch: Annotated[int, st.integers(1, 3)]
    n_queries: Annotated[int, st.integers(1, 9)]
    n_keys: Annotated[int, st.integers(1, 9)]
    n_heads: Annotated[int, st.integers(1, 5)]
    head_width: Annotated[int, st.integers(4, 16)]
    bias: bool
    mask: Annotated[str, st.sampled_from(MASKS)]
    seed: Annotated[int, st.integers(0, 2**31)]

    @property
    def d_model(self) -> int:
        return self.n_heads * self.head_width


def in_both_conventions(case: Case, dtype: torch.dtype) -> tuple[dict[str, Tensor | bool], dict[str, Tensor]]:
    """Our mask arguments (True = can attend) and torch's (True = cannot)."""
    b, h, tq, tk = case.batch, case.n_heads, case.n_queries, case.n_keys
    additive = torch.randn(tq, tk, dtype=dtype)  # [T_q, T_k]
    is_token = allowed_somewhere(b, 1, tk)[:, 0]  # [B, T_k]
    hidden = torch.zeros(b, tk, dtype=dtype).masked_fill(~is_token, float("-inf"))  # [B, T_k]
    alike, by_head, each = (allowed_somewhere(*axes, tq, tk) for axes in ((), (h,), (b, h)))
    later = torch.ones(tq, tk).triu(1).bool()  # [T_q, T_k]
    return {
        "none": ({}, {}),
        "bool": ({"mask": alike}, {"attn_mask": ~alike}),
        "additive": ({"mask": additive}, {"attn_mask": additive}),
        "causal": ({"is_causal": True}, {"attn_mask": later}) if tq == tk else ({}, {}),
        "padding": ({"is_token": is_token}, {"key_padding_mask": ~is_token}),
        "per head": ({"mask": by_head}, {"attn_mask": ~by_head.repeat(b, 1, 1)}),  # torch wants [B·H, T_q, T_k]
        "per text and head": ({"mask": each}, {"attn_mask": ~each.flatten(0, 1)}),
        "additive and padding": (
            {"mask": additive, "is_token": is_token}, {"attn_mask": additive, "key_padding_mask": hidden}
        ),
    }[case.mask]  # fmt: skip


def both(case: Case, dtype: torch.dtype) -> tuple[MultiHeadAttention, nn.MultiheadAttention, list[Tensor]]:
    torch.manual_seed(case.seed)
    theirs = shaken(nn.MultiheadAttention(case.d_model, case.n_heads, bias=case.bias, batch_first=True, dtype=dtype))
    assert isinstance(theirs, nn.MultiheadAttention)
    lengths = (case.n_queries, case.n_keys, case.n_keys)
    inputs = [torch.randn(case.batch, n, case.d_model, dtype=dtype) for n in lengths]
    return MultiHeadAttention.from_torch(theirs), theirs, inputs


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@settings(max_examples=80)
@given(case=st.builds(Case))
def test_outputs_and_weights_of_each_head_equal_torch(case: Case, dtype: torch.dtype) -> None:
    ours, theirs, inputs = both(case, dtype)
    our_masks, their_masks = in_both_conventions(case, dtype)
    for grad in (False, True):  # with gradients on, another path makes the same numbers
        with torch.set_grad_enabled(grad):
            expected, expected_weights = theirs(*inputs, **their_masks, average_attn_weights=False)
            with av.record() as run:
                out = ours(*inputs, **our_masks)
        assert_same(out, expected)
        assert_same(run["weights"], expected_weights)
        for kernel in ("explicit", "fused"):  # nobody records
            assert_same(ours(*inputs, **our_masks, kernel=kernel).detach(), expected.detach())
        if case.batch == 1 and not our_masks:  # one text needs no batch axis, as in torch
            assert_same(ours(*(x[0] for x in inputs)).detach(), expected[0].detach())


@settings(max_examples=60)
@given(case=st.builds(Case))
def test_gradients_of_inputs_and_parameters_equal_torch(case: Case) -> None:
    ours, theirs, inputs = both(case, torch.float32)
    our_masks, their_masks = in_both_conventions(case, torch.float32)
    our_inputs, their_inputs = ([x.clone().requires_grad_() for x in inputs] for _ in range(2))
    expected, _ = theirs(*their_inputs, **their_masks)
    out = ours(*our_inputs, **our_masks)
    pull = torch.randn_like(out)
    their_gradients = torch.autograd.grad(expected, [*their_inputs, *theirs.parameters()], pull)
    out.backward(pull)

    with torch.no_grad():  # put our gradients in the place of our weights, and let to_torch lay them out as torch does
        for parameter in ours.parameters():
            parameter.copy_(parameter.grad)
    our_gradients = [*(x.grad for x in our_inputs), *(p.detach() for p in ours.to_torch().parameters())]
    for our_gradient, their_gradient in zip(our_gradients, their_gradients, strict=True):
        assert_same(our_gradient, their_gradient, 1e-5)


@pytest.mark.parametrize("bias", [True, False])
def test_to_torch_and_back_keeps_every_number(bias: bool) -> None:
    ours = MultiHeadAttention(24, 4, bias=bias, dropout=0.25)
    shaken(ours.double().eval())
    theirs = ours.to_torch()
    back = MultiHeadAttention.from_torch(theirs)

    assert theirs.dropout == back.dropout == 0.25
    assert theirs.training is back.training is False
    assert back.state_dict().keys() == ours.state_dict().keys()
    for name, parameter in ours.state_dict().items():
        assert torch.equal(parameter, back.state_dict()[name])
    assert theirs.out_proj.weight.data_ptr() != ours.w_o.weight.data_ptr()  # a copy: training one leaves the other


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # torch is about to move it
def test_a_layer_of_torch_that_computes_otherwise_is_refused() -> None:
    with pytest.raises(InputError, match=r"quantizable.*given; expected torch"):
        MultiHeadAttention.from_torch(torch.ao.nn.quantizable.MultiheadAttention(16, 4))
