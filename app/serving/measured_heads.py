"""What the heads do in the sentence on the screen, measured once and kept within a byte limit."""

from __future__ import annotations

import threading
from collections.abc import Hashable
from functools import cache

import pandas as pd

from attnviz.analysis.heads.aggregate import head_metrics
from attnviz.analysis.heads.kinds import head_kinds
from attnviz.cache import BoundedCache
from attnviz.trace.trace import Trace

KEPT_BYTES = 32 * 1024**2  # of tables, of all visitors together
SOON_CELLS = 3_000_000  # weights of all heads up to which it takes no longer than a reader notices: 12 x 12 at 144
_one = threading.Lock()  # a long text takes seconds: others wait for their table, nobody for a picture
_coming: set[Hashable] = set()
_starting = threading.Lock()
MOST_COMING = 4  # long texts that wait for their turn; each holds its trace


@cache
def _frames() -> BoundedCache[pd.DataFrame]:
    return BoundedCache(KEPT_BYTES, lambda frame: int(frame.memory_usage(deep=True).sum()))


def of_sentence(trace: Trace, key: Hashable) -> pd.DataFrame:
    """The table of `av.head_metrics` with `kind_of_head`, of one text.

    Induction is decided on random words said twice, so no head is of that kind by a sentence alone.

    Args:
        key: of the trace; see `key_of`.
    """

    def measured() -> pd.DataFrame:
        with _one:
            frame = head_metrics(trace)
        return frame.assign(kind_of_head=head_kinds(frame))

    return _frames().get((trace.card.revision, key), measured)


def soon(trace: Trace, key: Hashable) -> pd.DataFrame | None:
    """The same where it is there, or a matter of a moment; else None, and it is measured meanwhile."""
    wanted = (trace.card.revision, key)
    n_cells = sum(record.n_heads * record.n_queries * record.n_keys for record in trace.records.values())
    if wanted in _frames() or n_cells <= SOON_CELLS:
        return of_sentence(trace, key)
    with _starting:
        if wanted not in _coming and len(_coming) < MOST_COMING:
            _coming.add(wanted)
            threading.Thread(target=_measure, args=(trace, key, wanted), name="attnviz-heads", daemon=True).start()
    return None


def _measure(trace: Trace, key: Hashable, wanted: Hashable) -> None:
    try:
        of_sentence(trace, key)
    finally:
        with _starting:
            _coming.discard(wanted)
