"""What can be chosen on the Step through page: what a person asks for, fitted to a run."""

import pytest
from attnviz_app.step.choices import ALIGNING, asked, fitted, held, hidden_at, hideable, sites_of
from attnviz_app.step.picture import _looks
from attnviz_app.step.query import Picked, picked_in, picked_link
from attnviz_app.step.runs import questions
from hypothesis import given
from hypothesis import strategies as st

import attnviz as av
from attnviz.explanation import TABS, chain
from attnviz.explanation.whatif import ScoreSwitches, Switches
from attnviz.scratch.rebuilt import rebuilt
from attnviz.scratch.untrained import untrained
from attnviz.text import strings
from attnviz.trace.sampling import GREEDY, Sampling
from attnviz.training.best_heads import best_heads
from attnviz.views import At
from tests.parity.tiny_models import traced_model


@pytest.fixture(scope="module")
def trace():
    return av.load("reverse").trace("k a b c")


@pytest.mark.parametrize("name", ALIGNING)
def test_the_decoder_of_a_translator_opens_on_the_head_that_aligns_best(name):
    model = av.load(name)
    measured = best_heads(model)["alignment"]
    site, head = ALIGNING[name]
    assert (site.replace("self", "cross"), head, measured.site.layer) == (measured.site.key, measured.head, 1)
    trace = model.trace(strings("zh-CN")(f"example-{name[10:12]}-negation-text"))
    now = fitted(Picked(tab="decoder"), trace)
    assert (now.site, now.head) == (site, head)
    assert fitted(Picked(tab="self"), trace).site == "encoder.0.self"
    assert fitted(Picked(tab="decoder", site="decoder.0.self", head=2), trace).head == 2


def test_another_tab_stays_at_the_attention_one_is_at_and_its_tokens(trace):
    """Of a decoder's block the softmax of that attention; where a tab has no such attention, it opens as at first."""
    cross = fitted(Picked(tab="decoder", site="decoder.0.self", head=1, at=At("raw.2", 2, 3, 5)), trace)
    heads = fitted(asked(cross, {"tab": "heads", "attention": "decoder.0.cross"}, trace), trace)
    assert (heads.site, heads.head, heads.at) == ("decoder.0.cross", 1, At("", 2, 3))
    back = fitted(asked(heads, {"tab": "decoder", "attention": "decoder.0.cross"}, trace), trace)
    assert (back.site, back.head, back.at) == ("decoder.0.self", 1, At("weights.2", 2, 3))
    own = fitted(Picked(tab="heads", site="decoder.0.self", head=1, at=At("out", 2, 3)), trace)
    assert fitted(asked(own, {"tab": "decoder"}, trace), trace).at == At("weights", 2, 3)
    assert fitted(asked(heads, {"tab": "block", "attention": "encoder.0.self"}, trace), trace).site == "decoder.0.self"
    encoder = fitted(Picked(tab="heads", site="encoder.0.self", head=1, at=At("out", 2, 3)), trace)
    there = fitted(asked(encoder, {"tab": "decoder"}, trace), trace)
    assert (there.site, there.head, there.at) == ("decoder.0.self", 0, None)


@given(st.dictionaries(st.sampled_from(["tab", "site", "head", "hide", "causal", "temperature", "first_token"]),
                       st.one_of(st.none(), st.integers(), st.text(), st.booleans(), st.floats())))  # fmt: skip
def test_a_browser_may_ask_for_anything(trace, asks):
    assert fitted(asked(fitted(Picked(), trace), asks, trace), trace).site in trace.records


@pytest.mark.parametrize(("asks", "sampling"), [
    ([], GREEDY),
    ([{"draw": "k5"}], Sampling(top_k=5)),
    ([{"draw": "k5"}, {"heat": "0.7"}, {"draw": "p0.9"}], Sampling(temperature=0.7, top_p=0.9)),
    ([{"heat": "2"}, {"draw": "all"}], Sampling(temperature=2.0)),
    ([{"heat": "2"}, {"draw": "all"}, {"draw": "k1"}, {"heat": "1"}], GREEDY),
    ([{"draw": "k0"}, {"heat": "-3"}, {"draw": "p7"}], GREEDY),  # which is not offered
])  # fmt: skip
def test_how_the_next_word_is_chosen_is_asked_for_and_kept_by_a_link(trace, asks, sampling):
    now = Picked(tab="decoder")
    for each in asks:
        now = asked(now, each, trace)
    assert now.sampling == sampling
    assert picked_in(picked_link(now)).sampling == sampling
    assert asked(now, None, trace).sampling == sampling  # it is no what-if


SELF, OWN, CROSS = "encoder.0.self", "decoder.0.self", "decoder.0.cross"
ALL, TEXTS = {"isEverywhere": True}, ("source", "target")


