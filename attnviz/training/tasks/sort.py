"""Write the symbols in order, digits first. The answer: look at a source symbol of the kind that is written next.

Encoder and decoder on purpose, and read off the cross-attention: a single stack could hand a symbol up its residual
stream without any head looking anywhere.
"""

from __future__ import annotations

from attnviz.training.tasks.symbols import (
    LONGEST,
    SymbolReader,
    by_value,
    examples,
    exercise,
    source_looks,
    split_of,
    training,
)
from attnviz.training.tasks.task import Answer, Plan, Shape, Task

TASK = Task(
    name="sort",
    has_source=True,
    source=SymbolReader(),
    target=SymbolReader(),
    max_words=LONGEST,
    plan=Plan(Shape(n_heads=2, n_layers=1, n_encoder_layers=2), steps=1500, n_checkpoints=12),
    training=training(by_value, "sort"),
    examples=examples(by_value, "sort"),
    split_of=split_of,
    exercise=exercise(by_value),
    answers=(Answer("sort", "cross", source_looks),),
)
