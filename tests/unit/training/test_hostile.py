"""Folders that are not what they say: cut, changed or absurd files end in a sentence, and soon."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from safetensors.torch import save

import attnviz as av
from attnviz.core.errors import InputError, WrongWeights
from attnviz.training import TASKS, Plan, Shape, load_trained, read_progress, resume, train
from attnviz.training.checkpoints import MODEL, RESUME, is_trained, read, saved_steps, sha256_of, write
from attnviz.training.progress import PROGRESS
from tests.unit.training.conftest import TINY

Tensors, Header = dict[str, Any], dict[str, Any]


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trained")
    train(TASKS["copy"], TINY, folder=folder, should_stop=lambda: True, device="cpu")
    return folder


@pytest.fixture
def folder(trained: Path, tmp_path: Path) -> Path:
    """A training that was stopped: its model and what `resume` needs. A test may spoil it."""
    return shutil.copytree(trained, tmp_path, dirs_exist_ok=True)


def without_first(tensors: Tensors, beginning: str) -> None:
    del tensors[next(name for name in tensors if name.startswith(beginning))]


def not_a_number(tensors: Tensors, header: Header) -> None:
    next(iter(tensors.values())).view(-1)[0] = float("nan")
    header["sha256"] = sha256_of(tensors)


NONE, UNFIT = "is not a model trained with AttnViz, or it is incomplete", "do not fit the shape"
BOTH = MODEL, RESUME
LIES: dict[str, tuple[tuple[str, ...], Callable[[Tensors, Header], object], str]] = {
    "no task": (BOTH, lambda t, h: h.pop("task"), NONE),
    "an unknown task": (BOTH, lambda t, h: h.update(task="../../etc/passwd"), NONE),
    "a plan that is a text": (BOTH, lambda t, h: h.update(plan="all"), NONE),
    "a plan with more fields": (BOTH, lambda t, h: h["plan"].update(code="rm"), NONE),
    "a width of a billion": (BOTH, lambda t, h: h["plan"]["shape"].update(d_model=10**9), NONE),
    "another width": (BOTH, lambda t, h: h["plan"]["shape"].update(d_model=32), UNFIT),
    "a log of texts": (BOTH, lambda t, h: h.update(log=["all went well"]), NONE),
    "a log that goes back": (BOTH, lambda t, h: h["log"].reverse(), NONE),
    "a loss that is no number": (BOTH, lambda t, h: h["log"][0].update(loss="low"), NONE),
    "a huge loss": (BOTH, lambda t, h: h["log"][0].update(loss=10**400), NONE),
    "no words": ((MODEL,), lambda t, h: h.pop("target_words"), NONE),
    "far more words": ((MODEL,), lambda t, h: h.update(source_words=[f"w{n}" for n in range(10**5)]), NONE),
    "words in another order": ((MODEL,), lambda t, h: h["source_words"].reverse(), NONE),
    "another checksum": ((MODEL,), lambda t, h: h.update(sha256="0" * 64), "the checksum differs"),
    "weights that are no numbers": ((MODEL,), not_a_number, UNFIT),
    "a weight too few": ((RESUME,), lambda t, h: without_first(t, "weights."), UNFIT),
    "a mean of the optimiser too few": ((RESUME,), lambda t, h: without_first(t, "exp_avg_sq."), UNFIT),
}


@pytest.mark.parametrize(("name", "lie"), [(name, lie) for lie, (names, *_) in LIES.items() for name in names])
def test_a_file_that_lies_is_refused_and_left_as_it_is(folder: Path, name: str, lie: str) -> None:
    _, change, sentence = LIES[lie]
    header, tensors = read(folder / name)
    change(tensors, header)
    write(folder / name, header, tensors)
    before = (folder / name).read_bytes()
    with pytest.raises(WrongWeights, match=sentence) as caught:
        av.load(str(folder)) if name == MODEL else resume(folder, device="cpu")
    assert len(str(caught.value)) < 400 and (folder / name).read_bytes() == before


def test_a_file_that_was_cut_is_refused(folder: Path) -> None:
    whole = (folder / MODEL).read_bytes()
    for content in (b"", whole[:8], whole[:5000], b"\xff" * 1000):
        (folder / MODEL).write_bytes(content)
        with pytest.raises(WrongWeights, match=NONE):
            load_trained(folder)


def test_a_file_of_another_version_is_refused(folder: Path) -> None:
    header, tensors = read(folder / MODEL)
    (folder / MODEL).write_bytes(save(tensors, {"format": "attnviz training 2", "attnviz": json.dumps(header)}))
    with pytest.raises(WrongWeights, match=NONE):
        load_trained(folder)


def test_a_pipe_is_no_model(folder: Path) -> None:
    (folder / MODEL).unlink()
    os.mkfifo(folder / MODEL)
    assert not is_trained(folder)


def test_other_files_among_the_checkpoints_are_no_checkpoints_and_stay(folder: Path) -> None:
    steps, notes = saved_steps(folder), folder / "steps" / "notes.safetensors"
    notes.write_bytes(b"x")
    assert saved_steps(folder) == steps
    train(TASKS["copy"], TINY, folder=folder, device="cpu")
    assert notes.read_bytes() == b"x"


def test_a_checkpoint_of_another_model_is_refused(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("other")
    train(TASKS["copy"], Plan(Shape(d_model=8, n_heads=1), steps=4, n_checkpoints=2), folder=other, device="cpu")
    with pytest.raises(WrongWeights, match=UNFIT):
        load_trained(folder).at_step(0, other)


def test_a_step_that_was_not_kept_is_refused_with_those_that_were(folder: Path) -> None:
    with pytest.raises(InputError, match=r"No checkpoint of step 3 .* Expected one of 0\."):
        load_trained(folder).at_step(3, folder)


def test_a_half_written_line_of_progress_is_not_read(folder: Path) -> None:
    with (folder / PROGRESS).open("a", encoding="utf-8") as file:
        file.write('{"step": 2, "lo')
    assert read_progress(folder).step == 1


def test_a_progress_file_that_is_none_is_refused(folder: Path) -> None:
    path = folder / PROGRESS
    first, *_ = path.read_text(encoding="utf-8").splitlines()
    absurd = json.dumps({"task": "copy", "plan": {"shape": {"d_model": 10**9}}})
    strange = [f"{first}\n{line}\n" for line in ('"text"', "5", '{"step": "x", "loss": 1, "seconds": 1}')]
    for text in ("", "[1]\n", "\x00" * 50, "[" * 100_000 + "\n", f"{absurd}\n", *strange):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(WrongWeights, match="is not the progress of a training by AttnViz"):
            read_progress(folder)
