"""Which tokens of a long text a closer look draws, and the sentence that says so. Knows no Streamlit."""

from dataclasses import dataclass
from typing import Literal

from torch import Tensor

from attnviz.text import Strings
from attnviz.trace.tokens import Tokens
from attnviz.views.panel.blocks import Map, Prose

MOST = 64  # tokens


@dataclass(frozen=True)
class TokenSlice:
    """Some neighbouring tokens out of all of them."""

    names: tuple[str, ...]  # of those that are drawn
    first: int  # from 0
    total: int

    @property
    def cut(self) -> slice:
        return slice(self.first, self.first + len(self.names))

    def place(self, at: int) -> int | None:
        """Where one of all stands among those that are drawn."""
        return at - self.first if 0 <= at - self.first < len(self.names) else None


def of_tokens(tokens: Tokens, first: int = 0) -> TokenSlice:
    """The tokens that are drawn: all up to 64, else 64 from `first` on."""
    n = len(tokens)
    first = max(0, min(first, n - MOST))
    return TokenSlice(tuple(tokens.name(at) for at in range(first, min(n, first + MOST))), first, n)


def holding(at: int, first: int) -> int:
    """Where a part has to begin to hold a token: at `first` if that part does, else so that it stands in the middle."""
    return first if first <= at < first + MOST else at - MOST // 2


def token_map(
    title: str, values: Tensor, rows: TokenSlice, columns: TokenSlice, say: Strings,
    scale: Literal["share", "signed"] = "share", *, axes: tuple[str, str] = ("query", "key"),
    marked: tuple[int, int] | None = None,
) -> Map:  # fmt: skip
    """The drawn part of a matrix over all tokens, on the fixed scale of its kind; `marked` is a cell of the whole."""
    row, column = (rows.place(marked[0]), columns.place(marked[1])) if marked else (None, None)
    return Map(
        title, values[rows.cut, columns.cut], rows.names, columns.names, scale, limit=1.0,
        row_axis=say(f"look-axis-{axes[0]}"), column_axis=say(f"look-axis-{axes[1]}"),
        marked=None if row is None or column is None else (row, column),
    )  # fmt: skip


def said(say: Strings, *parts: TokenSlice) -> tuple[Prose, ...]:
    """One sentence for each text that is not drawn whole."""
    cut = {(part.first, part.total): part for part in parts if len(part.names) < part.total}
    return tuple(
        Prose(say("look-part-tokens", first=part.first + 1, last=part.first + len(part.names), n=part.total))
        for part in cut.values()
    )


def numbered(n: int) -> tuple[str, ...]:
    """The names of columns that have none: their numbers, from 1."""
    return tuple(str(at + 1) for at in range(n))
