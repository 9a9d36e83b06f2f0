"""Small models whose heads have a known answer: tasks, the trainer, and the trained models."""

from attnviz.training.bundled_models import load_bundled
from attnviz.training.load import load_trained
from attnviz.training.plans import changed_plan
from attnviz.training.progress import Progress, read_progress
from attnviz.training.result import Point, Run
from attnviz.training.tasks import TASKS, task_named
from attnviz.training.tasks.task import Plan, Shape, Task
from attnviz.training.trained_model import TrainedModel
from attnviz.training.trainer import resume, train

__all__ = [
    "TASKS", "Plan", "Point", "Progress", "Run", "Shape", "Task", "TrainedModel", "changed_plan", "load_bundled",
    "load_trained", "read_progress", "resume", "task_named", "train",
]  # fmt: skip
