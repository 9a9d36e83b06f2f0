"""Folders that are not what they say: cut, changed, absurd or malicious files end in a sentence, and soon."""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

import attnviz as av
from attnviz.core.errors import AttnvizError, WrongWeights
from attnviz.training import TASKS, Plan, Shape, load_trained, read_progress, resume, train
from attnviz.training.checkpoints import MODEL, RESUME, is_trained, read, saved_steps, sha256_of, write

TINY = Plan(Shape(d_model=16, n_heads=2, n_layers=1, d_ff=16), steps=4, batch_size=4, warmup=1, n_checkpoints=3)
Header = dict[str, Any]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A finished training."""
    train(TASKS["copy"], TINY, folder=tmp_path, device="cpu")
    return tmp_path


@pytest.fixture
def stopped(tmp_path: Path) -> Path:
    """An unfinished one."""
    train(TASKS["copy"], TINY, folder=tmp_path, should_stop=lambda: True, device="cpu")
    return tmp_path


def with_header(path: Path, change: Callable[[Header], object]) -> None:
    """Write the same tensors under a changed header."""
    tensors, header = read(path)
    change(header)
    write(path, tensors, header)


LIES: dict[str, tuple[Callable[[Header], object], str]] = {
    "no task": (lambda h: h.pop("task"), "There is no task 'None'"),
    "an unknown task": (lambda h: h.update(task="../../etc/passwd"), "There is no task '../../etc/passwd'"),
    "a task that is a list": (lambda h: h.update(task=[1]), "There is no task"),
    "no plan": (lambda h: h.pop("plan"), "The file holds no valid training plan"),
    "a plan that is a text": (lambda h: h.update(plan="all"), "The file holds no valid training plan"),
    "a plan with more fields": (lambda h: h["plan"].update(code="rm"), "The file holds no valid training plan"),
    "a width of a billion": (lambda h: h["plan"]["shape"].update(d_model=10**9), "d_model is 1000000000; expected"),
    "a million layers": (lambda h: h["plan"]["shape"].update(n_layers=10**6), "n_layers is 1000000; expected"),
    "no heads": (lambda h: h["plan"]["shape"].update(n_heads=0), "n_heads is 0; expected 1 to 16"),
    "heads that do not fit": (lambda h: h["plan"]["shape"].update(n_heads=3), "3 heads cannot share a width of 16"),
    "another width": (lambda h: h["plan"]["shape"].update(d_model=32), "do not fit the shape"),
    "more layers": (lambda h: h["plan"]["shape"].update(n_layers=2), "do not fit the shape"),
    "a huge seed": (lambda h: h["plan"].update(seed=10**30), "seed is 1000000000"),
    "an infinite learning rate": (lambda h: h["plan"].update(learning_rate=float("inf")), "learning_rate is inf"),
    "words that are numbers": (lambda h: h.update(source_words=[1, 2]), "holds no valid vocabulary"),
    "no words": (lambda h: h.update(target_words=[]), "holds no valid vocabulary"),
    "a word twice": (lambda h: h.update(source_words=["a", "a"]), "holds no valid vocabulary"),
    "a special token as a word": (lambda h: h.update(source_words=["<end>"]), "holds no valid vocabulary"),
    "a million words": (lambda h: h.update(source_words=[f"w{n}" for n in range(10**6)]), "do not fit the shape"),
    "no log": (lambda h: h.pop("log"), "holds no valid training log"),
    "a log of texts": (lambda h: h.update(log=["all went well"]), "holds no valid training log"),
    "a log that goes back": (lambda h: h["log"].reverse(), "holds no valid training log"),
    "a loss that is no number": (lambda h: h["log"][0].update(loss="low"), "holds no valid training log"),
    "an infinite loss": (lambda h: h["log"][0].update(loss=float("inf")), "holds no valid training log"),
    "a huge loss": (lambda h: h["log"][0].update(loss=10**400), "holds no valid training log"),
    "another outcome": (lambda h: h.update(outcome="perfect"), "holds no valid training log"),
    "another number of steps": (lambda h: h.update(steps=10**9), "holds no valid training log"),
    "another checksum": (lambda h: h.update(sha256="0" * 64), "their checksum differs"),
    "no checksum": (lambda h: h.pop("sha256"), "their checksum differs"),
    "another format": (lambda h: h.update(format=99), "is not a model trained by AttnViz"),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_header_that_lies_is_refused(folder: Path, lie: str) -> None:
    change, sentence = LIES[lie]
    with_header(folder / MODEL, change)
    with pytest.raises(AttnvizError) as caught:
        av.load(str(folder))
    assert sentence in str(caught.value) and len(str(caught.value)) < 400


@pytest.mark.parametrize("lie", [
    "no task", "an unknown task", "no plan", "a width of a billion", "another width", "no log", "a log of texts",
    "a huge loss", "another format",
])  # fmt: skip
def test_an_unfinished_training_that_lies_is_refused_and_left_as_it_is(stopped: Path, lie: str) -> None:
    change, sentence = LIES[lie]
    with_header(stopped / RESUME, change)
    before = (stopped / RESUME).read_bytes()
    with pytest.raises(AttnvizError) as caught:
        resume(stopped, device="cpu")
    assert sentence in str(caught.value)
    assert (stopped / RESUME).read_bytes() == before


@pytest.mark.parametrize("missing", ["weights.", "exp_avg.", "exp_avg_sq.", "step."])
def test_an_unfinished_training_without_some_of_its_tensors_is_refused(stopped: Path, missing: str) -> None:
    tensors, header = read(stopped / RESUME)
    first = next(name for name in tensors if name.startswith(missing))
    write(stopped / RESUME, {name: part for name, part in tensors.items() if name != first}, header)
    with pytest.raises(WrongWeights, match="do not fit the shape"):
        resume(stopped, device="cpu")


@pytest.mark.parametrize("size", [0, 4, 8, 100, 5000])
def test_a_file_that_was_cut_is_refused(folder: Path, size: int) -> None:
    (folder / MODEL).write_bytes((folder / MODEL).read_bytes()[:size])
    with pytest.raises(WrongWeights):
        load_trained(folder)


def test_a_file_whose_header_never_ends_is_refused(folder: Path) -> None:
    (folder / MODEL).write_bytes(struct.pack("<Q", 2**63) + b"{" * 1000)
    with pytest.raises(WrongWeights, match="is not a model trained by AttnViz"):
        load_trained(folder)


def test_deep_nesting_is_refused(folder: Path) -> None:
    tensors, _ = read(folder / MODEL)
    from safetensors.torch import save_file

    save_file(tensors, folder / MODEL, {"attnviz": "[" * 200_000})
    with pytest.raises(WrongWeights, match="is not a model trained by AttnViz"):
        load_trained(folder)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_weights_that_are_no_numbers_are_refused(folder: Path, value: float) -> None:
    tensors, header = read(folder / MODEL)
    next(iter(tensors.values())).view(-1)[0] = value
    write(folder / MODEL, tensors, {**header, "sha256": sha256_of(tensors)})
    with pytest.raises(WrongWeights, match="do not fit the shape"):
        load_trained(folder)


def test_weights_of_another_kind_are_refused(folder: Path) -> None:
    tensors, header = read(folder / MODEL)
    tensors = {name: part.to(torch.int32) for name, part in tensors.items()}
    write(folder / MODEL, tensors, {**header, "sha256": sha256_of(tensors)})
    with pytest.raises(WrongWeights, match="do not fit the shape"):
        load_trained(folder)


def test_pipes_and_devices_are_not_opened(folder: Path) -> None:
    for name in (MODEL, RESUME):
        (folder / name).unlink(missing_ok=True)
        os.mkfifo(folder / name)
    assert not is_trained(folder)
    for read_it in (load_trained, lambda path: resume(path, device="cpu")):
        with pytest.raises(AttnvizError, match=r"is not a model trained by AttnViz|was not written by"):
            read_it(folder)


def test_strange_names_among_the_checkpoints_are_no_checkpoints(folder: Path) -> None:
    steps = saved_steps(folder)
    for name in ("notes", "١٢", "-1", "1e3", "12", "0000001"):
        (folder / "steps" / f"{name}.safetensors").write_bytes(b"x")
    assert saved_steps(folder) == steps
    train(TASKS["copy"], TINY, folder=folder, device="cpu")
    assert (folder / "steps" / "notes.safetensors").read_bytes() == b"x"


def test_a_checkpoint_of_another_model_is_refused(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("other")
    train(TASKS["copy"], Plan(Shape(d_model=8, n_heads=1), steps=4, n_checkpoints=2), folder=other, device="cpu")
    model = load_trained(folder)
    with pytest.raises(WrongWeights, match="do not fit the shape"):
        model.at_step(0, other)


@pytest.mark.parametrize("text", ["", "{}", "[1]\n", '{"task": 1}\n', "\x00" * 50, "[" * 100_000 + "\n"])
def test_a_progress_file_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "progress.jsonl").write_text(text, encoding="utf-8")
    with pytest.raises(WrongWeights, match="is not the progress of a training by AttnViz"):
        read_progress(tmp_path)


def test_a_progress_line_with_strange_contents_is_refused(folder: Path) -> None:
    path = folder / "progress.jsonl"
    first, *_ = path.read_text(encoding="utf-8").splitlines()
    for line in ('"text"', "5", '{"step": "x", "loss": 1, "seconds": 1}', '{"outcome": "perfect"}'):
        path.write_text(f"{first}\n{line}\n", encoding="utf-8")
        with pytest.raises(WrongWeights):
            read_progress(folder)
    path.write_text(json.dumps({"task": "copy", "plan": {"shape": {"d_model": 10**9}}}) + "\n", encoding="utf-8")
    with pytest.raises(WrongWeights, match="The file holds no valid training plan"):
        read_progress(folder)
