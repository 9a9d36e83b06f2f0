"""Each mistake is found and called by its name, alone, in pairs, and where the cause is not known."""

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

import attnviz as av
from attnviz.checking.call.inputs import Sizes, draw, some_mask
from attnviz.checking.find.faults import FORWARD, MASK, Fault
from attnviz.checking.find.mistaken_attention import Variant, attention
from attnviz.checking.find.search import Reading, agrees, changed, explain
from attnviz.checking.read.layouts import Projections
from tests.unit.checking.layers import Right, broken, ids, only


def first(subject: object, **options: Any) -> str:
    return av.check_attention(subject, **options).findings[0].sentence  # type: ignore[arg-type]


def probe() -> tuple[Reading, tuple[Tensor, Tensor, Tensor]]:
    sizes, d_model = Sizes.unlike(3, 8), 24
    numbers = Projections(
        {n: draw((d_model, d_model), i) / d_model**0.5 for i, n in enumerate("qkvo")},
        {n: draw((d_model,), 10 + i) for i, n in enumerate("qkvo")},
        3,
    )
    query, key, value = (draw((sizes.batch, sizes.tokens, d_model), 20 + i) for i in range(3))
    return Reading(None, numbers, Variant()), (query, key, value)


@pytest.mark.parametrize("fault", (*FORWARD, *MASK), ids=lambda f: "-".join([f.id, *f.changes.values()]))
def test_each_known_mistake_is_told_from_all_others(fault: Fault) -> None:
    reading, inputs = probe()
    mask, known = (some_mask(inputs[0].shape[1], 7), MASK) if fault in MASK else (None, FORWARD)
    theirs = attention(inputs, reading.projections, changed(Variant(), (fault,)), mask).out
    found = explain(theirs, inputs, [reading], mask, known=known)
    assert found is not None
    assert [f.id for f in found.faults] == [fault.id]


def test_the_probe_mask_is_unlike_its_transpose_and_its_opposite() -> None:
    for tokens in (5, 7, 11):
        mask = some_mask(tokens, 7)
        assert mask.any(-1).all() and not mask.all(-1).any()
        assert mask.mT.any(-1).all() and (~mask).any(-1).all()
        assert not torch.equal(mask, mask.mT)


# -- in the code people write ----------------------------------------------------------------------------------

