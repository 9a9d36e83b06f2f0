"""Finds the first part of a text that is too long. It is shown only if the person asks; the box keeps all of it."""

from dataclasses import dataclass

from attnviz.core.errors import AttnvizError, TooLong

# The refusals that count characters, for nothing has read the text yet: of a server for many, and of one's own.
CHARACTERS, CHARACTERS_HERE = "too-many-characters", "too-many-characters-here"


@dataclass(frozen=True)
class Cut:
    """What was typed and how much of it is shown."""

    typed: str
    part: str  # its beginning
    n: int  # tokens of the whole, or its characters where those were too many to be read
    limit: int  # as many as are taken
    counts_tokens: bool = True


def cut_of(problem: AttnvizError | None, text: str) -> Cut | None:
    """The first part that may be shown instead of a text that was refused; None where the refusal offers none."""
    if not isinstance(problem, TooLong):
        return None
    characters, n, limit = (problem.arguments.get(name) for name in ("characters", "n", "limit"))
    if not (isinstance(characters, int) and isinstance(n, int) and isinstance(limit, int)):
        return None
    part = text[:characters]
    return Cut(text, part, n, limit, problem.id not in (CHARACTERS, CHARACTERS_HERE)) if part.strip() else None
