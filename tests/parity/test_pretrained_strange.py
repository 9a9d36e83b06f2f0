"""Models that padding, the length of a text or an earlier text changes: shown as they are alone, or refused."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import torch
from transformers import AutoModel, AutoModelForCausalLM, AutoModelForSeq2SeqLM

from attnviz.core.errors import UnsupportedModel
from attnviz.pretrained.model import PretrainedModel
from attnviz.scratch.rebuilt import difference
from tests.conftest import ROTARY, SEQ2SEQ, SHAPE, TINY
from tests.parity.tiny_models import eager_module, own_logits, traceable, traced_model

SHORT, MIDDLE, LONG = "cat on mat", "the cat sat on the mat", "a cat and a dog and a bird sat on a mat in the sun"
FACTORS = {"short_factor": [1.0] * 4, "long_factor": [1.0, 2.0, 4.0, 9.0]}
LONGROPE = {"rope_type": "longrope", "rope_theta": 10000.0, "original_max_position_embeddings": 16} | FACTORS
DYNAMIC = {"rope_type": "dynamic", "rope_theta": 10000.0, "factor": 8.0}


def model_of(model_type: str, sizes: dict[str, Any], auto: Any = AutoModel) -> PretrainedModel:
    """A tiny seeded model with far larger weights than it would start with, so that a slip shows."""
    module = eager_module(model_type, sizes, auto, seed=3)
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.ndim == 2:
                parameter.mul_(5)
        module.get_input_embeddings().weight[0] = 1.0  # of padding: not nothing, as after training
    return traceable(module, model_type)


def longrope() -> PretrainedModel:
    sizes = ROTARY | {"rope_parameters": LONGROPE, "max_position_embeddings": 128}
    return model_of("phi3", sizes | {"original_max_position_embeddings": 16})


def test_only_texts_that_padding_may_change_are_run_one_by_one() -> None:
    model = model_of("convbert", SHAPE | {"embedding_size": 32})  # its convolutions look across the end of a text
    batched = model.traces([LONG, SHORT])
    assert not model.can_pad and model_of("bert", SHAPE).can_pad
    assert [difference(trace, model.trace(text)) for trace, text in zip(batched, (LONG, SHORT), strict=True)] == [0, 0]


def test_positions_by_length_are_those_of_each_text_alone() -> None:
    model = longrope()
    long, short = model.traces([LONG, SHORT])
    fresh = longrope().trace(SHORT)
    assert difference(short, fresh) == 0.0
    assert difference(long, model.trace(LONG)) == 0.0
    assert difference(model.trace(SHORT), fresh) == 0.0


def test_a_long_text_changes_no_text_after_it() -> None:
    """Dynamic NTK keeps the angles of the longest text so far until a short one comes."""
    model = model_of("llama", ROTARY | {"rope_parameters": DYNAMIC, "max_position_embeddings": 16})
    model.tokenizer.limit = 64  # as where a configuration names more positions than its angles were made for
    alone = model.trace(MIDDLE)
    longer = model.trace(LONG)
    assert len(longer.tokens.source) > len(alone.tokens.source) > 16
    assert difference(model.trace(MIDDLE), alone) == 0.0


@pytest.mark.parametrize("name", ["longrope", "gpt2", "bloom", "t5"])
def test_threads_over_one_model_never_mix(name: str) -> None:
    model = longrope() if name == "longrope" else traced_model(name)
    target = "dog" if model.writer else None
    alone = {text: model.trace(text, target) for text in (SHORT, MIDDLE, LONG)}
    with ThreadPoolExecutor(6) as pool:
        many = [(text, pool.submit(model.trace, text, target)) for _ in range(12) for text in alone]
        assert max(difference(coming.result(), alone[text]) for text, coming in many) == 0.0


def test_a_stream_that_is_no_tensor_is_left_out() -> None:
    sizes = SEQ2SEQ | {"block_size": 8, "num_global_tokens": 4, "decoder_start_token_id": 0}
    trace = model_of("pegasus_x", sizes, AutoModelForSeq2SeqLM).trace(SHORT, target="dog")
    assert trace.verified is not None and trace.verified.holds
    assert not [point for point in trace.stream if point.startswith("encoder")]


@pytest.mark.parametrize(("model_type", "sizes", "auto"), [
    ("switch_transformers", TINY["t5"] | {"num_experts": 2, "expert_capacity": 64}, AutoModelForSeq2SeqLM),
    ("llama4_text", ROTARY | {"num_local_experts": 2, "intermediate_size_mlp": 64}, AutoModelForCausalLM),
])  # fmt: skip
def test_heads_behind_other_names_predict(model_type: str, sizes: dict[str, Any], auto: Any) -> None:
    model = model_of(model_type, sizes, auto)
    trace = model.trace(SHORT, target="dog" if model.writer else None)
    assert model.lm_head is not None and trace.prediction is not None
    logits = own_logits(model.lm_head.whole, trace)  # [T, V]
    assert trace.prediction.ids[:, 0].tolist() == logits.argmax(-1).tolist()


def test_a_run_that_fails_inside_the_model_is_a_sentence() -> None:
    model = model_of("bert", SHAPE | {"max_position_embeddings": 20})
    model.tokenizer.limit = 64  # as where a model counts its positions otherwise than it says
    with pytest.raises(UnsupportedModel, match="did not run on this text") as failed:
        model.trace(LONG)
    assert failed.value.id == "fails-inside" and model.trace(SHORT).verified is not None
