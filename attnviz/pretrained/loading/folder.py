"""Checks a model's folder before any memory is taken: names and sizes, small files, the headers of its weights.

Refuses what would run code, leave the folder, never end or fill the memory. Builds no model and reads no tensor.
"""

import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn

from safetensors import SafetensorError, safe_open

from attnviz.core.errors import UnknownModel, UnsupportedModel, WrongWeights

CONFIG = "config.json"
INDEX = "model.safetensors.index.json"
WEIGHTS = "model.safetensors"
CHECKPOINT = re.compile(r"checkpoint-(\d{1,12})")
PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".h5", ".msgpack")  # weights in other formats, which stay closed
LARGEST_NUMBER = 1 << 24  # positions; Llama 4 has 10 million, the most of any model known
MOST_LABELS = 4096  # each is an entry of a dict

Shapes = Mapping[str, tuple[int, ...]]


def check_folder(folder: Path) -> Shapes:
    """The shape of every tensor of a model; refuses a folder that is not a whole, harmless one: config.json, weights as
    safetensors and a tokenizer.
    """
    if os.path.isfile(folder):
        raise UnknownModel(id="file-not-model", file=str(folder))
    if not os.path.isfile(folder / CONFIG) and os.path.isfile(folder / WEIGHTS):
        raise UnknownModel(id="no-config", folder=str(folder))
    if not os.path.isfile(folder / CONFIG):  # False too for a name that is too long, or a folder that is closed
        if not os.path.lexists(folder):
            raise UnknownModel(id="no-such-path", path=str(folder))
        if inside := models_in(folder):
            raise UnknownModel(id="models-inside", folder=str(folder), last=str(inside[-1]))
        raise UnknownModel(id="no-model-folder", folder=str(folder))
    check_entries(folder)
    if (folder / ADAPTER).exists():  # transformers would put it on the model by itself
        raise UnsupportedModel(id="adapter-beside", folder=str(folder))
    config = read_json(folder / CONFIG)
    if (folder / "tokenizer.json").is_file():
        read_json(folder / "tokenizer.json")
    for name in (name for name in config if name.endswith("_implementation")):
        if "/" in str(config[name]):  # transformers would fetch such a kernel and run it
            raise UnsupportedModel(id="own-code", folder=str(folder))
    shapes = shapes_of(folder)
    refuse_large_numbers(config, shapes)
    return shapes


def models_in(folder: Path) -> list[Path]:
    """GGUF files, and the folders in which transformers' Trainer saved a model during training, the last one last."""
    if not os.path.isdir(folder):
        return []
    entries = sorted(folder.iterdir())
    steps = [int(numbered[1]) for entry in entries if (numbered := CHECKPOINT.fullmatch(entry.name))]
    saved = [folder / f"checkpoint-{step}" for step in sorted(steps)]
    files = [entry for entry in entries if entry.suffix.lower() == ".gguf"]
    return [*files, *(checkpoint for checkpoint in saved if os.path.isfile(checkpoint / CONFIG))]


def weight_files(folder: Path) -> tuple[Path, ...]:
    """The safetensors files of a folder, each inside it; files of any other kind stay closed."""
    if (folder / INDEX).is_file():
        named = read_json(folder / INDEX).get("weight_map")
        names = sorted({str(name) for name in named.values()}) if isinstance(named, dict) else []
    else:
        names = [WEIGHTS] if (folder / WEIGHTS).is_file() else []
    if not names:
        has_others = any(entry.suffix in PICKLES for entry in folder.iterdir())
        raise WrongWeights(id="no-safetensors" if has_others else "no-weights", folder=str(folder))
    for name in names:
        if Path(name).name != name or not name.endswith(".safetensors"):
            raise WrongWeights(id="climbing-name", name=name)
    return tuple(folder / name for name in names)


def shapes_of(folder: Path) -> Shapes:
    """The shape of every tensor, from the headers alone; a truncated or damaged file is refused."""
    shapes: dict[str, tuple[int, ...]] = {}
    for path in weight_files(folder):
        try:
            with safe_open(path, framework="pt") as weights:
                shapes |= {name: tuple(weights.get_slice(name).get_shape()) for name in weights.keys()}  # noqa: SIM118
        except (SafetensorError, OSError, RuntimeError) as error:  # the last where it is larger than can be mapped
            if os.path.isfile(path) and path.open("rb").read(40).startswith(b"version https://git-lfs"):
                raise WrongWeights(id="lfs-pointer", file=str(path)) from error
            raise WrongWeights(id="damaged-weights", file=str(path), reason=str(error)) from error
    return shapes


def refuse_large_numbers(config: Mapping[str, Any], shapes: Shapes) -> None:
    """Refuse a configuration with a number that no list or table of the model can have; `meta_load` counts the rest."""
    largest = max([LARGEST_NUMBER, *(side for shape in shapes.values() for side in shape)])
    for name, number in numbers_of(config):
        limit = MOST_LABELS if "label" in name else largest
        is_size = "theta" not in name and not name.endswith("_id")  # else a wavelength, or a row of the vocabulary
        if is_size and number > limit:
            shown = str(number) if number < 10**15 else f"about 10^{len(str(number)) - 1}"
            raise UnsupportedModel(id="config-too-large", name=name, value=shown, limit=limit)


def numbers_of(config: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """Every whole number of a configuration, of its lists and objects, by name; not label2id's: they are no sizes."""
    for name, value in config.items():
        for part in () if name == "label2id" else value if isinstance(value, list) else (value,):
            if isinstance(part, dict):
                yield from numbers_of(part)
            elif isinstance(part, int) and not isinstance(part, bool):
                yield name, part


TEXT_BYTES = 64 << 20  # the largest text file that is read; Gemma's tokenizer.json has 33 MB
TEXT_FILES = (".json", ".txt", ".model", ".spm", ".jinja", ".tiktoken")  # transformers reads these whole
ADAPTER = "adapter_config.json"
TOKENIZER_CONFIG = "tokenizer_config.json"


def check_entries(folder: Path) -> None:
    """Refuse a folder with links that lead out of it, with devices, pipes or huge texts."""
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
        content = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(content, dict):
            raise ValueError(f"a {type(content).__name__} where an object was expected")
    except (OSError, ValueError, RecursionError) as error:
        refuse_file(path, str(error))
    return content


def leads_out(name: str, where: str) -> WrongWeights:
    return WrongWeights(id="leads-out", name=name, where=where)


def refuse_file(path: Path, reason: str) -> NoReturn:
    raise UnsupportedModel(id="bad-config", file=str(path), reason=reason)
