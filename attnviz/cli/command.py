"""What all commands share: how one is declared, what it says while it works, and what it answers in the end."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

MODEL = (
    "a name of the catalogue, owner/name of a hub, ollama:name:tag, lmstudio:publisher/model, a folder or a .gguf file"
)
EXIT_CODES = """\
exit codes:
  0    done
  1    refused: one sentence on standard error says why; with --json also {"error", "id"} on standard output;
       or `doctor` found weights that are not the ones published
  2    the command line cannot be read, or `check` found a model that cannot be read truly
  130  stopped by Ctrl+C; `train` keeps everything and ends with 0, a server without a window ends with 1"""


@dataclass(frozen=True)
class Answer:
    """What a command found."""

    data: Any  # what --json prints
    lines: Iterable[str] = ()  # what is printed without it
    code: int = 0


def add(
    commands: Any, run: Callable[[argparse.Namespace], Answer | int], example: str, *, name: str = "",
) -> argparse.ArgumentParser:  # fmt: skip
    """Declare the command that is named like the function that runs it; the caller adds its arguments.

    Args:
        run: gives an `Answer`, or an exit code where it prints by itself. The first line of its docstring is the help.
        example: one or more whole command lines, shown under --help; a test parses each.
        name: where it is a word that no function can have.
    """
    says = (run.__doc__ or run.__name__).splitlines()[0]
    examples = "\n".join(f"  {line}" for line in example.strip().splitlines())
    one: argparse.ArgumentParser = commands.add_parser(
        name or run.__name__, help=f"{says[0].lower()}{says[1:-1]}", description=says, epilog=f"example:\n{examples}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    one.add_argument("--json", action="store_true", help="print one JSON value, for programs")
    one.set_defaults(run=run, refuse=one.error)
    return one


def announce(data: object) -> None:
    """What a command prints with --json that then serves until it is stopped; all it says later is for people."""
    print(json_text(data), flush=True)
    os.dup2(2, 1)  # standard output goes to standard error, in whatever this process becomes too


def measuring(name: str) -> Callable[[int, int], None]:
    """Reports on standard error how many texts are measured: a line per fifth."""
    return _telling(5, lambda done, total: f"measuring {name}: {done} of {total} texts")


def fetching(name: str) -> Callable[[int, int], None]:
    """Reports on standard error how much of a model is downloaded: a line per tenth."""
    return _telling(10, lambda came, total: f"fetching {name}: {came / 1e6:.1f} of {total / 1e6:.1f} MB")


def _telling(n_lines: int, line: Callable[[int, int], str]) -> Callable[[int, int], None]:
    said = -1

    def tell(done: int, total: int) -> None:
        nonlocal said
        parts = n_lines * done // max(total, 1)
        if parts > said:
            said = parts
            print(line(done, total), file=sys.stderr, flush=True)

    return tell


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """A table as rows for JSON, all digits; null where there is no number."""
    rows: list[dict[str, Any]] = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return rows


def plain(line: str) -> str:
    """A line of a report on one line: a folder's name or its files may hold what steers a terminal."""
    return "".join(character if character.isprintable() else "�" for character in line)


def json_text(data: object) -> str:
    """One JSON value on one line; numbers of numpy and torch as numbers, paths as texts."""
    return json.dumps(
        data, ensure_ascii=False, default=lambda part: part.item() if hasattr(part, "item") else str(part)
    )
