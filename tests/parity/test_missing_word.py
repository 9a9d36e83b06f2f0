"""The story of Home against transformers alone: its probabilities, the arithmetic of its weight, what its head adds and
what is predicted without it, by hooks on the loaded module.
"""

import math
from typing import Any

import numpy as np
import pytest
import torch

import attnviz as av
from attnviz import views
from attnviz.analysis.circuits.missing_word import MissingWord, missing_word
from attnviz.trace.trace import Trace
from attnviz.views.pack import unpack

FRANCE = "The capital of France is"


@pytest.fixture(scope="module")
def trace(smollm2) -> Trace:
    return smollm2.trace(FRANCE)


@pytest.fixture(scope="module")
def found(trace: Trace) -> MissingWord:
    return missing_word(trace)


@pytest.fixture(scope="module")
def told(trace: Trace, found: MissingWord):
    return unpack(views.home_story(trace, views.Pick(0, 0), found))


@pytest.fixture(scope="module")
def module(trace: Trace):
    return trace.rerun.module


def logits(module, trace: Trace, *silenced: tuple[int, int]) -> torch.Tensor:
    """Of the last row, with heads set to zero before W_O."""
    width = module.config.hidden_size // module.config.num_attention_heads

    def without(head: int):
        def hook(_, given):
            (context,) = given
            context = context.clone()
            context[..., head * width : (head + 1) * width] = 0
            return (context,)

        return hook

    hooks = [
        module.model.layers[layer].self_attn.o_proj.register_forward_pre_hook(without(head)) for layer, head in silenced
    ]
    try:
        with torch.no_grad():
            return module(torch.tensor([trace.tokens.source.ids])).logits[0, -1].double()
    finally:
        for hook in hooks:
            hook.remove()


def test_the_five_candidates_are_those_of_the_model(module, trace: Trace) -> None:
    header, _ = unpack(views.home(trace, views.standout(trace), links=dict.fromkeys(views.WAYS, "/")).payload)
    shares, ids = torch.softmax(logits(module, trace), -1).topk(5)
    assert header["steps"] == ["word", "arcs", "row", "score", "adds", "off"] and header["is_next"]
    assert [one["share"] for one in header["candidates"]] == pytest.approx(shares.tolist(), abs=1e-5)
    assert ids.tolist() == trace.prediction.ids[-1, :5].tolist()
    assert header["candidates"][0]["text"] == "Paris"


@pytest.mark.parametrize("text", ["The quick brown fox jumps over the lazy", "In 1969, the first man walked on the"])
def test_no_picture_begins_with_a_head_that_looks_at_the_sink(smollm2, text: str) -> None:
    trace = smollm2.trace(text)
    pick = views.standout(trace)
    weights = trace[f"decoder.{pick.layer}.self"].weights(pick.head)[-1]  # [T]
    assert pick.token == len(weights) - 1 and int(weights.argmax()) > 0


def test_a_long_text_begins_with_the_head_of_its_own_last_row(smollm2) -> None:
    long = smollm2.trace(" ".join(["so it goes,"] * 20 + [FRANCE]))
    assert len(long.tokens.source) > 48
    pick = views.standout(long)
    weights = long[f"decoder.{pick.layer}.self"].weights(pick.head)[-1]  # [T]
    assert pick.token == len(weights) - 1
    assert long.tokens.source.text[int(weights.argmax())].strip() in FRANCE.split()


def test_the_head_is_that_of_france_and_its_weight_the_softmax_of_its_products(module, trace: Trace, told) -> None:
    header, arrays = told
    layer, head, row = (header["selection"][name] for name in ("layer", "head", "token"))
    assert (layer, head, row, header["key"]) == (23, 4, 4, 3)  # "is" looks at "France"
    ours = module.config._attn_implementation
    module.set_attn_implementation("eager")
    try:
        with torch.no_grad():
            theirs = module(torch.tensor([trace.tokens.source.ids]), output_attentions=True).attentions[layer][0, head]
    finally:
        module.set_attn_implementation(ours)
    assert np.abs(arrays["weights"] - theirs.numpy()).max() < 1e-5
    score = header["score"]
    assert float(arrays["products"].sum(dtype=np.float64)) == pytest.approx(score["raw"], abs=1e-4)
    assert score["raw"] * score["scale"] == pytest.approx(score["score"], abs=1e-4) and score["scale"] == 1 / 8
    shares = np.exp(arrays["scores"].astype(np.float64))
    assert shares[3] / shares.sum() == pytest.approx(float(theirs[4, 3]), abs=1e-5)
    assert score["share"] / score["total"] == pytest.approx(score["weight"], abs=1e-5)


