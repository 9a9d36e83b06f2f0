"""How all heads are looked at, as the overview says it in a link: "kind-previous sort-first show-entropy many"."""

from __future__ import annotations

from attnviz.analysis.heads.kinds import KINDS
from attnviz.views.heads.columns import SHOWN

MANY = "many"  # measured over many sentences, not on the text that is shown
WORDS = frozenset(
    (
        MANY,
        *(f"kind-{kind.name}" for kind in KINDS),
        *(f"sort-{name}" for name in SHOWN),
        *(f"show-{name}" for name in SHOWN),
    )
)


def is_look(written: object) -> bool:
    """Whether these are words of the overview, each once."""
    words = written.split(" ") if isinstance(written, str) else [""]
    return len(set(words)) == len(words) and WORDS.issuperset(words)


def is_over_many(look: str) -> bool:
    """Whether it asks for what the heads do over many sentences."""
    return MANY in look.split(" ")
