"""What stands beside a head: the sums of its run, silencing against single runs, and what excites it."""

from dataclasses import replace

import numpy as np
import pytest
from attnviz_app.heads.looks.why import blocks
from attnviz_app.jobs.measurements import many_runs
from attnviz_app.serving.surveys import surveys

import attnviz as av
from attnviz.analysis.heads.effect import effect
from attnviz.analysis.heads.sinks import sinks
from attnviz.analysis.heads.survey import excited_by
from attnviz.text import strings
from attnviz.trace.edits import HeadEdit
from attnviz.views.panel.blocks import Prose
from tests.job_fake import until
from tests.unit.app.api.conftest import asked

pytestmark = pytest.mark.usefixtures("one_thread")
REPEATED = {"model": "induction", "text": "a 1 k e u c v s a", "layer": 1, "head": 0}
PICTURE = {"model": "minilm-l6", "text": "The cat sat on the mat because it was tired."}
CAT, HEAD = {**PICTURE, "layer": 5, "head": 11}, {**PICTURE, "layer": 0, "head": 2}


def looked(client, **body):
    return asked(client, "/heads/look", **body)


def worked_out(client, **body):
    """A look that takes many runs, once they are done."""
    until(lambda: looked(client, **body, starts=True)[0]["blocks"], 20)
    return looked(client, **body)


def tables(header):
    return [block for block in header["blocks"] if block["kind"] == "table"]


def number(said):
    return float(said.replace("\N{MINUS SIGN}", "-"))


def test_why_there_names_the_head_that_wrote_the_previous_token_first_and_sums_to_the_score_of_the_run(client):
    source = av.load("induction").trace(REPEATED["text"])["decoder.1.self"].replay
    score = float(source.q[0, 9].double() @ source.k[0, 2].double()) * source.scale
    header, _ = looked(client, **REPEATED, look="why", token=9, lang="zh-CN")
    keys, queries, wrote, pushed = tables(header)
    assert keys["rows"][0][0] == strings("zh-CN")("heads-why-head", head="1.1") and keys["leads"][0] == [0, 0, "", 2]
    for table in (keys, queries, wrote, pushed):
        *parts, total = table["bars"]
        assert sum(parts) == pytest.approx(total, abs=1e-4) and table["marked"] == len(parts)
    (facts,) = (block["facts"] for block in header["blocks"] if block["kind"] == "facts")
    assert facts[0]["value"] == keys["rows"][-1][1] == queries["rows"][-1][1]
    assert number(facts[0]["value"]) == pytest.approx(score, abs=6e-4)
    assert wrote["rows"][0][0].endswith(("2.1", "2.2"))
    assert pushed["rows"][0][0] == "1"  # of the head's part in the prediction, what it took from the token it looks at
    own = next(row for row in wrote["rows"] if row[0].endswith("2.1"))
    assert number(pushed["rows"][-1][1]) == pytest.approx(number(own[1]), abs=2e-3)


def test_a_model_without_a_vocabulary_has_the_sum_of_its_scores_and_says_what_is_nearest_to_logits(client):
    header, _ = looked(client, **CAT, look="why")
    assert len(tables(header)) == 2
    said = [block["text"] for block in header["blocks"] if block["kind"] == "prose"]
    assert strings("en")("error-no-vocabulary", model="MiniLM-L6") in said
    assert not any("wrote here" in text for text in said)  # no earlier head has a fifth of that score


def test_a_head_of_another_task_that_was_left_out_is_named_beside_that(minilm):
    own = replace(minilm, card=replace(minilm.card, left_out="BertForSequenceClassification"))
    trace, say = own.trace(CAT["text"]), strings("zh-TW")
    said = [block.text for block in blocks(trace, trace.sites[5], 11, 3, 3, say) if isinstance(block, Prose)]
    assert say("heads-why-left-out", head="BertForSequenceClassification") in said


def test_writers_of_a_model_with_two_stacks_say_of_which_they_are(client):
    body = {"model": "translate-en-zh", "text": "She is a doctor.", "layer": 1, "head": 0, "look": "why"}
    header, _ = looked(client, **body, part="cross", token=2, key=3)
    keys, queries = tables(header)[:2]
    names = {row[0] for row in (*keys["rows"], *queries["rows"])}
    assert {"Feed-forward 1 (encoder)", "Feed-forward 1 (decoder)"} <= names


