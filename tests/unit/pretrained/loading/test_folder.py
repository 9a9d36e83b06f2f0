"""Folders on this machine: a whole one loads and verifies; a hostile or broken one is refused in a sentence."""

import json
import os
import pickle
import shutil
import struct
from pathlib import Path
from threading import Thread

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import AutoModel, AutoModelForCausalLM, AutoModelForMaskedLM, AutoModelForSeq2SeqLM, AutoTokenizer

from attnviz import catalog
from attnviz.core.errors import AttnvizError, UnsupportedModel, WrongWeights
from attnviz.pretrained.loading import meta_load
from attnviz.pretrained.loading.folder import CONFIG, INDEX, WEIGHTS
from attnviz.pretrained.loading.meta_load import one_load
from tests.conftest import TINY as MODELS
from tests.parity.tiny_models import byte_tokenizer, eager_module, saved

TINY = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A whole tiny BERT with MiniLM's tokenizer."""
    folder = tmp_path_factory.mktemp("whole")
    sizes = {"vocab_size": 30522, "max_position_embeddings": 64}
    eager_module("bert", TINY | sizes).save_pretrained(folder)
    AutoTokenizer.from_pretrained(catalog.get("minilm-l6")).save_pretrained(folder)
    return folder


@pytest.fixture
def folder(whole, tmp_path):
    """A copy of it that a test may spoil."""
    return shutil.copytree(whole, tmp_path / "tiny")


def change_json(path: Path, **changes) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def test_a_folder_loads_verifies_and_says_where_it_lies(folder, capfd):
    model = catalog.load(str(folder))
    card = model.card
    assert model.trace("The cat sat on the mat.").verified.holds and card.probe_difference < 1e-5
    assert (card.name, card.source, card.n_layers, card.max_tokens) == ("tiny", str(folder), 2, 64)
    said = capfd.readouterr()
    assert said.out + said.err == ""  # nothing is printed


def test_a_folder_as_the_hubs_client_keeps_it_may_link_to_the_files_beside_it(folder, tmp_path):
    home = tmp_path / "models--some--model"
    snapshot = home / "snapshots" / "0123abc"
    (home / "blobs").mkdir(parents=True)
    snapshot.mkdir(parents=True)
    for number, file in enumerate(sorted(folder.iterdir())):
        file.rename(home / "blobs" / str(number))
        (snapshot / file.name).symlink_to(os.path.relpath(home / "blobs" / str(number), snapshot))
    assert catalog.load(str(snapshot)).trace("The cat sat.").verified.holds


def test_numbers_that_the_model_does_not_read_are_no_reason_to_refuse(folder):
    not_read = {"max_window_layers": 70, "vocab_size_per_layer_input": 262_144, "encoder": {"num_blocks": 50_000}}
    change_json(folder / CONFIG, **not_read)
    assert catalog.load(str(folder)).card.n_layers == 2


def no_tokenizer(folder):
    for path in folder.glob("tokenizer*.json"):
        path.unlink()


def a_tokenizer_id_past_the_table(folder):
    model = json.loads((folder / "tokenizer.json").read_text())["model"]
    change_json(folder / "tokenizer.json", model=model | {"vocab": model["vocab"] | {"zzz": 1_000_000}})


def a_tokenizer_file_elsewhere(folder):
    (folder.parent / "secret.txt").write_text("secret")
    change_json(folder / "tokenizer_config.json", vocab_file=str(folder.parent / "secret.txt"))


