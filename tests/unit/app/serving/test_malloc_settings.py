"""What a process keeps of freed memory, each case in a process of its own: the setting belongs to the whole process."""

import os
import subprocess
import sys

import pytest
from attnviz_app.serving.malloc_settings import OPERATOR_SETTINGS, is_glibc

pytestmark = pytest.mark.skipif(not is_glibc(), reason="another C library: nothing is set")

DASHBOARD = "from attnviz_app.serving.malloc_settings import keep_freed_memory; keep_freed_memory()"
LIBRARY = "import attnviz as av; av.load('minilm-l6').trace('The cat sat.')"
# Memory in the process after values of some size were made, freed, and what is free was given back.
MEASURE = """
import torch
from pathlib import Path
from attnviz_app.serving.malloc_settings import give_back_freed_memory
{start}

def resident():
    rows = Path("/proc/self/status").read_text().splitlines()
    return next(int(row.split()[1]) << 10 for row in rows if row.startswith("VmRSS"))

first = [torch.ones(1 << 20) for _ in range(2)]  # threads and what they need
small = [torch.ones(1) for _ in range(1000)]
del small  # as in a process that has run for a while: what is small has room below, and none of it ends the heap
for number, size in {cases}:
    before = resident()
    made = [torch.ones(size << 18) for _ in range(number)]
    most = resident() - before
    del made
    kept = resident() - before
    give_back_freed_memory()
    print(most, kept, resident() - before)
"""


def measured(start: str, *cases: tuple[int, int], **environment: str) -> list[tuple[int, int, int]]:
    """For values of so many MiB: the most bytes in memory, those kept once freed, and those left when given back."""
    clean = {name: value for name, value in os.environ.items() if name not in OPERATOR_SETTINGS}
    command = [sys.executable, "-c", MEASURE.format(start=start, cases=repr(cases))]
    run = subprocess.run(command, capture_output=True, text=True, check=True, env=clean | environment)
    return [tuple(map(int, row.split())) for row in run.stdout.splitlines()[-len(cases) :]]


def test_the_dashboard_keeps_freed_memory_for_the_next_trace_gives_large_values_back_at_once_and_all_when_asked():
    large, few, many = measured(DASHBOARD, (10, 20), (10, 8), (80, 8))

    assert large[0] > 195 << 20 and large[1] < 10 << 20
    assert few[0] > 78 << 20 and few[1] > 70 << 20
    assert many[0] > 550 << 20  # how much of it stays is glibc's: something small above holds what lies below
    assert few[2] < 10 << 20 and many[2] < 10 << 20


@pytest.mark.parametrize(("start", "environment"), [
    (LIBRARY, {}), (DASHBOARD, {"MALLOC_TRIM_THRESHOLD_": "1000000"}),
], ids=["the library sets nothing", "an operator's setting stays"])  # fmt: skip
def test_nothing_is_set_where_nobody_asked_for_it(start, environment):
    ((_, kept, _),) = measured(start, (10, 8), **environment)
    assert kept < 30 << 20
