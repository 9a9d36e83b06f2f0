"""Small models whose heads have a known answer: tasks, the trainer, and the trained models.

tasks/           what is learned: examples, held-out splits, and what some head is expected to do
batches          examples as padded tensors of token ids
network          the untrained model
plans            hyperparameters: their ranges, how a person changes them, and the command that trains with them
trainer          the training loop
result           a training as data; checkpoints, progress, output_folder: its files
accuracy         how often a model is right; head_scores, alignment: what each head does
best_heads       the heads of a model that do what is expected; evaluate: all of this on held-out examples
trained_model    a trained model that can be traced; load: how it is read from its folder
expected_answer  the known answer for a person's own text; oov: the sentence for unknown words
head_formation   all heads on one text at every checkpoint
bundled_models   the trained models in the package; `python -m attnviz.training` trains them again
"""

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
