"""Published weights in our Encoder and Decoder: BERT's family, GPT-2, GPT-NeoX, Llama and those built like it.

Takes a state dict (names and tensors, as a weights file holds them) and finds each of our parameters in it by the
tables of hf_names.py. Reads no files and knows no other library. A weight that has no place is an error.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor, nn

from attnviz.core.errors import InputError, UnsupportedModel, WrongWeights
from attnviz.core.tensor_checks import shape
from attnviz.models.config import PAPER_ATTENTION, TransformerConfig
from attnviz.models.support.hf_names import (
    ACTIVATION,
    ACTIVATIONS,
    BY_MODEL_TYPE,
    ENCODERS,
    EPSILON,
    FAMILIES,
    HEADS,
    NameMap,
)
from attnviz.models.support.published_settings import attention_styles, setting
from attnviz.models.transformer import Decoder, Encoder

PARALLEL = "use_parallel_residual"


def from_published(state: Mapping[str, Tensor], config: Mapping[str, Any]) -> Encoder | Decoder:
    """Our Encoder (BERT's family) or Decoder (GPT-2, Llama and the others) around a published model's own tensors, in
    eval mode.

    Nothing is copied but the gains of Gemma's norms, which it stores less 1, and nothing may be trained; to train, load
    its state dict into another network of its `config`.

    Args:
        state: the weights by name, with or without a head; sizes are read from their shapes. Where the head's matrix is
            not the token table, it must be there.
        config: the contents of the model's config.json: its kind, number of heads, activation, epsilon, positions.
    Returns:
        A network in the precision of state. RoBERTa numbers tokens alone, our Encoder padding too: put it on the
        right, where both agree.
    Raises:
        InputError: state is no state dict, config no dict, or it tells no number of heads or no epsilon.
        WrongWeights: a weight is missing, not numeric, or of another shape than the rest demand.
        UnsupportedModel: its kind, a setting or one of its weights has no place in our blocks, such as rotary angles
            that depend on the length of the text.
    Source: BERT (2018), section 3: post-norm, GELU, learned positions, token types, a norm after the embedding;
        GPT-2 (2019), section 2.3: pre-norm, one more norm at the end, output tied to the token table; Llama: Touvron et
        al. 2023, section 2.2; the others by their configurations.
    """
    if not isinstance(config, Mapping):
        raise InputError(id="config-no-dict", came=type(config).__name__)
    kind = BY_MODEL_TYPE.get(str(config.get("model_type")))
    activation, n_heads, eps = (setting(config, names) for names in (ACTIVATION, HEADS, EPSILON))
    if kind is None or config.get("is_decoder") or config.get("add_cross_attention"):
        raise UnsupportedModel(id="not-our-type", kind=repr(config.get("model_type")), known=tuple(BY_MODEL_TYPE))
    if activation not in ACTIVATIONS:
        raise UnsupportedModel(id="not-our-activation", came=repr(activation), known=tuple(map(repr, ACTIVATIONS)))
    family = FAMILIES[kind]
    for name, required in family.required.items():
        value = config.get(name, required)
        if value != required and (value or required):  # None and False say the same
            raise UnsupportedModel(id="not-our-setting", name=name, came=repr(value), expected=repr(required))
    if not isinstance(n_heads, int) or not isinstance(eps, float):
        raise InputError(id="config-heads", n_heads=repr(n_heads), epsilon=repr(eps))
    weights = _Weights(state, family, config, n_heads)
    sizes = weights.sizes(activation=ACTIVATIONS[activation], norm_eps=eps)
    with torch.device("meta"):
        network: Encoder | Decoder = Encoder(sizes) if kind in ENCODERS else Decoder(sizes)
    network.load_state_dict(weights.fitting(network), assign=True)
    return network.eval().requires_grad_(False)


def _check_state(state: object) -> None:
    if not isinstance(state, Mapping):
        raise InputError(
            id="module-for-state" if isinstance(state, nn.Module) else "no-state", came=type(state).__name__
        )
    for name, tensor in state.items():
        if not isinstance(name, str) or not isinstance(tensor, Tensor):
            raise InputError(id="state-no-tensor", name=repr(name), came=type(tensor).__name__)


class _Weights:
    """A state dict read through the table of its family."""

    def __init__(self, state: Mapping[str, Tensor], family: NameMap, config: Mapping[str, Any], n_heads: int) -> None:
        _check_state(state)
        prefix = re.compile(f"^({'|'.join(map(re.escape, family.prefixes))})")
        named = {prefix.sub("", name): tensor.detach() for name, tensor in state.items()}
        if len(named) < len(state):
            raise WrongWeights(id="state-with-and-without", prefix=repr(family.prefixes[0]))
        self.named = {name: tensor for name, tensor in named.items() if not re.match(family.ignored, name)}
        self.family, self.config, self.n_heads = family, config, n_heads
        self.n_kv_heads = config.get("num_key_value_heads") or n_heads
        self.used: set[str] = set()

    def sizes(self, **told: Any) -> TransformerConfig:
        """Every size, read from the shapes, with what config.json tells of the rest."""
        family, config = self.family, self.config
        in_layers = family.modules["blocks.{i}.self_attention.w_o"].partition("{i}")[0]  # "encoder.layer."
        layer_number = re.escape(in_layers) + r"(\d+)\."
        layers = [int(number[1]) for name in self.named if (number := re.match(layer_number, name))]
        n_layers = 1 + max(layers, default=0)
        tokens = self._matrix("embed.tokens.weight")  # [V, d_model]
        is_rotary = "embed.positions.table" not in family.modules
        has_types = family.modules.get("embed.types", "") + ".weight" in self.named
        n_types = len(self._matrix("embed.types.weight")) if has_types else 0
        embedding = replace(
            family.embedding, is_tied=self._is_tied(tokens), n_token_types=n_types,
            softcap=config.get("final_logit_softcapping"),
        )  # fmt: skip
        attention = attention_styles(config, family, tokens.shape[1], self.n_heads, n_layers) if is_rotary else None
        positions = config.get("max_position_embeddings", 512)
        parallel = {"is_parallel": config.get(PARALLEL, True)} if "is_parallel" in family.style else {}
        return TransformerConfig(
            vocab_size=tokens.shape[0],
            d_model=tokens.shape[1],
            n_heads=self.n_heads,
            n_layers=n_layers,
            d_ff=self._matrix("blocks.0.feed_forward.w_1.weight").shape[0],
            max_tokens=positions if is_rotary else self._matrix("embed.positions.table.weight").shape[0],
            dropout=0.0,
            embedding=embedding,
            attention=attention or PAPER_ATTENTION,
            **{**family.style, **parallel, **told},
        )

    def _is_tied(self, tokens: Tensor) -> bool:
        """Whether logits are made with the token table [V, d_model]."""
        paths = self.family.modules.get("to_vocabulary", "").split()
        output = next((self.named[f"{path}.weight"] for path in paths if f"{path}.weight" in self.named), None)
        if output is None and paths and self.config.get("tie_word_embeddings", True) is False:
            raise WrongWeights(id="state-no-output", name=repr(paths[0]), n=len(self.named))
        return output is None or torch.equal(output, tokens)

    def _matrix(self, ours: str) -> Tensor:
        tensor = self.tensor(ours)
        if tensor.ndim != 2:
            raise WrongWeights(id="state-two-axes", name=ours, shape=shape(tensor))
        return tensor

    def tensor(self, ours: str) -> Tensor:
        """What belongs into our parameter of this name, in our layout."""
        module, kind = ours.rsplit(".", 1)  # kind is "weight" or "bias"
        layer = re.search(r"\.(\d+)\.", module)
        row = re.sub(r"\.\d+\.", ".{i}.", module, count=1)
        paths, _, part = self.family.modules[row].format(i=layer[1] if layer else "").partition(":")
        names = [f"{path}.{kind}" for path in paths.split()]
        name = next((name for name in names if name in self.named), names[0])
        if ours == "to_vocabulary.weight" and name not in self.named:
            return self.tensor("embed.tokens.weight")  # tied, and saved once
        if name not in self.named:
            raise WrongWeights(id="state-lacks", name=repr(name), n=len(self.named), parameter=ours)
        self.used.add(name)
        tensor = self.named[name]
        if not tensor.is_floating_point() or tensor.layout is not torch.strided or tensor.is_meta:
            raise WrongWeights(
                id="state-no-floats",
                name=repr(name),
                layout=str(tensor.layout),
                dtype=str(tensor.dtype),
                device=str(tensor.device),
            )
        if self.family.is_transposed and "{i}" in row and kind == "weight" and tensor.ndim == 2:
            tensor = tensor.mT  # [in, out] -> [out, in]
        if part:
            tensor = self._part(name, tensor, part)
        if self.family.gain_added and "norm" in row:
            tensor = tensor + self.family.gain_added  # [width]
        return tensor[self.family.first_position :] if module == "embed.positions.table" else tensor

    def _part(self, name: str, tensor: Tensor, part: str) -> Tensor:
        """The rows of one of several matrices [out, in], or biases [out], that lie below each other in one."""
        if part in ("gate", "up"):
            n_heads, sizes = 1, {"gate": 1, "up": 1}
        elif self.family.qkv_by_head:
            n_heads, sizes = self.n_heads, {"q": 1, "k": 1, "v": 1}
        else:
            n_heads, sizes = 1, {"q": self.n_heads, "k": self.n_kv_heads, "v": self.n_kv_heads}
        n_parts = n_heads * sum(sizes.values())
        if tensor.ndim == 0 or tensor.shape[0] % n_parts:
            raise WrongWeights(
                id="state-not-side-by-side",
                name=repr(name),
                shape=shape(self.named[name]),
                parts=tuple(sizes),
                n=str(n_parts),
            )
        width = tensor.shape[0] // n_parts  # rows of one part of one head
        rows = tensor.unflatten(0, (n_heads, -1))  # [heads, parts · width, …]
        columns = rows.split([size * width for size in sizes.values()], dim=1)[list(sizes).index(part)]
        return columns.flatten(0, 1)  # [out, in] or [out]; a view but where heads take turns

    def fitting(self, model: nn.Module) -> dict[str, Tensor]:
        """The tensor for each of our parameters; no tensor may be left over."""
        taken = {}
        for ours, parameter in model.state_dict().items():
            tensor = taken[ours] = self.tensor(ours)
            if tensor.shape != parameter.shape:
                raise WrongWeights(id="state-shape", name=ours, shape=shape(tensor), expected=shape(parameter))
        left = sorted(set(self.named) - self.used)
        if left:
            raise UnsupportedModel(
                id="state-left-over", n=len(left), names=(*left[:4], *(["…"] if len(left) > 4 else ()))
            )
        return taken
