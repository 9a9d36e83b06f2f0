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
    """One row. Paths start at the base model; `{layer}` stands for the layer's number.

    `projections` names w_q, w_k, w_v only where Q, K, V are one product of the stream at `in`: not after a norm, and
    not before a rotation. A path that ends in " transposed" is stored [in, out].
    """

    name: str
    model_types: tuple[str, ...]  # config.model_type
    stack: Stack  # which stack its only tower is
    last_is_out: bool  # the last hidden state is the last layer's own, not what a norm after it makes
    projections: Mapping[str, str] = field(default_factory=dict)  # w_q, w_k, w_v, w_o -> path of the linear module


def post_norm_encoder(name: str, model_types: tuple[str, ...], layer: str, q: str, k: str, v: str, o: str) -> Family:
    """A row of the BERT kind: a norm after each sum, positions added to the embedding."""
    paths = {
        name: f"{layer}.{{layer}}.{path}" for name, path in zip(("w_q", "w_k", "w_v", "w_o"), (q, k, v, o), strict=True)
    }
    return Family(name, model_types, "encoder", True, paths)


def decoder(name: str, model_types: tuple[str, ...], o: str) -> Family:
    """A row of a model that looks back only and has a norm before each part."""
    return Family(name, model_types, "decoder", False, {"w_o": o})


BERT_PATHS = ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense")
LIN_PATHS = ("attention.q_lin", "attention.k_lin", "attention.v_lin", "attention.out_lin")

FAMILIES = (
    post_norm_encoder("BERT", ("bert", "roberta", "xlm-roberta", "electra"), "encoder.layer", *BERT_PATHS),
    post_norm_encoder("DistilBERT", ("distilbert",), "transformer.layer", *LIN_PATHS),
    Family("ALBERT", ("albert",), "encoder", True),  # one module for every layer
    Family("ModernBERT", ("modernbert",), "encoder", False, {"w_o": "layers.{layer}.attn.Wo"}),
    decoder("GPT-2", ("gpt2",), "h.{layer}.attn.c_proj transposed"),
    decoder("GPT-NeoX", ("gpt_neox",), "layers.{layer}.attention.dense"),
    decoder("OPT", ("opt",), "decoder.layers.{layer}.self_attn.out_proj"),
    decoder(
        "Llama",
        ("llama", "qwen2", "qwen3", "mistral", "gemma2", "gemma3_text", "phi3", "gpt_oss", "deepseek_v3"),
        "layers.{layer}.self_attn.o_proj",
    ),
)
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
    """The matrices [out, in] and biases of every site that the family's row names, by reference; none without a row."""
    if family is None:
        return {}
    found: dict[str, dict[str, Tensor]] = {}
    for layer in range(n_layers):
        own = found.setdefault(Site(family.stack, "self", layer).key, {})
        for name, place in family.projections.items():
            path, _, stored = place.format(layer=layer).partition(" ")
            linear = model.get_submodule(path)
            weight = linear.get_parameter("weight").detach()
            own[name] = weight.mT if stored == "transposed" else weight  # [out, in]
            if getattr(linear, "bias", None) is not None:
                own[name.replace("w_", "b_")] = linear.get_parameter("bias").detach()  # [out]
    return found
