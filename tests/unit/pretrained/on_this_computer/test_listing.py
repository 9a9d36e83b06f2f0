"""What is on this computer: each model with its size, memory and kind, or why it cannot be read."""

import json

import pytest
from huggingface_hub import constants

from attnviz import cli
from attnviz.catalog import local_models
from attnviz.pretrained.on_this_computer import lm_studio
from tests.unit.pretrained.on_this_computer import trees

LIBRARY = "registry.ollama.ai/library"
NUMBERS = 32 * 4  # of the file that `trees.gguf` makes


@pytest.fixture
def computer(tmp_path, monkeypatch):
    monkeypatch.setenv("OLLAMA_MODELS", str(tmp_path / "ollama"))
    monkeypatch.setattr(lm_studio, "FOLDER", str(tmp_path / "studio"))
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path


def listed() -> dict[str, str | None]:
    """The id of what keeps each model from being read, by its name."""
    return {it.name: it.problem and it.problem.id for it in local_models()}


def test_a_computer_without_models_lists_none_and_is_not_written_to(computer, capsys):
    assert local_models() == () and list(computer.iterdir()) == []
    assert cli.main(["models", "--local"]) == 0
    assert "no model here" in capsys.readouterr().out


def test_each_program_has_its_models_with_size_memory_and_kind(computer):
    weights = trees.gguf()
    trees.ollama(computer / "ollama", f"{LIBRARY}/a/latest", weights)
    trees.lm_studio(computer / "studio", "me/b/b.gguf", weights)
    folder = trees.snapshot(computer / "hub", "me/c")
    found = {it.name: it for it in local_models()}
    assert list(found) == ["me/c", "ollama:a:latest", "lmstudio:me/b"]
    assert all(it.problem is None for it in found.values())
    assert [it.source for it in found.values()] == ["Hugging Face", "Ollama", "LM Studio"]
    for name in ("ollama:a:latest", "lmstudio:me/b"):
        one = found[name]
        assert (one.n_bytes, one.parameters, one.memory) == (len(weights), NUMBERS, 4 * NUMBERS)
        assert one.architecture == "llama" and one.quantised == ()
    held = found["me/c"]
    assert (held.architecture, held.parameters, held.memory) == ("bert", 32, 128)
    assert held.n_bytes == sum(path.stat().st_size for path in folder.iterdir())


@pytest.mark.parametrize(("weights", "id"), [
    (trees.gguf("clip"), "gguf-projector"),
    (trees.gguf("llama", **{"general.type": "adapter"}), "gguf-adapter"),
    (trees.gguf("llama", **{"split.count": 3}), "gguf-split"),
    (trees.gguf("unheard-of"), "gguf-architecture"),
    (trees.gguf("mamba"), "gguf-no-attention"),
    (b"no model", "damaged-gguf"),
    (trees.gguf()[:-8], "damaged-gguf"),
])  # fmt: skip
def test_what_cannot_be_read_is_listed_with_the_reason(computer, weights, id):
    trees.ollama(computer / "ollama", f"{LIBRARY}/a/latest", weights)
    trees.ollama(computer / "ollama", f"{LIBRARY}/b/latest", trees.gguf(shape=(32, 9)))
    assert list(listed().items()) == [("ollama:b:latest", None), ("ollama:a:latest", id)]


def test_a_fetch_that_was_cut_or_brought_no_safetensors_is_listed_with_the_reason(computer):
    hub = computer / "hub"
    pickled = trees.snapshot(hub, "me/pickled")
    (pickled / "model.safetensors").rename(pickled / "pytorch_model.bin")
    (trees.snapshot(hub, "me/halfway") / "model.safetensors").unlink()
    (trees.snapshot(hub, "me/cut") / "model.safetensors").write_bytes(b"\x10\0\0\0\0\0\0\0{")
    (trees.snapshot(hub, "me/wordless") / "tokenizer.json").unlink()
    adapter = trees.snapshot(hub, "me/adapter")
    (adapter / "adapter_config.json").write_text("{}")
    (adapter / "model.safetensors").unlink()
    (trees.snapshot(hub, "me/broken") / "config.json").write_text("[" * 100_000)
    (trees.snapshot(hub, "me/out") / "vocab.txt").symlink_to("/etc/hostname")
    sharded = trees.snapshot(hub, "me/sharded")
    (sharded / "model.safetensors.index.json").write_text(json.dumps({"weight_map": {"a": "../../x.safetensors"}}))
    assert listed() == {
        "me/pickled": "no-safetensors", "me/halfway": "no-weights", "me/cut": "damaged-weights",
        "me/wordless": "no-tokenizer", "me/adapter": None, "me/broken": "bad-config", "me/out": "leads-out",
        "me/sharded": "climbing-name",
    }  # fmt: skip


def test_hostile_folders_of_a_hub_are_no_models(computer):
    hub = computer / "hub"
    trees.snapshot(hub, "me/circle")
    (hub / "models--me--circle" / "snapshots" / ("b" * 40)).symlink_to(".")
    (hub / "models--loop--loop").symlink_to(hub)
    trees.snapshot(hub, "me/other", ref="../../../../etc")  # no commit: any that is here, by its own name
    for name in ("models----", "models--..--..", "models--a--b\nc", "datasets--me--text", "models--" + "x" * 200):
        (hub / name / "snapshots" / ("a" * 40)).mkdir(parents=True)
    assert set(listed()) >= {"me/circle", f"me/other@{'a' * 40}"}
    assert all("\n" not in name and ".." not in name for name in listed() if not name.startswith("/"))


def test_a_shell_lists_them_for_people_and_for_programs(computer, capsys):
    trees.ollama(computer / "ollama", f"{LIBRARY}/a/latest", trees.gguf())
    trees.ollama(computer / "ollama", f"{LIBRARY}/eyes/latest", trees.gguf("clip"))
    assert cli.main(["models", "--local"]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert rows[1].startswith("ollama:a:latest") and "llama" in rows[1]
    assert rows[2].startswith("ollama:eyes:latest") and "pictures" in rows[2]
    assert cli.main(["models", "--local", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(it["name"], it["float32_bytes"], it["id"]) for it in found] == [
        ("ollama:a:latest", 4 * NUMBERS, None), ("ollama:eyes:latest", 4 * NUMBERS, "gguf-projector"),
    ]  # fmt: skip
