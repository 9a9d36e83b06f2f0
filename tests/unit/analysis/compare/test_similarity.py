"""Distances of hand-made heads: known values, 0 with oneself, the same both ways; matches, map, difference; metrics."""

import copy
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch

import attnviz as av
from attnviz.analysis.compare import Head, common_sentences, difference, head_map, metric_quartiles, one_to_one
from attnviz.analysis.compare.distances import js_rows, js_sums
from attnviz.analysis.compare.metric_quartiles import self_attention_rows
from attnviz.analysis.compare.self_attention_heads import heads_of
from attnviz.analysis.compare.similarity import similarity, similarity_of_traces
from attnviz.core.errors import InputError
from attnviz.scratch.variants import in_our_blocks
from attnviz.trace.tokens import Tokens
from tests.unit import weights_as_trace
from tests.unit.analysis.compare.test_units import cut

SELF, BEFORE = torch.eye(4), torch.eye(4).roll(-1, 1).roll(2, 0)  # two permutations without a common cell
EVEN = torch.full((4, 4), 0.25)


def trace_of(*heads: torch.Tensor, **more: Any) -> av.Trace:
    """One layer with these maps [T, T]."""
    return weights_as_trace.trace_of({"encoder.0.self": torch.stack(heads)}, **more)


def random_maps(n: int, size: int, seed: int = 0) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    return (3 * torch.randn(n, size, size, generator=generator)).softmax(-1)


def test_rows_without_a_common_key_are_one_bit_apart_equal_rows_none_and_a_known_value_lies_between() -> None:
    """p = (1, 0), q = (1/2, 1/2): H(3/4, 1/4) - (0 + 1) / 2 = 0.3113 bits."""
    assert js_rows(SELF, BEFORE).tolist() == pytest.approx([1.0] * 4)
    assert js_rows(EVEN, EVEN).tolist() == [0.0] * 4
    between = -(0.75 * math.log2(0.75) + 0.25 * math.log2(0.25)) - 0.5
    assert float(js_rows(torch.tensor([1.0, 0.0]), torch.tensor([0.5, 0.5]))) == pytest.approx(between, abs=1e-12)


def test_all_pairs_at_once_are_the_sums_of_rows() -> None:
    p, q = random_maps(5, 7), random_maps(4, 7, seed=1)
    p[0] = torch.eye(7)  # with zeros
    single = torch.tensor([[float(js_rows(a, b).sum()) for b in q] for a in p], dtype=torch.float64)
    assert torch.allclose(js_sums(p, q), single, atol=2e-6)
    assert torch.equal(js_sums(p, p), js_sums(p, p).mT) and js_sums(p, p).diagonal().max() == 0


def test_a_comparison_finds_the_same_heads_in_another_order() -> None:
    maps = random_maps(4, 4)
    order = [2, 0, 3, 1]
    found = av.compare(trace_of(*maps), trace_of(*maps[order], name="other"))
    assert found.units.are_tokens and len(found.heads) == 16
    nearest = found.matches[found.matches["of"] == "a"]
    back = [order.index(head) for head in range(4)]
    assert nearest["nearest_head"].tolist() == nearest["partner_head"].tolist() == back
    assert nearest["js"].max() == pytest.approx(0, abs=1e-6)
    same = found.heads[found.heads["head_b"] == found.heads["head_a"].map(order.index)]
    assert same["cosine"].to_numpy() == pytest.approx(1) and same["correlation"].to_numpy() == pytest.approx(1)


def test_a_row_without_a_choice_does_not_count() -> None:
    """Causal maps: the first row can only look at itself, so the mean is over the three others."""
    first = torch.eye(4)[[0, 0, 0, 0]]
    found = av.compare(trace_of(first, EVEN.tril() / EVEN.tril().sum(-1, keepdim=True), causal="encoder"),
                       trace_of(SELF, SELF, causal="encoder"))  # fmt: skip
    assert found.similarity.n_rows == 3
    assert found.similarity.js[0].tolist() == pytest.approx([1.0, 1.0], abs=1e-6)
    assert found.difference("encoder.0.self", 0).js == pytest.approx(1.0, abs=1e-6)


