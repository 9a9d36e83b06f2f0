"""The known circuits, read off the weights alone."""

import pytest
import torch

import attnviz as av
from attnviz.core.errors import InputError
from attnviz.scratch.untrained import untrained


@pytest.fixture(scope="module")
def found():
    return av.circuits(av.load("induction"))


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
    x = source.detach().double()
    x = (x - x.mean(-1, keepdim=True)) * norms[0]
    written = x @ read["w_v"].double()[:32].mT @ read["w_o"].double()[:, :32].mT  # [V, d_model] of the first head
    written = (written - written.mean(-1, keepdim=True)) * norms[1]
    out = written @ own["w_v"].double()[:32].mT @ own["w_o"].double()[:, :32].mT
    out = (out - out.mean(-1, keepdim=True)) * trace.parameters("decoder.final_norm")["gain"].double()
    logits = out @ target.detach().double().mT  # [V, V]
    values = torch.linalg.eigvals(logits)
    joins = av.circuits(model).compositions.query("via == 'v' and from_head == 0 and head == 0")
    row = joins[(joins["from_site"] == "encoder.0.self") & (joins["site"] == "decoder.0.cross")].iloc[0]
    assert row["copying"] == pytest.approx(float(values.real.sum() / values.abs().sum()), abs=1e-3)
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
    x = model.network.encoder.embed.tokens.weight.detach().double()
    x = (x - x.mean(-1, keepdim=True)) * norm
    width = trace["encoder.0.self"].replay.q.shape[-1]
    for head in range(trace["encoder.0.self"].n_heads):
        q, k = (x @ own[f"w_{letter}"].double()[head * width : (head + 1) * width].mT for letter in "qk")
        values = torch.linalg.eigvals(k.mT @ q)  # those of [V, V] that are not 0
        expected = float(values.real.sum() / values.abs().sum())
        assert heads.loc[("encoder.0.self", head), "matching"] == pytest.approx(expected, abs=1e-3)
    cross = heads.loc[["decoder.0.cross", "decoder.1.cross"]]
    assert cross[["matching", "copying", "previous"]].isna().all(axis=None)  # queries and keys of two vocabularies


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("kind", ["encoder", "decoder"])
def test_no_random_head_passes_for_one_of_the_previous_token(kind, seed):
    found = av.circuits(untrained(kind, seed=seed))
    assert found.heads["previous"].max() < 0.3
    with pytest.raises(InputError, match="Expected one of: "):
        found.pairs("decoder.7.self", 0)


def test_scores_are_those_of_the_whole_matrices(found):
    """With gains of norms folded in, in float64, over the whole vocabulary."""
    trace = av.load("induction").trace("a 1 k")
    own, table = trace.parameters("decoder.1.self"), trace.parameters("decoder.embed")["table"].double()
    norm, last = trace.parameters("decoder.1.self_norm")["gain"].double(), trace.parameters("decoder.final_norm")
    width = table.shape[1]
    centre = torch.eye(width).double() - 1 / width  # what a norm takes away
    w_q, w_k, w_v, w_o = (own[f"w_{letter}"].double() for letter in "qkvo")
    for head in range(2):
        rows = slice(head * 32, (head + 1) * 32)
        read = table @ centre * norm  # [V, d_model]
        matching = torch.linalg.eigvals((read @ w_q[rows].mT) @ (read @ w_k[rows].mT).mT)  # of [V, V]
        out = (read @ w_v[rows].mT) @ w_o[:, rows].mT @ centre * last["gain"].double()  # [V, d_model]
        copying = torch.linalg.eigvals(out @ trace.parameters("decoder.vocabulary")["w"].double().mT)
        row = found.heads.set_index(["site", "head"]).loc[("decoder.1.self", head)]
        assert row["matching"] == pytest.approx(float(matching.real.sum() / matching.abs().sum()), abs=1e-3)
        assert row["copying"] == pytest.approx(float(copying.real.sum() / copying.abs().sum()), abs=1e-3)

        pair = found.pairs("decoder.1.self", head, 1).iloc[0]
        scores = (read @ w_q[rows].mT) @ (read @ w_k[rows].mT).mT
        assert (int(pair["query"]), int(pair["key"])) == divmod(int(scores.argmax()), len(table))
