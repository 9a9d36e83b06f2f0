"""From a GGUF file to a model that can be traced. The header is parsed once; configuration, tokenizer and weights are
made of it, and nothing is written."""

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attnviz.core.errors import UnsupportedModel, WrongWeights
from attnviz.pretrained.known_models import Origin
from attnviz.pretrained.loading.device import Placement
from attnviz.pretrained.loading.gguf.header import Header, read_header
from attnviz.pretrained.loading.load import auto_class, refuse_missing, refuse_nan, sha256_of
from attnviz.pretrained.loading.meta_load import check_layout, laid_out, refusing_errors

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from attnviz.pretrained.model import PretrainedModel

SPLIT = re.compile(r"-\d{5}-of-(\d{5})\.gguf$", re.IGNORECASE)
PLAIN = ("F64", "F32", "F16", "BF16")  # types of numbers, not of blocks
BLOB = re.compile(r"sha256-([0-9a-f]{64})")  # how Ollama names a file


def load_gguf(path: Path, placement: Placement, origin: Origin | None = None, *, name: str = "") -> "PretrainedModel":
    """A model from a GGUF file; `origin` is given where the file was hashed already, with that as its revision.

    Raises:
        WrongWeights: the file is damaged, or is not what its name says.
        UnsupportedModel: it holds no whole model, or one that cannot be read truly.
    """
    if placement.is_spread:
        raise UnsupportedModel(id="gguf-spread", file=str(path))
    header = read_header(path)
    refuse_part(header)
    from attnviz.pretrained.loading.build import build  # imports transformers

    named = name or str(path)  # as a person asks for it again
    origin = origin or Origin(named, title_of(header, name), checked_hash(path), source=named)
    whole, tokenizer = load_module(header, placement)
    return build(whole, tokenizer, replace(origin, quantised=quantised(header), tokenizer_rebuilt=True))


def title_of(header: Header, name: str) -> str:
    """What a person calls the model: the name that another program gives it, or the file's. Where that is a hash, the
    name that its metadata has.
    """
    stem = header.path.stem
    itself = str(header.metadata.get("general.name") or stem) if BLOB.fullmatch(header.path.name) else stem
    return (name.partition(":")[2] or itself)[:100]


def refuse_part(header: Header) -> None:
    """Refuse a file that is not a whole language model: an adapter, a projector, a part of a split one."""
    path, kind = header.path, header.metadata.get("general.type", "model")
    parts = header.metadata.get("split.count", 0)
    if (isinstance(parts, int) and parts > 1) or SPLIT.search(path.name):
        raise UnsupportedModel(id="gguf-split", file=str(path), name=path.name)
    if kind == "adapter":
        raise UnsupportedModel(id="gguf-adapter", file=str(path))
    if kind == "mmproj" or header.architecture == "clip":
        raise UnsupportedModel(id="gguf-projector", file=str(path))


def checked_hash(path: Path) -> str:
    """The hash of a file, which is also its name where Ollama keeps it."""
    came, named = sha256_of(path), BLOB.fullmatch(path.name)
    if named is not None and named[1] != came:
        raise WrongWeights(id="wrong-blob", file=str(path), came=came)
    return came


def load_module(header: Header, placement: Placement) -> tuple["PreTrainedModel", "PreTrainedTokenizerBase"]:
    """The eager module in eval() and its tokenizer."""
    from attnviz.pretrained.loading.gguf.configuration import configuration
    from attnviz.pretrained.loading.gguf.tokenizer import tokenizer_of
    from attnviz.pretrained.loading.gguf.weights import weights_of

    path, shapes = header.path, {name: tensor.shape for name, tensor in header.tensors.items()}
    with refusing_errors(path):
        config, row = configuration(header)
        kind = auto_class(config)
        layout = laid_out(kind, config, shapes)
        check_layout(path, layout, shapes, placement)
        weights = weights_of(header, row, layout, config)
        tokenizer = tokenizer_of(header)
        opened: Any = type(layout)  # transformers' types know nothing of the second thing that it returns here
        whole, info = opened.from_pretrained(
            None, config=config, state_dict=weights, attn_implementation="eager", dtype=placement.dtype,
            output_loading_info=True,
        )  # fmt: skip
    refuse_missing(path, info["missing_keys"])
    refuse_nan(path, whole)
    return whole.eval().requires_grad_(False).to(placement.device), tokenizer


def quantised(header: Header) -> tuple[str, ...]:
    """The types of the blocks that a file keeps its weights in, the largest part first; none of plain numbers."""
    from gguf.constants import GGMLQuantizationType

    held: dict[int, int] = {}
    for tensor in header.tensors.values():
        held[tensor.kind] = held.get(tensor.kind, 0) + tensor.n_bytes
    names = [GGMLQuantizationType(kind).name for kind in sorted(held, key=lambda kind: -held[kind])]
    return tuple(name for name in names if name not in PLAIN)
