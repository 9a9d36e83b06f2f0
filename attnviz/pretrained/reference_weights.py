"""The attention weights transformers itself gives for two seeded texts: what the self-check at load compares with."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from transformers import PreTrainedModel

from attnviz.core.errors import UnsupportedModel
from attnviz.core.site import AttentionKind, Stack
from attnviz.pretrained.capture.forward import inputs_of
from attnviz.pretrained.capture.rope_reset import rope_as_loaded
from attnviz.pretrained.tokens.batch import Padded

LONGEST = 64  # tokens of a check text; a window wider than this is not reached by it
PADDING = 3  # tokens of padding on the left of the second text
PLAIN_LENGTH = 8  # of the second text, where the model has no window
TARGET_LENGTHS = (3, 5)  # of the decoder's own text
WINDOWS = ("sliding_window", "window_size", "local_attention")  # configurations have these names for it

Layers = tuple[Tensor | None, ...]  # [1, H, T_q, T_k] a layer, None for a layer without attention
Group = tuple[Stack | None, AttentionKind]  # the stack is None where the model has only one
ONE_STACK: Mapping[Group, str] = {(None, "self"): "attentions"}  # the names of the outputs
TWO_STACKS: Mapping[Group, str] = {
    ("encoder", "self"): "encoder_attentions", ("decoder", "self"): "decoder_attentions",
    ("decoder", "cross"): "cross_attentions",
}  # fmt: skip


@dataclass(frozen=True)
class CheckText:
    source: Padded  # [1, T]
    target: Padded | None  # [1, T']


@dataclass(frozen=True)
class EagerWeights:
    groups: Mapping[Group, Layers]

    def layers_of(self, stack: Stack) -> Iterator[tuple[Stack, AttentionKind, Layers]]:
        """Each kind of attention with its layers; `stack` is what a single one is."""
        for (of_stack, kind), layers in self.groups.items():
            yield of_stack or stack, kind, layers

    @property
    def n_heads(self) -> int:
        return max(weights.shape[1] for weights in self.all)

    @property
    def all(self) -> list[Tensor]:
        return [weights for layers in self.groups.values() for weights in layers if weights is not None]

    @property
    def is_causal(self) -> bool:
        """Whether no query attends to a later key."""
        return all(not bool(weights.triu(1).any()) for weights in self.all)


def check_texts(config: object, vocabulary: int) -> tuple[CheckText, CheckText]:
    """A text of four tokens; and one of two tokens more than the model's window, padded on the left."""
    window = window_of(config)
    length = PLAIN_LENGTH if window is None else min(window + 2, LONGEST)
    generator = torch.Generator().manual_seed(0)
    short = torch.randint(vocabulary, (1, 4), generator=generator)  # [1, 4]
    long = torch.randint(vocabulary, (1, length + PADDING), generator=generator)  # [1, T]
    padding = torch.ones_like(long)  # [1, T]
    padding[:, :PADDING] = 0
    long[:, :PADDING] = getattr(config, "pad_token_id", None) or 0
    targets: list[Padded | None] = [None, None]
    if getattr(config, "is_encoder_decoder", False):
        written = [torch.randint(vocabulary, (1, n), generator=generator) for n in TARGET_LENGTHS]  # [1, T'] each
        targets = [Padded(ids, torch.ones_like(ids)) for ids in written]
    return CheckText(Padded(short, torch.ones_like(short)), targets[0]), CheckText(Padded(long, padding), targets[1])


def window_of(config: object) -> int | None:
    """How many tokens a model's queries can attend to, where its configuration says."""
    return next((value for name in WINDOWS if isinstance(value := getattr(config, name, None), int)), None)


def eager_weights(module: PreTrainedModel, text: CheckText, *, name: str) -> EagerWeights:
    """The weights transformers itself gives; the module must still be eager."""
    model_type = str(module.config.model_type)
    if getattr(module.config, "attention_type", None) == "block_sparse":
        raise UnsupportedModel(id="keeps-sparse-blocks", model=name)
    try:
        with rope_as_loaded(module), torch.inference_mode():
            output = module(**inputs_of(module, text.source, text.target, output_attentions=True))
    except Exception as error:  # whatever a strange model makes of a plain text
        reason = str(error).strip().split("\n")[0].rstrip(".")
        raise UnsupportedModel(id="not-runnable", model=name, reason=reason) from error
    n_source, n_target = text.source.ids.shape[1], (text.target or text.source).ids.shape[1]
    matrices = {}
    for group, given in (ONE_STACK if text.target is None else TWO_STACKS).items():
        layers = getattr(output, given, None) or ()
        n_queries = n_target if group[0] == "decoder" else n_source
        size = (n_queries, n_source if group[1] == "cross" else n_queries)
        matrices[group] = matrices_of(layers, size, name, model_type)
    weights = EagerWeights(matrices)
    if not weights.all:
        raise no_matrices(name, model_type)
    if bool(text.source.padding.all()) and not all(bool(layer.isfinite().all()) for layer in weights.all):
        dtype = str(module.dtype)[6:]
        raise UnsupportedModel(id="no-numbers", model=name, dtype=dtype)
    return weights


def matrices_of(layers: Sequence[object], size: tuple[int, int], name: str, model_type: str) -> Layers:
    """The layers that are matrices of queries by keys; None for the others."""
    given = [layer if isinstance(layer, Tensor) else None for layer in layers]
    matrices = tuple(layer if layer is not None and layer.shape[2:] == size else None for layer in given)
    other = next((layer for layer in given if layer is not None), None)
    if other is None or any(layer is not None for layer in matrices):
        return matrices
    if other.ndim < 4:
        raise no_matrices(name, model_type)
    came = " x ".join(str(side) for side in other.shape[1:])
    raise UnsupportedModel(id="keeps-bands", model=name, came=came, queries=size[0], keys=size[1])


def no_matrices(name: str, model_type: str) -> UnsupportedModel:
    return UnsupportedModel(id="no-attention", model=name, family=model_type)
