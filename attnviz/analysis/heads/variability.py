"""How much a head's weights change from text to text: none for a head that goes by places alone."""

from __future__ import annotations

import torch
from torch import Tensor

WINDOW = 10  # the first tokens of each text, which every text must have


def variability(maps: Tensor) -> Tensor:
    """Σ |w − mean over texts of w| / (2 Σ w), over the first 10 rows and keys of each text.

    Args:
        maps: [S, ..., N, N], one map of the same places a text; S texts.
    Returns:
        [...] from 0, the same in every text, to 1 − 1/S, nothing in common; NaN for fewer than two texts.
    Source: Vig and Belinkov 2019, section 3.3, with N = 10 as there.
    """
    if maps.shape[0] < 2:
        return torch.full(maps.shape[1:-2], float("nan"))
    change = (maps - maps.mean(0)).abs().sum((0, -2, -1))  # [...]
    return change / (2 * maps.sum((0, -2, -1))).clamp_min(1e-12)
