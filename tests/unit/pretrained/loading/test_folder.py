"""Folders on this machine: a whole one loads and verifies; a hostile or broken one is refused in a sentence."""

import json
import os
import pickle
import struct
from pathlib import Path

import pytest
import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import (
    AutoModel,
    AutoTokenizer,
    BertConfig,
    GPT2Config,
    MambaConfig,
    PreTrainedTokenizerFast,
)

from attnviz import catalog
from attnviz.core.errors import AttnvizError, UnknownModel, UnsupportedModel, WrongWeights
from attnviz.pretrained.known import BY_NAME
from attnviz.pretrained.loading import meta_load
from attnviz.pretrained.loading.folder import INDEX, WEIGHTS
from attnviz.pretrained.loading.load import bundled_folder

TINY = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}


def saved(config, folder: Path, tokenizer) -> Path:
    torch.manual_seed(0)
    AutoModel.from_config(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def byte_level_tokenizer() -> PreTrainedTokenizerFast:
    """A byte-level tokenizer without merges: every byte is a token, as in GPT-2's first 256."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {piece: number for number, piece in enumerate([*alphabet, "<|end|>"])}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|end|>")


@pytest.fixture
def folder(tmp_path):
    """A whole tiny BERT with MiniLM's tokenizer; a test may spoil it."""
    tokenizer = AutoTokenizer.from_pretrained(bundled_folder(BY_NAME["minilm-l6"]))
    return saved(BertConfig(vocab_size=30522, max_position_embeddings=64, **TINY), tmp_path / "tiny", tokenizer)


def change_config(folder: Path, **changes) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | changes))


def test_a_folder_loads_verifies_and_says_where_it_lies(folder):
    model = catalog.load(str(folder))
    trace = model.trace("The cat sat on the mat.")

    assert trace.verified.holds and model.card.probe_difference < 1e-5
    assert (model.card.name, model.card.source, model.card.n_layers, model.card.max_tokens) == (
        "tiny",
        str(folder),
        2,
        64,
    )


def test_a_causal_model_of_bytes_shows_chinese_by_its_characters(tmp_path):
    config = GPT2Config(
        n_embd=16, n_layer=2, n_head=2, vocab_size=257, n_positions=32, bos_token_id=256, eos_token_id=256
    )
    model = catalog.load(str(saved(config, tmp_path / "bytes", byte_level_tokenizer())))
    tokens = model.trace("我 ok").tokens.source

    assert tokens.text == ("我 1/3", "我 2/3", "我 3/3", "␣", "o", "k")
    assert tokens.spans[:3] == ((0, 1),) * 3


def test_a_causal_model_is_a_decoder_that_looks_back_alone(tmp_path):
    config = GPT2Config(
        n_embd=16, n_layer=2, n_head=2, vocab_size=257, n_positions=32, bos_token_id=256, eos_token_id=256
    )
    model = catalog.load(str(saved(config, tmp_path / "bytes", byte_level_tokenizer())))
    long, short = model.traces(["look back only", "short"])

    assert [site.key for site in long.sites] == ["decoder.0.self", "decoder.1.self"]
    assert long["decoder.0.self"].replay.mask.causal and short["decoder.1.self"].replay.mask.causal
    assert not long["decoder.0.self"].weights(0).triu(1).any()
    assert long.verified.holds and short.verified.holds
    assert "decoder.final" in long.stream and "decoder.1.out" not in long.stream


def test_no_such_folder_is_said_so(tmp_path):
    with pytest.raises(UnknownModel, match=r"There is no model in .*nowhere: it has no config\.json") as error:
        catalog.load(str(tmp_path / "nowhere"))
    assert error.value.id == "no-model-folder"


