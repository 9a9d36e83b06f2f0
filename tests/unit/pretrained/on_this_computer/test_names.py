"""Names of models that Ollama and LM Studio keep lead to the files they name, and nowhere else."""

import json
import os

import pytest

import attnviz as av
from attnviz.core.errors import AttnvizError
from attnviz.pretrained.on_this_computer import lm_studio, ollama
from tests.unit.pretrained.on_this_computer import trees


@pytest.fixture
def root(tmp_path, monkeypatch):
    monkeypatch.setenv("OLLAMA_MODELS", str(tmp_path / "models"))
    return tmp_path / "models"


@pytest.fixture
def studio(tmp_path, monkeypatch):
    monkeypatch.setattr(lm_studio, "FOLDER", str(tmp_path / "studio"))
    return tmp_path / "studio"


def refused(of, name: str) -> str:
    with pytest.raises(AttnvizError) as caught:
        of(name)
    assert "\n" not in str(caught.value) and "\0" not in str(caught.value) and len(str(caught.value)) < 2000
    return caught.value.id


@pytest.mark.parametrize(("name", "kept"), [
    ("smollm", "registry.ollama.ai/library/smollm/latest"),
    ("smollm:135m", "registry.ollama.ai/library/smollm/135m"),
    ("me/smollm:135m", "registry.ollama.ai/me/smollm/135m"),
    ("hf.co/me/smollm-GGUF:Q4_K_M", "hf.co/me/smollm-GGUF/Q4_K_M"),
    ("localhost:5000/me/smollm:q", "localhost:5000/me/smollm/q"),
])  # fmt: skip
def test_what_a_name_leaves_out_is_what_ollama_takes_for_it(root, name, kept):
    blob = trees.ollama(root, kept, trees.gguf())
    assert ollama.file_of(f"ollama:{name}") == blob
    assert [ollama.file_of(listed) for listed in ollama.names()] == [blob]


def test_a_person_and_the_service_may_both_keep_models_and_a_setting_takes_the_place_of_both(
    tmp_path, monkeypatch, root
):
    own, service = tmp_path / "own", tmp_path / "service"
    monkeypatch.setattr(ollama, "FOLDERS", (str(own), str(service)))
    trees.ollama(own, "registry.ollama.ai/library/a/latest", trees.gguf())
    trees.ollama(service, "registry.ollama.ai/library/b/latest", trees.gguf())
    assert list(ollama.names()) == []
    monkeypatch.delenv("OLLAMA_MODELS")
    assert list(ollama.names()) == ["ollama:a:latest", "ollama:b:latest"]
    assert ollama.file_of("ollama:b").is_relative_to(service)


@pytest.mark.parametrize("name", [
    "", "..", "../x", "a/../../x", "/etc/passwd", "a:../x", "a:b:c:d", "a\0b", "a\nb", "a b", "-a", ".a", "a//b",
    "a/b/c/d/e", "a" * 900, "\u202egguf", "<b>a</b>", "a:\u202e", "\\\\host\\share", "C:\\x",
])  # fmt: skip
def test_a_name_that_is_none_of_ollamas_is_refused_before_anything_is_opened(root, name):
    trees.ollama(root, "registry.ollama.ai/library/a/latest", trees.gguf())
    (root.parent / "x").write_bytes(trees.gguf())
    assert refused(ollama.file_of, f"ollama:{name}") == "ollama-name"


@pytest.mark.parametrize(("layers", "id"), [
    ([], "ollama-no-weights"),
    ([{"mediaType": "application/vnd.ollama.image.tensor", "digest": "sha256:" + "0" * 64}], "ollama-no-weights"),
    ([{"mediaType": trees.MODEL_LAYER, "digest": "sha256:" + "0" * 64}], "ollama-damaged"),  # no such file
    ([{"mediaType": trees.MODEL_LAYER, "digest": "sha256:../../../x"}], "ollama-damaged"),
    ([{"mediaType": trees.MODEL_LAYER}], "ollama-damaged"),
    ([{"mediaType": trees.MODEL_LAYER, "digest": f"sha256:{it * 64}"} for it in "01"], "ollama-damaged"),
    ([{"mediaType": "application/vnd.ollama.image.adapter"}], "ollama-adapter"),
    ({"a": 1}, "ollama-damaged"), ([1, 2], "ollama-damaged"), ("text", "ollama-damaged"),
])  # fmt: skip
def test_a_manifest_is_believed_in_nothing_but_a_hash(root, layers, id):
    trees.ollama(root, "registry.ollama.ai/library/a/latest", trees.gguf(), layers=layers)
    assert refused(ollama.file_of, "ollama:a") == id


@pytest.mark.parametrize("content", [
    b"", b"{", b"\xff\xfe", b"[" * 200_000, b"[1]", b"null", b" " * (ollama.MANIFEST_BYTES + 1),
    b'{"layers": ' + b"9" * 5000 + b"}",
])  # fmt: skip
def test_a_manifest_that_is_no_manifest_or_a_giant_is_refused(root, content):
    trees.ollama(root, "registry.ollama.ai/library/a/latest", trees.gguf())
    (root / "manifests/registry.ollama.ai/library/a/latest").write_bytes(content)
    assert refused(ollama.file_of, "ollama:a") == "ollama-damaged"


