"""Who could attend to which keys in a recorded run, kept as a rule and made into rows only when rows are asked for.

A mask over 8,192 tokens is 64 MB as a matrix and a few bytes as "causal, window 4096".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from attnviz.core.errors import MaskError
from attnviz.core.ops import NEVER, allowed_by

BLOCK_ROWS = 512  # of a dense mask, compared at a time
Rows = slice | Tensor  # queries: from a start to a stop, or [R] of them in any order


@dataclass(frozen=True, eq=False)
class Toeplitz:
    """A position bias that depends on the distance alone (T5, ALiBi): one number per head and distance.

    `values` is [H, T_q + T_k - 1]; the bias of query i and key j is in column j - i + T_q - 1.
    """

    values: Tensor
    n_queries: int

    def at(self, rows: Tensor, n_keys: int) -> Tensor:
        """The bias of some queries, rows [R]: [H, R, T_k]."""
        queries = rows.to(self.values.device)[:, None]  # [R, 1]
        keys = torch.arange(n_keys, device=self.values.device)[None, :]  # [1, T_k]
        return self.values[:, keys - queries + self.n_queries - 1]  # [H, R, T_k]

    @classmethod
    def of(cls, bias: Tensor) -> Toeplitz | None:
        """The vector of a dense [H, T_q, T_k] bias, or None when it is not the same along every diagonal."""
        n_queries, n_keys = bias.shape[-2:]
        values = torch.cat([bias[:, :, 0].flip(-1), bias[:, 0, 1:]], dim=-1)  # [H, T_q + T_k - 1]
        vector = cls(values.clone(), n_queries)
        return vector if torch.equal(vector.at(torch.arange(n_queries), n_keys), bias) else None


@dataclass(frozen=True, eq=False)
class Mask:
    """Causal order, window, padding and a bias, over `n_queries` x `n_keys`. True means can attend."""

    n_queries: int
    n_keys: int
    causal: bool = False  # a query sees keys up to its own position
    window: int | None = None  # and fewer than this many positions away
    offset: int = 0  # position of the first query, counted in keys (a cache puts keys before it)
    padding: Tensor | None = None  # bool [T_k]
    allowed: Tensor | None = None  # bool [1 | H, T_q, T_k], a mask that follows no rule
    bias: Tensor | Toeplitz | None = None  # float [1 | H, T_q, T_k], added to the scores

    def __post_init__(self) -> None:
        size = (self.n_queries, self.n_keys)
        if self.padding is not None and tuple(self.padding.shape) != (self.n_keys,):
            raise MaskError(id="padding-shape", shape=str(list(self.padding.shape)), n=str(self.n_keys))
        for name, part in (("allowed", self.allowed), ("bias", self.bias)):
            if isinstance(part, Tensor) and (part.ndim != 3 or tuple(part.shape[-2:]) != size):
                raise MaskError(
                    id="part-of-mask-shape",
                    name=name,
                    shape=str(list(part.shape)),
                    queries=str(size[0]),
                    keys=str(size[1]),
                )

    @property
    def is_open(self) -> bool:
        """Whether every query can attend to every key and nothing is added."""
        parts = (self.window, self.padding, self.allowed, self.bias)
        return not self.causal and all(part is None for part in parts)

    @property
    def tensors(self) -> dict[str, Tensor]:
        """The parts that are tensors, by name; a bias that depends on the distance alone is called `toeplitz`."""
        by_distance = isinstance(self.bias, Toeplitz)
        bias = self.bias.values if isinstance(self.bias, Toeplitz) else self.bias
        parts = {"padding": self.padding, "allowed": self.allowed, "toeplitz" if by_distance else "bias": bias}
        return {name: part for name, part in parts.items() if part is not None}

    @property
    def nbytes(self) -> int:
        """Bytes held by the parts that are tensors."""
        return sum(part.nbytes for part in self.tensors.values())

    def parts(self) -> tuple[dict[str, Any], dict[str, Tensor]]:
        """The mask as plain values and tensors, for a file."""
        header = {name: getattr(self, name) for name in ("n_queries", "n_keys", "causal", "window", "offset")}
        return header, self.tensors

    @classmethod
    def from_parts(cls, header: dict[str, Any], tensors: Mapping[str, Tensor]) -> Mask:
        bias: Tensor | Toeplitz | None = tensors.get("bias")
        if "toeplitz" in tensors:
            bias = Toeplitz(tensors["toeplitz"], header["n_queries"])
        return cls(**header, padding=tensors.get("padding"), allowed=tensors.get("allowed"), bias=bias)

    def key_stop(self, stop: int) -> int:
        """The end of the keys that queries before `stop` can attend to: keys from there on can be skipped."""
        return max(0, min(self.n_keys, stop + self.offset)) if self.causal else self.n_keys

    def allowed_rows(
        self, start: int, stop: int, head: int | None = None, device: torch.device | None = None
    ) -> Tensor:
        """Which keys queries start..stop can attend to: bool [1 | H, R, T_k] (a given head: [1, R, T_k])."""
        return self.allowed_at(torch.arange(start, stop, device=device), head)  # [1 | H, R, T_k]

    def allowed_at(self, rows: Tensor, head: int | None = None) -> Tensor:
        """Which keys some queries can attend to, rows [R] in any order: bool [1 | H, R, T_k]."""
        queries = rows[:, None] + self.offset  # [R, 1]
        keys = torch.arange(self.n_keys, device=rows.device)[None, :]  # [1, T_k]
        if self.causal:
            allowed = (keys <= queries)[None]  # [1, R, T_k]
        else:
            allowed = torch.ones(1, len(rows), keys.shape[1], dtype=torch.bool, device=keys.device)  # [1, R, T_k]
        if self.window is not None:
            allowed = allowed & ((queries - keys).abs() < self.window)
        if self.padding is not None:
            allowed = allowed & self.padding.to(keys.device)
        if self.allowed is not None:
            of_head = _of_head(self.allowed, head)[:, rows.to(self.allowed.device)]  # [1 | H, R, T_k]
            allowed = allowed & of_head.to(keys.device)
        return allowed

    def bias_rows(self, start: int, stop: int, head: int | None = None) -> Tensor | None:
        """What is added to the scores of queries start..stop: float [1 | H, R, T_k], or None."""
        return self.bias_at(torch.arange(start, stop), head)  # [1 | H, R, T_k] or None

    def bias_at(self, rows: Tensor, head: int | None = None) -> Tensor | None:
        """What is added to the scores of some queries, rows [R] in any order: float [1 | H, R, T_k], or None."""
        if self.bias is None:
            return None
        if isinstance(self.bias, Toeplitz):
            return _of_head(self.bias.at(rows, self.n_keys), head)  # [H, R, T_k]
        return _of_head(self.bias, head)[:, rows.to(self.bias.device)]  # [1 | H, R, T_k]

    def rows(self, start: int, stop: int, head: int | None = None) -> Tensor:
        """The bias (or 0) where queries start..stop can attend, −∞ where they cannot: float [1 | H, R, T_k]."""
        bias = self.bias_rows(start, stop, head)  # [1 | H, R, T_k] or None
        allowed = self.allowed_rows(start, stop, head, None if bias is None else bias.device)  # [1 | H, R, T_k]
        return torch.where(allowed, 0.0 if bias is None else bias.float(), NEVER)  # [1 | H, R, T_k]

    def tensor(self, device: torch.device | None = None) -> Tensor | None:
        """The whole mask for a kernel: bool [1 | H, T_q, T_k], float where there is a bias, None where all is open."""
        if self.is_open:
            return None
        if self.bias is None:
            return self.allowed_rows(0, self.n_queries, device=device)  # [1 | H, T_q, T_k]
        return self.rows(0, self.n_queries).to(device)  # [1 | H, T_q, T_k]

    @classmethod
    def of(cls, mask: Tensor | None, n_queries: int, n_keys: int) -> Mask:
        """The shortest description of a dense mask that gives the same rows; at worst the mask itself, by reference.

        Args:
            mask: bool (True = can attend) or additive float, [T_q, T_k] or [1 | H, T_q, T_k], broadcastable; or None.
        """
        if mask is None:
            return cls(n_queries, n_keys)
        dense = mask.expand(*mask.shape[:-2], n_queries, n_keys).reshape(-1, n_queries, n_keys)  # [1 | H, T_q, T_k]
        if dense.dtype != torch.bool:
            allowed = allowed_by(dense)  # [1 | H, T_q, T_k]
            if bool(((dense != NEVER) & ~allowed.any(-1, keepdim=True)).any()):  # rows that softmax makes even
                return cls(n_queries, n_keys, bias=Toeplitz.of(dense) or dense)
            bias = dense.masked_fill(~allowed, 0.0)  # [1 | H, T_q, T_k]
            order = cls.of(allowed, n_queries, n_keys)
            return replace(order, bias=Toeplitz.of(bias) or bias) if bool(bias.any()) else order
        if bool(dense.all()):
            return cls(n_queries, n_keys)
        seen = dense.any(0).any(0)  # [T_k]
        padding = None if bool(seen.all()) else seen
        first, last = (int(dense[0, row].sum()) for row in (0, -1))  # as many keys as a window has
        rules = [
            cls(n_queries, n_keys, padding=padding),
            cls(n_queries, n_keys, causal=True, padding=padding),
            cls(n_queries, n_keys, causal=True, offset=max(0, n_keys - n_queries), padding=padding),
            cls(n_queries, n_keys, window=first),
            cls(n_queries, n_keys, causal=True, window=last),
        ]
        rule = next((rule for rule in rules if rule.gives(dense)), None)
        if rule is not None:
            return rule
        return cls(n_queries, n_keys, allowed=dense)

    def within(self, window: int) -> Mask:
        """The same mask, which says that the model's window is as wide; a text that is no longer than it shows none."""
        return self if self.is_open or self.n_keys > window else replace(self, window=window)

    def gives(self, dense: Tensor) -> bool:
        """Whether it gives exactly this dense mask, bool [1 | H, T_q, T_k], compared a block of rows at a time."""
        blocks = range(0, self.n_queries, BLOCK_ROWS)
        return all(
            bool((self.allowed_rows(a, min(a + BLOCK_ROWS, self.n_queries), device=dense.device)
                  == dense[:, a : a + BLOCK_ROWS]).all())
            for a in blocks
        )  # fmt: skip


def heads_of(head: int | None) -> slice:
    """One head, or all of them, as a slice; a negative number is counted from the end."""
    return slice(None) if head is None else slice(head, head + 1 or None)


def _of_head(rows: Tensor, head: int | None) -> Tensor:
    if head is None or rows.shape[0] == 1:
        return rows
    return rows[heads_of(head)]
