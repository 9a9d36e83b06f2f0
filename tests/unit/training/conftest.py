"""Models that hardly learned: what they write is noise; how they are read, traced, stored and followed is not."""

from pathlib import Path

import pytest

from attnviz.training import TASKS, Plan, Shape, train
from attnviz.training.bundled_models import FOLDER

TINY = Plan(Shape(d_model=16, n_heads=2, n_layers=2, d_ff=16), steps=4, batch_size=4, warmup=1, n_checkpoints=3)


@pytest.fixture(scope="session")
def folders(tmp_path_factory) -> dict[str, Path]:
    """Where two of them lie, and the translators that ship."""
    found = {name: FOLDER / name for name in ("translate-en-zh", "translate-zh-en")}
    for name in ("reverse", "induction"):
        found[name] = tmp_path_factory.mktemp(name)
        train(TASKS[name], TINY, folder=found[name], device="cpu")
    return found
