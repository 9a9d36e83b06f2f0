"""The closer looks of the tab Multi-head, as blocks: their numbers are those of the analysis, in every language."""

import pytest
import torch
from attnviz_app.step.looks import head_blocks
from attnviz_app.step.looks.token_slice import holding, of_tokens, said, token_map
from torch.testing import assert_close

import attnviz as av
from attnviz.core.site import Site
from attnviz.explanation.closer_looks.gradients import cell_gradient
from attnviz.explanation.closer_looks.torch_layer import against_torch
from attnviz.explanation.closer_looks.two_heads import head_difference, head_differences
from attnviz.text import strings
from attnviz.text.numbers import figure, signed
from attnviz.trace.mask import Mask
from attnviz.trace.records import AttentionRecord
from attnviz.trace.tokens import TokenPair, Tokens
from attnviz.trace.trace import Card
from attnviz.trace.weight_sources import Replay
from attnviz.views.panel.blocks import Facts, Maps, Prose, Table

say = strings("en")


@pytest.fixture(scope="module")
def trace():
    return av.load("reverse").trace("a b c d")


def of(kind, blocks):
    return [block for block in blocks if isinstance(block, kind)]


def test_a_long_text_is_drawn_in_part_and_says_so():
    tokens = Tokens.plain([f"w{n}" for n in range(100)])
    part = of_tokens(tokens, 90)  # too far on: the last 64
    assert (part.first, part.names[0], part.names[-1]) == (36, "w36", "w99")
    assert part.place(40) == 4 and part.place(3) is None
    marked = [token_map("", torch.zeros(100, 100), part, part, say, marked=(row, 99)).marked for row in (36, 35)]
    assert marked == [(0, 63), None]
    assert of_tokens(tokens, holding(40, 36)).first == 36 and of_tokens(tokens, holding(20, 36)).first == 0
    (sentence,) = said(say, part, part)
    assert "37 to 100 of 100" in sentence.text
    assert said(say, of_tokens(Tokens.plain(["a"]))) == ()


def test_two_heads_are_shown_with_the_numbers_of_the_analysis(trace):
    site, found = "decoder.0.cross", head_difference(trace["decoder.0.cross"], 1, 0)
    blocks = head_blocks.two_heads(trace, site, 1, 0, strings("zh-CN"))
    (facts,) = of(Facts, blocks)
    assert [fact.value for fact in facts.facts][::2] == [
        f"{found.mean_moved:.0%}", signed(float(found.difference[found.farthest]), 2)
    ]  # fmt: skip
    assert str(int(found.same_choice.sum())) in facts.facts[1].value
    maps, every = of(Maps, blocks)
    assert_close(maps.maps[0].values, trace[site].weights(1), rtol=0, atol=0)
    assert_close(maps.maps[2].values, maps.maps[0].values - maps.maps[1].values, rtol=0, atol=0)
    assert maps.maps[2].marked == found.farthest and maps.maps[2].limit == 1.0
    assert_close(every.maps[0].values, head_differences(trace[site]), rtol=0, atol=0)
    (table,) = of(Table, blocks)
    rows = ["<start> → d", "d → c", "c → b", "b → a", "a → <end>"]  # what was read, and what the row writes
    assert [row[0] for row in table.rows] == list(maps.maps[0].rows) == rows
    assert table.rows[table.marked][-1] == head_blocks.percent(float(found.moved.max()))


def test_the_other_head_is_the_one_that_differs_most():
    q = torch.zeros(3, 2, 1)
    q[1], q[2] = 1.0, 5.0
    with av.record() as recording:
        av.attend(q[None], torch.tensor([[[1.0], [0.0]]] * 3)[None], torch.ones(1, 3, 2, 1), scale=1.0)
    record = recording.trace(0)["encoder.0.self"]
    assert [head_blocks.farthest_head(record, head) for head in range(3)] == [2, 2, 0]


