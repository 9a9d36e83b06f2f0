"""Both translators trained from three seeds: how far one head of cross-attention aligns words as the grammar does.

The alignment error rate counts written words with a sure link; the head is chosen on validation sentences. Seed 0 is
the model that ships. The others are trained into `build/alignment` and kept: a run that is stopped goes on there,
where it was. A line is printed for each model that is measured.
"""

from collections import Counter
from pathlib import Path
from statistics import mean

from attnviz.core.one_thread import one_thread
from attnviz.training import TASKS, Plan, Task, TrainedModel, changed_plan, load_bundled, load_trained, resume, train
from attnviz.training.alignment import AlignmentError
from attnviz.training.checkpoints import RESUME, is_trained
from attnviz.training.evaluate import evaluate
from attnviz.training.result import Point
from benchmarks.table import Row

SEEDS = (0, 1, 2)
TARGET = 0.15
NAMED = 16  # words
KEPT = Path("build") / "alignment"


def measure() -> list[Row]:
    rows = []
    for name in ("translate-en-zh", "translate-zh-en"):
        found = [alignment(name, seed) for seed in SEEDS]
        rates = ", ".join(f"{own.rate:.3f} ({own.head})" for own in found)
        note = f"seeds 0, 1, 2: {rates}; most missed: {', '.join(missed(found))}"
        rows.append(Row(f"alignment error rate, {name}", mean(own.rate for own in found), TARGET, "", note))
    return rows


def missed(found: list[AlignmentError]) -> list[str]:
    """The words missed most often, all seeds together: "at 410/663"."""
    wrong, written = Counter[str](), Counter[str]()
    for own in found:
        for word, n, of in own.misses:
            wrong[word] += n
            written[word] = max(written[word], of)
    return [f"{word} {n}/{len(found) * written[word]}" for word, n in wrong.most_common(NAMED)]


def alignment(name: str, seed: int) -> AlignmentError:
    """The rate of one translator, of 2,000 held-out sentences."""
    model = load_bundled(name) if seed == 0 else trained(TASKS[name], changed_plan(TASKS[name].plan, seed=seed))
    with one_thread():
        own = evaluate(model.network, model.task).alignment
    assert own is not None
    print(f"{name}, seed {seed}: {own.rate:.3f}, {own.head}", flush=True)
    return own


def trained(task: Task, plan: Plan) -> TrainedModel:
    """The model of a plan: as it was kept, else gone on with, else trained."""
    folder = KEPT / f"{task.name}-{plan.seed}"
    if (folder / RESUME).exists():
        resume(folder, on_progress=_tell, device="cpu")
    elif not is_trained(folder) or load_trained(folder).plan != plan:
        train(task, plan, folder=folder, on_progress=_tell, device="cpu")
    return load_trained(folder)


def _tell(point: Point) -> None:
    if point.accuracy:
        print(point.line(), flush=True)