def test_links_lead_to_no_file_outside_ollamas_folder(root, tmp_path):
    outside = tmp_path / "secret"
    outside.write_text(json.dumps({"layers": []}))
    blob = trees.ollama(root, "registry.ollama.ai/library/a/latest", trees.gguf())
    blob.unlink()
    blob.symlink_to(outside)
    assert refused(ollama.file_of, "ollama:a") == "ollama-damaged"
    blob.unlink()
    blob.symlink_to(blob.name)  # a circle
    assert refused(ollama.file_of, "ollama:a") == "ollama-damaged"
    blob.unlink()
    os.mkfifo(blob)  # to read it would wait for ever
    assert refused(ollama.file_of, "ollama:a") == "ollama-damaged"
    manifest = root / "manifests/registry.ollama.ai/library/b/latest"
    manifest.parent.mkdir()
    manifest.symlink_to(outside)
    assert refused(ollama.file_of, "ollama:b") == "ollama-not-here"
    (root / "manifests/registry.ollama.ai/library/c").symlink_to(root / "manifests")  # a circle of folders
    assert list(ollama.names()) == ["ollama:a:latest"]


def test_a_tag_that_is_not_here_is_refused_with_those_that_are(root):
    trees.ollama(root, "registry.ollama.ai/library/a/small", trees.gguf())
    trees.ollama(root, "registry.ollama.ai/library/ab/other", trees.gguf())
    with pytest.raises(AttnvizError, match=r"Of this model it has a:small; another one"):
        ollama.file_of("ollama:a")


def test_a_file_with_another_hash_than_its_name_is_not_loaded(root):
    blob = trees.ollama(root, "registry.ollama.ai/library/a/latest", trees.gguf())
    blob.write_bytes(trees.gguf(shape=(32, 5)))
    assert refused(av.load, "ollama:a") == "wrong-blob"


def test_one_file_of_lm_studio_is_implied_and_of_several_one_is_named(studio):
    one = trees.lm_studio(studio, "me/model/a.gguf", trees.gguf())
    assert lm_studio.file_of("lmstudio:me/model") == one
    assert list(lm_studio.names()) == ["lmstudio:me/model"]
    other = trees.lm_studio(studio, "me/model/b.Q4_0.gguf", trees.gguf())
    assert refused(lm_studio.file_of, "lmstudio:me/model") == "lm-studio-several"
    assert lm_studio.file_of("lmstudio:me/model/b.Q4_0.gguf") == other
    assert list(lm_studio.names()) == ["lmstudio:me/model/a.gguf", "lmstudio:me/model/b.Q4_0.gguf"]
    for name in ("lmstudio:me/none", "lmstudio:me/model/c.gguf"):
        assert refused(lm_studio.file_of, name) == "lm-studio-not-here"


@pytest.mark.parametrize("name", [
    "", "a", "../x", "a/..", "a/b/..", "a/b/../../x.gguf", "/a/b", "a//b", "a/b\0", "a/b\nc", "a/\u202eb", "a/b/c/d",
    "a/.hidden", "a/b\\c", "a/b:stream", "a/" + "b" * 256,
])  # fmt: skip
def test_a_name_that_leads_elsewhere_than_into_lm_studios_folder_is_refused(studio, name):
    trees.lm_studio(studio, "a/b/c.gguf", trees.gguf())
    (studio.parent / "x.gguf").write_bytes(trees.gguf())
    assert refused(lm_studio.file_of, f"lmstudio:{name}") == "lm-studio-name"


def test_a_link_out_of_lm_studios_folder_is_not_followed(studio, tmp_path):
    (tmp_path / "secret.gguf").write_bytes(trees.gguf())
    trees.lm_studio(studio, "a/b/c.gguf", trees.gguf())
    (studio / "a/b/d.gguf").symlink_to(tmp_path / "secret.gguf")
    (studio / "a/b/e.gguf").symlink_to("e.gguf")
    for file in "de":
        assert refused(lm_studio.file_of, f"lmstudio:a/b/{file}.gguf") == "lm-studio-leads-out"
    (studio / "linked").symlink_to(tmp_path)
    assert all("linked" not in name for name in lm_studio.names())


@pytest.mark.parametrize("name", ["<img src=x onerror=alert(1)>", "a\nb", "\u202eb", "x" * 200])
def test_hostile_names_of_folders_are_listed_as_they_are_or_not_at_all(studio, name):
    trees.lm_studio(studio, f"a/{name}/c.gguf", trees.gguf())
    found = list(lm_studio.names())
    assert found == ([f"lmstudio:a/{name}"] if name.isprintable() else [])
    assert [lm_studio.file_of(it).name for it in found] == ["c.gguf"] * len(found)