@pytest.mark.parametrize(("model", "part", "n_maps"), [
    ("minilm-l6", "", 1), ("induction", "", 2), ("translate-en-zh", "encoder", 1), ("translate-en-zh", "decoder", 2),
    ("translate-en-zh", "cross", 1),
])  # fmt: skip
def test_rollout_is_of_the_part_in_the_picture_and_its_rows_sum_to_one(client, model, part, n_maps):
    text = {"induction": "a b c a b", "translate-en-zh": "She is a doctor."}.get(model, "The cat sat.")
    header, arrays = looked(client, model=model, text=text, part=part, layer=0, head=0, look="rollout")
    maps = [one for block in header["blocks"] if block["kind"] == "maps" for one in block["maps"]]
    assert len(maps) == n_maps
    for one in maps:
        np.testing.assert_allclose(arrays[one["values"]].sum(-1), 1.0, atol=1e-5)


def test_an_effect_stands_beside_the_same_done_to_other_heads_and_rows_lead_to_them(client):
    header, _ = looked(client, **CAT, look="effect")
    (table,) = tables(header)
    assert float(table["rows"][0][1]) == pytest.approx(0.8555, abs=2e-3)
    others = [float(row[1]) for row in table["rows"][1:]]
    assert others == sorted(others)  # the largest effect first
    assert len(table["rows"]) == 6 and table["leads"][0][:2] == [5, 11] and None not in table["leads"]
    edge, _ = looked(client, **CAT, look="effect", how="edge", token=8)
    assert tables(edge)[0]["rows"][0][1].startswith("0.99")


def maps(header, arrays):
    """The map of a look, its numbers layer by layer."""
    (drawn,) = next(block for block in header["blocks"] if block["kind"] == "maps")["maps"]
    values = arrays[drawn["values"]]
    return drawn, values.T if drawn["leads"] == "across" else values


def test_every_head_says_what_it_gives_a_cell_and_what_it_adds_to_the_likeliest_word_of_a_row(client):
    trace = av.load("induction").trace(REPEATED["text"])
    drawn, values = maps(*looked(client, **REPEATED, look="cell", token=9, key=2))
    expected = [[float(trace[site.key].weights(head)[9, 2]) for head in range(2)] for site in trace.sites]
    np.testing.assert_allclose(values, expected, atol=1e-6)
    assert (drawn["scale"], drawn["limit"]) == ("share", 1.0) and drawn["leads"]
    _, values = maps(*looked(client, **REPEATED, look="adds", token=9))
    parts = av.wrote(trace, 9).frame()
    parts = parts[parts["kind"] == "head"].set_index(["layer", "head"])["value"].sort_index()
    np.testing.assert_allclose(values.flatten(), parts, atol=1e-5)
    _, values = maps(*looked(client, **REPEATED, look="moved", token=9, key=2))
    moved = av.wrote(trace, 9).sources()
    moved = moved[moved["token"] == 2].set_index(["layer", "head"])["value"].sort_index()
    np.testing.assert_allclose(values.flatten(), moved, atol=1e-5)
    header, _ = looked(client, **CAT, look="adds", token=3)
    assert [block["kind"] for block in header["blocks"]] == ["prose"]  # it predicts no words, and says so


def test_the_lens_has_the_word_of_each_point_and_ends_in_what_the_model_predicts(client):
    trace = av.load("induction").trace(REPEATED["text"])
    drawn, shares = maps(*looked(client, **REPEATED, look="lens"))
    read = av.logit_lens(trace)
    first = read[read["point"] == "decoder.0.in"]
    assert drawn["texts"][0] == list(first["text"]) and drawn["rows"] == ["0", "1", "2"]
    np.testing.assert_allclose(shares[0], first["probability"], atol=1e-6)
    assert drawn["texts"][-1] == [texts[0] for texts in trace.prediction.texts]
    np.testing.assert_allclose(shares[-1], trace.prediction.probabilities[:, 0], atol=1e-5)
    assert (drawn["leads"], drawn["first"], len(drawn["columns"])) == ("token", 0, len(trace.tokens.source))


def test_the_likeliest_words_without_a_head_have_what_they_had_before_and_new_ones_are_said_to_be(client):
    model = av.load("induction")
    trace = model.trace(REPEATED["text"])
    changed = model.trace(REPEATED["text"], edits=[HeadEdit("decoder.1.self", 0)]).prediction
    words, _ = tables(looked(client, **REPEATED, look="effect", token=9)[0])
    known = trace.prediction.texts[9][:5]
    assert [row[0] for row in words["rows"]] == [
        text if text in known else strings("en")("heads-effect-new", word=text) for text in changed.texts[9][:5]
    ]
    assert any(text not in known for text in changed.texts[9][:5])
    for (_, before, after), text, share in zip(words["rows"], changed.texts[9], changed.probabilities[9], strict=False):
        place = trace.prediction.texts[9].index(text) if text in trace.prediction.texts[9] else None
        assert after == f"{100 * float(share):.1f}%"
        if place is not None:
            assert before == f"{100 * float(trace.prediction.probabilities[9, place]):.1f}%"


