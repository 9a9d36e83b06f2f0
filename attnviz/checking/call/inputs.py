"""What a candidate is fed: sizes that cannot be mistaken for one another, drawn inputs, masks in every format."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

Inputs = tuple[Tensor, Tensor, Tensor]  # query, key, value


def sizes_unlike(n_heads: int, head_width: int) -> tuple[int, int]:
    """How many texts of how many tokens are fed: no two axes are equally long, so that a mixed-up axis shows."""
    taken = {n_heads, head_width, n_heads * head_width}
    batch, tokens = [n for n in (2, 3, 5, 7, 11, 13) if n not in taken][:2]
    return batch, tokens if tokens > 3 else 5 if 5 not in taken else 7


def draw(shape: tuple[int, ...], seed: int) -> Tensor:
    """Normal numbers in float64, the same on every machine."""
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def some_mask(tokens: int, seed: int) -> Tensor:
    """bool [T, T], True = can attend: each token to itself and the one before, none to all; not symmetric."""
    allowed = draw((tokens, tokens), seed) > 0  # [T, T]
    places = torch.arange(tokens)
    allowed[places, places] = True
    allowed[places, (places - 1) % tokens] = True
    allowed[places, (places + 1) % tokens] = False
    return allowed


def keys_by_length(batch: int, tokens: int) -> Tensor:
    """bool [B, T_k], True = can attend: text 0 lacks its last token, text 1 its last two, …; the first always stays."""
    lengths = (tokens - 1 - torch.arange(batch)).clamp(min=1)  # [B]
    return torch.arange(tokens) < lengths[:, None]  # [B, T_k]


@dataclass(frozen=True)
class AxisOrder:
    """How [B, T, d_model] is given in a call."""

    name: str
    is_turned: bool = False  # [T, B, d_model]
    is_single: bool = False  # one text, [T, d_model]

    def permuted(self, x: Tensor) -> Tensor:
        """[B, T, d_model] as the candidate takes it."""
        if self.is_single:
            return x[0]  # [T, d_model]
        return x.transpose(0, 1).contiguous() if self.is_turned else x  # [T, B, d_model]

    def restored(self, tensor: Tensor, shape: tuple[int, ...]) -> Tensor:
        """An output of this shape turned back to [B, T, d_model]; any other tensor unchanged."""
        if self.is_single:
            return tensor[None] if tuple(tensor.shape) == shape[1:] else tensor  # [1, T, d_model]
        is_output = self.is_turned and tuple(tensor.shape) == (shape[1], shape[0], *shape[2:])
        return tensor.transpose(0, 1) if is_output else tensor  # [B, T, d_model]


BATCH_FIRST = AxisOrder("[batch, token, feature]")
TOKENS_FIRST = AxisOrder("[token, batch, feature]", is_turned=True)
ONE_TEXT = AxisOrder("[token, feature]", is_single=True)


MaskMeans = Literal["can attend", "cannot attend", "added"]
Form = Literal["bool", "0/1", "added", "lengths"]
Shape = Literal["query key", "text 1 query key", "text query key", "text key", "text 1 1 key", "text"]

_QUERY_SHAPES: tuple[Shape, ...] = ("query key", "text 1 query key", "text query key")
_KEY_SHAPES: tuple[Shape, ...] = ("text key", "text 1 1 key")
_LENGTHS = re.compile(
    r"(?i)((x|src|source|key|k|kv|memory|text|seq|sequence|input|valid|token|enc)_?)*(lens?|lengths?)$"
)


def is_lengths(name: str) -> bool:
    """Whether an argument of this name says how long each text is."""
    return _LENGTHS.match(name) is not None


@dataclass(frozen=True)
class MaskFormat:
    means: MaskMeans
    form: Form
    shape: Shape

    @property
    def is_of_keys(self) -> bool:
        """Whether a mask says which keys each text has, and nothing about queries."""
        return self.shape == "text" or self.shape in _KEY_SHAPES

    def example(self, batch: int, tokens: int) -> Tensor:
        """A mask that leaves each query a key: bool, True = can attend, [T, T], or [B, T] where it is of keys."""
        if not self.is_of_keys:
            return some_mask(tokens, 7)
        kept = keys_by_length(batch, tokens)  # [B, T]
        if self.form != "lengths":
            kept[1::2, 1] = False  # every second text lacks its second token too, which no length says
        return kept

    def blocking(self, batch: int, tokens: int) -> Tensor:
        """A mask under which query 1, or every query of the last text, can attend to nothing: bool [T, T] or [B, T]."""
        allowed = torch.ones(batch if self.is_of_keys else tokens, tokens, dtype=torch.bool)
        allowed[-1 if self.is_of_keys else 1] = False
        return allowed

    def alone(self, batch: int, tokens: int) -> Tensor:
        """A mask that leaves each query one key, the first of its text: bool [T, T] or [B, T]."""
        return (torch.arange(tokens) == 0).repeat(batch if self.is_of_keys else tokens, 1)

    def broadcast(self, allowed: Tensor, has_heads: bool) -> Tensor:
        """A mask of `example` or `blocking` so that it broadcasts to the scores."""
        if not self.is_of_keys:
            return allowed  # [T_q, T_k]
        return allowed[:, None, None] if has_heads else allowed[:, None]  # [B, 1, 1, T_k] or [B, 1, T_k]

    def encoded(self, allowed: Tensor) -> Tensor:
        """bool, True = can attend, of any shape, in this format's dtype and meaning."""
        if self.form == "lengths":
            return allowed.sum(-1)  # [B]
        if self.form == "added":
            return torch.zeros(allowed.shape, dtype=torch.float64).masked_fill(~allowed, float("-inf"))
        mask = ~allowed if self.means == "cannot attend" else allowed
        return mask if self.form == "bool" else mask.to(torch.float64)

    def written(self, allowed: Tensor, batch: int) -> Tensor:
        """A mask of `example` or `blocking` as the candidate takes it."""
        mask = self.encoded(allowed)  # [T_q, T_k], [B, T_k] or [B]
        if self.shape == "text 1 1 key":
            return mask[:, None, None]  # [B, 1, 1, T_k]
        axes = {"text query key": (batch,), "text 1 query key": (batch, 1)}.get(self.shape, ())
        return mask.expand(*axes, *mask.shape).clone()  # [..., T_q, T_k] or [B, T_k]

    def open(self, inputs: Inputs) -> Tensor:
        """A mask that hides nothing of these inputs."""
        batch, queries, keys = inputs[0].shape[0], inputs[0].shape[-2], inputs[1].shape[-2]
        return self.written(torch.ones(batch if self.is_of_keys else queries, keys, dtype=torch.bool), batch)

    def __str__(self) -> str:
        forms = {
            "bool": f"bool, True = {self.means}", "0/1": f"1 = {self.means}, 0 not", "added": "float, added",
            "lengths": "whole numbers, tokens of each text",
        }  # fmt: skip
        return f"{forms[self.form]}, [{self.shape.replace(' ', ', ')}]"


