"""The numbers of a sheet of By hand as a pencil gets them: whole hundredths, each step with what is printed before it.

Python's copy of `views/byhand/arithmetic.js`, for what a lesson says of a sheet; a test holds one to the other.
"""

import math
from collections.abc import Mapping

import torch

from attnviz.explanation.matrices import Axis, Matrix

HUNDRED = 100
NAMES = ("X", "W_Q", "W_K", "W_V")  # of the groups of numbers in a link
Rows = list[list[int]]  # of hundredths


def matrices(link: Mapping[str, str], numbers: str = "") -> dict[str, Matrix]:
    """Every matrix of one head without mask, positions and W_O, by its name in a claim.

    Args:
        link: of the sheet: its sizes, numbers and words.
        numbers: others in their place.
    """
    n, d = (int(size) for size in link["hand"].partition("_")[0].split("x"))
    groups = [
        [round(float(x) * HUNDRED) for x in group.split("_")] for group in (numbers or link["numbers"]).split("*")
    ]
    given = {
        name: [group[at : at + d] for at in range(0, len(group), d)] for name, group in zip(NAMES, groups, strict=True)
    }
    q, k, v = (_product(given["X"], given[f"W_{name}"]) for name in "QKV")
    scores = _product(q, [list(column) for column in zip(*k, strict=True)])
    root = round(math.sqrt(d) * HUNDRED)
    divided = [[_nearest(x * HUNDRED, root) for x in row] for row in scores]
    powers = [[round(math.exp((x - max(row)) / HUNDRED) * HUNDRED) for x in row] for row in divided]
    weights = [[_nearest(x * HUNDRED, sum(row)) for x in row] for row in powers]
    words, width = Axis("token", "n", n, tuple(link["named"].split("|"))), Axis("feature", "d", d)
    made = {"Q": (q, width), "K": (k, width), "V": (v, width), "scores": (scores, words), "divided": (divided, words)}
    made |= {"X": (given["X"], width), "weights": (weights, words), "output": (_product(weights, v), width)}
    made |= {name: (given[name], width) for name in NAMES[1:]}
    return {
        name: Matrix(f"hand.{name}", name, torch.tensor(rows) / HUNDRED, words if len(rows) == n else width, columns)
        for name, (rows, columns) in made.items()
    }


def _product(left: Rows, right: Rows) -> Rows:
    return [
        [_nearest(sum(map(int.__mul__, row, column)), HUNDRED) for column in zip(*right, strict=True)] for row in left
    ]


def _nearest(dividend: int, divisor: int) -> int:
    """The nearest whole number to a quotient; a half goes away from zero, as at school."""
    size = (2 * abs(dividend) + divisor) // (2 * divisor)
    return size if dividend >= 0 else -size
