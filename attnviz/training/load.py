"""Loads a model that was trained into a folder, or is still in training: then as it was at the last checkpoint."""

from pathlib import Path

import torch

from attnviz.core.errors import WrongWeights
from attnviz.trace.run_facts import Card
from attnviz.training import checkpoints
from attnviz.training.network import new_network
from attnviz.training.plans import shell_command
from attnviz.training.result import log_of, plan_of
from attnviz.training.tasks import task_named
from attnviz.training.trained_model import TrainedModel

TITLES = {
    "copy": "Copy", "reverse": "Reverse", "sort": "Sort", "induction": "Induction",
    "translate-en-zh": "English → Chinese, simplified", "translate-en-zh-tw": "English → Chinese, traditional",
    "translate-zh-en": "Chinese → English", "poems-zh": "Tang verse model, simplified",
    "poems-zh-tw": "Tang verse model, traditional",
}  # fmt: skip
LANGUAGES = {"translate-en-zh": ("en",), "translate-zh-en": ("zh",), "poems-zh": ("zh",), "poems-zh-tw": ("zh",)}


def load_trained(folder: str | Path, *, id: str | None = None) -> TrainedModel:
    """A model that was trained into a folder.

    Args:
        folder: what `train` wrote.
        id: the name it was asked for by; the folder if not given.
    Raises:
        WrongWeights: there is no model in the folder, its header is wrong, or its weights changed since.
    """
    path = Path(folder) / checkpoints.MODEL
    header, weights = checkpoints.read(path)
    with checkpoints.malformed(path):
        task, plan = task_named(header["task"]), plan_of(header["plan"])
        log_of(header["log"])
        if (header["source_words"], header["target_words"]) != (list(task.source.words), list(task.target.words)):
            raise ValueError("its words have other numbers")
    with torch.device("meta"):  # compare sizes before any memory is taken
        checkpoints.check_fit(new_network(task, plan.shape, plan.seed), weights)
    if checkpoints.sha256_of(weights) != header.get("sha256"):
        raise WrongWeights(id="changed-weights", path=str(folder))
    shape = plan.shape
    network = new_network(task, shape, plan.seed).eval()
    checkpoints.load_weights(network, weights)
    card = Card(
        id or str(folder), TITLES[task.name], "from scratch", shape.n_layers, shape.n_heads, shape.d_model,
        revision=str(header["sha256"])[:12], parameters=sum(part.numel() for part in network.parameters()),
        licence="Apache-2.0", source=": ".join(filter(None, ("trained with AttnViz", shell_command(task, plan)))),
        languages=LANGUAGES.get(task.name, ()), max_tokens=task.max_words,
        probe_difference=0.0,  # our own blocks: what is recorded is what was computed
        tokens="characters" if task.is_language else "",
    )  # fmt: skip
    return TrainedModel(card, task, plan, network, header=header)
