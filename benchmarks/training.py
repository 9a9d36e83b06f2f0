"""Training the small models: seconds of each task's own plan, and what the result is worth on held-out examples."""

from __future__ import annotations

import time

from attnviz.training import TASKS, train
from attnviz.training.answers import accuracy
from attnviz.training.batches import Encoder
from benchmarks.table import Row

LIMITS = {"copy": 60, "reverse": 60, "induction": 240, "translate-en-zh": 300, "translate-zh-en": 300}  # seconds


def measure() -> list[Row]:
    rows = []
    for name, limit in LIMITS.items():
        task = TASKS[name]
        started, cpu = time.perf_counter(), time.process_time()
        run = train(task, device="cpu")
        seconds, cpu = time.perf_counter() - started, time.process_time() - cpu
        encoder = Encoder.of(task)
        right = {split: accuracy(run.network, encoder, task.examples(split, 200, 11)) for split in task.splits}
        shares = ", ".join(f"{split} {own.exact:.1%} exact" for split, own in right.items())
        rows.append(Row(f"train {name}", seconds, limit, "s", f"{cpu:.0f} s of CPU, {run.step} steps; {shares}"))
    return rows
