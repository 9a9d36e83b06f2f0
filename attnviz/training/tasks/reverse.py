"""Write the symbols backwards. The answer: when writing symbol t of n, look at source symbol n + 1 − t.

Encoder and decoder on purpose, and read off the cross-attention: a single stack could hand a symbol up its residual
stream without any head looking anywhere.
"""

from __future__ import annotations

from attnviz.training.tasks.symbols import (
    LONGEST,
    SymbolReader,
    examples,
    exercise,
    source_looks,
    split_of,
    training,
)
from attnviz.training.tasks.task import Answer, Plan, Shape, Task


def backwards(symbols: tuple[str, ...]) -> list[int]:
    """The places from the last to the first."""
    return list(range(len(symbols)))[::-1]


TASK = Task(
    name="reverse",
    has_source=True,
    source=SymbolReader(),
    target=SymbolReader(),
    max_words=LONGEST,
    plan=Plan(Shape(n_heads=2, n_layers=1, n_encoder_layers=2), steps=1500, n_checkpoints=12),
    training=training(backwards, "reverse"),
    examples=examples(backwards, "reverse"),
    split_of=split_of,
    exercise=exercise(backwards),
    answers=(Answer("reverse", "cross", source_looks),),
)
