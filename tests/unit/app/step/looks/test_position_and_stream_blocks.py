"""The closer looks of the tab Block, as blocks: positions, shuffled words, likeness, and where norms stand."""

import pytest
import torch
from attnviz_app.step.looks import position_blocks, stream_blocks
from torch.testing import assert_close

import attnviz as av
from attnviz.core.errors import InputError, StepError
from attnviz.explanation.closer_looks.norm_order import norm_orders
from attnviz.explanation.closer_looks.residual_stream import cosines, row_lengths, token_similarity
from attnviz.explanation.closer_looks.shuffle import another_order, shuffled
from attnviz.models.positions import sinusoidal_positions
from attnviz.scratch.untrained import untrained
from attnviz.text import strings
from attnviz.text.numbers import figure
from attnviz.trace.decoder_rows import row_tokens
from attnviz.trace.tokens import Tokens
from attnviz.views.panel.blocks import Chart, Facts, Maps, Prose, Table

say = strings("en")


@pytest.fixture(scope="module")
def reverse():
    return av.load("reverse")


@pytest.fixture(scope="module")
def trace(reverse):
    return reverse.trace("a b c d")


def of(kind, blocks):
    return [block for block in blocks if isinstance(block, kind)]


# ------------------------------------------------------------------------------------------------------- positions


def test_a_fixed_table_of_positions_is_the_papers_waves():
    trace = untrained("encoder").trace("the cat sat")
    blocks = position_blocks.positions(trace, "encoder", say, name="This one")
    (maps,) = of(Maps, blocks)
    table, alike = maps.maps
    assert_close(table.values, sinusoidal_positions(32, 16), rtol=0, atol=1e-6)
    assert table.rows[:4] == ("1 the", "2 cat", "3 sat", "4") and table.limit == 1.0
    assert_close(alike.values, cosines(sinusoidal_positions(32, 16)), rtol=0, atol=1e-6)
    (chart,) = of(Chart, blocks)
    assert list(chart.curves[0].y) == pytest.approx([float(torch.tensor(at).sin()) for at in range(32)], abs=1e-5)


@pytest.mark.parametrize("stack", ["encoder", "decoder"])
def test_a_learned_table_is_the_models_own_beside_the_waves(trace, stack):
    blocks = position_blocks.positions(trace, stack, say, name="This one")
    first, second = of(Maps, blocks)
    own = trace.matrices[f"{stack}.embed"]["positions"]
    assert_close(first.maps[0].values, own.float(), rtol=0, atol=0)
    assert first.maps[0].limit == pytest.approx(float(own.abs().max()))
    assert_close(second.maps[0].values, sinusoidal_positions(*own.shape), rtol=0, atol=1e-6)


def test_a_model_without_a_table_of_positions_says_so(trace):
    blocks = position_blocks.positions(av.Trace(trace.card, trace.tokens, trace.records), "encoder", say, name="Odd")
    assert [type(block) for block in blocks] == [Prose] and "Odd" in blocks[0].text


# -------------------------------------------------------------------------------------------------------- shuffling


def test_another_order_holds_the_same_words_and_never_reads_like_their_own():
    for seed in range(20):
        assert another_order(Tokens.plain(["a", "b"]), seed) == [1, 0]
        order = another_order(untrained("encoder").trace("a b a").tokens.source, seed)
        assert sorted(order) == [0, 1, 2] and order not in ([0, 1, 2], [2, 1, 0])
    assert another_order(Tokens.plain(list("abcd")), 7) == another_order(Tokens.plain(list("abcd")), 7)
    with pytest.raises(InputError, match="at least two different ones"):
        another_order(untrained("encoder").trace("a a").tokens.source, 0)


def test_a_stack_that_looks_back_gives_other_numbers_without_positions_too():
    model = av.load("induction")
    trace = model.trace("a b c d")
    without, positioned = (shuffled(model, trace, [4, 2, 1, 3], positions=has) for has in (False, True))
    assert not without.is_same and not positioned.is_same
    blocks = position_blocks.shuffle(without, positioned, 0, say, seed=1)
    assert [row[-1] for row in of(Table, blocks)[1].rows] == [say("look-shuffle-other")] * 2
    assert say("look-shuffle-causal") in [block.text for block in of(Prose, blocks)]


def test_shuffled_words_put_back_are_the_same_map_only_without_positions(reverse, trace):
    words, order = strings("zh-CN"), [3, 1, 0, 2]
    without, positioned = (shuffled(reverse, trace, order, positions=has) for has in (False, True))
    blocks = position_blocks.shuffle(without, positioned, 1, words, seed=3)
    read, table = of(Table, blocks)
    assert [row[1] for row in read.rows] == ["a b c d <end>", "d b a c <end>"]
    assert [row[-1] for row in table.rows] == [words("look-shuffle-same"), words("look-shuffle-other")]
    assert table.rows[1][1] == figure(positioned.weights)
    plain, moved = of(Maps, blocks)
    assert_close(plain.maps[0].values, plain.maps[1].values, rtol=0, atol=1e-5)
    assert_close(moved.maps[0].values, trace["encoder.0.self"].weights(1), rtol=0, atol=0)
    assert_close(moved.maps[2].values, moved.maps[1].values - moved.maps[0].values, rtol=0, atol=0)
    assert float(moved.maps[2].values.abs().max()) > 0.1 > float(plain.maps[2].values.abs().max()) * 1e4


