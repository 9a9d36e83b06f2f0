"""Models kept within a byte budget: counted by their own dtype, shared by threads, the least recently used let go."""

import gc
import weakref
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from torch import nn
from transformers import AutoModelForCausalLM

from attnviz import catalog
from attnviz.core.errors import UnknownModel
from attnviz.trace.model_protocol import model_bytes, module_bytes
from tests.conftest import TINY
from tests.parity.tiny_models import eager_module, saved, traceable


class Weighed:
    """A model that takes some bytes."""

    def __init__(self, nbytes):
        self.nbytes, self.card = nbytes, SimpleNamespace(parameters=1)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("gpt2", "Known: openai-community/gpt2, "),
        ("Reverse", "Known: reverse, "),
        (
            __file__,
            r"test_catalog\.py is a file and no model by itself\. .*; a saved trace",
        ),
    ],
)
def test_a_name_that_is_nearly_one_is_told_which_is_meant(name, says):
    with pytest.raises(UnknownModel, match=says):
        catalog.load(name)


def test_what_a_model_is_is_known_without_its_weights(tmp_path, monkeypatch):
    folder = saved(eager_module("gpt2", TINY["gpt2"], AutoModelForCausalLM), tmp_path / "tiny")
    for weights in Path(folder).glob("*.safetensors"):
        weights.unlink()
    (tmp_path / "config.json").write_text("no JSON")
    known = {folder: "gpt2", "minilm-l6": "bert", str(tmp_path): "", "reverse": "", "nobody/none": "", "\0": ""}
    assert {name: catalog.model_type(name) for name in known} == known


@pytest.mark.parametrize(("dtype", "n_bytes"), [(torch.float32, 4), (torch.bfloat16, 2), (torch.float16, 2)])
def test_a_models_bytes_are_those_of_its_own_dtype(dtype, n_bytes):
    model = traceable(eager_module("gpt2", TINY["gpt2"], AutoModelForCausalLM).to(dtype), "tiny")
    own = model.card.parameters * n_bytes
    assert own <= model_bytes(model) <= own + 1000  # and a few positions that are no parameters


def test_a_matrix_that_two_layers_share_counts_once_and_a_model_from_scratch_by_its_parameters():
    first, second = nn.Linear(8, 8, bias=False), nn.Linear(8, 8, bias=False)
    second.weight = first.weight
    assert module_bytes(nn.Sequential(first, second)) == 8 * 8 * 4
    assert model_bytes(SimpleNamespace(card=SimpleNamespace(parameters=25))) == 100


def test_the_model_used_longest_ago_is_let_go_and_one_is_kept_apart_from_itself_in_another_dtype(monkeypatch):
    monkeypatch.setattr(catalog, "load", lambda name, **asked: Weighed(45 if asked["dtype"] == "bfloat16" else 90))
    shelf = catalog.Shelf(100)
    first = weakref.ref(shelf.load("a", dtype="bfloat16"))
    shelf.load("b", dtype="bfloat16")
    assert first() is shelf.load("a", dtype="bfloat16") and shelf.nbytes == 90

    shelf.load("c", dtype="bfloat16")
    assert "a" in shelf and "b" not in shelf and shelf.nbytes == 90
    shelf.load("d")
    gc.collect()
    assert first() is None and "d" in shelf and shelf.nbytes == 90
    assert shelf.load("d") is shelf.load("d") is not shelf.load("d", dtype="float16")


def test_what_lies_on_this_computer_needs_no_fetching_and_is_named_by_its_place(tmp_path):
    assert catalog.get(str(tmp_path)) == tmp_path
    with pytest.raises(UnknownModel):
        catalog.get(str(tmp_path / "none"))
