"""What the Step through page is asked and what is picked in its picture: out to a link and back, and hostile links."""

import pytest
from attnviz_app.step.query import NAMES, PICKED, Picked, Question, from_link, picked_in, picked_link, to_link
from hypothesis import given
from hypothesis import strategies as st

from attnviz.explanation.whatif import Switches
from attnviz.views import At

FIRST = Question("translate-en-zh", "I like cats.")
ASKED = Question("reverse", "k a b & c", by_word=True, guesses=True, look="two-heads")
PLACE = Picked(
    tab="decoder",
    site="decoder.0.self",
    head=1,
    at=At("raw.2", 3, 2, 7),
    switches=Switches(True, False, 0.5, False, (("encoder.0.self", 1), ("decoder.0.cross", 0)), 2, 1),
    first_token=64,
    first_feature=12,
    guessed="weights.2~3~1_raw",
    columns="a3.13_all",
    is_presented=True,
)
LINK = {
    "on": "reverse",
    "say": "k a b & c",
    "words": "1",
    "guess": "1",
    "look": "two-heads",
    "tab": "decoder",
    "site": "decoder.0.self.2",
    "cell": "raw.2~4~3~8",
    "if": "causal~noscale~t0.5~nopos~mute.encoder.0.self.2~mute.decoder.0.cross.1~hide3~hidetarget2",
    "window": "65.13",
    "guessed": "weights.2~3~1_raw",
    "columns": "a3.13_all",
    "present": "1",
}


def test_a_link_is_short_counts_from_1_and_gives_everything_back() -> None:
    assert to_link(ASKED) | picked_link(PLACE) == LINK
    assert from_link(LINK, FIRST, ["reverse"]) == (ASKED, [])
    assert picked_in(LINK) == PLACE


def test_what_is_usual_is_left_out() -> None:
    assert set(picked_link(Picked()).values()) == {""}
    assert {name for name, value in to_link(FIRST).items() if value} == {"on", "say"}


@given(st.dictionaries(st.sampled_from([*NAMES, *PICKED]), st.text()))
def test_no_link_can_raise(query: dict[str, str]) -> None:
    assert from_link(query, FIRST, ["reverse"])[0].model in ("reverse", FIRST.model)
    read = picked_in(query)
    assert picked_in(picked_link(read)).switches == read.switches


@pytest.mark.parametrize("written", ["t99", "t.", "t1.2.3", "t0", "nonsense", "hide", "mute.nowhere.1"])
def test_a_switch_that_cannot_be_read_is_left_out(written: str) -> None:
    assert picked_in({"if": written}).switches == Switches()
