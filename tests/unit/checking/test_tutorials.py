"""Attention as tutorials write it: what is right there is called right, and their well-known mistakes are named."""

import math
from typing import Any

from torch import Tensor, nn
from torch.nn import functional as F

from tests.unit.checking.layers import Right, broken, ids, only, right


class Renamed(Right):
    """The matrix of the output has a name that is not known, and stands behind the joined heads or beside them."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.last = name
        setattr(self, name, self.w_o)
        del self.w_o

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Any:
        context, _ = self.attend(*map(self.split, self.project(x)), mask)
        joined, last = self.join(context), getattr(self, self.last)
        return joined * last(x).sigmoid() if self.last == "gate" else last(joined)


def test_the_one_matrix_that_is_left_is_that_of_the_output_unless_it_is_a_gate() -> None:
    assert "weights of w_q, w_k, w_v, combine_heads" in right(Renamed("combine_heads")).how
    only(Renamed("gate"), "differs", "no part of attention (gate.weight, gate.bias)")


class OneForAll(Right):
    """As in a much-copied tutorial: small matrices that all heads share, values first, a mask that must be passed."""

    def __init__(self) -> None:
        nn.Module.__init__(self)
        self.heads, self.head_dim = 4, 6
        self.values, self.keys, self.queries = (nn.Linear(6, 6, bias=False) for _ in range(3))
        self.fc_out = nn.Linear(24, 24)

    def forward(self, values: Tensor, keys: Tensor, query: Tensor, mask: Tensor | None) -> Tensor:  # type: ignore[override]
        named = ((self.queries, query), (self.keys, keys), (self.values, values))
        q, k, v = (layer(x.unflatten(-1, (4, 6))).transpose(1, 2) for layer, x in named)
        context, _ = self.attend(q, k, v, mask)
        return self.fc_out(self.join(context))


def test_small_matrices_that_all_heads_share_are_read_and_noted() -> None:
    report = right(OneForAll())
    (note,) = [note for note in report.notes if note.id == "parameters-read"]
    assert "layer(values, keys, query, mask=…)" in report.how
    assert "All 4 heads use the same matrices of [6, 6]" in note.sentence
    assert "gradients" in report.checked
    only(broken(OneForAll, scores=lambda s, q, k: q @ k.mT / math.sqrt(24)), "scale-by-model-width")


def test_minus_1e9_does_not_hide_what_comes_after_it() -> None:
    dropping = broken(
        hide=lambda s, x, mask: x if mask is None else x.masked_fill(~mask, -1e9),
        weights=lambda s, masked: F.dropout(masked, 0.1, s.training).softmax(-1),
    )
    assert ids(dropping) == ["blocked-row-looks-everywhere", "dropout-before-softmax"]


class Bert(Right):
    """It adds a large number to what it hides."""

    number = -10000.0

    def forward(self, x: Tensor, attention_mask: Tensor | None = None) -> Any:
        self.added = None if attention_mask is None else (1.0 - attention_mask[:, None, None].to(x)) * self.number
        return super().forward(x)

    def hide(self, scores: Tensor, mask: Tensor | None) -> Tensor:
        return scores if self.added is None else scores + self.added


def test_a_number_that_is_only_large_enough_is_named_in_any_precision() -> None:
    only(Bert(), "blocked-row-looks-everywhere", "attends as if there were no mask")
    only(broken(Bert, number=-1e9), "blocked-row-looks-everywhere", "attends to all tokens alike")  # in float32