def test_a_pickle_is_never_opened_even_when_it_is_all_there_is(folder, tmp_path):
    class Opened:
        def __reduce__(self):
            return (open, (str(tmp_path / "opened"), "w"))

    (folder / WEIGHTS).unlink()
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps(Opened()))

    with pytest.raises(WrongWeights, match=r"has no model\.safetensors.*pickle") as error:
        catalog.load(str(folder))
    assert error.value.id == "no-safetensors" and not (tmp_path / "opened").exists()


def test_code_that_a_folder_brings_along_is_never_run(folder, tmp_path):
    (folder / "modeling_evil.py").write_text(
        f"open({str(tmp_path / 'ran')!r}, 'w')\nclass Evil: pass\nclass EvilConfig: pass\n"
    )
    change_config(
        folder,
        model_type="evil",
        auto_map={"AutoConfig": "modeling_evil.EvilConfig", "AutoModel": "modeling_evil.Evil"},
    )

    with pytest.raises(UnsupportedModel, match="needs code of its own, and code that a model brings along") as error:
        catalog.load(str(folder))
    assert error.value.id == "own-code" and not (tmp_path / "ran").exists()
    assert "trust_remote_code" not in str(error.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [("num_hidden_layers", 10**9), ("hidden_size", 10**9), ("max_position_embeddings", 10**12), ("vocab_size", 10**9),
     ("num_hidden_layers", 40), ("intermediate_size", 16_000_000), ("num_hidden_layers", [10**9]),
     ("num_labels", 8_000_000), ("encoder", {"num_blocks": 50_000})],
)  # fmt: skip
def test_a_config_that_asks_for_more_than_its_weights_is_refused_before_anything_is_built(folder, name, value):
    change_config(folder, **{name: value})

    with pytest.raises(AttnvizError) as error:
        catalog.load(str(folder))
    assert error.value.id in ("config-too-large", "missing-weights")
    assert "hold at most" in str(error.value) or "lack" in str(error.value)


@pytest.mark.parametrize(
    ("name", "value"), [("max_window_layers", 70), ("vocab_size_per_layer_input", 262_144), ("layer_size", 4096)]
)
def test_a_number_that_counts_no_layers_is_no_reason_to_refuse(folder, name, value):
    change_config(folder, **{name: value})  # Qwen2 and Gemma-3n say so in their own; BERT does not read it
    assert catalog.load(str(folder)).card.n_layers == 2


def test_a_number_of_hundreds_of_digits_is_said_by_its_length(folder):
    change_config(folder, num_hidden_layers=10**400)
    with pytest.raises(UnsupportedModel, match=r"num_hidden_layers = about 10\^400; the weights") as error:
        catalog.load(str(folder))
    assert error.value.id == "config-too-large"


def test_what_transformers_does_not_know_is_named_as_such(folder):
    change_config(folder, hidden_act="magic")
    with pytest.raises(UnsupportedModel, match=r"cannot load .*: it names 'magic', which transformers does not know"):
        catalog.load(str(folder))


def test_other_sizes_than_the_weights_have_are_refused(folder):
    change_config(folder, intermediate_size=48)

    with pytest.raises(AttnvizError, match="cannot load") as error:
        catalog.load(str(folder))
    assert error.value.id == "not-loadable"


