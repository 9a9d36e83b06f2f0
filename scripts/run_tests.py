"""Runs every tier of the tests, one after the other, and adds them up.

    python scripts/run_tests.py                 all tiers
    python scripts/run_tests.py unit browser    these only

Each tier streams its output, but for those beside another. The run goes on after a failure and ends with a table of
times, the skipped tests with their reasons, and one line `N passed, N failed`. Only tests marked gpu, mps,
network or ray may be skipped, and what checks the JavaScript where npm has not installed it.
"""

import json
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
from typing import IO, Any

ROOT = Path(__file__).resolve().parents[1]
PYTEST_TIERS = ("unit", "parity", "contract", "pages", "ground", "browser")
SHARED_OUT = {  # run on several cores: a file of tests at a time, or single ones, where each process has all they share
    "unit": "loadfile", "contract": "loadfile", "pages": "loadfile", "browser": "worksteal",
}  # fmt: skip
BESIDE = ("lint", "types", "js", "ground")  # run beside the tier that computes most, and print when it is done
COMPUTES = "parity"  # that tier
MOST_PROCESSES = 4  # each loads torch and transformers: about a gigabyte
NOTHING_COLLECTED = 5  # pytest's exit code
NODE_TOOLS = BIOME, TSC = "node_modules/.bin/biome", "node_modules/.bin/tsc"  # of package.json


@dataclass(frozen=True)
class Outcome:
    """How one tier ended."""

    tier: str
    seconds: float
    passed: int
    failed: tuple[str, ...]
    skipped: tuple[tuple[str, str], ...] = ()  # (test, reason)


Tier = Callable[..., Outcome]  # called with a file for its output, or with nothing: then it streams


def run_tools(tier: str, commands: Sequence[Sequence[str]], out: IO[str] | None = None) -> Outcome:
    """Tools that each pass or fail as a whole; their output goes to `out` if that is given."""
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


def pytest_counts(tests: str, dist: str, out: IO[str] | None = None) -> tuple[int, dict[str, Any]]:
    """Run these tests in one process or in several: the exit code, and the counts that conftest.py writes."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [sys.executable, "-m", "pytest", tests, "-q", f"--tier-report={report}", "--durations=5"]
        settings = dict(os.environ)
        if dist:
            command += ["-n", str(min(MOST_PROCESSES, os.cpu_count() or 1)), "--dist", dist]
            settings["OMP_NUM_THREADS"] = "1"
        code = subprocess.run(command, cwd=ROOT, check=False, env=settings, stdout=out, stderr=out).returncode
        nothing: dict[str, Any] = {"passed": 0, "failed": [], "skipped": []}
        return code, json.loads(report.read_text()) if report.exists() else nothing


def run_pytest(tier: str, out: IO[str] | None = None) -> Outcome:
    """One folder of tests; their output goes to `out` if that is given."""
    start = time.monotonic()
    code, counts = pytest_counts(f"tests/{tier}", SHARED_OUT.get(tier, ""), out)
    failed = list(counts["failed"])
    failed += [f"{skip['test']} (skipped: {skip['reason']})" for skip in counts["skipped"] if not skip["allowed"]]
    if code == NOTHING_COLLECTED:
        failed.append(f"tests/{tier} (no test was found)")
    elif code != 0 and not failed:
        failed.append(f"tests/{tier} (pytest ended with {code})")
    skipped = tuple((skip["test"], skip["reason"]) for skip in counts["skipped"] if skip["allowed"])
    return Outcome(tier, time.monotonic() - start, counts["passed"], tuple(failed), skipped)


def run_node(tier: str, out: IO[str] | None = None) -> Outcome:
    """The views' pure functions, by Node's own runner; its totals are read from a TAP file."""
    start = time.monotonic()
    files = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "tests" / "js").glob("**/*.test.*js"))
    if not files:
        return Outcome(tier, 0.0, 0, ("tests/js (no test was found)",))
    node = shutil.which("node")
    if node is None:
        return Outcome(tier, 0.0, 0, ("node is missing (run: sh scripts/test_tools.sh)",))
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


def tiers() -> dict[str, Tier]:
    """Every tier by its name, the quick ones first."""
    python = [sys.executable, "-m"]
    lint = [*python, "ruff", "check", "."], [BIOME, "lint", "attnviz/views", "tests/js"]
    types = [*python, "mypy"], [TSC, "-p", "attnviz/views"]
    table: dict[str, Tier] = {
        "lint": partial(run_tools, "lint", lint),
        "types": partial(run_tools, "types", types),
        "js": partial(run_node, "js"),
    }
    return table | {name: partial(run_pytest, name) for name in PYTEST_TIERS}


def run_quietly(names: list[str], table: dict[str, Tier]) -> tuple[list[Outcome], str]:
    """Some tiers, one after the other: how they ended, and what they printed."""
    outcomes, said = [], ""
    for name in names:
        with tempfile.TemporaryFile("w+") as out:
            outcomes.append(table[name](out))
            out.seek(0)
            said += f"\n== {name} ==\n{out.read()}"
    return outcomes, said


def summary(outcomes: list[Outcome], seconds: float) -> str:
    """The table of times, what was skipped, what failed, and the closing line."""
    lines = ["", f"{'tier':<10}{'seconds':>9}{'passed':>9}{'failed':>9}{'skipped':>9}"]
    for one in outcomes:
        lines.append(f"{one.tier:<10}{one.seconds:>9.1f}{one.passed:>9}{len(one.failed):>9}{len(one.skipped):>9}")
    lines.append(f"{'total':<10}{seconds:>9.1f}")
    skipped = [pair for one in outcomes for pair in one.skipped]
    lines += [f"skipped: {test}: {reason}" for test, reason in skipped]
    failed = [name for one in outcomes for name in one.failed]
    lines += [f"failed: {name}" for name in failed]
    lines.append(f"{sum(one.passed for one in outcomes)} passed, {len(failed)} failed")
    return "\n".join(lines)


def main(names: list[str]) -> int:
    """Run the named tiers, or all; the exit code is 1 if anything failed."""
    table = tiers()
    unknown = [name for name in names if name not in table]
    if unknown:
        print(f"no tier is called {unknown[0]}; there are: {', '.join(table)}", file=sys.stderr)
        return 2
    # Tiny models gain nothing from more threads, and a busy browser needs a core of its own.
    os.environ.setdefault("OMP_NUM_THREADS", str(min(2, os.cpu_count() or 1)))
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    chosen = names or list(table)
    apart = [name for name in BESIDE if name in chosen and COMPUTES in chosen]
    start, outcomes = time.monotonic(), []
    with ThreadPoolExecutor(1) as pool:
        for name in chosen:
            if name in apart:
                continue
            print(f"\n== {name} ==", flush=True)
            beside = pool.submit(run_quietly, apart, table) if name == COMPUTES else None
            outcomes.append(table[name]())
            if beside is not None:
                ended, said = beside.result()
                print(said, flush=True)
                outcomes += ended
    print(summary(outcomes, time.monotonic() - start), flush=True)
    return int(any(one.failed for one in outcomes))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
