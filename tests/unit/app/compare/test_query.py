"""What a link of the Compare page says is picked, and hostile links."""

import pytest
from attnviz_app.compare.query import PICKED, pair_in, pair_of_place
from hypothesis import given
from hypothesis import strategies as st

from attnviz.views.compare import Pair


@given(st.dictionaries(st.sampled_from(PICKED), st.text()))
def test_no_link_raises(query):
    pair_in(query)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"pair": "1.2-3.4"}, Pair(0, 1, 2, 3)),
        ({"pair": "1.2-3.4", "spot": "5-6"}, Pair(0, 1, 2, 3, 4, 5)),
        ({"pair": "1.2-3.4", "spot": "0-6"}, Pair(0, 1, 2, 3)),
        ({"spot": "5-6"}, None),
        *(({"pair": wrong}, None) for wrong in ("", "1.2", "0.1-1.1", "1.1-1.1-1.1", "a.b-c.d", "1.2-3.99999")),
    ],
)
def test_a_pair_counts_from_one(query, expected):
    assert pair_in(query) == expected


@pytest.mark.parametrize(
    ("place", "expected"),
    [("cross 1.2", None), ("decoder 2.6 weights", None), ("self encoder 1.2 weights", Pair(0, 1, 0, 1)), ("", None)],
)
def test_a_translators_trace_opens_at_a_head_of_its_encoder_and_at_no_namesake_of_it(place, expected):
    assert pair_of_place(place, is_of_translator=True) == expected
    assert pair_of_place("decoder 2.6 weights", is_of_translator=False) == Pair(1, 5, 1, 5)
