"""What causes the difference of two sentences: guessed, then measured exactly, beside a model without training."""

import time

import numpy as np
import pytest
from attnviz_app.compare import state

import attnviz as av
from attnviz.text import strings
from attnviz.views.pack import unpack
from tests.pages.conftest import shown

A, B = "The cat sat on the mat because it was tired.", "The cat sat on the mat because it was warm."


def test_a_guess_is_answered_by_exact_patching_and_its_baseline(opened, minilm) -> None:
    app = opened("compare", lang="en", a="minilm-l6", b="minilm-l6", both=A, other=B)
    say = strings("en")
    assert not app.exception and say("compare-causes-about") in shown(app).replace("&#x27;", "'")
    assert not app.get("progress") and state.CAUSED not in [it.key for it in app.dataframe]
    app.selectbox(key=state.GUESS).set_value("6.12")
    app.button(key=state.CAUSES_START).click().run()
    for _ in range(120):
        if any(it.key == state.CAUSED for it in app.dataframe):
            break
        time.sleep(0.25)
        app.run()
    assert not app.exception
    expected = av.patch(minilm, A, B)
    payloads = [element.proto.bytes for element in app.get("bidi_component") if element.proto.bytes]
    header, arrays = next(it for it in map(unpack, payloads) if it[0]["view"] == "panel")
    prose, maps = header["blocks"]
    own, untrained = maps["maps"]
    for row in expected.table.itertuples():
        at = int(row.site.split(".")[1]), row.head
        assert arrays[own["values"]][at] == pytest.approx(row.share, abs=1e-4)
    best = expected.table.iloc[0]
    name = f"{int(best.site.split('.')[1]) + 1}.{best['head'] + 1}"
    places = [f"{int(row.site.split('.')[1]) + 1}.{row.head + 1}" for row in expected.table.itertuples()]
    assert f"Head {name} brings it furthest" in prose["text"]
    assert say("compare-causes-guessed", head="6.12", place=places.index("6.12") + 1, n=72) in prose["text"]
    assert 0 < np.abs(arrays[untrained["values"]]).max() < own["limit"] == untrained["limit"]  # on one scale
    (table,) = (it.value for it in app.dataframe if it.key == state.CAUSED)
    assert table["head"].tolist() == places[:12]


def test_texts_of_other_lengths_are_refused_in_a_sentence(opened) -> None:
    app = opened("compare", lang="en", a="minilm-l6", b="minilm-l6", both=A, other="The cat sat on the mat.")
    app.button(key=state.CAUSES_START).click().run()
    said = strings("en")("error-patch-lengths", clean=13, corrupt=9)
    for _ in range(60):
        if said in shown(app):
            break
        time.sleep(0.25)
        app.run()
    assert not app.exception and said in shown(app)
