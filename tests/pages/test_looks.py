"""Closer looks without a browser: each opens on its tab and draws what Python computes, of what a reader chooses."""

import copy

import pytest
import torch
from attnviz_app.step.looks.design_blocks import PARTS
from attnviz_app.step.looks.head_blocks import percent
from attnviz_app.step.query import LOOKS

import attnviz as av
from attnviz.explanation.closer_looks.cost import LENGTHS, attention_cost, recurrent_cost
from attnviz.explanation.closer_looks.gradients import cell_gradient
from attnviz.explanation.closer_looks.norm_order import norm_orders
from attnviz.explanation.closer_looks.residual_stream import token_similarity
from attnviz.explanation.closer_looks.scaling import scaling_rows
from attnviz.explanation.closer_looks.two_heads import head_difference
from attnviz.explanation.whatif import Switches, run
from attnviz.text import LANGUAGES, figure, strings
from attnviz.text.numbers import signed
from tests.pages.conftest import headers, link, shown
from tests.parity.tiny_models import eager_model, saved

TAB = {key: tab for tab, keys in LOOKS.items() for key in keys}
TEXT = "a b c d"
MINILM = {"model": "minilm-l6", "text": "The cat sat.", "part": "encoder", "layer": "3", "head": "5"}
OF_ROTARY = ("distance", "merges")  # no model of letters has them
OF_MINILM = ("torch-check", "gradient", "likeness")  # which need no more than its run holds
say = strings("en")


def of(kind: str, app) -> list[dict]:
    return [block for header in headers(app, "panel") for block in header["blocks"] if block["kind"] == kind]


@pytest.fixture
def look(opened):
    """A factory: `look("cost", text="k a b")` opens that look on its tab, of the model that turns letters round."""

    def open_look(name: str, /, **query: str):
        app = opened(
            "step", **{"lang": "en", "model": "reverse", "text": TEXT, "tab": TAB[name], "look": name, **query}
        )
        return app

    return open_look


@pytest.mark.parametrize("key", [key for key in TAB if key not in OF_ROTARY])
def test_each_look_opens_on_its_tab_from_a_link(look, key):
    language, model = LANGUAGES[len(key) % len(LANGUAGES)], MINILM if key in OF_MINILM else {"model": "induction"}
    app = look(key, lang=language, **model)
    assert strings(language)(f"look-{key}-about") in shown(app).replace("&#x27;", "’")
    assert {block["kind"] for header in headers(app, "panel") for block in header["blocks"]} - {"prose"}
    assert link(app)["look"] == key


def test_the_merges_of_the_word_at_the_picked_token_and_of_one_that_is_chosen(look, operator, smollm2):
    operator.setenv("ATTNVIZ_MODELS", "smollm2-135m")
    app = look("merges", model="smollm2-135m", text="an unbelievably old", part="decoder", layer="1", token="4")
    word, words = of("table", app)
    assert word["rows"][-1][1] == "␣unbelie · v · ably"
    app.selectbox(key="look-merges-word").set_value(0).run()
    assert of("table", app)[0]["rows"][-1][1] == "an" and len(words["rows"]) == 3


@pytest.fixture(scope="module")
def rotary(tmp_path_factory):
    """The folder of a tiny model whose queries and keys are rotated: two key heads for four query heads."""
    return saved(eager_model("llama"), tmp_path_factory.mktemp("rotary") / "tiny-llama")


def test_both_tokens_are_moved_and_their_score_stays(look, operator, rotary):
    operator.setenv("ATTNVIZ_MODELS", f"{rotary},minilm-l6")
    app = look(
        "distance", model=rotary, text="cats", part="decoder", layer="2", head="2", matrix="raw", token="4", key="2"
    )

    def scores() -> list[str]:
        (facts,) = of("facts", app)
        return [fact["value"] for fact in facts["facts"]]

    before = scores()
    assert before[0] == before[1] and app.slider(key="look-distance-apart-3-1").value == 2
    app.slider(key="look-distance-move").set_value(20).run()
    assert scores() == before
    assert "s” at position 23, “a” at 21" in of("facts", app)[0]["facts"][0]["note"]
    app.slider(key="look-distance-apart-3-1").set_value(5).run()
    assert scores()[0] != before[0] and scores()[1:] == before[1:]


