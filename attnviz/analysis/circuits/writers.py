"""What writes into a residual stream, and which tensors of a run hold one writer's numbers alone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import pandas as pd
from torch import Tensor

WriterKind = Literal["embedding", "position", "token type", "head", "feed-forward", "bias"]
TAG = "_attnviz_leaf"  # the attribute of a tensor that holds one writer's numbers alone


@dataclass(frozen=True)
class Writer:
    """One thing that writes into the residual stream."""

    kind: WriterKind
    layer: int | None = None  # None before the first block, and for what stands after the last
    site: str = ""  # of a head
    head: int | None = None
    name: str = ""  # of a bias: the parameter's own
    stack: str = ""  # of a feed-forward: encoder or decoder

    @property
    def label(self) -> str:
        """`"head encoder.0.self 3"`, `"feed-forward encoder.0"`, `"bias ln_1.bias"`, `"embedding"`."""
        place = self.layer if self.layer is None else f"{self.stack}.{self.layer}"
        names = {"head": f" {self.site} {self.head}", "feed-forward": f" {place}", "bias": f" {self.name}"}
        return self.kind + names.get(self.kind, "")


def places(writers: Sequence[Writer]) -> pd.DataFrame:
    """Which each writer is: `kind`, `site`, `layer` and `head`, <NA> where it has none, and its `writer` label."""
    table = pd.DataFrame(
        [(writer.kind, writer.site, writer.layer, writer.head, writer.label) for writer in writers],
        columns=["kind", "site", "layer", "head", "writer"],
    )
    return table.astype({"layer": "Int64", "head": "Int64"})


@dataclass(eq=False)
class Leaf:
    """What was written at one place of the run, for all tokens."""

    kind: WriterKind
    value: Tensor  # [..., T, d], or [d] of a bias
    layer: int | None = None
    site: str = ""
    name: str = ""
    stack: str = ""
    merged: Tensor | None = None  # [1, T, H·d_v], of heads: what W_O read
    w_o: Callable[[Tensor], Tensor] | None = None  # [R, H·d_v] -> [R, d_model]


def is_followed(part: object) -> bool:
    return isinstance(part, Tensor) and part.requires_grad


def leaf_of(value: Tensor) -> Leaf | None:
    return getattr(value, TAG, None)


def tagged(value: Tensor, leaf: Leaf | None) -> Tensor:
    if leaf is not None:
        setattr(value, TAG, leaf)
    return value


def passed_on(result: Any, source: Sequence[Tensor]) -> Any:
    """The result of an operator that only reshapes; it keeps its input's writer tag."""
    leaf = leaf_of(source[0]) if len(source) == 1 else None
    if leaf is not None and not (isinstance(result, Tensor) and result is source[0]):
        for part in result if isinstance(result, tuple | list) else (result,):
            if is_followed(part):
                tagged(part, leaf)
    return result