BROKEN: dict[str, tuple[list[str], dict[str, Callable[..., Any]]]] = {
    "view then view back": (
        ["heads-cut-across-tokens", "heads-joined-without-swap"],
        {"split": lambda s, x: x.view(x.shape[0], 3, -1, 8), "join": lambda s, c: c.reshape(c.shape[0], -1, 24)},
    ),
    "not split": (["one-head-instead"], {"split": lambda s, x: x[:, None]}),
    "keys from W_Q": (["projection-mixed-up"], {"project": lambda s, x: (s.w_q(x), s.w_q(x), s.w_v(x))}),
    "no bias": (
        ["bias-ignored"],
        {"project": lambda s, x: (x @ s.w_q.weight.mT, x @ s.w_k.weight.mT, x @ s.w_v.weight.mT)},
    ),
    "untransposed": (
        ["matrix-untransposed"],
        {"project": lambda s, x: tuple(x @ w.weight + w.bias for w in (s.w_q, s.w_k, s.w_v))},
    ),
    "scale of the keys' number": (["scale-wrong"], {"scores": lambda s, q, k: q @ k.mT / math.sqrt(k.shape[-2])}),
    "softmax twice": (["softmax-twice"], {"weights": lambda s, m: m.softmax(-1).softmax(-1)}),
    "softmax over the batch": (["softmax-over-batch"], {"weights": lambda s, m: m.softmax(0)}),
    "joined feature by feature": (
        ["heads-joined-strided"], {"join": lambda s, c: c.permute(0, 2, 3, 1).flatten(2)},
    ),
    "no key for itself": (
        ["causal-misses-itself"],
        {"hide": lambda s, x, m: Right.hide(s, x.masked_fill(torch.ones(x.shape[-2:]).triu().bool(), -math.inf), m)},
    ),
    "reversed": (
        ["causal-reversed"],
        {"hide": lambda s, x, mask: x.masked_fill(torch.ones(x.shape[-2:]).tril(-1).bool(), -math.inf)},
    ),
    "mask transposed": (["mask-transposed"], {"hide": lambda s, x, m: x if m is None else Right.hide(s, x, m.mT)}),
    "detached queries": (
        ["gradient-cut"], {"project": lambda s, x: (s.w_q(x).detach(), s.w_k(x), s.w_v(x))},
    ),
    "no gradient to the input": (["gradient-cut"], {"project": lambda s, x: Right.project(s, x.detach())}),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_layer_is_called_by_its_fault(name: str) -> None:
    expected, methods = BROKEN[name]
    report = av.check_attention(broken(**methods))
    unasked = {"mask-ignored"} - set(expected)  # some of these broken pieces have no room for the mask
    assert [f.id for f in report.findings if f.id not in unasked] == expected, str(report)


def test_two_wrong_scales_that_are_the_same_number_are_both_named() -> None:
    wide = broken(d_model=16, n_heads=4, scores=lambda s, q, k: q @ k.mT / 4)
    assert first(wide).startswith("QKᵀ is divided by 4, which with these sizes is √d_model and d_head alike")
    assert "or the scale is used twice" in first(wide)


def test_evidence_is_measured() -> None:
    finding = only(broken(scores=lambda s, q, k: q @ k.mT))
    wrong, explained = finding.evidence
    assert wrong.value > 0.1 and explained.value < 1e-12


# -- behaviour -------------------------------------------------------------------------------------------------


def test_what_stays_behind_is_found() -> None:
    class Remembers(Right):
        def forward(self, x: Tensor, mask: Tensor | None = None) -> Any:
            out, weights = super().forward(x, mask)
            out = out + getattr(self, "total", 0)
            self.total = out.detach().sum()
            return out, weights

    class Overwrites(Right):
        def forward(self, x: Tensor, mask: Tensor | None = None) -> Any:
            x *= 2
            return super().forward(x, mask)

    assert ids(Remembers()) == ["remembers"]
    assert ids(Overwrites()) == ["input-overwritten"]


def test_dead_and_broken_gradients_are_found() -> None:
    class Dead(Right):
        @torch.no_grad()
        def forward(self, x: Tensor, mask: Tensor | None = None) -> Any:
            return super().forward(x, mask)

    def in_place(s: Right, masked: Tensor) -> Tensor:
        weights = masked.softmax(-1)
        weights *= 1
        return weights

    assert ids(Dead()) == ["gradient-dead"]
    assert ids(broken(weights=in_place)) == ["gradient-raises"]


def test_dropout_does_not_hide_another_fault() -> None:
    both = broken(weights=lambda s, m: F.dropout(m.softmax(-1), 0.3), scores=lambda s, q, k: q @ k.mT)
    assert ids(both) == ["scale-missing", "dropout-at-eval"]
    assert ids(broken(weights=lambda s, m: m.softmax(-1) * torch.rand(()))) == ["random"]


def test_keys_counted_as_queries_are_found() -> None:
    assert ids(lambda q, k, v: F.scaled_dot_product_attention(q, k.reshape(q.shape), v)) == ["more-keys-differ"]


def test_weights_from_another_place_are_found() -> None:
    def other(q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)
        return weights @ v, weights.roll(1, -1)

    assert ids(other) == ["weights-differ"]


def test_a_reference_with_other_weights_is_told_before_anything_else() -> None:
    torch.manual_seed(0)
    mine, theirs = Right(), nn.MultiheadAttention(24, 3, batch_first=True)
    assert ids(mine, reference=theirs) == ["weights-not-copied"]
    with torch.no_grad():
        for name, weight, bias in zip("qkv", theirs.in_proj_weight.chunk(3), theirs.in_proj_bias.chunk(3), strict=True):
            linear = getattr(mine, f"w_{name}")
            linear.weight.copy_(weight)
            linear.bias.copy_(bias)
        mine.w_o.weight.copy_(theirs.out_proj.weight)
        assert "first b_O" in first(mine, reference=theirs) or torch.equal(mine.w_o.bias, theirs.out_proj.bias)
        mine.w_o.bias.copy_(theirs.out_proj.bias)
    assert ids(mine, reference=theirs) == []
    assert ids(mine, reference=nn.Linear(2, 2)) == ["cannot-compare"]


def test_the_tolerance_is_relative_to_the_largest_value() -> None:
    assert agrees(torch.tensor([1e6]), torch.tensor([1e6 + 5]))
    assert not agrees(torch.tensor([1.0]), torch.tensor([1.0 + 3e-5]))
