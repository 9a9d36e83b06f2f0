"""The table of all heads: a row a head, means over rows and texts, and a reason wherever there is no value."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
import torch

import attnviz as av
from attnviz.analysis.heads.measure import site_metrics
from attnviz.analysis.heads.rows import blocks
from attnviz.core.errors import InputError
from attnviz.core.site import Site
from attnviz.trace.mask import Mask
from attnviz.trace.records import AttentionRecord
from attnviz.trace.tokens import TokenPair, Tokens
from attnviz.trace.trace import Card, Trace
from attnviz.trace.weight_sources import Replay

pytestmark = pytest.mark.usefixtures("one_thread")

CARD = Card("test", "Test", "your code", 1, 2, 8)


def tokens(n: int, prefix: str = "w") -> Tokens:
    return Tokens.plain([f"{prefix}{place}" for place in range(n)])


def trace_of(n: int, *, seed: int = 0, heads: int = 2, w_o: bool = False, kinds: tuple = ("encoder",)) -> Trace:
    """Random heads of width 4: an encoder's, a decoder's that look back, and what looks from one to the other."""
    generator = torch.Generator().manual_seed(seed)

    def draw(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=generator)

    records = {}
    for kind in kinds:
        site = {"encoder": Site("encoder", "self", 0), "decoder": Site("decoder", "self", 0),
                "cross": Site("decoder", "cross", 0)}[kind]  # fmt: skip
        n_queries = n if kind == "encoder" else n - 2
        n_keys = n_queries if kind == "decoder" else n
        mask = Mask(n_queries, n_keys, causal=kind == "decoder")
        source = Replay(draw(heads, n_queries, 4), draw(heads, n_keys, 4), draw(heads, n_keys, 4), 0.5, mask)
        records[site.key] = AttentionRecord(site, source, draw(8, heads * 4) if w_o else None)
    target = tokens(n - 2, "t") if len(kinds) > 1 else None
    return Trace(CARD, TokenPair(tokens(n), target), records)


def looking_at(ids: Sequence[int], key_of: Sequence[int]) -> Trace:
    """One head that looks at one key a row, with nearly all of its weight."""
    n = len(ids)
    q = torch.eye(n)[None] * 40
    k = torch.zeros(1, n, n)
    for row, key in enumerate(key_of):
        k[0, key, row] = 1.0
    plain = tokens(n)
    named = replace(plain, text=tuple(f"w{id}" for id in ids), ids=tuple(ids))
    site = Site("encoder", "self", 0)
    return Trace(
        CARD, TokenPair(named),
        {site.key: AttentionRecord(site, Replay(q, k, torch.zeros(1, n, 1), 1.0, Mask(n, n)))},
    )  # fmt: skip


def test_a_head_that_looks_at_the_token_before_has_that_row() -> None:
    (row,) = av.head_metrics(looking_at(range(6), (0, 0, 1, 2, 3, 4))).to_dict("records")  # the first one at itself
    expected = {"site": "encoder.0.self", "stack": "encoder", "kind": "self", "layer": 0, "head": 0}
    assert row.items() >= expected.items()
    expected = {"previous": 1.0, "previous_left": 1.0, "next": 0.0, "self": 1 / 6, "first": 2 / 6, "entropy": 0.0,
                "distance": 5 / 6, "sparsity": 1.0, "one_word": 1 / 6}  # fmt: skip
    for name, value in expected.items():
        assert row[name] == pytest.approx(value, abs=1e-6), name


def test_the_table_is_the_mean_over_rows_of_the_weights_themselves() -> None:
    trace = trace_of(7, w_o=True)
    record = trace["encoder.0.self"]
    weights = record.weights().double()
    row = av.head_metrics(trace).iloc[1]
    assert row["entropy"] == pytest.approx(float(-(weights[1] * weights[1].log2()).sum(-1).mean()), abs=1e-5)
    assert row["first"] == pytest.approx(float(weights[1, :, 0].mean()), abs=1e-6)
    norms = (record.source.v[1] @ record.w_o[:, 4:].mT).norm(dim=-1).double()
    assert row["value_norm"] == pytest.approx(float((weights[1] @ norms).mean()), abs=1e-4)
    left = (weights[1].diagonal(-1)[1:].sum()) / (1 - weights[1, 2:, 0]).sum()
    assert row["previous_left"] == pytest.approx(float(left), abs=1e-6)  # rows count by what is left of them


def test_blocks_of_rows_give_what_the_whole_gives_and_stay_within_their_bytes() -> None:
    trace = trace_of(23, kinds=("encoder", "decoder", "cross"), w_o=True)
    for site in trace.sites:
        record = trace[site]
        parts = list(blocks(trace, record, 1000))
        assert len(parts) > 3 and all(weights.nbytes <= 1000 for weights, _ in parts)
        torch.testing.assert_close(torch.cat([weights for weights, _ in parts], 1), record.weights(), rtol=0, atol=1e-6)
        whole, small = site_metrics(trace, site), site_metrics(trace, site, block_bytes=1000)
        for name, values in whole.values.items():
            torch.testing.assert_close(small.values[name], values, rtol=0, atol=1e-6, equal_nan=True, msg=name)
        assert torch.equal(whole.window, small.window) and whole.window.shape == (2, 10, 10)


def test_a_metric_that_means_nothing_is_nan_with_its_reason() -> None:
    trace = trace_of(9, kinds=("encoder", "decoder", "cross"))
    frame = av.head_metrics(trace)
    reasons = frame.attrs["reasons"]
    for site, name, part in (
        ("decoder.0.cross", "previous", "two texts"), ("decoder.0.cross", "distance", "two texts"),
        ("decoder.0.self", "next", "later"), ("decoder.0.self", "next_left", "later"),
        ("encoder.0.self", "value_norm", "W_O"), ("encoder.0.self", "variability", "there is one"),
        ("encoder.0.self", "same_token", "no row"),
    ):  # fmt: skip
        assert part in reasons[f"{site} {name}"]
        assert frame.loc[frame["site"] == site, name].isna().all()
    for _, row in frame.iterrows():
        for name in row.index:
            if isinstance(row[name], float) and math.isnan(row[name]):
                assert f"{row['site']} {name}" in reasons
    assert "decoder.0.cross first" not in reasons


def test_several_texts_give_the_mean_the_spread_and_how_many_counted() -> None:
    traces = [trace_of(11, seed=1), trace_of(14, seed=2), trace_of(8, seed=3)]
    alone = [av.head_metrics(trace)["entropy"].to_numpy() for trace in traces]
    frame = av.head_metrics(traces)
    np.testing.assert_allclose(frame["entropy"], np.mean(alone, 0), atol=1e-9)
    np.testing.assert_allclose(frame["entropy_sd"], np.std(alone, 0, ddof=1), atol=1e-9)
    assert set(frame["entropy_n"]) == {3} and set(frame["same_token_n"]) == {0} and frame.attrs["texts"] == 3
    assert frame["variability"].between(0, 0.5).all() and set(frame["variability_n"]) == {2}  # one text is too short
    short = av.head_metrics([trace_of(6, seed=1), trace_of(6, seed=2)])
    assert short["variability"].isna().all() and "ten tokens" in short.attrs["reasons"]["encoder.0.self variability"]


def test_nothing_and_different_models_are_refused() -> None:
    with pytest.raises(InputError, match=r"There is no trace to measure\. Expected one or more\."):
        av.head_metrics([])
    with pytest.raises(InputError, match=r"different models.*measure each model alone"):
        av.head_metrics([trace_of(6), trace_of(6, kinds=("encoder", "cross"))])


def test_a_blocked_row_changes_no_value() -> None:
    trace = trace_of(8)
    record = trace["encoder.0.self"]
    allowed = torch.ones(1, 8, 8, dtype=torch.bool)
    allowed[..., -1] = False
    source = record.source
    seven = AttentionRecord(record.site, Replay(source.q[:, :7], source.k[:, :7], source.v[:, :7], 0.5, Mask(7, 7)))
    allowed[0, 7] = False  # its last row sees nothing at all
    eight = AttentionRecord(record.site, Replay(source.q, source.k, source.v, 0.5, Mask(8, 8, allowed=allowed)))
    a = av.head_metrics(Trace(CARD, TokenPair(tokens(7)), {"encoder.0.self": seven}))
    b = av.head_metrics(Trace(CARD, TokenPair(tokens(8)), {"encoder.0.self": eight}))
    for name in ("entropy", "evenness", "distance", "previous", "next", "self", "first", "sparsity", "previous_left"):
        np.testing.assert_allclose(a[name], b[name], atol=1e-6, err_msg=name)


def test_a_head_that_looks_at_one_word_from_everywhere_does_not_find_the_same_word_again() -> None:
    ids = [0, 1, 2, 3, 4, 1, 2, 5]
    finder = av.head_metrics(looking_at(ids, [3, 5, 6, 4, 3, 1, 2, 4])).iloc[0]
    pooling = av.head_metrics(looking_at(ids, [1] * 8)).iloc[0]
    assert finder["same_token_over"] == pytest.approx(1 - 1 / 8, abs=1e-4)  # all rows give each of those keys an eighth
    assert pooling["same_token_left"] == pytest.approx(0.25, abs=1e-4)  # one of the four rows that have a twin
    assert pooling["same_token_over"] == pytest.approx(0.0, abs=1e-4)
    follower = av.head_metrics(looking_at(ids, [3, 4, 4, 4, 3, 2, 3, 4])).iloc[0]
    assert follower["induction_left"] == pytest.approx(1.0, abs=1e-4)
    assert follower["induction_over"] == pytest.approx(1 - (1 / 8 + 3 / 8) / 2, abs=1e-4)  # keys 2 and 3
    always = av.head_metrics(looking_at(ids, [2] * 8)).iloc[0]
    assert always["induction_left"] == pytest.approx(0.5, abs=1e-4)
    assert always["induction_over"] == pytest.approx(0.0, abs=1e-4)
