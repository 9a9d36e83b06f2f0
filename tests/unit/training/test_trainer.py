"""The trainer: the same seed gives the same weights, a stop loses nothing, a runaway loss keeps what there was."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from attnviz.scratch.untrained import untrained
from attnviz.training import TASKS, Plan, Point, Shape, load_trained, read_progress, resume, train, trainer
from attnviz.training.batches import batch_of
from attnviz.training.checkpoints import checkpoint_steps, read, read_checkpoint, saved_steps, weights_of
from attnviz.training.network import logits_of, new_network
from attnviz.training.tasks.task import Example

COPY = TASKS["copy"]
TINY = Plan(Shape(d_model=16, n_heads=2, n_layers=1, d_ff=16), steps=24, batch_size=4, warmup=4, n_checkpoints=5)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> SimpleNamespace:
    """A training that nothing stopped: its run, its folder and what was told of it."""
    folder, told = tmp_path_factory.mktemp("whole"), list[Point]()
    run = train(COPY, TINY, folder=folder, on_progress=told.append, device="cpu")
    return SimpleNamespace(run=run, folder=folder, told=told)


@pytest.mark.parametrize(("steps", "n", "expected"), [
    (1000, 8, (0, 31, 62, 125, 250, 500, 750, 1000)), (10, 4, (0, 2, 5, 10)), (3, 24, (0, 1, 2, 3)),
])  # fmt: skip
def test_checkpoints_stand_at_doubling_steps_and_then_evenly(steps: int, n: int, expected: tuple[int, ...]) -> None:
    assert checkpoint_steps(steps, n) == expected


def test_a_seed_gives_the_same_weights_with_any_number_of_threads_and_another_seed_others(whole) -> None:
    before = torch.get_num_threads()
    torch.set_num_threads(before + 1)
    try:
        assert train(COPY, TINY, device="cpu").sha256 == whole.run.sha256
        assert torch.get_num_threads() == before + 1, "it is put back"
    finally:
        torch.set_num_threads(before)
    assert train(COPY, replace(TINY, seed=1), device="cpu").sha256 != whole.run.sha256


@pytest.mark.parametrize("draws", [
    lambda: train(COPY, replace(TINY, steps=2), device="cpu"), lambda: untrained("decoder", seed=1).trace("a cat"),
])  # fmt: skip
def test_a_training_and_a_seeded_model_leave_the_random_numbers_of_others_alone(draws: Callable[[], object]) -> None:
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    draws()
    assert torch.equal(torch.rand(3), expected)


def test_a_training_that_was_out_of_time_or_stopped_goes_on_to_the_same_weights(tmp_path: Path, whole) -> None:
    run = train(COPY, replace(TINY, max_seconds=0.0), folder=tmp_path, device="cpu")
    assert (run.outcome, run.step) == ("out of time", 1)
    run = resume(tmp_path, max_seconds=0.0, device="cpu")
    assert (run.outcome, run.step) == ("out of time", 2)  # of this stretch; without a limit it goes on to the end
    stops = (7, 16)
    for step in stops:
        run = resume(tmp_path, should_stop=lambda: read_progress(tmp_path).step in stops, device="cpu")
        assert (run.outcome, run.step) == ("stopped", step)
    run = resume(tmp_path, device="cpu")
    assert (run.outcome, run.step, run.sha256) == ("finished", TINY.steps, whole.run.sha256)
    assert [point.loss for point in run.log] == [point.loss for point in whole.run.log]
    assert saved_steps(tmp_path) == checkpoint_steps(TINY.steps, TINY.n_checkpoints)


def test_a_training_that_died_goes_on_from_its_last_checkpoint(tmp_path: Path, whole) -> None:
    def die(point: Point) -> None:
        if point.step == 9:
            raise SystemExit

    with pytest.raises(SystemExit):
        train(COPY, TINY, folder=tmp_path, on_progress=die, device="cpu")
    assert read_progress(tmp_path).step == 9 and saved_steps(tmp_path)[-1] == 8
    header = load_trained(tmp_path).header
    assert (header["outcome"], header["steps"]) == ("training", 8)
    run = resume(tmp_path, device="cpu")
    assert (run.outcome, run.sha256) == ("finished", whole.run.sha256)
    assert [point.step for point in read_progress(tmp_path).log] == list(range(TINY.steps + 1))


def test_a_loss_that_runs_away_keeps_the_log_the_checkpoints_and_finite_weights(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(trainer, "learning_rate", lambda plan, step: 1e30 if step == 9 else 1e-3)
    run = train(COPY, TINY, folder=tmp_path, device="cpu")
    assert (run.outcome, run.step) == ("diverged", 10)
    assert [point.step for point in run.log] == list(range(11))
    assert saved_steps(tmp_path) == (0, 4, 8)
    assert all(bool(part.isfinite().all()) for part in weights_of(run.network).values())
    assert load_trained(tmp_path).header["outcome"] == "diverged"


def test_progress_is_told_after_each_step_with_measures_at_checkpoints(whole) -> None:
    told = whole.told
    assert [point.step for point in told] == list(range(1, TINY.steps + 1))
    measured = [point.step for point in told if point.accuracy]
    assert measured == list(checkpoint_steps(TINY.steps, TINY.n_checkpoints))[1:]
    assert told[-1].accuracy.keys() == {"sentences"} and told[-1].answers.keys() == {"copy"}


def test_a_saved_model_says_how_it_was_made_and_its_checkpoints_are_half_precision(whole) -> None:
    run, folder = whole.run, whole.folder
    header, _ = read(folder / "model.safetensors")
    assert header["plan"]["seed"] == 0 and header["versions"]["torch"] == str(torch.__version__)
    assert header["source_words"] == list(COPY.source.words) and header["threads"] == 1
    _, halves = read(folder / "steps" / f"{TINY.steps:06d}.safetensors")
    assert {part.dtype for part in halves.values()} == {torch.float16}
    back = read_checkpoint(folder, TINY.steps)
    for name, part in weights_of(run.network).items():
        torch.testing.assert_close(back[name], part, rtol=1e-3, atol=1e-6)
    assert not list(folder.rglob("*.tmp")) and not (folder / "resume.safetensors").exists()


def test_padding_changes_nothing() -> None:
    network = new_network(COPY, TINY.shape, 0).eval()
    short, long = Example(tuple("abcd"), tuple("abcd")), Example(tuple("abcdefgh"), tuple("abcdefgh"))
    with torch.inference_mode():
        alone = logits_of(network, batch_of(COPY, [short]))  # [1, 5, V]
        padded = logits_of(network, batch_of(COPY, [short, long]))  # [2, 9, V]
    torch.testing.assert_close(padded[:1, :5], alone, rtol=0, atol=1e-5)


@pytest.mark.gpu
def test_a_gpu_is_used_when_there_is_one() -> None:
    run = train(COPY, replace(TINY, steps=3))
    assert next(run.network.parameters()).device.type == "cuda"
