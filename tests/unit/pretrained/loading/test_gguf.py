"""A GGUF file that cannot be read truly is refused in a sentence, before it takes any memory."""

import hashlib
import shutil
import struct
from pathlib import Path

import pytest
import torch
from transformers import AutoConfig, AutoModelForCausalLM

from attnviz import catalog
from attnviz.core.errors import UnsupportedModel, WrongWeights
from attnviz.pretrained.loading import meta_load
from attnviz.pretrained.loading.gguf.header import read_header
from attnviz.pretrained.loading.gguf.load import refuse_part
from tests.gguf_files import CASES, metadata_of, tensors_of, write

HUGE = 2**62


@pytest.fixture(scope="module")
def parts():
    """What a tiny Llama's file is made of."""
    torch.manual_seed(0)
    module = AutoModelForCausalLM.from_config(AutoConfig.for_model("llama", **CASES["llama"][2]))
    return metadata_of("llama"), tensors_of("llama", module)


@pytest.fixture(scope="module")
def whole(parts, tmp_path_factory) -> Path:
    return write(tmp_path_factory.mktemp("gguf") / "tiny.gguf", "llama", *parts)


def refused(path: Path, kind: type[Exception], name: str) -> str:
    with pytest.raises(kind) as error:
        catalog.load(path)
    assert error.value.id == name
    return str(error.value)


def text(value: str) -> bytes:
    return struct.pack("<Q", len(value)) + value.encode()


HEADS = {
    "another version": b"GGUF" + struct.pack("<IQQ", 9, 1, 1),
    "big-endian": b"GGUF" + struct.pack(">IQQ", 3, 1, 1),
    "endless tensors": b"GGUF" + struct.pack("<IQQ", 3, HUGE, 0),
    "endless keys": b"GGUF" + struct.pack("<IQQ", 3, 0, HUGE),
    "an endless key": b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, HUGE),
    "an endless text": b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + text("a") + struct.pack("<IQ", 8, HUGE),
    "an endless list": b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + text("a") + struct.pack("<IIQ", 9, 4, HUGE),
    "lists of lists": b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + text("a") + struct.pack("<IIQ", 9, 9, 1),
    "no such type": b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + text("a") + struct.pack("<I", 77),
    "one key twice": b"GGUF" + struct.pack("<IQQ", 3, 0, 2) + 2 * (text("a") + struct.pack("<II", 4, 1)),
    "too many axes": b"GGUF" + struct.pack("<IQQ", 3, 1, 0) + text("t") + struct.pack("<I", 1 << 30),
    "a tensor of no type": b"GGUF" + struct.pack("<IQQ", 3, 1, 0) + text("t") + struct.pack("<IQIQ", 1, 32, 999, 0),
    "a tensor past the end": b"GGUF" + struct.pack("<IQQ", 3, 1, 0) + text("t") + struct.pack("<IQIQ", 1, HUGE, 0, 0),
    "a tensor without numbers": b"GGUF" + struct.pack("<IQQ", 3, 1, 0) + text("t") + struct.pack("<IQIQ", 1, 0, 0, 0),
}


@pytest.mark.parametrize("case", HEADS)
def test_a_hostile_header_is_refused_before_anything_is_made_of_it(case, tmp_path):
    path = tmp_path / "hostile.gguf"
    path.write_bytes(HEADS[case] + bytes(64))
    assert "is not a whole GGUF file" in refused(path, WrongWeights, "damaged-gguf")


