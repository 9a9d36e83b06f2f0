"""The trained models that travel inside the package, and how they were made: `make bundled` runs `main`.

Each is trained by the same `train` as everyone's, with its task's own plan and seed 0, on the CPU.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

from attnviz.core.errors import UnknownModel
from attnviz.training.checkpoints import is_trained
from attnviz.training.progress import PROGRESS
from attnviz.training.run import Point
from attnviz.training.tasks import TASKS
from attnviz.training.trained import TrainedModel, load_trained
from attnviz.training.trainer import train

FOLDER = Path(__file__).parent / "bundled"
SHIPPED = ("reverse", "induction", "translate-en-zh", "translate-zh-en")
# Names with a spelling of their own: the same weights, written in traditional characters with Taiwan's words.
SPELLED = {"translate-en-zh-tw": ("translate-en-zh", "zh-TW")}


@cache
def names() -> tuple[str, ...]:
    """What can be loaded by name."""
    here = tuple(name for name in SHIPPED if is_trained(FOLDER / name))
    return (*here, *(name for name, (own, _) in SPELLED.items() if own in here))


def load_shipped(name: str) -> TrainedModel:
    """One of the models in the package.

    Raises:
        UnknownModel: none of that name is there.
    """
    if name not in names():
        listed = ", ".join(names())
        raise UnknownModel(
            f"No trained model {name!r} is in this package. Known: {listed}.", id="unknown-model", name=name,
            names=listed,
        )  # fmt: skip
    own, script = SPELLED.get(name, (name, ""))
    model = load_trained(FOLDER / own, id=own)
    return model.spelled(script, name) if script else model


def main() -> int:
    """Train the models to ship; those named, or all."""
    parser = argparse.ArgumentParser(
        prog="python -m attnviz.training", description="Train the models that are shipped inside the package."
    )
    parser.add_argument("tasks", nargs="*", default=SHIPPED, metavar="TASK", help=", ".join(SHIPPED))
    parser.add_argument("--folder", type=Path, default=FOLDER)
    asked = parser.parse_args()
    for name in asked.tasks:
        unfinished = asked.folder / f".{name}"
        run = train(TASKS[name], folder=unfinished, on_progress=told(name), device="cpu")
        (unfinished / PROGRESS).unlink()  # the log is in the model's header
        shutil.rmtree(asked.folder / name, ignore_errors=True)
        unfinished.rename(asked.folder / name)
        sys.stdout.write(f"{name}: {run.outcome}, sha256 {run.sha256}\n")
    return 0


def told(name: str) -> Callable[[Point], None]:
    """A line at each checkpoint."""

    def tell(point: Point) -> None:
        if point.accuracy:
            sys.stdout.write(f"{name} {describe(point)}\n")
            sys.stdout.flush()

    return tell


def describe(point: Point) -> str:
    """One point of the log in a line."""
    shares = [f"{split} {value:.1%}" for split, value in point.accuracy.items()]
    heads = [f"{answer} head {value:.2f}" for answer, value in point.answers.items()]
    return f"step {point.step}: loss {point.loss:.4f}, {point.seconds:.0f} s, " + ", ".join([*shares, *heads])