def test_the_difference_names_where_it_is_largest_and_its_sign() -> None:
    b = EVEN.clone()
    b[2] = torch.tensor([0.0, 0.0, 0.1, 0.9])
    found = difference(trace_of(EVEN), Head("encoder.0.self", 0), trace_of(b), Head("encoder.0.self", 0))
    assert found.largest == pytest.approx(0.65, abs=1e-6)
    top = found.most(2).iloc[0]
    assert (top["query_text"], top["key_text"], top["difference"]) == ("w2", "w3", pytest.approx(-0.65, abs=1e-6))
    assert found.js == pytest.approx(float(js_rows(EVEN[2], b[2])) / 4, abs=1e-6)
    assert math.isnan(found.correlation)  # one of the maps is the same everywhere


def test_words_average_rows_sum_columns_and_leave_out_what_the_other_lacks() -> None:
    whole = Tokens.plain(["un", "do", "it"])
    pieces = cut("un do it", "[CLS]", "u", "n", "do", "it", special=("[CLS]",))
    rows = torch.tensor([
        [0.2, 0.2, 0.2, 0.2, 0.2], [0.5, 0.1, 0.1, 0.3, 0.0], [0.1, 0.2, 0.2, 0.1, 0.4], [0.0, 0.0, 0.5, 0.5, 0.0],
        [0.5, 0.0, 0.0, 0.0, 0.5],
    ])  # fmt: skip
    found = av.compare(trace_of(rows, tokens=pieces), trace_of(torch.eye(3), tokens=whole))
    found = found.difference("encoder.0.self", 0)
    assert torch.allclose(found.a[0], torch.tensor([0.3, 0.2, 0.2]) / 0.7, atol=1e-6)  # mean of rows u and n
    assert torch.allclose(found.a[1:], torch.tensor([[0.5, 0.5, 0.0], [0.0, 0.0, 1.0]]), atol=1e-6)
    assert found.left_out_a.tolist() == pytest.approx([0.3, 0.0, 0.5], abs=1e-6)
    assert found.a.sum(-1).tolist() == pytest.approx([1, 1, 1], abs=1e-6)


def test_a_row_that_leaves_hardly_anything_to_words_counts_as_any_other() -> None:
    """One head of all whose row looks at [CLS] alone would else take that row from every pair."""
    tokens = cut("a b", "[CLS]", "a", "b", special=("[CLS]",))
    sink = torch.tensor([[1.0, 0.0, 0.0], [1 - 4e-7, 3e-7, 1e-7], [0.2, 0.4, 0.4]])
    a = trace_of(sink, torch.full((3, 3), 1 / 3), tokens=tokens)
    found = av.compare(a, trace_of(torch.eye(2), tokens=Tokens.plain(["a", "b"])))
    assert found.difference("encoder.0.self", 0).a[0].tolist() == pytest.approx([0.75, 0.25])
    for head in range(2):
        own = found.difference("encoder.0.self", head, "encoder.0.self", 0).js
        assert found.similarity.js[head, 0] == pytest.approx(own, abs=1e-6)


def test_heads_over_different_texts_are_refused_by_axis() -> None:
    a, b = trace_of(EVEN), trace_of(EVEN, tokens=Tokens.plain(["a", "b", "c", "d"]), name="other")
    with pytest.raises(InputError, match="different texts"):
        av.compare(a, b)
    with pytest.raises(InputError, match=r"different queries.*w0 w1 w2 w3.*a b c d"):
        difference(a, Head("encoder.0.self", 0), b, Head("encoder.0.self", 0))


def test_one_to_one_pairs_so_that_the_sum_is_least() -> None:
    """Both rows are nearest to column 0; the pairing that costs least gives it to the second."""
    of_a, of_b = one_to_one(np.array([[0.1, 0.2, 0.9], [0.1, 0.9, 0.9]]))
    assert list(zip(of_a.tolist(), of_b.tolist(), strict=True)) == [(0, 1), (1, 0)]