def of(site: str, head: int, **own: object) -> Switches:
    """A change of one head alone."""
    return Switches(heads=((site, head, ScoreSwitches(**own)),))


@pytest.mark.parametrize(("site", "asks", "switches"), [
    (SELF, [{"causal": True}], of(SELF, 1, causal=True)),
    (SELF, [{"causal": False}], Switches()),  # as the model has it
    (SELF, [ALL | {"causal": True}], Switches(causal=True)),
    (SELF, [{"silence": True}], Switches(silenced=((SELF, 1),))),
    (SELF, [{"silence": True}, {"silence": False}], Switches()),
    (SELF, [{"silence": True}, {"silence": "all"}], Switches(silenced=((SELF, 0), (SELF, 1)))),
    (OWN, [{"tab": "decoder", "site": OWN}, {"silence": True, "attention": CROSS}], Switches(silenced=((CROSS, 1),))),
    (SELF, [{"temperature": 0.333}], of(SELF, 1, temperature=0.33)),
    (SELF, [ALL | {"temperature": 0.333}], Switches(temperature=0.33)),
    (SELF, [{"temperature": 1e9}], Switches()),
    (SELF, [{"scaling": False}, None], Switches()),
    (SELF, [{"scaling": False}, {"scaling": True}], Switches()),
    (SELF, [{"hide": 2}], of(SELF, 1, hidden=2)),
    (SELF, [ALL | {"hide": 2}], Switches(hidden=2)),
    (CROSS, [{"hide": 1}], of(CROSS, 1, hidden=1)),
    (CROSS, [ALL | {"hide": 1}], Switches(hidden=1)),
    (OWN, [{"hide": 1}], of(OWN, 1, hidden=1)),
    (OWN, [ALL | {"hide": 1}], Switches(hidden_target=1)),  # where the target is looked at
    # it stays in the head where it was made, and another one has its own
    (SELF, [{"temperature": 2}, {"head": 0}], of(SELF, 1, temperature=2.0)),
    (SELF, [{"temperature": 2}, {"hide": 0, "ofHead": 0}],
     Switches(heads=((SELF, 1, ScoreSwitches(temperature=2.0)), (SELF, 0, ScoreSwitches(hidden=0))))),
    (SELF, [{"temperature": 2}, {"temperature": 1, "ofHead": 0}], of(SELF, 1, temperature=2.0)),
    (SELF, [{"temperature": 2, "ofHead": 99}], of(SELF, 1, temperature=2.0)),
    # the other place, in one step and back
    (SELF, [{"temperature": 2}, ALL], Switches(temperature=2.0)),
    (SELF, [{"temperature": 2}, {"head": 0}, ALL], Switches(temperature=2.0)),  # of the head that was changed
    (SELF, [{"temperature": 2}, ALL, {"isEverywhere": False, "ofHead": 0}], of(SELF, 0, temperature=2.0)),
    (SELF, [{"temperature": 2}, ALL, {"scaling": False}], Switches(scaling=False, temperature=2.0)),
    (OWN, [{"hide": 1}, ALL], Switches(hidden_target=1)),
    (OWN, [{"hide": 1}, ALL, {"isEverywhere": False}], of(OWN, 1, hidden=1)),
    (OWN, [ALL | {"causal": False}, {"isEverywhere": False, "attention": CROSS}, {"temperature": 2}],
     of(OWN, 1, temperature=2.0)),
])  # fmt: skip
def test_what_is_asked_for_is_switched(trace, site, asks, switches):
    now = fitted(Picked(site=site, head=1), trace)
    for each in asks:
        now = fitted(asked(now, each, trace), trace)
    assert now.switches == switches
    assert fitted(picked_in(picked_link(now)), trace).switches == switches


def test_in_a_block_one_head_hides_its_own_keys_alone(trace):
    now = fitted(Picked(tab="decoder", site=OWN), trace)
    source, target = (next(at for at, (of, _) in enumerate(hideable(now, trace)) if of == text) for text in TEXTS)
    cross = {"attention": CROSS, "ofHead": 1}
    assert asked(now, {"hide": source} | cross, trace).switches == of(CROSS, 1, hidden=0)
    assert asked(now, {"hide": target} | cross, trace) == now
    assert asked(now, {"hide": target, "attention": OWN}, trace).switches == of(OWN, 0, hidden=0)


def test_another_tab_or_attention_that_there_is_is_taken_over(trace):
    now = fitted(Picked(site=SELF, head=1), trace)
    assert asked(now, {"tab": "block"}, trace).tab == "block"
    assert asked(now, {"site": CROSS}, trace).site == CROSS
    assert asked(now, {"site": "nowhere"}, trace) == now
    in_decoder = fitted(Picked(site=OWN, head=1, tab="decoder"), trace)
    block = fitted(asked(in_decoder, {"tab": "block", "site": SELF}, trace), trace)  # of the map: a tab with a site
    assert (block.tab, block.site, block.head) == ("block", SELF, 1)


