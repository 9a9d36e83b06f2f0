"""Step through a text of a thousand tokens: a part of it is sent, whose numbers are those of the whole run."""

import re

import numpy as np
import pytest

from attnviz.scratch.untrained import untrained
from attnviz.text import strings
from attnviz.views.pack import unpack
from tests.pages.conftest import link, shown, stepper, text_box

N = 1000
TEXT = " ".join(f"w{i % 300}" for i in range(N))
FIRST, SHOWN = 700, 64  # of the part, counted from 0
MOST_BYTES = 1_000_000


@pytest.mark.parametrize("kind", ["encoder", "decoder"])
def test_a_thousand_tokens_are_drawn_a_part_at_a_time(opened, kind):
    app = opened("step", lang="en", on=f"untrained-{kind}", say=TEXT, window=f"{FIRST + 1}.1", cell="weights~711~705~1")
    picture = stepper(app)
    header, arrays = unpack(picture)
    assert "av-line" not in shown(app) and link(app)["say"] == TEXT
    assert len(picture) < MOST_BYTES
    record = untrained(kind, max_tokens=1024).trace(TEXT)[header["controls"]["site"]]
    whole, context = record.weights(0).numpy(), record.context()[0].numpy()  # [T_q, T_k], [T_q, d_k]
    part = slice(FIRST, FIRST + SHOWN)
    drawn, rest = (named(arrays, rf"weights{rest}\[.*\]") for rest in ("", rf"\.rest\.{FIRST}"))
    np.testing.assert_array_equal(drawn, whole[part, part])
    hidden = whole[part].sum(-1) - drawn.sum(-1)  # what the rows give the tokens outside
    np.testing.assert_allclose(rest[:, 0], hidden / whole[part].max(-1), rtol=1e-3)  # sums of exponents, the largest 1
    np.testing.assert_allclose(named(arrays, r"h0\.context\[.*\]"), context[part], atol=1e-6)


def named(arrays: dict, pattern: str) -> np.ndarray:
    """The one array whose name ends so."""
    (found,) = [array for name, array in arrays.items() if re.search(f"{pattern}$", name)]
    return found


@pytest.mark.parametrize(("mode", "limit"), [("local", 1024), ("hosted", 127)])
def test_more_than_is_allowed_is_refused_with_both_numbers(opened, operator, mode, limit):
    operator.setenv("ATTNVIZ_MODE", mode)
    app = opened("step", lang="en", on="untrained-encoder", say="a " * (limit + 1))
    assert strings("en")("error-too-long", n=limit + 1, limit=limit) in shown(app)
    assert text_box(app, "step-text").value == "a " * (limit + 1)
