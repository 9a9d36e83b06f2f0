"""The one door to every model: `load(name)` gives something with `.card` and `.trace(text)`. Keeps nothing loaded."""

import os
from pathlib import Path

from attnviz.core.errors import UnknownModel
from attnviz.core.model import Model
from attnviz.pretrained.known import BY_NAME
from attnviz.pretrained.loader import load_bundled, load_folder
from attnviz.training import bundle
from attnviz.training.checkpoints import is_trained
from attnviz.training.trained import load_trained


def known_names() -> tuple[str, ...]:
    """What `load` knows by name."""
    return (*BY_NAME, *bundle.names())


def load(name: str) -> Model:
    """Load a model by its name.

    Args:
        name: a name of the catalogue, such as "minilm-l6" or "translate-en-zh", or the path of a folder as
            transformers or `attnviz train` leaves it.
    Returns:
        a model ready to trace; loading takes seconds, so keep it.
    Raises:
        UnknownModel: no such name or folder, or the package that carries the model is not installed.
        WrongWeights: its weights are missing, damaged, pickled, or not the expected file.
        UnsupportedModel: its attention cannot be read truly, or its folder asks for what is never done.
    """
    if name in BY_NAME:
        return load_bundled(BY_NAME[name])
    if name in bundle.names():
        return bundle.load_shipped(name)
    if name and is_trained(Path(name)):
        return load_trained(name)
    if name and (Path(name).is_dir() or os.path.isabs(name) or name.startswith(".")):
        return load_folder(Path(name))
    names = ", ".join(known_names())
    raise UnknownModel(
        f"There is no model {name!r} here. Known: {names}; or name a folder that holds a model. "
        "Models from a hub are not fetched by this version.",
        id="unknown-model",
        model=name,
        names=names,
    )
