"""How a mask is written for a stranger: what True means, in which numbers, in which shape."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from attnviz.checking.call.inputs import Inputs, kept_keys, keys_with_gaps, some_mask, with_blocked_row

MaskMeans = Literal["may look", "may not look", "added"]
Form = Literal["bool", "0/1", "added", "lengths"]
Shape = Literal["query key", "text 1 query key", "text query key", "text key", "text 1 1 key", "text"]

OF_QUERIES: tuple[Shape, ...] = ("query key", "text 1 query key", "text query key")
OF_KEYS: tuple[Shape, ...] = ("text key", "text 1 1 key")
_LENGTHS = re.compile(
    r"(?i)((x|src|source|key|k|kv|memory|text|seq|sequence|input|valid|token|enc)_?)*(lens?|lengths?)$"
)


def is_lengths(name: str) -> bool:
    """Whether an argument of this name says how long each text is."""
    return _LENGTHS.match(name) is not None


@dataclass(frozen=True)
class Convention:
    """How a mask is written for the candidate."""

    means: MaskMeans
    form: Form
    shape: Shape

    @property
    def names_keys_only(self) -> bool:
        """Whether a mask says for each text which keys are there, and nothing about queries."""
        return self.shape == "text" or self.shape in OF_KEYS

    def some(self, batch: int, tokens: int, seed: int = 7) -> Tensor:
        """A mask that leaves each query a key: bool [T, T], or [B, T] where it names keys only, True = may look."""
        if not self.names_keys_only:
            return some_mask(tokens, seed)
        return kept_keys(batch, tokens) if self.form == "lengths" else keys_with_gaps(batch, tokens)

    def blocking(self, batch: int, tokens: int) -> Tensor:
        """A mask under which query 1, or every query of text 1, may look at nothing: bool [T, T] or [B, T]."""
        if not self.names_keys_only:
            return with_blocked_row(tokens, 1)  # [T, T]
        kept = torch.ones(batch, tokens, dtype=torch.bool)  # [B, T]
        kept[-1] = False
        return kept

    def ours(self, allowed: Tensor, has_heads: bool) -> Tensor:
        """What `some` or `blocking` gave, as ours takes it: it broadcasts to the scores."""
        if not self.names_keys_only:
            return allowed  # [Tq, Tk]
        return allowed[:, None, None] if has_heads else allowed[:, None]  # [B, 1, 1, Tk], or [B, 1, Tk]

    def numbers(self, allowed: Tensor) -> Tensor:
        """bool, True = may look, of any shape: the same in the candidate's form and meaning."""
        if self.form == "lengths":
            return allowed.sum(-1)  # [B], whole numbers
        if self.form == "added":
            return torch.zeros(allowed.shape, dtype=torch.float64).masked_fill(~allowed, float("-inf"))  # as allowed
        mask = ~allowed if self.means == "may not look" else allowed  # as allowed
        return mask if self.form == "bool" else mask.to(torch.float64)

    def write(self, allowed: Tensor, batch: int) -> Tensor:
        """What `some` or `blocking` gave, as the candidate wants it."""
        mask = self.numbers(allowed)  # [Tq, Tk], [B, Tk] or [B]
        if self.shape == "text 1 1 key":
            return mask[:, None, None]  # [B, 1, 1, Tk]
        axes = {"text query key": (batch,), "text 1 query key": (batch, 1)}.get(self.shape, ())
        return mask.expand(*axes, *mask.shape).clone()  # [..., Tq, Tk] or [B, Tk]

    def hiding_nothing(self, inputs: Inputs) -> Tensor:
        """A mask for these inputs under which every query sees every key."""
        batch, queries, keys = inputs[0].shape[0], inputs[0].shape[-2], inputs[1].shape[-2]
        shape = (batch, keys) if self.names_keys_only else (queries, keys)
        return self.write(torch.ones(shape, dtype=torch.bool), batch)

    def __str__(self) -> str:
        written = {"bool": f"bool, True = {self.means}", "0/1": f"1 = {self.means}, 0 not", "added": "float, added"}
        written["lengths"] = "whole numbers, tokens that may be looked at"
        return f"{written[self.form]}, [{self.shape.replace(' ', ', ')}]"


def of_queries(declared: MaskMeans | None, has_torchs: bool, axes: int) -> Iterator[Convention]:
    """Every way a mask [query, key] may be wanted, the declared or usual one first; around torch's layer, torch's."""
    declared = "may not look" if declared is None and has_torchs else declared
    means: MaskMeans = declared or "may look"
    forms: tuple[Form, ...] = ("bool", "0/1") if declared else ("bool", "0/1", "added")
    for form in ("added",) if declared == "added" else forms:
        for shape in OF_QUERIES if axes > 2 else OF_QUERIES[:1]:
            yield Convention("added" if form == "added" else means, form, shape)


def of_keys(declared: MaskMeans | None, name: str) -> Iterator[Convention]:
    """Every way a mask of each text's keys may be wanted; one called key_padding_mask may mean the opposite."""
    if is_lengths(name):
        yield Convention("may look", "lengths", "text")
        return
    means: tuple[MaskMeans, ...] = ("may look",) if declared is None else (declared,)
    if declared is None and "pad" in name.lower():
        means = ("may not look", "may look")  # torch's key_padding_mask, and everybody else's
    for meaning in means:
        forms: tuple[Form, ...] = ("bool", "0/1") if declared else ("bool", "0/1", "added")
        for form in ("added",) if meaning == "added" else forms:
            for shape in OF_KEYS:
                yield Convention("added" if form == "added" else meaning, form, shape)
