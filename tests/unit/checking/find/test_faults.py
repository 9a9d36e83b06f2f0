"""Each mistake is found and called by its name, alone, in pairs, and where the cause is not known."""

import copy
import math
from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

import attnviz as av
from attnviz.checking import Report
from attnviz.checking.call.candidate import candidate_of
from attnviz.checking.call.inputs import some_mask
from attnviz.checking.find.examination import examinations
from attnviz.checking.find.faults import MASK, Fault, faults_for
from attnviz.checking.find.search import agrees, first_reading
from tests.unit.checking.layers import Right, broken, hiding, ids, only, right, unscaled

SIZES = {"d_model": 24, "n_heads": 3, "d_head": 8, "d_value": 8, "tokens": 5}
FORWARD = faults_for(SIZES)


@pytest.mark.parametrize("fault", (*FORWARD, *MASK), ids=lambda f: "-".join([f.id, *map(str, f.changes.values())]))
def test_each_known_mistake_is_told_from_all_others(fault: Fault) -> None:
    (examination,) = examinations(candidate_of(Right(), None), None, None, is_causal=False)
    reading, inputs = examination.readings[0], examination.inputs(20)
    mask, known = (some_mask(inputs[0].shape[1], 7), MASK) if fault in MASK else (None, FORWARD)
    theirs = replace(reading, faults=(fault,)).values(inputs, mask).out
    assert first_reading(theirs, inputs, [reading], mask, count=0) is None
    found = first_reading(theirs, inputs, [reading], mask, known=known)
    assert found is not None
    assert [f.id for f in found.faults] == [fault.id]


@pytest.mark.parametrize(("id", "methods"), [
    ("one-head-instead", {"split": lambda s, x: x[:, None]}),
    ("projection-mixed-up", {"project": lambda s, x: (s.w_q(x), s.w_q(x), s.w_v(x))}),
    ("bias-ignored", {"project": lambda s, x: tuple(x @ w.weight.mT for w in (s.w_q, s.w_k, s.w_v))}),
    ("matrix-untransposed", {"project": lambda s, x: tuple(x @ w.weight + w.bias for w in (s.w_q, s.w_k, s.w_v))}),
    ("scale-wrong", {"scores": lambda s, q, k: q @ k.mT / math.sqrt(k.shape[-2])}),
    ("softmax-twice", {"weights": lambda s, m: m.softmax(-1).softmax(-1)}),
    ("softmax-over-batch", {"weights": lambda s, m: m.softmax(0)}),
    ("causal-misses-itself", {"hide": hiding(lambda ones: ones.triu())}),
    ("causal-reversed", {"hide": hiding(lambda ones: ones.tril(-1))}),
    ("mask-transposed", {"hide": lambda s, x, m: x if m is None else Right.hide(s, x, m.mT)}),
    ("gradient-cut", {"project": lambda s, x: (s.w_q(x).detach(), s.w_k(x), s.w_v(x))}),
    ("gradient-cut", {"project": lambda s, x: Right.project(s, x.detach())}),
    ("gradient-differs", {"project": lambda s, x: (s.w_q(x), s.w_k(x), 2 * s.w_v(x) - s.w_v(x).detach())}),
    ("gradient-dead", {"forward": torch.no_grad()(Right.forward)}),
    ("gradient-raises", {"weights": lambda s, m: m.softmax(-1).mul_(1)}),
    ("raises-with-gradients", {"project": lambda s, x: Right.project(s, torch.from_numpy(x.numpy()))}),
    ("input-overwritten", {"forward": lambda s, x, mask=None: Right.forward(s, x.mul_(2), mask)}),
    ("random", {"weights": lambda s, m: m.softmax(-1) * torch.rand(())}),
])  # fmt: skip
def test_a_broken_layer_is_called_by_its_fault(id: str, methods: dict[str, Any]) -> None:
    only(broken(**methods), id)


def test_two_wrong_scales_that_are_the_same_number_are_both_named() -> None:
    words = "QKᵀ is divided by 4, which with these sizes is √d_model and d_head alike"
    only(broken(Right, 16, 4, scores=lambda s, q, k: q @ k.mT / 4), "scale-by-model-width", words)


def test_dropout_does_not_hide_another_fault() -> None:
    both = broken(weights=lambda s, m: F.dropout(m.softmax(-1), 0.3), scores=unscaled)
    assert ids(both) == ["scale-missing", "dropout-at-eval"]


def test_mistakes_that_hide_each_other_are_all_found() -> None:
    two = broken(
        project=lambda s, x: (s.w_k(x), s.w_q(x), s.w_v(x)),
        hide=lambda s, x, mask: x.masked_fill(torch.ones(x.shape[-2:]).triu(2).bool(), -math.inf),
    )
    assert ids(two) == ["q-and-k-swapped", "causal-peeks-ahead", "mask-ignored"]