def query_formats(declared: MaskMeans | None, has_torchs: bool, axes: int) -> Iterator[MaskFormat]:
    """Every format of a mask [query, key], the declared or usual one first. Around torch's layer, or with its
    arguments, it may be torch's own or everybody else's."""
    usual: tuple[MaskMeans, ...] = ("cannot attend", "can attend") if has_torchs else ("can attend",)
    for means in usual if declared is None else (declared,):
        for form in _forms(means, is_declared=declared is not None):
            for shape in _QUERY_SHAPES if axes > 2 else _QUERY_SHAPES[:1]:
                yield MaskFormat("added" if form == "added" else means, form, shape)


def key_formats(declared: MaskMeans | None, has_torchs: bool, name: str) -> Iterator[MaskFormat]:
    """Every format of a mask of each text's keys, which may mean either around torch's layer or by its name."""
    if is_lengths(name):
        yield MaskFormat("can attend", "lengths", "text")
        return
    means: tuple[MaskMeans, ...] = (declared or "can attend",)
    if declared is None and (has_torchs or "pad" in name.lower()):
        means = ("cannot attend", "can attend")  # torch's key_padding_mask, and everybody else's
    for meaning in means:
        for form in _forms(meaning, is_declared=declared is not None):
            for shape in _KEY_SHAPES:
                yield MaskFormat("added" if form == "added" else meaning, form, shape)


def _forms(means: MaskMeans, is_declared: bool) -> tuple[Form, ...]:
    if means == "added":
        return ("added",)
    return ("bool", "0/1") if is_declared else ("bool", "0/1", "added")
