"""The benchmark of alignment keeps what it trained, and goes on with what was stopped."""

from pathlib import Path

import pytest

from attnviz.core.site import Site
from attnviz.training import TASKS, changed_plan, train
from attnviz.training.alignment import AlignmentError
from attnviz.training.checkpoints import RESUME, is_trained
from attnviz.training.head_scores import HeadChoice
from benchmarks.alignment import missed, trained


def test_a_training_that_was_stopped_is_gone_on_with_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.alignment.KEPT", tmp_path)
    folder, steps = tmp_path / "copy-1", []
    plan = changed_plan(TASKS["copy"].plan, seed=1, steps=4)
    train(TASKS["copy"], plan, folder=folder, device="cpu", should_stop=lambda: True)
    assert (folder / RESUME).exists()
    model = trained(TASKS["copy"], plan)
    assert model.header["steps"] == 4 and model.plan == plan and not (folder / RESUME).exists()
    monkeypatch.setattr("benchmarks.alignment.train", lambda *_, **__: steps.append("trained again"))
    assert trained(TASKS["copy"], plan).card.revision == model.card.revision
    assert is_trained(folder) and steps == []


def test_misses_of_all_seeds_are_summed() -> None:
    head = HeadChoice(Site("decoder", "cross", 0), 0)
    found = [AlignmentError(head, 0.1, (("at", 3, 4), ("in", 1, 2))), AlignmentError(head, 0.1, (("at", 2, 4),))]
    assert missed(found) == ["at 5/8", "in 1/4"]
