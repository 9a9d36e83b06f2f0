"""A LoRA is loaded in its base's weights, and gives what the two give unmerged; else how to merge it is said."""

import json
import pickle
import re
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest
import torch
from peft import LoraConfig, PrefixTuningConfig, get_peft_model
from safetensors.torch import load_file, save_file
from transformers import (
    AutoModel,
    AutoModelForCausalLM,
    AutoModelForMaskedLM,
    AutoModelForSequenceClassification,
    AutoModelForTokenClassification,
)

import attnviz as av
from attnviz.core.errors import AttnvizError
from attnviz.pretrained.loading import adapter
from tests.conftest import TINY
from tests.parity.tiny_models import byte_tokenizer, eager_module, own_logits, saved
from tests.unit.pretrained.loading.test_folder import change_json

TEXT = "the cat sat"
WEIGHTS, CONFIG = "adapter_model.safetensors", "adapter_config.json"


def with_lora(base: str, auto: type, **asked):
    """A model of PEFT whose LoRA changes much."""
    whole = auto.from_pretrained(base, attn_implementation="eager")
    both = get_peft_model(whole, LoraConfig(r=4, lora_alpha=8, **asked)).eval()
    torch.manual_seed(1)
    with torch.no_grad():
        for name, parameter in both.named_parameters():
            if "lora_" in name:
                parameter.normal_(0, 0.2)
    return both


@pytest.fixture(scope="module")
def base(tmp_path_factory) -> str:
    module = eager_module("llama", TINY["llama"], AutoModelForCausalLM)
    return saved(module, tmp_path_factory.mktemp("base"))


@pytest.fixture(scope="module")
def both(base):
    asked = {"target_modules": ["q_proj", "up_proj"], "task_type": "CAUSAL_LM", "modules_to_save": ["lm_head"]}
    return with_lora(base, AutoModelForCausalLM, **asked, rank_pattern={"layers.1.mlp.up_proj": 2})


@pytest.fixture
def folder(both, tmp_path) -> Path:
    both.save_pretrained(tmp_path / "lora")
    return tmp_path / "lora"


def check(model, both) -> None:
    """Weights and prediction are those of the model with its LoRA beside it."""
    trace = model.trace(TEXT)
    ids = torch.tensor([trace.tokens.source.ids])
    theirs = both.get_base_model()(ids, output_attentions=True)
    for record, weights in zip(trace.records.values(), theirs.attentions, strict=True):
        torch.testing.assert_close(record.weights(), weights[0], rtol=0, atol=1e-5)
    if trace.prediction is not None:
        assert torch.equal(trace.prediction.ids[:, 0], own_logits(both.get_base_model(), trace).argmax(-1))


def test_a_lora_is_read_merged_from_its_folder_and_from_memory(folder, both, base, capfd):
    model = av.load(folder)
    check(model, both)
    check(av.load(both, byte_tokenizer()), both)
    before = av.load(base).trace(TEXT)["decoder.1.self"].weights()
    assert (before - model.trace(TEXT)["decoder.1.self"].weights()).abs().max() > 0.01
    assert (model.card.name, model.card.source) == ("lora", str(folder))
    assert re.search("[a-z]", "".join(capfd.readouterr())) is None


def test_the_adapters_own_tokenizer_is_taken_where_it_has_one(folder):
    byte_tokenizer([("t", "h")]).save_pretrained(folder)
    assert len(av.load(folder).trace("the").tokens.source) == 2


@pytest.mark.parametrize(("model_type", "asked"), [
    ("bert", {"target_modules": r".*\.(query|value)", "use_dora": True}),
    ("gpt2", {"target_modules": ["c_attn", "c_proj"], "fan_in_fan_out": True, "use_rslora": True}),
    ("llama", {"target_modules": ["k_proj", "down_proj"], "layers_to_transform": [1], "init_lora_weights": "gaussian"}),
    ("llama", {"target_modules": "all-linear"}),
])  # fmt: skip
def test_loras_of_other_kinds_and_models(model_type, asked, tmp_path):
    auto = AutoModelForCausalLM if model_type == "llama" else AutoModel
    base = saved(eager_module(model_type, TINY[model_type], auto), tmp_path / "base")
    both = with_lora(base, auto, **asked)
    both.save_pretrained(tmp_path / "lora")
    check(av.load(tmp_path / "lora"), both)