def test_truncated_weights_are_refused(folder):
    whole = (folder / WEIGHTS).read_bytes()
    (folder / WEIGHTS).write_bytes(whole[: len(whole) // 2])

    with pytest.raises(WrongWeights, match="is not a whole safetensors file") as error:
        catalog.load(str(folder))
    assert error.value.id == "damaged-weights"


@pytest.mark.parametrize(
    "content", [b"", b"\x00" * 7, struct.pack("<Q", 1 << 60) + b"{}", struct.pack("<Q", 2) + b"[]"]
)
def test_files_that_only_claim_to_be_safetensors_are_refused(folder, content):
    (folder / WEIGHTS).write_bytes(content)

    with pytest.raises(WrongWeights, match="is not a whole safetensors file"):
        catalog.load(str(folder))


@pytest.mark.parametrize("name", ["../model.safetensors", "/etc/passwd", "sub/model.safetensors", "weights.bin", ".."])
def test_an_index_that_climbs_out_of_the_folder_is_refused(folder, name):
    (folder / INDEX).write_text(json.dumps({"weight_map": {"embeddings.word_embeddings.weight": name}}))

    with pytest.raises(WrongWeights, match="is not a safetensors file of this folder") as error:
        catalog.load(str(folder))
    assert error.value.id == "climbing-name"


def test_weights_with_gaps_are_not_filled_with_random_numbers(folder):
    from safetensors.torch import load_file, save_file

    tensors = load_file(folder / WEIGHTS)
    tensors.pop("encoder.layer.1.attention.self.query.weight")
    save_file(tensors, folder / WEIGHTS, metadata={"format": "pt"})

    with pytest.raises(WrongWeights, match=r"lack 1 of the model's tensors, such as encoder\.layer\.1") as error:
        catalog.load(str(folder))
    assert error.value.id == "missing-weights"


def test_a_tokenizer_of_another_model_is_refused(tmp_path):
    tokenizer = AutoTokenizer.from_pretrained(bundled_folder(BY_NAME["minilm-l6"]))
    folder = saved(BertConfig(vocab_size=100, **TINY), tmp_path / "small", tokenizer)

    with pytest.raises(UnsupportedModel, match="has 30522 tokens and the model 100") as error:
        catalog.load(str(folder))
    assert error.value.id == "tokenizer-mismatch"


@pytest.mark.parametrize("content", ["", "[]", "{", "\x00", "[" * 100_000])
def test_a_config_that_is_no_object_is_refused(folder, content):
    (folder / "config.json").write_text(content)

    with pytest.raises(UnsupportedModel, match=r"config\.json cannot be read") as error:
        catalog.load(str(folder))
    assert error.value.id == "bad-config"


def test_a_model_without_attention_matrices_is_refused(tmp_path):
    config = MambaConfig(hidden_size=16, num_hidden_layers=2, vocab_size=257, state_size=4, pad_token_id=0)
    folder = saved(config, tmp_path / "mamba", byte_level_tokenizer())

    with pytest.raises(UnsupportedModel, match="has no attention matrices to give") as error:
        catalog.load(str(folder))
    assert error.value.id == "no-attention"


def test_a_model_larger_than_the_memory_is_refused_before_it_is_built(folder, monkeypatch):
    monkeypatch.setattr(meta_load, "memory_of", lambda device: 1_000_000)

    with pytest.raises(UnsupportedModel, match=r"takes 0\.0 GB in float32, and cpu has 0\.0 GB") as error:
        catalog.load(str(folder))
    assert error.value.id == "too-large-for-memory"


def test_a_model_that_would_be_laid_out_without_end_is_stopped(folder, monkeypatch):
    monkeypatch.setattr(meta_load, "SPARE_TENSORS", -60)  # 39 tensors: the guard allows 18

    with pytest.raises(UnsupportedModel, match="asks for more than 18 tensors") as error:
        catalog.load(str(folder))
    assert error.value.id == "config-too-many"


def test_weights_with_more_layers_than_the_config_asks_for_are_not_shown_as_the_whole(folder):
    change_config(folder, num_hidden_layers=1)

    with pytest.raises(WrongWeights, match=r"does not ask for, such as encoder\.layer\.1\.") as error:
        catalog.load(str(folder))
    assert error.value.id == "unused-weights"


@pytest.mark.parametrize("name", ["model.safetensors", "config.json", "tokenizer.json"])
def test_a_link_that_leads_out_of_the_folder_is_not_followed(folder, tmp_path, name):
    (folder / name).rename(tmp_path / name)
    (folder / name).symlink_to(tmp_path / name)

    with pytest.raises(WrongWeights, match=f"{name!r} in .* leads out of the model's folder") as error:
        catalog.load(str(folder))
    assert error.value.id == "leads-out"


def test_a_folder_as_the_hubs_client_keeps_it_may_link_to_the_files_beside_it(folder, tmp_path):
    home = tmp_path / "models--some--model"
    (home / "blobs").mkdir(parents=True)
    snapshot = home / "snapshots" / "0123abc"
    snapshot.mkdir(parents=True)
    for number, file in enumerate(sorted(folder.iterdir())):
        file.rename(home / "blobs" / str(number))
        (snapshot / file.name).symlink_to(os.path.relpath(home / "blobs" / str(number), snapshot))

    assert catalog.load(str(snapshot)).trace("The cat sat.").verified.holds


def test_a_tokenizer_that_names_a_file_elsewhere_is_refused(folder, tmp_path):
    (tmp_path / "secret.txt").write_text("secret")
    config = json.loads((folder / "tokenizer_config.json").read_text())
    (folder / "tokenizer_config.json").write_text(json.dumps(config | {"vocab_file": str(tmp_path / "secret.txt")}))

    with pytest.raises(WrongWeights, match=r"secret\.txt' in tokenizer_config\.json leads out") as error:
        catalog.load(str(folder))
    assert error.value.id == "leads-out"


def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(folder):
    (folder / "tokenizer.json").unlink()
    os.mkfifo(folder / "tokenizer.json")

    with pytest.raises(UnsupportedModel, match="it is no ordinary file"):
        catalog.load(str(folder))


def test_an_adapter_to_another_model_is_refused(folder):
    (folder / "adapter_config.json").write_text(json.dumps({"base_model_name_or_path": "/elsewhere"}))

    with pytest.raises(UnsupportedModel, match="holds an adapter") as error:
        catalog.load(str(folder))
    assert error.value.id == "adapter"


def test_a_kernel_that_a_config_asks_for_is_never_fetched(folder):
    change_config(folder, _attn_implementation="someone/kernel")

    with pytest.raises(UnsupportedModel, match="asks for the code 'someone/kernel', and no code is fetched"):
        catalog.load(str(folder))


def test_a_tokenizer_whose_ids_reach_past_the_table_is_refused_though_it_is_small(folder):
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    tokenizer["model"]["vocab"]["zzz"] = 1_000_000
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))

    with pytest.raises(UnsupportedModel, match="has 1000001 tokens and the model 30522"):
        catalog.load(str(folder))


