"""The runner of the tests: what failed beside another browser is asked again, alone, and nothing else is."""

import pytest

from scripts import run_tests


@pytest.fixture
def asked(monkeypatch):
    """Answers of pytest in turn; what was asked of it is kept."""
    calls = []

    def answers(*given):
        left = list(given)

        def counts(tests, dist=""):
            calls.append((tests, dist))
            passed, failed = left.pop(0)
            return int(bool(failed)), {"passed": passed, "failed": failed, "skipped": []}

        monkeypatch.setattr(run_tests, "pytest_counts", counts)
        return calls

    return answers


def test_a_browser_test_that_failed_is_asked_again_alone(asked):
    calls = asked((7, ["a", "b"]), (1, ["b"]))
    outcome = run_tests.run_pytest("browser")
    assert calls[1] == (["a", "b"], "")
    assert (outcome.passed, outcome.failed) == (8, ("b",))


def test_many_failures_are_no_accident_and_other_tiers_are_asked_once(asked):
    many = [str(number) for number in range(run_tests.MOST_AGAIN + 1)]
    calls = asked((7, many))
    assert run_tests.run_pytest("browser").failed == tuple(many)
    assert len(calls) == 1
    calls = asked((7, ["a"]))
    assert run_tests.run_pytest("unit").failed == ("a",)
    assert len(calls) == 2
