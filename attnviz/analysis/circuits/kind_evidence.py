"""The evidence for a head's kind: behaviour, weights and causal effect.

A kind is a pattern of attention weights on some texts. The head's matrices show whether it is built for that pattern on
any text; patching its output shows whether the model depends on it. Each of the three can be missing; none proves the
others.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

from attnviz.analysis.circuits.patching import Patched
from attnviz.analysis.circuits.weight_circuits import Circuits
from attnviz.analysis.heads.kinds import BY_NAME, MIXED, SHORT

LEAST_WEIGHTS = 0.5  # of a share of positions, or of eigenvalues
LEAST_EFFECT = 0.2  # of the difference between the two runs


@dataclass(frozen=True)
class Support:
    """The evidence for the kind of one head; NaN where there is none of that sort."""

    site: str
    head: int
    kind: str
    behaviour: float  # the metric that decides the kind
    weights: float  # the score in `Circuits` for this kind
    effect: float  # the share of this head in `Patched`

    @property
    def by(self) -> tuple[str, ...]:
        """What supports the kind, such as `("behaviour", "weights")`."""
        least = {"behaviour": BY_NAME[self.kind].threshold, "weights": LEAST_WEIGHTS, "effect": LEAST_EFFECT}
        return tuple(name for name, bound in least.items() if getattr(self, name) >= bound)

    @property
    def asked(self) -> int:
        """How many of the three were measured."""
        return sum(not math.isnan(number) for number in (self.behaviour, self.weights, self.effect))


def support(heads: pd.DataFrame, weights: Circuits | None, patched: Patched | None) -> tuple[Support, ...]:
    """The evidence for the kind of every head that has one.

    >>> import attnviz as av
    >>> model = av.load("induction")
    >>> many = av.survey(model, ["a b c a b", "d e f d e"]).frame()
    >>> supported = av.support(many, av.circuits(model), av.patch(model, "a b c a b", "a b d a b"))
    >>> {one.site: one.by for one in supported if one.kind == "induction"}
    {'decoder.1.self': ('behaviour', 'weights', 'effect')}

    Args:
        heads: `Survey.heads`, or `head_metrics` with `kind_of_head`.
        weights: of the same model; None, as for `patched`, where there are none.
        patched: of the same model, "heads", on two texts that differ in what the kind is about; for induction and the
            previous-token head, in the token that decides what comes next.
    Returns:
        one value per head, except heads of mixed and short patterns.
    """
    shares = {} if patched is None else patched.table.set_index(["site", "head"])["share"]
    supports = []
    for row in heads.to_dict("records"):
        place, kind = (row["site"], row["head"]), row["kind_of_head"]
        if kind in (MIXED.name, SHORT.name):
            continue
        score = math.nan
        if weights is not None and kind in OF_WEIGHTS:
            score = OF_WEIGHTS[kind](weights, weights.heads.set_index(["site", "head"]).loc[place])
        share = float(shares.get(place, math.nan))
        supports.append(Support(*place, kind, float(row[BY_NAME[kind].metric]), float(score), share))
    return tuple(supports)


def _copying(weights: Circuits, row: pd.Series) -> float:
    """The head's own copying, or that of the best path through an earlier head's values."""
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