@pytest.mark.parametrize(("layer", "id", "words", "fix"), [
    (broken(scores=lambda s, q, k: torch.tanh(q @ k.mT / math.sqrt(8))), "differs",
     ("the joining of the heads and W_O are right, and the fault is in where it looks", "The weights differ too."),
     "look at q, k, the scale and the softmax"),
    (broken(join=lambda s, c: Right.join(s, c) * 1.3), "differs",
     ("With all tokens alike, where every weight gives the same, it differs too", "The weights agree with ours"),
     "look at weights @ v"),
    (broken(weights=lambda s, m: m.relu()), "differs", ("Their rows sum to between 0 and",), "look at W_V"),
    (broken(scores=lambda s, q, k: (q.bfloat16() @ k.bfloat16().mT).to(q) / math.sqrt(8)), "imprecise",
     ("of its largest value", "jumps with every small change of the input, as rounding does"), "look for .half()"),
    (broken(scores=lambda s, q, k: Right.scores(s, q, k) + torch.sin(torch.arange(float(q.shape[2])) + q.shape[1])),
     "adds-positions", ("depends on the places of the tokens", "so there is no verdict"), "if it adds positions on"),
], ids=["where it looks", "the way of the values", "sums of rows", "half precision", "positions"])  # fmt: skip
def test_a_fault_that_nobody_knows_is_narrowed_down(layer: nn.Module, id: str, words: tuple, fix: str) -> None:
    assert only(layer, id, *words).fix.startswith(fix)


BFLOAT16, FLOAT16 = torch.bfloat16, torch.float16


def reported(layer: nn.Module, id: str) -> Report:
    """The report of a layer with this one finding."""
    report = av.check_attention(layer)
    assert [finding.id for finding in report.findings] == [id], str(report)
    return report


def low(self: Right, x: Tensor, mask: Tensor | None = None) -> Any:
    return Right.forward(copy.deepcopy(self).to(BFLOAT16), x.to(BFLOAT16), mask)


@pytest.mark.parametrize("methods", [
    {"forward": low},
    {"project": lambda s, x: Right.project(s, x.to(BFLOAT16).to(x))},
    {"weights": lambda s, m: m.to(FLOAT16).softmax(-1).to(m)},
    {"join": lambda s, c: Right.join(s, c).to(FLOAT16).to(c)},
    {"scores": lambda s, q, k: (Right.scores(s, q, k) * 64).round() / 64},
], ids=["all", "the input", "the softmax", "the context", "fixed point"])  # fmt: skip
def test_rounding_is_named_wherever_it_happens(methods: dict[str, Any]) -> None:
    assert "cause is not known" not in str(reported(broken(**methods), "imprecise"))


@pytest.mark.parametrize(("methods", "fix"), [
    ({"scores": lambda s, q, k: 50 * torch.tanh(Right.scores(s, q, k) / 50)}, "look at q, k, the scale"),
    ({"forward": lambda s, x, mask=None: (y := Right.forward(s, x, mask), (y[0] + 0.01 * x,))[1]}, "look at W_V"),
    ({"weights": lambda s, m: m.softmax(-1) / (m.softmax(-1).sum(-1, keepdim=True) + 1e-3)}, "look at W_V"),
    ({"weights": lambda s, m: m.softmax(-1) * (m.softmax(-1) > 0.01)}, "look at"),
    ({"join": lambda s, c: Right.join(s, c) * (1 + 0.01 * Right.join(s, c).sigmoid())}, "look at weights @ v"),
], ids=["soft cap", "residual", "eps", "small weights left out", "gate"])  # fmt: skip
def test_no_rounding_is_named_where_the_output_is_nearly_right_and_nothing_is_rounded(methods: Any, fix: str) -> None:
    report = reported(broken(**methods), "differs")
    assert report.findings[0].fix.startswith(fix)
    assert all(word in report.findings[0].fix for word in ("softcap", "gate"))
    assert str(report).startswith("Broken: it differs from ours, and the cause is not known.\n")


@pytest.mark.parametrize("divisor", [math.sqrt(8) + 1e-3, 20.0])
def test_a_scale_without_a_name_is_measured(divisor: float) -> None:
    finding = only(broken(scores=lambda s, q, k: q @ k.mT / divisor), "scale-other")
    assert finding.sentence == f"QKᵀ is divided by {divisor:.4g}; expected √d_head = 2.828."
    assert finding.evidence[1].value < 1e-9


def test_flash_attention_s_order_of_axes_is_told_how_to_be_checked() -> None:
    def flash(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        parts = (x.transpose(1, 2) for x in (q, k, v))
        return F.scaled_dot_product_attention(*parts).transpose(1, 2)

    assert "as flash-attention does" in only(flash, "heads-look-at-heads").fix


def rolled(q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)
    return weights @ v, weights.roll(1, -1)


def test_weights_from_another_place_are_found() -> None:
    only(rolled, "weights-differ")


def test_a_reference_with_other_weights_is_told_before_anything_else() -> None:
    mine, theirs = Right(), nn.MultiheadAttention(24, 3, batch_first=True)
    weights = *theirs.in_proj_weight.chunk(3), theirs.out_proj.weight
    biases = *theirs.in_proj_bias.chunk(3), theirs.out_proj.bias
    for letter, weight, bias in zip("qkvo", weights, biases, strict=True):
        mine.get_submodule(f"w_{letter}").load_state_dict({"weight": weight, "bias": bias})
    right(mine, reference=theirs)
    nn.init.ones_(mine.w_o.bias)
    only(mine, "weights-not-copied", "first b_O", reference=theirs)
    only(mine, "cannot-compare", reference=nn.Linear(2, 2))


def test_the_tolerance_is_relative_to_the_largest_value_and_nan_everywhere_agrees_with_nothing() -> None:
    assert agrees(torch.tensor([1e6]), torch.tensor([1e6 + 5]))
    assert not agrees(torch.tensor([1.0]), torch.tensor([1.0 + 3e-5]))
    assert agrees(torch.tensor([1.0, math.nan]), torch.tensor([1.0, math.nan]))
    assert not agrees(torch.full((2, 2), math.nan), torch.full((2, 2), math.nan))
