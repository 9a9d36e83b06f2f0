"""A head over a long text, in parts: what travels is what the model used, and never all of it."""

import numpy as np
import pytest
import torch

from attnviz import views
from attnviz.core.capture import Edit
from attnviz.scratch.untrained import untrained
from attnviz.trace.trace import Trace
from attnviz.views.heads.attention_parts import sites_of
from attnviz.views.heads.long_heads import long_head, part_of_head, seen_keys
from attnviz.views.pack import unpack


@pytest.fixture(scope="module")
def trace() -> Trace:
    """600 words of a model that sees what came before."""
    return untrained("decoder", max_tokens=700).trace(" ".join(f"word{i % 90}" for i in range(599)))


def test_the_largest_weights_of_a_long_head_are_those_of_the_whole(trace: Trace) -> None:
    record, special = trace["decoder.1.self"], torch.zeros(600, dtype=torch.bool)
    weights = record.weights(1)  # [T_q, T_k]
    arrays = long_head(record, 1, special)
    kept = weights.gather(1, torch.from_numpy(arrays["top_keys"].astype(np.int64)))  # [T_q, 32]
    assert np.array_equal(arrays["top_weights"], kept.numpy())
    assert np.array_equal(arrays["top_weights"][:, 0], weights.max(-1).values.numpy())
    assert np.allclose(arrays["received"], weights.mean(0).numpy(), atol=1e-7)
    assert np.array_equal(arrays["aside"][:, 0], weights[:, 0].numpy())
    assert arrays["pooled"].shape == (512, 512)
    assert arrays["pooled"].max() == round(255 * float(weights.max()) ** 0.5)
    assert all(array.dtype != np.float32 or array.size < 600 * 600 / 16 for array in arrays.values())


def test_of_a_very_long_head_too_they_are_the_largest_of_all() -> None:
    long = untrained("decoder", max_tokens=1400).trace(" ".join(f"word{i % 90}" for i in range(1343)))
    record = long["decoder.0.self"]
    weights = record.weights(1)  # [T_q, T_k]
    arrays = long_head(record, 1, torch.zeros(1344, dtype=torch.bool))
    assert np.array_equal(arrays["top_weights"], weights.topk(20).values.numpy())
    keys = torch.from_numpy(arrays["top_keys"].astype(np.int64))  # [T_q, 20]
    assert np.array_equal(arrays["top_weights"], weights.gather(1, keys).numpy())
    assert all(len(set(row)) == 20 for row in keys[100:].tolist())  # each key once


def test_a_small_part_travels_exactly_and_a_large_one_pooled(trace: Trace) -> None:
    record = trace["decoder.0.self"]
    weights = record.weights(0)  # [T_q, T_k]
    arrays, rows, columns = part_of_head(record, 0, (500, 560), (-5, 64))
    assert (rows, columns) == ((500, 560), (0, 64))
    assert np.array_equal(arrays["part"], weights[500:560, :64].numpy())

    arrays, rows, columns = part_of_head(record, 0, (0, 9000), (0, 600))
    assert (rows, columns) == ((0, 600), (0, 600))
    assert list(arrays) == ["pooled"]
    blocks = torch.nn.functional.max_pool2d(weights[None], 2)[0]  # two rows and two columns a block
    assert np.array_equal(arrays["pooled"], blocks.sqrt().mul(255).round().to(torch.uint8).numpy())


def test_a_part_outside_the_head_is_put_inside(trace: Trace) -> None:
    _, rows, columns = part_of_head(trace["decoder.0.self"], 0, (900, 950), (40, 10))
    assert (rows, columns) == ((599, 600), (40, 41))
    header, arrays = unpack(views.window(trace, 1, 1, (0, 8), (3, 5)))
    assert (header["layer"], header["head"], header["rows"], header["columns"]) == (1, 1, [0, 8], [3, 5])
    assert arrays["part"].shape == (8, 2)


def test_a_view_says_which_keys_no_query_may_look_at(trace: Trace) -> None:
    seen, of_layer = seen_keys(trace, sites_of(trace))
    assert of_layer == [0, 0]
    assert seen is not None and seen.shape == (1, 600, 2)
    assert seen[0, 5].tolist() == [0, 6]
    header, arrays = unpack(views.heads(trace).payload)
    assert header["seen"] == [0, 0] and np.array_equal(arrays["seen"], seen)


def test_where_every_query_may_look_everywhere_nothing_is_said() -> None:
    header, arrays = unpack(views.heads(untrained("encoder").trace("one two three")).payload)
    assert header["seen"] == [-1, -1] and "seen" not in arrays


def test_weights_that_were_changed_count_also_where_the_mask_allowed_none() -> None:
    even = Edit("decoder.1.self.weights", lambda _, weights: torch.full_like(weights, 1 / 300), "even")
    trace = untrained("decoder", max_tokens=300).trace(" ".join(f"w{at % 40}" for at in range(299)), edits=[even])
    arrays = long_head(trace["decoder.1.self"], 1, torch.zeros(300, dtype=torch.bool))
    assert np.allclose(arrays["received"], 1 / 300) and np.allclose(arrays["top_weights"], 1 / 300)


@pytest.mark.parametrize("kind", ["decoder", "encoder"])
def test_a_heads_weights_block_by_block_are_those_of_the_whole(kind: str) -> None:
    record = untrained(kind, max_tokens=300).trace(" ".join(f"w{at % 40}" for at in range(289)))[f"{kind}.1.self"]
    weights, read = record.weights(1), record.reader(1)  # [T_q, T_k]
    for start in range(0, record.n_queries, 100):
        stop = min(start + 100, record.n_queries)
        block = read(start, stop)  # [R, n]
        assert block.shape == (stop - start, stop if kind == "decoder" else record.n_keys)
        assert torch.equal(block, weights[start:stop, : block.shape[1]])
        assert not weights[start:stop, block.shape[1] :].any()


def test_a_part_behind_the_last_key_that_its_rows_see_is_empty(trace: Trace) -> None:
    arrays, rows, columns = part_of_head(trace["decoder.0.self"], 0, (0, 50), (100, 160))
    assert (rows, columns) == ((0, 50), (100, 160))
    assert arrays["part"].shape == (50, 60) and not arrays["part"].any()
