"""What the heads do in the sentence on the screen, measured once and kept within a byte limit."""

import threading

import pandas as pd

from attnviz.analysis.heads.aggregate import head_metrics
from attnviz.analysis.heads.kinds import head_kinds
from attnviz.bounded_cache import BoundedCache
from attnviz.trace.trace import Trace
from attnviz.views.heads.measured_heads import with_groups

KEPT_BYTES = 32 * 1024**2  # of tables, of all visitors together
kept: BoundedCache[pd.DataFrame] = BoundedCache(KEPT_BYTES, lambda frame: int(frame.memory_usage(deep=True).sum()))
_one = threading.Lock()  # a long text takes seconds: others wait for their table, nobody for a picture


def of_sentence(trace: Trace, name: str) -> pd.DataFrame:
    """The table of `av.head_metrics` with `kind_of_head` and what groups of tokens give each other, of one text.

    Induction is decided on random words said twice, so no head is of that kind by a sentence alone.

    Args:
        name: under which the trace was asked for; a file may say any model's own.
    """

    def measured() -> pd.DataFrame:
        with _one:
            frame = with_groups(head_metrics(trace), trace)
        return frame.assign(kind_of_head=head_kinds(frame))

    texts = [None if tokens is None else tokens.source for tokens in (trace.tokens.source, trace.tokens.target)]
    return kept.get((name, trace.card.revision, *texts), measured)
