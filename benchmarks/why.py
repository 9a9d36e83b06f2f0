"""A score taken apart, and every head of a model of GPT-2's size put from one sentence into the other."""

from time import perf_counter

import attnviz as av
from attnviz.trace.model_protocol import Model
from benchmarks import gpt2size
from benchmarks.table import Row, median_seconds

N_TOKENS = 32
ROUNDS = 5


def measure() -> list[Row]:
    model = gpt2size.ours()
    clean = gpt2size.text_of(N_TOKENS)
    corrupt = clean.replace("every", "first")
    ledgers = [
        Row(f"the ledger of one cell, {name}", ledger(one, text), 1.0, "s", f"median of {ROUNDS}, the last layer")
        for name, one, text in (
            ("minilm-l6", av.load("minilm-l6"), "The cat sat on the mat because it was tired"),
            (f"12 x 12 heads, {N_TOKENS} tokens", model, clean),
        )
    ]
    start = perf_counter()
    found = av.patch(model, clean, corrupt)
    seconds = perf_counter() - start
    note = f"{len(found.table)} runs and a gradient, rank correlation {found.rank_correlation:.2f}"
    return [*ledgers, Row(f"exact patching of 12 x 12 heads, {N_TOKENS} tokens", seconds, 60.0, "s", note)]


def ledger(model: Model, text: str) -> float:
    """Seconds for the score of the last token on the second, in the last layer."""
    trace = model.trace(text)
    site = trace.sites[-1]
    return median_seconds(lambda: av.why(trace, site, 0, trace[site].n_queries - 1, 1), ROUNDS)
