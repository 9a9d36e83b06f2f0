"""What a training view receives: every weight exactly, the curve with its ends, the phase change, a cell that tells."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from attnviz import views
from attnviz.analysis.phase_change import phase_change, smoothed
from attnviz.core.errors import InputError
from attnviz.core.one_thread import one_thread
from attnviz.training import TASKS, Point
from attnviz.training.bundled_models import FOLDER
from attnviz.training.head_formation import HeadFormation, head_formation
from attnviz.views import Moment
from attnviz.views.pack import unpack

TEXTS = {
    "reverse": "k w p a 3 d", "induction": "b f c d p i h b f c d p",
    "translate-en-zh": "the teacher did not buy two books yesterday",
}  # fmt: skip


@pytest.fixture(scope="module")
def runs() -> Iterator[dict[str, HeadFormation]]:
    with one_thread():
        yield {name: head_formation(FOLDER / name, text) for name, text in TEXTS.items()}


@pytest.mark.parametrize("name", TEXTS)
def test_every_weight_of_every_head_at_every_checkpoint_travels_exactly_in_few_bytes(runs, name: str, tmp_path) -> None:
    view = views.training([runs[name]])
    header, arrays = unpack(view.payload)
    assert arrays["weights0"].dtype == np.float32
    assert np.array_equal(arrays["weights0"], runs[name].weights)
    assert np.array_equal(arrays["scores0"], runs[name].scores)
    assert len(header["runs"][0]["checkpoints"]) == arrays["weights0"].shape[0] <= 24
    assert len(view.payload) <= 80_000
    assert view.to_html(tmp_path / "training.html").stat().st_size <= 250_000


def test_where_exact_weights_would_be_too_many_they_travel_as_sixteen_bits(runs) -> None:
    run = runs["induction"]
    tiled = {"weights": np.tile(run.weights, (1, 1, 64, 1, 1)), "scores": np.tile(run.scores, (1, 1, 1, 64))}
    many = replace(run, n_heads=128, **tiled)
    assert many.weights.nbytes > 2_000_000
    _, arrays = unpack(views.training([many]).payload)
    assert arrays["weights0"].dtype == np.uint16
    assert np.abs(arrays["weights0"] / 65535 - many.weights).max() <= 8e-6


def test_the_curve_is_the_log_with_its_smoothed_means(runs) -> None:
    run = replace(runs["induction"], log=runs["induction"].log[:100])
    _, arrays = unpack(views.training([run]).payload)
    steps, losses = [p.step for p in run.log], [p.loss for p in run.log]
    assert arrays["steps0"].tolist() == steps
    assert arrays["loss0"] == pytest.approx(losses)
    assert arrays["smooth0"] == pytest.approx(smoothed(steps, losses), rel=1e-6)


def test_a_long_log_is_thinned_and_keeps_its_beginning_and_its_end(runs) -> None:
    long = tuple(Point(step, 1.0 + step, 0.0) for step in range(20_001))
    _, arrays = unpack(views.training([replace(runs["induction"], log=long)]).payload)
    steps = arrays["steps0"].tolist()
    assert len(steps) <= 402 and steps[:8] == list(range(8)) and steps[-1] == 20_000
    assert steps == sorted(set(steps))
    assert arrays["loss0"].tolist() == [1.0 + step for step in steps]
    assert max(b - a for a, b in pairwise(steps)) <= 120


def test_accuracy_is_told_by_split_the_sentences_first(runs) -> None:
    header, _ = unpack(views.training([runs["translate-en-zh"]]).payload)
    accuracy = header["runs"][0]["accuracy"]
    assert list(accuracy) == ["sentences", "combinations"]
    assert [step for step, _ in accuracy["sentences"]] == list(runs["translate-en-zh"].checkpoints)
    assert accuracy["sentences"][-1][1] >= 0.99


def test_the_phase_change_is_that_of_the_head_that_ends_best_with_its_own_numbers(runs) -> None:
    for name, run in runs.items():
        phase = unpack(views.training([run]).payload)[0]["runs"][0]["phase"]
        steps, losses = [p.step for p in run.log], [p.loss for p in run.log]
        best = np.unravel_index(run.scores[-1, -1].argmax(), run.scores.shape[2:])
        own = run.scores[-1, :, *best]  # [C]
        change = phase_change(steps, losses, run.checkpoints, own)
        assert (phase is None) == (change is None), name
        if phase is not None:
            assert (phase["layer"], phase["head"]) == best
            assert [phase["low"], phase["high"]] == [own[run.checkpoints.index(phase[at])] for at in ("first", "last")]
    phase = unpack(views.training([runs["induction"]]).payload)[0]["runs"][0]["phase"]
    assert phase is not None and phase["drop"] > 1 and phase["high"] > 0.8


def test_the_newest_checkpoint_the_best_head_and_a_cell_of_the_known_answer_are_picked_first(runs) -> None:
    run = runs["induction"]
    picked = unpack(views.training([run]).payload)[0]["selection"]
    assert picked["step"] == run.checkpoints[-1] and picked["run"] == 0
    assert run.scores[-1, -1, picked["layer"], picked["head"]] == run.scores[-1, -1].max()
    assert picked["key"] in run.expected[-1][picked["query"]]


def test_a_moment_outside_the_run_is_clamped_and_its_cell_is_one_that_the_head_reads(runs) -> None:
    run = runs["induction"]

    def picked(*moment: int) -> dict:
        return unpack(views.training([run], Moment(*moment)).payload)[0]["selection"]

    n = len(run.queries)
    assert picked(740, 9, 9, 99, 99, 7) == {"step": 750, "layer": 1, "head": 1, "query": n - 1, "key": n - 1, "run": 0}
    above = picked(0, 0, 0, 3, 9)
    assert (above["query"], above["key"]) == (3, 3)  # no query looks ahead
    layer, head = np.unravel_index(run.scores[0, -1].argmax(), run.scores.shape[2:])
    back = picked(run.checkpoints[-1], int(layer), int(head))
    assert back["key"] == back["query"] - 1  # a head that looks back by one, on its own answer


def test_without_a_known_answer_the_largest_weight_between_two_words_is_picked(runs) -> None:
    run = runs["translate-en-zh"]
    picked = unpack(views.training([run]).payload)[0]["selection"]
    assert run.queries.text[picked["query"]].isalpha() and run.keys.text[picked["key"]].isalpha()
    assert run.weights[-1, picked["layer"], picked["head"], picked["query"], picked["key"]] > 0.9


def test_two_runs_travel_side_by_side_with_their_own_tokens(runs) -> None:
    header, arrays = unpack(views.training([runs["reverse"], runs["induction"]], Moment(run=1)).payload)
    assert [run["task"] for run in header["runs"]] == ["reverse", "induction"]
    assert arrays["weights0"].shape[1:3] == (1, 2) and arrays["weights1"].shape[1:3] == (2, 2)
    assert header["selection"]["run"] == 1 and header["selection"]["layer"] == 1
    for n in (0, 3):
        with pytest.raises(InputError, match=f"{n} runs; one is drawn, or 2 over each other"):
            views.training([runs["reverse"]] * n)


def test_the_revision_follows_the_numbers_and_the_identity_only_the_training_and_the_text(runs) -> None:
    run = runs["induction"]
    steps = run.checkpoints[:4]
    kept = {"checkpoints": steps, "measured": steps, "weights": run.weights[:4], "scores": run.scores[:, :4]}
    earlier = replace(run, revision="another", **kept)
    first, second = (unpack(views.training([one]).payload)[0] for one in (run, earlier))
    assert first["revision"] != second["revision"] and first["identity"] == second["identity"]
    own = replace(run, id=f"folder/{run.task}", label="shipped", revision="1a2b")
    assert unpack(views.training([own]).payload)[0]["sources"] == [f"{run.task} shipped 1a2b"]
    other = unpack(views.training([replace(run, text="a b c")]).payload)[0]
    assert other["identity"] != first["identity"]
    same = unpack(views.training([run], Moment(0, 0, 0), lang="zh-CN", size="projector").payload)[0]
    assert (same["revision"], same["identity"]) == (first["revision"], first["identity"])


def test_every_end_of_a_training_and_every_task_has_its_words(runs) -> None:
    words = unpack(views.training([runs["reverse"]]).payload)[0]["strings"]
    needed = {f"state-{outcome}" for outcome in ("stopped", "out of time", "diverged", "training")}
    for task in TASKS.values():
        needed |= {f"lesson-{task.name}", f"task-{task.name}"}
        needed |= {f"does-{answer.name}" for answer in task.answers} | {
            f"right-{task.counted}-{split}" for split in task.splits
        }
    assert {f"view-training-{name.replace(' ', '-')}" for name in needed} <= set(words)
