"""`attnviz train` as a person types it: what it prints, what it keeps when it is stopped, what it refuses."""

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import attnviz as av
from attnviz import cli
from attnviz.training import TASKS, Plan, Point, TrainedModel, changed_plan, read_progress, train, trainer
from attnviz.training.checkpoints import saved_steps

QUICK = ("--steps", "6", "--heads", "1", "--layers", "1")

Capsys = pytest.CaptureFixture[str]


def attnviz(*arguments: str | Path) -> int:
    return cli.main([str(part) for part in arguments])


def test_the_command_trains_what_was_asked_for(tmp_path: Path, capsys: Capsys) -> None:
    folder = tmp_path / "mine"
    assert attnviz("train", "copy", "--seed", "3", "--out", folder, *QUICK, "--no-positions", "--no-feed-forward",
                   "--learning-rate", "0.01") == 0  # fmt: skip
    printed = capsys.readouterr().out.splitlines()
    assert printed[-2].startswith("step 6: loss ") and "copy head" in printed[-2]
    assert printed[-1].startswith(f"{folder}: finished at step 6, sha256 ")
    plan = read_progress(folder).plan
    assert (plan.seed, plan.steps, plan.learning_rate) == (3, 6, 0.01)
    assert (plan.shape.n_heads, plan.shape.n_layers, plan.shape.n_encoder_layers) == (1, 1, 2)
    assert plan.shape.positions == "none" and not plan.shape.has_feed_forward
    assert av.load(str(folder)).card.name == "Copy"


def test_ctrl_c_stops_a_training_and_keeps_everything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capsys
) -> None:
    def pressed(plan: Plan, step: int) -> float:
        if step == 3:
            signal.raise_signal(signal.SIGINT)
        return 0.001

    monkeypatch.setattr(trainer, "learning_rate", pressed)
    assert attnviz("train", "copy", "--out", tmp_path, *QUICK) == 0
    said = capsys.readouterr()
    assert f"{tmp_path}: stopped at step 4, sha256 " in said.out and said.err == ""
    assert f"attnviz train copy --out {tmp_path} --resume" in said.out
    assert read_progress(tmp_path).outcome == "stopped" and saved_steps(tmp_path)
    assert attnviz("train", "copy", "--out", tmp_path, "--resume") == 0
    assert f"{tmp_path}: finished at step 6, sha256 " in capsys.readouterr().out


@contextmanager
def small_disk() -> Iterator[None]:
    """No file of this process may become larger than 100 kB: what a full disk looks like from within."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_ends_in_a_sentence_and_what_was_kept_is_whole(tmp_path: Path, capsys: Capsys) -> None:
    attnviz("train", "copy", "--out", tmp_path, *QUICK, "--seconds", "0")
    kept = (tmp_path / "resume.safetensors").read_bytes()
    with small_disk():
        assert attnviz("train", "copy", "--out", tmp_path, "--resume", "--seconds", "600") == 1
    said = capsys.readouterr().err
    assert said.startswith("There is no room left to write ") and "Make room, then go on" in said
    assert (tmp_path / "resume.safetensors").read_bytes() == kept and not list(tmp_path.rglob("*.tmp"))
    assert attnviz("train", "copy", "--out", tmp_path, "--resume", "--seconds", "600") == 0
    assert read_progress(tmp_path).outcome == "finished"


def test_the_words_a_model_knows_are_listed(capsys: Capsys) -> None:
    assert attnviz("words", "translate-en-zh", "--script", "zh-TW") == 0
    read, written = capsys.readouterr().out.strip().split("\n\n")
    model = av.load("translate-en-zh")
    assert isinstance(model, TrainedModel)
    for text, reader, verb in ((read, model.task.source, "reads"), (written, model.task.target, "writes")):
        head, *lines = text.splitlines()
        listed = " ".join(lines).split(", ")
        expected = [reader.shown(word, "zh-TW") for word in reader.words if word not in ".,?。，？"]
        assert head == f"English → Chinese, simplified {verb} {len(expected)} words:" and listed == expected


# -------------------------------------------------------------------------------------------------------- refused


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("juggle",), "There is no task 'juggle'. Known: copy, reverse, sort, induction, "),
        (("copy", "--heads", "5"), "5 heads cannot share a width of 64 equally. Choose one of 1, 2, 4, 8, 16."),
        (("copy", "--resume"), "There is no unfinished training in "),
    ],
)
def test_what_cannot_be_trained_is_refused_and_nothing_is_written(
    tmp_path: Path, arguments: tuple[str, ...], sentence: str, capsys: Capsys
) -> None:
    assert attnviz("train", *arguments, "--out", tmp_path / "new") == 1
    assert capsys.readouterr().err.startswith(sentence)
    assert not (tmp_path / "new").exists()


def test_resume_and_a_plan_of_ones_own_contradict_each_other(tmp_path: Path, capsys: Capsys) -> None:
    with pytest.raises(SystemExit) as caught:
        attnviz("train", "copy", "--out", tmp_path, "--resume", "--heads", "2", "--no-positions")
    assert caught.value.code == 2
    assert "--resume goes on with the plan in DIR; leave out --heads, --positions" in capsys.readouterr().err


def test_an_earlier_training_is_replaced_only_when_asked_for(tmp_path: Path, capsys: Capsys) -> None:
    assert attnviz("train", "copy", "--out", tmp_path, *QUICK, "--seconds", "0") == 0
    assert attnviz("train", "copy", "--out", tmp_path, *QUICK) == 1
    assert "holds an unfinished training. Add --resume to go on with it, or --replace" in capsys.readouterr().err
    assert attnviz("train", "reverse", "--out", tmp_path, "--resume") == 1
    assert "is of copy, not of reverse." in capsys.readouterr().err
    assert attnviz("train", "copy", "--out", tmp_path, "--resume", "--seconds", "60") == 0
    assert attnviz("train", "copy", "--out", tmp_path, *QUICK) == 1
    assert "holds a trained model. Choose another folder, or add --replace" in capsys.readouterr().err
    assert attnviz("train", "reverse", "--out", tmp_path, *QUICK, "--replace") == 0
    assert read_progress(tmp_path).task == "reverse"


@pytest.mark.parametrize("name", ["model.safetensors", "progress.jsonl"])
def test_files_of_others_are_never_replaced(tmp_path: Path, name: str, capsys: Capsys) -> None:
    (tmp_path / name).write_bytes(b"somebody's own")
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    assert attnviz("train", "copy", "--out", tmp_path, *QUICK, "--replace") == 1
    assert f"{name} was not written by attnviz train, and would be replaced." in capsys.readouterr().err
    assert (tmp_path / name).read_bytes() == b"somebody's own"


@pytest.mark.parametrize("name", ["file", "file/below"])
def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path, name: str, capsys: Capsys) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert attnviz("train", "copy", "--out", tmp_path / name, *QUICK) == 1
    assert "cannot be written (" in capsys.readouterr().err


def test_two_trainings_do_not_share_a_folder(tmp_path: Path, capsys: Capsys) -> None:
    def another(point: Point) -> None:
        assert attnviz("train", "copy", "--out", tmp_path, "--replace") == 1
        assert "Another training is writing into " in capsys.readouterr().err

    task = TASKS["copy"]
    assert train(task, changed_plan(task.plan, steps=2), folder=tmp_path, on_progress=another).outcome == "finished"
