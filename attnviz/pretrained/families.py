"""What differs between model families, a row each: where the attention modules and their matrices are.

A model without a row works too: its sites are read from the module paths, and only what the row would add is missing.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn
from transformers.pytorch_utils import Conv1D

from attnviz.core.callers import kind_of, layer_of, stack_of
from attnviz.core.site import Site, Stack


@dataclass(frozen=True)
class Family:
    """One row. Paths start at the base model; `{layer}` stands for the layer's number.

    `projections` are paths inside an attention module. They name w_q, w_k, w_v only where Q, K, V are one product of
    the stream at `in`: not after a norm, and not before a rotation. One ending in " transposed" is stored [in, out].
    """

    name: str
    model_types: tuple[str, ...]  # config.model_type
    stack: Stack | None  # which stack its only tower is; None where there are two, and the path says which
    last_is_out: bool  # the last hidden state is the last layer's own, not what a norm after it makes
    modules: Mapping[str, str] = field(default_factory=dict)  # site key -> attention module
    projections: Mapping[str, str] = field(default_factory=dict)  # w_q, w_k, w_v, w_o -> linear module inside it
    feed_forward: str = ""  # inside a block, what makes the feed-forward's output; the first of these paths that exists


ENCODER, DECODER, CROSS = "encoder.{layer}.self", "decoder.{layer}.self", "decoder.{layer}.cross"

FAMILIES = (
    Family(
        "BERT", ("bert", "roberta", "xlm-roberta", "electra"), "encoder", True,
        {ENCODER: "encoder.layer.{layer}.attention"},
        {"w_q": "self.query", "w_k": "self.key", "w_v": "self.value", "w_o": "output.dense"}, "output.dense",
    ),
    Family(
        "DistilBERT", ("distilbert",), "encoder", True, {ENCODER: "transformer.layer.{layer}.attention"},
        {"w_q": "q_lin", "w_k": "k_lin", "w_v": "v_lin", "w_o": "out_lin"}, "ffn",
    ),
    Family(
        "MPNet", ("mpnet",), "encoder", True, {ENCODER: "encoder.layer.{layer}.attention"},
        {"w_q": "attn.q", "w_k": "attn.k", "w_v": "attn.v", "w_o": "attn.o"}, "output.dense",
    ),
    Family("ALBERT", ("albert",), "encoder", True),  # one module for every layer
    Family(
        "DeBERTa-v2", ("deberta-v2",), "encoder", True, {ENCODER: "encoder.layer.{layer}.attention"},
        {"w_o": "output.dense"}, "output.dense",
    ),
    Family("ModernBERT", ("modernbert",), "encoder", False, {ENCODER: "layers.{layer}.attn"}, {"w_o": "Wo"}, "mlp"),
    Family("GPT-2", ("gpt2",), "decoder", False, {DECODER: "h.{layer}.attn"}, {"w_o": "c_proj transposed"}, "mlp"),
    Family("GPT-J", ("gptj",), "decoder", False, {DECODER: "h.{layer}.attn"}, {"w_o": "out_proj"}, "mlp"),
    Family("GPT-NeoX", ("gpt_neox",), "decoder", False, {DECODER: "layers.{layer}.attention"}, {"w_o": "dense"}, "mlp"),
    Family(
        "OPT", ("opt",), "decoder", False, {DECODER: "decoder.layers.{layer}.self_attn"}, {"w_o": "out_proj"}, "fc2"
    ),
    Family(
        "BLOOM", ("bloom",), "decoder", False, {DECODER: "h.{layer}.self_attention"}, {"w_o": "dense"},
        "mlp.dense_4h_to_h",
    ),
    Family("Falcon", ("falcon",), "decoder", False, {DECODER: "h.{layer}.self_attention"}, {"w_o": "dense"}, "mlp"),
    Family(
        "Llama",
        ("llama", "qwen2", "qwen3", "mistral", "gemma2", "gemma3_text", "phi3", "gpt_oss", "deepseek_v3"),
        "decoder", False, {DECODER: "layers.{layer}.self_attn"}, {"w_o": "o_proj"}, "mlp",
    ),
    Family(
        "T5", ("t5", "mt5"), None, False,
        {ENCODER: "encoder.block.{layer}.layer.0.SelfAttention",
         DECODER: "decoder.block.{layer}.layer.0.SelfAttention",
         CROSS: "decoder.block.{layer}.layer.1.EncDecAttention"},
        {"w_o": "o"}, "layer.2.DenseReluDense layer.1.DenseReluDense",  # the first behind cross-attention
    ),
    Family(
        "BART", ("bart", "marian"), None, True,
        {ENCODER: "encoder.layers.{layer}.self_attn", DECODER: "decoder.layers.{layer}.self_attn",
         CROSS: "decoder.layers.{layer}.encoder_attn"},
        {"w_o": "out_proj"}, "fc2",
    ),
)  # fmt: skip
BY_MODEL_TYPE = {model_type: row for row in FAMILIES for model_type in row.model_types}


def sites_of(model: nn.Module, family: Family | None) -> dict[nn.Module, Site]:
    """The site each module of a model has if it runs attention; by the module, so that a deep copy has its own.

    Which modules do run attention is only known when the model runs; naming all of them costs nothing.
    """
    sites: dict[nn.Module, Site] = {}
    modules = dict(model.named_modules())
    for path, module in modules.items():
        stack = (family and family.stack) or stack_of(path)
        stack = stack or ("decoder" if getattr(module, "is_causal", False) else "encoder")
        sites[module] = Site(stack, kind_of(path, module, modules), layer_of(path, module) or 0)
    return sites


def matrices_of(model: nn.Module, family: Family | None) -> dict[str, dict[str, Tensor]]:
    """The matrices [out, in] and biases of every site that the family's row names, by reference; none without a row."""
    if family is None:
        return {}
    modules = dict(model.named_modules(remove_duplicate=False))
    by_site: dict[str, dict[str, Tensor]] = {}
    for key, path in family.modules.items():
        layer = 0
        while (module := modules.get(path.format(layer=layer))) is not None:
            by_site[key.format(layer=layer)] = matrices_in(module, family.projections)
            layer += 1
    return by_site


