"""What transformers itself gives as attention weights: the yardstick that a way of reading must meet at load."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from transformers import PreTrainedModel

from attnviz.core.errors import UnsupportedModel
from attnviz.core.site import Kind, Stack
from attnviz.pretrained.capture.forward import inputs_of
from attnviz.pretrained.capture.rope_reset import fresh
from attnviz.pretrained.tokens.batch import Padded

LONGEST_PROBE = 64  # tokens; a window wider than this is not reached by the probe
PADDED = 3  # tokens of padding on the left of the second probe
PLAIN_LENGTH = 8  # of the second probe, where the model has no window
TARGET_LENGTHS = (3, 5)  # of the decoder's own text
WINDOWS = ("sliding_window", "window_size", "local_attention")  # what configurations call it

BLOCKS = "block_sparse"  # what BigBird's configuration calls it
BUCKETED = ("reformer",)  # what it gives when asked does not tell why


@dataclass(frozen=True)
class Probe:
    """A seeded text, and a target text where the model has a decoder of its own."""

    source: Padded  # [1, T]
    target: Padded | None  # [1, T']


@dataclass(frozen=True)
class Expected:
    """Eager weights of one probe: for each kind of attention [1, H, Tq, Tk] a layer, None for a layer without."""

    own: tuple[Tensor | None, ...] = ()  # of the only tower
    encoder: tuple[Tensor | None, ...] = ()
    decoder: tuple[Tensor | None, ...] = ()
    cross: tuple[Tensor | None, ...] = ()

    def groups(self, stack: Stack) -> tuple[tuple[Stack, Kind, tuple[Tensor | None, ...]], ...]:
        """Each kind of attention with its layers; `stack` is what the only tower is."""
        if self.own:
            return ((stack, "self", self.own),)
        return (("encoder", "self", self.encoder), ("decoder", "self", self.decoder), ("decoder", "cross", self.cross))

    @property
    def layers(self) -> int:
        return max(len(group) for group in (self.own, self.encoder, self.decoder))

    @property
    def heads(self) -> int:
        return max(weights.shape[1] for weights in self.all)

    @property
    def all(self) -> tuple[Tensor, ...]:
        """Every matrix there is."""
        every = (*self.own, *self.encoder, *self.decoder, *self.cross)
        return tuple(weights for weights in every if weights is not None)

    def looks_back(self) -> bool:
        """Whether no query of the only tower sees a key after it."""
        return all(not bool(weights.triu(1).any()) for weights in self.all)


def probes(config: object, vocabulary: int, *, seed: int = 0) -> tuple[Probe, Probe]:
    """Four tokens; and, padded on the left, two more tokens than the model's window.

    Args:
        config: the model's own. vocabulary: how many tokens it knows.
    """
    window = window_of(config)
    length = PLAIN_LENGTH if window is None else min(window + 2, LONGEST_PROBE)
    generator = torch.Generator().manual_seed(seed)
    short = torch.randint(vocabulary, (1, 4), generator=generator)  # [1, 4]
    long = torch.randint(vocabulary, (1, length + PADDED), generator=generator)  # [1, T]
    padding = torch.ones_like(long)  # [1, T]
    padding[:, :PADDED] = 0
    long[:, :PADDED] = getattr(config, "pad_token_id", None) or 0
    targets: list[Padded | None] = [None, None]
    if getattr(config, "is_encoder_decoder", False):
        own = [torch.randint(vocabulary, (1, n), generator=generator) for n in TARGET_LENGTHS]  # [1, T'] each
        targets = [Padded(ids, torch.ones_like(ids)) for ids in own]
    return Probe(Padded(short, torch.ones_like(short)), targets[0]), Probe(Padded(long, padding), targets[1])


def window_of(config: object) -> int | None:
    """How many tokens a model's queries see, where its configuration says."""
    return next((value for name in WINDOWS if isinstance(value := getattr(config, name, None), int)), None)


def is_windowed(config: object) -> bool:
    """Whether some layer sees a window alone, for which transformers makes a whole mask."""
    return window_of(config) is not None


