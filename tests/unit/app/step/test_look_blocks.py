"""The closer looks of Step through, as blocks: their numbers are those of the library, in every language."""

import math
from decimal import Decimal

import pytest
import torch
from attnviz_app.serving import checkpoints
from attnviz_app.serving.runs import runs
from attnviz_app.step.looks import (
    cost_blocks,
    decoding_blocks,
    head_blocks,
    learning_blocks,
    position_blocks,
    stream_blocks,
)
from attnviz_app.step.looks.decoding_blocks import KEPT, MADE
from attnviz_app.step.looks.token_slice import holding, of_tokens, said, token_map
from torch.testing import assert_close

import attnviz as av
from attnviz.core.errors import InputError, StepError
from attnviz.core.site import Site
from attnviz.explanation.closer_looks.cache import cache_sizes
from attnviz.explanation.closer_looks.cost import attention_cost
from attnviz.explanation.closer_looks.distance import rotated_pair
from attnviz.explanation.closer_looks.gradients import cell_gradient
from attnviz.explanation.closer_looks.norm_order import norm_orders
from attnviz.explanation.closer_looks.residual_stream import cosines, row_lengths, token_similarity
from attnviz.explanation.closer_looks.shuffle import another_order, shuffled
from attnviz.explanation.closer_looks.torch_layer import against_torch
from attnviz.explanation.closer_looks.two_heads import head_difference, head_differences
from attnviz.explanation.head_view import HeadView
from attnviz.explanation.model_steps.decoding import generation_steps
from attnviz.models.positions import sinusoidal_positions
from attnviz.scratch.rebuilt import rebuilt
from attnviz.scratch.untrained import untrained
from attnviz.text import strings
from attnviz.text.numbers import figure, signed
from attnviz.trace.decoder_rows import row_tokens
from attnviz.trace.mask import Mask
from attnviz.trace.records import AttentionRecord
from attnviz.trace.tokens import TokenPair, Tokens
from attnviz.trace.trace import Card
from attnviz.trace.weight_sources import Replay
from attnviz.training.gradient_step import gradient_step
from attnviz.training.trained_model import TrainedModel
from attnviz.views.panel.blocks import Chart, Dials, Facts, Maps, Prose, Table
from tests.parity.tiny_models import traced_model

say = strings("en")
WRITTEN = ("<start> → d", "d → c", "c → b", "b → a", "a → <end>")  # what a row read, and what it writes


@pytest.fixture(scope="module")
def reverse():
    return av.load("reverse")


@pytest.fixture(scope="module")
def trace(reverse):
    return reverse.trace("a b c d")


class Drawn:
    """What a look draws, by its kind."""

    def __init__(self, blocks):
        self.tables, self.charts, maps, facts, prose = (
            [block for block in blocks if isinstance(block, kind)] for kind in (Table, Chart, Maps, Facts, Prose)
        )
        self.maps = [one for block in maps for one in block.maps]
        self.facts = [fact for block in facts for fact in block.facts]
        self.values = [fact.value for fact in self.facts]
        self.said = [block.text for block in prose]


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
    drawn = Drawn(head_blocks.two_heads(trace, site, 1, 0, strings("zh-CN")))
    assert drawn.values[::2] == [f"{found.mean_moved:.0%}", signed(float(found.difference[found.farthest]), 2)]
    assert str(int(found.same_choice.sum())) in drawn.values[1]
    first, second, difference, every = drawn.maps
    assert_close(first.values, trace[site].weights(1), rtol=0, atol=0)
    assert_close(difference.values, first.values - second.values, rtol=0, atol=0)
    assert difference.marked == found.farthest and difference.limit == 1.0
    assert_close(every.values, head_differences(trace[site]), rtol=0, atol=0)
    (table,) = drawn.tables
    assert [row[0] for row in table.rows] == list(first.rows) == list(WRITTEN)
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
    (table,) = Drawn(head_blocks.torch_check(trace, "encoder.0.self", found, say)).tables
    assert [row[1] for row in table.rows] == [figure(it) for it in (found.out, found.weights, found.gradients)]
    assert table.rows[0][2] == figure(float(trace["encoder.0.self"].out().abs().max()))
    assert table.rows[2][3] == figure(found.gradients / found.largest_gradient)


