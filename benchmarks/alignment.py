"""Both translators trained from three seeds: how far one head of cross-attention aligns words as the grammar does.

The alignment error rate counts written words with a sure link; the head is chosen on validation sentences. Finished
trainings are kept in ATTNVIZ_ALIGNMENT, if that names a folder, and found there again.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from statistics import mean

from attnviz.training import TASKS, changed, load_trained, train
from attnviz.training.alignment import AlignmentError
from attnviz.training.batches import Encoder
from attnviz.training.checkpoints import is_trained
from attnviz.training.examination import examine
from benchmarks.table import Row

SEEDS = (0, 1, 2)
TARGET = 0.15
NAMED = 16  # words


def measure() -> list[Row]:
    rows = []
    for name in ("translate-en-zh", "translate-zh-en"):
        found = [_alignment(name, seed) for seed in SEEDS]
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


def _alignment(name: str, seed: int) -> AlignmentError:
    task, kept = TASKS[name], os.environ.get("ATTNVIZ_ALIGNMENT")
    plan = changed(task.plan, seed=seed)
    folder = Path(kept) / f"{name}-{seed}" if kept else None
    if folder is not None and is_trained(folder) and load_trained(folder).plan == plan:
        model = load_trained(folder)
        network, encoder = model.network, model.encoder
    else:
        network, encoder = train(task, plan, folder=folder, device="cpu").network, Encoder.of(task)
    own = examine(network, encoder).alignment
    assert own is not None
    return own
