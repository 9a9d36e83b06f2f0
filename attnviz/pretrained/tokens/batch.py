"""Texts of a batch side by side, and where each lies in it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from attnviz.core.site import Site
from attnviz.trace.tokens import Tokens


@dataclass(frozen=True)
class Extent:
    """Where one text lies in its padded batch."""

    index: int  # which text of the batch
    start: int  # its first token
    stop: int  # one past its last

    @property
    def n_tokens(self) -> int:
        return self.stop - self.start

    @property
    def slice(self) -> slice:
        return slice(self.start, self.stop)


class Extents(NamedTuple):
    """Where every text of a batch lies, and every text of the decoder's own where there is one."""

    source: tuple[Extent, ...]
    target: tuple[Extent, ...] | None = None

    def of(self, stack: str) -> tuple[Extent, ...]:
        """Where the tokens that a stack reads lie, text by text: the queries of its attentions."""
        return self.target if self.target is not None and stack == "decoder" else self.source

    def keys(self, site: Site) -> tuple[Extent, ...]:
        """Where the tokens on the key axis of a site lie, text by text."""
        return self.source if site.kind == "cross" else self.of(site.stack)


class Padded(NamedTuple):
    """Ids, padding and token types of a batch, [B, T] each; padding is 1 where there is a token."""

    ids: Tensor
    padding: Tensor
    types: Tensor | None = None  # token types; None where no text of the batch has any

    def to(self, device: torch.device) -> "Padded":
        return Padded(*(None if it is None else it.to(device) for it in self))  # type: ignore[arg-type]

    def extents(self) -> tuple[Extent, ...]:
        """Where each text lies; its tokens are neighbours, with padding before or after them."""
        found = []
        for index, row in enumerate(self.padding.bool()):
            own = row.nonzero()[:, 0]  # positions of this text's tokens
            found.append(Extent(index, int(own[0]), int(own[-1]) + 1))
        return tuple(found)


def batch_of(texts: Sequence[Tokens], pad_id: int) -> Padded:
    """Texts padded on the right."""
    longest = max(len(tokens) for tokens in texts)
    ids = [[*tokens.ids, *[pad_id] * (longest - len(tokens))] for tokens in texts]
    padding = [[*[1] * len(tokens), *[0] * (longest - len(tokens))] for tokens in texts]
    if not any(tokens.types for tokens in texts):
        return Padded(torch.tensor(ids), torch.tensor(padding))
    types = [[*(tokens.types or [0] * len(tokens)), *[0] * (longest - len(tokens))] for tokens in texts]
    return Padded(torch.tensor(ids), torch.tensor(padding), torch.tensor(types))
