"""The header of a GGUF file: its metadata and where each tensor lies. Reads no tensor and knows no model.

Every count and length is held to the bytes that are there before anything is made of it.
Source: github.com/ggml-org/ggml, docs/gguf.md.
"""

import math
import os
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from attnviz.core.errors import WrongWeights

MAGIC = b"GGUF"
VERSIONS = (2, 3)
HEADER_BYTES = 64 << 20  # the largest header that is read; Gemma's has 20 MB, its vocabulary
MOST_ENTRIES = 1 << 20  # of one list: tokens, merges
MOST_KEYS = 4096
MOST_TENSORS = 1 << 16
MOST_AXES = 4
LONGEST_KEY = 1 << 16  # bytes
ALIGNMENT = 32  # bytes, where a file states none
NUMBERS = {
    0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d",
}  # fmt: skip
TEXT, LIST = 8, 9


@dataclass(frozen=True)
class StoredTensor:
    """Where one tensor lies in a file."""

    name: str
    shape: tuple[int, ...]  # as torch orders the axes
    kind: int  # the number of its ggml type
    start: int  # bytes from the beginning of the file
    n_bytes: int


@dataclass(frozen=True)
class Header:
    """What a file says of itself."""

    path: Path
    metadata: Mapping[str, Any]
    tensors: Mapping[str, StoredTensor]

    @property
    def architecture(self) -> str:
        return str(self.metadata.get("general.architecture", ""))


def is_gguf(path: str | os.PathLike[str]) -> bool:
    """Whether this is a file that ends in .gguf, or begins as one does."""
    if not os.path.isfile(path):
        return False
    if str(path).lower().endswith(".gguf"):
        return True
    try:
        with open(path, "rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def read_header(path: Path) -> Header:
    """The header of a file.

    Raises:
        WrongWeights: it is no whole GGUF file, or no file has such a header.
    """
    try:
        with open(path, "rb", buffering=1 << 20) as file:
            return _Reader(path, file, os.fstat(file.fileno()).st_size).header()
    except OSError as error:
        refuse(path, error.strerror or type(error).__name__)


def refuse(path: Path, reason: str) -> NoReturn:
    raise WrongWeights(id="damaged-gguf", file=str(path), reason=reason)


class _Reader:
    def __init__(self, path: Path, file: BinaryIO, size: int):
        self.path, self.file, self.size, self.at = path, file, size, 0

    def header(self) -> Header:
        if self.take(len(MAGIC)) != MAGIC:
            refuse(self.path, "it does not begin with the letters GGUF")
        version = self.number("<I")
        if version not in VERSIONS:
            is_swapped = version & 0xFFFF == 0 and version != 0
            said = "its bytes are in big-endian order" if is_swapped else f"its version is {version}"
            refuse(self.path, f"{said}, and versions 2 and 3 in little-endian order are read")
        n_tensors, n_keys = self.count("<Q", MOST_TENSORS, "tensors"), self.count("<Q", MOST_KEYS, "metadata keys")
        metadata: dict[str, Any] = {}
        for _ in range(n_keys):
            key = self.text(LONGEST_KEY)
            if key in metadata:
                refuse(self.path, f"it states {key!r} twice")
            metadata[key] = self.value(self.number("<I"))
        infos = [self.tensor_info() for _ in range(n_tensors)]
        alignment = metadata.get("general.alignment", ALIGNMENT)
        if not isinstance(alignment, int) or not 1 <= alignment <= 1 << 16:
            refuse(self.path, f"its alignment is {alignment!r}")
        return Header(self.path, metadata, self.placed(infos, -(-self.at // alignment) * alignment))

    def take(self, n: int) -> bytes:
        self.at += n
        if self.at > HEADER_BYTES:
            refuse(self.path, f"its header is longer than {HEADER_BYTES} bytes")
        content = self.file.read(n) if self.at <= self.size else b""
        if len(content) < n:
            refuse(self.path, "it ends within its header")
        return content

    def number(self, layout: str) -> Any:
        return struct.unpack(layout, self.take(struct.calcsize(layout)))[0]

    def count(self, layout: str, limit: int, what: str) -> int:
        length = int(self.number(layout))
        if length > limit:
            refuse(self.path, f"it states {length} {what}; at most {limit} are read")
        return length

    def text(self, limit: int = HEADER_BYTES) -> str:
        n = self.count("<Q", limit, "bytes of one text")
        return self.take(n).decode("utf-8", errors="replace")

    def value(self, kind: int) -> Any:
        if kind in NUMBERS:
            return self.number(NUMBERS[kind])
        if kind == TEXT:
            return self.text()
        if kind != LIST:
            refuse(self.path, f"it holds a value of the unknown type {kind}")
        inner = self.number("<I")
        n = self.count("<Q", MOST_ENTRIES, "entries of one list")
        if inner == TEXT:
            return [self.text() for _ in range(n)]
        if inner not in NUMBERS:
            refuse(self.path, f"it holds a list of the unknown type {inner}")
        layout = f"<{n}{NUMBERS[inner][1]}"
        return list(struct.unpack(layout, self.take(struct.calcsize(layout))))

    def tensor_info(self) -> tuple[str, tuple[int, ...], int, int]:
        name = self.text(LONGEST_KEY)
        n_axes = self.count("<I", MOST_AXES, "axes of a tensor")
        shape = tuple(self.number("<Q") for _ in range(n_axes))[::-1]  # ggml has the fastest axis first
        return name, shape, self.number("<I"), self.number("<Q")

    def placed(self, infos: list[tuple[str, tuple[int, ...], int, int]], data: int) -> dict[str, StoredTensor]:
        from gguf.constants import GGML_QUANT_SIZES, GGMLQuantizationType

        tensors: dict[str, StoredTensor] = {}
        for name, shape, kind, offset in infos:
            if name in tensors:
                refuse(self.path, f"it holds {name!r} twice")
            if kind not in set(GGMLQuantizationType):
                refuse(self.path, f"{name!r} is of the unknown type {kind}")
            block, block_bytes = GGML_QUANT_SIZES[GGMLQuantizationType(kind)]
            n = math.prod(shape)
            if n == 0 or not shape or shape[-1] % block:
                refuse(self.path, f"{name!r} cannot have the shape {shape}")
            tensors[name] = StoredTensor(name, shape, kind, data + offset, n // block * block_bytes)
            if data + offset + tensors[name].n_bytes > self.size:
                refuse(self.path, f"it ends before {name!r} does")
        if sum(tensor.n_bytes for tensor in tensors.values()) > self.size:
            refuse(self.path, "its tensors lie over each other")
        return tensors
