"""Closer looks without a browser: each opens on its tab and draws what Python computes, of what a reader chooses."""

import copy

import pytest
import torch
from attnviz_app.step.looks.head_blocks import percent
from attnviz_app.step.query import LOOKS

import attnviz as av
from attnviz.explanation.closer_looks.cost import LENGTHS, attention_cost, recurrent_cost
from attnviz.explanation.closer_looks.gradients import cell_gradient
from attnviz.explanation.closer_looks.norm_order import norm_orders
from attnviz.explanation.closer_looks.residual_stream import token_similarity
from attnviz.explanation.closer_looks.scaling import scaling_rows
from attnviz.explanation.whatif import Switches, run
from attnviz.text import LANGUAGES, figure, strings
from attnviz.views.pack import unpack
from tests.pages.conftest import headers, link, shown, stepper

EVERY = [(tab, key) for tab, keys in LOOKS.items() for key in keys]
TEXT = "a b c d"
say = strings("en")


def of(kind: str, app) -> list[dict]:
    return [block for header in headers(app, "panel") for block in header["blocks"] if block["kind"] == kind]


def test_the_side_of_the_steps_offers_the_looks_of_its_tab(opened):
    header, _ = unpack(stepper(opened("step", lang="en", tab="heads")))
    assert header["controls"]["looks"] == [{"key": key, "name": say(f"look-{key}")} for key in LOOKS["heads"]]


@pytest.mark.parametrize(("tab", "key"), EVERY)
def test_each_look_opens_on_its_tab_from_a_link(opened, tab, key):
    language = LANGUAGES[len(key) % len(LANGUAGES)]
    app = opened("step", lang=language, on="induction", tab=tab, look=key)
    assert not app.exception and "av-card" not in shown(app)
    assert strings(language)(f"look-{key}-about") in shown(app).replace("&#x27;", "’")
    assert headers(app, "panel")
    assert link(app)["look"] == key


@pytest.mark.parametrize("look", ["two-heads", "<b>"])
def test_a_look_that_the_tab_has_not_is_forgotten(opened, look):
    app = opened("step", lang="en", look=look)
    assert not app.exception
    assert headers(app, "panel") == [] and "look" not in link(app)


def test_why_scale_shows_the_numbers_of_the_draws_and_marks_the_width_on_the_page(opened):
    app = opened("step", lang="en", on="reverse", look="why-scale")
    usual = {row.width: row for row in scaling_rows(seed=0)}
    (table,) = of("table", app)
    rows = {int(row[0]): row[1:] for row in table["rows"]}
    assert set(usual) <= set(rows)
    for width, row in usual.items():
        made = [(row.raw.spread, row.scaled.spread), (row.raw.largest, row.scaled.largest)]
        made += [(row.raw.gradient, row.scaled.gradient)]
        assert rows[width] == [figure(number) for pair in made for number in pair]
    assert f"dₖ = {table['rows'][table['marked']][0]}" in table["title"]
    spread = of("chart", app)[0]
    at = spread["x"].index(512)
    assert spread["curves"][0]["y"][at] == pytest.approx(usual[512].raw.spread)
    assert spread["curves"][1]["y"][at] == pytest.approx(usual[512].scaled.spread)


def test_cost_counts_a_layer_of_this_models_shape_at_every_length(opened):
    app = opened("step", lang="en", on="reverse", say="k a b c", look="cost")
    (here,) = of("facts", app)
    products, memory = of("chart", app)
    assert products["x"] == list(LENGTHS)
    d_model, n_heads = 64, 2  # of the shipped model
    attention = [attention_cost(n, d_model, n_heads) for n in LENGTHS]
    assert products["curves"][0]["y"] == [cost.multiply_adds for cost in attention]
    assert products["curves"][1]["y"] == [recurrent_cost(n, d_model).multiply_adds for n in LENGTHS]
    assert memory["curves"][0]["y"] == [cost.n_bytes for cost in attention]
    n = 5  # k a b c and the mark of the end
    numbers = [fact["value"] for fact in here["facts"][:2]]
    assert numbers == [figure(n), figure(attention_cost(n, d_model, n_heads).multiply_adds)]


def test_cost_lists_the_steps_at_the_length_that_is_chosen(opened):
    app = opened("step", lang="en", on="reverse", look="cost", cell="context~1~1~1")
    app.select_slider(key="look-cost-length").set_value(10_000).run()
    table = of("table", app)[-1]
    assert "10,000" in table["title"]
    assert table["rows"][table["marked"]][0] == "context"
    assert table["rows"][-1][1] == figure(sum(s.multiply_adds for s in attention_cost(10_000, 64, 2).steps.values()))


def test_the_lens_ends_in_what_the_model_predicts_at_every_token(opened):
    model, text = "translate-en-zh", "She is a doctor."
    app = opened("step", lang="en", on=model, say=text, tab="decoder", look="lens")
    (chart,), (ranked, table), trace = of("chart", app), of("table", app), av.load(model).trace(text)
    best, shares = [row[0] for row in trace.prediction.texts], trace.prediction.probabilities[:, 0].tolist()
    assert [row[-1] for row in table["rows"]] == [f"{one} {100 * p:.0f}%" for one, p in zip(best, shares, strict=True)]
    curve = chart["curves"][0]
    at = next(row for row in range(len(best)) if table["rows"][row][0].partition(" → ")[0] in chart["title"])
    assert len(curve["y"]) == len(table["columns"]) - 1 >= 2
    assert curve["name"] == f"“{best[at]}”" and curve["y"][-1] == pytest.approx(shares[at], abs=1e-4)

    decoder = copy.deepcopy(av.load(model).network.decoder).double()
    token, points = int(trace.prediction.ids[at, 0]), ["decoder.0.in", "decoder.1.in", list(trace.stream)[-1]]
    for point, row, share in zip(points, ranked["rows"], curve["y"], strict=True):
        state = trace.stream[point][at].double()
        with torch.no_grad():
            logits = decoder.to_vocabulary(state if point == points[-1] else decoder.final_norm(state))
        expected = logits.softmax(-1)
        assert share == pytest.approx(float(expected[token]), abs=1e-5)
        assert row[2] == str(1 + int((logits > logits[token]).sum())) and row[3] == percent(float(expected[token]))
        assert row[1].endswith(percent(float(expected.max())))


# ---------------------------------------------------------------------------------- what a reader chooses in a look


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