def windows_of(config: object, sites: Iterable[Site]) -> dict[str, dict[str, Tensor]]:
    """How many tokens a query of each decoder layer sees, itself among them, where its configuration bounds that."""
    window = getattr(config, "sliding_window", None)
    kinds = getattr(config, "layer_types", None)  # none where every layer has the window
    if not isinstance(window, int):
        return {}
    of_decoder = (site for site in sites if site.stack == "decoder" and site.kind == "self")
    return {
        f"{site.key}_window": {"window": torch.tensor(window)}
        for site in of_decoder
        if not kinds or kinds[site.layer] == "sliding_attention"
    }


def matrices_in(attention: nn.Module, projections: Mapping[str, str]) -> dict[str, Tensor]:
    """The matrices [out, in] and biases of one attention module, by reference; not those that are on the disk."""
    by_name: dict[str, Tensor] = {}
    for name, projection in projections.items():
        path, _, stored = projection.partition(" ")
        linear = attention.get_submodule(path)
        if not is_plain(linear):
            continue
        weight = linear.get_parameter("weight").detach()
        by_name[name] = weight.mT if stored == "transposed" else weight  # [out, in]
        if getattr(linear, "bias", None) is not None:
            by_name[name.replace("w_", "b_")] = linear.get_parameter("bias").detach()  # [out]
    return {name: matrix for name, matrix in by_name.items() if not matrix.is_meta}


# Classes of transformers that compute what nn.Linear does; imported, each would load its whole model.
SAME_AS_LINEAR = ("transformers.models.falcon.modeling_falcon.FalconLinear",)


def is_plain(linear: nn.Module) -> bool:
    """Whether a module's matrix and bias are all it does: no LoRA, hook or forward of its own beside them.

    accelerate replaces the forward of modules that it brings weights to, and leaves what they compute as it is.
    """
    has_hooks = bool(linear._forward_hooks or linear._forward_pre_hooks)
    is_patched = "forward" in vars(linear) and not hasattr(linear, "_hf_hook")
    kind = type(linear)
    is_known = kind in (nn.Linear, Conv1D) or f"{kind.__module__}.{kind.__qualname__}" in SAME_AS_LINEAR
    return is_known and not has_hooks and not is_patched


def final_norm(model: nn.Module, family: Family | None) -> Callable[[Tensor], Tensor] | None:
    """What stands between the last block of a model (of its decoder, where it has one) and its last hidden states.

    None where that is not known: a model without a row, or whose stack ends in other modules than one norm.
    """
    if family is None:
        return None
    return nn.Identity() if family.last_is_out else norm_behind(getattr(model, "decoder", model))


def norm_behind(stack: nn.Module) -> nn.Module | None:
    norms = [child for name, child in stack.named_children() if re.search(r"norm|ln_f", name) and "embed" not in name]
    return norms[0] if len(norms) == 1 else None
