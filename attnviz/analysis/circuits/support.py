"""The evidence for a head's kind: behaviour, weights and causal effect.

A kind is a pattern of attention weights on some texts. The head's matrices show whether it is built for that pattern on
any text; patching its output shows whether the model depends on it. Each of the three can be missing; none proves the
others.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

from attnviz.analysis.circuits.patching import Patched
from attnviz.analysis.circuits.weights import Circuits
from attnviz.analysis.heads.kinds import BY_NAME, MIXED, SHORT

LEAST_WEIGHTS = 0.5  # of a share of positions, or of eigenvalues
LEAST_EFFECT = 0.2  # of what lies between the two runs


@dataclass(frozen=True)
class Support:
    """The evidence for the kind of one head; NaN where there is none of that sort."""

    site: str
    head: int
    kind: str
    behaviour: float  # the metric that decides the kind
    weights: float  # the score of `Circuits` that belongs to the kind
    effect: float  # the share of `Patched` that this head brings back

    @property
    def by(self) -> tuple[str, ...]:
        """What supports the kind, such as `("behaviour", "weights")`."""
        least = {"behaviour": BY_NAME[self.kind].threshold, "weights": LEAST_WEIGHTS, "effect": LEAST_EFFECT}
        return tuple(name for name, bound in least.items() if getattr(self, name) >= bound)

    @property
    def asked(self) -> int:
        """How many of the three were measured."""
        return sum(not math.isnan(number) for number in (self.behaviour, self.weights, self.effect))


def support(heads: pd.DataFrame, weights: Circuits, patched: Patched) -> tuple[Support, ...]:
    """The evidence for the kind of every head that has one.

    Args:
        heads: `Survey.frame`, or `head_metrics` with `kind_of_head`.
        weights: of the same model.
        patched: of the same model, "heads", on two texts that differ in what the kinds are about; for induction and the
            head before it, in the token that decides what comes next.
    Returns:
        one value per head, except heads of mixed and short patterns.
    """
    shares = patched.table.set_index(["site", "head"])["share"]
    scores = weights.heads.set_index(["site", "head"])
    found = []
    for row in heads.to_dict("records"):
        place, kind = (row["site"], row["head"]), row["kind_of_head"]
        if kind in (MIXED.name, SHORT.name) or place not in scores.index:
            continue
        score = OF_WEIGHTS.get(kind, _none)(weights, scores.loc[place])
        share = float(shares.get(place, math.nan))
        found.append(Support(*place, kind, float(row[BY_NAME[kind].metric]), float(score), share))
    return tuple(found)


def _none(weights: Circuits, row: pd.Series) -> float:
    return math.nan


def _copying(weights: Circuits, row: pd.Series) -> float:
    """Directly, or by way of the earlier head whose symbols it passes on best."""
    site, head = row.name
    joins = weights.compositions
    through = joins[(joins["site"] == site) & (joins["head"] == head)]["copying"] if len(joins) else ()
    return float(pd.Series([row["copying"], *through]).max())


# The score of the weights per kind; a kind that is not listed has none.
OF_WEIGHTS: dict[str, Callable[[Circuits, pd.Series], float]] = {
    "previous": lambda weights, row: row["previous"],
    "same-word": lambda weights, row: row["matching"],
    "induction": _copying,
    "aligned": _copying,
}
