"""What a page is asked and what its link says is picked: out and back, hostile links, what fits no run."""

from dataclasses import replace

import pytest
from attnviz_app.compare import query as compare
from attnviz_app.heads import query as heads
from attnviz_app.heads.query import MOST, Picked, fitted
from attnviz_app.jobs.training_request import Ask
from attnviz_app.step import query as step
from attnviz_app.train import query as train
from hypothesis import given
from hypothesis import strategies as st

import attnviz as av
from attnviz.explanation.whatif import ScoreSwitches, Switches
from attnviz.trace.generation import Stretch
from attnviz.trace.sampling import Sampling
from attnviz.training import TASKS
from attnviz.views import At, Moment, link
from attnviz.views.compare import Pair
from attnviz.views.home.story import muted

MODELS = ("minilm-l6",)
CAT = heads.Question("minilm-l6", "The cat.")
WORDS = st.text(st.characters(exclude_categories=["Cs"]))


def names_of(page):
    return (*link.asked_by(page), *link.picked_in(page))


def asked_by_heads(link):
    return heads.from_link(link, heads.Question("minilm-l6", ""), MODELS)[0]


def asked_by_train(link):
    return train.from_link(link, train.Question())


@pytest.mark.parametrize(("to_link", "read", "question"), [
    (heads.to_link, asked_by_heads, st.builds(
        heads.Question, st.just("minilm-l6"), WORDS.filter(bool), target=WORDS,
        part=st.sampled_from(["", "encoder", "cross"]),
    )),
    (train.to_link, asked_by_train, st.builds(
        train.Question, task=st.sampled_from(sorted(TASKS)), text=WORDS, run=st.sampled_from(["", "run-0123456789"]),
    )),
])  # fmt: skip
@given(st.data())
def test_a_question_that_goes_into_a_link_comes_out_of_it(to_link, read, question, data):
    asked = data.draw(question)
    assert read({name: value for name, value in to_link(asked).items() if value}) == asked


STRETCHES = (
    Stretch(5, 16, Sampling(0.8, 40, 0.95, 7)), Stretch(21, 1, Sampling(1.0)), Stretch(30, 9, None, True),
)  # fmt: skip


def test_what_a_model_wrote_of_a_text_stands_in_the_link_and_is_read_again() -> None:
    said = heads.stretches_to_link(STRETCHES)
    assert said == "6-21,t0.8,k40,p0.95,s7~22-22,t1.0,s0~31-39,c"
    assert heads.stretches_in(said) == STRETCHES
    asked = replace(CAT, written=said)
    assert asked_by_heads({name: value for name, value in heads.to_link(asked).items() if value}) == asked
    assert asked_by_heads({"text": "another text"}).written == ""


@pytest.mark.parametrize("said", [
    "6", "0-4", "6-5", "6-9~8-9", "6-9,t0,s1", "6-9,t1..2,s1", "6-9,k5", "6-9,t1,p2,s1", "6-9,t1", "6-9;c", "6-9~6-9",
    "~".join(f"{at}-{at}" for at in range(1, heads.MOST_STRETCHES + 2)),
])  # fmt: skip
def test_what_no_model_can_have_written_is_refused_in_a_link(said: str) -> None:
    question, notices = heads.from_link({"written": said}, CAT, MODELS)
    assert question.written == "" and [id for id, _ in notices] == ["notice-unreadable"]


@pytest.mark.parametrize(("asked", "link"), [
    ({}, {}), ({"by_word": True}, {"words": "1"}), ({"guesses": True}, {"guess": "1"}),
    ({"look": "two-heads"}, {"look": "two-heads"}),
])  # fmt: skip
def test_a_question_of_step_through_says_in_its_link_what_is_not_usual(asked, link):
    question, said = step.Question("reverse", "k a & c", **asked), {"model": "reverse", "text": "k a & c", **link}
    assert {name: value for name, value in step.to_link(question).items() if value} == said
    assert step.from_link(said, step.Question("", ""), ["reverse"]) == (question, [])


SWITCHED = Switches(True, False, 0.5, 2, 1, positions=False, silenced=(("encoder.0.self", 1), ("decoder.0.cross", 0)))
OF_HEADS = (("encoder.1.self", 5, ScoreSwitches(temperature=0.25)),
            ("decoder.0.cross", 0, ScoreSwitches(scaling=False, hidden=2)))  # fmt: skip


