"""What differs between model families, a row each: where the attention modules and their matrices are.

A model without a row still works: its sites are read from the module paths, it only lacks what the row would add.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from torch import Tensor, nn

from attnviz.core.site import Kind, Site, Stack

CROSS = re.compile(r"EncDecAttention|encoder_attn|crossattention|cross_attn")
NUMBER = re.compile(r"\.(\d+)(?:\.|$)")


@dataclass(frozen=True)
class Family:
    """One row. Paths start at the base model; `{layer}` stands for the layer's number."""

    name: str
    model_types: tuple[str, ...]  # config.model_type
    stack: Stack  # which stack its only tower is
    last_is_out: bool = False  # the last hidden state is the last layer's own, not what a norm after it makes
    parameters: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # point -> our name -> path of the tensor


BERT = Family(
    name="bert",
    model_types=("bert",),
    stack="encoder",
    last_is_out=True,
    parameters={
        "{stack}.{layer}.self": {
            "w_q": "encoder.layer.{layer}.attention.self.query.weight",
            "b_q": "encoder.layer.{layer}.attention.self.query.bias",
            "w_k": "encoder.layer.{layer}.attention.self.key.weight",
            "b_k": "encoder.layer.{layer}.attention.self.key.bias",
            "w_v": "encoder.layer.{layer}.attention.self.value.weight",
            "b_v": "encoder.layer.{layer}.attention.self.value.bias",
            "w_o": "encoder.layer.{layer}.attention.output.dense.weight",
            "b_o": "encoder.layer.{layer}.attention.output.dense.bias",
        },
    },
)

FAMILIES = (BERT,)
BY_MODEL_TYPE = {model_type: row for row in FAMILIES for model_type in row.model_types}


def sites_of(model: nn.Module, family: Family | None) -> dict[int, Site]:
    """The site each module of a model would have if it ran attention, by id(module).

    Which modules do run attention is only known when the model runs; asking all of them costs nothing.
    """
    found: dict[int, Site] = {}
    for path, module in model.named_modules():
        number = NUMBER.search(f".{path}")
        layer = getattr(module, "layer_idx", None)
        if layer is None:
            layer = 0 if number is None else int(number[1])
        crosses = getattr(module, "is_cross_attention", False) or CROSS.search(path) is not None
        kind: Kind = "cross" if crosses else "self"
        found[id(module)] = Site(stack_of(path, module, family), kind, layer)
    return found


def stack_of(path: str, module: nn.Module, family: Family | None) -> Stack:
    """Encoder or decoder: as the family's row says, else as the path says, else decoder if it looks back only."""
    if family is not None:
        return family.stack
    if "decoder" in path:
        return "decoder"
    if "encoder" in path:
        return "encoder"
    return "decoder" if getattr(module, "is_causal", False) else "encoder"


def matrices_of(model: nn.Module, family: Family | None, n_layers: int) -> dict[str, dict[str, Tensor]]:
    """The parameters at every point the family's row names, by reference; empty without a row."""
    if family is None:
        return {}
    found: dict[str, dict[str, Tensor]] = {}
    for layer in range(n_layers):
        for point, paths in family.parameters.items():
            found[point.format(stack=family.stack, layer=layer)] = {
                name: model.get_parameter(path.format(layer=layer)).detach() for name, path in paths.items()
            }
    return found
