"""Several mistakes at once are found one by one; where none is known, experiments say what is not the cause."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

import attnviz as av
from attnviz.checking.find.faults import FORWARD
from attnviz.checking.find.faults_of_scores import KEYS
from tests.unit.checking.layers import Right, broken, one_thread


@pytest.fixture(autouse=True, scope="module")
def _one_thread() -> Iterator[None]:
    with one_thread():
        yield


def unmasked(s: Right, scores: Tensor, mask: Tensor | None) -> Tensor:
    return scores


def peek(s: Right, scores: Tensor, mask: Tensor | None) -> Tensor:
    return scores.masked_fill(torch.ones(scores.shape[-2:]).triu(2).bool(), -math.inf)


SEVERAL: dict[str, tuple[list[str], dict[str, Callable[..., Any]]]] = {
    "scale, softmax, join": (
        ["scale-missing", "softmax-over-queries", "heads-joined-without-swap"],
        {
            "scores": lambda s, q, k: q @ k.mT,
            "weights": lambda s, m: m.softmax(-2),
            "join": lambda s, c: c.reshape(c.shape[0], -1, 24),
            "hide": unmasked,
        },
    ),
    "three in the scores": (
        ["q-and-k-swapped", "scale-by-model-width", "causal-peeks-ahead"],
        {
            "project": lambda s, x: (s.w_k(x), s.w_q(x), s.w_v(x)),
            "scores": lambda s, q, k: q @ k.mT / math.sqrt(24),
            "hide": peek,
        },
    ),
    "values, scale, softmax": (
        ["bias-ignored", "scale-twice", "softmax-twice"],
        {
            "project": lambda s, x: (s.w_q(x), s.w_k(x), x @ s.w_v.weight.mT),
            "scores": lambda s, q, k: q @ k.mT / 8,
            "weights": lambda s, m: m.softmax(-1).softmax(-1),
            "hide": unmasked,
        },
    ),
    "four": (
        ["bias-ignored", "scale-missing", "weights-transposed", "heads-joined-strided"],
        {
            "project": lambda s, x: (s.w_q(x), s.w_k(x), x @ s.w_v.weight.mT),
            "scores": lambda s, q, k: q @ k.mT,
            "weights": lambda s, m: m.softmax(-1).mT,
            "join": lambda s, c: c.permute(0, 2, 3, 1).flatten(2),
            "hide": unmasked,
        },
    ),
    "sigmoid": (["softmax-replaced"], {"weights": lambda s, m: m.sigmoid(), "hide": unmasked}),
    "logarithm": (["softmax-logarithm"], {"weights": lambda s, m: F.log_softmax(m, -1), "hide": unmasked}),
}


@pytest.mark.parametrize("name", SEVERAL)
def test_mistakes_that_hide_each_other_are_all_found(name: str) -> None:
    expected, methods = SEVERAL[name]
    found = [finding.id for finding in av.check_attention(broken(**methods)).findings]
    assert [id for id in found if id != "mask-ignored"] == expected


def differing(**methods: Callable[..., Any]) -> Any:
    (finding,) = av.check_attention(broken(**methods)).findings
    assert finding.id == "differs"
    n_known = len({fault.id for fault in (*FORWARD, *KEYS)})
    assert f"({n_known} were made in ours, alone and most of them up to four at once)" in finding.sentence
    return finding


def test_a_fault_in_where_it_looks_is_narrowed_down() -> None:
    finding = differing(scores=lambda s, q, k: torch.tanh(q @ k.mT / math.sqrt(8)))
    assert "W_V, the joining of the heads and W_O are right, and the fault is in where it looks" in finding.sentence
    assert "look at q, k, the scale and the softmax" in finding.fix


def test_a_fault_on_the_way_of_the_values_is_narrowed_down() -> None:
    finding = differing(join=lambda s, c: Right.join(s, c) * 1.3)
    assert "With one token, whose one weight should be 1, it differs too" in finding.sentence


def test_mixed_tokens_are_narrowed_down() -> None:
    finding = differing(join=lambda s, c: Right.join(s, c).roll(1, 1).cumsum(1))
    assert "With one token it agrees, and with all tokens alike it differs" in finding.sentence


def test_mixed_texts_are_narrowed_down() -> None:
    finding = differing(join=lambda s, c: Right.join(s, c).flip(0))
    assert "What a text gives depends on the other texts of the batch" in finding.sentence


def test_rows_that_do_not_sum_to_1_are_measured() -> None:
    finding = differing(weights=lambda s, m: m.relu())
    assert "Their rows sum to between 0 and" in finding.sentence


@pytest.mark.parametrize("divisor", [math.sqrt(8) + 1e-3, math.sqrt(8) / 2, 20.0])
def test_a_scale_without_a_name_is_measured(divisor: float) -> None:
    (finding,) = av.check_attention(broken(scores=lambda s, q, k: q @ k.mT / divisor)).findings
    assert finding.id == "scale-other"
    assert finding.sentence == f"QKᵀ is divided by {divisor:.4g}; expected √d_head = 2.828."
    assert finding.evidence[1].value < 1e-9


def test_a_choice_of_one_token_is_no_scale() -> None:
    def hard(s: Right, masked: Tensor) -> Tensor:
        return F.one_hot(masked.argmax(-1), masked.shape[-1]).to(masked)

    assert "differs" in [finding.id for finding in av.check_attention(broken(weights=hard)).findings]


def test_half_precision_inside_is_called_imprecise() -> None:
    half = broken(scores=lambda s, q, k: (q.bfloat16() @ k.bfloat16().mT).to(q) / math.sqrt(8))
    (finding,) = av.check_attention(half).findings
    assert finding.id == "imprecise" and "of its largest value and no better, in float64" in finding.sentence


def test_torchs_own_additions_are_named() -> None:
    (finding,) = av.check_attention(torch.nn.MultiheadAttention(24, 3, batch_first=True, add_bias_kv=True)).findings
    assert "a key of its own to every text" in finding.sentence and "build it without" in finding.sentence
    zeros = av.check_attention(torch.nn.MultiheadAttention(24, 3, batch_first=True, add_zero_attn=True)).findings[0]
    assert zeros.id == "zero-key-added" and "add_zero_attn" in zeros.fix


def test_flash_attention_s_order_of_axes_is_told_how_to_be_checked() -> None:
    def flash(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        parts = (x.transpose(1, 2) for x in (q, k, v))
        return F.scaled_dot_product_attention(*parts).transpose(1, 2)

    (finding,) = av.check_attention(flash).findings
    assert finding.id == "heads-look-at-heads" and "as flash-attention does" in finding.fix

    def turned(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        return flash(q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2)).transpose(1, 2)

    assert av.check_attention(turned).ok


def without_first_key(s: Right, scores: Tensor, mask: Tensor | None) -> Tensor:
    return Right.hide(s, scores.masked_fill(torch.arange(scores.shape[-1]) == 0, -math.inf), mask)


def without_itself(s: Right, scores: Tensor, mask: Tensor | None) -> Tensor:
    return Right.hide(s, scores.masked_fill(torch.eye(scores.shape[-1]).bool(), -math.inf), mask)


def causal(s: Right, scores: Tensor, mask: Tensor | None) -> Tensor:
    return Right.hide(s, scores.masked_fill(torch.ones(scores.shape[-2:]).triu(1).bool(), -math.inf), mask)


def unscaled(s: Right, q: Tensor, k: Tensor) -> Tensor:
    return q @ k.mT


def over_model_width(s: Right, q: Tensor, k: Tensor) -> Tensor:
    return q @ k.mT / math.sqrt(24)


def warm(s: Right, q: Tensor, k: Tensor) -> Tensor:
    return q @ k.mT / 2.1


def unjoined(s: Right, context: Tensor) -> Tensor:
    return context.reshape(context.shape[0], -1, 24)


def heads_reversed(s: Right, context: Tensor) -> Tensor:
    return context.flip(1).transpose(1, 2).flatten(2)


def last_head_lost(s: Right, context: Tensor) -> Tensor:
    return torch.cat([context[:, :-1], 0 * context[:, -1:]], 1).transpose(1, 2).flatten(2)


def swapped(s: Right, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    return s.w_q(x), s.w_v(x), s.w_k(x)


def with_residual(s: Right, x: Tensor, mask: Tensor | None = None) -> Tensor:
    out: Tensor = Right.forward(s, x, mask)[0]
    return out + x


def without_w_o(s: Right, x: Tensor, mask: Tensor | None = None) -> Tensor:
    q, k, v = (s.split(part) for part in s.project(x))
    return s.join(s.weights(s.hide(s.scores(q, k), mask)) @ v)


PAIRS: dict[str, tuple[list[str], dict[str, Callable[..., Any]]]] = {
    "scale, key": (["scale-missing", "key-lost"], {"scores": unscaled, "hide": without_first_key}),
    "scale, itself": (["scale-by-model-width", "itself-hidden"], {"scores": over_model_width, "hide": without_itself}),
    "key, join": (["key-lost", "heads-joined-without-swap"], {"hide": without_first_key, "join": unjoined}),
    "temperature, join": (["scale-other", "heads-joined-without-swap"], {"scores": warm, "join": unjoined}),
    "scale, heads": (["scale-missing", "heads-mixed-up"], {"scores": unscaled, "join": heads_reversed}),
    "swapped, heads": (["k-and-v-swapped", "heads-mixed-up"], {"project": swapped, "join": heads_reversed}),
    "heads, W_O": (["heads-mixed-up", "output-projection-missing"], {"join": heads_reversed, "forward": without_w_o}),
    "lost, residual": (["heads-lost", "residual-added"], {"join": last_head_lost, "forward": with_residual}),
    "scale, lost": (
        ["scale-by-model-width", "heads-lost"],
        {"scores": over_model_width, "join": last_head_lost},
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_two_mistakes_of_which_one_is_looked_for_alone_are_both_found(name: str) -> None:
    ids, methods = PAIRS[name]
    assert [found.id for found in av.check_attention(broken(**methods)).findings] == ids


def test_beside_rotary_positions_a_scale_and_a_join_are_both_found() -> None:
    def turned(s: Right, x: Tensor) -> Tensor:
        half = x.shape[-1] // 2
        angles = torch.arange(x.shape[-2])[:, None] * 10000.0 ** (-torch.arange(half) / half)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], dim=-1)

    layer = broken(scores=lambda s, q, k: turned(s, q) @ turned(s, k).mT, join=unjoined, hide=causal)
    report = av.check_attention(layer)
    assert [found.id for found in report.findings] == ["scale-missing", "heads-joined-without-swap"]
    assert [note.id for note in report.notes] == ["positions", "causal"]


@pytest.mark.parametrize("hide", [causal, without_first_key, without_itself])
def test_hidden_scores_without_a_softmax_are_no_end_of_the_check(hide: Callable[..., Any]) -> None:
    findings = av.check_attention(broken(hide=hide, weights=lambda s, masked: masked)).findings  # -inf times a value
    assert findings and "differs" not in [found.id for found in findings]
