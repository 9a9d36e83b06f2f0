"""A training followed through its checkpoints: its numbers are those of the models themselves, its answers by hand."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
import torch

from attnviz.core.errors import UnknownWords
from attnviz.training import TASKS, load_trained, train
from attnviz.training.bundled_models import FOLDER
from attnviz.training.checkpoints import MODEL
from attnviz.training.head_formation import HeadFormation, head_formation
from attnviz.training.head_scores import even_shares, head_scores
from attnviz.training.network import new_network
from tests.unit.training.conftest import TINY

formed = cache(head_formation)
TEXTS = {"reverse": "k w p", "induction": "a b c a b", "translate-en-zh": "the teacher bought two books"}


pytestmark = pytest.mark.usefixtures("one_thread")  # as in the dashboard


def followed(folders: dict[str, Path], name: str) -> HeadFormation:
    return formed(folders[name], TEXTS[name])


@pytest.mark.parametrize("name", TEXTS)
def test_the_weights_are_those_of_each_checkpoint_s_own_trace(folders: dict[str, Path], name: str) -> None:
    run = followed(folders, name)
    model = load_trained(folders[name])
    assert run.checkpoints[0] == 0 and run.checkpoints[-1] == run.planned
    for at, step in enumerate(run.checkpoints):
        own = model.at_step(step, folders[name])
        assert (own.card.id, own.card.revision) == (model.card.id, f"{model.card.revision}@{step}")
        trace = own.trace(TEXTS[name], run.written or None)
        for layer, site in enumerate(run.sites):
            assert np.array_equal(run.weights[at, layer], trace[site.key].weights().numpy())
    assert not np.array_equal(run.weights[0], run.weights[-1])
    assert run.largest_difference <= 1e-5


def test_the_scores_are_those_of_the_validation_examples(folders: dict[str, Path]) -> None:
    run = followed(folders, "induction")
    model = load_trained(folders["induction"]).at_step(2, folders["induction"])
    examples = model.task.examples("validation", run.n_examples, 1)
    for index, theirs in enumerate(head_scores(model.network, model.task, examples).values()):
        for layer, site in enumerate(run.sites):
            assert run.scores[index, 1, layer] == pytest.approx(theirs[site].numpy(), abs=1e-7)
    assert run.even == tuple(even_shares(model.task, examples).values())
    kept = {p.step: p.answers for p in run.log if p.answers}
    assert run.scores[-1].max((1, 2)) == pytest.approx([kept[s][run.answers[-1]] for s in run.checkpoints], abs=2e-3)


@pytest.mark.parametrize("name", ["reverse", "induction", "poems-zh"])
def test_even_shares_are_those_of_a_model_whose_weights_are_even(name: str) -> None:
    task = TASKS[name]
    network = new_network(task, task.plan.shape, 0).eval()
    for part, values in network.named_parameters():
        if ".w_q." in part:
            torch.nn.init.zeros_(values)  # every score is 0
    examples = task.examples("validation", 8, 1)
    even = even_shares(task, examples)
    for answer, scores in head_scores(network, task, examples).items():
        for of_heads in scores.values():
            assert of_heads.numpy() == pytest.approx(even[answer], abs=1e-6)


def test_sites_are_of_the_known_answer_and_rows_are_what_was_read_and_what_is_written(folders: dict[str, Path]) -> None:
    run = followed(folders, "reverse")
    assert [site.key for site in run.sites] == ["decoder.0.cross", "decoder.1.cross"]
    assert run.written == "p w k" != load_trained(folders["reverse"]).generate("k w p"), "it is given the right answer"
    assert run.queries.text == ("<start>", "p", "w", "k")
    assert run.writes is not None and run.writes.text == ("p", "w", "k", "<end>")
    assert run.keys.text == ("k", "w", "p", "<end>")
    assert run.weights.shape == (3, 2, 2, 4, 4)
    run = followed(folders, "induction")
    assert [site.key for site in run.sites] == ["decoder.0.self", "decoder.1.self"]
    assert (run.n_layers, run.n_heads, run.is_causal, run.writes) == (2, 2, True, None)
    assert run.queries.text == ("<start>", "a", "b", "c", "a", "b")
    assert not np.triu(run.weights, 1).any()
    trace = load_trained(folders["induction"]).trace(TEXTS["induction"])
    assert (trace.sites, trace.tokens.source, trace.tokens.target) == (run.sites, run.queries, None)


def test_unknown_words_are_refused_by_the_models_own_name_and_not_by_a_checkpoints() -> None:
    with pytest.raises(UnknownWords, match=r"^Induction does not know: 猫"):
        head_formation(FOLDER / "induction", "猫")


def test_at_each_checkpoint_it_says_what_the_model_itself_writes_and_what_it_should() -> None:
    folder, text = FOLDER / "reverse", "k w p a"
    run, model = head_formation(folder, text), load_trained(folder)
    assert run.answered == tuple(model.at_step(step, folder).generate(text) for step in run.checkpoints)
    assert run.right == run.answered[-1] == "a p w k" != run.answered[0]
    run = head_formation(FOLDER / "induction", "a b c a b d")
    model = load_trained(FOLDER / "induction").at_step(run.checkpoints[3], FOLDER / "induction")
    predicted = model.trace("a b c a b d").prediction
    assert predicted is not None
    assert run.answered[3] == f"{predicted.texts[4][0]} {predicted.texts[5][0]}"  # of the second a and the second b
    assert run.right == run.answered[-1] == "b c"


def test_the_known_answer_is_marked_in_either_script_of_a_sentence_of_the_grammar(folders: dict[str, Path]) -> None:
    text = "the doctor bought two books yesterday"
    run = head_formation(folders["translate-en-zh"], text)
    assert run.writes is not None and run.writes.text == ("医生", "昨天", "买", "了", "两", "本", "书", "。", "<end>")
    assert run.expected == ({0: {1}, 1: {5}, 2: {2}, 4: {3}, 6: {4}},)  # 医生 doctor, 昨天 yesterday, 买 bought, …
    traditional = head_formation(folders["translate-en-zh"], text, script="zh-TW")
    assert (traditional.written, traditional.expected) == ("醫生昨天買了兩本書。", run.expected)
    other = followed(folders, "translate-en-zh")  # it is given what it writes itself
    assert other.written == load_trained(folders["translate-en-zh"]).generate(TEXTS["translate-en-zh"])
    assert (other.expected, other.right) == (({},), "") and run.is_covered and not other.is_covered


def test_a_training_that_still_runs_is_shown_as_far_as_it_is(tmp_path: Path) -> None:
    seen: list[HeadFormation] = []
    train(
        TASKS["copy"], TINY, folder=tmp_path, device="cpu",
        on_progress=lambda point: seen.append(head_formation(tmp_path, "a b c")),
    )  # fmt: skip
    assert [run.outcome for run in seen] == ["training"] * 4
    assert [run.checkpoints for run in seen] == [(0,), (0, 2), (0, 2), (0, 2, 4)]
    assert [run.log[-1].step for run in seen] == [1, 2, 3, 4]
    assert len({run.revision for run in seen}) == 4 and len({run.id for run in seen}) == 1
    after = head_formation(tmp_path, "a b c")
    assert after.outcome == "finished"
    assert np.array_equal(after.weights, seen[-1].weights)


def test_a_training_whose_process_is_gone_is_one_that_stopped(tmp_path: Path) -> None:
    train(TASKS["copy"], TINY, folder=tmp_path, device="cpu", should_stop=lambda: True)
    assert head_formation(tmp_path, "a b").outcome == "stopped"
    lines = (tmp_path / "progress.jsonl").read_text().splitlines()
    (tmp_path / "progress.jsonl").write_text("\n".join(lines[:-1]) + "\n")
    assert head_formation(tmp_path, "a b").outcome == "training"
    assert head_formation(tmp_path, "a b", is_running=False).outcome == "stopped"


def test_weights_alone_are_one_checkpoint(folders: dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / MODEL).write_bytes((folders["reverse"] / MODEL).read_bytes())
    run = head_formation(tmp_path, "k w p")
    assert run.checkpoints == (4,)
    in_half_precision = followed(folders, "reverse").scores[:, -1]
    assert run.scores[:, 0] == pytest.approx(in_half_precision, rel=0, abs=1e-3)
