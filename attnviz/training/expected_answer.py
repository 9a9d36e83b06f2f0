"""The known answer for a person's own text: what should be written, and which keys the heads should attend to.

Copy, reverse, sort and induction have a rule for any text; a translator's alignment is known for sentences of its
grammar, and a poem's for lines of one length.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from attnviz.training.tasks.symbol_tasks import NAMES, written_by
from attnviz.training.tasks.task import Example, KeysByRow, Task


@dataclass(frozen=True)
class ExpectedAnswer:
    written: tuple[str, ...] = ()  # what should be written; empty for a task that continues its text
    keys: Mapping[str, KeysByRow] = field(default_factory=dict)  # by the answer's name


def expected_answer(task: Task, text: str) -> ExpectedAnswer | None:
    """The known answer for a typed text; None if it has none, or words that the task does not know."""
    words = typed_words(task, text)
    is_known = task.is_language or task.source.ids.keys() >= set(words)
    if not words or len(words) > task.max_words or not is_known:
        return None
    if task.has_source:
        example = written_by(task.name, words) if task.name in NAMES else task.example_for(words)
        if example is None:
            return None
        return ExpectedAnswer(example.target, {answer.name: answer.expected_keys(example) for answer in task.answers})
    keys = {answer.name: answer.expected_keys(Example(words)) for answer in task.answers}
    return ExpectedAnswer(keys=keys if task.is_language else {**keys, "induction": after_same_symbol(words)})


def typed_words(task: Task, text: str) -> tuple[str, ...]:
    return tuple(piece.word for piece in task.source.pieces(text))


def after_same_symbol(words: tuple[str, ...]) -> KeysByRow:
    """A symbol that came before should attend to each symbol that followed it.

    Rows and columns start with <start>: the symbol at position t is row t + 1.
    """
    followed = {
        at + 1: frozenset(before + 2 for before in range(at) if words[before] == symbol)
        for at, symbol in enumerate(words)
    }
    return {row: keys for row, keys in followed.items() if keys}