# --------------------------------------------------------------------------------------------------- the stream


def test_likeness_shows_the_pair_the_mean_of_all_pairs_and_two_maps(trace):
    found, tokens = token_similarity(trace, "encoder"), trace.tokens.source
    blocks = stream_blocks.likeness(found, tokens, tokens, 0, 3, say, block=2)
    (chart,), (maps,) = of(Chart, blocks), of(Maps, blocks)
    assert tuple(chart.curves[0].y) == found.pair(0, 3)
    n = len(trace.tokens.source)
    by_hand = [sum(float(one[i, j]) for i in range(n) for j in range(n) if i != j) / (n * (n - 1))
               for one in found.cosines]  # fmt: skip
    assert list(chart.curves[1].y) == pytest.approx(by_hand, abs=1e-6)
    assert [one.title for one in maps.maps] == ["Before block 1", "After block 1", "After block 2"]
    assert_close(maps.maps[1].values, found.cosines[1], rtol=0, atol=0)
    assert maps.maps[1].marked == (0, 3)
    assert [fact.value for fact in of(Facts, blocks)[0].facts] == [figure(found.pair(0, 3)[at]) for at in range(3)]


def test_of_many_blocks_the_chosen_one_is_drawn_beside_the_beginning():
    trace = untrained("encoder", n_layers=5).trace("the cat sat")
    found = token_similarity(trace)
    tokens = trace.tokens.source
    maps = of(Maps, stream_blocks.likeness(found, tokens, tokens, 0, 1, say, block=3))[0].maps
    assert [one.title for one in maps] == ["Before block 1", "After block 3"]
    assert_close(maps[1].values, found.cosines[3], rtol=0, atol=0)


def test_the_rows_of_a_decoder_say_what_they_read_and_write(trace):
    written, read = ("<start> → d", "d → c", "c → b", "b → a", "a → <end>"), trace.tokens.target
    named = row_tokens(trace, "decoder")
    found = token_similarity(trace, "decoder")
    (likeness,) = of(Maps, stream_blocks.likeness(found, read, named, 0, 1, say, block=1))
    assert likeness.maps[0].rows == written and likeness.maps[0].columns == read.text
    lengths = of(Table, stream_blocks.norm_order(trace, "decoder", 0, say, name="This one"))[1]
    assert tuple(row[0] for row in lengths.rows) == written


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
    blocks = stream_blocks.norm_order(trace, "encoder", 0, say, name="This one")
    rules, lengths = of(Table, blocks)
    assert rules.marked == marked
    assert say(f"look-norm-order-{norm}") in of(Prose, blocks)[0].text
    found = row_lengths(trace)
    assert tuple(of(Chart, blocks)[0].curves[0].y) == found.means
    assert lengths.rows[1] == ("cat", *(figure(float(it)) for it in found.lengths[:, 1]))


def test_a_trace_without_norms_does_not_say_which(trace):
    bare = av.Trace(trace.card, trace.tokens, trace.records, trace.stream)
    blocks = stream_blocks.norm_order(bare, "encoder", 0, say, name="This one")
    assert of(Table, blocks)[0].marked is None and "does not hold the norms" in of(Prose, blocks)[0].text


def test_post_norm_keeps_the_length_and_loses_the_gradient_pre_norm_the_other_way_round():
    post, pre = norm_orders("the cat sat on the mat", 12, seed=1)
    assert len(post.lengths) == len(pre.gradients) == 13
    assert post.lengths[1:] == pytest.approx([4.0] * 12, rel=1e-3)  # √16: mean 0 and variance 1 in every row
    assert pre.lengths[0] == pytest.approx(post.lengths[0]) and pre.lengths[-1] > 2 * pre.lengths[1]
    assert post.gradients[0] < post.gradients[-1] / 5 and pre.gradients[0] > pre.gradients[-1]
    charts = of(Chart, stream_blocks.both_orders((post, pre), say, seed=1))
    assert [curve.name for curve in charts[0].curves] == ["Post-norm", "Pre-norm"]
    assert charts[1].curves[1].y == pre.gradients


def test_the_gradient_at_a_block_is_what_a_small_step_of_the_stream_changes():
    (post, _) = norm_orders("a b", 1, seed=2)
    model = untrained("encoder", seed=2, n_layers=1)
    trace = model.trace("a b")
    block = model.network(trace.tokens.source.pieces).double().blocks[0]
    x = trace.stream["encoder.embed"].double()[None]
    factors = torch.randn(2, 16, generator=torch.Generator().manual_seed(2)).double()
    slopes = torch.zeros(2, 16, dtype=torch.float64)
    with torch.inference_mode():
        for row in range(2):
            for column in range(16):
                step = torch.zeros_like(x)
                step[0, row, column] = 1e-5
                slopes[row, column] = ((block(x + step) - block(x - step))[0] * factors).sum() / 2e-5
    assert post.gradients[0] == pytest.approx(float(slopes.norm(dim=-1).mean()), rel=1e-3)