def test_what_is_hidden_can_be_seen_and_undone_wherever_one_goes(trace):
    on_self = fitted(Picked(site="encoder.0.self"), trace)
    assert {text for text, _ in hideable(on_self, trace)} == {"source"}
    hides = asked(on_self, {"hide": 1, **ALL}, trace)
    in_decoder = fitted(asked(hides, {"tab": "decoder"}, trace), trace)
    places = hideable(in_decoder, trace)
    assert [place for text, place in places if text == "source"] == list(range(len(trace.tokens.source)))
    assert [place for text, place in places if text == "target"] == list(range(len(trace.tokens.target or ())))
    assert hidden_at(on_self, trace) == ()
    assert hidden_at(in_decoder, trace) == (places.index(("source", 1)),)
    other = asked(in_decoder, {"hide": len(places) - 1}, trace)
    assert other.switches == Switches(hidden_target=places[-1][1])
    assert asked(other, {"hide": None}, trace).switches == Switches()
    back = fitted(asked(other, {"tab": "self", "site": "encoder.0.self"}, trace), trace)  # which looks at no target
    assert hidden_at(back, trace) == (hideable(back, trace).index(places[-1]),)
    assert asked(in_decoder, {"hide": 10**5}, trace) == in_decoder


def test_both_tokens_that_a_link_hides_are_seen(trace):
    both = fitted(picked_in({"tab": "decoder", "if": "hide2~hidetarget3"}), trace)
    places = hideable(both, trace)
    assert [places[at] for at in hidden_at(both, trace)] == [("source", 1), ("target", 2)]
    assert asked(both, {"hide": 0}, trace).switches == Switches(hidden=0)


def test_what_no_longer_fits_is_moved_inside(trace):
    odd = Switches(silenced=(("encoder.7.self", 0), (SELF, 9), (SELF, 1)), hidden=40, hidden_target=9)
    now = fitted(Picked(site="encoder.9.self", head=5, switches=odd), trace)
    assert (now.site, now.head, now.switches) == (SELF, 1, Switches(silenced=((SELF, 1),)))


@pytest.mark.parametrize(("row", "key", "chosen", "first"), [
    (63, 63, 0, 0), (40, 89, 0, 26),  # the part opens where the cell is
    (4, 89, 0, 0),  # too far apart: the row stays
    (30, 5, 31, 30), (40, 5, 31, 31),  # a chosen part that holds the row stays
    (999, 999, 0, 31),
])  # fmt: skip
def test_the_part_of_a_long_text_holds_the_picked_cell(trace, row, key, chosen, first):
    long = untrained().trace(" ".join(f"w{i}" for i in range(95)))
    now = Picked(site="encoder.0.self", at=At("weights", row, key), first_token=chosen)
    assert held(now, long).first_token == first
    assert held(Picked(site="encoder.0.self", at=At("raw", 90, 90)), trace).first_token == 0  # of a short one, all


def test_each_tab_has_the_attentions_it_can_be_about(trace):
    assert "decoder.0.cross" in sites_of(trace, "self")
    assert sites_of(trace, "decoder") == ("decoder.0.self",)
    assert "decoder.0.cross" not in sites_of(trace, "block")


@pytest.mark.parametrize("tab", TABS)
def test_every_tab_asks_about_its_weights(trace, tab):
    made = chain(trace, tab)
    asked = questions(made, strings("en"))
    assert asked.keys() & {step.key for step in made.steps if step.name == "weights"}


def test_where_each_head_is_asked_about_the_question_names_it(trace):
    say = strings("zh-CN")
    made = chain(trace, "heads")
    texts = [question["text"] for question in questions(made, say).values()]
    assert len(texts) == 4 == len(set(texts))  # of each head's raw scores, and of its weights
    assert all(str(at % 2 + 1) in text for at, text in enumerate(texts))
    alone = questions(chain(trace, "self"), say).values()
    assert {question["text"] for question in alone}.isdisjoint(texts)


@pytest.mark.parametrize(("name", "tab", "there", "missing"), [
    ("reverse", "block", {"positions", "shuffle"}, {"distance"}),
    ("reverse", "heads", {"torch-check", "gradient"}, {"distance"}),
    ("llama", "block", {"distance"}, {"positions", "shuffle"}),
    ("llama", "heads", {"distance", "gradient", "cache"}, {"torch-check"}),
    ("llama", "decoder", {"distance", "cache"}, set()),
])  # fmt: skip
def test_only_looks_that_a_model_has_something_for_are_offered(name, tab, there, missing):
    model = rebuilt(traced_model("llama")) if name == "llama" else av.load(name)
    untouched = model.trace("a b c")
    keys = set(_looks(model, untouched, fitted(Picked(tab=tab), untouched)))
    assert there <= keys and not missing & keys
