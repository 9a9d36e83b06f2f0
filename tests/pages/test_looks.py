"""Closer looks without a browser: each opens on its tab and draws what Python computes; an odd link is a page."""

import copy

import pytest
import torch
from attnviz_app.step.looks.head_blocks import percent

from attnviz.explanation.closer_looks.cost import LENGTHS, attention_cost, recurrent_cost
from attnviz.explanation.closer_looks.scaling import scaling_rows
from attnviz.text import LANGUAGES, figure, strings
from attnviz.views.pack import unpack
from tests.pages.conftest import headers, link, shown, stepper

LOOKS = {
    "self": ("why-scale", "cost"),
    "heads": ("two-heads", "torch-check", "gradient"),
    "block": ("positions", "shuffle", "likeness", "norm-order"),
    "decoder": ("decoding", "lens"),
}
EVERY = [(tab, key) for tab, keys in LOOKS.items() for key in keys]
LENGTH = "look-cost-length"


def of(kind: str, app) -> list[dict]:
    return [block for header in headers(app, "panel") for block in header["blocks"] if block["kind"] == kind]


def test_the_side_of_the_steps_offers_the_looks_of_its_tab(opened):
    header, _ = unpack(stepper(opened("step", lang="en", tab="heads")))
    say = strings("en")
    assert header["controls"]["looks"] == [{"key": key, "name": say(f"look-{key}")} for key in LOOKS["heads"]]


@pytest.mark.parametrize(("tab", "key"), EVERY)
def test_each_look_opens_on_its_tab_from_a_link(opened, tab, key):
    language = LANGUAGES[len(key) % len(LANGUAGES)]
    app = opened("step", lang=language, on="induction", tab=tab, look=key)
    assert not app.exception
    assert "av-card" not in shown(app)
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
    app.select_slider(key=LENGTH).set_value(10_000).run()
    table = of("table", app)[-1]
    assert "10,000" in table["title"]
    assert table["rows"][table["marked"]][0] == "context"
    assert table["rows"][-1][1] == figure(sum(s.multiply_adds for s in attention_cost(10_000, 64, 2).steps.values()))


def test_the_lens_ends_in_what_the_model_predicts_at_every_token(opened):
    import attnviz as av

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
