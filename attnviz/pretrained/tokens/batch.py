"""Texts of a batch side by side, and where each lies in it."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from attnviz.trace.split_batch import Span
from attnviz.trace.tokens import Tokens


class Extents(NamedTuple):
    """Where every text of a batch lies, and every text of the decoder's own where there is one."""

    source: tuple[Span, ...]
    target: tuple[Span, ...] | None = None

    def of(self, stack: str) -> tuple[Span, ...]:
        """Where the tokens that a stack reads lie, text by text: the queries of its attentions."""
        return self.target if self.target is not None and stack == "decoder" else self.source


class Padded(NamedTuple):
    """Ids, padding and token types of a batch, [B, T] each; padding is 1 where there is a token."""

    ids: Tensor
    padding: Tensor
    types: Tensor | None = None  # token types; None where no text of the batch has any

    def to(self, device: torch.device) -> "Padded":
        return Padded(*(None if part is None else part.to(device) for part in self))  # type: ignore[arg-type]

    def extents(self) -> tuple[Span, ...]:
        """Where each text lies; its tokens are neighbours, with padding before or after them."""
        spans = []
        for row in self.padding.bool():
            places = row.nonzero()[:, 0]  # positions of this text's tokens
            spans.append(Span(int(places[0]), int(places[-1]) + 1, len(row)))
        return tuple(spans)


def batch_of(texts: Sequence[Tokens], pad_id: int) -> Padded:
    """Texts padded on the right."""
    longest = max(len(tokens) for tokens in texts)
    ids = [[*tokens.ids, *[pad_id] * (longest - len(tokens))] for tokens in texts]
    padding = [[*[1] * len(tokens), *[0] * (longest - len(tokens))] for tokens in texts]
    if not any(tokens.types for tokens in texts):
        return Padded(torch.tensor(ids), torch.tensor(padding))
    types = [[*(tokens.types or [0] * len(tokens)), *[0] * (longest - len(tokens))] for tokens in texts]
    return Padded(torch.tensor(ids), torch.tensor(padding), torch.tensor(types))
