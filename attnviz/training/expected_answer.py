"""The known answer for a person's own text: what ought to be written, and where the heads ought to look.

Three tasks have a rule that says it for any text; a translator's alignment is known for the sentences of its grammar.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from attnviz.training.tasks.copy import in_order
from attnviz.training.tasks.reverse import backwards
from attnviz.training.tasks.symbols import Rule, by_value, written_by
from attnviz.training.tasks.task import Example, Task

RULES: dict[str, Rule] = {"copy": in_order, "reverse": backwards, "sort": by_value}

Looks = Mapping[int, frozenset[int]]  # the row of a query -> the columns of the keys it ought to look at


@dataclass(frozen=True)
class OwnAnswer:
    """What a task's rule says about one text."""

    written: tuple[str, ...] = ()  # what ought to be written; empty for a task that continues its text
    looks: Mapping[str, Looks] = field(default_factory=dict)  # by the answer's name


def own_answer(task: Task, text: str) -> OwnAnswer | None:
    """The known answer for a typed text; None where nothing says one, and where it holds unknown words."""
    words = typed_words(task, text)
    if not words or len(words) > task.max_words or not set(words) <= set(task.source.words):
        return None
    if task.has_source:
        example = written_by(RULES[task.name], words) if task.name in RULES else task.exercise(words)
        if example is None:
            return None
        return OwnAnswer(example.target, {answer.name: answer.looks(example) for answer in task.answers})
    looks = {answer.name: answer.looks(Example(words)) for answer in task.answers}
    return OwnAnswer(looks={**looks, "induction": after_the_same(words)})


def typed_words(task: Task, text: str) -> tuple[str, ...]:
    """The words of a typed text as the task spells them."""
    return tuple(piece.word for piece in task.source.pieces(text))


def after_the_same(words: tuple[str, ...]) -> Looks:
    """A symbol that stood before ought to look at what followed it then, each time it did.

    Rows and columns start with <start>: the symbol at place t stands in row t + 1.
    """
    followed = {
        at + 1: frozenset(before + 2 for before in range(at) if words[before] == symbol)
        for at, symbol in enumerate(words)
    }
    return {row: keys for row, keys in followed.items() if keys}
