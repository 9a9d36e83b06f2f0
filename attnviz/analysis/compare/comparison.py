"""`av.compare`: two runs over one text, or one model on two, head by head, as tables."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from attnviz.analysis.circuits.arguments import check_trace
from attnviz.analysis.compare.difference import Difference, difference
from attnviz.analysis.compare.distances import correlations, cosines
from attnviz.analysis.compare.moved_heads import Move, followed, moves
from attnviz.analysis.compare.self_attention_heads import (
    Head,
    comparable_rows,
    heads_of,
    is_one_model,
    maps_of,
    self_attention_sites,
    units_of,
)
from attnviz.analysis.compare.similarity import Similarity, similarity_of_traces
from attnviz.analysis.compare.units import Units
from attnviz.analysis.heads.sinks import Sinks, sinks
from attnviz.core.errors import InputError
from attnviz.trace import display_mixin
from attnviz.trace.decoder_rows import continues
from attnviz.trace.display_mixin import Shown
from attnviz.trace.trace import Trace


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Shown):
    """Two runs over one text, or two runs of one model."""

    trace_a: Trace
    trace_b: Trace
    units: Units  # rows and columns: tokens where both have the same, else words

    def __repr__(self) -> str:
        """One screen: the two runs, how they were compared, and the heads that are nearest to each other."""
        by = "tokens" if self.units.are_tokens else "words"
        lines = [f"Comparison by {len(self.units)} {by}"]
        lines += [f"{side}  {trace!r}".replace("\n", "\n   ") for side, trace in zip("AB", self.traces, strict=True)]
        return "\n".join(lines)

    def view(self) -> Any:
        return display_mixin.pictures().comparison(self)

    def figure(self, **options: Any) -> Any:
        """Every head of A by every head of B as a plotly figure: `av.figures.similarity`."""
        return display_mixin.figures().similarity(self, **options)

    @property
    def traces(self) -> tuple[Trace, Trace]:
        return self.trace_a, self.trace_b

    @cached_property
    def similarity(self) -> Similarity:
        """All heads of A against all of B on this text; `attnviz.analysis.compare.similarity` does it over many."""
        return similarity_of_traces(iter([(self.trace_a, self.trace_b)]), 1)

    @property
    def is_of_two_texts(self) -> bool:
        """Whether one model read another text on each side."""
        return not self.trace_a.tokens.source.is_of_text(self.trace_b.tokens.source)

    @property
    def is_same_shape(self) -> bool:
        """Whether each head of A has one of the same site and number in B."""
        return heads_of(self.trace_a) == heads_of(self.trace_b)

    @cached_property
    def sinks(self) -> Sinks:
        """Of two texts the units that are attention sinks on either side, and the larger share that they take there."""
        if not self.is_of_two_texts:
            return Sinks((), 0.0)
        of_sides = [sinks(trace, self_attention_sites(trace)) for trace in self.traces]
        groups = [self.units.side(side) for side in "ab"]
        units = (
            at for at in range(len(self.units))
            if any(set(each[at]) & set(side.tokens) for each, side in zip(groups, of_sides, strict=True))
        )  # fmt: skip
        return Sinks(tuple(units), max(side.share for side in of_sides))

    @property
    def next_row(self) -> int | None:
        """The row that writes the next word of both texts; None where there is none, or both sides read one text."""
        last = self.units.each[-1]
        ends = [len(trace.tokens.source.text) - 1 for trace in self.traces]
        is_end = [last.in_a[-1], last.in_b[-1]] == ends
        return len(self.units) - 1 if self.is_of_two_texts and is_end and all(map(continues, self.traces)) else None

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """How far the weights of each head moved from A to the same head of B, the farthest first.

        Where words changed places, a head is taken by place or by word, whichever moved less. Of two texts sinks are
        left out, and where both go on the row that writes the next word counts alone, without what it gives itself.

        Raises:
            InputError: the two differ in layers or heads.
            LimitError: the maps of one side would take more than 512 MB.
        """
        if not self.is_same_shape:
            raise InputError(id="other-heads", a=self.trace_a.card.name, b=self.trace_b.card.name)
        maps = [maps_of(self.trace_a, self.units, "a")[0], maps_of(self.trace_b, self.units, "b")[0]]
        heads, to = heads_of(self.trace_a), self.units.by_word
        by_place = moves(heads, maps[0], maps[1], sinks=self.sinks.tokens, row=self.next_row)
        if to is None:
            return by_place
        return followed(
            by_place, moves(heads, maps[0], maps[1][:, to][:, :, to], sinks=self.sinks.tokens, row=self.next_row)
        )

    @cached_property
    def heads(self) -> pd.DataFrame:
        """One row a pair of heads: `site_a`, `head_a`, `site_b`, `head_b`, `js` (bits), `cosine`, `correlation`."""
        maps = [maps_of(self.trace_a, self.units, "a")[0], maps_of(self.trace_b, self.units, "b")[0]]
        rows = comparable_rows(*maps)  # [U]
        seen = ((maps[0] > 0).any(0) | (maps[1] > 0).any(0)) & rows[:, None]  # [U, U]
        cells = [each[:, seen] for each in maps]  # [H, cells]
        return self.similarity.frame().assign(
            cosine=cosines(*cells).flatten().numpy(), correlation=correlations(*cells).flatten().numpy()
        )

    @property
    def matches(self) -> pd.DataFrame:
        """The nearest head and the one-to-one partner of each head: `Similarity.matches`."""
        return self.similarity.matches()

    def difference(self, site_a: str, head_a: int, site_b: str | None = None, head_b: int | None = None) -> Difference:
        """A head of A minus a head of B, the same site and number if B's is not given.

        Raises:
            InputError: the two do not read the same text.
            InputError: there is no such head.
        """
        other = Head(site_a if site_b is None else site_b, head_a if head_b is None else head_b)
        return difference(self.trace_a, Head(site_a, head_a), self.trace_b, other)


def can_compare(trace_a: Trace, trace_b: Trace) -> bool:
    return trace_a.tokens.source.is_of_text(trace_b.tokens.source) or is_one_model(trace_a, trace_b)


def compare(trace_a: Trace, trace_b: Trace) -> Comparison:
    """Compare two runs: of two models, two checkpoints, or one model with and without an edit.

    Tokens are compared one by one where both sides have the same, as those given to `Trace.from_arrays` may be; else
    both are merged into words. Two texts that one model read are aligned word by word.

    >>> import attnviz as av
    >>> model = av.load("reverse")
    >>> comparison = av.compare(model.trace("a b c"), model.trace("a c b"))
    >>> comparison.similarity.js.shape  # every head of one with every head of the other
    (4, 4)

    Raises:
        InputError: two models read different texts, or the two texts share no word.
    """
    for trace in (trace_a, trace_b):
        check_trace(trace)
    units = units_of(trace_a, trace_b, trace_a.tokens.source, trace_b.tokens.source)
    for trace in (trace_a, trace_b):
        if not heads_of(trace):
            raise InputError(id="no-reading-heads", model=trace.card.name)
    return Comparison(trace_a, trace_b, units)
