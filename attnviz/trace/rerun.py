"""How the run of a trace is made again from its model, with gradients, for numbers that a trace alone cannot give."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from torch import Tensor, nn


@dataclass(frozen=True, eq=False)
class Rerun:
    """The same text through the same model. It lives as long as its trace and is not saved with it.

    Call it inside `record()`, which takes edits and hears every value by name; attention runs on the explicit kernel.
    """

    module: nn.Module  # the whole model; its parameters tell writers apart by name
    table: Tensor  # [V, d_model], the vectors of the tokens
    states: Callable[[int], Tensor]  # n copies of the text -> last hidden states [n, T, d_model]
    # last hidden states [R, d_model] and the tokens read there [R] -> [R, V]; None where there is no vocabulary
    logits: Callable[[Tensor, Tensor], Tensor] | None
    text_of: Callable[[int], str]  # a token of that vocabulary, as shown
    norm: Callable[[Tensor], Tensor] | None = None  # what stands between the last block and these states
