"""The configuration of a model, out of a GGUF file's metadata."""

from typing import TYPE_CHECKING, Any

from attnviz.core.errors import UnsupportedModel
from attnviz.pretrained.loading.folder import refuse_large_numbers
from attnviz.pretrained.loading.gguf.architectures import ARCHITECTURES, WITHOUT_ATTENTION, Architecture
from attnviz.pretrained.loading.gguf.facts import Facts
from attnviz.pretrained.loading.gguf.header import Header

if TYPE_CHECKING:
    from transformers import PreTrainedConfig

TOKENS = ("bos", "eos", "pad")


def configuration(header: Header) -> tuple["PreTrainedConfig", Architecture]:
    """The configuration that a file describes, and the row of its architecture.

    Raises:
        UnsupportedModel: the architecture is not read, or the file states what cannot be read truly.
    """
    from transformers import AutoConfig
    from transformers.models.auto import modeling_auto

    row = row_of(header)
    facts = Facts(header)
    values = row.values(facts)
    facts.refuse_unread()
    refuse_large_numbers(values, {name: tensor.shape for name, tensor in header.tensors.items()})
    heads: Any = modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES
    values |= {"architectures": [heads[row.model_type]], **special_ids(header, values["vocab_size"])}
    return AutoConfig.for_model(row.model_type, **values), row


def row_of(header: Header) -> Architecture:
    name = header.architecture
    if name in WITHOUT_ATTENTION:
        raise UnsupportedModel(id="gguf-no-attention", file=str(header.path), name=name)
    if name not in ARCHITECTURES:
        known = ", ".join(ARCHITECTURES)
        raise UnsupportedModel(id="gguf-architecture", file=str(header.path), name=name[:60], known=known)
    return ARCHITECTURES[name]


def special_ids(header: Header, vocabulary: int) -> dict[str, int | None]:
    """The ids of the special tokens; a configuration's own defaults are another model's."""
    ids: dict[str, int | None] = {}
    for name in TOKENS:
        number = header.metadata.get(f"tokenizer.ggml.{'padding' if name == 'pad' else name}_token_id")
        ids[f"{name}_token_id"] = number if isinstance(number, int) and 0 <= number < vocabulary else None
    return ids
