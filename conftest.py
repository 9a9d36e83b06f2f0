"""Rules of every test run: which tests a machine may skip."""

from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings

from tests import tools

# Nothing else. Tests that use the fixture `smollm2` are marked so, and those in the browser need its tools.
MAY_SKIP = {"gpu", "mps", "network", "needs", "ray", "smollm2"}

# The same cases on every machine, however slow it is.
settings.register_profile("same", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("same")


def pytest_addoption(parser: pytest.Parser) -> None:
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
        if "smollm2" in getattr(item, "fixturenames", ()):
            item.add_marker("smollm2")
        if "browser" in item.path.relative_to(config.rootpath).parts:
            item.add_marker(pytest.mark.needs(*tools.BROWSER))
        for tool in (tool for mark in item.iter_markers("needs") for tool in mark.args if tool in tools.missing()):
            item.add_marker(pytest.mark.skip(reason=tools.missing()[tool]))
        for name, reason in reasons.items():
            if item.get_closest_marker(name):
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that is skipped without one of these markers fails."""
    report = yield
    if report.skipped and not any(item.get_closest_marker(name) for name in MAY_SKIP):
        report.outcome, report.longrepr = "failed", f"may not be skipped: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """So does a file that is skipped whole."""
    report = yield
    if report.skipped:
        report.outcome, report.longrepr = "failed", f"may not be skipped: {report.longrepr}"
    return report
