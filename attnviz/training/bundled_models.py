"""The trained models inside the package, by name."""

from pathlib import Path

from attnviz.core.errors import UnknownModel
from attnviz.training.load import TITLES, load_trained
from attnviz.training.trained_model import TrainedModel

FOLDER = Path(__file__).parent / "bundled"
BUNDLED = ("reverse", "induction", "translate-en-zh", "translate-zh-en", "poems-zh", "poems-zh-tw")
# The same weights, writing traditional characters and the words of Taiwan: name -> (bundled model, script).
IN_SCRIPT = {"translate-en-zh-tw": ("translate-en-zh", "zh-TW")}


def names() -> tuple[str, ...]:
    return (*BUNDLED, *IN_SCRIPT)


def load_bundled(name: str) -> TrainedModel:
    if name not in names():
        listed = ", ".join(names())
        raise UnknownModel(id="unknown-model", name=name, names=listed)
    folder, script = IN_SCRIPT.get(name, (name, ""))
    model = load_trained(FOLDER / folder, id=folder)
    return model.in_script(script, name, TITLES[name]) if script else model
