"""docs/teaching.md: its plans and worksheets say what the lessons and their runs say.

`python -m tests.contract.test_teaching_page` writes them anew.
"""

import re
from pathlib import Path

import pytest
from attnviz_app.lessons.content import Asked, Step, lessons, options, right, short_test, told

PAGE = Path(__file__).parents[2] / "docs" / "teaching.md"
PARTS = ("plans", "worksheets", "answers", "short test")


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
            f"| {it.minutes} | {it.words['en'].title.replace('_k', 'ₖ')} | {filled(it, it.words['en'].believe)} |"
            for it in lesson.steps
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


def items() -> str:
    """Each item in both forms, the right option in bold."""
    lines = []
    for n, item in enumerate(short_test(), 1):
        for name, form in item.items():
            words = form.words["en"]
            choices = (f"**{it}**" if at == form.right else it for at, it in enumerate(words.options))
            lines.append(f"- {n}{name}. {words.ask} {' / '.join(choices)}<br>{filled(form, words.why)}")
    return "\n".join((*lines, ""))


def filled(step: Asked, text: str) -> str:
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
    if name == "short test":
        return items()
    return plans() if name == "plans" else worksheets(with_answers=name == "answers")


def marked(name: str) -> re.Pattern[str]:
    return re.compile(rf"(<!-- {name} -->\n)(.*?)(<!-- end of {name} -->)", re.DOTALL)


@pytest.mark.parametrize("name", PARTS)
def test_the_page_says_what_the_lessons_say(name: str) -> None:
    found = marked(name).search(PAGE.read_text(encoding="utf-8"))
    assert found and found[2] == part(name)


if __name__ == "__main__":
    text = PAGE.read_text(encoding="utf-8")
    for name in PARTS:
        found = marked(name).search(text)
        assert found
        text = text[: found.start(2)] + part(name) + text[found.end(2) :]
    PAGE.write_text(text, encoding="utf-8")
