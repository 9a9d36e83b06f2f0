"""What a reader chooses inside a closer look: tokens, a cell, another order, more blocks. The numbers follow."""

import pytest

import attnviz as av
from attnviz.explanation.closer_looks.gradients import cell_gradient
from attnviz.explanation.closer_looks.norm_order import norm_orders
from attnviz.explanation.closer_looks.token_similarity import token_similarity
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


def test_torchs_layer_is_compared_with_the_untouched_run_and_says_so(opened):
    app = opened("step", lang="en", on="reverse", say=TEXT, tab="heads", look="torch-check", **{"if": "t0.5"})
    assert say("look-without-switches") in [block["text"] for block in of("prose", app)]
    assert [row[0] for row in of("table", app)[0]["rows"]] == ["Output", "Weights", "Gradients"]


@pytest.mark.parametrize(("tab", "look", "kind"), [
    ("heads", "torch-check", "table"), ("heads", "gradient", "table"), ("block", "likeness", "chart"),
])  # fmt: skip
def test_a_pretrained_model_has_the_looks_of_its_heads_and_block(opened, tab, look, kind):
    app = opened("step", lang="en", on="minilm-l6", say="The cat sat.", tab=tab, site="encoder.2.self.5", look=look)
    assert not app.exception and "av-card" not in shown(app)
    assert of(kind, app)


def test_another_order_of_the_words_is_drawn_at_each_press(opened):
    app = opened("step", lang="en", on="reverse", say="a b c d e f", tab="block", look="shuffle")
    before = of("table", app)[0]["rows"]
    app.button(key="look-shuffle-again").click().run()
    after = of("table", app)[0]["rows"]
    assert before[0] == after[0] and before[1] != after[1]
    assert [row[-1] for row in of("table", app)[1]["rows"]] == [say("look-shuffle-same"), say("look-shuffle-other")]


def test_the_look_at_positions_is_of_the_untouched_run_and_says_so(opened):
    app = opened("step", lang="en", on="reverse", say=TEXT, tab="block", look="positions", **{"if": "nopos"})
    assert say("look-without-switches") in [block["text"] for block in of("prose", app)]
    assert of("maps", app)


def test_one_word_has_no_other_order(opened):
    app = opened("step", lang="en", on="untrained-encoder", say="cat", tab="block", look="shuffle")
    assert [block["text"] for block in of("prose", app)] == [say("error-one-order")]


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


def test_a_decoder_that_looks_ahead_says_why_nothing_was_written_token_by_token(opened):
    app = opened("step", lang="en", on="reverse", say=TEXT, tab="decoder", look="decoding", **{"if": "full"})
    assert of("prose", app)[-1]["text"] == say("error-looks-ahead")
    assert of("table", app) == []
    assert "av-card" not in shown(app)


def test_a_model_that_only_reads_has_no_look_at_decoding(opened):
    app = opened("step", lang="en", on="untrained-encoder", say="a cat", tab="decoder", look="decoding")
    assert not app.exception and "av-card" not in shown(app)
    assert of("table", app) == []
