"""Tensors and a JSON header as one safetensors file: a trace, a survey, a trained model. Nothing in it can run, and a
file may come from anyone: sizes and places are checked before anything is believed. A file of one kind is refused where
another is expected.
"""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor

from attnviz.core.errors import AttnvizError, TraceFileError
from attnviz.files import write_whole

Parts = tuple[dict[str, Any], dict[str, Tensor]]  # what fits into JSON, and the tensors by name
MOST_METADATA = 100_000_000  # bytes, as in safetensors
Key = Literal["trace", "attnviz", "survey", "similarity", "atlas", "answer"]  # of the header in safetensors' metadata
FORMATS: dict[Key, str] = {  # what files of a kind say of themselves
    "trace": "attnviz trace 1", "attnviz": "attnviz training 1", "survey": "attnviz survey 1",
    "similarity": "attnviz similarity 1", "atlas": "attnviz atlas 1", "answer": "attnviz answer 1",  # of a service
}  # fmt: skip


def write(path: Path, header: Mapping[str, Any], tensors: Mapping[str, Tensor], key: Key) -> None:
    """Write a file, whole or not at all."""
    write_whole(path, to_bytes(header, tensors, key))


def to_bytes(header: Mapping[str, Any], tensors: Mapping[str, Tensor], key: Key) -> bytes:
    """The content of such a file."""
    plain = {name: value.detach().cpu().contiguous().clone() for name, value in tensors.items()}
    return save(plain, {"format": FORMATS[key], key: json.dumps(header, ensure_ascii=False)})


def read(path: Path, key: Key) -> Parts:
    if not path.is_file():
        raise TraceFileError(id="no-file", path=path.name, file=str(path))
    # never mapped: whoever shortened a mapped file ended the process
    return read_bytes(path.read_bytes(), path.name, key)


def read_bytes(content: bytes, name: str, key: Key) -> Parts:
    """The same of a file's content; `name` is what the error calls it."""
    tensors = load(content)  # checks sizes and places
    metadata = _metadata(content)
    came = metadata.get("format")
    if key not in metadata or came not in (FORMATS[key], None):  # trained models did not always say it
        raise TraceFileError(id="not-a-trace", path=name, expected=FORMATS[key], came=str(came)[:40])
    return json.loads(metadata[key]), tensors


def is_of(path: Path, key: Key) -> bool:
    """Whether a file says that it is of a kind; its tensors are not read."""
    if not os.path.isfile(path):  # also False for an impossible name, and for a pipe, which would block
        return False
    try:
        with open(path, "rb") as file:
            size = int.from_bytes(file.read(8), "little")
            file.seek(0)
            return key in _metadata(file.read(8 + min(size, MOST_METADATA)))
    except (OSError, ValueError, AttributeError, RecursionError):
        return False


def _metadata(content: bytes) -> dict[str, str]:
    size = int.from_bytes(content[:8], "little")
    return dict(json.loads(content[8 : 8 + size]).get("__metadata__", {}))


@contextmanager
def refusing_broken(name: str, fault: AttnvizError | None = None) -> Iterator[None]:
    """Turns whatever reading a broken file raises into one sentence: `fault`, or that a trace is broken."""
    fault = fault or TraceFileError(id="broken-trace", path=name)
    try:
        yield
    except type(fault):
        raise
    except (
        SafetensorError, AttnvizError, OSError, ValueError, LookupError, TypeError, AttributeError, RuntimeError,
        OverflowError,
    ) as error:  # fmt: skip
        raise fault from error


def flat(prefix: str, groups: Mapping[str, Mapping[str, Tensor]]) -> dict[str, Tensor]:
    """Groups of named tensors under one name each: `matrix/encoder.0.self/w_q`."""
    return {f"{prefix}/{group}/{name}": value for group, named in groups.items() for name, value in named.items()}


def nested(prefix: str, tensors: Mapping[str, Tensor]) -> dict[str, dict[str, Tensor]]:
    """The groups that `flat` made these of."""
    groups: dict[str, dict[str, Tensor]] = {}
    for full_name, value in tensors.items():
        if full_name.startswith(f"{prefix}/"):
            _, group, name = full_name.split("/", 2)
            groups.setdefault(group, {})[name] = value
    return groups


def tuples(value: Any) -> Any:
    """Lists of a header as the tuples they were."""
    if isinstance(value, dict):
        return {name: tuples(part) for name, part in value.items()}
    return tuple(tuples(part) for part in value) if isinstance(value, list) else value
