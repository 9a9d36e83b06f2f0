"""Texts are as long as the memory of a computer lets them be, unless the operator says how long."""

from dataclasses import replace

import pytest
from attnviz_app.serving.text_limits import most_tokens
from attnviz_app.settings import Settings, memory_for_traces
from pydantic import ByteSize

from attnviz.trace.run_facts import Card

SMOL = Card("smol", "Smol", "llama", n_layers=30, n_heads=9, d_model=576)


@pytest.mark.parametrize(("given", "card", "most"), [
    ({"trace_cache": ByteSize(512 << 20)}, SMOL, 939),  # half of it over 31 x 4 x 576 numbers of 4 bytes a token
    ({"trace_cache": ByteSize(64 << 20)}, SMOL, 256),  # never fewer than that
    ({"trace_cache": ByteSize(1 << 30)}, replace(SMOL, n_layers=2, d_model=96), 4096),  # what pictures are made for
    ({"trace_cache": ByteSize(1 << 30), "max_tokens": 100}, SMOL, 100), ({"max_tokens": 9000}, SMOL, 9000),
    ({"mode": "hosted"}, SMOL, 256), ({"mode": "hosted", "max_tokens": 700}, SMOL, 700),
])  # fmt: skip
def test_a_text_may_be_as_long_as_half_of_the_memory_for_runs_holds_or_the_operator_says(given, card, most):
    assert most_tokens(card, Settings(**given)) == most


def test_memory_for_runs_is_between_64_mib_and_1_gib_and_hosted_what_it_was():
    assert 64 << 20 <= memory_for_traces() <= 1 << 30
    assert Settings().trace_cache == memory_for_traces() and Settings(mode="hosted").trace_cache == 64 << 20


def test_two_runs_over_the_longest_text_are_kept_at_once(traced, minilm):
    trace = traced("The cat sat on the mat because it was tired.")
    limits = Settings(trace_cache=ByteSize(32 << 20))
    of_a_token = trace.nbytes / len(trace.tokens.source)
    assert 2 * of_a_token * most_tokens(minilm.card, limits) <= limits.trace_cache
