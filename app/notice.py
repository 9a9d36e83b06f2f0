"""A message to be said in the reader's language: its id and what fills it."""

from __future__ import annotations

Notice = tuple[str, tuple[tuple[str, str | int], ...]]


def notice(id: str, **arguments: str | int) -> Notice:
    """A message of the catalogues."""
    return id, tuple(arguments.items())
