"""Keys and values of tokens that were already read, so that writing one more token does not compute them again.

A key depends only on its own token and those before it, so in a causal decoder it never changes. The cache belongs to
whoever decodes; the model keeps nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import torch
from torch import Tensor

from attnviz.core.site import Site


@dataclass
class KeysAndValues:
    """What one attention has read so far.

    `is_fixed` is for cross-attention: the encoder's tokens are all there from the start, so nothing is ever appended.
    """

    is_fixed: bool = False
    k: Tensor | None = None  # [B, H, Tk, Dh]
    v: Tensor | None = None  # [B, H, Tk, Dv]

    def extend(self, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """Append the new tokens' keys and values, [B, H, Tq, Dh] and [B, H, Tq, Dv]; returns those of all tokens."""
        self.k = k if self.k is None else torch.cat([self.k, k], dim=-2)  # [B, H, Tk, Dh]
        self.v = v if self.v is None else torch.cat([self.v, v], dim=-2)  # [B, H, Tk, Dv]
        return self.k, self.v


@dataclass
class KeyValueCache:
    """One `KeysAndValues` for each attention of a decoder, by its site."""

    parts: dict[Site, KeysAndValues] = field(default_factory=dict)

    def of(self, site: Site) -> KeysAndValues:
        """The part that belongs to this attention; empty when it has read nothing yet."""
        return self.parts.setdefault(site, KeysAndValues(is_fixed=site.kind == "cross"))

    @property
    def n_tokens(self) -> int:
        """How many tokens the decoder has read."""
        first = next((part for site, part in self.parts.items() if site.kind == "self"), None)
        return 0 if first is None or first.k is None else first.k.shape[-2]

    def select(self, rows: Tensor) -> None:
        """Keep these rows of the batch, in this order: a beam continues from any of the beams before it.

        Args:
            rows: [B] whole numbers, each a row of the batch so far.
        """
        for part in self.parts.values():
            if part.k is not None and part.v is not None and not part.is_fixed:
                part.k = part.k.index_select(0, rows)  # [B, H, Tk, Dh]
                part.v = part.v.index_select(0, rows)  # [B, H, Tk, Dv]
