"""What causes the difference between two sentences, on the shipped models whose circuit is known."""

import math

import pandas as pd
import pytest
import torch

import attnviz as av
from attnviz.core.errors import InputError
from tests.parity.tiny_models import traced_model

CLEAN, CORRUPT = "a 1 k e u c v s a", "f 1 k e u c v s a"  # behind the second a: 1, if a was read before


@pytest.fixture(scope="module")
def patched(trained):
    """For each kind of parts what came out, and the progress that was told on the way."""
    told = {what: [] for what in ("heads", "positions", "edges")}
    return {
        what: (av.patch(trained, CLEAN, CORRUPT, what, on_progress=lambda *counts, own=own: own.append(counts)), own)
        for what, own in told.items()
    }


@pytest.fixture(scope="module")
def heads(patched):
    return patched["heads"][0]


def test_the_previous_token_head_and_the_induction_head_restore_the_answer(trained, heads):
    ids = trained.trace(CLEAN).tokens.source.ids
    assert heads.position == len(ids) - 1 and heads.metric.startswith("logit of '1' − logit of '")
    first = [(row.site, row["head"]) for _, row in heads.table.head(2).iterrows()]
    assert first == [("decoder.0.self", 0), ("decoder.1.self", 0)]
    assert (heads.table["share"].head(2) > 0.8).all()


def test_the_positions_are_the_one_behind_the_first_letter_and_the_last(patched):
    found = patched["positions"][0].table
    assert [(row.site, row.token) for _, row in found.head(2).iterrows()] == [
        ("decoder.0.self", 2), ("decoder.1.self", 9),
    ]  # fmt: skip


@pytest.fixture(scope="module")
def runs(trained):
    return trained.trace(CLEAN), trained.trace(CORRUPT)


def put(name, head, part):
    """The edit that gives one head this value."""
    return av.Edit(name, lambda name, value: value.index_copy(1, torch.tensor([head]), part[None, None]), "put")


def ahead(trained, runs, *edits, of=None):
    """How far the clean text's answer is before the other one's in a run, of the other text, with edits."""
    clean, corrupt = runs
    with torch.no_grad(), av.record(edits=list(edits)):
        logits = trained.network(torch.tensor([(of or corrupt).tokens.source.ids]))[0, -1]
    return float(logits[clean.prediction.ids[-1, 0]] - logits[corrupt.prediction.ids[-1, 0]])


def test_each_value_is_that_of_a_run_with_one_head_edited(trained, runs, heads):
    for _, row in heads.table.iterrows():
        head = int(row["head"])
        edit = put(f"{row.site}.context", head, runs[0][row.site].context(head))
        assert row.value == pytest.approx(ahead(trained, runs, edit), abs=1e-4)
        assert row.effect == pytest.approx(row.value - heads.corrupt, abs=1e-6)


def test_the_reverser_is_two_heads_of_cross_attention_fed_by_the_head_of_the_symbol_itself():
    reverser, clean, corrupt, row = av.load("reverse"), "o z t d k w p e", "o z t b k w p e", 4
    cross = [("decoder.0.cross", 0), ("decoder.0.cross", 1)]

    ledger = av.wrote(reverser.trace(clean), row, reverser.trace(clean).prediction.texts[row][0]).sources()
    moved = {(it.site, it["head"]): it.token for _, it in ledger.head(2).iterrows()}
    assert moved == dict.fromkeys(cross, clean.count(" ") - row)  # both, from the mirrored symbol

    heads = av.patch(reverser, clean, corrupt)
    assert heads.position == row, "the first row in which the two runs predict other tokens"
    shares = heads.table.set_index(["site", "head"])["share"]
    assert shares.index[0] == ("encoder.0.self", 0) and list(shares.index[1:3]) == cross
    assert shares["decoder.0.cross"].min() > 0.3 and shares["decoder.0.self"].abs().max() < 1e-4
    assert heads.rank_correlation > 0.9

    first = av.patch(reverser, clean, corrupt, "positions").table.iloc[0]
    assert (first.site, first.token) == ("decoder.0.cross", row) and first.share == pytest.approx(1, abs=1e-4)

    edges = av.patch(reverser, clean, corrupt, "edges").table.head(2)
    assert set(edges["from_site"]) == {"encoder.0.self"} and set(edges["from_head"]) == {0}
    assert set(edges["site"]) == {"decoder.0.cross"} and set(edges["head"]) == {0, 1} and set(edges["via"]) == {"v"}


