"""The known circuits, read off the weights alone."""

import pytest
import torch

import attnviz as av
from attnviz.scratch.untrained import untrained


@pytest.fixture(scope="module")
def found(trained):
    return av.circuits(trained)


def positive_share(matrix):
    """Of the eigenvalues of the whole matrix, as a number to compare with."""
    values = torch.linalg.eigvals(matrix)
    return pytest.approx(float(values.real.sum() / values.abs().sum()), abs=1e-3)


def centred(x):
    """What a norm takes away is gone."""
    return x - x.mean(-1, keepdim=True)


def read_by(trace, site, letter, head):
    """The whole vocabulary as one head's queries, keys or values, with the gain of the norm: float64 [V, d_k]."""
    table = trace.parameters(f"{trace[site].site.stack}.embed")["table"].double()
    w, width = trace.parameters(site)[f"w_{letter}"].double(), trace[site].replay.q.shape[-1]
    return centred(table) * gain(trace, f"{site}_norm") @ w[head * width : (head + 1) * width].mT


def gain(trace, point):
    return trace.parameters(point)["gain"].double()


def test_induction_is_a_previous_token_head_read_through_keys_by_one_that_copies(found):
    heads = found.heads.set_index(["site", "head"])
    assert heads.loc["decoder.0.self", "previous"].min() > 0.5 > heads.loc["decoder.1.self", "previous"].max()
    assert heads.loc["decoder.1.self", "copying"].min() > 0.9

    joins = found.compositions
    assert (joins.groupby("via")["score"].mean().idxmax()) == "k"
    keys = joins[(joins["via"] == "k")]
    assert (keys["score"] > 1.5 * keys["baseline"]).all()
    assert (joins[joins["via"] != "k"]["score"] < joins["baseline"].iloc[0]).all()


def test_the_reverser_reads_its_encoder_through_keys_of_cross_attention():
    found = av.circuits(av.load("reverse"))
    joins = found.compositions
    cross = joins[(joins["site"] == "decoder.0.cross") & joins["from_site"].str.startswith("encoder")]
    assert cross.sort_values("score").iloc[-1]["via"] == "k" and cross["score"].max() > cross["baseline"].iloc[0]

    values = cross[(cross["via"] == "v") & (cross["from_site"] == "encoder.0.self")]
    assert len(values) == 4 and values["copying"].min() > 0.99  # of a symbol, by way of the first layer
    heads = found.heads.set_index(["site", "head"])
    assert heads.loc["decoder.0.cross", "copying"].abs().max() < 0.1  # and not from the embedding itself
    assert heads.loc[("encoder.0.self", 0), "matching"] > 0.99 > 3 * heads.loc[("encoder.0.self", 1), "matching"]
    assert heads.loc["encoder.0.self", "copying"].isna().all()  # what it writes reaches no logit but through others


def test_what_is_copied_through_two_heads_is_what_the_whole_matrices_give():
    """In float64, over the thirty symbols: the token that each moves the logits to most is itself."""
    model = av.load("reverse")
    trace = model.trace("a b c d")
    first, own = trace.parameters("encoder.0.self"), trace.parameters("decoder.0.cross")
    written = read_by(trace, "encoder.0.self", "v", 0) @ first["w_o"].double()[:, :32].mT  # [V, d_model]
    read = centred(written) * gain(trace, "encoder.final_norm")
    out = read @ own["w_v"].double()[:32].mT @ own["w_o"].double()[:, :32].mT  # [V, d_model]
    logits = centred(out) * gain(trace, "decoder.final_norm") @ trace.parameters("decoder.vocabulary")["w"].double().mT
    joins = av.circuits(model).compositions.query("via == 'v' and from_head == 0 and head == 0")
    row = joins[(joins["from_site"] == "encoder.0.self") & (joins["site"] == "decoder.0.cross")].iloc[0]
    assert row["copying"] == positive_share(logits)
    assert (logits[4:, 4:].argmax(-1) == torch.arange(30)).all()


def test_minilms_previous_token_head_is_seen_in_its_weights(minilm):
    heads = av.circuits(minilm, "The cat sat on the mat because it was tired").heads.set_index(["site", "head"])
    assert heads.loc[("encoder.0.self", 2), "previous"] == 1
    assert heads["copying"].isna().all()  # it predicts no tokens


@pytest.mark.parametrize(("name", "site", "crosses"), [
    ("induction", "decoder.1.self", []), ("translate-en-zh", "encoder.0.self", ["decoder.0.cross", "decoder.1.cross"]),
])  # fmt: skip
def test_matching_is_that_of_the_whole_matrices_over_the_vocabulary_that_is_read(name, site, crosses):
    model = av.load(name)
    heads, trace = av.circuits(model).heads.set_index(["site", "head"]), model.trace(*model.own_texts(1))
    for head in range(trace[site].n_heads):
        scores = read_by(trace, site, "q", head) @ read_by(trace, site, "k", head).mT  # [V, V]
        assert heads.loc[(site, head), "matching"] == positive_share(scores)
    scores = heads.loc[crosses, ["matching", "copying", "previous"]]
    assert scores.isna().all(axis=None)  # queries and keys of two vocabularies


def test_copying_is_that_of_the_whole_matrices(trained, found):
    trace, heads = trained.trace("a 1 k"), found.heads.set_index(["site", "head"])
    w_o, vocabulary = trace.parameters("decoder.1.self")["w_o"], trace.parameters("decoder.vocabulary")["w"]
    for head in range(2):
        out = read_by(trace, "decoder.1.self", "v", head) @ w_o.double()[:, head * 32 : (head + 1) * 32].mT
        logits = centred(out) * gain(trace, "decoder.final_norm") @ vocabulary.double().mT  # [V, V]
        assert heads.loc[("decoder.1.self", head), "copying"] == positive_share(logits)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("kind", ["encoder", "decoder"])
def test_no_random_head_passes_for_one_of_the_previous_token(kind, seed):
    assert av.circuits(untrained(kind, seed=seed)).heads["previous"].max() < 0.3


def test_it_says_how_far_it_is_can_be_ended_and_refuses_what_would_take_longer_than_it_may():
    model, told = av.load("induction"), []
    av.circuits(model, on_progress=lambda *now: told.append(now))
    total = told[0][1]
    assert total == 2 * sum(layer * 2 for layer in (1, 2))  # two layers of two heads: the second is followed further
    assert [done for done, _ in told] == sorted(done for done, _ in told) and told[-1] == (total, total)

    class Ended(Exception):
        pass

    def end(done: int, _: int) -> None:
        raise Ended(done)

    with pytest.raises(Ended):
        av.circuits(model, on_progress=end)
    with pytest.raises(av.errors.LimitError, match="seconds, and at most 1e-09 were allowed"):
        av.circuits(model, most_seconds=1e-9)
    with pytest.raises(av.errors.InputError, match="most_seconds=0"):
        av.circuits(model, most_seconds=0)