def test_a_word_that_comes_in_is_not_called_new_where_new_is_one_of_the_words(client):
    france = {"model": "smollm2-135m", "text": "The capital of France is", "layer": 23, "head": 4}
    words, _ = tables(looked(client, **france, look="effect", token=4)[0])
    assert [row[0] for row in words["rows"]] == ["Paris", "the", "London", "New", "Tokyo · not among them before"]


def test_the_metrics_of_a_text_without_its_sinks_are_of_what_these_leave(client, minilm):
    facts, arrays = asked(client, "/heads/kinds", **PICTURE, source="sentence", without_sinks=True)
    whole, every = asked(client, "/heads/kinds", **PICTURE, source="sentence")
    trace = minilm.trace(PICTURE["text"])
    taken = list(sinks(trace, trace.sites).tokens)
    assert taken and facts["without_sinks"] and not whole.get("without_sinks")
    names, of_all = ([kind["name"] for kind in said["kinds"]] for said in (facts, whole))
    np.testing.assert_array_equal(np.array(names)[arrays["kinds"]], np.array(of_all)[every["kinds"]])
    at = [metric["name"] for metric in facts["metrics"]].index("previous")
    weights = trace["encoder.2.self"].weights(7).clone()  # [T, T]
    weights[:, taken] = 0
    weights /= weights.sum(-1, keepdim=True)
    rows = [row for row in range(1, len(weights)) if row - 1 not in taken]
    assert arrays["values"][at, 2, 7] == pytest.approx(float(weights[rows, [row - 1 for row in rows]].mean()), abs=1e-5)
    assert facts["metrics"][at]["title"] == strings("en")("heads-column-sinkless", metric=whole["metrics"][at]["title"])


def test_an_edge_that_cannot_be_cut_is_refused_in_a_sentence(client):
    header, _ = looked(client, **REPEATED, look="effect", how="edge", token=0)
    assert len(header["blocks"]) == 1 and "cannot be cut" in header["blocks"][0]["text"]


def test_every_head_is_silenced_beside_the_page_and_each_number_is_that_of_its_own_run(client):
    model = av.load("induction")
    trace = model.trace("a b c d a b")
    body = {**REPEATED, "text": "a b c d a b", "look": "silencing", "token": 5}
    header, arrays = looked(client, **body)
    assert header["share"] == 0 and not arrays  # nobody asked for it yet
    header, arrays = worked_out(client, **body)
    assert header["asked"].items() >= {"look": "silencing", "layer": 1, "head": 0, "token": 5}.items()
    prose, maps = header["blocks"]
    (drawn,) = maps["maps"]
    expected = [
        [effect(model, trace, HeadEdit(site.key, head), position=5, others=1).chosen.points for head in range(2)]
        for site in trace.sites
    ]
    np.testing.assert_allclose(arrays[drawn["values"]], expected, atol=1e-3)
    assert drawn["leads"] and drawn["limit"] == pytest.approx(np.abs(expected).max(), rel=1e-5)
    largest = np.unravel_index(np.abs(expected).argmax(), (2, 2))
    assert f"head {largest[0] + 1}.{largest[1] + 1} " in prose["text"]


@pytest.mark.parametrize(("model", "text", "part", "expected"), [
    ("induction", REPEATED["text"], "decoder", (
        "induction", "3 of 3 support it", "✓ Behaviour: 100% by", "✓ Parameters alone, whatever is read: 0.99",
        "✓ Causal effect: put into the run of “f 1 k e u c v s a”, the head brings back 93% of",
    )),
    ("reverse", "s t r e a m", "encoder", (
        "next", "1 of 2 support it", "✓ Behaviour: 66% by", "– Parameters alone: those of this model say nothing",
        "✗ Causal effect: put into the run of “o z t d k w a e”, the head brings back 3.9",
    )),
])  # fmt: skip
def test_a_kind_says_by_which_of_the_three_it_is_supported(client, model, text, part, expected):
    """Behaviour over many sentences, the weights and the effect on a prepared pair of texts, each with its number."""
    body = {"model": model, "text": text, "part": part, "layer": 0, "head": 0, "look": "support"}
    header, _ = looked(client, **body)
    assert header["share"] == 0 and not header["blocks"]  # nobody asked for it yet
    header, _ = worked_out(client, **body)
    said = [block["text"].split("\n") for block in header["blocks"]]
    assert [len(lines) for lines in said] == ([5] * 4 if model == "induction" else [1, 1, 5, 1])  # the others are mixed
    for line, begins in zip(said[2], expected, strict=True):
        assert line.startswith(begins)


