"""`make bundled`: trains the models that ship, each by the plan of its task, into attnviz/training/bundled.

A language model is too large to travel as it was trained: its weights are halved, and one of its checkpoints stays.
"""

import os
import shutil
import sys
from dataclasses import asdict
from pathlib import Path

os.environ["CUDA_VISIBLE_DEVICES"] = ""
ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from attnviz.training import checkpoints, task_named  # noqa: E402
from attnviz.training.bundled_models import BUNDLED, FOLDER  # noqa: E402
from attnviz.training.head_formation import scores_of  # noqa: E402
from attnviz.training.network import new_network  # noqa: E402
from attnviz.training.progress import PROGRESS  # noqa: E402
from attnviz.training.result import Point, log_of, plan_of  # noqa: E402
from attnviz.training.trainer import exam, measured, resume, train  # noqa: E402

BUILD = ROOT / "build" / "bundled"


def main(names: tuple[str, ...]) -> None:
    for name in names:
        made = BUILD / name
        if (made / checkpoints.RESUME).exists():
            resume(made, on_progress=tell)
        else:
            train(task_named(name), folder=made, on_progress=tell)
        shutil.rmtree(FOLDER / name, ignore_errors=True)
        shutil.copytree(made, FOLDER / name, ignore=shutil.ignore_patterns(PROGRESS))
        if task_named(name).is_language:
            pack(FOLDER / name)


def tell(point: Point) -> None:
    if point.accuracy:
        print(point.line(), flush=True)


def pack(folder: Path) -> None:
    """Halve the weights and measure every checkpoint as halved; keep the one nearest to a tenth of the training."""
    header, weights = checkpoints.read(folder / checkpoints.MODEL)
    halves = {name: part.half() for name, part in weights.items()}
    task, plan = task_named(header["task"]), plan_of(header["plan"])
    network, held_out = new_network(task, plan.shape, plan.seed).eval(), exam(task)

    def again(point: Point) -> Point:
        if not point.accuracy:
            return point
        checkpoints.load_weights(network, checkpoints.read_checkpoint(folder, point.step))
        scores[point.step] = scores_of(network, task).round(4).tolist()
        return measured(point, network, task, held_out)

    scores: dict[int, list[list[list[float]]]] = {}
    header["log"] = [asdict(again(point)) for point in log_of(header["log"])]
    header["scores"] = scores
    header["sha256"] = checkpoints.sha256_of(halves)
    checkpoints.write(folder / checkpoints.MODEL, header, halves)
    wanted = header["steps"] / 10
    kept = min(checkpoints.saved_steps(folder), key=lambda step: abs(step - wanted))
    for path in checkpoints.checkpoint_files(folder):
        if path != checkpoints.checkpoint_path(folder, kept):
            path.unlink()


if __name__ == "__main__":
    main(tuple(sys.argv[1:]) or BUNDLED)
