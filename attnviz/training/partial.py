"""A training that has not ended, as a model: the newest weights it has left on disk so far."""

from __future__ import annotations

from pathlib import Path

from attnviz.training import checkpoints
from attnviz.training.batches import Encoder
from attnviz.training.build import built
from attnviz.training.checkpoints import is_trained, load_weights
from attnviz.training.run import plan_of
from attnviz.training.tasks import task_named
from attnviz.training.trained import TrainedModel, card_of, load_trained


def load_so_far(folder: Path, *, id: str | None = None) -> TrainedModel:
    """The trained model of a folder, or where its training still goes on, the model as it stands.

    Args:
        id: the name it was asked for by; the folder if not given.
    Raises:
        WrongWeights: the folder holds neither.
    """
    if is_trained(folder):
        return load_trained(folder, id=id)
    tensors, header = checkpoints.read(folder / checkpoints.RESUME)
    task, plan = task_named(header["task"]), plan_of(header["plan"])
    encoder = Encoder.of(task)
    network = built(encoder, plan.shape, plan.seed).eval()
    load_weights(
        network, {name.removeprefix("weights."): p for name, p in tensors.items() if name.startswith("weights.")}
    )
    weights = checkpoints.weights_of(network)
    header = {**header, "outcome": "training", "sha256": checkpoints.sha256_of(weights)}
    card = card_of(id or str(folder), task, plan, network, header)
    return TrainedModel(card, task, plan, network, encoder, task.source, task.target, header=header)