def test_a_plane_is_mapped_without_stress_and_always_the_same() -> None:
    points = np.array([[0, 0], [0.6, 0], [0, 0.5], [0.4, 0.7], [0.1, 0.1]])
    wanted = ((points[:, None] - points[None]) ** 2).sum(-1)  # squares: the map takes the root of a divergence
    found, again = head_map(wanted), head_map(wanted)
    assert found.stress < 1e-3 and np.array_equal(found.points, again.points)
    distances = np.sqrt(((found.points[:, None] - found.points[None]) ** 2).sum(-1))
    assert np.allclose(distances**2, wanted, atol=2e-3)


def test_sentences_weigh_alike_and_those_that_cannot_be_read_are_told() -> None:
    pair = trace_of(EVEN, SELF), trace_of(SELF)
    too_long = InputError(id="too-long", n=9, limit=8)
    found = similarity_of_traces(iter([pair, too_long, pair]), 3)
    assert (found.n_sentences, found.n_skipped, found.why_skipped) == (2, 1, str(too_long))
    one = similarity_of_traces(iter([pair]), 1)
    assert np.allclose(found.every, one.every, atol=1e-9) and found.every.shape == (3, 3)
    with pytest.raises(InputError, match="9 tokens are too many"):
        similarity_of_traces(iter([too_long]), 1)


def test_a_copy_with_one_head_changed_is_told_apart_from_its_base(minilm) -> None:
    """Below the change nothing differs; in its layer that head alone; above it everything may."""
    base = in_our_blocks(minilm)
    assert base is not None
    network = copy.deepcopy(base.network)
    width = network.config.d_model // network.config.n_heads
    w_q = network.blocks[2].self_attention.w_q.weight
    with torch.no_grad():
        w_q[7 * width : 8 * width] += torch.randn(width, w_q.shape[1], generator=torch.Generator().manual_seed(0)) / 10
    tuned = replace(base, network=network)
    found = similarity(base, tuned, ["The cat sat on the mat.", "Rain fell all night on the old roof."])
    same_place = found.js.diagonal().reshape(6, 12)
    assert same_place[:2].max() < 1e-6 and same_place[2].argmax() == 7 and same_place[2, 7] > 0.01
    assert np.delete(same_place[2], 7).max() < 1e-6 and same_place[3:].max() > 1e-5
    pairs = found.matches()
    assert (pairs[pairs["of"] == "a"]["nearest_site"] == pairs[pairs["of"] == "a"]["site"]).mean() > 0.9


def test_common_sentences_are_those_that_both_cards_list_or_texts_of_a_small_models_task(minilm) -> None:
    found = common_sentences(minilm, minilm, 7)
    assert len(found) == len(set(found)) == 7 and all(sentence.isascii() for sentence in found)
    with pytest.raises(InputError, match="no bundled language in common"):
        common_sentences(minilm, minilm, language="zh")
    own = av.load("reverse")
    assert common_sentences(minilm, own, 5) == tuple(dict.fromkeys(own.own_texts(5)))


def test_each_metric_is_the_median_and_the_middle_half_of_both_sides() -> None:
    columns = {"entropy": [0, 1, 2, 3, 4], "self": 0.5}, {"entropy": [1, 3], "first": [0.1, 0.2]}
    found = metric_quartiles(*(pd.DataFrame({"stack": "encoder", "kind": "self"} | own) for own in columns))
    assert found["metric"].tolist() == ["entropy"]  # the only one that both have
    (row,) = found.to_dict("records")
    assert (row["low_a"], row["median_a"], row["high_a"]) == (1, 2, 3)
    assert (row["low_b"], row["median_b"], row["high_b"]) == (1.5, 2, 2.5) and row["unit"] == "bits"


@pytest.mark.parametrize("name", ["induction", "reverse"])
def test_only_heads_that_read_the_text_itself_count(name: str) -> None:
    trace = av.load(name).trace("a b c")
    rows = self_attention_rows(av.head_metrics(trace))
    assert list(zip(rows["site"], rows["head"], strict=True)) == [(head.site, head.head) for head in heads_of(trace)]
