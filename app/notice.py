"""Messages to be said in the reader's language: a message's id with what fills it, and the check of a run."""

from attnviz.text import Strings
from attnviz.trace.trace import Trace

Notice = tuple[str, tuple[tuple[str, str | int], ...]]


def notice(id: str, **arguments: str | int) -> Notice:
    """A message of the catalogues."""
    return id, tuple(arguments.items())


def verified(trace: Trace, say: Strings) -> list[str]:
    """What the run's own check found; nothing where there was none."""
    if trace.verified is None:
        return []
    difference, rows = trace.verified.difference, trace.verified.rows
    return [say("verified", difference=difference, rows=rows) if difference else say("verified-exact", rows=rows)]
