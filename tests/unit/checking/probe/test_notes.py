"""What is no fault and worth a note: an output of another precision, a triangle over another text, added masks."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from tests.unit.checking.layers import Right, right


def notes(subject: Any, **options: Any) -> dict[str, str]:
    report = right(subject, **options)
    return {note.id: note.sentence for note in report.notes}


class Cross(Right):
    def forward(self, x: Tensor, memory: Tensor, mask: Tensor | None = None) -> Any:  # type: ignore[override]
        q, k, v = self.split(self.w_q(x)), self.split(self.w_k(memory)), self.split(self.w_v(memory))
        scores = self.scores(q, k)
        scores = scores.masked_fill(torch.ones(scores.shape[-2:]).triu(1).bool(), -math.inf)
        return self.w_o(self.join(self.hide(scores, mask).softmax(-1) @ v))


def test_a_triangle_over_another_text_is_no_triangle_over_itself() -> None:
    said = notes(Cross())["causal"]
    assert "query 0 sees one token of memory, query 1 two" in said and "itself" not in said
    assert "itself" in notes(lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True))["causal"]