def test_what_a_model_without_rotation_has_for_the_distance_is_a_sentence(look):
    assert "are not rotated" in of("prose", look("distance", model="induction"))[0]["text"]


def test_a_look_that_the_tab_has_not_is_forgotten(look):
    app = look("two-heads", tab="self")
    assert headers(app, "panel") == [] and "look" not in link(app)


def test_three_designs_stand_side_by_side_and_each_leads_to_a_model_built_so(look, operator):
    operator.setenv("ATTNVIZ_MODELS", "reverse,translate-en-zh")
    app = look("designs")
    (table,) = of("table", app)
    assert len(table["columns"]) == 4 and len(table["rows"]) == len(PARTS)
    app.button(key="look-designs-translate-en-zh").click().run()
    assert link(app)["model"] == "translate-en-zh" and link(app)["text"] != TEXT  # one that it can read
    assert "look" not in link(app) and headers(app, "panel") == []


def test_a_model_of_a_design_that_is_not_here_is_opened_by_its_name(look):
    app = look("designs")
    app.button(key="look-designs-openai-community/gpt2").click().run()
    assert app.text_input[-1].value == "openai-community/gpt2" and headers(app, "panel") == []


def test_on_a_server_for_many_a_model_of_a_design_that_is_not_there_is_said_to_be_missing(look, operator):
    operator.setenv("ATTNVIZ_MODE", "hosted")
    assert "openai-community/gpt2 is not on this server" in shown(look("designs"))


def test_why_scale_shows_the_numbers_of_the_draws_and_marks_the_width_on_the_page(look):
    app = look("why-scale")
    usual = scaling_rows(seed=0)
    (table,) = of("table", app)
    rows = {int(row[0]): row[1:] for row in table["rows"]}
    for row in usual:
        made = [getattr(it, name) for name in ("spread", "largest", "gradient") for it in (row.raw, row.scaled)]
        assert rows[row.width] == [figure(number) for number in made]
    assert f"dₖ = {table['rows'][table['marked']][0]}" in table["title"]
    spread = of("chart", app)[0]
    at = [spread["x"].index(row.width) for row in usual]
    for curve, side in zip(spread["curves"], ("raw", "scaled"), strict=True):
        assert [curve["y"][it] for it in at] == pytest.approx([getattr(row, side).spread for row in usual])


def test_cost_counts_a_layer_of_this_models_shape_at_every_length_and_its_steps_at_a_chosen_one(look):
    app = look("cost", matrix="context", token="1", key="1")
    (here,) = of("facts", app)
    products, memory = of("chart", app)
    assert products["x"] == list(LENGTHS)
    d_model, n_heads = 64, 2  # of the shipped model
    attention = [attention_cost(n, d_model, n_heads) for n in LENGTHS]
    assert products["curves"][0]["y"] == [cost.multiply_adds for cost in attention]
    assert products["curves"][1]["y"] == [recurrent_cost(n, d_model).multiply_adds for n in LENGTHS]
    assert memory["curves"][0]["y"] == [cost.n_bytes for cost in attention]
    n = 5  # a b c d and the mark of the end
    numbers = [fact["value"] for fact in here["facts"][:2]]
    assert numbers == [figure(n), figure(attention_cost(n, d_model, n_heads).multiply_adds)]
    app.select_slider(key="look-cost-length").set_value(10_000).run()
    table = of("table", app)[-1]
    assert "10,000" in table["title"]
    assert table["rows"][table["marked"]][0] == "× V"  # as the rail names the step
    steps = attention_cost(10_000, d_model, n_heads).steps.values()
    assert table["rows"][-1][1] == figure(sum(step.multiply_adds for step in steps))


