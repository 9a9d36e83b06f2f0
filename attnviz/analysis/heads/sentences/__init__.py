"""Sentences written for this project, a file for each language, and lists that a person brings."""

from functools import cache
from importlib.resources import files
from pathlib import Path

from attnviz.core.errors import InputError

LANGUAGES = ("en", "zh")  # those with a bundled set
MOST_LINES = 500  # of a person's own list
MOST_CHARACTERS = 2000  # of one line


@cache
def bundled(language: str) -> tuple[str, ...]:
    """The sentences of a language: at least 200, all written for this project."""
    if language not in LANGUAGES:
        raise InputError(id="no-sentences-in", language=str(language), languages=", ".join(LANGUAGES))
    return listed(files(__package__).joinpath(f"{language}.txt").read_text(encoding="utf-8"))


def listed(text: str) -> tuple[str, ...]:
    """A person's own list: one sentence a line; empty lines are left out."""
    lines = tuple(line.strip() for line in text.splitlines() if line.strip())
    if not lines:
        raise InputError(id="no-sentences")
    if len(lines) > MOST_LINES:
        raise InputError(id="too-many-sentences", n=len(lines), limit=MOST_LINES)
    for number, line in enumerate(lines, start=1):
        if len(line) > MOST_CHARACTERS:
            raise InputError(id="long-sentence", number=number, n=len(line), limit=MOST_CHARACTERS)
    return lines


def read_list(path: str | Path) -> tuple[str, ...]:
    """The same from a text file in UTF-8."""
    file = Path(path)
    try:
        text = file.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise InputError(id="no-file", path=file.name, file=str(path)) from error
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(id="unreadable-list", file=file.name) from error
    return listed(text)
