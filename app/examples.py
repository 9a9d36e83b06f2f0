"""The prepared texts of each model: those it can read, each with the head and token that show what it is about."""

from __future__ import annotations

from attnviz.text import Strings
from attnviz.training import TASKS
from attnviz.training.bundle import SPELLED
from attnviz.views import Pick

Examples = dict[str, Pick | None]

# Of models of English text. Counted from 0: the head and token in MiniLM-L6 that show what the example is about.
ENGLISH: Examples = {
    "pronoun": Pick(layer=5, head=11, token=8),  # "it" looks at "cat"
    "meanings": Pick(layer=0, head=4, token=9),  # the second bank -> river
    "agreement": Pick(layer=3, head=1, token=8),  # are -> keys
    "repeats": Pick(layer=2, head=9, token=10),  # the second chased -> the first
    "pieces": Pick(layer=5, head=4, token=9),  # va -> bel, inside unbelievably
    "chinese": None,
}
# The heads of the shipped translators that align best on validation data.
ALIGNS_EN_ZH, ALIGNS_ZH_EN = Pick(layer=1, head=2), Pick(layer=1, head=1)
SYMBOLS = ("symbols-word", "symbols-rising", "symbols-same", "symbols-longest")
# Of the tasks models are trained for here. The heads are those of the models that ship.
TRAINED: dict[str, Examples] = {
    "translate-en-zh": dict.fromkeys(
        ("en-negation", "en-question", "en-because", "en-measure", "en-time", "en-place"), ALIGNS_EN_ZH
    ),
    "translate-zh-en": dict.fromkeys(
        ("zh-negation", "zh-question", "zh-because", "zh-measure", "zh-time", "zh-place"), ALIGNS_ZH_EN
    ),
    "reverse": dict.fromkeys(SYMBOLS, Pick(layer=0, head=1)),
    "copy": dict.fromkeys(SYMBOLS),
    "sort": dict.fromkeys(SYMBOLS),
    "induction": {
        "repeat-letters": Pick(layer=1, head=0),
        "repeat-short": Pick(layer=1, head=0),
        "repeat-words": Pick(layer=1, head=0),
        "repeat-previous": Pick(layer=0, head=0),
    },
}


def task_of(model: str) -> str | None:
    """The task a shipped model was trained for; None for a model of ordinary text."""
    name = SPELLED[model][0] if model in SPELLED else model
    return name if name in TASKS else None


def examples_of(task: str | None) -> Examples:
    """The examples for a task, by name; for no task those of English text."""
    return TRAINED[task] if task else ENGLISH


def text_of(name: str, say: Strings) -> str:
    """The text of an example, as this person's language writes it."""
    return say(f"example-{name}-text")
