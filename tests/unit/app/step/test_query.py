"""What the Step through page points at: out to a link and back, hostile links, what a browser may say."""

import pytest
from attnviz_app.step.query import (
    Stepping,
    asked,
    fitted,
    from_link,
    held,
    hidden_at,
    hideable,
    pointed,
    sites_of,
    to_link,
)
from attnviz_app.step.runs import questions
from hypothesis import given
from hypothesis import strategies as st

import attnviz as av
from attnviz.explanation import TABS, chain
from attnviz.explanation.whatif import Switches
from attnviz.scratch.untrained import untrained
from attnviz.text import LANGUAGES, strings
from attnviz.trace.trace import Trace
from attnviz.views import At

FULL = Stepping(
    model="reverse",
    text="k a b & c",
    tab="decoder",
    site="decoder.0.self",
    head=1,
    at=At("raw.2", 3, 2, 7),
    switches=Switches(True, False, 0.5, False, (("encoder.0.self", 1), ("decoder.0.cross", 0)), 2, 1),
    first_token=64,
    first_feature=12,
    by_word=True,
    guesses=True,
    look="two-heads",
)


@pytest.fixture(scope="module")
def trace() -> Trace:
    return av.load("reverse").trace("k a b c")


def test_a_link_holds_everything_and_gives_it_back() -> None:
    assert from_link(to_link(FULL), Stepping()) == FULL
    assert to_link(Stepping()) == {}


def test_the_names_in_a_link_are_short_and_count_from_1() -> None:
    assert to_link(FULL) == {
        "on": "reverse",
        "say": "k a b & c",
        "tab": "decoder",
        "site": "decoder.0.self.2",
        "cell": "raw.2~4~3~8",
        "if": "causal~noscale~t0.5~nopos~mute.encoder.0.self.2~mute.decoder.0.cross.1~hide3~hidetarget2",
        "window": "65.13",
        "words": "1",
        "guess": "1",
        "look": "two-heads",
    }


def test_a_silent_link_keeps_what_is_on_the_page() -> None:
    assert from_link({"lang": "en"}, FULL) == FULL


@given(
    st.dictionaries(
        st.sampled_from(["on", "say", "tab", "site", "cell", "if", "window", "words", "guess", "look"]), st.text()
    )
)
def test_no_link_can_raise(query: dict[str, str]) -> None:
    read = from_link(query, Stepping())
    assert from_link(to_link(read), Stepping()).switches == read.switches


@pytest.mark.parametrize("written", ["t99", "t.", "t1.2.3", "t0", "nonsense", "hide", "mute.nowhere.1"])
def test_a_switch_that_cannot_be_read_is_left_out(written: str) -> None:
    assert from_link({"if": written}, Stepping()).switches == Switches()


@given(st.dictionaries(st.text(max_size=8), st.one_of(st.none(), st.integers(), st.text(), st.booleans(), st.floats())))
def test_a_browser_may_say_anything(said: dict[str, object]) -> None:
    now = pointed(Stepping(), said)
    assert now.at is not None and min(now.at.row, now.at.key, now.at.feature) >= 0


def test_what_is_picked_is_taken_over() -> None:
    now = pointed(Stepping(), {"step": "weights", "row": 2, "key": 1, "feature": 0, "other": "x"})
    assert now.at == At("weights", 2, 1, 0)
    assert pointed(now, {"row": -1, "key": True, "step": "<b>"}).at == now.at


def test_what_is_asked_for_is_taken_over(trace: Trace) -> None:
    now = fitted(Stepping(site="encoder.0.self", head=1), trace)
    assert asked(now, {"causal": True}, trace).switches == Switches(causal=True)
    assert asked(now, {"causal": False}, trace).switches == Switches()  # as the model has it
    assert asked(now, {"silence": True}, trace).switches.silenced == (("encoder.0.self", 1),)
    assert asked(asked(now, {"silence": True}, trace), {"silence": False}, trace) == now
    assert asked(now, {"temperature": 0.333}, trace).switches.temperature == 0.33
    assert asked(now, {"temperature": 1e9}, trace) == now
    assert asked(now, {"hide": 2}, trace).switches.hidden == 2
    assert asked(now, {"tab": "block"}, trace).tab == "block"
    looking = asked(now, {"look": "two-heads", "turn": 1}, trace)
    assert looking.look == "two-heads" and asked(looking, {"tab": "block"}, trace).look == ""
    assert asked(now, {"look": "<b>"}, trace) == asked(now, {"look": 3}, trace) == now
    assert asked(now, {"site": "decoder.0.cross"}, trace).site == "decoder.0.cross"
    assert asked(now, {"site": "nowhere"}, trace) == now
    assert asked(asked(now, {"scaling": False}, trace), None, trace) == now


