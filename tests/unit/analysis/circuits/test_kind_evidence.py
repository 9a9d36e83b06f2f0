"""Behaviour, weights and causal effect on the shipped models, whose circuits are known."""

import math

import pytest

import attnviz as av
from attnviz.analysis.circuits.kind_evidence import Support
from attnviz.analysis.heads.survey import survey

ALL = ("behaviour", "weights", "effect")
PAIRS = {"induction": ("a 1 k e u c v s a", "f 1 k e u c v s a"), "reverse": ("o z t d k w p e", "o z t d k w a e")}


@pytest.mark.parametrize(("name", "expected"), [
    ("induction", {("decoder.0.self", 0): ("previous", ALL), ("decoder.0.self", 1): ("previous", ALL),
                   ("decoder.1.self", 0): ("induction", ALL), ("decoder.1.self", 1): ("induction", ALL)}),
    ("reverse", {("encoder.1.self", 0): ("next", ("behaviour",)),
                 ("decoder.0.cross", 0): ("aligned", ALL), ("decoder.0.cross", 1): ("aligned", ALL)}),
])  # fmt: skip
def test_the_three_agree_on_the_heads_that_are_known(name, expected):
    model = av.load(name)
    heads, weights = survey(model, model.own_texts(20)), av.circuits(model)
    patched = av.patch(model, *PAIRS[name])
    found = av.support(heads.heads, weights, patched)
    assert {(it.site, it.head): (it.kind, it.by) for it in found} == expected
    frame, shares = heads.heads.set_index(["site", "head"]), patched.table.set_index(["site", "head"])["share"]
    for it in found:
        assert it.effect == shares[it.site, it.head] and it.asked == (2 if it.kind == "next" else 3)
        if it.kind == "previous":
            scores = weights.heads.set_index(["site", "head"])
            assert it.behaviour == frame.loc[(it.site, it.head), "previous"]
            assert it.weights == scores.loc[(it.site, it.head), "previous"]


def test_two_of_three_agree_where_the_third_is_below_its_bound_or_missing():
    below, missing = (Support("decoder.0.self", 0, "previous", 0.9, weights, 0.4) for weights in (0.1, math.nan))
    assert below.by == missing.by == ("behaviour", "effect") and (below.asked, missing.asked) == (3, 2)
