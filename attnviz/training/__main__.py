"""`python -m attnviz.training [TASK …]`: train the bundled models again, each by its task's own plan, on the CPU."""

import argparse
import shutil
import sys
from pathlib import Path

from attnviz.training.bundled_models import BUNDLED, FOLDER
from attnviz.training.progress import PROGRESS
from attnviz.training.result import Point
from attnviz.training.tasks import task_named
from attnviz.training.trainer import train


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m attnviz.training", description="Train the bundled models again.")
    parser.add_argument("tasks", nargs="*", default=BUNDLED, metavar="TASK", help=", ".join(BUNDLED))
    parser.add_argument("--folder", type=Path, default=FOLDER)
    asked = parser.parse_args()
    for name in asked.tasks:

        def print_checkpoint(point: Point, name: str = name) -> None:
            if point.accuracy:
                print(name, point.line(), flush=True)

        unfinished = asked.folder / f".{name}"
        run = train(task_named(name), folder=unfinished, on_progress=print_checkpoint, device="cpu")
        (unfinished / PROGRESS).unlink()  # the header of the model has the log
        shutil.rmtree(asked.folder / name, ignore_errors=True)
        unfinished.rename(asked.folder / name)
        print(f"{name}: {run.outcome}, sha256 {run.sha256}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
