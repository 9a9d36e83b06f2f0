"""Whether a layer's answer depends on chance, also where chance is rare, as in stochastic depth."""

from __future__ import annotations

from dataclasses import replace

from attnviz.checking.find.examination import Examination
from attnviz.checking.find.search import difference

TEXTS, CALLS = 16, 8  # each text of each call draws anew: with 1 in 20 dropped, all stay once in 700 checks


def depends_on_chance(examination: Examination) -> bool | None:
    """In training mode; None where it stops with an error."""
    is_one = examination.axes == 2 or examination.candidate.arrangement.is_single
    sizes = examination.sizes if is_one else replace(examination.sizes, batch=TEXTS)
    many = replace(examination, sizes=sizes)
    inputs, calls = many.inputs(81), CALLS * (TEXTS if is_one else 1)
    first = many.ask(inputs, training=True, seed=0).out
    if first is None:
        return None
    for seed in range(1, calls):
        other = many.ask(inputs, training=True, seed=seed).out
        if other is None or difference(first, other):
            return True
    return False