@pytest.mark.parametrize(("task", "auto", "n"), [
    ("SEQ_CLS", AutoModelForSequenceClassification, 3), ("TOKEN_CLS", AutoModelForTokenClassification, 4),
])  # fmt: skip
def test_a_classifier_trained_on_a_language_model_is_that_classifier(task, auto, n, base, tmp_path):
    whole = auto.from_pretrained(base, num_labels=n, attn_implementation="eager", pad_token_id=0)
    both = get_peft_model(whole, LoraConfig(task_type=task, r=4, target_modules=["q_proj", "v_proj"])).eval()
    with torch.no_grad():
        for name, parameter in both.named_parameters():
            if "lora_" in name:
                parameter.normal_(0, 0.2)
    both.save_pretrained(tmp_path / "lora")
    trace = av.load(tmp_path / "lora").trace(TEXT)
    logits = both.get_base_model()(torch.tensor([trace.tokens.source.ids])).logits[0].reshape(-1, n)
    expected = logits.softmax(-1).sort(-1, descending=True).values
    torch.testing.assert_close(trace.prediction.probabilities, expected, rtol=0, atol=1e-5)


def test_a_classifier_whose_pooler_the_adapter_does_not_hold_is_refused_by_its_name(tmp_path):
    base = saved(eager_module("bert", TINY["bert"], AutoModelForMaskedLM), tmp_path / "base")
    whole = AutoModelForSequenceClassification.from_pretrained(base, num_labels=3)
    asked = LoraConfig(task_type="SEQ_CLS", r=4, target_modules=["query"])
    get_peft_model(whole, asked).save_pretrained(tmp_path / "a")
    with pytest.raises(AttnvizError, match=r"bert\.pooler\.dense"):
        av.load(tmp_path / "a")


def test_an_adapter_with_more_tokens_lengthens_the_table_and_a_relative_base_is_found_beside_it(base, tmp_path):
    shutil.copytree(base, tmp_path / "base")
    whole = AutoModelForCausalLM.from_pretrained(base, attn_implementation="eager")
    whole.resize_token_embeddings(len(whole.get_input_embeddings().weight) + 2)
    asked = LoraConfig(r=4, target_modules=["q_proj"], modules_to_save=["lm_head", "embed_tokens"])
    both = get_peft_model(whole, asked).eval()
    both.save_pretrained(tmp_path / "lora")
    change_json(tmp_path / "lora" / CONFIG, base_model_name_or_path="./base")
    check(av.load(tmp_path / "lora"), both)


def test_a_base_is_taken_from_the_hubs_cache_and_never_fetched(folder, base, tmp_path, monkeypatch):
    change_json(folder / CONFIG, base_model_name_or_path="someone/base")
    with pytest.raises(
        AttnvizError, match="an adapter to the model “someone/base”, which is not on this mach"
    ) as error:
        av.load(folder)
    assert error.value.id == "no-adapter-base"
    snapshot = tmp_path / "hub/models--someone--base/snapshots/0123abc"
    snapshot.mkdir(parents=True)
    for file in Path(base).iterdir():
        (snapshot / file.name).write_bytes(file.read_bytes())
    (tmp_path / "hub/models--someone--base/refs").mkdir()
    (tmp_path / "hub/models--someone--base/refs/main").write_text("0123abc")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    assert av.load(folder).trace(TEXT).verified.holds


def a_pickle(folder):
    class Opened:
        def __reduce__(self):
            return (open, (str(folder / "opened"), "w"))

    (folder / WEIGHTS).unlink()
    (folder / "adapter_model.bin").write_bytes(pickle.dumps(Opened()))


def config_with(**changes):
    return lambda folder: change_json(folder / CONFIG, **changes)


def weights_with(change):
    def spoil(folder):
        tensors = load_file(folder / WEIGHTS)
        change(tensors)
        save_file(tensors, folder / WEIGHTS)

    return spoil


