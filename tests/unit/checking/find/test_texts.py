"""Cross-attention whose queries, keys or values are made of the wrong text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from torch import Tensor

import attnviz as av
from tests.unit.checking.layers import Right, right


class Cross(Right):
    """`reads` says what q, k and v are made of."""

    def attend(self, q: Tensor, k: Tensor, v: Tensor) -> Any:
        q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))
        weights = self.weights(self.scores(q, k))
        return self.w_o(self.join(weights @ v)), weights


def _of_two(reads: Callable[[Tensor, Tensor], tuple[Tensor, ...]]) -> Right:
    class OfTwo(Cross):
        def forward(self, x: Tensor, memory: Tensor) -> Any:  # type: ignore[override]
            return self.attend(*reads(x, memory))

    return OfTwo()


def _of_three(reads: Callable[[Tensor, Tensor, Tensor], tuple[Tensor, ...]]) -> Right:
    class OfThree(Cross):
        def forward(self, query: Tensor, key: Tensor, value: Tensor) -> Any:  # type: ignore[override]
            return self.attend(*reads(query, key, value))

    return OfThree()


@pytest.mark.parametrize(
    ("layer", "sentence"),
    [
        (
            _of_two(lambda x, memory: (x, x, x)),
            "The wrong text is read: the keys and values are made of x, expected of memory. Nothing is made of memory.",
        ),
        (
            _of_two(lambda x, memory: (x, memory, x)),
            "The wrong text is read: the values are made of x, expected of memory.",
        ),
        (
            _of_two(lambda x, memory: (x, x, memory)),
            "The wrong text is read: the keys are made of x, expected of memory.",
        ),
        (
            _of_two(lambda x, memory: (memory, x, x)),
            "The wrong text is read: the queries are made of memory, expected of x; the keys and values are made of x, "
            "expected of memory.",
        ),
        (
            _of_three(lambda query, key, value: (query, key, key)),
            "The wrong text is read: the values are made of key, expected of value. Nothing is made of value.",
        ),
    ],
    ids=["query's text", "values", "keys", "swapped", "keys for values"],
)
def test_the_text_that_is_read_wrongly_is_named(layer: Right, sentence: str) -> None:
    report = av.check_attention(layer)
    assert [found.sentence for found in report.findings] == [sentence]


def test_the_right_texts_are_right() -> None:
    right(_of_two(lambda x, memory: (x, memory, memory)))
    right(_of_three(lambda query, key, value: (query, key, value)))
