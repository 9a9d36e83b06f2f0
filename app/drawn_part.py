"""What of a long text or a wide matrix a closer look draws, and the sentence that says so. Knows no Streamlit."""

from __future__ import annotations

from dataclasses import dataclass

from attnviz.core.tokens import Tokens
from attnviz.text import Strings
from attnviz.views.panel.blocks import Prose

MOST = 64  # tokens, and columns of a wide matrix


@dataclass(frozen=True)
class Part:
    """Some neighbouring rows or columns out of all of them."""

    names: tuple[str, ...]  # of those that are drawn
    first: int  # from 0
    total: int

    @property
    def cut(self) -> slice:
        return slice(self.first, self.first + len(self.names))

    def place(self, at: int) -> int | None:
        """Where one of all stands among those that are drawn."""
        return at - self.first if 0 <= at - self.first < len(self.names) else None


def of_tokens(tokens: Tokens, first: int = 0) -> Part:
    """The tokens that are drawn: all up to 64, else 64 from `first` on."""
    n = len(tokens)
    first = max(0, min(first, n - MOST))
    return Part(tuple(tokens.name(at) for at in range(first, min(n, first + MOST))), first, n)


def of_columns(n: int) -> Part:
    """The first columns of a wide matrix, by their numbers from 1."""
    return Part(tuple(str(at + 1) for at in range(min(n, MOST))), 0, n)


def cell(rows: Part, columns: Part, row: int, column: int) -> tuple[int, int] | None:
    """A cell of the whole matrix as a cell of what is drawn, if it is."""
    place = rows.place(row), columns.place(column)
    return None if place[0] is None or place[1] is None else (place[0], place[1])


def said(say: Strings, *parts: Part, columns: Part | None = None) -> tuple[Prose, ...]:
    """One sentence for each axis that is not drawn whole, tokens first."""
    cut = {(part.first, part.total): part for part in parts if len(part.names) < part.total}
    sentences = [
        Prose(say("look-part-tokens", first=part.first + 1, last=part.first + len(part.names), n=part.total))
        for part in cut.values()
    ]
    if columns is not None and len(columns.names) < columns.total:
        sentences.append(Prose(say("look-part-columns", shown=len(columns.names), n=columns.total)))
    return tuple(sentences)