def test_an_edge_is_that_of_two_runs_edited_by_hand(trained, runs, patched):
    """What head 0 of the second layer reads as keys where head 0 of the first is the clean run's and all else held."""
    row, heard = patched["edges"][0].table.iloc[0], []
    hear = av.Edit("decoder.1.self.k", lambda name, value: heard.append(value[0, 0].clone()), "heard")
    ahead(trained, runs, put("decoder.0.self.context", 0, runs[0]["decoder.0.self"].context(0)), hear)
    expected = ahead(trained, runs, put("decoder.1.self.k", 0, heard[0]))
    assert row.via == "k" and row.value == pytest.approx(expected, abs=1e-4)


def test_without_a_vocabulary_the_sentence_vector_is_watched(minilm):
    found = av.patch(minilm, "the cat sat", "the dog sat")
    assert found.clean == pytest.approx(1, abs=1e-5) and found.corrupt < 0.99 and found.position is None
    assert len(found.table) == 72 and math.isfinite(found.rank_correlation)


def test_progress_is_told_to_the_end_and_stops_the_work_by_raising(trained, patched):
    for found, told in patched.values():
        assert told[-1] == (len(found.table), len(found.table))

    def stop(done, n):
        raise TimeoutError

    with pytest.raises(TimeoutError):
        av.patch(trained, CLEAN, CORRUPT, on_progress=stop)


def test_a_metric_of_ones_own_reads_the_logits_of_a_position(trained):
    found = av.patch(trained, CLEAN, CORRUPT, metric=lambda logits: logits[:, 7], position=3)
    assert found.position == 3 and (found.table["effect"].abs() < 100).all()
    assert found.clean == pytest.approx(av.wrote(trained.trace(CLEAN), 3, 7).logit, abs=1e-4)


def test_two_tokens_are_watched_in_another_model_too(trained, heads):
    again = av.patch(trained, CLEAN, CORRUPT, metric=heads.tokens, position=heads.position)
    pd.testing.assert_frame_equal(again.table, heads.table, rtol=1e-5)  # sums of many threads round otherwise
    assert again.texts == heads.texts
    assert repr(heads).startswith("heads patched, denoising; ") and repr(heads).count("\n") < 12


@pytest.mark.parametrize(("what", "point"), [("feed-forward", "feed_forward"), ("residual", "in")])
@pytest.mark.parametrize("direction", ["denoising", "noising"])
def test_a_point_of_a_block_is_exchanged_at_one_token_either_way(trained, runs, what, point, direction):
    found = av.patch(trained, CLEAN, CORRUPT, what, direction=direction, layers=[1]).frame()
    assert len(found) == 10 and set(found["layer"]) == {1} and set(found["kind"]) == {what}
    row = found.iloc[0]
    given, changed = runs if direction == "denoising" else runs[::-1]
    name = f"decoder.1.{point}"
    with torch.no_grad(), av.record() as heard:
        trained.network(torch.tensor([given.tokens.source.ids]))
    own = av.Edit(name, lambda _, x: x.index_copy(1, torch.tensor([row.token]), heard[name][:, [row.token]]), "put")
    assert row.value == pytest.approx(ahead(trained, runs, own, of=changed), abs=1e-4)
    if what == "residual":  # all that a token holds is exchanged
        assert found["share"].max() == pytest.approx(1, abs=0.05)


def test_only_the_heads_layers_and_edges_that_are_asked_for_are_patched(trained, patched, heads):
    one = av.patch(trained, CLEAN, CORRUPT, layers=[1], senders=["1.0", ("decoder.0.self", 0)]).frame()
    assert one[["layer", "head"]].values.tolist() == [[1, 0]]
    whole = heads.frame().query("layer == 1 and head == 0")
    assert one["value"].item() == pytest.approx(whole["value"].item(), rel=1e-5)  # in another batch
    edges = av.patch(trained, CLEAN, CORRUPT, "edges", senders=[(0, 1)], receivers=["decoder.1.self.0"]).frame()
    whole = patched["edges"][0].frame().query("from_head == 1 and head == 0")
    assert sorted(edges["via"]) == ["k", "q", "v"]
    assert sorted(edges["value"]) == pytest.approx(sorted(whole["value"]), rel=1e-5)
    for asked, words in (
        ({"what": "edges", "layers": [1]}, "No part of this model"),
        ({"senders": ["first"]}, "'first' names no head"),
    ):
        with pytest.raises(av.AttnvizError, match=words):
            av.patch(trained, CLEAN, CORRUPT, **asked)


def test_pairs_of_texts_are_averaged(trained, heads):
    other = ("b 2 k e u c v s b", "f 2 k e u c v s b")
    both = av.patch(trained, [CLEAN, other[0]], [CORRUPT, other[1]])
    second = av.patch(trained, *other).frame().set_index(["site", "head"])
    for row in both.frame().itertuples():
        one = heads.frame().set_index(["site", "head"])["effect"][(row.site, row.head)]
        two = second["effect"][(row.site, row.head)]
        assert row.effect == pytest.approx((one + two) / 2, rel=1e-5)
        assert row.effect_sd == pytest.approx(abs(one - two) / 2**0.5, rel=1e-4)
    assert both.n_pairs == 2 and "means of 2 pairs" in both.heading()
    with pytest.raises(av.AttnvizError, match="different numbers of texts"):
        av.patch(trained, [CLEAN], [CORRUPT, CORRUPT])


