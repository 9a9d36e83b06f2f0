"""`attnviz train` as a person types it: what it prints, what it keeps when it is stopped, what it refuses."""

import io
import resource
import signal
import subprocess
import sys
import time
from contextlib import redirect_stdout
from pathlib import Path

import pytest

import attnviz as av
from attnviz import cli
from attnviz.core.errors import AttnvizError
from attnviz.training import TrainedModel, read_progress
from attnviz.training.checkpoints import saved_steps

QUICK = ("--steps", "6", "--heads", "1", "--layers", "1")
LONGER = ("--steps", "60", "--heads", "1", "--layers", "1")  # long enough to be stopped on the way


def attnviz(*arguments: str | Path) -> int:
    return cli.main([str(part) for part in arguments])


def started(*arguments: str | Path, **options: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "attnviz.cli", *(str(part) for part in arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)  # type: ignore[call-overload, no-any-return]


def when_at(folder: Path, step: int, process: subprocess.Popen[str]) -> None:
    """Wait until a training has come so far."""
    while process.poll() is None:
        try:
            if read_progress(folder).step >= step:
                return
        except AttnvizError:  # the file is not there yet
            pass
        time.sleep(0.01)
    raise AssertionError(process.communicate())


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The sha256 of a longer training that nothing stopped."""
    printed = io.StringIO()
    with redirect_stdout(printed):
        attnviz("train", "copy", "--out", tmp_path_factory.mktemp("whole"), *LONGER)
    return printed.getvalue().split("sha256 ")[1].strip()


def test_the_command_trains_what_was_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
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


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL])
def test_a_stopped_or_killed_training_goes_on_to_the_weights_of_a_whole_run(
    tmp_path: Path, whole: str, sent: signal.Signals, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "new"
    process = started("train", "copy", "--out", folder, *LONGER)
    when_at(folder, 9, process)
    process.send_signal(sent)
    out, err = process.communicate(timeout=60)
    if sent == signal.SIGINT:  # Ctrl+C
        assert (process.returncode, err) == (0, "")
        assert f"{folder}: stopped at step " in out and f"attnviz train copy --out {folder} --resume" in out
        assert read_progress(folder).outcome == "stopped" and saved_steps(folder)
    assert attnviz("train", "copy", "--out", folder, "--resume") == 0
    assert f"{folder}: finished at step 60, sha256 {whole}" in capsys.readouterr().out
    assert [point.step for point in read_progress(folder).log] == list(range(61))


def small_disk() -> None:
    """No file of the process may become larger than 100 kB: what a full disk looks like from within."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))


def test_a_full_disk_ends_in_a_sentence_and_what_was_kept_is_whole(tmp_path: Path) -> None:
    attnviz("train", "copy", "--out", tmp_path, "--steps", "40", "--seconds", "0")
    kept = (tmp_path / "resume.safetensors").read_bytes()
    process = started("train", "copy", "--out", tmp_path, "--resume", "--seconds", "600", preexec_fn=small_disk)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 1 and "Traceback" not in err
    assert err.startswith("There is no room left to write ") and "Make room, then go on" in err
    assert (tmp_path / "resume.safetensors").read_bytes() == kept and not list(tmp_path.rglob("*.tmp"))
    assert attnviz("train", "copy", "--out", tmp_path, "--resume", "--seconds", "600") == 0
    assert read_progress(tmp_path).outcome == "finished"


def test_the_words_a_model_knows_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert attnviz("words", "translate-en-zh", "--script", "zh-TW") == 0
    read, written = capsys.readouterr().out.strip().split("\n\n")
    model = av.load("translate-en-zh")
    assert isinstance(model, TrainedModel)
    for text, reader, verb in ((read, model.source, "reads"), (written, model.target, "writes")):
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
    tmp_path: Path, arguments: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert attnviz("train", *arguments, "--out", tmp_path / "new") == 1
    assert capsys.readouterr().err.startswith(sentence)
    assert not (tmp_path / "new").exists()


def test_resume_and_a_plan_of_ones_own_contradict_each_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        attnviz("train", "copy", "--out", tmp_path, "--resume", "--heads", "2", "--no-positions")
    assert caught.value.code == 2
    assert "--resume goes on with the plan in DIR; leave out --heads, --positions" in capsys.readouterr().err


def test_an_earlier_training_is_replaced_only_when_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
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
def test_files_of_others_are_never_replaced(tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / name).write_bytes(b"somebody's own")
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    assert attnviz("train", "copy", "--out", tmp_path, *QUICK, "--replace") == 1
    assert f"{name} was not written by attnviz train, and would be replaced." in capsys.readouterr().err
    assert (tmp_path / name).read_bytes() == b"somebody's own"


@pytest.mark.parametrize("name", ["file", "file/below"])
def test_a_folder_that_cannot_be_written_is_refused(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert attnviz("train", "copy", "--out", tmp_path / name, *QUICK) == 1
    assert "cannot be written (" in capsys.readouterr().err


def test_two_trainings_do_not_share_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    process = started("train", "copy", "--out", tmp_path, "--steps", "100000", "--heads", "1", "--layers", "1")
    try:
        when_at(tmp_path, 1, process)
        assert attnviz("train", "copy", "--out", tmp_path, "--replace") == 1
        assert "Another training is writing into " in capsys.readouterr().err
    finally:
        process.kill()
        process.communicate()
