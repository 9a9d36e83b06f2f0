"""The numbers of the panels: why √d_k, what it costs, how heads differ, torch's own layer, gradients, order, text."""

import math
from copy import deepcopy

import pytest
import torch
from torch.testing import assert_close
from torch.utils.flop_counter import FlopCounterMode
from transformers import DynamicCache

import attnviz as av
from attnviz.core.errors import StepError
from attnviz.core.site import Site
from attnviz.explanation.closer_looks.cache import cache_sizes
from attnviz.explanation.closer_looks.cost import attention_cost, recurrent_cost
from attnviz.explanation.closer_looks.distance import RotatedPair, rotated_pair
from attnviz.explanation.closer_looks.gradients import cell_gradient
from attnviz.explanation.closer_looks.residual_stream import cosines, token_similarity
from attnviz.explanation.closer_looks.scaling import scaling_rows, softmax_gradient
from attnviz.explanation.closer_looks.shuffle import shuffled
from attnviz.explanation.closer_looks.torch_layer import against_torch, is_torch_layer
from attnviz.explanation.closer_looks.two_heads import head_difference, head_differences
from attnviz.explanation.model_steps.decoding import generation_steps
from attnviz.explanation.whatif import Switches, run
from attnviz.models import greedy_search
from attnviz.models.support.key_value_cache import KeyValueCache
from attnviz.scratch.rebuilt import rebuilt
from attnviz.scratch.untrained import untrained
from tests.parity.tiny_models import eager_model, traced_model
from tests.unit.weights_as_trace import trace_of


@pytest.fixture(scope="module")
def reverse():
    return av.load("reverse")


@pytest.fixture(scope="module")
def trace(reverse):
    return reverse.trace("a b c d")


def test_the_spread_of_raw_scores_grows_like_the_root_of_the_width_and_scaling_undoes_it():
    rows = scaling_rows()
    assert [row.width for row in rows] == [4, 8, 16, 32, 64, 128, 256, 512]
    for row in rows:  # 20,000 draws: the standard deviation is known to about 1 %
        assert row.raw.spread == pytest.approx(math.sqrt(row.width), rel=0.03)
        assert row.scaled.spread == pytest.approx(1.0, rel=0.03)
    assert [row.raw.largest for row in rows] == sorted(row.raw.largest for row in rows)
    assert rows[-1].raw.largest > 0.9 > 0.4 > max(row.scaled.largest for row in rows)
    assert rows[-1].raw.gradient < rows[0].raw.gradient / 4
    assert min(row.scaled.gradient for row in rows) > 0.3


@pytest.mark.parametrize("masked", [[0.0, 0.0], [2.0, -1.0, 0.5], [30.0, 0.0, 0.0]])
def test_the_gradient_of_softmax_is_the_size_of_its_jacobian(masked):
    scores = torch.tensor(masked, dtype=torch.float64)
    jacobian = torch.autograd.functional.jacobian(lambda x: torch.softmax(x, -1), scores)
    ours = softmax_gradient(torch.softmax(scores, -1))
    assert_close(ours, torch.linalg.norm(jacobian), rtol=0, atol=1e-12)


@pytest.mark.parametrize(("n", "d_model", "n_heads"), [(10, 16, 2), (300, 64, 4)])
def test_the_counted_costs_are_what_torch_counts(n, d_model, n_heads):
    own, other = attention_cost(n, d_model, n_heads), recurrent_cost(n, d_model)
    recurrent = torch.nn.RNN(d_model, d_model, batch_first=True)
    for cost, layer in ((own, av.models.MultiHeadAttention(d_model, n_heads)), (other, recurrent)):
        with FlopCounterMode(display=False) as counted, torch.no_grad():
            layer(torch.randn(1, n, d_model))
        assert 2 * cost.multiply_adds == counted.get_total_flops()
    assert own.steps["raw"].multiply_adds == n * n * d_model and own.steps["weights"].n_bytes == n_heads * n * n * 4
    assert (own.rows_in_turn, own.farthest, other.rows_in_turn, other.farthest) == (1, 1, n, n - 1)


def test_the_counted_cost_of_grouped_heads_is_what_torch_counts():
    layer = av.models.MultiHeadAttention(24, 6, n_kv_heads=2)
    with FlopCounterMode(display=False) as counted, torch.no_grad():
        layer(torch.randn(1, 30, 24))
    assert 2 * attention_cost(30, 24, 6, 2).multiply_adds == counted.get_total_flops()
    assert attention_cost(30, 24, 6, 6) == attention_cost(30, 24, 6)


