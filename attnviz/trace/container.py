"""Tensors and a JSON header as one safetensors file. Nothing in it can run, and a file may come from anyone: sizes and
places are checked before anything is believed.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor

from attnviz.core.errors import AttnvizError, TraceFileError
from attnviz.files import write_whole

FORMAT = "attnviz trace 1"

Parts = tuple[dict[str, Any], dict[str, Tensor]]  # what fits into JSON, and the tensors by name


def write(path: Path, header: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> None:
    """Write a file, whole or not at all."""
    if not path.parent.is_dir():
        raise TraceFileError(id="no-folder", folder=str(path.parent))
    write_whole(path, to_bytes(header, tensors))


def to_bytes(header: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> bytes:
    """The content of such a file."""
    plain = {name: value.detach().cpu().contiguous().clone() for name, value in tensors.items()}
    return save(plain, {"format": FORMAT, "trace": json.dumps(header, ensure_ascii=False)})


def read(path: Path) -> Parts:
    if not path.is_file():
        raise TraceFileError(in_code=f"There is no file {str(path)!r}.", id="no-file", path=path.name)
    return read_bytes(path.read_bytes(), path.name)  # never mapped: whoever shortened a mapped file ended the process


def read_bytes(content: bytes, name: str) -> Parts:
    """The same of a file's content; `name` is what the error calls it."""
    tensors = load(content)  # checks sizes and places
    size = int.from_bytes(content[:8], "little")
    metadata = json.loads(content[8 : 8 + size]).get("__metadata__", {})
    if metadata.get("format") != FORMAT:
        raise TraceFileError(
            in_code=f"{name} is not a trace of this version. Expected {FORMAT!r}, came "
            f"{str(metadata.get('format'))[:40]!r}. Make it again with Trace.save().",
            id="not-a-trace", path=name,
        )  # fmt: skip
    return json.loads(metadata["trace"]), tensors


@contextmanager
def explained(name: str) -> Iterator[None]:
    """Turns whatever reading a broken file raises into one sentence."""
    try:
        yield
    except TraceFileError:
        raise
    except (
        SafetensorError, AttnvizError, OSError, ValueError, LookupError, TypeError, AttributeError, RuntimeError,
        OverflowError,
    ) as error:  # fmt: skip
        raise TraceFileError(id="broken-trace", path=name) from error


def flat(prefix: str, groups: Mapping[str, Mapping[str, Tensor]]) -> dict[str, Tensor]:
    """Groups of named tensors under one name each: `matrix/encoder.0.self/w_q`."""
    return {f"{prefix}/{group}/{name}": value for group, own in groups.items() for name, value in own.items()}


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