@pytest.mark.parametrize(("site", "n_maps", "by", "row"), [
    ("encoder.0.self", 4, "x", "c"), ("decoder.0.cross", 5, "x_key", "c → b"),  # of a decoder with what it writes
])  # fmt: skip
def test_a_gradient_is_shown_for_one_head_with_the_strength_of_each_token(trace, site, n_maps, by, row):
    found = cell_gradient(trace, site, query=2, feature=5)
    drawn = Drawn(head_blocks.gradient(trace, site, found, say, query=2, feature=5, head=1, is_out=True))
    inputs = ["Q of head 2", "K of head 2", "V of head 2", "X", "X of the source"]
    assert [one.title for one in drawn.maps] == [f"With respect to {it}" for it in inputs[:n_maps]]
    assert_close(drawn.maps[1].values, found.maps["k"][1], rtol=0, atol=0)
    assert not any("ends" in text for text in drawn.said)
    (table,) = drawn.tables
    means = trace[site].weights()[:, 2].mean(0)
    assert [row[1] for row in table.rows] == [head_blocks.percent(float(share)) for share in means]
    assert [row[2] for row in table.rows] == [figure(float(size)) for size in found.maps[by].norm(dim=-1)]
    assert [one.rows[2] for one in drawn.maps if one.rows[2] != "c"] == [row] * (2 if "→" in row else 0)
    assert (drawn.values[0], drawn.facts[0].note) == (figure(found.value), f"{row}, column 6")


def test_heads_that_share_a_key_head_are_shown_with_it_also_where_the_gradient_ends_at_q_k_and_v():
    generator = torch.Generator().manual_seed(1)
    q, k, v = (torch.randn(heads, 3, 2, generator=generator) for heads in (4, 2, 2))  # [H, T, d_k], [Hkv, T, d_k] twice
    site = Site("encoder", "self", 0)
    record = AttentionRecord(site, Replay(q, k, v, 2**-0.5, Mask(3, 3)))
    trace = av.Trace(Card("x", "x", "x", 1, 4, 8), TokenPair(Tokens.plain(["a", "b", "c"])), {site.key: record})
    found = cell_gradient(trace, site.key, query=1, feature=0, head=3)
    drawn = Drawn(head_blocks.gradient(trace, site.key, found, say, query=1, feature=0, head=3, is_out=False))
    assert len(drawn.maps) == 3 and say("look-gradient-no-x") in drawn.said
    assert_close(drawn.maps[1].values, found.maps["k"][1], rtol=0, atol=0)
    assert bool(drawn.maps[1].values.any()) and not bool(found.maps["k"][0].any())
    assert drawn.facts[0].name == "Context of head 4"
    shares = [head_blocks.percent(float(share)) for share in record.weights(3)[1]]
    assert [row[1] for row in drawn.tables[0].rows] == shares


def test_a_gradient_of_rotated_and_grouped_heads_says_whose_they_are_and_reaches_x():
    trace = rebuilt(traced_model("llama")).trace("cats")  # two key heads for four heads
    found = cell_gradient(trace, "decoder.0.self", query=3, feature=0)
    blocks = head_blocks.gradient(trace, "decoder.0.self", found, say, query=3, feature=0, head=3, is_out=True)
    titles = [one.title.removeprefix("With respect to ") for one in Drawn(blocks).maps]
    assert titles == ["Q_rot of head 4", "K_rot of head 2", "V of head 2", "X"]


def test_a_fixed_table_of_positions_is_the_papers_waves():
    trace = untrained("encoder").trace("the cat sat")
    drawn = Drawn(position_blocks.positions(trace, "encoder", say, name="This one"))
    table, alike = drawn.maps
    assert_close(table.values, sinusoidal_positions(32, 16), rtol=0, atol=1e-6)
    assert table.rows[:4] == ("1 the", "2 cat", "3 sat", "4") and table.limit == 1.0
    assert_close(alike.values, cosines(sinusoidal_positions(32, 16)), rtol=0, atol=1e-6)
    assert list(drawn.charts[0].curves[0].y) == pytest.approx(torch.arange(32.0).sin().tolist(), abs=1e-5)


@pytest.mark.parametrize("stack", ["encoder", "decoder"])
def test_a_learned_table_is_the_models_own_beside_the_waves(trace, stack):
    learned, _, waves = Drawn(position_blocks.positions(trace, stack, say, name="This one")).maps
    own = trace.matrices[f"{stack}.embed"]["positions"]
    assert_close(learned.values, own.float(), rtol=0, atol=0)
    assert learned.limit == pytest.approx(float(own.abs().max()))
    assert_close(waves.values, sinusoidal_positions(*own.shape), rtol=0, atol=1e-6)