def test_a_token_of_the_target_is_hidden_where_the_target_is_looked_at(trace: Trace) -> None:
    own = fitted(Stepping(site="decoder.0.self"), trace)
    assert asked(own, {"hide": 1}, trace).switches == Switches(hidden_target=1)
    cross = fitted(Stepping(site="decoder.0.cross"), trace)
    assert asked(cross, {"hide": 1}, trace).switches == Switches(hidden=1)


def test_what_is_hidden_can_be_seen_and_undone_wherever_one_goes(trace: Trace) -> None:
    on_self = fitted(Stepping(site="encoder.0.self"), trace)
    assert {text for text, _ in hideable(on_self, trace)} == {"source"}
    hides = asked(on_self, {"hide": 1}, trace)
    in_decoder = fitted(asked(hides, {"tab": "decoder"}, trace), trace)
    places = hideable(in_decoder, trace)
    assert [place for text, place in places if text == "source"] == list(range(len(trace.tokens.source)))
    assert [place for text, place in places if text == "target"] == list(range(len(trace.tokens.target or ())))
    assert hidden_at(on_self, trace) == ()
    assert hidden_at(in_decoder, trace) == (places.index(("source", 1)),)
    other = asked(in_decoder, {"hide": len(places) - 1}, trace)
    assert other.switches == Switches(hidden_target=places[-1][1])
    assert asked(other, {"hide": None}, trace).switches == Switches()
    back = fitted(asked(other, {"tab": "self"}, trace), trace)  # the encoder, which looks at no target
    assert hidden_at(back, trace) == (hideable(back, trace).index(places[-1]),)
    assert asked(in_decoder, {"hide": 10**5}, trace) == in_decoder


def test_both_tokens_that_a_link_hides_are_seen(trace: Trace) -> None:
    both = fitted(from_link({"tab": "decoder", "if": "hide2~hidetarget3"}, Stepping()), trace)
    places = hideable(both, trace)
    assert [places[at] for at in hidden_at(both, trace)] == [("source", 1), ("target", 2)]
    assert asked(both, {"hide": 0}, trace).switches == Switches(hidden=0)


def test_what_no_longer_fits_is_moved_inside(trace: Trace) -> None:
    odd = Switches(
        silenced=(("encoder.7.self", 0), ("encoder.0.self", 9), ("encoder.0.self", 1)), hidden=40, hidden_target=9
    )
    now = fitted(Stepping(site="encoder.9.self", head=5, switches=odd), trace)
    assert (now.site, now.head) == ("encoder.0.self", 1)
    assert now.switches == Switches(silenced=(("encoder.0.self", 1),))


LONG = " ".join(f"w{i}" for i in range(95))


@pytest.mark.parametrize(
    ("row", "key", "chosen", "first"),
    [
        (5, 5, 0, 0),
        (63, 63, 0, 0),
        (89, 89, 0, 26),  # the part opens where the cell is
        (40, 89, 0, 26),
        (4, 89, 0, 0),  # too far apart: the row stays
        (30, 5, 31, 30),
        (40, 5, 31, 31),  # a chosen part that holds the row stays
        (999, 999, 0, 31),
    ],
)
def test_the_part_of_a_long_text_holds_the_picked_cell(row: int, key: int, chosen: int, first: int) -> None:
    long = untrained().trace(LONG)
    now = Stepping(site="encoder.0.self", at=At("weights", row, key), first_token=chosen)
    assert held(now, long).first_token == first


def test_of_a_short_text_no_part_is_chosen(trace: Trace) -> None:
    assert held(Stepping(site="encoder.0.self", at=At("raw", 90, 90)), trace).first_token == 0


def test_each_tab_has_the_attentions_it_can_be_about(trace: Trace) -> None:
    assert "decoder.0.cross" in sites_of(trace, "self")
    assert sites_of(trace, "decoder") == ("decoder.0.self",)
    assert "decoder.0.cross" not in sites_of(trace, "block")


@pytest.mark.parametrize("tab", TABS)
def test_every_tab_asks_something(trace: Trace, tab: str) -> None:
    made = chain(trace, tab)
    asked = questions(made, strings("en"))
    steps = {step.key: step for step in made.steps}
    assert asked.keys() <= steps.keys()
    assert {"weights"} <= {steps[key].name for key in asked}
    for key, question in asked.items():
        values = steps[key].result.values
        row, column = question["answers"][0]  # type: ignore[index]
        own = values if question["row"] is None else values[question["row"]]  # type: ignore[index]
        assert values[row, column] == own.max()


@pytest.mark.parametrize("language", LANGUAGES)
def test_where_each_head_is_asked_about_the_question_names_it(trace: Trace, language: str) -> None:
    say = strings(language)
    made = chain(trace, "heads")
    texts = [str(question["text"]) for question in questions(made, say).values()]
    assert len(texts) == trace["encoder.0.self"].n_heads == len(set(texts))
    assert all(str(at + 1) in text for at, text in enumerate(texts))
    alone = questions(chain(trace, "self"), say).values()
    assert {str(question["text"]) for question in alone}.isdisjoint(texts)
