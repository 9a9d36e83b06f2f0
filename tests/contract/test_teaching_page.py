"""docs/teaching.md says what the lessons say; `python -m tests.contract.test_teaching_page` writes it."""

from pathlib import Path

from attnviz_app.lessons.teaching import sections

from attnviz.text import strings

PAGE = Path(__file__).parents[2] / "docs" / "teaching.md"


def written() -> str:
    return "\n".join(text for _, text in sections(strings("en")))


def test_the_page_says_what_the_lessons_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == written()


if __name__ == "__main__":
    PAGE.write_text(written(), encoding="utf-8")