def test_another_order_holds_the_same_words_and_never_reads_like_their_own():
    model = untrained("encoder")
    repeated = model.trace("a b a").tokens.source
    for seed in range(20):
        assert another_order(Tokens.plain(["a", "b"]), seed) == [1, 0]
        order = another_order(repeated, seed)
        assert sorted(order) == [0, 1, 2] and order not in ([0, 1, 2], [2, 1, 0])
    assert another_order(Tokens.plain(list("abcd")), 7) == another_order(Tokens.plain(list("abcd")), 7)
    with pytest.raises(InputError, match="at least two different ones"):
        another_order(model.trace("a a").tokens.source, 0)


def test_a_stack_that_looks_back_gives_other_numbers_without_positions_too():
    model = av.load("induction")
    trace = model.trace("a b c d")
    without, positioned = (shuffled(model, trace, [4, 2, 1, 3], positions=has) for has in (False, True))
    assert not without.is_same and not positioned.is_same
    drawn = Drawn(position_blocks.shuffle(without, positioned, 0, say, seed=1))
    assert [row[-1] for row in drawn.tables[1].rows] == [say("look-shuffle-other")] * 2
    assert say("look-shuffle-causal") in drawn.said


def test_shuffled_words_put_back_are_the_same_map_only_without_positions(reverse, trace):
    words, order = strings("zh-CN"), [3, 1, 0, 2]
    without, positioned = (shuffled(reverse, trace, order, positions=has) for has in (False, True))
    drawn = Drawn(position_blocks.shuffle(without, positioned, 1, words, seed=3))
    read, table = drawn.tables
    assert [row[1] for row in read.rows] == ["a b c d <end>", "d b a c <end>"]
    assert [row[-1] for row in table.rows] == [words("look-shuffle-same"), words("look-shuffle-other")]
    assert table.rows[1][1] == figure(positioned.weights)
    own, back, same, first, second, difference = (one.values for one in drawn.maps)  # without positions, and with
    assert_close(own, back, rtol=0, atol=1e-5)
    assert_close(first, trace["encoder.0.self"].weights(1), rtol=0, atol=0)
    assert_close(difference, second - first, rtol=0, atol=0)
    assert float(difference.abs().max()) > 0.1 > float(same.abs().max()) * 1e4


def test_likeness_shows_the_pair_the_mean_of_all_pairs_and_two_maps(trace):
    found, tokens = token_similarity(trace, "encoder"), trace.tokens.source
    drawn = Drawn(stream_blocks.likeness(found, tokens, tokens, 0, 3, say, block=2))
    pair, mean = (list(curve.y) for curve in drawn.charts[0].curves)
    n = len(tokens)
    by_hand = [sum(float(one[i, j]) for i in range(n) for j in range(n) if i != j) / (n * (n - 1))
               for one in found.cosines]  # fmt: skip
    assert (pair, mean) == (list(found.pair(0, 3)), pytest.approx(by_hand, abs=1e-6))
    assert [one.title for one in drawn.maps] == ["Before block 1", "After block 1", "After block 2"]
    assert_close(drawn.maps[1].values, found.cosines[1], rtol=0, atol=0)
    assert drawn.maps[1].marked == (0, 3)
    assert drawn.values == [figure(cosine) for cosine in pair]


def test_of_many_blocks_the_chosen_one_is_drawn_beside_the_beginning():
    trace = untrained("encoder", n_layers=5).trace("the cat sat")
    found, tokens = token_similarity(trace), trace.tokens.source
    maps = Drawn(stream_blocks.likeness(found, tokens, tokens, 0, 1, say, block=3)).maps
    assert [one.title for one in maps] == ["Before block 1", "After block 3"]
    assert_close(maps[1].values, found.cosines[3], rtol=0, atol=0)


def test_the_rows_of_a_decoder_say_what_they_read_and_write(trace):
    found, read = token_similarity(trace, "decoder"), trace.tokens.target
    drawn = Drawn(stream_blocks.likeness(found, read, row_tokens(trace, "decoder"), 0, 1, say, block=1))
    assert drawn.maps[0].rows == WRITTEN and drawn.maps[0].columns == read.text
    lengths = Drawn(stream_blocks.norm_order(trace, "decoder", 0, say, name="This one")).tables[1]
    assert tuple(row[0] for row in lengths.rows) == WRITTEN


