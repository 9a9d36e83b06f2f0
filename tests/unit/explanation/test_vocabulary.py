"""The last steps of a decoder: which words are left to be written, and how they are drawn."""

import math
from dataclasses import replace

import pytest
import torch
from torch.testing import assert_close

import attnviz as av
from attnviz.explanation import chain, explain_cell
from attnviz.explanation.slicing import slice_chain
from attnviz.models import greedy_search, sample
from attnviz.scratch.rebuilt import rebuilt
from attnviz.trace.sampling import Sampling
from tests.parity.tiny_models import traced_model


@pytest.fixture(scope="module")
def network():
    return rebuilt(traced_model("llama"))


@pytest.fixture(scope="module")
def trace(network):
    return network.trace("cats and dogs")


SAMPLINGS = (Sampling(temperature=0.5), Sampling(temperature=2.0, top_k=7), Sampling(top_p=0.6), Sampling(top_k=1))


@pytest.mark.parametrize("sampling", SAMPLINGS)
def test_the_choice_is_softmax_over_what_sampling_leaves(network, trace, sampling):
    made = chain(trace, "decoder", "decoder.1.self", sampling=sampling)
    ids = torch.tensor([trace.tokens.source.ids])
    with torch.inference_mode():
        logits = network.network(ids)[0]  # [T, V]
    left = torch.softmax(sampling.filtered(logits), -1)  # [T, V]
    step = made["choice"]
    assert step.note == "" and step.result.columns.count == left.shape[-1]
    assert_close(step.result.values.sort(-1).values, left.sort(-1).values, rtol=0, atol=1e-5)
    assert_close((step.result.values > 0).sum(-1), (left > 0).sum(-1))
    assert ("tempered" in {one.name for one in made}) is (sampling.temperature != 1.0)
    for name in {"tempered", "probabilities", "kept", "choice"} & {one.name for one in made}:
        for row in range(len(ids[0])):
            for column in range(0, left.shape[-1], 37):
                cell = explain_cell(made[name], row, column)
                assert cell.recomputed == pytest.approx(cell.value, abs=1e-5)


@pytest.mark.parametrize("sampling", SAMPLINGS)
def test_beside_the_cut_stand_how_many_words_are_left_and_the_likeliest_of_each_row(network, trace, sampling):
    step = chain(trace, "decoder", "decoder.1.self", sampling=sampling)["kept"]
    with torch.inference_mode():
        logits = network.network(torch.tensor([trace.tokens.source.ids]))[0] / sampling.temperature  # [T, V]
    left = replace(sampling, temperature=1.0).filtered(logits) > -math.inf  # [T, V]
    shares = torch.softmax(logits.double(), -1)  # [T, V]
    assert_close(step.extras["count"].values[:, 0], left.sum(-1).float())
    assert_close(step.extras["together"].values[:, 0], (shares * left).sum(-1).float(), rtol=0, atol=1e-6)
    n = int(step.facts["ranked"])
    assert_close(step.extras["ranked"].values.view(-1, n), shares.topk(n).values.float(), rtol=0, atol=1e-6)
    small = slice_chain(chain(trace, "decoder", sampling=sampling), {"T": (1, 2), "V": (0, 3)})["kept"]
    assert small.extras["count"].values.tolist() == step.extras["count"].values[1:3].tolist()
    assert torch.equal(small.extras["ranked"].values, step.extras["ranked"].values)
    rules = {"masked_fill(logits < kth": sampling.top_k, "scatter": sampling.top_p}
    assert [bool(rule) for rule in rules.values()] == [part in step.definition.line for part in rules]


def test_the_likeliest_words_after_a_text_come_first_in_order_also_of_two_runs(network, trace):
    with torch.inference_mode():
        logits = network.network(torch.tensor([trace.tokens.source.ids]))[0]  # [T, V]
    step = chain(trace, "decoder", "decoder.1.self")["probabilities"]
    likeliest = torch.softmax(logits[-1], -1).topk(12).values  # [12]
    assert_close(step.result.values[-1, :12], likeliest, rtol=0, atol=1e-5)
    assert step.result.columns.count == logits.shape[1]  # none twice
    other = network.trace("dogs and cats")
    sides = [chain(trace, "decoder", beside=other), chain(other, "decoder", beside=trace)]
    assert sides[0]["probabilities"].result.columns == sides[1]["probabilities"].result.columns


def test_the_likeliest_words_of_a_row_are_named_as_the_model_predicts_them():
    trace = av.load("translate-en-zh").trace("She does not like tea.")
    step = chain(trace, "decoder", "decoder.0.self", sampling=Sampling(top_p=0.9))["kept"]
    n = int(step.facts["ranked"])
    for row, texts in enumerate(trace.prediction.texts):
        assert step.extras["ranked"].columns.labels[row * n : (row + 1) * n] == texts[:n]


def test_the_first_word_that_is_written_is_one_that_the_choice_leaves(network, trace):
    decoder, ids = network.network, list(trace.tokens.source.ids)
    greedy = greedy_search(decoder, ids, end=None, max_new_tokens=1).ids[-1]
    made = chain(trace, "decoder", "decoder.1.self")
    assert made["choice"].result.values[-1].max() == 1.0
    order = made["logits"].operands[1].matrix.values @ made["logits"].operands[0].values[-1]  # [words]
    weight = decoder.to_vocabulary.weight.detach()  # [V, d_model]
    row = made["choice"].result.values[-1].argmax()
    assert_close(made["logits"].operands[1].matrix.values[row], weight[greedy], rtol=0, atol=0)
    assert order.argmax() == row
    few = Sampling(top_k=3)
    left = chain(trace, "decoder", "decoder.1.self", sampling=few)["choice"].result.values[-1]
    vectors = made["logits"].operands[1].matrix.values[left > 0]  # [3, d_model]
    for seed in range(5):
        drawn = sample(decoder, ids, Sampling(top_k=3, seed=seed), end=None, max_new_tokens=1).ids[-1]
        assert any(torch.equal(weight[drawn], vector) for vector in vectors)


def test_a_word_that_is_not_sent_still_counts_where_it_is_left():
    """Of a vocabulary that is sent in part the shares of what is drawn are those of all words that are left."""
    trace = av.load("translate-en-zh").trace("She does not like tea.")
    made = chain(trace, "decoder", "decoder.0.self", sampling=Sampling(top_p=0.9))
    total = made["choice"].result.values.double().sum(-1)
    assert_close(total, torch.ones_like(total), rtol=0, atol=1e-5)
