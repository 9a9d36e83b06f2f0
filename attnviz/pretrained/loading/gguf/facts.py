"""What a file's metadata says of one architecture, and which of it was read: the rest may change the numbers."""

from collections.abc import Mapping
from typing import Any

from attnviz.core.errors import UnsupportedModel
from attnviz.pretrained.loading.gguf.header import Header

SCALING = "rope.scaling"
HARMLESS = ("vocab_size", "tensor_data_layout")  # the embedding table says the first; the other is of old converters


class Facts:
    """The keys under an architecture's name, each ticked off as it is read."""

    def __init__(self, header: Header):
        self.header = header
        prefix = f"{header.architecture}."
        self.values: Mapping[str, Any] = {
            key.removeprefix(prefix): value for key, value in header.metadata.items() if key.startswith(prefix)
        }
        self.unread = set(self.values) - set(HARMLESS)

    def get(self, key: str, default: Any = None) -> Any:
        self.unread.discard(key)
        return self.values.get(key, default)

    def whole(self, key: str, default: int | None = None) -> int:
        """A whole number above zero."""
        value = self.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise self.strange(key, value, "a whole number above 0")
        return value

    def real(self, key: str, default: float | None = None) -> float:
        """A number above zero."""
        value = self.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
            raise self.strange(key, value, "a number above 0")
        return float(value)

    def at_least_zero(self, key: str) -> int:
        """A whole number, 0 where the file says nothing."""
        return self.whole(key) if self.get(key, 0) else 0

    def expect(self, key: str, value: object) -> None:
        """Refuse a file that says something else there."""
        read = self.get(key, value)
        if read != value:
            raise self.strange(key, read, str(value))

    def has(self, tensor: str) -> bool:
        """Whether the first layer, or the file, holds such a tensor."""
        return tensor in self.header.tensors or f"blk.0.{tensor}" in self.header.tensors

    @property
    def vocabulary(self) -> int:
        table = self.header.tensors.get("token_embd.weight")
        if table is None:
            raise self.strange("token_embd.weight", None, "an embedding table")
        return table.shape[0]

    def strange(self, key: str, value: object, expected: str) -> UnsupportedModel:
        came = "nothing" if value is None else str(value)[:60]
        return UnsupportedModel(id="gguf-strange", file=str(self.header.path), key=key, came=came, expected=expected)

    def refuse_unread(self) -> None:
        """Refuse a file that states what was not read: it may be what makes its numbers."""
        for key in sorted(self.unread):
            raise UnsupportedModel(
                id="gguf-unread", file=str(self.header.path), key=f"{self.header.architecture}.{key}"
            )


def rope_of(facts: Facts, d_k: int, *, theta: float = 10000.0, is_partial: bool = False) -> dict[str, Any]:
    """The rotation: its wavelengths, how much of a head it turns, and how it is stretched for long texts."""
    rope: dict[str, Any] = {"rope_type": "default", "rope_theta": facts.real("rope.freq_base", theta)}
    turned = facts.whole("rope.dimension_count", d_k)
    if turned != d_k and not is_partial:
        raise facts.strange("rope.dimension_count", turned, str(d_k))
    if is_partial:
        rope["partial_rotary_factor"] = turned / d_k
    kind = facts.get(f"{SCALING}.type", "none")
    if kind == "linear":
        rope |= {"rope_type": "linear", "factor": facts.real(f"{SCALING}.factor")}
    elif kind == "yarn":
        rope |= {
            "rope_type": "yarn", "factor": facts.real(f"{SCALING}.factor"),
            "original_max_position_embeddings": facts.whole(f"{SCALING}.original_context_length"),
        }  # fmt: skip
    elif kind != "none":
        raise facts.strange(f"{SCALING}.type", kind, "none, linear or yarn")
    return rope
