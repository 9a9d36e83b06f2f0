"""Every family of the attention interface, in a tiny seeded model with peaked maps, against transformers' eager run."""

import re
from copy import deepcopy
from functools import cache

import pytest
import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from torch.testing import assert_close
from transformers import AutoConfig, AutoModel, PreTrainedTokenizerFast

from attnviz.core.trace import Card
from attnviz.pretrained.families import BY_MODEL_TYPE
from attnviz.pretrained.loader import ready
from tests.conftest import TINY

TOLERANCE = 1e-5  # float32, whole maps of two layers
PEAK = 0.2  # mean row maximum a map must reach: parity on near-uniform maps proves little
LAYOUTS = ("none", "right", "left")
QUERY_OR_KEY = re.compile(r"quer|key|q_|k_|qkv|c_attn|Wqkv|kv_|embeddings_project|mapping_in", re.IGNORECASE)


@cache
def eager_model(model_type: str) -> torch.nn.Module:
    """Seeded, its query and key matrices enlarged until its maps are peaked."""
    torch.manual_seed(7)
    module = AutoModel.from_config(
        AutoConfig.for_model(model_type, **TINY[model_type]), attn_implementation="eager"
    ).eval()
    ids, padding = batch("none")
    with torch.no_grad():
        for _ in range(12):
            if min(float(weights.amax(-1).mean()) for weights in eager_weights(module, ids, padding)) >= PEAK:
                return module
            for name, parameter in module.named_parameters():
                if parameter.ndim == 2 and QUERY_OR_KEY.search(name.rsplit(".", 2)[-2]):
                    parameter.mul_(1.5)
    raise AssertionError(f"the maps of {model_type} stay flat")


@cache
def traced_model(model_type: str):
    tokenizer = Tokenizer(
        models.BPE(vocab={piece: i for i, piece in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}, merges=[])
    )
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    module = deepcopy(eager_model(model_type))
    return ready(module, PreTrainedTokenizerFast(tokenizer_object=tokenizer), Card(model_type, model_type, "", 0, 0, 0))


def batch(layout: str) -> tuple[torch.Tensor, torch.Tensor]:
    """Two texts of 24 ids, the second one padded: [2, 24] each."""
    ids = torch.randint(3, 256, (2, 24), generator=torch.Generator().manual_seed(3))
    padding = torch.ones_like(ids)
    if layout == "right":
        padding[1, 17:] = 0
    if layout == "left":
        padding[1, :7] = 0
    return ids, padding


def eager_weights(module, ids: torch.Tensor, padding: torch.Tensor) -> tuple[torch.Tensor, ...]:
    with torch.no_grad():
        return module(input_ids=ids, attention_mask=padding, output_attentions=True, use_cache=False).attentions


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("model_type", TINY)
def test_replayed_weights_are_eagers_in_every_family_and_padding(model_type, layout):
    ids, padding = batch(layout)
    theirs = eager_weights(eager_model(model_type), ids, padding)  # [B, H, T, T] a layer
    model = traced_model(model_type)
    ran = model.forward(ids, padding)

    for index in range(2):
        own = padding[index].bool()
        records = ran.splitter(index, model.matrices).records(ran.opened.calls)
        assert len(records) == len(theirs) == 2
        for record, weights in zip(records.values(), theirs, strict=True):
            assert_close(record.weights(), weights[index][:, own][:, :, own], rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize("model_type", TINY)
def test_the_maps_compared_are_peaked(model_type):
    for weights in eager_weights(eager_model(model_type), *batch("none")):
        assert float(weights.amax(-1).mean()) >= PEAK


@pytest.mark.parametrize("model_type", TINY)
def test_every_family_traces_text_verified_and_with_its_masks_symbolic(model_type):
    trace, _ = traced_model(model_type).traces(["a window of eight tokens bites here", "short"])

    assert trace.verified.holds
    for record in trace.records.values():
        mask = record.source.mask
        assert mask.allowed is None and mask.rule is None and mask.nbytes == 0


@pytest.mark.parametrize("model_type", TINY)
def test_the_output_matrix_of_the_row_gives_what_the_model_goes_on_with(model_type):
    model = traced_model(model_type)
    family = BY_MODEL_TYPE[model_type]
    if "w_o" not in family.projections:
        assert model_type == "albert"
        return
    gone_on: list[torch.Tensor] = []
    for layer in range(2):
        path = family.projections["w_o"].format(layer=layer).split(" ")[0]
        hook = model.module.get_submodule(path).register_forward_hook(lambda module, args, out: gone_on.append(out[0]))
        trace = model.trace("what goes on")
        hook.remove()
        assert_close(trace.records[trace.sites[layer].key].out(), gone_on[-1], rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize("model_type", [name for name in TINY if "w_q" in BY_MODEL_TYPE[name].projections])
def test_the_rows_query_key_and_value_matrices_make_q_k_and_v(model_type):
    trace = traced_model(model_type).trace("made of x")

    for site in trace.sites:
        x, own, source = trace.stream[f"encoder.{site.layer}.in"], trace.parameters(site.key), trace[site].replay
        for letter in "qkv":
            flat = x @ own[f"w_{letter}"].mT + own[f"b_{letter}"]  # [T, D]
            assert_close(flat.unflatten(-1, (4, -1)).transpose(0, 1), getattr(source, letter), rtol=0, atol=TOLERANCE)
