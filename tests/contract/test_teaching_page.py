"""docs/teaching.md: its plans and worksheets say what the lessons and their runs say.

`python -m tests.contract.test_teaching_page` writes them anew.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from attnviz_app.lessons.content import Step, lessons, options, right, told

PAGE = Path(__file__).parents[2] / "docs" / "teaching.md"
PARTS = ("plans", "worksheets", "answers")


def plans() -> str:
    lines = []
    for n, lesson in enumerate(lessons(), 1):
        lines += [
            f"### {n}. {lesson.titles['en']}",
            "",
            lesson.goals["en"],
            "",
            "| minutes | step | a common misconception |",
        ]
        lines.append("|---:|---|---|")
        lines += [
            f"| {it.minutes} | {it.words['en'].title} | {filled(it, it.words['en'].believe)} |" for it in lesson.steps
        ]
        lines.append("")
    return "\n".join(lines)


def worksheets(*, with_answers: bool) -> str:
    lines = []
    for n, lesson in enumerate(lessons(), 1):
        lines += [f"### {n}. {lesson.titles['en']}", ""]
        for at, step in enumerate(lesson.steps, 1):
            lines.append(f"{at}. {answer(step) if with_answers else asked(step)}")
        lines.append("")
    return "\n".join(lines)


def filled(step: Step, text: str) -> str:
    return text.format_map(told(step, "en"))


def asked(step: Step) -> str:
    words = step.words["en"]
    choices = [f"☐ {filled(step, it)}" for it in options(step, "en")] or ["row ______ column ______"]
    return f"{filled(step, words.ask)}<br>{'  '.join(choices)}"


def answer(step: Step) -> str:
    said, words = right(step), step.words["en"]
    if step.kind == "cell":
        row, column = said.split(",")
        return f"**Row {row}, column {column}.** {filled(step, words.see)}"
    return f"**{filled(step, options(step, 'en')[int(said)])}.** {filled(step, words.see)}"


def part(name: str) -> str:
    return plans() if name == "plans" else worksheets(with_answers=name == "answers")


def marked(name: str) -> re.Pattern[str]:
    return re.compile(rf"(<!-- {name} -->\n)(.*?)(<!-- end of {name} -->)", re.DOTALL)


@pytest.mark.parametrize("name", PARTS)
def test_the_page_says_what_the_lessons_say(name: str) -> None:
    found = marked(name).search(PAGE.read_text(encoding="utf-8"))
    assert found and found[2] == part(name)


def test_each_item_of_the_short_test_has_two_forms_that_can_be_asked() -> None:
    """The teacher pastes a line of the page into the room's box: a question and choices between strokes."""
    lines = re.findall(r"^    (.+ / .+)$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert len(lines) == 16
    assert all(3 <= len(line.split(" / ")) <= 5 and len(line) <= 300 for line in lines)


if __name__ == "__main__":
    text = PAGE.read_text(encoding="utf-8")
    for name in PARTS:
        found = marked(name).search(text)
        assert found
        text = text[: found.start(2)] + part(name) + text[found.end(2) :]
    PAGE.write_text(text, encoding="utf-8")