def test_the_length_of_a_vector_is_the_root_of_its_sum_of_squares(trace):
    found = row_lengths(trace, "decoder")
    assert found.points == ("decoder.embed", "decoder.0.out")
    x = trace.stream["decoder.0.out"]
    assert float(found.lengths[1, 2]) == pytest.approx(float((x[2] * x[2]).sum()) ** 0.5, rel=1e-5)
    assert found.means[1] == pytest.approx(float(found.lengths[1].mean()), rel=1e-6)
    with pytest.raises(StepError, match="no residual stream"):
        row_lengths(av.Trace(trace.card, trace.tokens, trace.records))


@pytest.mark.parametrize(("norm", "marked"), [("post", 0), ("pre", 1)])
def test_it_is_said_where_the_norms_of_the_model_at_hand_stand(norm, marked):
    trace = untrained("encoder", norm=norm).trace("the cat sat")
    drawn, found = Drawn(stream_blocks.norm_order(trace, "encoder", 0, say, name="This one")), row_lengths(trace)
    rules, lengths = drawn.tables
    assert rules.marked == marked and say(f"look-norm-order-{norm}") in drawn.said[0]
    assert tuple(drawn.charts[0].curves[0].y) == found.means
    assert lengths.rows[1] == ("cat", *(figure(float(it)) for it in found.lengths[:, 1]))


def test_a_trace_without_positions_or_norms_says_so(trace):
    bare = av.Trace(trace.card, trace.tokens, trace.records, trace.stream)
    (positions,) = position_blocks.positions(bare, "encoder", say, name="Odd")
    assert isinstance(positions, Prose) and "Odd" in positions.text
    drawn = Drawn(stream_blocks.norm_order(bare, "encoder", 0, say, name="This one"))
    assert drawn.tables[0].marked is None and "does not hold the norms" in drawn.said[0]


def test_post_norm_keeps_the_length_and_loses_the_gradient_pre_norm_the_other_way_round():
    post, pre = norm_orders("the cat sat on the mat", 12, seed=1)
    assert len(post.lengths) == len(pre.gradients) == 13
    assert post.lengths[1:] == pytest.approx([4.0] * 12, rel=1e-3)  # √16: mean 0 and variance 1 in every row
    assert pre.lengths[0] == pytest.approx(post.lengths[0]) and pre.lengths[-1] > 2 * pre.lengths[1]
    assert post.gradients[0] < post.gradients[-1] / 5 and pre.gradients[0] > pre.gradients[-1]
    charts = Drawn(stream_blocks.both_orders((post, pre), say, seed=1)).charts
    assert [curve.name for curve in charts[0].curves] == ["Post-norm", "Pre-norm"]
    assert charts[1].curves[1].y == pre.gradients


def test_the_gradient_at_a_block_is_what_a_small_step_of_the_stream_changes():
    (post, _) = norm_orders("a b", 1, seed=2)
    model = untrained("encoder", seed=2, n_layers=1)
    trace = model.trace("a b")
    block = model.network(trace.tokens.source.pieces).double().blocks[0]
    x = trace.stream["encoder.embed"].double()[None]
    factors = torch.randn(2, 16, generator=torch.Generator().manual_seed(2)).double()
    steps = 1e-5 * torch.eye(2 * 16).double().view(-1, 2, 16)  # of each number of the stream alone
    with torch.inference_mode():
        slopes = ((block(x + steps) - block(x - steps)) * factors).sum((1, 2)).view(2, 16) / 2e-5
    assert post.gradients[0] == pytest.approx(float(slopes.norm(dim=-1).mean()), rel=1e-3)


def test_a_step_shows_its_proposals_and_marks_the_one_that_came_next(trace):
    drawn = Drawn(decoding_blocks.decoding(trace, generation_steps(trace), 1, strings("zh-TW")))
    proposed, every = drawn.tables
    best = trace.prediction.texts[1][0], float(trace.prediction.probabilities[1][0])
    assert proposed.rows[0] == ("1", best[0], figure(best[1])) and proposed.marked == 0
    own, source = drawn.maps
    assert own.values.tolist() == [[KEPT] * at + [MADE] + [0.0] * (4 - at) for at in range(5)]
    assert source.values.tolist() == [[MADE] * 5, *[[KEPT] * 5] * 4]
    assert own.rows == tuple(f"{n} {row}" for n, row in enumerate(WRITTEN, 1)) and own.marked == (1, 1)
    assert own.columns == ("<start>", "d", "c", "b", "a")
    assert [row[3] for row in every.rows] == ["d", "c", "b", "a", "–"] and every.marked == 1
    assert [(row[4], row[5]) for row in every.rows] == [("6", "0"), ("1", "6"), ("1", "7"), ("1", "8"), ("1", "9")]
    assert [list(curve.y) for curve in drawn.charts[0].curves] == [[6, 1, 1, 1, 1], [6, 7, 8, 9, 10]]
    assert drawn.values == ["c", "1", "6"]


