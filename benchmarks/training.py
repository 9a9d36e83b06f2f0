"""Training the small models by their own plans: seconds of each, and what the result is worth on held-out examples."""

import time

from attnviz.training import TASKS, train
from attnviz.training.evaluate import evaluate
from benchmarks.table import Row

LIMITS = {
    "copy": 60, "reverse": 60, "sort": 60, "induction": 240, "translate-en-zh": 300, "translate-zh-en": 300,
}  # seconds, on 2 quiet cores  # fmt: skip
EXAMPLES = 1000


def measure() -> list[Row]:
    rows = []
    for name, limit in LIMITS.items():
        task = TASKS[name]
        started, cpu = time.perf_counter(), time.process_time()
        run = train(task, device="cpu")
        seconds, cpu = time.perf_counter() - started, time.process_time() - cpu
        found = evaluate(run.network, task, EXAMPLES)
        notes = [f"{split} {own.exact:.1%} exact" for split, own in found.accuracy.items()]
        notes += [f"{name} head {min(own.score.values()):.2f}" for name, own in found.answers.items()]
        note = f"{cpu:.0f} s of CPU, {run.step} steps; {', '.join(notes)}"
        rows.append(Row(f"train {name}", seconds, limit, "s", note))
    return rows
