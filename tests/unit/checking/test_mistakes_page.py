"""Every piece of code in docs/mistakes.md is run, and the sentence under it is what the check says first, or notes."""

import re
from pathlib import Path
from typing import Any

import pytest

import attnviz as av

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "mistakes.md").read_text(encoding="utf-8")
BLOCK = re.compile(
    r"^```python(?P<setup> setup)?\n(?P<code>(?:(?!```).)*)^```\n\n(?P<quote>(?:^> [^\n]*\n)+)", re.M | re.S
)
MISTAKES = [(found["code"], " ".join(found["quote"].replace("> ", "").split())) for found in BLOCK.finditer(PAGE)]
TITLES = ["right", *re.findall(r"^## (.+)$", PAGE, re.M)]


def test_every_block_of_code_has_a_sentence_and_every_title_a_block() -> None:
    assert PAGE.count("```python") == len(MISTAKES) + 1  # the first block shows how to call it
    assert len(TITLES) == len(MISTAKES) >= 12


@pytest.mark.parametrize("number", range(len(MISTAKES)), ids=lambda number: TITLES[number])
def test_the_page_prints_what_the_check_says(number: int) -> None:
    names: dict[str, Any] = {}
    exec(MISTAKES[0][0], names)
    code, sentence = MISTAKES[number]
    exec(code, names)
    report = av.check_attention(names["candidate"], reference=names.get("reference"), **names.get("asked", {}))
    n_faults = {"right": 0, TITLES[13]: 0, "16. Averaged heads": 0, "20. Two at once": 2}.get(TITLES[number], 1)
    assert len(report.findings) == n_faults
    said = [" ".join(finding.sentence.split()) for finding in report.findings or report.notes]
    if n_faults:
        assert said[0] == sentence
    else:
        assert sentence in ("no fault found", *said)
