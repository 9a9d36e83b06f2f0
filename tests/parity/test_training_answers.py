"""The known answers: found again in a model trained here and now, and held by the models in the package."""

from dataclasses import replace
from functools import cache

import pytest
import torch

import attnviz as av
from attnviz.core.site import Site
from attnviz.training import TASKS, Plan, Shape, Task, TrainedModel, train
from attnviz.training.accuracy import accuracy
from attnviz.training.alignment import alignment_error, alignment_error_rates
from attnviz.training.bundled_models import BUNDLED, FOLDER
from attnviz.training.checkpoints import read_checkpoint, saved_steps
from attnviz.training.head_scores import best_head, head_scores
from attnviz.training.network import Network
from attnviz.training.plans import MOST_CHECKPOINTS
from attnviz.training.tasks.symbol_tasks import symbol_task
from attnviz.training.tasks.task import Example, Link, Split

MEASURED = 200  # examples of each split of a shipped model; the figures in its header are of 64, its report's of 1,000
QUICK = Plan(
    Shape(d_model=48, n_heads=1, n_layers=1, d_ff=96), steps=400, batch_size=32, learning_rate=3e-3, warmup=30,
    n_checkpoints=3,
)  # fmt: skip
INDUCTION = TASKS["induction"]  # the smallest that is shipped


def examples(task: Task, split: Split, n: int = MEASURED) -> tuple[Example, ...]:
    return task.examples(split, n, 23)


def rightness(network: Network, task: Task, split: Split) -> float:
    """The share of the texts without a mistake; of the tokens where a text is only continued."""
    found = accuracy(network, task, examples(task, split))
    return found.exact if task.has_source else found.tokens


def best_score(network: Network, task: Task, answer: str, n: int = MEASURED) -> float:
    """The held-out score of the head that is the best one on validation examples."""
    validation, held_out = (
        head_scores(network, task, examples(task, split, n))[answer] for split in ("validation", task.splits[-1])
    )
    head, _ = best_head(validation)
    return float(held_out[head.site][head.head])


