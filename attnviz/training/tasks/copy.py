"""Write the same symbols in the same order. The answer: when writing symbol t, look at source symbol t.

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


def in_order(symbols: tuple[str, ...]) -> list[int]:
    """The places as they are."""
    return list(range(len(symbols)))


TASK = Task(
    name="copy",
    has_source=True,
    source=SymbolReader(),
    target=SymbolReader(),
    max_words=LONGEST,
    plan=Plan(Shape(n_heads=2, n_layers=1, n_encoder_layers=2), steps=1500, n_checkpoints=12),
    training=training(in_order, "copy"),
    examples=examples(in_order, "copy"),
    split_of=split_of,
    exercise=exercise(in_order),
    answers=(Answer("copy", "cross", source_looks),),
)