def test_the_parts_add_up_to_the_lead_and_that_of_the_head_is_its_share_of_the_stream(
    module, trace: Trace, found: MissingWord, told
) -> None:
    header, _ = told
    row = logits(module, trace)
    first, second = trace.prediction.ids[-1, :2].tolist()
    lead = float(row[first] - row[second])
    assert header["lead"] == pytest.approx(lead, abs=1e-3)
    assert math.fsum(one["value"] for one in header["added"]) == pytest.approx(lead, abs=1e-3)
    assert {one["kind"]: one["n"] for one in header["added"]} == {
        "head": 1,
        "heads": 264,
        "feed-forward": 30,
        "rest": 1,
    }
    values = [one["value"] for one in header["added"]]
    assert values == sorted(values, reverse=True)
    # what the head's context becomes through W_O, the last norm's scale and the unembedding, by hand
    layer, head = header["selection"]["layer"], header["selection"]["head"]
    kept: dict[str, torch.Tensor] = {}
    hooks = [
        module.model.layers[layer].self_attn.o_proj.register_forward_pre_hook(
            lambda _, given: kept.update(context=given[0][0, -1])
        ),
        module.model.norm.register_forward_pre_hook(lambda _, given: kept.update(stream=given[0][0, -1])),
    ]
    with torch.no_grad():
        module(torch.tensor([trace.tokens.source.ids]))
    for hook in hooks:
        hook.remove()
    alone = torch.zeros_like(kept["context"])
    alone[head * 64 : (head + 1) * 64] = kept["context"][head * 64 : (head + 1) * 64]
    written = module.model.layers[layer].self_attn.o_proj.weight.detach().double() @ alone.double()
    norm = module.model.norm
    scale = torch.rsqrt(kept["stream"].double().pow(2).mean() + norm.variance_epsilon)
    unembedding = module.lm_head.weight.detach().double()
    value = float((written * scale * norm.weight.detach().double()) @ (unembedding[first] - unembedding[second]))
    (own,) = (one for one in header["added"] if one.get("place") == [layer, head])
    assert own["value"] == pytest.approx(value, abs=1e-3)
    assert found.added == pytest.approx(value, abs=1e-3)


def test_without_the_head_the_word_is_what_the_model_predicts_with_that_head_at_zero(
    module, trace: Trace, told
) -> None:
    header, _ = told
    first = trace.prediction.ids[-1, :5].tolist()
    runs = [(), *(tuple(map(tuple, without["heads"])) for without in header["without"])]
    every = [torch.softmax(logits(module, trace, *heads), -1) for heads in runs]
    for without, shares in zip(header["without"], every[1:], strict=True):
        assert without["share"] == pytest.approx(float(shares.max()), abs=1e-5)
        assert without["is_other"] == (int(shares.argmax()) != first[0])
    listed = dict.fromkeys([*first, *(number for shares in every for number in shares.topk(5).indices.tolist())])
    assert len(header["candidates"]) == len(listed)
    for one, number in zip(header["candidates"], listed, strict=True):
        assert one["shares"] == pytest.approx([float(shares[number]) for shares in every], abs=1e-5)
    paris = [round(100 * share) for share in header["candidates"][0]["shares"]]
    assert paris == [77, 14, 11]
    assert [len(without["heads"]) for without in header["without"]] == [1, 2]
    assert [without["is_other"] for without in header["without"]] == [False, True]
    assert header["without"][-1]["text"].strip() == "London"


def test_switching_the_heads_off_can_change_the_word(smollm2) -> None:
    """Measured: without head 24.5 the train no longer goes to Berlin."""
    told = missing_word(smollm2.trace("I take the train to Berlin. She takes the train to"))
    assert told.wrote.text == "Berlin" and (told.site, told.head) == ("decoder.23.self", 4)
    assert told.silenced[-1].is_other and told.silenced[-1].text == "the"


def test_home_says_of_a_poem_that_its_head_looks_at_the_same_place_of_the_line_before() -> None:
    model = av.load("poems-zh")

    def told(text: str) -> dict[str, Any]:
        trace = model.trace(text)
        return unpack(views.home_story(trace, views.Pick(0, 0), missing_word(trace)))[0]

    here = told("床前明月光，疑是地上霜。举头望明月，低头思故")  # the fifth of its line, as 月 is
    assert here["is_same_place"] and here["key"] == 17
    assert not told("床前明月光，疑是地上霜。举头望明月，低头思故乡")["is_same_place"]  # a mark comes next
    assert not told("床前明")["is_same_place"]
