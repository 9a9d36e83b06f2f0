"""Rules of every test run: which tests a machine may skip, and the report that scripts/run_tests.py adds up."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

MAY_SKIP = {"gpu", "mps", "network", "ray"}  # nothing else: a missing tool is installed or fails the run

# The same cases on every machine, however slow it is.
settings.register_profile("same", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("same")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--tier-report", type=Path, help="write the counts and the skipped tests here, as JSON")
    parser.addoption("--network", action="store_true", help="also run the tests that reach a model hub")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    reasons = {} if config.getoption("--network") else {"network": "runs only with --network"}
    if any(item.get_closest_marker(name) for item in items for name in ("gpu", "mps")):
        import torch  # only where a test needs the answer: it takes seconds

        if not torch.cuda.is_available():
            reasons["gpu"] = "no CUDA device here"
        if not torch.backends.mps.is_available():
            reasons["mps"] = "no Apple GPU here"
    for item in items:
        for name, reason in reasons.items():
            if item.get_closest_marker(name):
                item.add_marker(pytest.mark.skip(reason=reason))


class _Tally:
    """Counts each test once, whichever phase it ended in."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.passed: set[str] = set()
        self.failed: set[str] = set()
        self.skipped: list[dict[str, object]] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:  # in its set-up, in the test or in its tear-down
            self.passed.discard(report.nodeid)
            self.failed.add(report.nodeid)
        elif report.skipped:
            reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr or "xfail")
            allowed = bool(MAY_SKIP & set(report.keywords))
            self.skipped.append({"test": report.nodeid, "reason": reason, "allowed": allowed})
        elif report.when == "call":
            self.passed.add(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed.add(report.nodeid)
        elif report.skipped:
            self.skipped.append({"test": report.nodeid, "reason": str(report.longrepr), "allowed": False})

    def pytest_sessionfinish(self) -> None:
        counts = {"passed": len(self.passed), "failed": sorted(self.failed), "skipped": self.skipped}
        self.path.write_text(json.dumps(counts))


def pytest_configure(config: pytest.Config) -> None:
    path = config.getoption("--tier-report")
    if path and not hasattr(config, "workerinput"):  # with several processes the first one counts for all
        config.pluginmanager.register(_Tally(path), "attnviz-tally")
