"""Capture is inert unless asked for and keeps to its own model; unknown arguments are refused."""

import pytest
import torch
from torch import nn

from attnviz.core.errors import UnsupportedModel
from attnviz.core.site import Site
from attnviz.pretrained.capture.interface import NAME, InterfacePass, attention, capturing
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
    opened = InterfacePass(sites_of(model, None), Extents(Padded(IDS, torch.ones_like(IDS)).extents()))
    with torch.inference_mode():
        model(input_ids=IDS)
        with capturing(opened):
            foreign(input_ids=IDS)
            model(input_ids=IDS)
            foreign(input_ids=IDS)
        model(input_ids=IDS)
    assert [call.site for call in opened.calls] == [Site("encoder", "self", 0), Site("encoder", "self", 1)]
    assert opened.calls[0].q.shape == (1, 4, 5, 8) and opened.calls[0].kernel[0].context.shape == (5, 4, 8)


def test_an_argument_that_may_change_the_scores_is_refused_by_name():
    with pytest.raises(UnsupportedModel, match="Linear passes new_bias to its attention") as error:
        attention(nn.Linear(1, 1), Q, Q, Q, None, new_bias=Q)
    assert error.value.id == "unknown-attention-argument"
