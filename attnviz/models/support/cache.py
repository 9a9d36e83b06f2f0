"""Keys and values of tokens that were already read, so that writing one more token does not compute them again.

A key depends only on its own token and those before it, so in a causal decoder it never changes. The cache belongs to
whoever decodes; the model keeps nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import torch
from torch import Tensor

from attnviz.core.errors import InputError, TraceShapeError
from attnviz.core.site import Site
from attnviz.models.support.checks import check_kind


@dataclass
class KeysAndValues:
    """What one attention has read so far.

    `is_fixed` is for cross-attention: the encoder's tokens are all there from the start, so nothing is ever appended.
    """

    is_fixed: bool = False
    k: Tensor | None = None  # [B, H, Tk, Dh]
    v: Tensor | None = None  # [B, H, Tk, Dv]
    read: tuple[Tensor, Tensor] | None = None  # where is_fixed: what k and v were made from, [B, Tk, width] each

    def extend(self, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """Append the new tokens' keys and values, [B, H, Tq, Dh] and [B, H, Tq, Dv]; returns those of all tokens.

        Raises:
            TraceShapeError: the tokens read before were of another batch.
        """
        if self.k is not None and self.k.shape[0] != k.shape[0]:
            raise TraceShapeError(
                f"{k.shape[0]} texts came and the cache holds {self.k.shape[0]}; expected the same texts as before. "
                "Call cache.select(rows) when texts are dropped or repeated, or begin with a new cache."
            )
        self.k = k if self.k is None else torch.cat([self.k, k], dim=-2)  # [B, H, Tk, Dh]
        self.v = v if self.v is None else torch.cat([self.v, v], dim=-2)  # [B, H, Tk, Dv]
        return self.k, self.v  # [B, H, Tk, Dh], [B, H, Tk, Dv]

    def of_source(self, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor] | None:
        """Cross-attention's keys and values, if it has read this source already.

        Args:
            key, value: [B, Tk, width], the source as it came this time.
        Returns:
            [B, H, Tk, Dh] and [B, H, Tk, Dv]; None when nothing was read yet.
        Raises:
            InputError: the source is another one than that which was read.
        """
        if self.k is None or self.v is None or self.read is None:
            return None
        if not all(_is_same(before, now) for before, now in zip(self.read, (key, value), strict=True)):
            raise InputError(
                "Another memory came than the one whose keys the cache holds; expected the same at every step. "
                "Begin another text with a new KeyValueCache, and pass memory[rows] after cache.select(rows)."
            )
        return self.k, self.v  # [B, H, Tk, Dh], [B, H, Tk, Dv]


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

        Memory of several texts is reordered with them: pass memory[rows] from then on. Memory of one text stays.

        Args:
            rows: [B] whole numbers, each a row of the batch so far.
        Raises:
            InputError: rows are no tensor of whole numbers.
        """
        if not isinstance(rows, Tensor) or rows.dtype not in (torch.int64, torch.int32):
            raise InputError(f"rows came as {rows!r}; expected a tensor of row numbers, such as torch.tensor([0, 0]).")
        for part in self.parts.values():
            if part.k is None or part.v is None or (part.is_fixed and part.k.shape[0] == 1):
                continue  # one source that all texts look at stays one
            part.k = part.k.index_select(0, rows)  # [B, H, Tk, Dh]
            part.v = part.v.index_select(0, rows)  # [B, H, Tk, Dv]
            if part.read is not None:
                key, value = part.read  # [B, Tk, width] each
                part.read = key.index_select(0, rows), value.index_select(0, rows)  # [B, Tk, width] each


def check_cache(cache: object) -> None:
    """Refuse what is no cache; None is no cache at all, and fine.

    Raises:
        InputError: says what came.
    """
    if cache is not None:
        check_kind("cache", cache, KeyValueCache, "Begin with KeyValueCache(), one for each text being written.")


def _is_same(before: Tensor, now: Tensor) -> bool:
    """Whether the source is the one that was read; one source may have been repeated for every text."""
    if before is now:
        return True
    if before.shape[1:] != now.shape[1:] or before.shape[0] not in (1, now.shape[0]):
        return False
    return torch.equal(before.expand_as(now), now)
