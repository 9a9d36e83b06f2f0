"""Says that a text is not of the kind a small model was trained on; the model answers all the same."""

from attnviz_app.serving.runs import runs

from attnviz.text import Strings
from attnviz.training import TrainedModel
from attnviz.training.tasks.symbol_tasks import LONGEST, SHORTEST


def outside(task: str, say: Strings) -> str:
    """What a text outside a task lacks."""
    kinds = {"translate": "translation", "induction": "induction", "poems": "poems"}
    kind = kinds.get(task.partition("-")[0], "symbols")
    return say(f"outside-{kind}", shortest=SHORTEST, longest=LONGEST)


def line(model: str, text: str, say: Strings) -> str | None:
    """The sentence, where the model on the screen is a small one and the text is not of its kind."""
    loaded = runs().model(model)
    return outside(loaded.task.name, say) if isinstance(loaded, TrainedModel) and not loaded.covers(text) else None
