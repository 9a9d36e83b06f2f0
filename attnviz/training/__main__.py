"""`python -m attnviz.training [TASK …]`: train the bundled models again, each by its task's own plan, on the CPU."""

import sys

from attnviz.training.bundled_models import BUNDLED, FOLDER
from attnviz.training.progress import PROGRESS
from attnviz.training.result import Point
from attnviz.training.tasks import task_named
from attnviz.training.trainer import train


def main(names: list[str]) -> None:
    for name in names or BUNDLED:

        def print_checkpoint(point: Point, name: str = name) -> None:
            if point.accuracy:
                print(name, point.line(), flush=True)

        run = train(task_named(name), folder=FOLDER / name, on_progress=print_checkpoint, device="cpu")
        (FOLDER / name / PROGRESS).unlink()  # the header of the model has the log
        print(f"{name}: {run.outcome}, sha256 {run.sha256}")


if __name__ == "__main__":
    main(sys.argv[1:])
