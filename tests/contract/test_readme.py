"""The README's examples run as they stand, and what it points at is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)


def test_there_are_examples():
    assert len(EXAMPLES) == 3


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_an_example_runs(number, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(compile(EXAMPLES[number], f"README example {number + 1}", "exec"), names)
    printed = capsys.readouterr().out
    if "score" in names:
        assert names["score"].value == pytest.approx(sum(term.product for term in names["score"].terms), abs=1e-4)
        assert "<!doctype html>" in (tmp_path / "steps.html").read_text(encoding="utf-8")[:99].lower()
    elif "trace" in names:
        assert names["weights"].sum(-1).sub(1).abs().max() < 1e-6
        assert names["cell"].recomputed == pytest.approx(names["cell"].value, abs=1e-5)
        assert "scores" in printed
    else:
        assert names["run"]["weights"].shape == (2, 4, 10, 10)
        assert "no fault found" in printed


def test_every_file_it_points_at_is_there():
    linked = re.findall(r"\]\((?!https?:)([^)]+)\)", README)
    assert len(linked) >= 4
    assert [path for path in linked if not (ROOT / path).exists()] == []


def test_every_make_target_it_names_exists():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE))
    assert set(re.findall(r"\bmake ([a-z]+)", README)) - {"app", "test", "bench"} <= targets
    assert {"app", "test", "bench"} <= targets
