"""A tiny model of every architecture of GGUF files, written as llama.cpp does: read, it runs as the original."""

import gguf
import pytest
import torch
from transformers import AutoConfig, AutoModelForCausalLM

from attnviz import catalog
from attnviz.pretrained.loading.gguf.architectures import ARCHITECTURES
from tests.gguf_files import CASES, metadata_of, tensors_of, write
from tests.parity.tiny_models import QUERY_OR_KEY

TEXT = "a b c d e f g h i j k l"  # more tokens than the windows


def original(case: str) -> torch.nn.Module:
    _, model_type, sizes, _ = CASES[case]
    torch.manual_seed(5)
    config = AutoConfig.for_model(model_type, **sizes)
    module = AutoModelForCausalLM.from_config(config, attn_implementation="eager").eval().requires_grad_(False)
    for name, parameter in module.named_parameters():
        if parameter.ndim == 1:  # else all ones and zeros, which say little
            parameter.add_(torch.randn_like(parameter) * 0.1)
        elif QUERY_OR_KEY.search(name.rsplit(".", 1)[0]):
            parameter.mul_(8)
    return module


@pytest.mark.parametrize("case", CASES)
def test_a_file_runs_as_the_model_that_it_was_written_from(case, tmp_path):
    module = original(case)
    path = write(tmp_path / "tiny.gguf", CASES[case][0], metadata_of(case), tensors_of(case, module))
    before = sorted(tmp_path.iterdir())
    model = catalog.load(path)
    trace = model.trace(TEXT)
    ids = torch.tensor([trace.tokens.source.ids])
    with torch.no_grad():
        theirs = module(ids, output_attentions=True)
        ours = model.lm_head.whole(ids).logits
    torch.testing.assert_close(ours, theirs.logits, rtol=0, atol=1e-5)
    attentions = [layer for layer in theirs.attentions if layer is not None]
    assert len(trace.sites) == len(attentions)
    for site, expected in zip(trace.sites, attentions, strict=True):
        torch.testing.assert_close(trace[site].weights(), expected[0], rtol=0, atol=1e-5)
    assert max(float(layer.amax(-1).mean()) for layer in attentions) > 0.2  # even rows would hide a wrong order
    assert sorted(tmp_path.iterdir()) == before
    assert model.card.tokenizer_rebuilt and model.card.quantised == ()


def test_every_architecture_that_is_read_has_its_case():
    assert {case[0] for case in CASES.values()} == set(ARCHITECTURES)


@pytest.mark.parametrize("kind", ["Q8_0", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "F16", "BF16"])
def test_blocks_give_the_numbers_that_the_gguf_package_gives(kind, tmp_path):
    module, kind = original("llama"), gguf.GGMLQuantizationType[kind]
    tensors = tensors_of("llama", module)
    wide = {name for name, tensor in tensors.items() if tensor.ndim == 2}
    path = write(
        tmp_path / "tiny.gguf", "llama", metadata_of("llama"), tensors,
        quantise=lambda name: kind if name in wide else None,
    )  # fmt: skip
    model = catalog.load(path)
    value = tensors["blk.0.attn_v.weight"].numpy()
    expected = gguf.quants.dequantize(gguf.quants.quantize(value, kind), kind)
    ours = dict(model.lm_head.whole.named_parameters())["model.layers.0.self_attn.v_proj.weight"]
    assert torch.equal(ours, torch.from_numpy(expected).float()) and ours.dtype == torch.float32
    assert model.card.quantised == (() if kind.name in ("F16", "BF16") else (kind.name,))