def test_torchs_layer_is_shown_with_what_each_difference_is_relative_to(trace):
    found = against_torch(trace, "encoder.0.self")
    blocks = head_blocks.torch_check(trace, "encoder.0.self", found, say)
    (table,) = of(Table, blocks)
    assert [row[1] for row in table.rows] == [figure(it) for it in (found.out, found.weights, found.gradients)]
    assert table.rows[0][2] == figure(float(trace["encoder.0.self"].out().abs().max()))
    assert table.rows[2][3] == figure(found.gradients / found.largest_gradient)


@pytest.mark.parametrize("site", ["encoder.0.self", "decoder.0.cross"])
def test_a_gradient_is_shown_for_one_head_with_the_strength_of_each_token(trace, site):
    found = cell_gradient(trace, site, query=2, feature=5)
    blocks = head_blocks.gradient(trace, site, found, say, query=2, feature=5, head=1, is_out=True)
    (maps,) = of(Maps, blocks)
    names = [one.title for one in maps.maps]
    inputs = ("Q of head 2", "K of head 2", "V of head 2", "X", "X of the source")
    assert names == [f"With respect to {name}" for name in inputs][: len(names)]
    assert len(names) == (4 if site == "encoder.0.self" else 5)
    assert_close(maps.maps[1].values, found.maps["k"][1], rtol=0, atol=0)
    (table,) = of(Table, blocks)
    by = found.maps["x" if site == "encoder.0.self" else "x_key"]
    means = trace[site].weights()[:, 2].mean(0)
    assert [row[1] for row in table.rows] == [head_blocks.percent(float(share)) for share in means]
    assert [row[2] for row in table.rows] == [figure(float(size)) for size in by.norm(dim=-1)]
    assert of(Facts, blocks)[0].facts[0].value == figure(found.value)
    row = {"encoder.0.self": "c", "decoder.0.cross": "c → b"}[site]  # of a decoder with what it writes
    assert [one.rows[2] for one in maps.maps if one.rows[2] != "c"] == [row] * (2 if "→" in row else 0)
    assert of(Facts, blocks)[0].facts[0].note == f"{row}, column 6"


def test_a_gradient_that_ends_at_q_k_and_v_says_so(trace):
    bare = av.Trace(trace.card, trace.tokens, trace.records)
    found = cell_gradient(bare, "encoder.0.self", query=0, feature=0)
    blocks = head_blocks.gradient(bare, "encoder.0.self", found, say, query=0, feature=0, head=0, is_out=True)
    assert say("look-gradient-no-x") in [block.text for block in of(Prose, blocks)]
    assert len(of(Maps, blocks)[0].maps) == 3


def test_heads_that_share_a_key_head_are_shown_with_it():
    generator = torch.Generator().manual_seed(1)
    q, k, v = (torch.randn(heads, 3, 2, generator=generator) for heads in (4, 2, 2))  # [H, T, d_k], [Hkv, T, d_k] twice
    site = Site("encoder", "self", 0)
    record = AttentionRecord(site, Replay(q, k, v, 2**-0.5, Mask(3, 3)))
    card = Card("x", "x", "x", 1, 4, 8)
    trace = av.Trace(card, TokenPair(Tokens.plain(["a", "b", "c"])), {site.key: record})
    found = cell_gradient(trace, "encoder.0.self", query=1, feature=0, head=3)
    blocks = head_blocks.gradient(trace, "encoder.0.self", found, say, query=1, feature=0, head=3, is_out=False)
    (maps,) = of(Maps, blocks)
    assert_close(maps.maps[1].values, found.maps["k"][1], rtol=0, atol=0)
    assert bool(maps.maps[1].values.any()) and not bool(found.maps["k"][0].any())
    assert of(Facts, blocks)[0].facts[0].name == "Context of head 4"
    assert [row[1] for row in of(Table, blocks)[0].rows] == [
        head_blocks.percent(float(share)) for share in trace["encoder.0.self"].weights(3)[1]
    ]