@pytest.mark.parametrize(("picked", "link"), [
    ({}, {}), ({"tab": "decoder"}, {"tab": "decoder"}),
    ({"site": "decoder.0.self", "head": 1}, {"part": "decoder", "layer": "1", "head": "2"}),
    ({"site": "decoder.2.cross"}, {"part": "cross", "layer": "3", "head": "1"}),
    ({"site": ".24.", "head": 4, "row": 3}, {"layer": "25", "head": "5", "token": "4"}),  # of a model with one part
    ({"at": At("raw.2", 3, 2, 7), "matrix": "raw.2", "row": 3, "key": 2},
     {"matrix": "raw.2", "token": "4", "key": "3", "feature": "8"}),
    ({"matrix": "weights"}, {"matrix": "weights"}),
    ({"switches": SWITCHED},
     {"if": "causal~noscale~t0.5~hide3~nopos~mute.encoder.0.self.2~mute.decoder.0.cross.1~hidetarget2"}),
    ({"switches": Switches(heads=OF_HEADS)},
     {"if": "t0.25.encoder.1.self.6~noscale.decoder.0.cross.1~hide3.decoder.0.cross.1"}),
    ({"switches": Switches(rotation=False, swaps_groups=True, gate=False)}, {"if": "norot~nogate~swapkeys"}),
    ({"switches": Switches(theta=10_000.0)}, {"if": "theta10000"}),
    ({"first_token": 64, "first_feature": 12}, {"window": "65.13"}),
    ({"guessed": "weights.2~3~1_raw"}, {"guessed": "weights.2~3~1_raw"}),
    ({"columns": "a3.13_all"}, {"columns": "a3.13_all"}),
    ({"sampling": Sampling(temperature=0.7, top_p=0.9)}, {"draw": "t0.7~p0.9"}),
    ({"sampling": Sampling(top_k=40)}, {"draw": "k40"}), ({"sampling": Sampling()}, {"draw": "all"}),
    ({"is_presented": True}, {"present": "1"}),
])  # fmt: skip
def test_what_is_picked_on_step_through_counts_from_one_in_its_link_and_comes_out_of_it(picked, link):
    assert {name: value for name, value in step.picked_link(step.Picked(**picked)).items() if value} == link
    assert step.picked_in(link) == step.Picked(**picked)


def test_the_heads_that_are_off_on_home_are_off_in_step_through() -> None:
    heads = (("decoder.23.self", 4), ("decoder.23.self", 1))
    assert muted(heads) == "mute.decoder.23.self.5~mute.decoder.23.self.2"
    assert step.picked_in({"if": muted(heads)}).switches.silenced == heads


@pytest.mark.parametrize(("names", "read"), [
    (names_of("heads"), lambda link: (asked_by_heads(link), heads.picked_in(link))),
    (names_of("step"),
     lambda link: (step.from_link(link, step.Question("minilm-l6", ""), MODELS)[0], step.picked_in(link))),
    (names_of("train"), lambda link: (asked_by_train(link), train.moment_in(link))),
    (names_of("compare"), lambda link: (CAT, compare.pair_in(link))),
], ids=["heads", "step", "train", "compare"])  # fmt: skip
@given(st.data())
def test_no_link_raises(names, read, data):
    asked, _ = read(data.draw(st.dictionaries(st.sampled_from(names), st.text())))
    asked.text.encode()
    assert asked.task in TASKS if isinstance(asked, train.Question) else asked.model in MODELS


def test_every_property_is_declared_once_and_asked_or_picked_by_a_page():
    assert len(link.BY_NAME) == len(link.TABLE)
    pages = {"frame", "lessons", "home", "heads", "step", "compare", "train", "byhand"}
    for each in link.TABLE:
        asked, picked = set(each.asked.split()), set(each.picked.split())
        assert asked | picked and asked | picked <= pages and not asked & picked, each.name
        assert each.type == "text" or each.fits("anything"), each.name


VALUES = {"index": st.none() | st.integers(0, 10**6), "flag": st.booleans(), "text": WORDS}


@given(st.fixed_dictionaries({each.name: VALUES[each.type] for each in link.TABLE}))
def test_every_value_that_a_page_understands_goes_into_a_link_and_comes_out_of_it(values):
    said = {name: text for name, text in link.written(values).items() if text}
    read, unreadable = link.read(said, link.BY_NAME)
    for each in link.TABLE:
        is_read = each.type != "text" or not values[each.name] or each.fits(values[each.name])
        assert read[each.name] == (values[each.name] if is_read else "") and (each.name in unreadable) is not is_read


