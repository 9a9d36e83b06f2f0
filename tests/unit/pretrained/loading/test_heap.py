"""What the process keeps of freed memory, each case in a process of its own: the setting is the whole process's."""

import os
import subprocess
import sys

import pytest

from attnviz.pretrained.heap import KEPT_BYTES, SAID_BY_OPERATOR, is_glibc

glibc = pytest.mark.skipif(not is_glibc(), reason="another C library: nothing is set")

# Memory in the process after values of some size were made, one after the other, and let go.
LEFT = """
import torch
from pathlib import Path
from attnviz.pretrained.heap import keep_freed

def resident():
    rows = Path("/proc/self/status").read_text().splitlines()
    return next(int(row.split()[1]) << 10 for row in rows if row.startswith("VmRSS"))

was_set = keep_freed()
first = [torch.ones(1 << 20) for _ in range(2)]  # threads and what they need
for number, size in {cases}:
    before = resident()
    made = [torch.ones(size << 18) for _ in range(number)]
    most = resident() - before
    del made
    print(was_set, most, resident() - before)
"""


def left(*cases: tuple[int, int], **environment: str) -> list[tuple[bool, int, int]]:
    """For so many values of so many MiB: whether it was set, the most bytes there were, and the bytes that stayed."""
    clean = {name: value for name, value in os.environ.items() if name not in SAID_BY_OPERATOR}
    command = [sys.executable, "-c", LEFT.replace("{cases}", repr(cases))]
    run = subprocess.run(command, capture_output=True, text=True, check=True, env=clean | environment)
    return [(row.split()[0] == "True", *map(int, row.split()[1:])) for row in run.stdout.splitlines()]


@glibc
def test_freed_values_stay_for_the_next_within_a_bound_and_large_ones_go_back():
    large, few, many = left((10, 20), (10, 8), (80, 8))

    assert large[0] and large[1] > 195 << 20 and large[2] < 10 << 20
    assert few[0] and few[1] > 78 << 20 and few[2] > 70 << 20
    assert many[0] and many[1] > 550 << 20 and few[2] + many[2] < KEPT_BYTES + (20 << 20)


@glibc
def test_what_the_environment_says_is_left_as_it_is():
    ((was_set, _, kept),) = left((10, 8), MALLOC_TRIM_THRESHOLD_="1000000")
    assert not was_set and kept < 30 << 20
