"""The note on heads that are one layer under several names: they all compute the same."""

from __future__ import annotations

import torch

from attnviz.checking.find.examination import Seen, Understood
from attnviz.checking.report import Finding


def repeated_heads(understood: Understood) -> Seen:
    """Weights are drawn anew for each tensor, so heads with equal numbers share their tensors."""
    numbers = understood.explanation.reading.numbers
    if numbers is None or understood.examination.candidate.is_function or numbers.n_heads == 1 or numbers.shares_keys:
        return Seen()
    heads = [numbers.weight[letter].unflatten(0, (numbers.n_heads, -1)) for letter in "qkv"]  # [H, rows, in] each
    if not all(torch.equal(part, part[:1].expand_as(part)) for part in heads):
        return Seen()
    sentence = (
        f"Its {numbers.n_heads} heads are one and the same: they have one W_Q, one W_K and one W_V, so each computes "
        "what the others do."
    )
    fix = "nn.ModuleList([Head(...) for _ in range(n)]): [Head(...)] * n names one layer n times"
    return Seen(notes=(Finding("heads-are-one", sentence, fix),))
