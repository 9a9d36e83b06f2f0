"""What a researcher waits for, on a model of GPT-2's size, beside plain loops over transformers in the same round."""

import pickle
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import torch
from torch import Tensor

import attnviz as av
from attnviz import catalog
from attnviz.trace.trace import Trace
from benchmarks import gpt2size
from benchmarks.table import Row, in_turns, median_ratio, median_seconds

ROUNDS = 5
TEXTS, TOKENS = 8, 60
SENTENCES = 200


def measure() -> list[Row]:
    model, eager = gpt2size.ours(), gpt2size.plain("eager")
    ids = torch.randint(1, 250, (TEXTS, TOKENS), generator=torch.Generator().manual_seed(0))
    traces = model.traces(ids)
    with torch.inference_mode():
        spent = in_turns({
            "metrics": lambda: av.head_metrics(traces),
            "eager": lambda: eager(input_ids=ids, output_attentions=True),
        }, ROUNDS)  # fmt: skip
        many = [ids[at % TEXTS, : 12 + at % 9].tolist() for at in range(SENTENCES)]
        of_many = in_turns({
            "survey": lambda: statistics_of(model.traces(many)), "eager": lambda: plain_statistics(eager, many),
        }, 1)  # fmt: skip
    seconds = 1e3 * median(it.wall for it in spent["metrics"])
    return [
        Row(f"head_metrics of {TEXTS} x {TOKENS} tokens", median_ratio(spent["metrics"], spent["eager"]).wall, 2.0, "x",
            f"of one eager forward with its weights; {seconds:.0f} ms"),
        Row(f"{SENTENCES} sentences, one statistic", median_ratio(of_many["survey"], of_many["eager"]).wall, 1.5, "x",
            "of eager, a sentence at a time, with the same"),
        file_row(traces[0]),
        circuits_row(model, "12 x 12 heads"),
        circuits_row(catalog.load("smollm2-135m"), "SmolLM2-135M, 30 x 9 heads"),
    ]  # fmt: skip


def statistics_of(traces: Sequence[Trace]) -> Tensor:
    """The mean weight on the first token, by layer and head: [L, H]."""
    return torch.stack([torch.stack([it[site].weights()[..., 0].mean(-1) for site in it]) for it in traces]).mean(0)


def plain_statistics(eager: Any, texts: Sequence[list[int]]) -> Tensor:
    runs = (eager(input_ids=torch.tensor([text]), output_attentions=True).attentions for text in texts)
    return torch.stack([torch.stack([layer[0, ..., 0].mean(-1) for layer in run]) for run in runs]).mean(0)


def file_row(trace: Trace) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        trace.save(Path(folder) / "one.safetensors")
        size = (Path(folder) / "one.safetensors").stat().st_size
    return Row("a pickled trace", len(pickle.dumps(trace)) / size, 1.01, "x", f"of its file, {size / 1e6:.1f} MB")


def circuits_row(model: Any, what: str) -> Row:
    run: Callable[[], object] = partial(av.circuits, model)
    return Row(f"circuits of {what}", median_seconds(run, 1), 60.0, "s", "every head and every pair of heads")
