"""Models that LM Studio keeps: from `lmstudio:publisher/model` to its GGUF file."""

import os
from collections.abc import Iterator
from pathlib import Path

from attnviz.core.errors import UnknownModel, WrongWeights
from attnviz.pretrained.on_this_computer.folders import files, is_within, subfolders

PREFIX = "lmstudio:"
FOLDER = "~/.lmstudio/models"
ENDING = ".gguf"
LONGEST = 255  # characters of one part of a name
LISTED = 20  # files that a message names


def folder() -> Path:
    return Path(os.path.expanduser(FOLDER))


def file_of(name: str) -> Path:
    """The file of a model.

    Args:
        name: `lmstudio:publisher/model`, with `/file.gguf` where its folder has several.
    Raises:
        UnknownModel: LM Studio has no such model here, or several files of which none is named.
        WrongWeights: the file lies outside LM Studio's folder.
    """
    parts = name.removeprefix(PREFIX).split("/")
    if not 2 <= len(parts) <= 3 or not all(map(is_part, parts)):
        raise UnknownModel(id="lm-studio-name", name=name[:80])
    paths = [folder().joinpath(*parts)] if len(parts) == 3 else list(files_in(folder().joinpath(*parts)))
    if len(paths) > 1:
        listed = ", ".join(path.name for path in paths[:LISTED])
        raise UnknownModel(id="lm-studio-several", name=name, first=paths[0].name, files=listed)
    if not paths or not os.path.lexists(paths[0]):
        raise UnknownModel(id="lm-studio-not-here", name=name.removeprefix(PREFIX), folder=str(folder()))
    if not is_within(paths[0], folder()):
        raise WrongWeights(id="lm-studio-leads-out", name=name, file=paths[0].name)
    return paths[0]


def is_part(text: str) -> bool:
    """Whether this may be the name of one folder or file; not one that leads elsewhere, hides or steers a terminal."""
    return 0 < len(text) <= LONGEST and text.isprintable() and text[0] != "." and not set(text) & set("\\/:")


def files_in(model: Path) -> Iterator[Path]:
    return (path for path in files(model) if path.name.lower().endswith(ENDING) and is_part(path.name))


def names() -> Iterator[str]:
    """Every GGUF file here, by the shortest name that says which it is."""
    for publisher in subfolders(folder()):
        for model in subfolders(publisher):
            if is_part(publisher.name) and is_part(model.name):
                name, paths = f"{PREFIX}{publisher.name}/{model.name}", list(files_in(model))
                yield from [name] if len(paths) == 1 else (f"{name}/{path.name}" for path in paths)
