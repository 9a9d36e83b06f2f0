"""Figures say what they are of: which model and texts, and what was edited."""

import json

import plotly.graph_objects as go
import pytest

import attnviz as av

SITE = "decoder.1.self"
TEXTS = "a b c a b", "a b d a b"


@pytest.fixture(scope="module")
def model():
    return av.load("induction")


def footnote(fig: go.Figure) -> str:
    return next(it.text for it in fig.layout.annotations if it.name == "footnote").replace("<br>", " ")


@pytest.mark.parametrize("start", [0, 1])
def test_edits_of_heads_are_said_alike_by_every_figure(model, start):
    edits = [av.ablate("1.0"), *av.cut([0], 3, 1), av.Edit("*.weights", lambda _, w: w, "mine, at 1.0")]
    plain, edited = model.trace(TEXTS[0]), model.trace(TEXTS[0], edits=edits)
    beside = av.compare(plain, edited)
    figures = [
        edited.figure(SITE, 0, count_from=start),
        av.head_metrics(edited).figure("entropy", count_from=start),
        av.head_metrics([edited, edited]).figure("entropy", "first", count_from=start),
        beside.figure(count_from=start),
        beside.difference(SITE, 0).figure(count_from=start),
    ]
    heads = (
        f"Layer {1 + start}, head {start} silenced; Layer {start}: edge from token {3 + start} to token {1 + start} cut"
    )
    mine = "Edited, named as in code, counting from 0: mine, at 1.0" if start else "Edited: mine, at 1.0"
    for fig in figures:
        assert f"Edited: {heads} {mine} " in footnote(fig)
    both = av.load("reverse").trace("a b c", edits=av.ablate("0.1"))
    assert "Edited: Encoder layer 0, head 1 silenced; Layer 0, head 1 silenced" in footnote(
        both.figure(both.sites[0], 0)
    )
    assert json.loads(json.dumps(av.head_metrics(edited).attrs)) == av.head_metrics(edited).attrs


def test_edits_that_have_no_room_are_counted(model):
    cuts = [av.cut("1.1", query, key) for query in range(6) for key in range(query)]
    said = footnote(model.trace(TEXTS[0], edits=cuts).figure(SITE, 0))
    listed = said.count(" cut")
    assert 1 < listed < len(cuts) == 15 and f" cut; and {15 - listed} more " in said
    own = [av.Edit("*.weights", lambda _, w: w, f"change number {at} " + "x" * 60) for at in range(9)]
    assert "; and 7 more " in footnote(model.trace(TEXTS[0], edits=own).figure(SITE, 0))
    assert "more" not in footnote(model.trace(TEXTS[0], edits=cuts[:2]).figure(SITE, 0))
