"""What a command says on standard error while it works."""

import sys
from collections.abc import Callable


def measuring(name: str) -> Callable[[int, int], None]:
    """Reports on standard error how many texts are measured: a line per fifth."""
    return _telling(5, lambda done, total: f"measuring {name}: {done} of {total} texts")


def fetching(name: str) -> Callable[[int, int], None]:
    """Reports on standard error how much of a model is downloaded: a line per tenth."""
    return _telling(10, lambda came, total: f"fetching {name}: {came / 1e6:.1f} of {total / 1e6:.1f} MB")


def _telling(n_lines: int, line: Callable[[int, int], str]) -> Callable[[int, int], None]:
    """What says a line on standard error whenever another 1/n_lines of a total is done."""
    said = -1

    def tell(done: int, total: int) -> None:
        nonlocal said
        parts = n_lines * done // max(total, 1)
        if parts > said:
            said = parts
            print(line(done, total), file=sys.stderr, flush=True)

    return tell