@pytest.mark.parametrize(("said", "carried"), [
    ("model=minilm-l6&text=a %26 b&layer=3&tab=heads&nobody=1", {"model": "minilm-l6", "text": "a & b", "layer": "3"}),
    ("", {}), ("text=%ED%A0%80", {"text": "\ufffd\ufffd\ufffd"}), ("&" * 99 + "model=a", {}), ("from=model%3Da", {}),
])  # fmt: skip
def test_a_link_carries_what_goes_along_to_other_pages_and_nothing_else(said: str, carried: dict[str, str]) -> None:
    assert link.carried({"from": said, "model": "of a lesson"}) == carried


def test_another_text_leaves_the_head_and_another_model_leaves_nothing_of_the_one_before():
    before = {"model": "a", "text": "One", "part": "cross", "layer": "2", "token": "3", "tab": "heads", "model2": "b"}
    assert link.kept(before, {"text": "Two"}) == {name: said for name, said in before.items() if name != "token"} | {
        "text": "Two"
    }
    assert link.kept(before, {"model": "c"}) == {"model": "c", "text": "One", "tab": "heads"}


def test_another_text_or_model_starts_anew_and_a_silent_link_keeps_what_is_asked():
    assert heads.from_link({"text": "Other."}, CAT, MODELS)[0] == heads.Question("minilm-l6", "Other.")
    assert heads.from_link({"model": "other"}, CAT, ("other",))[0] == heads.Question("other", "The cat.")
    assert heads.from_link({"layer": "3"}, CAT, MODELS) == (CAT, [])
    now = train.Question("reverse", "abc", "run-0123456789")
    assert train.from_link({"model": "other", "layer": "1"}, now) == now


@pytest.mark.parametrize(("read", "link", "expected"), [
    *((heads.picked_in, link, (expected, [])) for link, expected in (
        ({"layer": "6", "head": "12", "token": "3"}, Picked(5, 11, 2)),
        ({"token": "none"}, Picked(released=True)),
        ({"key": "4"}, Picked(key=3)),
        ({"also": "1.1,6.12", "together": "max"}, Picked(also=((0, 0), (5, 11)), together="max")),
        *(({name: written}, Picked(**{name: written})) for name, written in (
            ("view", "heatmap"), ("filter", "special words below-3"), ("beside", "effect-mean"),
            ("overview", "kind-previous sort-first silenced-5"),
        )),
        ({}, Picked()),
    )),
    *((compare.pair_in, said, pair) for said, pair in (
        ({"layer": "1", "head": "2", "layer2": "3", "head2": "4"}, Pair(0, 1, 2, 3)),
        ({"layer": "1", "head": "2"}, Pair(0, 1, 0, 1)), ({"head": "2", "layer2": "3"}, Pair(0, 1, 2, 0)),
        ({"layer": "1", "token": "5", "key": "6"}, Pair(0, 0, 0, 0, 4, 5)),
        ({"layer": "1", "token": "5"}, Pair(0, 0, 0, 0, 4)),
        ({"token": "5", "key": "6"}, None), ({}, None), ({"layer": "a"}, None),
    )),
    (compare.heads_said, {"layer": "1", "head": "2"}, "1.2-1.2"), (compare.heads_said, {}, ""),
    (compare.heads_in, "1.2-3.4", [0, 1, 2, 3]),
    *((compare.heads_in, wrong, None) for wrong in ("", "1.2", "0.1-1.1", "1.1-1.1-1.1", "a.b-c.d", "1.2-3.99999")),
    *((train.moment_in, said, moment) for said, moment in (
        ({"update": "15", "layer": "1", "head": "2", "token": "8", "key": "3", "side": "b"}, Moment(15, 0, 1, 7, 2, 1)),
        ({"update": "0"}, Moment(0)), ({"head": "0"}, Moment(head=0)), ({"side": "b"}, None), ({"update": "-1"}, None),
        ({"update": "٣"}, None), ({"key": "3"}, None),
    )),
    *((lambda link: asked_by_train(link).ask, {"task": "induction", "train": written}, ask) for written, ask in (
        ("4_2_1_0_0.003_100", Ask("induction", 4, 2, True, False, 0.003, 100)),
        ("9_2_1_0_0.003_100", None), ("4_2_1_0_-.-_100", None),  # what cannot be trained
    )),
    *((step.picked_in, {"draw": wrong}, step.Picked()) for wrong in ("k0", "p0.0", "t0", "t", "k5 ", "k-1", "p2", "٣")),
    *((step.picked_in, {"if": wrong}, step.Picked())
      for wrong in ("t99", "t.", "t1.2.3", "t0", "nonsense", "hide", "mute.nowhere.1", "theta1", "theta")),
])  # fmt: skip
def test_a_link_says_what_is_picked_and_set_and_counts_from_one(read, link, expected):
    assert read(link) == expected


