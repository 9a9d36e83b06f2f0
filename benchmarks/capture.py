"""A trace beside transformers doing the same: fused and plain, or eager with its weights; of GPT-2's size and SmolLM2.

Times are medians of paired runs. Memory is the peak above the loaded model and one short run, each in a process of its
own.

The process keeps freed memory as the dashboard does (`attnviz_app.serving.malloc_settings`), as the notes say: without
it, page faults cost a trace a tenth more.
"""

import copy
import json
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import cast

import torch

from attnviz import catalog
from attnviz.core.site import Site
from attnviz.pretrained.model import PretrainedModel
from attnviz.trace.mask import Mask
from attnviz.trace.records import AttentionRecord
from attnviz.trace.weight_sources import Replay
from benchmarks import gpt2size
from benchmarks.table import Row, bytes_in_proc, in_turns, median_ratio, median_seconds

ROUNDS = {64: 25, 256: 11, 1024: 5}  # tokens: paired runs
TRACE_TARGET = 1.10  # of plain fused time
LANGUAGE_MODEL = {32: (1.3, 25), 256: (1.1, 11)}  # tokens: of plain fused time with its logits, and paired runs
EAGER_TIME = {1024: 0.85, 4096: 0.40}  # of eager time
EAGER_MEMORY = {1024: 0.40, 4096: 0.15}  # of eager's extra memory
LONGEST = 8192
SHORT = 1024  # tokens up to which a run takes seconds
EAGER_BYTES_4096 = 11 << 30  # what eager needs there, as measured
Run = Callable[[], object]


def measure() -> list[Row]:
    model, fused, eager = gpt2size.ours(), gpt2size.plain("sdpa"), gpt2size.plain("eager")
    rows = []
    with torch.inference_mode():
        for n, rounds in ROUNDS.items():
            trace = partial(model.trace, gpt2size.text_of(n))
            given = {"input_ids": gpt2size.ids_of(n, model), "use_cache": False}
            plain, weights = partial(fused, **given), partial(eager, **given, output_attentions=True)
            claim = f"trace, GPT-2 size, {n} tokens"
            rows.append(_row(claim, trace, plain, TRACE_TARGET, rounds, "the plain fused forward"))
            if n in EAGER_TIME:
                rows.append(_row(claim, trace, weights, EAGER_TIME[n], rounds, "eager with its weights"))
    return [*rows, *language_model(), *memory(), *on_demand()]


def language_model() -> list[Row]:
    """A trace of SmolLM2, which says the twenty likeliest next words, beside its plain forward that makes logits."""
    model = cast(PretrainedModel, catalog.load("smollm2-135m"))
    assert model.lm_head is not None
    plain = copy.deepcopy(model.lm_head.whole)
    plain.set_attn_implementation("sdpa")
    rows = []
    with torch.inference_mode():
        for n, (target, rounds) in LANGUAGE_MODEL.items():
            ids = torch.randint(100, 40_000, (1, n), generator=torch.Generator().manual_seed(0))
            trace, other = partial(model.trace, ids[0].tolist()), partial(plain, input_ids=ids, use_cache=False)
            what = "the plain fused forward with its logits"
            rows.append(_row(f"trace, SmolLM2-135M, {n} tokens", trace, other, target, rounds, what))
    return rows


def _row(claim: str, trace: Run, other: Run, target: float, rounds: int, what: str) -> Row:
    """A trace beside another run of the same text."""
    spent = in_turns({"trace": trace, "other": other}, rounds)
    ratio, ms = median_ratio(spent["trace"], spent["other"]), 1e3 * median(it.wall for it in spent["trace"])
    share = f"{ratio.processor:.2f} in processor time"
    note = f"of {what}; {share}; ours {ms:.0f} ms; freed memory kept as by the dashboard"
    return Row(claim, ratio.wall, target, "x", note)


