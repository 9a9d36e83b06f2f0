"""What a reader chooses inside a closer look: tokens, a cell, another order, more blocks. The numbers follow."""

import pytest

import attnviz as av
from attnviz.explanation.closer_looks.gradients import cell_gradient
from attnviz.explanation.closer_looks.norm_order import norm_orders
from attnviz.explanation.closer_looks.residual_stream import token_similarity
from attnviz.explanation.whatif import Switches, run
from attnviz.text import figure, strings
from tests.pages.conftest import shown
from tests.pages.test_looks import of

say = strings("en")
TEXT = "a b c d"


@pytest.fixture(scope="module")
def reverse():
    return av.load("reverse")


@pytest.fixture(scope="module")
def trace(reverse):
    return reverse.trace(TEXT)


def facts(app):
    return [fact["value"] for block in of("facts", app) for fact in block["facts"]]


def test_the_gradient_is_that_of_the_cell_that_is_chosen(opened, trace):
    app = opened("step", lang="en", on="reverse", say=TEXT, tab="heads", look="gradient")
    app.selectbox(key="look-gradient-token").set_value(3)
    app.selectbox(key="look-gradient-column").set_value(7).run()
    found = cell_gradient(trace, "encoder.0.self", query=3, feature=7)
    assert facts(app) == [figure(found.value)]
    sizes = [figure(float(size)) for size in found.maps["x"].norm(dim=-1)]
    assert [row[2] for row in of("table", app)[0]["rows"]] == sizes


def test_another_order_of_the_words_is_drawn_at_each_press(opened):
    app = opened("step", lang="en", on="reverse", say="a b c d e f", tab="block", look="shuffle")
    before = of("table", app)[0]["rows"]
    app.button(key="look-shuffle-again").click().run()
    after = of("table", app)[0]["rows"]
    assert before[0] == after[0] and before[1] != after[1]
    assert [row[-1] for row in of("table", app)[1]["rows"]] == [say("look-shuffle-same"), say("look-shuffle-other")]


def test_likeness_follows_the_two_tokens_and_the_switches_of_the_page(opened, reverse, trace):
    app = opened("step", lang="en", on="reverse", say=TEXT, tab="block", look="likeness", **{"if": "nopos"})
    app.selectbox(key="look-likeness-first").set_value(1)
    app.selectbox(key="look-likeness-second").set_value(3).run()
    assert [block["text"] for block in of("prose", app)] == [
        say("look-with-switches", changes=say("what-if-positions-off"))
    ]
    found = token_similarity(run(reverse, trace, Switches(positions=False)))
    assert of("chart", app)[0]["curves"][0]["y"] == pytest.approx(found.pair(1, 3), abs=1e-6)


def test_both_orders_of_norms_have_as_many_blocks_as_chosen(opened):
    app = opened("step", lang="en", on="untrained-encoder", say="the cat sat", tab="block", look="norm-order")
    app.slider(key="look-norm-order-blocks").set_value(5).run()
    post, pre = norm_orders("the cat sat", 5)
    lengths, gradients = of("chart", app)[-2:]
    assert [curve["y"] for curve in lengths["curves"]] == [pytest.approx(one.lengths) for one in (post, pre)]
    assert [curve["y"] for curve in gradients["curves"]] == [pytest.approx(one.gradients) for one in (post, pre)]


MINILM = {"on": "minilm-l6", "say": "The cat sat.", "site": "encoder.2.self.5"}
ONE_WORD = {"on": "untrained-encoder", "say": "cat"}
OPENS = [  # with this link, this look of this tab has so many blocks of this kind, and says this
    (MINILM, "heads", "torch-check", "table", 1, ""),
    (MINILM, "heads", "gradient", "table", 1, ""),
    (MINILM, "block", "likeness", "chart", 1, ""),
    ({"if": "t0.5"}, "heads", "torch-check", "table", 1, "look-without-switches"),  # it is of the untouched run
    ({"if": "nopos"}, "block", "positions", "maps", 2, "look-without-switches"),
    ({"if": "full"}, "decoder", "decoding", "table", 0, "error-looks-ahead"),
    (ONE_WORD, "block", "shuffle", "table", 0, "error-one-order"),
    (ONE_WORD, "decoder", "decoding", "table", 0, ""),
]


@pytest.mark.parametrize(("query", "tab", "look", "kind", "n", "said"), OPENS)
def test_a_look_of_another_model_or_of_a_changed_run_says_what_it_is_of(opened, query, tab, look, kind, n, said):
    app = opened("step", **{"lang": "en", "on": "reverse", "say": TEXT, "tab": tab, "look": look, **query})
    assert not app.exception and "av-card" not in shown(app)
    assert (len(of(kind, app)) >= n) if n else of(kind, app) == []
    assert not said or say(said) in [block["text"] for block in of("prose", app)]
