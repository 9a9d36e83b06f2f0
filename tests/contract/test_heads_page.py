"""docs/heads.md says what the tables of metrics and kinds say."""

from pathlib import Path

from attnviz.analysis.heads.kinds import KINDS
from attnviz.analysis.heads.metrics import METRICS
from attnviz.analysis.heads.sentences import bundled

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "heads.md").read_text(encoding="utf-8")


def rows() -> list[list[str]]:
    lines = [line.replace(r"\|", "¦") for line in PAGE.splitlines() if line.startswith("|")]
    return [[cell.strip().strip("`").replace("¦", "|") for cell in line.strip("|").split("|")] for line in lines]


def test_every_metric_stands_there_with_its_formula_and_source() -> None:
    found = {row[0]: (row[1], row[4]) for row in rows() if len(row) == 5 and row[0] not in ("column", "---")}
    assert found == {metric.name: (metric.formula, metric.source) for metric in METRICS}


def test_every_kind_stands_there_in_order_with_its_threshold() -> None:
    found = [tuple(row) for row in rows() if len(row) == 3 and row[0] not in ("kind", "---")]
    expected = [(kind.name, kind.metric, f"{kind.threshold:g}") for kind in KINDS[:-1]]
    assert found == [*expected, ("mixed", "what is left over", "")]


def test_the_numbers_of_sentences_are_right() -> None:
    assert f"{len(bundled('en'))} English and {len(bundled('zh'))} Chinese sentences" in PAGE
