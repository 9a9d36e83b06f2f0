"""The word that is missing at the end of a text: which head brings it, and what is predicted without that head."""

from dataclasses import dataclass, field
from typing import NamedTuple

import pandas as pd
import torch
from torch import Tensor

from attnviz.analysis.circuits.logits import Wrote, wrote
from attnviz.trace.edits import HeadEdit
from attnviz.trace.rerun import logits_of, rerun_of
from attnviz.trace.trace import Trace

LIKELIEST = 5  # words of a run
MOST_OFF = 4  # heads silenced together
TRIED = 8  # heads that add most, of which the next ones are silenced


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
    text: str  # the likeliest word
    share: float
    is_other: bool  # whether that is another word than in the untouched run


@dataclass(frozen=True)
class Candidate:
    """A word that is among the likeliest of a run, with its probability in the untouched run and in each other one."""

    text: str
    shares: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class MissingWord:
    wrote: Wrote  # the lead of the likeliest word over the next
    site: str
    head: int
    key: int  # the token that this head looks at most
    moved: float  # what it wrote into the lead from there
    silenced: tuple[Silenced, ...] = field(repr=False)
    candidates: tuple[Candidate, ...] = field(repr=False)  # those of the untouched run first, the likeliest before

    @property
    def added(self) -> float:
        """What the head wrote into the lead in all."""
        return float(added_by_head(self.wrote)[self.site, self.head])


def missing_word(trace: Trace, *, since: int = 0) -> MissingWord:
    """Take the lead of the likeliest next word over the second apart, and silence the heads that add most to it.

    The head that `brings` the word is silenced first. Then each of the TRIED heads that add most is silenced beside it,
    and those that take most from the word there are silenced together, one more in each run, as long as one more takes
    anything from it, until another word is the likeliest. At most TRIED + MOST_OFF runs.

    Args:
        since: as of `brings`.
    Raises:
        StepError, InputError: as of `wrote`.
    """
    row = len(trace.tokens.source) - 1
    made = wrote(trace, row)
    site, head, key, moved = brings(made, made.sources(), since)
    added = added_by_head(made)
    most = added[added > 0].sort_values(ascending=False).index[:TRIED]
    others = [(str(of), int(number)) for of, number in most]
    untouched = _shares(trace, ())  # [V]
    word = int(untouched.argmax())
    first = (site, head)
    runs: dict[tuple[tuple[str, int], ...], Tensor] = {(first,): _shares(trace, (first,))}
    had = float(runs[first,][word])
    if int(runs[first,].argmax()) == word:
        beside = {other: _shares(trace, (first, other)) for other in others if other != first}
        order = sorted(beside, key=lambda other: float(beside[other][word]))
        for n in range(1, min(len(order), MOST_OFF - 1) + 1):
            now = _shares(trace, (first, *order[:n])) if n > 1 else beside[order[0]]
            if float(now[word]) >= had:
                break
            runs[first, *order[:n]], had = now, float(now[word])
            if int(now.argmax()) != word:
                break
    text_of = rerun_of(trace).text_of
    silenced = [
        Silenced(heads, text_of(int(one.argmax())), float(one.max()), int(one.argmax()) != word)
        for heads, one in runs.items()
    ]
    every = torch.stack([untouched, *runs.values()])  # [runs, V]
    listed = dict.fromkeys(every.topk(LIKELIEST).indices.flatten().tolist())
    candidates = [Candidate(text_of(one), tuple(every[:, one].tolist())) for one in listed]
    return MissingWord(made, site, head, key, moved, tuple(silenced), tuple(candidates))


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
    is_this_head = (largest["site"] == site) & (largest["head"] == head)
    best = (back if len(back) else largest[is_this_head]).sort_values("value").iloc[-1]
    return Brings(str(best["site"]), int(best["head"]), int(best["token"]), float(best["value"]))


def _shares(trace: Trace, silenced: tuple[tuple[str, int], ...]) -> Tensor:
    """The probabilities of the next word where these heads are silenced: the whole model runs again. float64 [V]."""
    edits = [HeadEdit(site, head) for site, head in silenced]
    with torch.no_grad():
        logits = logits_of(rerun_of(trace), trace.tokens.source.ids, edits)[-1]  # [V]
    return torch.softmax(logits.detach().double(), -1)  # [V]
