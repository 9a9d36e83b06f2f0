"""Published weights in our Encoder and Decoder: BERT's family and GPT-2's.

Takes a state dict (names and tensors, as a weights file holds them) and finds each of our parameters in it by the
tables of hf_names.py. Reads no files and knows no other library. A weight that has no place is an error.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

import torch
from torch import Tensor, nn

from attnviz.core.errors import InputError, UnsupportedModel, WrongWeights
from attnviz.core.tensor_checks import check_choice, shape
from attnviz.models.config import ActivationName, TransformerConfig
from attnviz.models.support.hf_names import (
    ACTIVATION,
    ACTIVATIONS,
    BY_MODEL_TYPE,
    EPSILON,
    FAMILIES,
    HEADS,
    REQUIRED,
    NameMap,
)
from attnviz.models.transformer import Decoder, Encoder

CHECK_FILE = "Check that the file is whole and of the family that was named."


def encoder_from_bert(
    state: Mapping[str, Tensor],
    *,
    n_heads: int,
    family: Literal["bert", "roberta"],
    activation: ActivationName = "gelu",
    norm_eps: float = 1e-12,
) -> Encoder:
    """Our Encoder with a copy of the weights of a BERT (MiniLM is one), in eval mode.

    Args:
        state: the weights by name; sizes are read from their shapes.
        n_heads: H, `num_attention_heads` in the model's config.json; no shape tells it.
        family: "bert" or "roberta", which counts positions from 2; no name or shape tells. RoBERTa numbers tokens
            alone, our Encoder padding too: put it on the right, where both agree.
        activation: `hidden_act` in config.json.
        norm_eps: `layer_norm_eps` in config.json; RoBERTa's is 1e-5.
    Raises:
        InputError: state is no state dict, or family is misspelled or contradicts the names.
        WrongWeights: a weight is missing, not numeric, or of another shape than the rest demand.
        UnsupportedModel: there are weights that this architecture has no place for.
    Source: BERT (2018), section 3: post-norm, GELU, learned positions, token types, a norm after the embedding.
    """
    check_choice("family", family, ("bert", "roberta"))
    _check_state(state)
    other = "roberta" if family == "bert" else "bert"
    if any(name.startswith(FAMILIES[other].prefixes) for name in state):
        raise InputError(f"family is {family!r}; expected {other!r}, with which the names of these weights begin.")
    weights = _Weights(state, FAMILIES[family])
    encoder = Encoder(weights.config(n_heads, activation, norm_eps))
    weights.copy_into(encoder)
    return encoder


def decoder_from_gpt2(
    state: Mapping[str, Tensor],
    *,
    n_heads: int,
    activation: ActivationName = "gelu_tanh",
    norm_eps: float = 1e-5,
) -> Decoder:
    """Our Decoder with a copy of the weights of a GPT-2, in eval mode.

    Args:
        state: the weights by name; sizes are read from their shapes.
        n_heads: H, `n_head` in the model's config.json.
        activation: `activation_function` in config.json, whose "gelu_new" is our "gelu_tanh".
        norm_eps: `layer_norm_epsilon` in config.json.
    Raises:
        InputError, WrongWeights, UnsupportedModel: as for `encoder_from_bert`.
    Source: GPT-2 (2019), section 2.3: pre-norm, one more norm at the end, output tied to the token table.
    """
    weights = _Weights(state, FAMILIES["gpt2"])
    decoder = Decoder(weights.config(n_heads, activation, norm_eps))
    weights.copy_into(decoder)
    return decoder


def network_from(state: Mapping[str, Tensor], config: Mapping[str, object]) -> Encoder | Decoder:
    """Our Encoder or Decoder around a published model's own tensors: nothing is copied, and nothing may be trained.

    Args:
        state: the weights by name, with or without a head.
        config: the contents of its config.json.
    Raises:
        UnsupportedModel: its kind, its activation or one of its weights has no place in our blocks.
        WrongWeights, InputError: a weight or a setting is missing or does not fit the rest.
    """
    kind = BY_MODEL_TYPE.get(str(config.get("model_type")))
    activation, n_heads, eps = (_setting(config, names) for names in (ACTIVATION, HEADS, EPSILON))
    if kind is None or config.get("is_decoder") or config.get("add_cross_attention"):
        raise _not_ours(
            f"A {config.get('model_type')!r}", f"an encoder or decoder alone, of {', '.join(BY_MODEL_TYPE)}"
        )
    if activation not in ACTIVATIONS:
        raise _not_ours(f"The activation {activation!r}", f"one of {', '.join(map(repr, ACTIVATIONS))}")
    for name, required in REQUIRED[kind].items():
        if config.get(name, required) != required:
            raise _not_ours(f"{name}={config[name]!r}", f"{name}={required!r}")
    if not isinstance(n_heads, int) or not isinstance(eps, float):
        raise InputError(f"config has n_heads={n_heads!r} and epsilon={eps!r}; expected both. Pass its config.json.")
    weights = _Weights(state, FAMILIES[kind])
    sizes = weights.config(n_heads, ACTIVATIONS[activation], eps)
    with torch.device("meta"):
        network: Encoder | Decoder = Decoder(sizes) if kind == "gpt2" else Encoder(sizes)
    network.load_state_dict(weights.fitting(network), assign=True)
    return network.eval().requires_grad_(False)


def _setting(config: Mapping[str, object], names: tuple[str, str]) -> object:
    """What config.json calls by one of two names."""
    return next((config[name] for name in names if name in config), None)


def _not_ours(came: str, expected: str) -> UnsupportedModel:
    return UnsupportedModel(
        f"{came} is not what our blocks compute; expected {expected}. Load this model with attnviz.load instead."
    )


def _check_state(state: object) -> None:
    if not isinstance(state, Mapping):
        what = "Pass model.state_dict()." if isinstance(state, nn.Module) else "Load the weights file first."
        raise InputError(f"{type(state).__name__} came; expected a state dict, names with tensors. {what}")
    for name, tensor in state.items():
        if not isinstance(name, str) or not isinstance(tensor, Tensor):
            raise InputError(
                f"{name!r} came as {type(tensor).__name__}; expected a torch tensor under each name. "
                "Convert arrays with torch.from_numpy."
            )


class _Weights:
    """A state dict read through the table of its family."""

    def __init__(self, state: Mapping[str, Tensor], family: NameMap) -> None:
        _check_state(state)
        prefix = re.compile(f"^({'|'.join(map(re.escape, family.prefixes))})")
        named = {prefix.sub("", name): tensor for name, tensor in state.items()}
        if len(named) < len(state):
            raise WrongWeights(
                f"Some names are there with and without {family.prefixes[0]!r} before them; expected one of the two. "
                "Leave the others out."
            )
        self.named = {name: tensor for name, tensor in named.items() if not re.match(family.ignored, name)}
        self.family = family
        self.used: set[str] = set()

    def config(self, n_heads: int, activation: ActivationName, norm_eps: float) -> TransformerConfig:
        """Every size, read from the shapes."""
        in_layers = self.family.modules["blocks.{i}.self_attention.w_o"].partition("{i}")[0]  # "encoder.layer."
        layer_number = re.escape(in_layers) + r"(\d+)\."
        layers = [int(found[1]) for name in self.named if (found := re.match(layer_number, name))]
        tokens = self._matrix("embed.tokens.weight")  # [V, d_model]
        output = self.named.get(self.family.modules.get("to_vocabulary", "") + ".weight")  # [V, d_model] or None
        is_tied = output is None or torch.equal(output, tokens)
        has_types = self.family.modules.get("embed.types", "") + ".weight" in self.named
        n_types = len(self._matrix("embed.types.weight")) if has_types else 0
        return TransformerConfig(
            vocab_size=tokens.shape[0],
            d_model=tokens.shape[1],
            n_heads=n_heads,
            n_layers=1 + max(layers, default=0),
            d_ff=self._matrix("blocks.0.feed_forward.w_1.weight").shape[0],
            max_tokens=self._matrix("embed.positions.table.weight").shape[0],
            dropout=0.0,
            norm=self.family.norm,
            norm_eps=norm_eps,
            activation=activation,
            embedding=replace(self.family.embedding, is_tied=is_tied, n_token_types=n_types),
        )

    def _matrix(self, ours: str) -> Tensor:
        tensor = self.tensor(ours)
        if tensor.ndim != 2:
            raise WrongWeights(f"The weight for our {ours} has shape {shape(tensor)}; expected two axes. {CHECK_FILE}")
        return tensor

    def tensor(self, ours: str) -> Tensor:
        """What belongs into our parameter of this name, in our layout."""
        module, kind = ours.rsplit(".", 1)  # kind is "weight" or "bias"
        layer = re.search(r"\.(\d+)\.", module)
        row = re.sub(r"\.\d+\.", ".{i}.", module, count=1)
        path, _, third = self.family.modules[row].format(i=layer[1] if layer else "").partition(":")
        name = f"{path}.{kind}"
        if ours == "to_vocabulary.weight" and name not in self.named:
            return self.tensor("embed.tokens.weight")  # tied, and saved once
        if name not in self.named:
            raise WrongWeights(
                f"There is no {name!r} among the {len(self.named)} weights; our {ours} needs it. {CHECK_FILE}"
            )
        self.used.add(name)
        tensor = self.named[name]
        if not tensor.is_floating_point() or tensor.layout is not torch.strided or tensor.is_meta:
            raise WrongWeights(
                f"{name!r} came as {tensor.layout} of {tensor.dtype} on {tensor.device}; expected dense float numbers. "
                "Load weights that are not quantised, .to_dense() where they are sparse."
            )
        if self.family.is_transposed and "{i}" in row and kind == "weight" and tensor.ndim == 2:
            tensor = tensor.mT  # [in, out] -> [out, in]
        if third and (tensor.ndim == 0 or tensor.shape[0] % 3):
            raise WrongWeights(
                f"{name!r} has shape {shape(self.named[name])}; expected query, key and value side by side, a width "
                f"divisible by 3. {CHECK_FILE}"
            )
        if third:
            # [3·d_model, d_model] -> [d_model, d_model], or [3·d_model] -> [d_model]
            tensor = tensor.chunk(3)[int(third)]
        return tensor[self.family.first_position :] if module == "embed.positions.table" else tensor

    def copy_into(self, model: nn.Module) -> None:
        """Copy every weight, in its own precision."""
        model.to(self.tensor("embed.tokens.weight").dtype).load_state_dict(self.fitting(model))
        model.eval()

    def fitting(self, model: nn.Module) -> dict[str, Tensor]:
        """The tensor for each of our parameters; no tensor may be left over."""
        found = {}
        for ours, parameter in model.state_dict().items():
            tensor = found[ours] = self.tensor(ours)
            if tensor.shape != parameter.shape:
                raise WrongWeights(
                    f"The weight for our {ours} has shape {shape(tensor)}; expected {shape(parameter)}. {CHECK_FILE}"
                )
        left = sorted(set(self.named) - self.used)
        if left:
            listed = ", ".join(left[:4]) + (", …" if len(left) > 4 else "")
            raise UnsupportedModel(
                f"{len(left)} weights have no place in this architecture: {listed}. "
                "Expected a plain model of the family; load this one with attnviz.load instead."
            )
        return found