FIRST = "base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight"


@pytest.mark.parametrize(("spoil", "id", "says"), [
    (a_pickle, "no-adapter-weights", "without “adapter_model.safetensors”.*never opened"),
    (config_with(peft_type="IA3"), "adapter", "of the kind IA3, and only a LoRA is merged here"),
    (config_with(megatron_config={"a": 1}, megatron_core="os"), "adapter", "asks for megatron_config="),
    (config_with(alora_invocation_tokens=[1]), "adapter", "asks for alora_invocation_tokens="),
    (config_with(bias="all"), "adapter", "asks for bias=all"),
    (config_with(init_lora_weights="pissa"), "adapter", "asks for init_lora_weights=pissa"),
    (config_with(rank_pattern={"(a+)+$": 3}), "adapter", r"names modules by the pattern \(a\+\)\+\$"),
    (config_with(r=5), "adapter", "size mismatch|Error"),
    (config_with(base_model_name_or_path=None), "no-adapter-base", "to the model “”, which is not on this machine"),
    (weights_with(lambda it: it.pop(FIRST)), "adapter", "its tensors are not those of this base, such as .*q_proj"),
    (weights_with(lambda it: it.update({"base_model.model.score.weight": torch.ones(2, 32)})), "adapter",
     r"not those of this base, such as .*score\.weight"),
    (lambda folder: (folder / WEIGHTS).write_bytes(b"no"), "damaged-weights", "is not a whole safetensors file"),
])  # fmt: skip
def test_what_cannot_be_merged_truly_is_refused(folder, spoil, id, says):
    spoil(folder)
    with pytest.raises(AttnvizError, match=says) as error:
        av.load(folder)
    assert error.value.id == id and not (folder / "opened").exists()
    assert id != "adapter" or "merge_and_unload().save_pretrained(folder)" in str(error.value)


def test_without_peft_it_is_said_how_to_merge(folder, monkeypatch):
    monkeypatch.setattr(adapter, "find_spec", lambda name: None if name == "peft" else find_spec(name))
    with pytest.raises(AttnvizError, match=r"the package peft, .* is not installed\. Merge it into its model") as error:
        av.load(folder)
    assert error.value.id == "adapter"


def test_a_prefix_has_no_weights_to_be_merged_into(base):
    whole = AutoModelForCausalLM.from_pretrained(base)
    prefixed = get_peft_model(whole, PrefixTuningConfig(num_virtual_tokens=2, task_type="CAUSAL_LM"))
    with pytest.raises(AttnvizError, match="cannot be merged into its weights") as error:
        av.load(prefixed, byte_tokenizer())
    assert error.value.id == "cannot-merge"


def test_the_base_of_a_lora_is_checked_like_any_folder(folder, base, tmp_path):
    (tmp_path / "other").mkdir()
    for file in Path(base).iterdir():
        (tmp_path / "other" / file.name).write_bytes(file.read_bytes())
    (tmp_path / "other/config.json").write_text(
        json.dumps(json.loads(Path(base, "config.json").read_text()) | {"num_hidden_layers": 1})
    )
    change_json(folder / CONFIG, base_model_name_or_path=str(tmp_path / "other"))
    with pytest.raises(AttnvizError) as error:
        av.load(folder)
    assert error.value.id == "unused-weights"


def test_an_adapter_that_is_switched_off_is_not_in_the_trace_and_prompts_are_refused_as_such(both, base):
    with both.disable_adapter():
        trace = av.load(both, byte_tokenizer()).trace(TEXT)
    plain = av.load(base).trace(TEXT)
    torch.testing.assert_close(trace["decoder.1.self"].weights(), plain["decoder.1.self"].weights(), rtol=0, atol=1e-6)
    prefixed = get_peft_model(AutoModelForCausalLM.from_pretrained(base), PrefixTuningConfig(
        task_type="CAUSAL_LM", num_virtual_tokens=2,
    ))  # fmt: skip
    with pytest.raises(AttnvizError, match="it adds prompts"):
        av.load(prefixed, byte_tokenizer())
