"""Runs every tier of the tests and adds them up.

    python scripts/run_tests.py                 all tiers
    python scripts/run_tests.py unit browser    these only

The Python tiers but for the browser are one run of pytest, which streams its output; lint, types and JavaScript are
checked beside it. The run goes on after a failure and ends with a table of times, the skipped tests with their reasons,
and one line `N passed, N failed`. What may be skipped says conftest.py, and what checks the JavaScript where npm has
not installed it.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[1]
BESIDE = ("lint", "types", "js")  # run beside the tests in Python, and print when those are done
# One run of pytest, so that each process imports torch, transformers and Streamlit once. It shares out whole files, in
# this order: long ones first, so that the processes end together.
TOGETHER = ("ground", "contract", "parity", "pages", "unit")
ALONE = "browser"  # nothing else may take its cores. Its tests are shared out one by one.
MOST_PROCESSES = 4  # each loads torch and transformers: about a gigabyte
MOST_NAMED = 12  # tests that are skipped for one reason
NODE_TOOLS = BIOME, TSC = "node_modules/.bin/biome", "node_modules/.bin/tsc"  # of package.json


@dataclass(frozen=True)
class Outcome:
    """How one tier ended."""

    tier: str
    seconds: float
    passed: int
    failed: tuple[str, ...]
    skipped: tuple[tuple[str, str], ...] = ()  # (test, reason)


def run_tools(tier: str, commands: Sequence[Sequence[str]], out: IO[str]) -> Outcome:
    """Tools that each pass or fail as a whole; their output goes to `out`."""
    start, passed, failed, skipped = time.monotonic(), 0, [], []
    for command in commands:
        named = f"{tier} ({' '.join(command)})"
        if command[0] in NODE_TOOLS and shutil.which(command[0]) is None:
            skipped.append((named, "npm has not installed it; with npm on the PATH, make test does"))
        elif subprocess.run(command, cwd=ROOT, check=False, stdout=out, stderr=out).returncode == 0:
            passed += 1
        else:
            failed.append(named)
    return Outcome(tier, time.monotonic() - start, passed, tuple(failed), tuple(skipped))


def run_pytest(*tiers: str) -> Outcome:
    """Folders of tests, in a process a core and one more for the browser; a skip may be a failure: see conftest.py."""
    start, folders = time.monotonic(), [f"tests/{tier}" for tier in tiers]
    dist, processes = ["loadfile", "--no-loadscope-reorder"], os.cpu_count() or 1
    if tiers == (ALONE,):
        dist, processes = ["worksteal"], processes + 1  # a test waits for its page half of the time
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", *folders, "-q", "--durations=20"]
        command += ["-o", "junit_family=xunit1", f"--junitxml={report}"]  # this family names each test's file
        command += ["-n", str(min(MOST_PROCESSES, processes)), "--dist", *dist]
        code = subprocess.run(command, cwd=ROOT, check=False).returncode
        cases = list(ElementTree.parse(report).iter("testcase")) if report.exists() else []
    passed, failed, skipped = 0, [], []
    for case in cases:
        name, skip = f"{case.get('file')}::{case.get('name')}", case.find("skipped")
        if case.find("failure") is not None or case.find("error") is not None:
            failed.append(name)
        elif skip is not None:
            skipped.append((name, skip.get("message", "")))
        else:
            passed += 1
    if code != 0 and not failed:
        failed.append(f"{' '.join(folders)} (pytest ended with {code})")
    return Outcome(" ".join(tiers), time.monotonic() - start, passed, tuple(failed), tuple(skipped))


def run_node(tier: str, out: IO[str]) -> Outcome:
    """The views' pure functions, by Node's own runner; its totals are read from a TAP file."""
    start = time.monotonic()
    files = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "tests" / "js").glob("**/*.test.*js"))
    if not files:
        return Outcome(tier, 0.0, 0, ("tests/js (no test was found)",))
    node = shutil.which("node")
    if node is None:
        return Outcome(tier, 0.0, 0, (), (("tests/js", "Node is not installed: sh scripts/test_tools.sh"),))
    with tempfile.TemporaryDirectory() as folder:
        tap = Path(folder) / "report.tap"
        command = [node, "--test", "--test-reporter=spec", "--test-reporter-destination=stdout"]
        command += ["--test-reporter=tap", f"--test-reporter-destination={tap}", *files]
        ended = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, check=False, stdout=out, stderr=out)
        report = tap.read_text(encoding="utf-8") if tap.exists() else ""
    totals = {word: int(n) for word, n in re.findall(r"^# (pass|fail|cancelled|skipped|todo) (\d+)", report, re.M)}
    failed = [f"{tier}: {name}" for name in re.findall(r"^\s*not ok \d+ - (.*)", report, re.M)]
    failed += [f"{tier}: {totals[word]} {word}" for word in ("skipped", "todo", "cancelled") if totals.get(word)]
    if ended.returncode != 0 and not failed:
        failed.append(f"{tier} (node ended with {ended.returncode})")
    return Outcome(tier, time.monotonic() - start, totals.get("pass", 0), tuple(failed))


def run_beside(names: Sequence[str]) -> tuple[list[Outcome], str]:
    """The tiers that are no pytest, one after the other: how they ended, and what they printed."""
    python = [sys.executable, "-m"]
    runs: dict[str, Callable[[IO[str]], Outcome]] = {
        "lint": partial(
            run_tools, "lint", ([*python, "ruff", "check", "."], [BIOME, "lint", "attnviz/views", "tests/js"])
        ),
        "types": partial(run_tools, "types", ([*python, "mypy"], [TSC, "-p", "attnviz/views"])),
        "js": partial(run_node, "js"),
    }
    outcomes, said = [], ""
    for name in names:
        with tempfile.TemporaryFile("w+") as out:
            outcomes.append(runs[name](out))
            out.seek(0)
            said += f"\n== {name} ==\n{out.read()}"
    return outcomes, said


def summary(outcomes: list[Outcome], seconds: float) -> str:
    """The table of times, what was skipped, what failed, and the closing line."""
    width = max(len(one.tier) for one in outcomes)
    lines = ["", f"{'tier':<{width}}{'seconds':>9}{'passed':>9}{'failed':>9}{'skipped':>9}"]
    for one in outcomes:
        lines.append(f"{one.tier:<{width}}{one.seconds:>9.1f}{one.passed:>9}{len(one.failed):>9}{len(one.skipped):>9}")
    lines.append(f"{'total':<{width}}{seconds:>9.1f}")
    skipped = [pair for one in outcomes for pair in one.skipped]
    for reason in dict.fromkeys(reason for _, reason in skipped):
        tests = [test for test, why in skipped if why == reason]
        lines += [f"skipped: {test}: {reason}" for test in tests[:MOST_NAMED]]
        lines += [f"skipped: and {len(tests) - MOST_NAMED} more: {reason}"] if len(tests) > MOST_NAMED else []
    failed = [name for one in outcomes for name in one.failed]
    lines += [f"failed: {name}" for name in failed]
    lines.append(f"{sum(one.passed for one in outcomes)} passed, {len(failed)} failed")
    return "\n".join(lines)


def main(names: list[str]) -> int:
    """Run the named tiers, or all; the exit code is 1 if anything failed."""
    every = (*BESIDE, *TOGETHER, ALONE)
    unknown = [name for name in names if name not in every]
    if unknown:
        print(f"no tier is called {unknown[0]}; there are: {', '.join(every)}", file=sys.stderr)
        return 2
    os.environ["OMP_NUM_THREADS"] = "1"  # several processes share the cores
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    beside, together, alone = ([it for it in some if not names or it in names] for some in (BESIDE, TOGETHER, (ALONE,)))
    start, outcomes = time.monotonic(), []
    with ThreadPoolExecutor(1) as pool:
        tools = pool.submit(run_beside, beside)
        if together:
            outcomes.append(run_pytest(*together))
        ended, said = tools.result()
    print(said, flush=True)
    outcomes += ended
    if alone:
        outcomes.append(run_pytest(*alone))
    print(summary(outcomes, time.monotonic() - start), flush=True)
    return int(any(one.failed for one in outcomes))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
