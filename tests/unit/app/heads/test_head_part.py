"""What a browser may ask for of a long head, and what is no question."""

import pytest
from attnviz_app.heads.head_part import Part, part_of

ASKED = {"revision": "abc", "layer": 1, "head": 0, "window": [0, 64, 32, 96]}


def test_a_part_is_rows_and_columns_of_a_head() -> None:
    assert part_of(ASKED) == Part("abc", 1, 0, (0, 64), (32, 96))


@pytest.mark.parametrize(
    "wrong",
    [
        {"window": [0, 64, 32]}, {"window": [0, 64, 32, "96"]}, {"window": [0, 64, 32, True]}, {"window": "0123"},
        {"window": [0, 64, 32, -1]}, {"window": [0, 64, 32, 2**40]},
        {"window": None}, {"revision": None}, {"head": 1.0},
    ],
)  # fmt: skip
def test_anything_else_is_none(wrong: dict[str, object]) -> None:
    assert part_of(ASKED | wrong) is None
