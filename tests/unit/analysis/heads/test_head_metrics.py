"""The table of all heads: a row a head, means over rows and texts, and a reason wherever there is no value."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import torch

import attnviz as av
from attnviz.analysis.heads.measure import site_metrics
from attnviz.analysis.heads.metrics import COLUMNS
from attnviz.analysis.heads.rows import blocks
from attnviz.core.errors import InputError
from attnviz.scratch.untrained import untrained
from attnviz.trace.mask import Mask
from attnviz.trace.tokens import TokenPair, Tokens
from attnviz.trace.trace import Trace
from attnviz.trace.weight_sources import Replay
from tests.unit import weights_as_trace

WORDS = "a b c d e f g h i j k l"


@pytest.fixture(scope="module")
def trace() -> Trace:
    """An encoder, a decoder that looks back, and what looks from one to the other, over words that differ."""
    return av.load("reverse").trace(WORDS)


def looking_at(ids: Sequence[int], key_of: Sequence[int]) -> Trace:
    """One head that looks at one key a row, with all of its weight."""
    named = replace(Tokens.plain([f"w{id}" for id in ids]), ids=tuple(ids))
    return weights_as_trace.trace_of({"encoder.0.self": torch.eye(len(ids))[list(key_of)][None]}, tokens=named)


def test_a_head_that_looks_at_the_token_before_has_that_row() -> None:
    (row,) = av.head_metrics(looking_at(range(6), (0, 0, 1, 2, 3, 4))).to_dict("records")  # the first one at itself
    assert row.items() >= {"site": "encoder.0.self", "stack": "encoder", "kind": "self", "layer": 0, "head": 0}.items()
    expected = {"previous": 1.0, "previous_left": 1.0, "next": 0.0, "self": 1 / 6, "first": 2 / 6, "entropy": 0.0,
                "distance": 5 / 6, "sparsity": 1.0, "one_word": 1 / 6}  # fmt: skip
    assert {name: row[name] for name in expected} == pytest.approx(expected, abs=1e-6)


def test_the_table_is_the_mean_over_rows_of_the_weights_themselves(trace: Trace) -> None:
    record = trace["encoder.0.self"]
    weights = record.weights().double()
    row = av.head_metrics(trace).iloc[1]
    assert row["entropy"] == pytest.approx(float(-(weights[1] * weights[1].log2()).sum(-1).mean()), abs=1e-5)
    assert row["first"] == pytest.approx(float(weights[1, :, 0].mean()), abs=1e-6)
    norms = (record.source.v[1] @ record.w_o[:, 32:].mT).norm(dim=-1).double()
    assert row["value_norm"] == pytest.approx(float((weights[1] @ norms).mean()), abs=1e-4)
    left = (weights[1].diagonal(-1)[1:].sum()) / (1 - weights[1, 2:, 0]).sum()
    assert row["previous_left"] == pytest.approx(float(left), abs=1e-6)  # rows count by what is left of them


def test_blocks_of_rows_give_what_the_whole_gives_and_stay_within_their_bytes() -> None:
    trace = untrained("encoder-decoder").trace(WORDS)  # scores near 0, whose rounding is small on any processor
    for site in trace.sites:
        record = trace[site]
        parts = list(blocks(trace, [record], 200))
        assert len(parts) > 3 and all(weights.nbytes <= 200 for weights, _ in parts)
        joined = torch.cat([weights for weights, _ in parts], 1)
        torch.testing.assert_close(joined, record.weights(), rtol=0, atol=1e-6)
        whole, small = *site_metrics(trace, [site]), *site_metrics(trace, [site], block_bytes=200)
        for name, values in whole.values.items():
            torch.testing.assert_close(small.values[name], values, rtol=0, atol=1e-6, equal_nan=True, msg=name)
        assert torch.equal(whole.window, small.window) and whole.window.shape == (2, 10, 10)


def test_a_metric_that_means_nothing_is_nan_with_its_reason(trace: Trace) -> None:
    records = {key: replace(record, w_o=None) for key, record in trace.records.items()}
    frame = av.head_metrics(replace(trace, records=records))
    reasons = frame.attrs["reasons"]
    for site, name, part in (
        ("decoder.0.cross", "previous", "two texts"), ("decoder.0.cross", "distance", "two texts"),
        ("decoder.0.self", "next", "later"), ("decoder.0.self", "next_left", "later"),
        ("encoder.0.self", "value_norm", "W_O"), ("encoder.0.self", "variability", "there is one"),
        ("encoder.0.self", "same_token", "no row"),
    ):  # fmt: skip
        assert part in reasons[f"{site} {name}"]
        assert frame.loc[frame["site"] == site, name].isna().all()
    missing = frame.melt("site", COLUMNS, "name")[lambda cells: cells["value"].isna()]
    assert set(missing["site"] + " " + missing["name"]) <= reasons.keys()
    assert "decoder.0.cross first" not in reasons


def test_several_texts_give_the_mean_the_spread_and_how_many_counted() -> None:
    model = av.load("induction")
    traces = [model.trace(text) for text in (WORDS, WORDS[::-1], WORDS[:15])]
    alone = [av.head_metrics(trace)["entropy"].to_numpy() for trace in traces]
    frame = av.head_metrics(traces)
    np.testing.assert_allclose(frame["entropy"], np.mean(alone, 0), atol=1e-9)
    np.testing.assert_allclose(frame["entropy_sd"], np.std(alone, 0, ddof=1), atol=1e-9)
    assert set(frame["entropy_n"]) == {3} and set(frame["same_token_n"]) == {0} and frame.attrs["texts"] == 3
    assert frame["variability"].between(0, 0.5).all() and set(frame["variability_n"]) == {2}  # one text is too short
    short = av.head_metrics([traces[2]] * 2)
    assert short["variability"].isna().all() and "ten tokens" in short.attrs["reasons"]["decoder.0.self variability"]


def test_nothing_and_different_models_are_refused(trace: Trace) -> None:
    with pytest.raises(InputError, match=r"There is no trace to measure\. Give one or more\."):
        av.head_metrics([])
    with pytest.raises(InputError, match=r"different models.*measure each model alone"):
        av.head_metrics([trace, av.load("induction").trace(WORDS)])


def test_a_blocked_row_changes_no_value(trace: Trace) -> None:
    record = trace["encoder.0.self"]
    allowed = torch.ones(1, 8, 8, dtype=torch.bool)
    allowed[0, 7] = allowed[..., 7] = False  # nobody sees the last token, and it sees nothing at all

    def measured(n: int, mask: Mask) -> pd.DataFrame:
        q, k, v = (part[:, :n] for part in (record.source.q, record.source.k, record.source.v))
        own = replace(record, source=Replay(q, k, v, 0.5, mask))
        return av.head_metrics(Trace(trace.card, TokenPair(Tokens.plain(WORDS.split()[:n])), {"encoder.0.self": own}))

    a, b = measured(7, Mask(7, 7)), measured(8, Mask(8, 8, allowed=allowed))
    for name in ("entropy", "evenness", "distance", "previous", "next", "self", "first", "sparsity", "previous_left"):
        np.testing.assert_allclose(a[name], b[name], atol=1e-6, err_msg=name)


def test_delimiters_are_counted_beyond_what_equal_weights_give_them_and_none_by_itself() -> None:
    ids = [0, 1, 2, 3, 4]
    tokens = replace(Tokens.plain(["a", "b", ",", "c", "."]), ids=tuple(ids))
    for key_of in ([2] * 5, [2, 2, 2, 2, 4]):
        trace = weights_as_trace.trace_of({"encoder.0.self": torch.eye(5)[key_of][None]}, tokens=tokens)
        row = av.head_metrics(trace).iloc[0]
        rows = [[key for key in (2, 4) if key != query] for query in range(5)]
        expected = [float(key_of[query] in keys) for query, keys in enumerate(rows)]
        assert row["delimiter"] == pytest.approx(sum(expected) / 5)
        even = [one - len(keys) / 5 for one, keys in zip(expected, rows, strict=True)]
        assert row["delimiter_over"] == pytest.approx(sum(even) / 5)


def test_a_full_stop_that_looks_at_itself_looks_at_no_punctuation() -> None:
    tokens = Tokens.plain(["a", "b", "c", "."])
    row = av.head_metrics(weights_as_trace.trace_of({"decoder.0.self": torch.eye(4)[None]}, tokens=tokens,
                                                    causal="decoder")).iloc[0]  # fmt: skip
    assert np.isnan(row["delimiter"]) and np.isnan(row["delimiter_over"])
