"""The word that is missing at the end of a text: which head brings it, and what is predicted without that head."""

from dataclasses import dataclass, field
from typing import NamedTuple

import pandas as pd
import torch

from attnviz.analysis.circuits.logits import Wrote, wrote
from attnviz.trace.edits import HeadEdit
from attnviz.trace.rerun import logits_of, rerun_of
from attnviz.trace.trace import Trace

CANDIDATES = 5  # likeliest words
MOST_OFF = 5  # heads silenced together
ONE_BY_ONE = 3  # of them, each in one more run


class Brings(NamedTuple):
    """A head, the token that it looks at most, and what it moved from there into a lead."""

    site: str
    head: int
    key: int
    moved: float


@dataclass(frozen=True)
class Silenced:
    """A run without some heads."""

    heads: tuple[tuple[str, int], ...]  # site and head
    shares: tuple[float, ...]  # of the candidates of the untouched run
    text: str  # the likeliest word
    share: float
    is_other: bool  # whether that is another word than in the untouched run


@dataclass(frozen=True, eq=False)
class MissingWord:
    wrote: Wrote  # the lead of the likeliest word over the next
    site: str
    head: int
    key: int  # the token that this head looks at most
    moved: float  # what it wrote into the lead from there
    silenced: tuple[Silenced, ...] = field(repr=False)

    @property
    def added(self) -> float:
        """What the head wrote into the lead in all."""
        return float(added_by_head(self.wrote)[self.site, self.head])


def missing_word(trace: Trace, *, since: int = 0) -> MissingWord:
    """Take the lead of the likeliest next word over the second apart, and silence the heads that add most to it.

    The head that `brings` the word is silenced first, then those that add most with it, one more in each run, until
    another word is the likeliest. After ONE_BY_ONE, or where one more takes nothing from the word, the last run
    silences all of them at once.

    Args:
        since: as of `brings`.
    Raises:
        StepError, InputError: as of `wrote`.
    """
    row = len(trace.tokens.source) - 1
    made = wrote(trace, row)
    site, head, key, moved = brings(made, made.sources(), since)
    added = added_by_head(made)
    others = added[added > 0].drop((site, head), errors="ignore").sort_values(ascending=False)
    order = [(site, head), *((str(of), int(number)) for of, number in others.index)][:MOST_OFF]
    assert trace.predicted_tokens is not None  # else `wrote` refuses
    candidates = trace.predicted_tokens.ids[row, :CANDIDATES].tolist()
    silenced = [_without(trace, tuple(order[:1]), candidates)]
    while not silenced[-1].is_other and (n_off := len(silenced[-1].heads)) < len(order):
        n_next = n_off + 1 if n_off < ONE_BY_ONE else len(order)
        without = _without(trace, tuple(order[:n_next]), candidates)
        if without.shares[0] >= silenced[-1].shares[0] and n_next < len(order):
            without = _without(trace, tuple(order), candidates)
        silenced.append(without)
    return MissingWord(made, site, head, key, moved, tuple(silenced))


def added_by_head(made: Wrote) -> "pd.Series[float]":
    """What each head wrote into the lead, by site and head."""
    table = made.frame()
    return table[table["kind"] == "head"].set_index(["site", "head"])["value"]


def brings(made: Wrote, moved: pd.DataFrame, since: int = 0) -> Brings:
    """The head that brings a word: of those whose largest weight in its row lies on a token before it, the one that
    moves most from there into the lead. Where none adds to it so, it is the head that adds most.

    Args:
        moved: `made.sources()`. since: the first token that such a weight may lie on.
    """
    row = made.position
    largest = moved.loc[moved.groupby(["site", "head"])["weight"].idxmax()]  # a row for each head
    added = added_by_head(made)
    adds = largest.set_index(["site", "head"]).index.map(added) > 0
    back = largest[(largest["token"] >= since) & (largest["token"] < row) & (largest["value"] > 0) & adds]
    site, head = added.idxmax()
    is_it = (largest["site"] == site) & (largest["head"] == head)
    best = (back if len(back) else largest[is_it]).sort_values("value").iloc[-1]
    return Brings(str(best["site"]), int(best["head"]), int(best["token"]), float(best["value"]))


def _without(trace: Trace, heads: tuple[tuple[str, int], ...], candidates: list[int]) -> Silenced:
    """The next word where these heads are silenced: the whole model runs again."""
    rerun = rerun_of(trace)
    edits = [HeadEdit(site, head) for site, head in heads]
    with torch.no_grad():
        logits = logits_of(rerun, trace.tokens.source.ids, edits)[-1]  # [V]
    shares = torch.softmax(logits.detach().double(), -1)  # [V]
    first = int(shares.argmax())
    of_candidates = tuple(shares[candidates].tolist())
    return Silenced(heads, of_candidates, rerun.text_of(first), float(shares[first]), first != candidates[0])