def eager_weights(module: PreTrainedModel, probe: Probe, *, name: str) -> Expected:
    """The weights transformers itself gives; the module must still be eager.

    Raises:
        UnsupportedModel: it does not run on text alone, gives no weights, or gives something else than matrices.
    """
    try:
        with fresh(module), torch.inference_mode():
            output = module(**inputs_of(module, probe.source, probe.target, output_attentions=True))
    except Exception as error:  # whatever a strange model makes of a plain text
        reason = str(error).strip().split("\n")[0]
        raise UnsupportedModel(
            f"{name} does not run on a plain text: {reason} Choose another model.",
            id="not-runnable",
            model=name,
            reason=reason,
        ) from error
    if probe.target is None:
        expected = Expected(own=as_weights(getattr(output, "attentions", None)))
    else:
        asked = ("encoder_attentions", "decoder_attentions", "cross_attentions")
        expected = Expected((), *(as_weights(getattr(output, part, None)) for part in asked))
    if not expected.all and getattr(module.config, "attention_type", None) == BLOCKS:
        raise UnsupportedModel(
            f"{name} attends in sparse blocks (attention_type={BLOCKS!r}) and gives no matrices of them. With "
            "attention_type='original_full' in config.json it is another model, with all of them.",
            id="keeps-sparse-blocks",
            model=name,
        )
    if not expected.all:
        raise no_matrices(name, str(module.config.model_type))
    expected = matrices_alone(name, str(module.config.model_type), expected, probe)
    if bool(probe.source.padding.all()) and not all(bool(weights.isfinite().all()) for weights in expected.all):
        dtype = str(module.dtype)[6:]
        raise UnsupportedModel(
            f"{name} gives attention weights that are no numbers (NaN) in {dtype}. Its weights are damaged, or need "
            "dtype='float32'.",
            id="no-numbers",
            model=name,
            dtype=dtype,
        )
    return expected


def as_weights(given: Sequence[Tensor | None] | None) -> tuple[Tensor | None, ...]:
    """One entry a layer; a family that gives its scores under this name (SqueezeBERT) has them made into weights."""
    layers = tuple(layer if isinstance(layer, Tensor) else None for layer in given or ())
    is_scores = any(layer is not None and bool((layer < 0).any()) for layer in layers)
    return tuple(torch.softmax(layer, -1) if is_scores and layer is not None else layer for layer in layers)


def matrices_alone(name: str, model_type: str, expected: Expected, probe: Probe) -> Expected:
    """What is called attention and is a matrix of queries by keys; None for a layer where it is something else.

    Raises:
        UnsupportedModel: a whole stack gives something else, such as Longformer's bands.
    """
    n_source = probe.source.ids.shape[1]
    n_target = n_source if probe.target is None else probe.target.ids.shape[1]
    sizes = {"own": (n_source, n_source), "encoder": (n_source, n_source), "decoder": (n_target, n_target),
             "cross": (n_target, n_source)}  # fmt: skip
    kept = {}
    for group, size in sizes.items():
        layers: tuple[Tensor | None, ...] = getattr(expected, group)
        kept[group] = tuple(layer if layer is not None and layer.shape[2:] == size else None for layer in layers)
        others = [layer for layer in layers if layer is not None]
        if others and not any(layer is not None for layer in kept[group]):
            is_banded = others[0].ndim >= 4 and model_type not in BUCKETED
            raise banded(name, others[0], size) if is_banded else no_matrices(name, model_type)
    return Expected(**kept)


def banded(name: str, given: Tensor, size: tuple[int, int]) -> UnsupportedModel:
    """Why there are no matrices where attention is kept in another shape."""
    came = " x ".join(str(side) for side in given.shape[1:])
    return UnsupportedModel(
        f"{name} gives attention in another shape than queries by keys, such as bands or blocks ({came} for "
        f"{size[0]} x {size[1]} tokens), so there are no matrices to show. Choose another model.",
        id="keeps-bands",
        model=name,
        came=came,
        queries=size[0],
        keys=size[1],
    )


def no_matrices(name: str, model_type: str) -> UnsupportedModel:
    """Why a model gives no attention matrices."""
    if model_type in BUCKETED:
        return UnsupportedModel(
            f"{name} sorts its tokens into buckets by hashing and attends inside them, so there are no matrices to "
            "show. Choose another model.",
            id="keeps-buckets",
            model=name,
        )
    return UnsupportedModel(
        f"{name} ({model_type}) has no attention matrices to give. Choose another model.",
        id="no-attention",
        model=name,
        family=model_type,
    )
