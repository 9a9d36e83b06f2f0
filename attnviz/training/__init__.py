"""Small models with a known answer: tasks, the trainer, and the trained models as models like any other.

tasks         what is learned, from which examples, and what some head should come to do
batches       examples as numbers
build         the untrained model
plans         how to train: every number, what it may be, and how a person changes it
trainer       the loop; run: a training as data; checkpoints, progress, folders: what it leaves on disk
answers       how often a model is right, and what each head does; alignment: the same for translation
trained       a trained model that can be traced; telling: its heads that do what the known answers say
command       what makes the same training in a terminal
own, forming  the known answer for a person's own text; the heads on it at every checkpoint
bundle        those that travel in the package
"""

from attnviz.training.bundle import describe, load_shipped
from attnviz.training.plans import changed
from attnviz.training.progress import Progress, read_progress
from attnviz.training.run import Point, Run
from attnviz.training.tasks import TASKS, task_named
from attnviz.training.tasks.task import Plan, Shape, Task
from attnviz.training.trained import TrainedModel, load_trained
from attnviz.training.trainer import resume, train

__all__ = [
    "TASKS", "Plan", "Point", "Progress", "Run", "Shape", "Task", "TrainedModel", "changed", "describe",
    "load_shipped", "load_trained", "read_progress", "resume", "task_named", "train",
]  # fmt: skip
