"""One step of gradient descent from a checkpoint: how the numbers of a W_Q come about.

The texts are those of the training's own next step. That step itself is one of AdamW, which gives each number of a
model a step length of its own; here it is the gradient alone, times the learning rate.
"""

from dataclasses import dataclass, field

import torch
from torch import Tensor
from torch.nn import functional

from attnviz.core.errors import InputError
from attnviz.core.site import Site
from attnviz.models.support.parameters import parameters_of
from attnviz.training.batches import NOT_COUNTED, batch_of
from attnviz.training.network import logits_of, new_network
from attnviz.training.trained_model import TrainedModel


@dataclass(frozen=True, eq=False)
class GradientStep:
    """W_Q of one head before and after a step that all numbers of the model take."""

    n: int  # texts that the loss is the mean over
    rate: float  # learning rate
    loss: float
    loss_after: float  # of the same texts
    before: Tensor = field(repr=False)  # [d_model, d_k]
    gradient: Tensor = field(repr=False)  # [d_model, d_k]
    after: Tensor = field(repr=False)  # [d_model, d_k]: before − rate · gradient


def has_gradient_step(model: object, site: Site) -> bool:
    """Whether a model was trained here and has a W_Q there that alone makes its queries."""
    return isinstance(model, TrainedModel) and "w_q" in parameters_of(model.network).get(str(site), {})


def gradient_step(model: TrainedModel, step: int, site: Site, head: int, rate: float) -> GradientStep:
    """Take one step of gradient descent; the model stays as it is.

    Args:
        model: as it was at `step` of its training, whose texts are read.
        site, head: whose W_Q is shown.
        rate: the learning rate.
    Raises:
        InputError: this attention has no W_Q that alone makes its queries.
    """
    if not has_gradient_step(model, site):
        raise InputError(id="no-gradient-step", site=str(site))
    network = new_network(model.task, model.plan.shape, model.plan.seed).eval()
    network.load_state_dict(model.network.state_dict())
    texts = model.task.training(model.plan.seed, model.plan.batch_size)(step)
    batch = batch_of(model.task, texts)

    def loss() -> Tensor:
        logits = logits_of(network, batch)  # [B, T, V]
        return functional.cross_entropy(logits.flatten(0, 1), batch.wanted.flatten(), ignore_index=NOT_COUNTED)

    numbers = list(network.parameters())
    with torch.inference_mode(False), torch.enable_grad():
        before = loss()
        gradients = torch.autograd.grad(before, numbers, allow_unused=True, materialize_grads=True)
    w_q = parameters_of(network)[str(site)]["w_q"]  # [d_model, d_model], out by in
    at = next(at for at, each in enumerate(numbers) if each.data_ptr() == w_q.data_ptr())
    width = len(w_q) // model.plan.shape.n_heads
    of_head = slice(head * width, (head + 1) * width)
    was = numbers[at].detach()[of_head].T.clone()  # [d_model, d_k]
    with torch.no_grad():
        for number, gradient in zip(numbers, gradients, strict=True):
            number.sub_(rate * gradient)
        after = loss()
    return GradientStep(
        len(texts), rate, before.item(), after.item(),
        was, gradients[at][of_head].T.clone(), numbers[at].detach()[of_head].T.clone(),
    )  # fmt: skip