@pytest.mark.parametrize("family", ["llama", "qwen3", "gpt2"])
def test_the_counted_cache_is_the_one_that_a_decoder_fills(family):
    model = rebuilt(traced_model(family))
    trace = model.trace("cats")
    sizes, cache, ids = cache_sizes(trace), KeyValueCache(), torch.tensor([trace.tokens.source.ids])
    n = ids.shape[1] - 1
    with torch.inference_mode():
        model.network(ids[:, :n], cache=cache)
        attention = model.network.blocks[0].self_attention
        kept = [tensor for part in cache.parts.values() for tensor in (part.k, part.v)]
        assert sum(tensor.nbytes for tensor in kept) == sizes.n_bytes(n) == n * sizes.numbers(1) * 4
        past = deepcopy(cache).of(Site("decoder", "self", 0))
        with FlopCounterMode(display=False) as counted:
            attention(torch.randn(1, 1, sizes.d_model), past=past)
        assert 2 * sum(sizes.steps(n).values()) == sizes.n_layers * counted.get_total_flops()
    anew = [sum(sizes.steps(before)[step] for before in range(n + 1)) for step in sizes.steps(n)]
    assert list(sizes.steps_anew(n).values()) == anew
    assert sizes.ungrouped.n_bytes(n) * sizes.n_kv_heads == sizes.n_bytes(n) * sizes.n_heads


@pytest.mark.parametrize("family", ["mistral", "gemma2", "gemma3_text", "gpt_oss", "llama"])
@pytest.mark.parametrize("is_rebuilt", [False, True])
def test_a_layer_with_a_window_keeps_what_transformers_keeps(family, is_rebuilt):
    """Counted from a text that is shorter than the window of 8, where the mask of the run shows none."""
    own = traced_model(family)
    model = rebuilt(own) if is_rebuilt else own
    if model is None:
        assert family == "gpt_oss"  # experts, which our blocks have not
        return
    sizes = cache_sizes(model.trace("cats"))
    whole = eager_model(family)
    for n in (5, 7, 8, 12, 24):
        cache = DynamicCache(config=whole.config)
        ids = torch.arange(3, 3 + n)[None]  # [1, T]
        with torch.no_grad():
            whole(input_ids=ids, past_key_values=cache, use_cache=True)
        kept = [layer.keys.shape[-2] for layer in cache.layers]
        assert sizes.kept(n) == kept
        assert sizes.n_bytes(n) == sum(layer.keys.nbytes + layer.values.nbytes for layer in cache.layers)
        record = own.trace("x" * (n + 1))["decoder.0.self"]
        seen = int(record.source.mask.rows(n, n + 1).isfinite().sum())
        pairs = record.n_heads * sizes.width * (seen + sum(kept[1:]) + len(kept) - 1)
        assert seen == kept[0] + 1 and sizes.steps(n)["raw"] == pairs
        anew = [sum(sizes.steps(before)[step] for before in range(n + 1)) for step in sizes.steps(n)]
        assert list(sizes.steps_anew(n).values()) == anew


@pytest.mark.parametrize("is_rebuilt", [False, True])
def test_a_trace_that_was_saved_without_parameters_knows_the_windows_of_its_layers(is_rebuilt, tmp_path):
    model = traced_model("gemma2")
    trace = (rebuilt(model) if is_rebuilt else model).trace("cats")  # shorter than the window
    trace.save(tmp_path / "trace.safetensors")
    loaded = av.Trace.load(tmp_path / "trace.safetensors")
    found = cache_sizes(loaded)
    assert found == cache_sizes(trace) and found.windows == (8, None)
    assert all(torch.equal(loaded[site].weights(), trace[site].weights()) for site in trace.sites)


def test_a_window_bounds_what_attention_costs_and_how_far_one_layer_reaches():
    whole, cut = attention_cost(1000, 16, 2), attention_cost(1000, 16, 2, window=100)
    assert cut.steps["raw"].multiply_adds * 10 == whole.steps["raw"].multiply_adds
    assert cut.steps["weights"].n_bytes * 10 == whole.steps["weights"].n_bytes
    assert cut.steps["q"] == whole.steps["q"] and (whole.farthest, cut.farthest) == (1, 11)  # 99 tokens a layer
    assert attention_cost(80, 16, 2, window=100) == attention_cost(80, 16, 2)


