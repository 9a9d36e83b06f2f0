"""A plan's numbers: what a person may change, that each change is what is then trained, and what is refused."""

from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from attnviz.core.errors import InputError
from attnviz.training import TASKS, Plan, Shape, changed_plan, load_trained, resume, train
from attnviz.training.plans import check_plan

CHANGES: dict[str, dict[str, object]] = {
    "wide": {"n_heads": 8, "n_layers": 3, "positions": "learned", "has_feed_forward": True},
    "narrow": {"n_heads": 1, "n_layers": 1, "positions": "none", "has_feed_forward": False},
    "sinusoidal": {"positions": "sinusoidal", "learning_rate": 1e-4},
}


@pytest.mark.parametrize(("task", "change"), [
    *product(["copy"], CHANGES), *product(["induction", "translate-zh-en"], ["wide", "narrow"])
])  # fmt: skip
def test_each_change_trains_stops_goes_on_and_loads(task: str, change: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("attnviz.training.tasks.translation.POOL", 100)  # three batches are enough for two steps
    plan = changed_plan(TASKS[task].plan, steps=2, **CHANGES[change])  # type: ignore[arg-type]
    plan = replace(plan, batch_size=4, n_checkpoints=2)
    assert train(TASKS[task], plan, folder=tmp_path, should_stop=lambda: True, device="cpu").step == 1
    run = resume(tmp_path, device="cpu")
    assert (run.outcome, run.sha256) == ("finished", train(TASKS[task], plan, device="cpu").sha256)
    model = load_trained(tmp_path)
    shape = model.plan.shape
    assert {**vars(shape), **vars(model.plan)}.items() >= CHANGES[change].items()
    text = "她唱歌。" if task == "translate-zh-en" else "abcabc"
    trace = model.trace(text, *([] if task == "induction" else [""]))
    decoder = [site for site in trace.sites if site.stack == "decoder" and site.kind == "self"]
    assert len(decoder) == shape.n_layers and trace["decoder.0.self"].n_heads == shape.n_heads
    names = {name for name, _ in model.network.named_parameters()}
    assert any(".w_1." in name for name in names) == shape.has_feed_forward
    assert any("positions" in name for name in names) == (shape.positions == "learned")


def test_a_change_leaves_the_rest_of_the_plan_alone() -> None:
    plan = TASKS["reverse"].plan
    assert changed_plan(plan) == plan
    assert changed_plan(plan, n_layers=plan.shape.n_layers) == plan, "the encoder keeps its own number"
    assert changed_plan(plan, n_layers=3).shape == replace(plan.shape, n_layers=3, n_encoder_layers=None)
    assert changed_plan(plan, seed=4, max_seconds=9.0) == replace(plan, seed=4, max_seconds=9.0)
    assert changed_plan(plan, steps=50).warmup == 10, "at most a fifth of the training"


@pytest.mark.parametrize(
    ("plan", "sentence"),
    [
        (Plan(seed=-1), "seed is -1; it must be from 0 to 9,223,372,036,854,775,807."),
        (Plan(steps=2.5), "steps is 2.5; it must be from 1 to 200,000."),  # type: ignore[arg-type]
        (Plan(steps=10**9), "steps is 1000000000; it must be from 1 to 200,000."),
        (Plan(learning_rate=float("nan")), "learning_rate is nan; it must be from 1e-07 to 10."),
        (Plan(max_seconds=-1.0), "max_seconds is -1.0; it must be from 0 to 604800."),
        (Plan(Shape(n_layers=0)), "n_layers is 0; it must be from 1 to 8."),
        (Plan(Shape(n_encoder_layers=99)), "n_encoder_layers is 99; it must be from 1 to 8."),
        (
            Plan(Shape(positions="relative")),
            "positions is 'relative'. Expected one of 'learned', 'sinusoidal', 'rotary', 'none'.",
        ),  # type: ignore[arg-type]
    ],
)
def test_what_cannot_be_trained_is_refused_in_a_sentence(plan: Plan, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        check_plan(plan)
    assert str(caught.value).startswith(sentence)