def test_a_folder_without_a_tokenizer_is_refused(folder):
    for name in ("tokenizer.json", "tokenizer_config.json", "vocab.txt"):
        (folder / name).unlink(missing_ok=True)

    with pytest.raises(UnsupportedModel, match=r"without the vocabulary|cannot load"):
        catalog.load(str(folder))


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_weights_that_are_no_numbers_are_refused_wherever_they_are(folder, number):
    from safetensors.torch import load_file, save_file

    tensors = load_file(folder / WEIGHTS)
    tensors["embeddings.position_embeddings.weight"][40, 3] = number  # a short text never meets it
    save_file(tensors, folder / WEIGHTS, metadata={"format": "pt"})

    with pytest.raises(WrongWeights, match=r"NaN or infinite numbers in float32, such as in .*position_emb") as error:
        catalog.load(str(folder))
    assert error.value.id == "weights-no-numbers"


def test_weights_that_lead_to_no_numbers_are_refused(folder):
    from safetensors.torch import load_file, save_file

    tensors = load_file(folder / WEIGHTS)
    large = {name: torch.full_like(it, 3e38) if "query" in name else it for name, it in tensors.items()}
    save_file(large, folder / WEIGHTS, metadata={"format": "pt"})

    with pytest.raises(UnsupportedModel, match=r"no numbers \(NaN\) in float32") as error:
        catalog.load(str(folder))
    assert error.value.id == "no-numbers"


def test_loading_says_nothing_in_the_terminal(folder, capfd):
    catalog.load(str(folder))
    said = capfd.readouterr()
    assert said.out + said.err == ""