def test_of_a_long_text_the_steps_around_the_chosen_one_are_drawn():
    trace = untrained("decoder").trace(" ".join(f"w{n}" for n in range(100)))
    drawn = Drawn(decoding_blocks.decoding(trace, generation_steps(trace), 70, say))
    (own,), every = drawn.maps, drawn.tables[1]
    assert own.values.shape == (64, 64) and own.marked == (33, 33) and own.rows[33].startswith("71 w69 → ")
    assert every.rows[every.marked][:2] == ("71", "w69") and len(every.rows) == 64
    assert any("38 to 101 of 101" in text for text in drawn.said)


def test_what_came_next_though_it_was_unlikely_is_shown_with_its_rank():
    trace = av.load("induction").trace("a b c a b")
    steps = generation_steps(trace)
    for at, step in enumerate(steps):
        drawn = Drawn(decoding_blocks.decoding(trace, steps, at, say))
        proposed = drawn.tables[0]
        found = decoding_blocks.chosen(step, trace.tokens.source)
        if found is None:
            assert proposed.marked is None and len(proposed.rows) == 5
        else:
            rank = step.candidates.index(found) + 1
            assert proposed.rows[proposed.marked] == (str(rank), found.text, figure(found.probability))
    assert drawn.facts[0].note == say("look-decoding-end")  # of the last one


def test_a_step_makes_keys_and_values_for_the_key_heads_alone():
    trace = traced_model("llama").trace("a cat")
    view = HeadView.of(trace, trace.sites[0])
    drawn = Drawn(decoding_blocks.decoding(trace, generation_steps(trace), 0, say))
    n = view.n_heads_of("k")
    assert n < view.n_heads_of("q") and drawn.facts[1].note == say("look-decoding-each", layers=2, heads=n)


@pytest.mark.parametrize(("family", "n_facts"), [("llama", 4), ("gpt2", 3)])  # the second groups no heads
def test_the_cache_is_shown_by_the_models_own_sizes(family, n_facts):
    sizes = cache_sizes(rebuilt(traced_model(family)).trace("cats"))
    drawn = Drawn(cost_blocks.cache(sizes, 300, cost_blocks.cache_lengths(None), say))
    assert len(drawn.facts) == n_facts and drawn.values[1] == f"{300 * sizes.numbers(1):,}"
    one_more, by_length = drawn.tables
    assert [row[1] for row in one_more.rows[:-1]] == [f"{count:,}" for count in sizes.steps(300).values()]
    assert one_more.rows[-1][2] == f"{sum(sizes.steps_anew(300).values()):,}"
    (chart,) = drawn.charts
    assert len(chart.curves) == len(by_length.columns) - 1 == n_facts - 2
    assert [y / x for x, y in zip(chart.x, chart.curves[0].y, strict=True)] == [sizes.numbers(1) * 4] * len(chart.x)


def test_a_cache_is_counted_up_to_as_many_tokens_as_the_model_reads():
    assert cost_blocks.cache_lengths(8192)[-2:] == (3_000, 8_192)
    assert cost_blocks.cache_lengths(30) == (10, 30) and cost_blocks.cache_lengths(None)[-1] == 10_000
    sizes = cache_sizes(rebuilt(traced_model("llama")).trace("cats"))
    drawn = Drawn(cost_blocks.cache(sizes, 4, cost_blocks.cache_lengths(64), say))
    assert list(drawn.charts[0].x) == [10, 30, 64] and [row[0] for row in drawn.tables[1].rows] == ["10", "30", "64"]


@pytest.mark.parametrize(("family", "cut"), [("mistral", 2), ("gemma2", 1)])
def test_what_a_window_leaves_of_the_cache_is_said(family, cut):
    sizes = cache_sizes(traced_model(family).trace("cats"))
    short, long = (Drawn(cost_blocks.cache(sizes, n, (10, 24), say)) for n in (5, 300))
    window = f"In {cut} of 2 layers attention has a sliding window: a token sees 8 tokens"
    assert all(any(window in text for text in drawn.said) for drawn in (short, long))
    assert short.facts[1].note == "keys and values of 5 tokens"
    assert f"in {cut} of 2 layers of the last 7 alone" in long.facts[1].note
    assert long.values[1] == f"{(cut * 7 + (2 - cut) * 300) * sizes.numbers_a_layer:,}"