def memory() -> list[Row]:
    """Peak memory above the model, and time at lengths where a pair takes minutes."""
    rows = []
    for n, target in EAGER_MEMORY.items():
        if n == 4096 and bytes_in_proc("meminfo", "MemAvailable") < EAGER_BYTES_4096:
            rows.append(Row(f"trace beside eager, {n} tokens", float("nan"), target, "x", "eager needs 11 GB here"))
            continue
        own, theirs = typical("trace", n), typical("eager", n)
        note = f"of eager's; {own['peak'] / 2**20:.0f} MiB against {theirs['peak'] / 2**20:.0f} MiB"
        rows.append(Row(f"extra memory of a trace, {n} tokens", own["peak"] / theirs["peak"], target, "x", note))
        if n == 4096:
            note = f"of eager's; {own['seconds']:.1f} s against {theirs['seconds']:.1f} s, one run each"
            rows.append(
                Row(f"time of a trace, {n} tokens", own["seconds"] / theirs["seconds"], EAGER_TIME[n], "x", note)
            )
    own, theirs = alone("trace", LONGEST), alone("plain", LONGEST)
    note = f"of the plain fused forward; {own['seconds']:.1f} s against {theirs['seconds']:.1f} s, one run each"
    rows.append(Row(f"time of a trace, {LONGEST} tokens", own["seconds"] / theirs["seconds"], 1.25, "x", note))
    kept = LONGEST * gpt2size.BYTES_A_TOKEN
    note = f"of it q, k and v of all layers {kept / 1e9:.2f} GB; the plain forward takes {theirs['peak'] / 1e9:.2f} GB"
    rows.append(Row(f"extra memory of a trace, {LONGEST} tokens", own["peak"] / 1e9, 1.5, "GB", note))
    return rows


def typical(mode: str, n: int) -> dict[str, float]:
    """The run with the middle peak of three, where they take seconds; how values come to lie in the heap is chance."""
    runs = [alone(mode, n) for _ in range(3 if n <= SHORT else 1)]
    return sorted(runs, key=lambda run: run["peak"])[len(runs) // 2]


def alone(mode: str, n: int) -> dict[str, float]:
    """One mode in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.capture", mode, str(n)]
    out = subprocess.run(command, cwd=Path(__file__).parents[1], check=True, capture_output=True, text=True).stdout
    found: dict[str, float] = json.loads(out.splitlines()[-1])
    return found


def on_demand() -> list[Row]:
    """One causal head of width 64: all its weights, and its preview."""
    rows = [
        Row("all weights of one head, 1024 tokens", median_seconds(lambda: head(1024).weights(0), 15) * 1e3, 15.0, "ms")
    ]
    for n, target_ms, repeats in ((4096, 80.0, 9), (16384, 800.0, 3)):
        record = head(n)
        seconds = median_seconds(partial(record.preview, 0), repeats)
        rows.append(Row(f"256x256 preview of one head, {n} tokens", seconds * 1e3, target_ms, "ms"))
    peak = alone("preview", 16384)["peak"]
    rows.append(Row("extra memory of that preview, 16384 tokens", peak / 2**20, 64, "MiB"))
    return rows


def head(n: int) -> AttentionRecord:
    """A seeded causal head of width 64."""
    generator = torch.Generator().manual_seed(0)
    q, k, v = (torch.randn(1, n, 64, generator=generator) for _ in range(3))  # [H, T, d_k]
    return AttentionRecord(Site("decoder", "self", 0), Replay(q, k, v, 64**-0.5, Mask(n, n, causal=True)))


def run_alone(mode: str, n: int) -> None:
    """Print, as JSON, the seconds of one run, and the bytes of its peak above what was in memory before."""
    if mode == "preview":
        run = partial(head(n).preview, 0)
    else:
        model = gpt2size.ours()
        short, ids = (gpt2size.ids_of(it, model) for it in (64, n))
        run, warm_up = partial(model.trace, gpt2size.text_of(n)), partial(model.trace, gpt2size.text_of(64))
        if mode != "trace":
            module = gpt2size.plain("sdpa" if mode == "plain" else "eager")
            run = partial(module, input_ids=ids, use_cache=False, output_attentions=mode == "eager")
            warm_up = partial(module, input_ids=short, use_cache=False)
        with torch.inference_mode():
            warm_up()  # so that what libraries load once is no part of what a text takes
    Path("/proc/self/clear_refs").write_text("5")  # the system counts this process's peak anew
    before = bytes_in_proc("self/status", "VmRSS")
    with torch.inference_mode():
        began, kept = time.perf_counter(), run()
        seconds = time.perf_counter() - began
    print(json.dumps({"seconds": seconds, "peak": bytes_in_proc("self/status", "VmHWM") - before}))
    del kept


if __name__ == "__main__":  # python -m benchmarks.capture trace|plain|eager|preview N
    run_alone(sys.argv[1], int(sys.argv[2]))