@pytest.mark.parametrize(("place", "expected"), [
    ("cross 1.2", None), ("decoder 2.6 weights", None), ("self encoder 1.2 weights", Pair(0, 1, 0, 1)), ("", None),
])  # fmt: skip
def test_a_translators_trace_opens_at_a_head_of_its_encoder_and_at_no_namesake_of_it(place, expected):
    assert compare.pair_of_place(place, is_of_translator=True) == expected
    assert compare.pair_of_place("decoder 2.6 weights", is_of_translator=False) == Pair(1, 5, 1, 5)


@pytest.mark.parametrize("query", [
    *({name: "abc"} for name in ("layer", "head", "token", "key", "view", "together", "overview", "beside")),
    *({"also": written} for written in ("1", "0.1", "1.1," * 9)),
    *({"filter": written} for written in ("special special", "below-0", "below-100", "<b>")),
    {"head": "1.5"}, {"overview": "many many"},
])  # fmt: skip
def test_what_cannot_be_read_is_left_out_with_a_notice(query):
    ((name, value),) = query.items()
    assert heads.picked_in(query) == (Picked(), [("notice-unreadable", (("value", f"{name}={value}"),))])


@pytest.mark.parametrize(("query", "removed", "id"), [
    ({"model": "../../etc/passwd"}, (), "notice-model"), ({"model": "gone"}, ("gone",), "notice-removed"),
    ({"part": "sideways"}, (), "notice-unreadable"),
])  # fmt: skip
def test_a_model_or_a_part_that_there_is_not_is_left_out_with_a_notice(query, removed, id):
    question, notices = heads.from_link(query, CAT, MODELS, removed)
    assert question == CAT and [it for it, _ in notices] == [id]
    wrong = {"task": "nothing", "run": "../../etc"}
    assert train.from_link(wrong, train.Question("reverse")) == train.Question("reverse")


@pytest.fixture(scope="module")
def trace(minilm):
    """Of 4 tokens, by 6 layers of 12 heads."""
    return minilm.trace("The cat")


@pytest.mark.parametrize("name", ["layer", "head", "token", "key"])
@pytest.mark.parametrize("written", ["0", "-3", "-" + "9" * 400, "9" * 5000])
def test_a_number_outside_is_moved_inside_with_a_notice(trace, name, written):
    picked, notices = heads.picked_in({name: written})
    _, inside, more = fitted(CAT, picked, trace)
    last = {"layer": 5, "head": 11, "token": 3, "key": 3}[name]
    assert notices == [] and getattr(inside, name) == (0 if written[0] in "-0" else last)
    assert [id for id, _ in more] == ["notice-token" if name == "key" else f"notice-{name}"]
    assert dict(more[0][1]) == {"n": last + 1, "shown": getattr(inside, name) + 1}


def test_each_part_has_layers_and_texts_of_its_own_and_a_model_with_one_part_names_none(trace):
    reverse = av.load("reverse").trace("a b c d e f", target="a b")
    for part, layer, token in (("", 0, 2), ("cross", 0, 2), ("encoder", 1, 6), ("decoder", 0, 2)):
        question, picked, _ = fitted(replace(CAT, part=part), Picked(9, 9, 9), reverse)
        assert question.part == (part or "cross") and picked == Picked(layer, 1, token)
    assert fitted(replace(CAT, part="cross"), Picked(key=9), reverse)[1].key == 6
    question, _, notices = fitted(replace(CAT, part="cross"), Picked(), trace)
    assert question.part == "" and notices == [("notice-part", ())]


def test_other_heads_are_those_of_the_model_each_once_and_not_the_picked_one(trace):
    asked = Picked(2, 9, also=((0, 1), (2, 9), (0, 1), (40, 1), *((1, head) for head in range(12))))
    _, picked, notices = fitted(CAT, asked, trace)
    assert picked.also == ((0, 1), *((1, head) for head in range(6)))
    assert len(picked.also) + 1 == MOST and notices == []
