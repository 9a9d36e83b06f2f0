"""A trace of a model of GPT-2's size beside transformers doing the same: fused and plain, or eager with its weights.

Times are medians of paired runs in changing order, so that whatever else the machine does slows both. Memory is the
peak above the loaded model and one short run, each in a process of its own.

The process keeps freed memory as the dashboard does (`attnviz_app.serving.malloc_settings`), as the notes say: without
it, page faults cost a trace a tenth more. The notes also hold the ratio without the time spent in the kernel.
"""

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from resource import RUSAGE_SELF, getrusage

import torch

from attnviz.core.site import Site
from attnviz.trace.mask import Mask
from attnviz.trace.records import AttentionRecord
from attnviz.trace.weight_sources import Replay
from benchmarks import gpt2size
from benchmarks.table import Row

ROUNDS = {64: 25, 256: 11, 1024: 5}  # tokens: paired runs
TRACE_TARGET = 1.10  # of plain fused time
EAGER_TIME = {1024: 0.85, 4096: 0.40}  # of eager time
EAGER_MEMORY = {1024: 0.40, 4096: 0.15}  # of eager's extra memory
LONGEST = 8192
SHORT = 1024  # tokens up to which a run takes seconds
EAGER_BYTES_4096 = 11 << 30  # what eager needs there, as measured


def measure() -> list[Row]:
    model, fused, eager = gpt2size.ours(), gpt2size.plain("sdpa"), gpt2size.plain("eager")
    rows = []
    with torch.inference_mode():
        for n, rounds in ROUNDS.items():
            text, ids = gpt2size.text_of(n), gpt2size.ids_of(n, model)

            def trace(text: str = text) -> object:
                return model.trace(text)

            def plain(ids: torch.Tensor = ids) -> object:
                return fused(input_ids=ids, use_cache=False)

            def weights(ids: torch.Tensor = ids) -> object:
                return eager(input_ids=ids, use_cache=False, output_attentions=True)

            wall, busy, own, ms = paired(trace, plain, rounds)
            share = f"{busy:.2f} in processor time, {own:.2f} without the kernel's"
            note = f"of the plain fused forward; {share}; ours {ms:.0f} ms; freed memory kept as by the dashboard"
            rows.append(Row(f"trace, GPT-2 size, {n} tokens", wall, TRACE_TARGET, "x", note))
            if n in EAGER_TIME:
                wall, busy, _, ms = paired(trace, weights, rounds)
                note = f"of eager with its weights; {busy:.2f} in processor time; ours {ms:.0f} ms"
                rows.append(Row(f"trace, GPT-2 size, {n} tokens", wall, EAGER_TIME[n], "x", note))
    return [*rows, *memory(), *on_demand()]


def paired(ours: Callable[[], object], theirs: Callable[[], object], rounds: int) -> tuple[float, float, float, float]:
    """Median ratio of wall time, of processor time, of that without the kernel's, and our median in ms.

    The first round warms up.
    """
    ratios, times = [], []
    for number in range(rounds + 1):
        spent = {}
        for run in (ours, theirs) if number % 2 else (theirs, ours):
            began, before = time.perf_counter(), getrusage(RUSAGE_SELF)
            run()
            after = getrusage(RUSAGE_SELF)
            user, system = after.ru_utime - before.ru_utime, after.ru_stime - before.ru_stime
            spent[run] = (time.perf_counter() - began, user + system, user)
        if number:
            ratios.append([own / other for own, other in zip(spent[ours], spent[theirs], strict=True)])
            times.append(spent[ours][0] * 1e3)
    wall, busy, own = (statistics.median(column) for column in zip(*ratios, strict=True))
    return wall, busy, own, statistics.median(times)


def memory() -> list[Row]:
    """Peak memory above the model, and time at lengths where a pair takes minutes."""
    rows = []
    for n, target in EAGER_MEMORY.items():
        if n == 4096 and available() < EAGER_BYTES_4096:
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
    command = [sys.executable, "-m", "benchmarks.capture_alone", mode, str(n)]
    out = subprocess.run(command, cwd=Path(__file__).parents[1], check=True, capture_output=True, text=True).stdout
    found: dict[str, float] = json.loads(out.splitlines()[-1])
    return found


def available() -> int:
    lines = Path("/proc/meminfo").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable"))


def on_demand() -> list[Row]:
    """One causal head of width 64: all its weights, and its preview."""
    rows = [Row("all weights of one head, 1024 tokens", median_of(lambda: head(1024).weights(0), 15) * 1e3, 15.0, "ms")]
    for n, target_ms, repeats in ((4096, 80.0, 9), (16384, 800.0, 3)):
        record = head(n)
        seconds = median_of(lambda record=record: record.preview(0), repeats)  # type: ignore[misc]
        rows.append(Row(f"256x256 preview of one head, {n} tokens", seconds * 1e3, target_ms, "ms"))
    peak = alone("preview", 16384)["peak"]
    rows.append(Row("extra memory of that preview, 16384 tokens", peak / 2**20, 64, "MiB"))
    return rows


def head(n: int) -> AttentionRecord:
    """A seeded causal head of width 64."""
    generator = torch.Generator().manual_seed(0)
    q, k, v = (torch.randn(1, n, 64, generator=generator) for _ in range(3))  # [H, T, d_k]
    return AttentionRecord(Site("decoder", "self", 0), Replay(q, k, v, 64**-0.5, Mask(n, n, causal=True)))


def median_of(run: Callable[[], object], repeats: int) -> float:
    """Median seconds, after one run that warms up."""
    times = []
    for _ in range(repeats + 1):
        began = time.perf_counter()
        run()
        times.append(time.perf_counter() - began)
    return statistics.median(times[1:])