def test_what_a_window_leaves_of_the_cost_stands_beside_the_whole():
    whole, cut = (Drawn(cost_blocks.of_layer(30, 16, 4, 2, window, say)) for window in (None, 8))
    assert [len(chart.curves) for chart in (*whole.charts, *cut.charts)] == [2, 2, 3, 3]
    of_window = attention_cost(10_000, 16, 4, 2, 8)
    assert cut.charts[0].curves[2].y[-1] == of_window.multiply_adds and cut.tables[0].rows[-1][3] == figure(
        of_window.multiply_adds
    )
    assert say("look-cost-window", window=8) in cut.said and len(cut.said) == len(whole.said) + 1


def test_two_rotated_tokens_are_shown_where_they_stand_and_where_they_were_moved():
    trace = rebuilt(traced_model("llama")).trace("cats")
    pair, own = rotated_pair(trace, "decoder.0.self", 1, query=3, key=1), trace["decoder.0.self"].scores(1)[3, 1]
    here, moved, apart = (
        position_blocks.distance(pair, float(own), ("s", "a"), {"1/√d_k": 0.5}, say, moved=moved, apart=apart, most=50)
        for moved, apart in ((0, 2), (40, 2), (0, 7))
    )
    score = f"{float(own):.3f}".replace("-", "−")
    assert Drawn(here).values[:2] == Drawn(moved).values[:2] == [score, score] != Drawn(apart).values[:2]
    assert "s” at position 43, “a” at 41" in Drawn(moved).facts[0].note
    scale = Drawn(here).facts[2]
    assert (scale.value, scale.note) == (f"× {figure(pair.scale)}", "1/√dₖ")
    (chart,), (table,) = Drawn(apart).charts, Drawn(apart).tables
    assert chart.curves[0].y[chart.marked] == pytest.approx(pair.score(8, 1)) and chart.x[chart.marked] == 7
    assert sum(table.bars) == pytest.approx(pair.score(8, 1)) and len(table.rows) == len(pair.columns)
    arrows = {name: next(block for block in it if isinstance(block, Dials)) for name, it in
              {"here": here, "moved": moved}.items()}  # fmt: skip
    first = {name: one.dials[0].angles for name, one in arrows.items()}
    assert first["here"] != first["moved"]  # both turn, the angle between them and what they add stay
    between = [math.remainder(q - k, math.tau) for q, k in first.values()]
    assert between[0] == pytest.approx(between[1], abs=1e-5)
    assert [one.value for one in arrows["here"].dials] == [one.value for one in arrows["moved"].dials]
    assert [row[-1] for row in table.rows] == [signed(add, 3) for add in pair.of_pairs(8, 1).tolist()]


def test_a_step_of_gradient_descent_is_printed_so_that_it_can_be_done_again() -> None:
    model = av.load("induction")
    folder = checkpoints.folder_of("induction", runs().store)
    steps = checkpoints.steps_of("induction", runs().store)
    assert isinstance(model, TrainedModel) and folder is not None
    step = steps[len(steps) // 2]  # the one that the look opens on, and a lesson speaks of
    site = Site.parse("decoder.1.self")
    for rate in (0.01, 0.1, 0.5, 1.0):
        made = gradient_step(model.at_step(step, folder), step, site, 1, rate)
        assert (made.loss_after < made.loss) is (rate < 1)
        facts, table, *_ = learning_blocks.learning(made, "W_Q", say)
        assert isinstance(facts, Facts) and facts.facts[0].value == f"{made.loss:.4f} → {made.loss_after:.4f}"
        assert isinstance(table, Table) and len(table.rows) == 5
        largest = made.gradient.abs().flatten().topk(5).values.tolist()
        for (_, *printed), size in zip(table.rows, largest, strict=True):
            number, gradient, change, after = (Decimal(it.replace("\N{MINUS SIGN}", "-")) for it in printed)
            assert number - change == after
            assert change == (Decimal(str(rate)) * gradient).quantize(change)
            assert abs(float(gradient)) == pytest.approx(size, abs=5e-5)
