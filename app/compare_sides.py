"""What may stand on a side of the Compare page: every model of the menus, its weights in our blocks, and its shape
without training.
"""

from __future__ import annotations

from attnviz_app import choice, long_texts
from attnviz_app.settings import settings
from attnviz_app.training_words import model_label

from attnviz.lessons.twins import OURS, UNTRAINED, is_twin
from attnviz.text import Strings


def sides() -> tuple[str, ...]:
    """Every side: the models, then the twins of those that are pretrained."""
    names = tuple(name for name in choice.models() if name not in long_texts.MODELS)
    return (*names, *(kind + name for name in names if has_twins(name) for kind in (OURS, UNTRAINED)))


def has_twins(name: str) -> bool:
    """Whether a model may have twins: it was neither trained here nor made up; its weights decide."""
    return name in settings().models and choice.task(name) is None and not is_twin(name)


def side_label(name: str, say: Strings) -> str:
    """How a side stands in the menus."""
    if not is_twin(name):
        return model_label(name, say)
    kind, _, own = name.partition(":")
    return say(f"compare-side-{kind}", model=model_label(own, say))


def first_sides() -> tuple[str, str]:
    """What stands there before anybody chose: a pretrained model beside its own shape without training, else the first
    two models.
    """
    names = sides()
    own = next((name for name in names if has_twins(name)), None)
    if own is not None:
        return own, UNTRAINED + own
    return names[0], names[min(1, len(names) - 1)]
