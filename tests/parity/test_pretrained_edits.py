"""Edits of pretrained models, of what attention computes and of the residual stream, family by family."""

import copy
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import pytest
import torch
from torch.testing import assert_close

from attnviz.core.edit import Edit
from attnviz.core.errors import CaptureError
from attnviz.pretrained.capture.edit_points import LATE_VALUES, VALUES, points_of
from tests.conftest import BY_OPERATORS
from tests.parity.tiny_models import own_logits, traced_model

TEXT = "changed on the way"
KINDS = ("bert", "t5", "gemma2", "gpt_oss", "deepseek_v3")
STREAMS = ("bert", "distilbert", "modernbert", "mpnet", "gpt2", "opt", "bloom", "llama", "gemma2", "t5", "bart")
SUMS = ("modernbert", "gpt2", "opt", "bloom", "llama", "t5")  # of these a block leaves the sum of its parts


def run(model_type: str, edits=()):
    model = traced_model(model_type)
    return model.trace(TEXT, "written" if model.writer else None, edits)


def point_names(model_type: str) -> list[str]:
    model = traced_model(model_type)
    return list(points_of(model.module, model.family))


def halve(name: str, value: torch.Tensor) -> torch.Tensor:
    """Half of what the third head has: [1, H, T_q, T_k] or [1, H, T, d_k]."""
    value[:, 2] *= 0.5
    return value


@pytest.mark.parametrize(("model_type", "value"), [*product(KINDS, VALUES), *product(BY_OPERATORS, LATE_VALUES)])
def test_a_value_that_is_halved_in_a_head_is_shown_as_it_was_used_and_changes_what_follows(model_type, value):
    plain = run(model_type)
    first, second = (site.key for site in plain.sites[:2])
    edited = run(model_type, [Edit(f"{first}.{value}", halve, "half")])

    assert edited.verified.holds and str(*edited.edits) == "half"
    if value in ("weights", "context"):
        expected = getattr(plain[first], value)()[None].clone()  # [1, H, T_q, T_k] or [1, H, T_q, d_v]
        assert_close(getattr(edited[first], value)(), halve(value, expected)[0], rtol=0, atol=1e-5)
        assert (edited.verified.rows < plain.verified.rows) == (value == "context")  # which no replay can give
    assert float((edited[second].weights() - plain[second].weights()).abs().max()) > 1e-7


@pytest.mark.parametrize("model_type", KINDS)
def test_what_an_attention_is_given_is_changed_and_its_record_has_it(model_type):
    plain = run(model_type)
    first = plain.sites[0]
    edited = run(model_type, [Edit(f"{first}.call", lambda name, call: call._replace(scale=call.scale / 2), "cool")])
    assert edited.verified.holds and edited.verified.rows == plain.verified.rows  # replayed with the other scale
    assert edited[first].source.scale == plain[first].source.scale / 2
    for part in ("q", "k", "v"):
        assert_close(getattr(edited[first], part)(0), getattr(plain[first], part)(0), rtol=0, atol=0)
    assert float((edited[first].weights() - plain[first].weights()).abs().max()) > 1e-4


@pytest.mark.parametrize("model_type", BY_OPERATORS[:1])
def test_where_attention_is_read_from_the_operators_what_it_is_given_cannot_be_changed(model_type):
    with pytest.raises(CaptureError, match=r"no value matches '\*\.call'"):
        run(model_type, [Edit("*.call", lambda name, call: call._replace(scale=1.0), "unscaled")])


@pytest.mark.parametrize("model_type", STREAMS)
def test_a_point_set_to_what_was_recorded_there_changes_nothing(model_type):
    plain = run(model_type)
    recorded = dict(plain.stream) | {f"{key}.out": record.out() for key, record in plain.records.items()}
    assert {*plain.stream} <= {*point_names(model_type)}
    edited = run(model_type, [Edit(name, lambda name, x: recorded[name][None], "as it was") for name in recorded])

    assert edited.verified.holds
    assert_close(edited.stream, plain.stream, rtol=1e-5, atol=1e-5)
    for key, record in plain.records.items():
        assert_close(edited[key].out(), record.out(), rtol=0, atol=1e-5)
        assert_close(edited[key].weights(), record.weights(), rtol=0, atol=1e-5)
    assert_close(edited.prediction.probabilities, plain.prediction.probabilities, rtol=0, atol=1e-5)


