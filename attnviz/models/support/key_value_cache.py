"""Keys and values of the tokens read so far, so that a decoder computes only the new token at each step.

A key depends on its own token and those before it, so in a causal decoder it never changes. The cache belongs to the
caller; the model keeps nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from attnviz.core.errors import InputError, TraceShapeError
from attnviz.core.site import Site


@dataclass
class KeysAndValues:
    """The keys and values of one attention.

    Self-attention appends those of each new token. Cross-attention (`is_cross`) reads the whole source at the first
    step and appends nothing.
    """

    is_cross: bool = False
    k: Tensor | None = None  # [B, G, T_k, d_k], of the heads of keys; after rotary positions
    v: Tensor | None = None  # [B, G, T_k, d_v]
    source: Tensor | None = None  # of cross-attention: what k was computed from, [B, Ts, width]

    @property
    def n_tokens(self) -> int:
        """How many tokens' keys are held: the position of the next one."""
        return 0 if self.k is None else self.k.shape[-2]

    def extend(self, k: Tensor, v: Tensor, source: Tensor) -> tuple[Tensor, Tensor]:
        """Append the keys [B, G, T, d_k] and values [B, G, T, d_v] of new tokens.

        Args:
            source: [B, T, width], what they were computed from.
        Returns:
            those of all tokens, [B, G, T_k, d_k] and [B, G, T_k, d_v].
        """
        if self.k is not None and self.k.shape[0] != k.shape[0]:
            raise TraceShapeError(id="cache-of-others", came=k.shape[0], expected=self.k.shape[0])
        self.source = source if self.is_cross else None  # [B, Ts, width]
        self.k = k if self.k is None else torch.cat([self.k, k], dim=-2)  # [B, G, T_k, d_k]
        self.v = v if self.v is None else torch.cat([self.v, v], dim=-2)  # [B, G, T_k, d_v]
        return self.k, self.v  # [B, G, T_k, d_k], [B, G, T_k, d_v]

    def of_source(self, source: Tensor) -> tuple[Tensor, Tensor] | None:
        """Keys and values of cross-attention, or None before the first step and in self-attention."""
        if self.source is None or self.k is None or self.v is None:
            return None
        if source is not self.source and not torch.equal(source, self.source):
            raise InputError(id="cache-of-other-memory")
        return self.k, self.v  # [B, G, Ts, d_k], [B, G, Ts, d_v]


@dataclass
class KeyValueCache:
    """One `KeysAndValues` for each attention of a decoder, by its site."""

    parts: dict[Site, KeysAndValues] = field(default_factory=dict)

    def of(self, site: Site) -> KeysAndValues:
        """The part of this attention; empty when it has read nothing yet."""
        return self.parts.setdefault(site, KeysAndValues(is_cross=site.kind == "cross"))

    @property
    def n_tokens(self) -> int:
        """How many tokens the decoder has read."""
        first = next((part for part in self.parts.values() if not part.is_cross), None)
        return 0 if first is None else first.n_tokens

    def select(self, rows: Sequence[int]) -> None:
        """Keep these rows of the batch, in this order: each beam continues one of the beams before it.

        Memory of several texts is reordered too: pass memory[rows] from then on. Memory of one text stays as it is.
        """
        for part in self.parts.values():
            if part.k is None or part.v is None or (part.is_cross and part.k.shape[0] == 1):
                continue
            index = torch.tensor(rows, dtype=torch.long, device=part.k.device)  # [B]
            part.k, part.v = part.k[index], part.v[index]  # [B, G, T_k, d_k], [B, G, T_k, d_v]
            part.source = None if part.source is None else part.source[index]  # [B, Ts, width]