def test_silencing_that_nobody_waits_for_any_more_ends(client):
    body = {**CAT, "text": "Nobody has silenced this sentence before.", "look": "silencing"}
    looked(client, **body, starts=True)
    looked(client, **body, stops=True)
    revision = av.load(CAT["model"]).card.revision
    key = ("silencing", CAT["model"], revision, body["text"], "", "encoder", None)
    until(lambda: many_runs().queue.job(key).state == "left")
    header, arrays = looked(client, **body)
    assert not arrays and header["reason"] is None


def test_sentences_that_excite_a_head_have_the_weights_of_their_telling_row(client, minilm):
    header, arrays = asked(client, "/heads/excited", **HEAD, source="many")
    first = header["each"][0]
    found = surveys().of("minilm-l6", "en").result
    best = excited_by(found, "encoder.0.self", 2)[0]
    assert (first["sentence"], first["value"]) == (best.sentence, pytest.approx(best.value))
    weights = minilm.trace(best.sentence)["encoder.0.self"].weights(2)[first["index"]]  # [T_k]
    np.testing.assert_allclose(arrays["row0"], weights.numpy(), atol=1e-6)
    assert first["row"] == first["tokens"][first["index"]]
    assert strings("en")("heads-of-many", n=204, kind="en") in header["said"][0]


def test_sentences_of_a_translator_are_written_in_the_characters_of_the_page(client):
    body = {"model": "translate-zh-en", "text": "她昨天没买这本书。", "layer": 0, "head": 0, "source": "many"}
    simplified, _ = asked(client, "/heads/excited", **body, lang="zh-CN")
    traditional, arrays = asked(client, "/heads/excited", **body, lang="zh-TW")
    sentences = [[one["sentence"] for one in header["each"]] for header in (simplified, traditional)]
    assert sentences[0] != sentences[1] and [*map(len, sentences[0])] == [*map(len, sentences[1])]
    assert len(arrays["row0"]) == len(traditional["each"][0]["tokens"])


def test_a_list_that_another_one_replaced_gives_up_its_place_and_a_refused_one_has_none(client):
    typed = "\n".join(f"Sentence number {n} of a long list." for n in range(400))
    header, _ = asked(client, "/heads/kinds", **PICTURE, source="own", typed=typed, starts=True)
    assert (header["n"], header["share"] < 1) == (400, True)
    asked(client, "/heads/kinds", **PICTURE, source="many", replaced=typed)
    until(lambda: surveys().queue.n_active == 0)
    header, _ = asked(client, "/heads/kinds", **PICTURE, source="own", typed=typed)
    assert (header["share"], header["reason"]) == (0, None)  # it was not measured to its end
    header, _ = asked(client, "/heads/kinds", **PICTURE, source="many", replaced="One line.\n" * 501)
    assert header["n"] == 204


def test_a_list_of_ones_own_is_measured_and_ranks_its_sentences(client):
    typed = "The <b>dog</b> barked.\n\nWho saw it?"
    until(lambda: asked(client, "/heads/kinds", **PICTURE, source="own", typed=typed, starts=True)[1], 60)
    header, _ = asked(client, "/heads/excited", **HEAD, source="own", typed=typed)
    assert {one["sentence"] for one in header["each"]} == {"The <b>dog</b> barked.", "Who saw it?"}
    kinds = client.post("/heads/kinds", json={**HEAD, "source": "own", "typed": typed})
    assert kinds.status_code == 422  # of a picture, not of a head
    facts, arrays = asked(client, "/heads/kinds", **PICTURE, source="own", typed=typed)
    assert (facts["source"], facts["n"], arrays["kinds"].shape) == ("own", 2, (6, 12))


def test_a_list_that_cannot_be_read_is_refused_in_a_sentence(client):
    typed = "a\n" + "b" * 2001
    header, arrays = asked(client, "/heads/kinds", **PICTURE, source="own", typed=typed, starts=True)
    said = "Sentence 2 of the list has 2,001 characters; at most 2,000 are read. Break it into lines."
    assert header["reason"] == said and not arrays