def test_what_keeps_no_keys_has_no_cache(minilm):
    with pytest.raises(StepError, match="keeps no keys and values"):
        cache_sizes(minilm.trace("The cat sat."))


def test_how_two_heads_differ_can_be_checked_by_hand():
    record = trace_of({"encoder.0.self": torch.tensor([[[0.5, 0.5]] * 2, [[0.75, 0.25]] * 2])})["encoder.0.self"]
    found = head_difference(record, 0, 1)
    assert_close(found.difference, torch.tensor([[-0.25, 0.25]] * 2), rtol=0, atol=1e-6)
    assert found.mean_moved == pytest.approx(0.25) and found.farthest in ((0, 0), (0, 1), (1, 0), (1, 1))
    assert_close(head_differences(record), torch.tensor([[0.0, 0.25], [0.25, 0.0]]), rtol=0, atol=1e-6)


@pytest.mark.parametrize(("name", "text"), [
    ("reverse", "a b c d"), ("induction", "a b c a b"), ("minilm-l6", "The cat sat on the mat."),
])  # fmt: skip
def test_torchs_own_layer_gives_the_same_output_weights_and_gradients(name, text):
    trace = av.load(name).trace(text)
    for site in trace.sites:
        found = against_torch(trace, site)
        largest = float(trace[site].out().abs().max())
        assert found.out <= 1e-5 * max(1.0, largest)
        assert found.weights <= 5e-6  # the rounding of scores of up to 30: from 7e-7 to 2.2e-6, by processor
        assert 0 < found.gradients <= 2e-6 * found.largest_gradient


def test_the_gradient_of_a_cell_is_what_a_small_step_changes(reverse, trace):
    found = cell_gradient(trace, "decoder.0.cross", query=2, feature=5)
    assert sorted(found.maps) == ["k", "q", "v", "x", "x_key"]
    assert found.value == pytest.approx(float(trace["decoder.0.cross"].out()[2, 5]), abs=1e-5)
    x = {"x": trace.stream["decoder.0.mid"].double(), "x_key": trace.stream["encoder.out"].double()}
    block = deepcopy(reverse.network.decoder.blocks[0]).double()

    def cell(inputs):
        with torch.inference_mode():
            read = block.cross_residual.norm(inputs["x"])[None]  # [1, T, d_model]
            return float(block.cross_attention(read, inputs["x_key"][None])[0, 2, 5])

    for name, row, column in (("x", 2, 7), ("x", 1, 7), ("x_key", 0, 3), ("x_key", 4, 60)):
        step = torch.zeros_like(x[name])
        step[row, column] = 1e-6
        slope = (cell(x | {name: x[name] + step}) - cell(x | {name: x[name] - step})) / 2e-6
        assert float(found.maps[name][row, column]) == pytest.approx(slope, abs=1e-6)
    assert not found.maps["x"][1].any()  # another query's own input does not matter


def test_the_gradient_of_one_heads_context_leaves_the_other_heads_alone(trace):
    found = cell_gradient(trace, "encoder.1.self", query=0, feature=3, head=1)
    assert found.value == pytest.approx(float(trace["encoder.1.self"].context(1)[0, 3]), abs=1e-5)
    for name in ("q", "k", "v"):
        assert found.maps[name][1].any() and not found.maps[name][0].any()
    assert not found.maps["v"][1][:, 4].any()  # another feature of the values


