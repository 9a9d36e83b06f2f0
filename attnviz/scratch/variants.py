"""Two variants of a pretrained model: its own weights in our blocks, and its shape with random weights.

The first shows that our blocks compute what the model computes. The second is the baseline that every claim about a
head needs, since the weights of an untrained head also lie somewhere. It is made of our blocks too, and where a model
does not fit into them of its own ones.
"""

from dataclasses import replace
from typing import Protocol, runtime_checkable

import torch

from attnviz.core.errors import UnsupportedModel
from attnviz.models.transformer import Decoder, Encoder
from attnviz.scratch.rebuilt import Rebuilt, rebuilt
from attnviz.trace.model_protocol import Model
from attnviz.trace.run_facts import Card


@runtime_checkable
class HasTwin(Protocol):
    """A model that can be built again without training."""

    def untrained(self, seed: int, card: Card) -> Model: ...


SEED = 0
SPREAD = 0.02  # standard deviation of what BERT and GPT-2 begin with (Devlin et al. 2019; Radford et al. 2019)
OURS, UNTRAINED = "ours:", "untrained:"  # how their names begin, before the model's own


def is_variant(name: str) -> bool:
    """Whether this names a variant: `"untrained:minilm-l6"`."""
    return name.startswith((OURS, UNTRAINED))


def of_variant(name: str) -> str:
    """The name of the model that a variant is made of; that of any other model is its own."""
    return name.partition(":")[2] if is_variant(name) else name


def variant(name: str, whole: Model) -> Model:
    """The variant of that name of a model."""
    return in_our_blocks(whole) if name.startswith(OURS) else untrained_variant(whole)


def in_our_blocks(model: Model) -> Rebuilt:
    """A model's own weights in our Encoder or Decoder.

    Raises:
        UnsupportedModel: it is built differently from our blocks.
    """
    made = _rebuilt(model)
    blocks = type(made.network).__name__
    card = replace(model.card, id=OURS + model.card.id, name=f"{model.card.name} · {blocks}", family="from scratch")
    return replace(made, card=card)


def untrained_variant(model: Model, seed: int = SEED) -> Model:
    """The same tokenizer, layers and heads with random weights, and without predictions.

    Args:
        seed: of the weights. In our blocks they are normal with standard deviation SPREAD, biases are 0 and gains 1, as
            BERT and GPT-2 begin; a model of other blocks begins as its own library starts a training.
    Raises:
        UnsupportedModel: it was not loaded by transformers.
    """
    card = replace(
        model.card, id=UNTRAINED + model.card.id, name=f"{model.card.name} · untrained, seed {seed}", licence="",
        source=f"random numbers, seed {seed}", revision="", probe_difference=None,
    )  # fmt: skip
    made = rebuilt(model)
    if made is None and isinstance(model, HasTwin):
        return model.untrained(seed, card)
    made = made or _rebuilt(model)
    network = type(made.network)(made.network.config).eval().requires_grad_(False)
    _draw(network, seed)
    return replace(made, network=network, card=card, predicts=False)


def _rebuilt(model: Model) -> Rebuilt:
    made = rebuilt(model)
    if made is None:
        raise UnsupportedModel(id="no-variant", model=model.card.name)
    return made


def _draw(network: Encoder | Decoder, seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in network.named_parameters():
            if parameter.ndim > 1:
                parameter.normal_(0.0, SPREAD, generator=generator)
            elif name.endswith("bias"):  # torch starts a Linear's with random numbers that `seed` does not control
                parameter.zero_()