@pytest.mark.parametrize(("task", "plan", "untrained", "trained"), [
    (symbol_task("copy", (4, 8)), QUICK, 0.5, 0.8),
    (INDUCTION, replace(INDUCTION.plan, steps=INDUCTION.plan.steps // 2), 0.3, 0.7),
], ids=["copy", "induction"])  # fmt: skip
def test_a_model_trained_here_is_right_by_the_heads_that_are_known(task: Task, plan: Plan, untrained, trained) -> None:
    run = train(task, plan, device="cpu")
    for split in task.splits:
        assert rightness(run.network, task, split) >= 0.98, split
    for answer, before in run.log[0].answers.items():
        assert before < untrained < trained <= best_score(run.network, task, answer, 100), answer


@cache
def shipped(name: str) -> TrainedModel:
    model = av.load(name)
    assert isinstance(model, TrainedModel)
    return model


POETS = tuple(name for name in BUNDLED if TASKS[name].is_language)


@pytest.mark.parametrize("name", POETS)
def test_a_shipped_poet_is_small_and_keeps_one_checkpoint_and_the_figures_of_all(name: str) -> None:
    folder, model = FOLDER / name, shipped(name)
    assert (folder / "model.safetensors").stat().st_size <= 8_000_000
    assert sum(path.stat().st_size for path in folder.rglob("*.safetensors")) <= 10_000_000
    assert len(saved_steps(folder)) == 1 and 0 < saved_steps(folder)[0] < model.plan.steps
    assert model.header["outcome"] == "finished" and model.header["log"][-1]["step"] == model.plan.steps
    assert sum(bool(point["answers"]) for point in model.header["log"]) == model.plan.n_checkpoints


@pytest.mark.parametrize("name", [name for name in BUNDLED if name not in POETS])
def test_a_shipped_model_is_small_and_its_last_checkpoint_is_itself(name: str) -> None:
    folder = FOLDER / name
    assert (folder / "model.safetensors").stat().st_size <= 3_000_000
    assert sum(path.stat().st_size for path in folder.rglob("*.safetensors")) <= 12_000_000
    steps = saved_steps(folder)
    model = shipped(name)
    assert len(steps) <= MOST_CHECKPOINTS and steps[0] == 0 and steps[-1] == model.plan.steps
    assert model.header["outcome"] == "finished" and len(model.header["log"]) >= len(steps)
    last = read_checkpoint(folder, steps[-1])
    for part_name, part in model.network.named_parameters():
        torch.testing.assert_close(last[part_name], part.detach(), rtol=1e-3, atol=1e-6)


@pytest.mark.parametrize(("name", "split", "least"), [
    ("reverse", "sentences", 0.98), ("induction", "sentences", 0.98), ("induction", "combinations", 0.98),
    ("translate-en-zh", "sentences", 0.99), ("translate-en-zh", "combinations", 0.95),
    ("translate-zh-en", "sentences", 0.99), ("translate-zh-en", "combinations", 0.95),
])  # fmt: skip
def test_a_shipped_model_is_right_on_what_it_never_saw(name: str, split: Split, least: float) -> None:
    assert rightness(shipped(name).network, shipped(name).task, split) >= least


@pytest.mark.parametrize(
    ("name", "answer"), [("induction", "previous"), ("induction", "induction"), ("reverse", "reverse")]
)
def test_some_head_of_a_shipped_model_does_what_is_known(name: str, answer: str) -> None:
    assert best_score(shipped(name).network, shipped(name).task, answer) >= 0.7


@pytest.mark.parametrize("name", ["translate-en-zh", "translate-zh-en"])
def test_one_head_of_a_translator_aligns_words(name: str) -> None:
    model = shipped(name)
    found = alignment_error(
        model.network, model.task, examples(model.task, "validation"), examples(model.task, "sentences")
    )
    assert found.rate <= 0.17, f"{found.head} misses {found.misses[:10]}"


@pytest.mark.parametrize(("name", "text", "expected"), [
    ("reverse", "hello", "o l l e h"),
    ("induction", "q w e r t q w e", " ".join("rtqwe" * 6 + "rtq")),  # as far as there are positions
    ("translate-en-zh", "my younger brother doesn't like coffee", "我弟弟不喜欢咖啡。"),
    ("translate-en-zh-tw", "The driver will wash this taxi tomorrow.", "司機明天會洗這輛計程車。"),
    ("translate-zh-en", "因为他生病了，所以他昨天没去学校。", "He did not go to school yesterday because he was sick."),
    ("translate-zh-en", "這輛腳踏車比那輛腳踏車貴。", "This bicycle is more expensive than that bicycle."),
])  # fmt: skip
def test_a_readers_own_text_is_answered(name: str, text: str, expected: str) -> None:
    assert shipped(name).generate(text) == expected


# "did not eat" -> 没 吃: 没 is surely "not" and possibly "did"; <end> is the fourth column.
EXAMPLE = Example(("did", "not", "eat"), ("没", "吃"), (Link(0, 1), Link(0, 0, False), Link(1, 2)))


@pytest.mark.parametrize(("looked_at", "rate"), [
    ((1, 2), 0.0), ((0, 2), 0.25), ((2, 2), 0.5), ((0, 0), 0.75), ((2, 1), 1.0),
])  # fmt: skip
def test_the_alignment_error_rate_by_hand(looked_at: tuple[int, int], rate: float, monkeypatch) -> None:
    weights = torch.zeros(1, 1, 3, 4)  # [B, H, T_q, T_k]
    for row, key in enumerate(looked_at):
        weights[0, 0, row, key] = 0.4
        weights[0, 0, row, 3] = 0.6  # <end> is no word, however much it is looked at
    site = Site("decoder", "cross", 0)
    monkeypatch.setattr("attnviz.training.alignment.recorded_weights", lambda *_: [([EXAMPLE], {site: weights})])
    found = alignment_error_rates(None, None, [EXAMPLE])  # type: ignore[arg-type]
    assert float(found[site][0]) == pytest.approx(rate)
