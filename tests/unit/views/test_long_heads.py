"""A head over a long text, in parts: what travels is what the model used, and never all of it.

Parts are computed in blocks of rows, whose products some processors round otherwise than those of the whole.
"""

import numpy as np
import pytest
import torch
from torch.testing import assert_close

from attnviz import views
from attnviz.core.edit import Edit
from attnviz.scratch.untrained import untrained
from attnviz.trace.trace import Trace
from attnviz.views.heads.attention_parts import sites_of
from attnviz.views.heads.long_heads import long_head, part_of_head, seen_keys
from attnviz.views.pack import unpack


@pytest.fixture(scope="module")
def trace() -> Trace:
    """600 words of a model that sees what came before."""
    return untrained("decoder", max_tokens=700).trace(" ".join(f"word{i % 90}" for i in range(599)))


@pytest.mark.parametrize(("n", "count"), [(600, 32), (1344, 20)])
def test_above_256_tokens_a_head_travels_as_its_largest_weights(n: int, count: int) -> None:
    long = untrained("decoder", max_tokens=n).trace(" ".join(f"word{i % 90}" for i in range(n - 1)))
    weights = long["decoder.1.self"].weights(1)  # [T_q, T_k]
    _, arrays = unpack(views.heads(long, views.Pick(1, 1, 3)).payload)
    assert "head" not in arrays
    keys = torch.from_numpy(arrays["top_keys"].astype(np.int64))  # [T_q, count]
    assert np.allclose(arrays["top_weights"], weights.topk(count).values.numpy(), rtol=0, atol=1e-7)
    assert np.allclose(arrays["top_weights"], weights.gather(1, keys).numpy(), rtol=0, atol=1e-7)
    assert all(len(set(row)) == count for row in keys.tolist())
    assert np.allclose(arrays["received"], weights.mean(0).numpy(), rtol=0, atol=1e-7)
    assert np.allclose(arrays["aside"][:, 0], weights[:, 0].numpy(), rtol=0, atol=1e-7)
    assert arrays["pooled"].shape == (min(n, 512),) * 2
    assert arrays["pooled"].max() == round(255 * float(weights.max()) ** 0.5)
    assert all(array.dtype != np.float32 or array.size < n * n / 8 for array in arrays.values())


def test_what_goes_to_marks_of_the_model_is_told_apart(trace: Trace) -> None:
    record, special = trace["decoder.1.self"], torch.arange(600) % 100 == 7  # [T_k]
    weights = record.weights(1)  # [T_q, T_k]
    aside = torch.stack([weights[:, 0], weights[:, special].sum(-1)], dim=-1)  # [T_q, 2]
    assert np.allclose(long_head(record, 1, special)["aside"], aside.numpy(), rtol=0, atol=1e-7)


@pytest.mark.parametrize(("rows", "columns", "inside"), [
    ((500, 560), (-5, 64), ((500, 560), (0, 64))),
    ((900, 950), (40, 10), ((599, 600), (40, 41))),  # outside the head
    ((0, 50), (100, 160), ((0, 50), (100, 160))),  # behind the last key that its rows see
])  # fmt: skip
def test_a_small_part_travels_exactly_and_lies_inside_the_head(trace: Trace, rows, columns, inside) -> None:
    record = trace["decoder.0.self"]
    arrays, *found = part_of_head(record, 0, rows, columns)
    assert tuple(found) == inside
    weights = record.weights(0)[slice(*inside[0]), slice(*inside[1])]
    assert_close(torch.from_numpy(arrays["part"]), weights, rtol=0, atol=1e-7)
    assert record.reader(0)(40, 60).shape == (20, 60)  # what no row of a block sees is not made


def test_a_large_part_travels_pooled(trace: Trace) -> None:
    record = trace["decoder.0.self"]
    arrays, rows, columns = part_of_head(record, 0, (0, 9000), (0, 600))
    assert (rows, columns) == ((0, 600), (0, 600))
    assert list(arrays) == ["pooled"]
    blocks = torch.nn.functional.max_pool2d(record.weights(0)[None], 2)[0]  # two rows and two columns a block
    assert np.array_equal(arrays["pooled"], blocks.sqrt().mul(255).round().to(torch.uint8).numpy())


def test_a_view_says_which_keys_no_query_may_look_at(trace: Trace) -> None:
    seen, of_layer = seen_keys(trace, sites_of(trace))
    assert of_layer == [0, 0]
    assert seen is not None and seen.shape == (1, 600, 2)
    assert seen[0, 5].tolist() == [0, 6]
    header, arrays = unpack(views.heads(trace).payload)
    assert header["seen"] == [0, 0] and np.array_equal(arrays["seen"], seen)
    header, arrays = unpack(views.heads(untrained("encoder").trace("one two three")).payload)
    assert header["seen"] == [-1, -1] and "seen" not in arrays  # where every query may look everywhere


def test_weights_that_were_changed_count_also_where_the_mask_allowed_none() -> None:
    even = Edit("decoder.1.self.weights", lambda _, weights: torch.full_like(weights, 1 / 300), "even")
    trace = untrained("decoder", max_tokens=300).trace(" ".join(f"w{at % 40}" for at in range(299)), edits=[even])
    arrays = long_head(trace["decoder.1.self"], 1, torch.zeros(300, dtype=torch.bool))
    assert np.allclose(arrays["received"], 1 / 300) and np.allclose(arrays["top_weights"], 1 / 300)
