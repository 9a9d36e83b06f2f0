"""The tensors of a GGUF file under transformers' names, each read and dequantised when it is asked for.

What has no place, what is missing and what has another size is known from the header alone.
"""

import math
import re
from dataclasses import dataclass

import torch
from torch import Tensor
from transformers import PreTrainedConfig, PreTrainedModel

from attnviz.core.errors import UnsupportedModel, WrongWeights
from attnviz.pretrained.loading.gguf.architectures import Architecture
from attnviz.pretrained.loading.gguf.arrangement import Turn
from attnviz.pretrained.loading.gguf.dequantise import numbers_of
from attnviz.pretrained.loading.gguf.header import Header, StoredTensor, refuse


@dataclass(frozen=True)
class LazyWeight:
    """One parameter of a model. transformers asks for it by `[...]`, in one of its threads, and keeps what it gets."""

    header: Header
    parts: tuple[StoredTensor, ...]  # joined along the second axis where there are several
    turn: Turn | None
    config: PreTrainedConfig
    shape: tuple[int, ...]  # the parameter's own

    def __getitem__(self, _: object) -> Tensor:
        parts = [numbers_of(self.header, part.name) for part in self.parts]
        whole = parts[0] if len(parts) == 1 else torch.cat(parts, dim=1)
        if self.turn is not None:
            whole = self.turn(whole, self.config)
        return whole.reshape(self.shape)


def weights_of(
    header: Header, row: Architecture, layout: PreTrainedModel, config: PreTrainedConfig
) -> dict[str, LazyWeight]:
    """The state dict of a model that was laid out without memory.

    Raises:
        WrongWeights: the file lacks one of its parameters, or has it in another size.
        UnsupportedModel: a tensor of the file has no place in it.
    """
    names = _Names(header.architecture, row, layout)
    tied = set(getattr(layout, "all_tied_weights_keys", None) or ())
    weights: dict[str, LazyWeight] = {}
    for name, parameter in layout.state_dict().items():
        wanted = names.tensors_of(name)
        parts = tuple(header.tensors[part] for part in wanted if part in header.tensors)
        if name in tied and not parts:
            continue
        if not wanted or len(parts) < len(wanted):
            raise lacking(header, next((part for part in wanted if part not in header.tensors), name))
        if sum(math.prod(part.shape) for part in parts) != parameter.numel():
            shape = " x ".join(str(side) for side in parts[0].shape)
            refuse(header.path, f"{parts[0].name!r} is {shape}, and its metadata asks for another size")
        turn = next((turn for end, turn in row.turns.items() if parts[0].name.endswith(end)), None)
        weights[name] = LazyWeight(header, parts, turn, config, tuple(parameter.shape))
    refuse_without_place(header, {part.name for weight in weights.values() for part in weight.parts} | set(row.read))
    return weights


class _Names:
    """Which tensors of a file make a parameter, by the gguf package's own table of names."""

    def __init__(self, architecture: str, row: Architecture, layout: PreTrainedModel):
        from gguf import MODEL_ARCH_NAMES, get_tensor_name_map

        number = next(key for key, name in MODEL_ARCH_NAMES.items() if name == architecture)
        self.row, self.table = row, get_tensor_name_map(number, layout.config.num_hidden_layers)

    def tensors_of(self, parameter: str) -> tuple[str, ...]:
        for end, parts in self.row.parts.items():
            if parameter.endswith(end):
                layer = re.search(r"\.(\d+)\.", parameter)
                return tuple(f"blk.{layer[1]}.{part}" if layer else part for part in parts)
        path, dot, leaf = parameter.rpartition(".")
        known = self.table.get_name(path) if leaf in ("weight", "bias") else None
        return (f"{known}{dot}{leaf}",) if known is not None else ()


def lacking(header: Header, name: str) -> WrongWeights:
    return WrongWeights(id="missing-weights", folder=str(header.path), n=1, name=name)


def refuse_without_place(header: Header, placed: set[str]) -> None:
    """Refuse a file with a tensor that the model has no place for: other numbers than its own would be shown."""
    for name in header.tensors:
        if name not in placed:
            raise UnsupportedModel(id="gguf-no-place", file=str(header.path), name=name)
