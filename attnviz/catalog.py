"""The one door to every model: `load(name)` gives something with `.card` and `.trace(text)`. Keeps nothing loaded."""

from attnviz.core.errors import UnknownModel
from attnviz.core.model import Model
from attnviz.pretrained.known import BY_NAME
from attnviz.pretrained.loader import load_bundled


def known_names() -> tuple[str, ...]:
    """What `load` knows by name."""
    return tuple(BY_NAME)


def load(name: str) -> Model:
    """Load a model by its name.

    Args:
        name: a name of the catalogue, such as "minilm-l6".
    Returns:
        a model ready to trace; loading takes seconds, so keep it.
    Raises:
        UnknownModel: no such name, or the package that carries the model is not installed.
        WrongWeights: its weights are not the expected file.
        UnsupportedModel: its attention cannot be read truly.
    """
    if name not in BY_NAME:
        names = ", ".join(known_names())
        raise UnknownModel(
            f"There is no model {name!r} here. Known: {names}. "
            "This version opens neither folders nor models from a hub.",
            id="unknown-model",
            model=name,
            names=names,
        )
    return load_bundled(BY_NAME[name])