def test_the_lens_ends_in_what_the_model_predicts_at_every_token(look):
    model, text = "translate-en-zh", "She is a doctor."
    app = look("lens", model=model, text=text)
    (chart,), (ranked,), (maps,) = (of(kind, app) for kind in ("chart", "table", "maps"))
    (drawn,), trace = maps["maps"], av.load(model).trace(text)
    best, shares = [row[0] for row in trace.prediction.texts], trace.prediction.probabilities[:, 0].tolist()
    assert drawn["texts"][-1] == best and drawn["leads"] == "token"
    curve = chart["curves"][0]
    at = next(row for row in range(len(best)) if drawn["columns"][row].partition(" → ")[0] in chart["title"])
    assert len(curve["y"]) == len(drawn["rows"]) >= 2
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


@pytest.fixture(scope="module")
def reverse():
    return av.load("reverse")


@pytest.fixture(scope="module")
def trace(reverse):
    return reverse.trace(TEXT)


@pytest.mark.parametrize(("key", "chosen"), [
    ("gradient", {"token": 3, "column": 7}), ("two-heads", {"first": 1, "second": 0}),
])  # fmt: skip
def test_the_gradient_is_that_of_the_chosen_cell_and_two_heads_are_those_that_are_chosen(look, trace, key, chosen):
    app = look(key)
    for name, value in chosen.items():
        app.selectbox(key=f"look-{key}-{name}").set_value(value)
    numbers = [fact["value"] for block in of("facts", app.run()) for fact in block["facts"]]
    if key == "gradient":
        assert numbers == [figure(cell_gradient(trace, "encoder.0.self", query=3, feature=7).value)]
    else:
        found = head_difference(trace["encoder.0.self"], 1, 0)
        assert numbers[::2] == [f"{found.mean_moved:.0%}", signed(float(found.difference[found.farthest]), 2)]


def test_another_order_of_the_words_is_drawn_at_each_press(look):
    app = look("shuffle", text="a b c d e f")
    before = of("table", app)[0]["rows"]
    app.button(key="look-shuffle-again").click().run()
    after = of("table", app)[0]["rows"]
    assert before[0] == after[0] and before[1] != after[1]
    assert [row[-1] for row in of("table", app)[1]["rows"]] == [say("look-shuffle-same"), say("look-shuffle-other")]


def test_likeness_follows_the_two_tokens_and_the_switches_of_the_page(look, reverse, trace):
    app = look("likeness", **{"if": "nopos"})
    app.selectbox(key="look-likeness-first").set_value(1)
    app.selectbox(key="look-likeness-second").set_value(3).run()
    said = say("look-with-switches", changes=say("what-if-positions-off"))
    assert [block["text"] for block in of("prose", app)] == [said]
    found = token_similarity(run(reverse, trace, Switches(positions=False)))
    assert of("chart", app)[0]["curves"][0]["y"] == pytest.approx(found.pair(1, 3), abs=1e-6)


def test_both_orders_of_norms_have_as_many_blocks_as_chosen(look):
    app = look("norm-order", model="untrained-encoder", text="the cat sat")
    app.slider(key="look-norm-order-blocks").set_value(5).run()
    lengths, _ = of("chart", app)[-2:]
    both = norm_orders("the cat sat", 5)
    assert [curve["y"] for curve in lengths["curves"]] == [pytest.approx(one.lengths) for one in both]


ONE_WORD = {"model": "untrained-encoder", "text": "cat"}
OPENS = [  # with this link, this look has so many blocks of this kind, and says this
    ({"if": "t0.5"}, "torch-check", "table", 1, "look-without-switches"),  # it is of the untouched run
    ({"if": "nopos"}, "positions", "maps", 2, "look-without-switches"),
    ({"if": "full"}, "decoding", "table", 0, "error-looks-ahead"),
    (ONE_WORD, "shuffle", "table", 0, "error-one-order"),
    (ONE_WORD, "decoding", "table", 0, ""),
]


@pytest.mark.parametrize(("query", "key", "kind", "n", "said"), OPENS)
def test_a_look_at_a_changed_run_or_at_one_word_says_what_it_is_of(look, query, key, kind, n, said):
    app = look(key, **query)
    assert (len(of(kind, app)) >= n) if n else of(kind, app) == []
    assert not said or say(said) in [block["text"] for block in of("prose", app)]