@pytest.mark.parametrize("model_type", STREAMS)
def test_a_changed_point_is_shown_as_it_was_used_and_changes_only_what_follows(model_type):
    plain = run(model_type)
    stack = plain.sites[-1].stack
    order = [name for name in point_names(model_type) if name in plain.stream and name.startswith(stack)]
    for name in order:
        edited = run(model_type, [Edit(name, lambda _, x: x * 0.5, "half")])
        assert_close(edited.stream[name], plain.stream[name] * 0.5, rtol=0, atol=1e-5)
        moved = [it for it in order if not torch.allclose(edited.stream[it], plain.stream[it], rtol=0, atol=1e-5)]
        assert moved[0] == name and {*order[order.index(name) + 1 :]} - {*moved} <= {name.replace(".in", ".out")}
    ids = torch.tensor((edited.tokens.target or edited.tokens.source).ids)
    logits = traced_model(model_type).lm_head.logits(edited.stream[order[-1]], ids)  # [T, V]
    assert_close(edited.prediction.probabilities, logits.softmax(-1).topk(20).values, rtol=0, atol=1e-5)


@pytest.mark.parametrize("model_type", STREAMS)
def test_attention_without_its_out_leaves_the_stream_as_the_block_makes_it_of_nothing(model_type):
    plain = run(model_type)
    site = plain.sites[-1].key
    by_context = run(model_type, [Edit(f"{site}.context", lambda _, x: x * 0, "no context")])
    bias = plain[site].b_o if plain[site].b_o is not None else torch.zeros(())
    by_out = run(model_type, [Edit(f"{site}.out", lambda _, x: x * 0 + bias, "the bias alone")])

    assert_close(by_out[site].out(), torch.zeros_like(plain[site].out()) + bias)
    assert float((by_out.prediction.probabilities - plain.prediction.probabilities).abs().max()) > 1e-7
    assert_close(by_out.stream, by_context.stream, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("model_type", STREAMS)
def test_a_feed_forward_that_adds_nothing_is_one_with_weights_of_zero(model_type):
    model, plain, made = traced_model(model_type), run(model_type), []
    name = f"{plain.sites[-1].stack}.0.feed_forward"
    edited = run(model_type, [Edit(name, lambda _, x: (made.append(x.clone()), x * 0)[1], "nothing added")])
    without = copy.deepcopy(model)
    for weight in points_of(without.module, without.family)[name].module.parameters():
        weight.data.zero_()
    zeroed = without.trace(TEXT, "written" if model.writer else None)

    assert edited.verified.holds
    assert_close(edited.stream, zeroed.stream, rtol=1e-5, atol=1e-5)
    if model_type in SUMS:
        stack = plain.sites[-1].stack
        attention = sum(record.out() for key, record in plain.records.items() if key.startswith(f"{stack}.0."))
        added = plain.stream[f"{stack}.0.out"] - plain.stream[f"{stack}.0.in"] - attention
        assert_close(made[0][0], added, rtol=1e-4, atol=1e-5)


def test_the_logits_of_an_edited_run_are_those_of_transformers_with_the_same_change_by_a_hook():
    edited = run("gpt2", [Edit("decoder.0.self.context", lambda _, x: x.index_fill(1, torch.tensor(1), 0), "silent")])
    head, width = traced_model("gpt2").lm_head.whole, edited["decoder.0.self"].context(0).shape[-1]

    def silence(_, read):
        joined = read[0].clone()  # [1, T, H·d_v]
        joined[..., width : 2 * width] = 0
        return (joined, *read[1:])

    hook = traced_model("gpt2").module.h[0].attn.c_proj.register_forward_pre_hook(silence)
    logits = own_logits(head, edited)  # [T, V]
    hook.remove()
    assert_close(edited.logits(), logits, rtol=1e-5, atol=1e-5)
    assert not torch.allclose(logits, run("gpt2").logits(), atol=1e-4)


def test_the_gradient_by_a_point_is_what_a_small_change_of_it_does():
    plain = run("gpt2")
    name, position, token = "decoder.1.in", 2, 7
    direction = torch.randn(plain.stream[name].shape, generator=torch.Generator().manual_seed(1))
    gradient = plain.gradient(name, position, token)  # [T, d_model]
    found = []
    for step in (1e-4, -1e-4):
        edited = run("gpt2", [Edit(name, lambda _, x, step=step: x + step * direction, "moved")])
        found.append(float(edited.logits(position)[token]))
    assert float((gradient * direction).sum()) == pytest.approx((found[0] - found[1]) / 2e-4, rel=0.02)


def test_a_run_of_another_thread_at_the_same_time_is_not_changed():
    plain, beside = run("gpt2"), []

    def change(name, x):
        with ThreadPoolExecutor(1) as other:
            beside.append(other.submit(run, "gpt2").result())
        return x * 0

    edited = run("gpt2", [Edit("decoder.0.out", change, "nothing")])
    assert not bool(edited.stream["decoder.0.out"].any())
    assert_close(beside[0].stream, plain.stream, rtol=0, atol=0)


@pytest.mark.parametrize(("model_type", "name"), [("albert", "encoder.0.in"), ("mpnet", "encoder.0.self.q")])
def test_a_value_that_is_not_reached_in_a_model_is_refused_by_name(model_type, name):
    with pytest.raises(CaptureError, match=f"changes nothing: no value matches '{name}'"):
        run(model_type, [Edit(name, lambda _, x: x * 2, "twice")])