def test_an_interrupt_keeps_what_is_done(trained, monkeypatch):
    monkeypatch.setattr("attnviz.analysis.circuits.patching.BATCH_TOKENS", 10)  # one run at a time
    runs_done = []

    def metric(logits):
        runs_done.append(len(logits))
        if len(runs_done) > 8:
            raise KeyboardInterrupt
        return logits[:, 7]

    found = av.patch(trained, CLEAN, CORRUPT, "positions", metric=metric, position=-1)
    assert 0 < len(found.frame()) < found.n_asked == 20 and "effect" in found.frame()
    assert f"stopped after {len(found.frame())} of 20 parts" in repr(found)

    runs_done.clear()
    told = []
    asked = {"metric": metric, "position": -1, "on_progress": lambda *so_far: told.append(so_far)}
    found = av.patch(trained, CLEAN, CORRUPT, "positions", **asked)
    assert len(found.frame()) == told[-1][0] < found.n_asked  # also beside a progress of one's own


def test_an_interrupt_between_two_pairs_keeps_the_pairs_that_are_done(trained):
    traced = []

    def metric(logits):
        traced.append(1)
        if len(traced) > 8:  # four a pair: the gradient of the third pair
            raise KeyboardInterrupt
        return logits[:, 7]

    found = av.patch(trained, [CLEAN] * 3, [CORRUPT] * 3, metric=metric, position=-1)
    assert (found.n_pairs, found.n_pairs_asked) == (2, 3) and "(means of 2 of 3 pairs)" in found.heading()


@pytest.mark.parametrize(("asked", "said"), [
    ({"senders": ["1.0", "1.99"]}, "no head 1.99"), ({"layers": [1, 99]}, "no layer 99"),
    ({"layers": [-1]}, r"no layer -1 to patch. Expected 0 to 1"),
    ({"what": "edges", "receivers": ["7.0"]}, "no head 7.0"),
    ({"what": "positions", "senders": ["1.1"]}, "senders are of heads and edges"),
])  # fmt: skip
def test_a_part_that_is_not_there_is_refused_and_named(trained, asked, said):
    with pytest.raises(InputError, match=said):
        av.patch(trained, CLEAN, CORRUPT, **asked)


def test_results_print_as_one_screen_with_the_first_rows_of_their_table(trained, heads, patched):
    trace = trained.trace(CLEAN)
    results = heads, patched["edges"][0], av.wrote(trace, -1, "1"), av.why(trace, "decoder.1.self", 0, -1, 2)
    for found in (*results, av.circuits(trained)):
        plain, html = repr(found), found._repr_html_()
        assert plain.count("\n") <= 12 and "tensor(" not in plain and html.count("<tr") <= 12
        assert str(found.frame().columns[-1]) in plain
    own = av.wrote(trace, -1, "1").frame()
    assert list(own.columns) == ["kind", "site", "layer", "head", "writer", "token", "value", "share"]


def test_what_no_patching_of_this_kind_reads_is_refused(trained):
    with pytest.raises(InputError, match="receivers are of edges"):
        av.patch(trained, CLEAN, CORRUPT, receivers=["1.0"])
    with pytest.raises(InputError, match=r"layers=\[1\]"):
        av.patch(trained, CLEAN, CORRUPT, layers=1)


@pytest.mark.parametrize("family", ["opt", "llama"])  # OPT's feed-forward has the tokens of all texts in a row
def test_several_texts_of_a_batch_are_patched_each_at_its_own_token(family):
    model, name = traced_model(family), "decoder.1.feed_forward"
    clean, corrupt = "The cat sat.", "The dog sat."
    found = av.patch(model, clean, corrupt, "feed-forward", lambda rows: rows[:, 5] - rows[:, 6], position=-1).frame()
    kept = {}
    model.trace(clean, edits=av.Edit(name, lambda _, x: kept.update(x=x.clone()), "heard"))
    for row in found[found["layer"] == 1].to_dict("records"):
        put = av.Edit(
            name, lambda _, x, at=row["token"]: x.index_copy(1, torch.tensor([at]), kept["x"][:, [at]]), "put"
        )
        logits = model.trace(corrupt, edits=put).logits()[-1]
        assert row["value"] == pytest.approx(float(logits[5] - logits[6]), abs=1e-5)
