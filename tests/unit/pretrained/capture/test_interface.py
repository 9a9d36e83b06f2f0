"""Capture is inert unless asked for and keeps to its own model; unknown arguments are refused."""

from functools import partial

import pytest
import torch
from torch import nn

import attnviz as av
from attnviz.core.capture import Recorder
from attnviz.core.errors import UnsupportedModel
from attnviz.pretrained.capture.forward import PassRecording
from attnviz.pretrained.capture.interface import NAME, attention, sites_named
from attnviz.pretrained.families import sites_of
from attnviz.pretrained.tokens.batch import Extents, Padded
from tests.conftest import SMALL
from tests.parity.tiny_models import eager_module

IDS = torch.tensor([[1, 2, 3, 4, 5]])  # [1, 5]
Q = torch.ones(1, 1, 2, 4)  # [B, H, T, d_k]


def tiny_bert(seed: int = 0) -> nn.Module:
    model = eager_module("bert", SMALL, seed=seed)
    model.set_attn_implementation(NAME)
    return model


def test_a_pass_records_one_call_a_layer_at_its_site_and_nothing_of_another_model_or_outside_it():
    model, foreign = tiny_bert(), tiny_bert(seed=1)
    empty = partial(PassRecording, extents=Extents(Padded(IDS, torch.ones_like(IDS)).extents()))
    with torch.inference_mode():
        model(input_ids=IDS)
        with Recorder(empty) as run, sites_named(sites_of(model, None)):
            foreign(input_ids=IDS)
            model(input_ids=IDS)
            foreign(input_ids=IDS)
        model(input_ids=IDS)
    assert run.places == ("encoder.0.self", "encoder.1.self")
    assert run["encoder.0.self.q"].shape == (1, 4, 5, 8) and run.kernel["encoder.0.self"][0].context.shape == (5, 4, 8)


def test_a_model_of_transformers_is_recorded_in_a_persons_own_block_like_any_other_code():
    model = tiny_bert()
    with torch.inference_mode():
        plain = model(input_ids=IDS).last_hidden_state
        with av.record() as run:
            recorded = model(input_ids=IDS).last_hidden_state
    assert torch.equal(plain, recorded) and run.places == ("encoder.0.self", "encoder.1.self")
    assert run["encoder.1.self.weights"].shape == (1, 4, 5, 5)


def test_an_argument_that_may_change_the_scores_is_refused_by_name():
    with pytest.raises(UnsupportedModel, match="Linear passes new_bias to its attention") as error:
        attention(nn.Linear(1, 1), Q, Q, Q, None, new_bias=Q)
    assert error.value.id == "unknown-attention-argument"
