"""`attnviz train` as a person types it: what it prints, what it keeps when it is stopped, what it refuses."""

import resource
import signal

import pytest

import attnviz as av
from attnviz.training import TASKS, changed_plan, read_progress, train, trainer
from attnviz.training.checkpoints import saved_steps

QUICK = "train copy --out {} --steps 6 --heads 1 --layers 1"
RESUME = "train copy --out {} --resume"
FOREIGN = "was not written by a training and would be replaced."


def test_the_command_trains_what_was_asked_for(tmp_path, typed) -> None:
    code, printed, _ = typed(f"{QUICK} --seed 3 --no-positions --no-feed-forward --learning-rate 0.01")
    *_, last, end = printed.splitlines()
    assert code == 0 and last.startswith("step 6: loss ") and "copy head" in last
    assert end.startswith(f"{tmp_path}: finished at step 6, sha256 ")
    plan = read_progress(tmp_path).plan
    assert (plan.seed, plan.steps, plan.learning_rate) == (3, 6, 0.01)
    assert (plan.shape.n_heads, plan.shape.n_layers, plan.shape.n_encoder_layers) == (1, 1, 2)
    assert plan.shape.positions == "none" and not plan.shape.has_feed_forward
    assert av.load(str(tmp_path)).card.name == "Copy"


def test_ctrl_c_stops_a_training_and_keeps_everything(tmp_path, monkeypatch, typed) -> None:
    def pressed(plan, step: int) -> float:
        if step == 3:
            signal.raise_signal(signal.SIGINT)
        return 0.001

    monkeypatch.setattr(trainer, "learning_rate", pressed)
    code, printed, said = typed(QUICK)
    assert (code, said) == (0, "") and f"{tmp_path}: stopped at step 4, sha256 " in printed
    assert f"attnviz train copy --out {tmp_path} --resume" in printed
    assert read_progress(tmp_path).outcome == "stopped" and saved_steps(tmp_path)
    code, printed, _ = typed(RESUME)
    assert code == 0 and f"{tmp_path}: finished at step 6, sha256 " in printed


def test_a_full_disk_ends_in_a_sentence_and_what_was_kept_is_whole(tmp_path, typed) -> None:
    typed(f"{QUICK} --seconds 0")
    kept = (tmp_path / "resume.safetensors").read_bytes()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))  # bytes of a file: as a full disk looks from within
    try:
        code, _, said = typed(f"{RESUME} --seconds 600")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert code == 1 and said.startswith("There is no room left to write ") and "Make room, then go on" in said
    assert (tmp_path / "resume.safetensors").read_bytes() == kept and not list(tmp_path.rglob("*.tmp"))
    assert typed(f"{RESUME} --seconds 600")[0] == 0 and read_progress(tmp_path).outcome == "finished"


def test_the_words_a_model_knows_are_listed(typed) -> None:
    code, printed, _ = typed("words translate-en-zh --script zh-TW")
    read, written = printed.strip().split("\n\n")
    task = TASKS["translate-en-zh"]
    for text, reader, verb in ((read, task.source, "reads"), (written, task.target, "writes")):
        head, *lines = text.splitlines()
        listed = " ".join(lines).split(", ")
        expected = [reader.shown(word, "zh-TW") for word in reader.words if word not in ".,?。，？"]
        assert head == f"English → Chinese, simplified {verb} {len(expected)} words:" and listed == expected
    assert code == 0


# -------------------------------------------------------------------------------------------------------- refused


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ("juggle --out {}/new", "There is no task juggle. Choose one of copy, reverse, sort, induction, "),
        ("copy --heads 5 --out {}/new", "5 heads cannot share a width of 64 equally. Choose one of 1, 2, 4, 8, 16."),
        ("copy --resume --out {}/new", "There is no unfinished training in {}/new."),
        ("copy --replace --out {}/a", "{}/a/model.safetensors " + FOREIGN),
        ("copy --replace --out {}/b", "{}/b/progress.jsonl " + FOREIGN),
        ("copy --out {}/notes.txt", "{}/notes.txt/progress.jsonl cannot be written ("),
        ("copy --out {}/notes.txt/below", "{}/notes.txt/below/progress.jsonl cannot be written ("),
    ],
)
def test_what_cannot_be_trained_is_refused_and_no_file_changes(tmp_path, typed, asked: str, sentence: str) -> None:
    for name in ("a/model.safetensors", "b/progress.jsonl", "notes.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"somebody's own")
    before = {path: path.is_dir() or path.read_bytes() for path in tmp_path.rglob("*")}
    code, _, said = typed(f"train {asked}")
    assert code == 1 and said.startswith(sentence.replace("{}", str(tmp_path)))
    assert {path: path.is_dir() or path.read_bytes() for path in tmp_path.rglob("*")} == before


def test_resume_and_a_plan_of_ones_own_contradict_each_other(typed) -> None:
    code, _, said = typed(f"{RESUME} --heads 2 --no-positions")
    assert code == 2 and "--resume goes on with the plan in DIR; leave out --heads, --positions" in said


def test_an_earlier_training_is_replaced_only_when_asked_for(tmp_path, typed) -> None:
    other = QUICK.replace("copy", "reverse")
    for line, code, sentence in (
        (f"{QUICK} --seconds 0", 0, ""),
        (QUICK, 1, "holds an unfinished training. Add --resume to go on with it, or --replace"),
        ("train reverse --out {} --resume", 1, "is of the task copy, not of reverse."),
        (f"{RESUME} --seconds 60", 0, ""),
        (QUICK, 1, "holds a trained model. Choose another folder, or add --replace"),
        (f"{other} --replace", 0, ""),
    ):
        found, _, said = typed(line)
        assert found == code and sentence in said, line
    assert read_progress(tmp_path).task == "reverse"


def test_two_trainings_do_not_share_a_folder(tmp_path, typed) -> None:
    def another(point) -> None:
        code, _, said = typed("train copy --out {} --replace")
        assert code == 1 and "Another training is writing into " in said

    task = TASKS["copy"]
    assert train(task, changed_plan(task.plan, steps=2), folder=tmp_path, on_progress=another).outcome == "finished"
