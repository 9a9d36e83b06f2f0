"""Loads a model that was trained into a folder, or is still in training."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from attnviz.core.errors import WrongWeights
from attnviz.trace.run_facts import Card
from attnviz.training import checkpoints
from attnviz.training.network import new_network
from attnviz.training.plans import shell_command
from attnviz.training.result import log_of, plan_of
from attnviz.training.tasks import task_named
from attnviz.training.tasks.task import Plan, Task
from attnviz.training.trained_model import TrainedModel

TITLES = {
    "copy": "Copy", "reverse": "Reverse", "sort": "Sort", "induction": "Induction",
    "translate-en-zh": "English → Chinese, simplified", "translate-en-zh-tw": "English → Chinese, traditional",
    "translate-zh-en": "Chinese → English",
}  # fmt: skip
LANGUAGES = {"translate-en-zh": ("en",), "translate-zh-en": ("zh",)}


def load_trained(folder: str | Path, *, id: str | None = None) -> TrainedModel:
    """A model that was trained into a folder.

    Args:
        folder: what `train` wrote.
        id: the name it was asked for by; the folder if not given.
    Raises:
        WrongWeights: there is no model in the folder, its header is wrong, or its weights changed since.
    """
    path = Path(folder) / checkpoints.MODEL
    weights, header = checkpoints.read(path)
    with checkpoints.malformed(path):
        task, plan = task_named(header["task"]), plan_of(header["plan"])
        log_of(header["log"])
        if (header["source_words"], header["target_words"]) != (list(task.source.words), list(task.target.words)):
            raise ValueError("its words have other numbers")
    with torch.device("meta"):  # compare sizes before any memory is taken
        checkpoints.check_fit(new_network(task, plan.shape, plan.seed), weights)
    if checkpoints.sha256_of(weights) != header.get("sha256"):
        raise WrongWeights(
            f"The weights in {folder} are not those that were trained: their checksum differs. Train the model again.",
            id="changed-weights", path=str(folder),
        )  # fmt: skip
    return _model(id or str(folder), task, plan, weights, header)


def load_partial(folder: Path) -> TrainedModel:
    """The trained model of a folder; while its training goes on, the model at the last checkpoint."""
    if checkpoints.is_trained(folder):
        return load_trained(folder)
    tensors, header = checkpoints.read(folder / checkpoints.RESUME)
    with checkpoints.malformed(folder / checkpoints.RESUME):
        task, plan = task_named(header["task"]), plan_of(header["plan"])
    weights = checkpoints.saved_weights(tensors)
    header = {**header, "outcome": "training", "sha256": checkpoints.sha256_of(weights)}
    return _model(str(folder), task, plan, weights, header)


def _model(id: str, task: Task, plan: Plan, weights: Mapping[str, Tensor], header: Mapping[str, Any]) -> TrainedModel:
    shape = plan.shape
    network = new_network(task, shape, plan.seed).eval()
    checkpoints.load_weights(network, weights)
    card = Card(
        id, TITLES[task.name], "from scratch", shape.n_layers, shape.n_heads, shape.d_model,
        revision=str(header["sha256"])[:12], parameters=sum(part.numel() for part in network.parameters()),
        licence="Apache-2.0", source=": ".join(filter(None, ("trained with AttnViz", shell_command(task, plan)))),
        languages=LANGUAGES.get(task.name, ()), max_tokens=task.max_words,
        probe_difference=0.0,  # our own blocks: what is recorded is what was computed
    )  # fmt: skip
    return TrainedModel(card, task, plan, network, header=header)