def half_the_weights(folder):
    whole = (folder / WEIGHTS).read_bytes()
    (folder / WEIGHTS).write_bytes(whole[: len(whole) // 2])


def a_pipe(folder):
    (folder / "tokenizer.json").unlink()
    os.mkfifo(folder / "tokenizer.json")


def a_sparse_terabyte(folder):
    with open(folder / "vocab.txt", "wb") as file:
        file.truncate(1 << 40)


def with_file(name: str, content: str | bytes):
    return lambda folder: (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())


def config_with(**changes):
    return lambda folder: change_json(folder / CONFIG, **changes)


def index_naming(name: str):
    return with_file(INDEX, json.dumps({"weight_map": {"embeddings.word_embeddings.weight": name}}))


def with_weights(change):
    def spoil(folder):
        tensors = load_file(folder / WEIGHTS)
        change(tensors)
        save_file(tensors, folder / WEIGHTS, metadata={"format": "pt"})

    return spoil


def infinite_position(tensors):
    tensors["embeddings.position_embeddings.weight"][40, 3] = float("inf")  # a short text never meets it


def a_link_out(folder):
    (folder / WEIGHTS).rename(folder.parent / WEIGHTS)
    (folder / WEIGHTS).symlink_to(folder.parent / WEIGHTS)


def large_queries(tensors):
    for name in tensors:
        if "query" in name:
            tensors[name].fill_(3e38)


def checkpoints_of_a_training(folder):
    for step in (500, 1000):
        (folder / f"checkpoint-{step}").mkdir()
        shutil.copy(folder / CONFIG, folder / f"checkpoint-{step}")
    (folder / CONFIG).unlink()
    (folder / WEIGHTS).unlink()


def nothing_inside(folder):
    shutil.rmtree(folder)
    folder.mkdir()


def a_gguf_file_alone(folder):
    nothing_inside(folder)
    (folder / "q8.gguf").write_bytes(b"GGUF")


@pytest.mark.parametrize(
    ("spoil", "id", "says"),
    [
        (checkpoints_of_a_training, "models-inside", r"Name one of them, such as .*tiny/checkpoint-1000\."),
        (a_gguf_file_alone, "models-inside", r"Name one of them, such as .*tiny/q8\.gguf\."),
        (shutil.rmtree, "no-such-path", r"There is no file or folder .*tiny\. Check"),
        (nothing_inside, "no-model-folder", r"There is no model in .*tiny: it has no “config\.json”"),
        (lambda folder: (folder / WEIGHTS).unlink(), "no-weights", "“config.json” and no weights"),
        (lambda folder: (folder / CONFIG).unlink(), "no-config", r"no whole model in .*tiny: .* has no “config\.json”"),
        (with_file(WEIGHTS, "version https://git-lfs.github.com/spec/v1\nsize 9\n"), "lfs-pointer", "is a pointer"),
        (a_link_out, "leads-out", f"“{WEIGHTS}” in .* leads out of the model’s folder"),
        (a_tokenizer_file_elsewhere, "leads-out", r"secret\.txt” in tokenizer_config\.json leads out"),
        (a_pipe, "bad-config", "it is no ordinary file"),
        (a_sparse_terabyte, "bad-config", r"vocab\.txt cannot be read: 1099511627776 bytes"),
        (with_file("adapter_config.json", "{}"), "adapter-beside", "a whole model and an adapter that may be merged"),
        *((with_file(CONFIG, content), "bad-config", r"config\.json cannot be read")
          for content in ("[]", "\x00", "[" * 100_000)),
        (config_with(_attn_implementation="someone/kernel"), "own-code", "needs code of its own"),
        (config_with(hidden_act="magic"), "not-loadable", "it names 'magic', which transformers does not know"),
        (config_with(intermediate_size=48), "not-loadable", "cannot load"),
        (config_with(num_hidden_layers=1), "unused-weights", r"does not ask for, such as encoder\.layer\.1\."),
        (config_with(num_hidden_layers=10**400), "config-too-large", r"about 10\^400 \(num_hidden_layers\)"),
        *((config_with(**changes), "config-too-large", "hold at most") for changes in (
            {"intermediate_size": 16_000_000}, {"num_hidden_layers": [10**9]}, {"num_labels": 8_000_000})),
        (config_with(num_hidden_layers=100_000), "config-too-many", "asks for more than"),
        (half_the_weights, "damaged-weights", "is not a whole safetensors file"),
        (with_file(WEIGHTS, struct.pack("<Q", 1 << 60) + b"{}"), "damaged-weights", "is not a whole safetensors file"),
        *((index_naming(name), "climbing-name", "is not a safetensors file of this folder")
          for name in ("../model.safetensors", "weights.bin")),
        (with_weights(lambda it: it.pop("encoder.layer.1.attention.self.query.weight")),
         "missing-weights", r"lack 1 of the model’s tensors, such as encoder\.layer\.1"),
        (with_weights(infinite_position), "weights-no-numbers", r"NaN or infinite numbers in float32, .*position_emb"),
        (with_weights(large_queries), "no-numbers", r"no numbers \(NaN\) in float32"),
        (lambda folder: byte_tokenizer().save_pretrained(folder), "tokenizer-mismatch", "has 256 tokens and the model"),
        (a_tokenizer_id_past_the_table, "tokenizer-mismatch", "has 1,000,001 tokens and the model 30,522"),
        (no_tokenizer, "no-tokenizer", "without the vocabulary"),
    ],
)  # fmt: skip
def test_a_spoilt_folder_is_refused_in_a_sentence(folder, spoil, id, says):
    spoil(folder)
    with pytest.raises(AttnvizError, match=says) as error:
        catalog.load(str(folder))
    assert id in (None, error.value.id)


def test_a_pickle_is_never_opened_even_when_it_is_all_there_is(folder, tmp_path):
    class Opened:
        def __reduce__(self):
            return (open, (str(tmp_path / "opened"), "w"))

    (folder / WEIGHTS).unlink()
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps(Opened()))
    with pytest.raises(WrongWeights, match=r"holds no weights in “model\.safetensors”.*pickle") as error:
        catalog.load(str(folder))
    assert error.value.id == "no-safetensors" and not (tmp_path / "opened").exists()


def test_code_that_a_folder_brings_along_is_never_run(folder, tmp_path):
    (folder / "modeling_evil.py").write_text(
        f"open({str(tmp_path / 'ran')!r}, 'w')\nclass Evil: pass\nclass EvilConfig: pass\n"
    )
    auto = {"AutoConfig": "modeling_evil.EvilConfig", "AutoModel": "modeling_evil.Evil"}
    change_json(folder / CONFIG, model_type="evil", auto_map=auto)
    with pytest.raises(UnsupportedModel, match="needs code of its own, and code that a model brings along") as error:
        catalog.load(str(folder))
    assert error.value.id == "own-code" and not (tmp_path / "ran").exists()
    assert "trust_remote_code" not in str(error.value)


def test_a_model_larger_than_the_memory_is_refused_before_it_is_built(folder, monkeypatch):
    monkeypatch.setattr(meta_load, "memory_of", lambda device: 1_000_000)
    with pytest.raises(UnsupportedModel, match=r"takes 0 GB in float32, and cpu has 0 GB") as error:
        catalog.load(str(folder))
    assert error.value.id == "too-large-for-memory"


def holding(auto: type, model_type: str, names: list[str], folder: Path) -> Path:
    """The folder of a tiny model whose weights hold these tensors besides."""
    saved(eager_module(model_type, MODELS[model_type], auto), folder)
    tensors = load_file(folder / WEIGHTS) | {name: torch.ones(4) for name in names}
    save_file(tensors, folder / WEIGHTS, metadata={"format": "pt"})
    return folder


@pytest.mark.parametrize(("model_type", "auto", "name"), [
    *(("llama", AutoModelForCausalLM, f"model.layers.1.{name}") for name in (
        "self_attn.q_proj.bias", "self_attn.k_norm.weight", "self_attn.sinks", "mlp.up_proj.bias",
        "self_attn.v_proj.lora_A.weight", "self_attn.o_proj.weight_scale")),
    ("llama", AutoModelForCausalLM, "model.another_norm.weight"), ("llama", AutoModelForCausalLM, "lm_head.bias"),
    ("llama", AutoModel, "layers.0.mlp.up_proj.bias"), ("gpt2", AutoModel, "h.0.attn.q_norm.weight"),
    ("gptj", AutoModelForCausalLM, "transformer.h.0.attn.bias"),
    ("bert", AutoModelForMaskedLM, "bert.encoder.layer.0.attention.self.query.lora_A.weight"),
    ("llama", AutoModelForCausalLM, "base_model.model.model.layers.0.self_attn.q_proj.lora_A.default.weight"),
    ("bert", AutoModelForMaskedLM, "cls.predictions.transform.dense.scale"),
    ("t5", AutoModelForSeq2SeqLM, "encoder.block.0.layer.0.SelfAttention.q.bias"),
])  # fmt: skip
def test_a_tensor_that_the_configuration_has_no_place_for_is_refused_by_name(model_type, auto, name, tmp_path):
    with pytest.raises(WrongWeights, match=rf"a tensor that “config\.json” does not ask for, such as {name}:") as error:
        catalog.load(str(holding(auto, model_type, [name], tmp_path)))
    assert error.value.id == "unused-weights"


@pytest.mark.parametrize(("model_type", "auto", "names"), [
    ("llama", AutoModelForCausalLM, ["model.layers.0.self_attn.rotary_emb.inv_freq", "score.weight"]),
    ("gpt2", AutoModelForCausalLM, ["transformer.h.0.attn.bias", "transformer.h.0.attn.masked_bias"]),
    ("gpt2", AutoModel, ["lm_head.weight", "h.0.attn.masked_bias"]),
    ("bert", AutoModelForMaskedLM, ["bert.embeddings.position_ids", "cls.seq_relationship.weight",
                                    "bert.pooler.dense.weight", "classifier.weight"]),
    ("bert", AutoModel, ["embeddings.position_ids", "cls.predictions.bias", "qa_outputs.weight"]),
    ("t5", AutoModelForSeq2SeqLM, ["decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight"]),
])  # fmt: skip
def test_another_tasks_head_and_constants_of_older_versions_are_ignored(model_type, auto, names, tmp_path):
    target = "a" if auto is AutoModelForSeq2SeqLM else None
    assert catalog.load(str(holding(auto, model_type, names, tmp_path))).trace("some text", target).verified.holds


def test_the_causal_mask_that_older_versions_saved_as_a_bias_is_ignored(tmp_path):
    folder = holding(AutoModelForCausalLM, "gptj", [], tmp_path)
    mask = torch.ones(64, 64).tril().bool()[None, None]  # [1, 1, T, T]
    with_weights(lambda it: it.update({"transformer.h.0.attn.bias": mask}))(folder)
    assert catalog.load(str(folder)).trace("some text").verified.holds


def test_while_one_model_is_loaded_every_other_waits(folder, monkeypatch):
    """transformers takes `tie_weights` off its own class meanwhile: what is loaded beside it lacks its tied weights."""
    free: list[bool] = []
    load = AutoTokenizer.from_pretrained

    def looks(*args, **options):
        other = Thread(target=lambda: free.append(one_load.acquire(blocking=False)))
        other.start()
        other.join()
        return load(*args, **options)

    monkeypatch.setattr(AutoTokenizer, "from_pretrained", looks)
    catalog.load(str(folder))
    assert free == [False] and one_load.acquire(blocking=False)
    one_load.release()
