"""How a poem is built, and where each of its characters should look: lines of one length, closed by marks, in couplets.

A row of attention reads one token and writes the next: row r reads word r − 1, or <start>, and writes word r. Column c
is word c − 1.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from attnviz.training.tasks.task import Example, KeysByRow

MARKS = "，。？！；"
OPEN, CLOSE = "《", "》"  # around a title
NARROW, WIDE = 5, 7  # characters a line
FORMS = ((NARROW, 4), (WIDE, 4), (NARROW, 8), (WIDE, 8))  # and how many lines


@dataclass(frozen=True)
class Verse:
    """A poem or the beginning of one."""

    width: int  # characters of each line
    lines: tuple[int, ...]  # the word with which each line begins

    def column(self, line: int, place: int) -> int:
        """The column of one character."""
        return self.lines[line] + place + 1


def verse(words: tuple[str, ...]) -> Verse | None:
    """The lines of a text or of its beginning, with or without a title; None if it is no verse of one of the forms."""
    first = words.index(CLOSE) + 1 if words[:1] == (OPEN,) and CLOSE in words else 0
    marks = [at for at in range(first, len(words)) if words[at] in MARKS]
    n_first = (marks or [len(words)])[0] - first  # characters of the first line, which may not be closed yet
    width = n_first if marks else NARROW if n_first <= NARROW else WIDE
    lines = tuple(range(first, len(words), width + 1))
    is_even = marks == [end for line in lines if (end := line + width) < len(words)]
    if not is_even or not any(width == wide and len(lines) <= n for wide, n in FORMS):
        return None
    return Verse(width, lines)


def previous(example: Example) -> KeysByRow:
    """A row should attend to the character before the one it reads."""
    return {row: frozenset({row - 1}) for row in range(2, len(example.source) + 1)}


def mark_before(example: Example) -> KeysByRow:
    """Within a line, to the mark that closed the line before: from there its characters are counted."""
    return _keys(example, lambda poem, line, place: [poem.lines[line]] if place else [])


def first_line(example: Example) -> KeysByRow:
    """After the first line, to its characters."""
    return _keys(example, lambda poem, line, place: [poem.column(0, at) for at in range(poem.width)])


def rhyme(example: Example) -> KeysByRow:
    """The last character of an even line, to that of each even line before."""
    return _keys(
        example,
        lambda poem, line, place: (
            [poem.column(before, place) for before in range(1, line, 2)] if line % 2 and place == poem.width - 1 else []
        ),
    )


def same_place(example: Example) -> KeysByRow:
    """In the second line of a couplet, to the character at the same place of the first."""
    return _keys(
        example,
        lambda poem, line, place: [poem.column(line - 1, place)] if line % 2 and place < poem.width else [],
    )


def _keys(example: Example, columns: Callable[[Verse, int, int], Iterable[int]]) -> KeysByRow:
    """The columns for each row from the second line on, by the line and the place in it, counted from 0, of the word
    that the row writes; the place after the last one is that of the mark."""
    poem = verse(example.source)
    if poem is None:
        return {}
    rows = {
        begin + place: frozenset(columns(poem, line, place))
        for line, begin in enumerate(poem.lines)
        for place in range(poem.width + 1)
        if line and begin + place <= len(example.source)
    }
    return {row: keys for row, keys in rows.items() if keys}