def test_the_gradient_of_grouped_keys_and_values_is_that_of_all_heads_of_the_group():
    model, place = traced_model("llama"), {"site": "decoder.1.self", "query": 2, "feature": 3}
    own = cell_gradient(rebuilt(model).trace("A cat sat."), **place)
    maps = cell_gradient(model.trace("A cat sat."), **place).maps
    assert maps["k"].shape[0] < maps["q"].shape[0]  # heads are grouped
    for name in ("q", "k", "v"):
        assert_close(own.maps[name], maps[name], rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("family", ["llama", "qwen2", "qwen3", "phi3", "mistral", "gpt2"])
@pytest.mark.parametrize("switches", [Switches(), Switches(swaps_groups=True, theta=100.0), Switches(rotation=False)])
def test_the_gradient_reaches_through_rotation_and_norm_to_what_the_block_reads(family, switches):
    model = rebuilt(traced_model(family))
    base = model.trace("A cat sat.")
    if family == "gpt2" and switches != Switches():
        with pytest.raises(StepError, match=r"not rotated|nothing to swap"):
            run(model, base, switches)
        return
    trace, block = run(model, base, switches), deepcopy(model.network.blocks[1]).double()
    attention = block.self_attention
    if switches.theta or not switches.rotation:
        rotary = getattr(attention.process_heads, "after", attention.process_heads)
        rotary.frequencies = trace.parameters("decoder.1.self_heads")["frequencies"]
    if switches.swaps_groups:
        for linear in (attention.w_k, attention.w_v):
            for own in linear.parameters():
                own.data = own.data.unflatten(0, (attention.n_kv_heads, -1)).roll(-1, 0).flatten(0, 1)
    x = trace.stream["decoder.1.in"].double().requires_grad_()
    with torch.inference_mode(False), torch.enable_grad():
        x = x.detach().clone().requires_grad_()
        read = block.self_residual.norm(x)[None]  # [1, T, d_model]
        out = attention(read, mask=trace["decoder.1.self"].source.mask.tensor())[0]  # [T, d_model]
        (expected,) = torch.autograd.grad(out[4, 3], x)
    found = cell_gradient(trace, "decoder.1.self", query=4, feature=3)
    assert found.value == pytest.approx(float(out[4, 3].detach()), abs=1e-5)
    assert_close(found.maps["x"], expected.float(), rtol=1e-4, atol=1e-6)
    assert expected[:5].any() and not found.maps["x"][5:].any()


def test_the_gradient_ends_where_the_trace_holds_no_more():
    """In transformers' own run, which holds no norm, and where an edit replaced what Q is made of."""
    model = traced_model("gpt2")
    doubled = rebuilt(model).trace("A cat sat.", edits=[av.Edit("decoder.1.self.q", lambda name, q: 2 * q, "doubled")])
    for trace in (model.trace("A cat sat."), doubled):
        assert set(cell_gradient(trace, "decoder.1.self", query=2, feature=3).maps) == {"q", "k", "v"}


@pytest.mark.parametrize("family", ["llama", "qwen3", "mistral", "gemma2", "t5"])
def test_what_torchs_layer_does_not_compute_is_not_compared_with_it(family):
    trace = (rebuilt(traced_model(family)) or traced_model(family)).trace("cats")
    site = trace.sites[0]
    assert not is_torch_layer(trace, site)
    with pytest.raises(StepError, match="neither rotates nor normalises"):
        against_torch(trace, site)


def test_a_token_that_may_not_be_seen_has_no_gradient():
    trace = av.load("induction").trace("a b c a b")
    found = cell_gradient(trace, "decoder.0.self", query=2, feature=0)
    assert not found.maps["x"][3:].any() and found.maps["x"][:3].any()
    with pytest.raises(StepError, match=r"Cell \(2, 999\) is not"):
        cell_gradient(trace, "decoder.0.self", query=2, feature=999)


def test_the_cosine_of_two_tokens_can_be_checked_by_hand():
    x = torch.tensor([[1.0, 0.0], [1.0, 1.0], [0.0, -2.0], [0.0, 0.0]])
    half = math.sqrt(0.5)
    expected = torch.tensor([[1.0, half, 0.0, 0.0], [half, 1.0, -half, 0.0], [0.0, -half, 1.0, 0.0], [0.0] * 4])
    assert_close(cosines(x), expected, rtol=0, atol=1e-6)


def test_likeness_is_there_before_the_first_block_and_after_each(trace):
    found = token_similarity(trace, "encoder")
    assert found.points == ("encoder.embed", "encoder.0.out", "encoder.1.out")
    x = trace.stream["encoder.1.out"]
    assert found.pair(0, 3)[2] == pytest.approx(float(torch.cosine_similarity(x[0], x[3], dim=0)), abs=1e-6)
    assert token_similarity(trace, "decoder").points == ("decoder.embed", "decoder.0.out")
    with pytest.raises(StepError, match="no residual stream"):
        token_similarity(av.Trace(trace.card, trace.tokens, trace.records))


@pytest.mark.parametrize(("kind", "least"), [("post", 0.05), ("pre", 0.05), ("trained", 0.3)])
def test_without_positions_shuffled_words_give_the_same_numbers_shuffled(kind, least, reverse):
    model = reverse if kind == "trained" else untrained("encoder", seed=1, norm=kind)
    base = model.trace("a b c d e f")
    without, positioned = (shuffled(model, base, [3, 0, 5, 1, 2, 4], positions=has) for has in (False, True))
    assert without.is_same and not positioned.is_same and positioned.weights > least


def test_what_was_written_token_by_token_is_what_a_decoder_with_a_cache_proposes(reverse, trace):
    steps = generation_steps(trace)
    assert [step.candidates[0].text for step in steps] == ["d", "c", "b", "a", "<end>"]
    memory = reverse.network.encoder(torch.tensor([trace.tokens.source.ids]))
    written = greedy_search(
        reverse.network.decoder, trace.tokens.target.ids[:1], end=None, max_new_tokens=5, memory=memory, n_candidates=20
    )
    for step, found in zip(steps, written.steps, strict=True):
        shares = [candidate.probability for candidate in step.candidates]
        assert shares == pytest.approx(found.candidate_probabilities[0].tolist(), abs=1e-5)
        assert (step.candidates[0].id, step.new) == (found.candidate_ids[0, 0], (step.step,))
        assert step.reused == tuple(range(len(found.texts[0].ids) - 1))  # what the cache held when it was written
    assert steps[0].new_source == (0, 1, 2, 3, 4) and steps[1].new_source == ()
    assert steps[1].reused_source == (0, 1, 2, 3, 4) and steps[3].chosen == 4 and steps[4].chosen is None


def test_a_run_that_looks_ahead_was_not_written_token_by_token(reverse, trace):
    with pytest.raises(StepError, match="looks ahead"):
        generation_steps(run(reverse, trace, Switches(causal=False)))
    with pytest.raises(StepError, match="no decoder"):
        generation_steps(untrained("encoder").trace("a cat"))


@pytest.mark.parametrize("family", ["llama", "qwen3", "phi3"])  # the second normalises q and k before they are rotated
def test_the_score_of_two_rotated_tokens_is_the_runs_and_stays_where_both_are_moved(family):
    trace = rebuilt(traced_model(family)).trace("cats and dogs")
    pair = rotated_pair(trace, "decoder.1.self", 1, query=9, key=4)
    own = trace["decoder.1.self"].scores(1)
    assert pair.score(9, 4) == pytest.approx(float(own[9, 4]), abs=1e-5)
    assert float(pair.of_pairs(9, 4).sum()) + pair.rest * pair.scale == pytest.approx(pair.score(9, 4), abs=1e-9)
    assert pair.score(509, 504) == pytest.approx(pair.score(9, 4), abs=1e-4) and 0 < pair.spread(500) < 1e-4
    assert abs(pair.score(12, 4) - pair.score(9, 4)) > 1e-4  # only one of the two moved


def test_a_pair_of_numbers_turns_as_by_hand():
    """Half a turn for two tokens at a quarter each; the other pair stands still."""
    vectors = torch.tensor([[1.0, 0.0], [0.0, 2.0]], dtype=torch.float64)
    pair = RotatedPair(3, 1, ((0, 2), (1, 3)), torch.tensor([math.pi / 2, 0.0]), vectors, vectors, 0.5, 0.1)
    assert pair.of_pairs(3, 1).tolist() == pytest.approx([-0.1, 0.4], abs=1e-6)
    assert pair.of_pairs(1, 1).tolist() == pytest.approx([0.1, 0.4], abs=1e-6)
    assert pair.score(3, 1) == pytest.approx(0.35, abs=1e-6)


def test_what_is_not_rotated_has_no_angle_that_counts(trace):
    with pytest.raises(StepError, match="are not rotated"):
        rotated_pair(trace, "encoder.0.self", 0, query=0, key=0)


def test_a_run_whose_rotation_is_switched_off_has_no_distance_that_counts():
    model = rebuilt(traced_model("llama"))
    switched = run(model, model.trace("cats and dogs"), Switches(rotation=False))
    with pytest.raises(StepError, check=lambda error: error.id == "turned-by-nothing"):
        rotated_pair(switched, "decoder.1.self", 1, query=9, key=4)