def test_a_file_cut_anywhere_is_refused(whole, tmp_path):
    content = whole.read_bytes()
    for n in (0, 3, 20, 200, len(content) // 2, len(content) - 1):
        path = tmp_path / f"{n}.gguf"
        path.write_bytes(content[:n])
        refused(path, WrongWeights, "damaged-gguf")


def test_a_file_without_an_ending_is_read_and_held_to_its_hash_where_that_is_its_name(whole, tmp_path):
    digest = hashlib.sha256(whole.read_bytes()).hexdigest()
    blob = shutil.copy(whole, tmp_path / f"sha256-{digest}")
    assert catalog.load(blob).card.revision == digest
    other = shutil.copy(whole, tmp_path / f"sha256-{'0' * 64}")
    assert digest in refused(other, WrongWeights, "wrong-blob")


@pytest.mark.parametrize(
    "general, name",
    [({"general.type": "adapter"}, "gguf-adapter"), ({"general.type": "mmproj"}, "gguf-projector"),
     ({"split.count": 3}, "gguf-split")],
)  # fmt: skip
def test_what_is_no_whole_language_model_is_refused_with_what_to_do(parts, general, name, tmp_path):
    refused(write(tmp_path / "part.gguf", "llama", *parts, general=general), UnsupportedModel, name)


def test_a_split_file_is_told_by_its_name(whole, tmp_path):
    path = shutil.copy(whole, tmp_path / "model-00001-of-00003.gguf")
    with pytest.raises(UnsupportedModel, match=r"llama-gguf-split --merge model-00001-of-00003\.gguf"):
        refuse_part(read_header(Path(path)))


def test_an_architecture_that_is_not_read_is_named(parts, tmp_path):
    said = refused(write(tmp_path / "a.gguf", "wonder", *parts), UnsupportedModel, "gguf-architecture")
    assert "“wonder”" in said and "llama, qwen2" in said
    refused(write(tmp_path / "b.gguf", "mamba", *parts), UnsupportedModel, "gguf-no-attention")


def test_a_tensor_without_a_place_a_missing_one_and_another_size_are_named(parts, tmp_path):
    stated, tensors = parts
    more = tensors | {"blk.0.attn_q_norm.weight": torch.ones(8)}
    said = refused(write(tmp_path / "more.gguf", "llama", stated, more), UnsupportedModel, "gguf-no-place")
    assert "blk.0.attn_q_norm.weight" in said
    less = {name: tensor for name, tensor in tensors.items() if name != "blk.1.ffn_up.weight"}
    said = refused(write(tmp_path / "less.gguf", "llama", stated, less), WrongWeights, "missing-weights")
    assert "blk.1.ffn_up.weight" in said
    wide = tensors | {"blk.1.ffn_up.weight": torch.ones(96, 32)}
    said = refused(write(tmp_path / "wide.gguf", "llama", stated, wide), WrongWeights, "damaged-gguf")
    assert "blk.1.ffn_up.weight" in said
    fewer_layers = write(tmp_path / "layers.gguf", "llama", stated | {"block_count": 1}, tensors)
    assert "blk.1." in refused(fewer_layers, UnsupportedModel, "gguf-no-place")


@pytest.mark.parametrize(
    "stated, name",
    [({"rope.scaling.type": "longrope"}, "gguf-strange"), ({"attn_logit_softcapping": 50.0}, "gguf-unread"),
     ({"expert_count": 8}, "gguf-strange"), ({"attention.head_count": 0}, "gguf-strange"),
     ({"block_count": 2**31}, "config-too-large"), ({"embedding_length": "many"}, "gguf-strange"),
     ({"rope.dimension_count": 4}, "gguf-strange")],
)  # fmt: skip
def test_metadata_that_would_give_other_numbers_are_refused_by_name(parts, stated, name, tmp_path):
    said = refused(write(tmp_path / "other.gguf", "llama", parts[0] | stated, parts[1]), UnsupportedModel, name)
    assert name == "config-too-large" or next(iter(stated)) in said


def test_other_frequencies_than_llama_3s_are_refused(parts, tmp_path):
    tensors = parts[1] | {"rope_freqs.weight": torch.full((4,), 3.0)}
    refused(write(tmp_path / "freqs.gguf", "llama", parts[0], tensors), UnsupportedModel, "gguf-strange")


def test_weights_that_hold_nan_are_refused(parts, tmp_path):
    tensors = parts[1] | {"blk.1.ffn_up.weight": torch.full((64, 32), float("nan"))}
    refused(write(tmp_path / "nan.gguf", "llama", parts[0], tensors), WrongWeights, "weights-no-numbers")


def test_what_takes_more_memory_than_there_is_is_refused_before_it_is_dequantised(whole, monkeypatch):
    monkeypatch.setattr(meta_load, "memory_of", lambda device: 1000)
    assert "in float32, and cpu has 0 GB" in refused(whole, UnsupportedModel, "too-large-for-memory")


def test_a_spread_model_is_refused(whole):
    with pytest.raises(UnsupportedModel, match="not spread over devices"):
        catalog.load(whole, device="spread")
