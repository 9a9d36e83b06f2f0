"""The words in which the heads view is asked for what it shows, as they stand in links too; others are refused."""

import re
from collections.abc import Callable

from attnviz.analysis.heads.kinds import TABLE
from attnviz.core.errors import InputError
from attnviz.core.tensor_checks import check_choice
from attnviz.views.heads.attention_parts import PARTS
from attnviz.views.heads.measured_heads import SHOWN
from attnviz.views.heads.written_tokens import LIKELIEST

WAYS = ("lines", "heatmap", "text", "neurons")  # the ways to look at one head, in the order of their keys
TOGETHER = ("mean", "max", "overlay")  # how several heads are shown at once; without a word it is their mean
# What can stand in place of all heads; the effect is of silencing the head, holding it at its mean or cutting an edge;
# "why-word0" is about the likeliest word.
BESIDE = (
    "why", *(f"why-word{at}" for at in range(LIKELIEST)), "numbers", "sentences", "rollout", "lens", "effect",
    "effect-mean", "effect-edge",
)  # fmt: skip
FILTERS = re.compile(r"(?:special|sinks|rescaled|words|below-[1-9][0-9]?|from-[1-9]|to-[1-9])", re.ASCII)
# How the overview looks at all heads, as in "kind-previous sort-first show-entropy many"; "many": over many sentences,
# "own": over the person's own, "one": over this text; "silencing" where that was measured, which "silenced-5" asks for,
# "cell": the weight at the picked cell, "moved": what is moved from there, "adds": what each head adds to the likeliest
# word of the row; "zoomed": a band.
OVERVIEW = frozenset((
    "many", "own", "one", "zoomed", *(f"kind-{kind.name}" for kind in TABLE),
    *(f"{how}-{name}" for how in ("sort", "show") for name in (*SHOWN, "kind", "cell", "moved", "adds", "silencing")),
))  # fmt: skip
SILENCED = re.compile(r"silenced(?:-[1-9][0-9]{0,6})?", re.ASCII)  # for the prediction of a row, counted from 1


def check_options(
    part: str | None, way: str | None, together: str, filters: str, overview: str, beside: str = ""
) -> None:
    """Refuse a word that the view does not know; "" and None leave the choice to it.

    Raises:
        InputError: with the words there are.
    """
    asked = {"part": part, "way": way, "together": together, "beside": beside}
    for known, (name, value) in zip((PARTS, WAYS, TOGETHER, BESIDE), asked.items(), strict=True):
        check_choice(name, value or "", ("", *known))
    if not are_words(filters, lambda word: FILTERS.fullmatch(word) is not None, most=7):
        raise InputError(id="no-filters", came=repr(filters))
    if not are_words(overview, is_of_overview):
        raise InputError(id="no-overview", came=repr(overview), known=tuple(sorted(OVERVIEW)))


def is_of_overview(word: str) -> bool:
    """Whether it says how the overview looks at all heads."""
    return word in OVERVIEW or SILENCED.fullmatch(word) is not None


def are_words(written: str, is_known: Callable[[str], bool], most: int = 99) -> bool:
    """Whether a text is known words with a blank between them, each once; "" is."""
    words = written.split(" ") if written else []
    return len(set(words)) == len(words) <= most and all(map(is_known, words))
