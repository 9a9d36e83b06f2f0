"""The known circuits, read off the weights alone."""

import pytest
import torch

import attnviz as av
from attnviz.core.errors import InputError
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
    source, target = model.network.encoder.embed.tokens.weight, model.network.decoder.to_vocabulary.weight
    read, own = trace.parameters("encoder.0.self"), trace.parameters("decoder.0.cross")
    norms = [trace.parameters(point)["gain"].double() for point in ("encoder.0.self_norm", "encoder.final_norm")]
    x = centred(source.detach().double()) * norms[0]
    written = x @ read["w_v"].double()[:32].mT @ read["w_o"].double()[:, :32].mT  # [V, d_model] of the first head
    out = centred(written) * norms[1] @ own["w_v"].double()[:32].mT @ own["w_o"].double()[:, :32].mT
    out = centred(out) * trace.parameters("decoder.final_norm")["gain"].double()
    logits = out @ target.detach().double().mT  # [V, V]
    joins = av.circuits(model).compositions.query("via == 'v' and from_head == 0 and head == 0")
    row = joins[(joins["from_site"] == "encoder.0.self") & (joins["site"] == "decoder.0.cross")].iloc[0]
    assert row["copying"] == positive_share(logits)
    assert (logits[4:, 4:].argmax(-1) == torch.arange(30)).all()


def test_minilms_previous_token_head_is_seen_in_its_weights(minilm):
    heads = av.circuits(minilm, "The cat sat on the mat because it was tired").heads.set_index(["site", "head"])
    assert heads.loc[("encoder.0.self", 2), "previous"] == 1
    assert heads["copying"].isna().all()  # it predicts no tokens


def test_a_translators_encoder_is_matched_by_its_own_vocabulary_and_its_cross_attention_says_nothing():
    """In float64 from the parameters of the first layer."""
    model = av.load("translate-en-zh")
    heads = av.circuits(model).heads.set_index(["site", "head"])
    trace = model.trace("She is a doctor.")
    own, norm = trace.parameters("encoder.0.self"), trace.parameters("encoder.0.self_norm")["gain"].double()
    x = centred(model.network.encoder.embed.tokens.weight.detach().double()) * norm
    width = trace["encoder.0.self"].replay.q.shape[-1]
    for head in range(trace["encoder.0.self"].n_heads):
        q, k = (x @ own[f"w_{letter}"].double()[head * width : (head + 1) * width].mT for letter in "qk")
        expected = positive_share(k.mT @ q)  # its eigenvalues are those of [V, V] that are not 0
        assert heads.loc[("encoder.0.self", head), "matching"] == expected
    cross = heads.loc[["decoder.0.cross", "decoder.1.cross"]]
    assert cross[["matching", "copying", "previous"]].isna().all(axis=None)  # queries and keys of two vocabularies


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("kind", ["encoder", "decoder"])
def test_no_random_head_passes_for_one_of_the_previous_token(kind, seed):
    assert av.circuits(untrained(kind, seed=seed)).heads["previous"].max() < 0.3


def test_scores_are_those_of_the_whole_matrices(trained, found):
    """With gains of norms folded in, in float64, over the whole vocabulary."""
    trace = trained.trace("a 1 k")
    own, table = trace.parameters("decoder.1.self"), trace.parameters("decoder.embed")["table"].double()
    norm, last = trace.parameters("decoder.1.self_norm")["gain"].double(), trace.parameters("decoder.final_norm")
    read, heads = centred(table) * norm, found.heads.set_index(["site", "head"])  # [V, d_model]
    w_q, w_k, w_v, w_o = (own[f"w_{letter}"].double() for letter in "qkvo")
    for head in range(2):
        rows = slice(head * 32, (head + 1) * 32)
        scores = (read @ w_q[rows].mT) @ (read @ w_k[rows].mT).mT  # [V, V]
        out = centred(read @ w_v[rows].mT @ w_o[:, rows].mT) * last["gain"].double()  # [V, d_model]
        row = heads.loc[("decoder.1.self", head)]
        assert row["matching"] == positive_share(scores)
        assert row["copying"] == positive_share(out @ trace.parameters("decoder.vocabulary")["w"].double().mT)
        pair = found.pairs("decoder.1.self", head, 1).iloc[0]
        assert (int(pair["query"]), int(pair["key"])) == divmod(int(scores.argmax()), len(table))
    with pytest.raises(InputError, match="Expected one of: "):
        found.pairs("decoder.7.self", 0)
