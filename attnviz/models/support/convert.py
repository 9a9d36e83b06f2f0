"""Published weights in our Encoder and Decoder: BERT's family and GPT-2's.

Takes a state dict (names and tensors, as a weights file holds them) and finds each of our parameters in it by the
tables of hf_names.py. Reads no files and knows no other library. A weight that has no place is an error.
"""

import re
from collections.abc import Mapping
from dataclasses import replace

import torch
from torch import Tensor, nn

from attnviz.core.errors import InputError, UnsupportedModel, WrongWeights
from attnviz.core.tensor_checks import shape
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

CHECK_FILE = "Check that the file is whole and that config.json is its own."


def from_published(state: Mapping[str, Tensor], config: Mapping[str, object]) -> Encoder | Decoder:
    """Our Encoder (BERT's family) or Decoder (GPT-2's) around a published model's own tensors, in eval mode.

    Nothing is copied and nothing may be trained; to train, load its state dict into another network of its `config`.

    Args:
        state: the weights by name, with or without a head; sizes are read from their shapes.
        config: the contents of the model's config.json: its kind, number of heads, activation and epsilon.
    Returns:
        A network in the precision of state. RoBERTa numbers tokens alone, our Encoder padding too: put it on the
        right, where both agree.
    Raises:
        InputError: state is no state dict, config no dict, or it tells no number of heads or no epsilon.
        WrongWeights: a weight is missing, not numeric, or of another shape than the rest demand.
        UnsupportedModel: its kind, a setting or one of its weights has no place in our blocks.
    Source: BERT (2018), section 3: post-norm, GELU, learned positions, token types, a norm after the embedding;
        GPT-2 (2019), section 2.3: pre-norm, one more norm at the end, output tied to the token table.
    """
    if not isinstance(config, Mapping):
        raise InputError(f"config came as {type(config).__name__}; expected a dict. Pass what its config.json holds.")
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
        named = {prefix.sub("", name): tensor.detach() for name, tensor in state.items()}
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
