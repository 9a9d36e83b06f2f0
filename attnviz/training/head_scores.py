"""How much weight each head puts on each known answer of its task, measured many times on the same examples.

The same numbers as `answers.on_the_answer`, all answers from one run: where they lie is worked out once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from attnviz.core.site import Site
from attnviz.training.answers import recorded
from attnviz.training.tasks.task import Answer, Example
from attnviz.training.trained import TrainedModel


def head_shares(model: TrainedModel, examples: Sequence[Example]) -> NDArray[np.float32]:
    """The weight on each answer, averaged over the rows it speaks of.

    Args:
        model: one of a task whose answers all speak of one kind of site.
        examples: of that task.
    Returns:
        float32 [A, L, H].
    """
    answers = model.task.answers
    assert len({answer.site_kind for answer in answers}) == 1, "all answers of a task are read off one kind of site"
    sums: dict[tuple[int, Site], Tensor] = {}
    rows = [0] * len(answers)
    for part, weights_of in recorded(model.network, model.encoder, examples, answers[0].site_kind):
        for number, answer in enumerate(answers):
            (texts, queries, keys), n = _places(answer, tuple(part))
            rows[number] += n
            for site, weights in weights_of.items():
                found = weights[texts, :, queries, keys].sum(0)  # [B, H, Tq, Tk] -> [H]
                sums[number, site] = sums.get((number, site), torch.zeros_like(found)) + found
    sites = sorted({site for _, site in sums})
    means = [torch.stack([sums[number, site] for site in sites]) / n for number, n in enumerate(rows)]  # [L, H] each
    return torch.stack(means).numpy()  # [A, L, H]


@lru_cache(maxsize=16)
def _places(answer: Answer, part: tuple[Example, ...]) -> tuple[Tensor, int]:
    """Where an answer lies in a batch: text, query and key of each cell [3, N], and how many rows it speaks of."""
    looks = [answer.looks(example) for example in part]
    cells = [(text, q, k) for text, own in enumerate(looks) for q, keys in own.items() for k in sorted(keys)]
    return torch.tensor(cells).T, sum(len(own) for own in looks)
