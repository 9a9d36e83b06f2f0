"""A line that says how far something long has come, for a person at a terminal or in a notebook."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tqdm.auto import tqdm

OnProgress = Callable[[int, int], None]  # how much is done, and of how much: sentences, runs, bytes
SHORT = 1.0  # seconds; of work that is expected to take less no line is drawn


@contextmanager
def told(
    what: str, n: int, on_progress: OnProgress | None, seconds: float | None = None
) -> Iterator[Callable[[int], None]]:
    """Gives what is to be called with the number that is done: it tells `on_progress`, or draws a line without one.

    In a program whose output nobody watches no line is drawn. `seconds` is how long the work is expected to take.
    """
    is_watched = on_progress is None and (sys.stderr.isatty() or "ipykernel" in sys.modules)
    is_short = seconds is not None and seconds < SHORT
    with tqdm(desc=what, total=n, delay=SHORT if seconds is None else 0, disable=is_short or not is_watched) as line:

        def tell(done: int) -> None:
            line.update(done - line.n)
            if on_progress is not None:
                on_progress(done, n)

        yield tell
