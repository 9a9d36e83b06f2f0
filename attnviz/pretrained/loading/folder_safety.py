"""Refuses a model's folder by the names and sizes in it: links out of it, files that never end, adapters.

Reads no weights, and of the configurations only the file names in the tokenizer's.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from attnviz.core.errors import UnsupportedModel, WrongWeights

TEXT_BYTES = 64 << 20  # the largest text file that is read; Gemma's tokenizer.json has 33 MB
TEXT_FILES = (".json", ".txt", ".model", ".spm", ".jinja", ".tiktoken")  # transformers reads these whole
ADAPTER = "adapter_config.json"
TOKENIZER_CONFIG = "tokenizer_config.json"


def check_entries(folder: Path) -> None:
    """Refuse a folder with links that lead out of it, with devices and pipes, with huge texts, or with an adapter."""
    home = folder.resolve()
    for entry in sorted(folder.iterdir()):
        if entry.is_symlink() and not is_inside(entry.resolve(), home):
            raise leads_out(entry.name, str(folder))
        if entry.is_dir():
            continue
        if not entry.is_file():
            refuse_file(entry, "it is no ordinary file")
        if entry.suffix in TEXT_FILES and entry.stat().st_size > TEXT_BYTES:
            refuse_file(entry, f"{entry.stat().st_size} bytes, more than {TEXT_BYTES}")
    if (folder / ADAPTER).exists():
        raise UnsupportedModel(
            f"{folder} holds an adapter ({ADAPTER}) to a model that is elsewhere. Merge the two, save the whole model, "
            "and name its folder.",
            id="adapter", folder=str(folder),
        )  # fmt: skip
    for name in tokenizer_files(folder):
        if not is_inside((home / name).resolve(), home) and (home / name).exists():
            raise leads_out(name, TOKENIZER_CONFIG)


def is_inside(path: Path, home: Path) -> bool:
    """Whether a path lies in a model's folder, or beside it where the hub's own client keeps a revision's files."""
    is_kept_by_hub = home.parent.name == "snapshots"
    return path.is_relative_to(home) or (is_kept_by_hub and path.is_relative_to(home.parent.parent / "blobs"))


def tokenizer_files(folder: Path) -> Iterator[str]:
    """The files that a tokenizer's configuration names."""
    given = read_json(folder / TOKENIZER_CONFIG) if (folder / TOKENIZER_CONFIG).is_file() else {}
    for name, value in given.items():
        if name.endswith(("_file", "_files")):
            yield from (part for part in (value if isinstance(value, list) else [value]) if isinstance(part, str))


def read_json(path: Path) -> dict[str, Any]:
    """A JSON file's object; refused if it is not one."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(found, dict):
            raise ValueError(f"a {type(found).__name__} where an object was expected")
    except (OSError, ValueError, RecursionError) as error:
        refuse_file(path, str(error))
    return found


def leads_out(name: str, where: str) -> WrongWeights:
    return WrongWeights(
        f"{name!r} in {where} leads out of the model's folder. It was not opened; copy the file itself into the "
        "folder, or get the model from a source you trust.",
        id="leads-out", name=name, where=where,
    )  # fmt: skip


def refuse_file(path: Path, reason: str) -> NoReturn:
    raise UnsupportedModel(
        f"{path} cannot be read: {reason}. Copy the model's folder again.",
        id="bad-config", file=str(path), reason=reason,
    )  # fmt: skip
