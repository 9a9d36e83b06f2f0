"""Reads the three catalogues and the glossary the way the tests need them: as patterns, with comments left out."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fluent.syntax import FluentParser, ast
from fluent.syntax.visitor import Visitor

from attnviz.text import LANGUAGES

ROOT = Path(__file__).resolve().parents[2]


class _Reader(Visitor):
    def __init__(self) -> None:
        self.text = ""

    def visit_VariableReference(self, node: ast.VariableReference) -> None:
        self.text += "{" + node.id.name + "}"

    def visit_SelectExpression(self, node: ast.SelectExpression) -> None:
        for variant in node.variants:
            self.visit(variant.value)
            self.text += "\n"

    def visit_TextElement(self, node: ast.TextElement | ast.StringLiteral) -> None:
        self.text += node.value

    visit_StringLiteral = visit_TextElement


@cache
def read(language: str) -> list[ast.EntryType]:
    return FluentParser().parse((ROOT / "attnviz" / "text" / f"{language}.ftl").read_text(encoding="utf-8")).body


@cache
def catalogue(language: str) -> dict[str, str]:
    """Return the words of each message of a language by id: {name} for variables, a line for each it chooses from."""
    return {message.id.name: _words(message) for message in read(language) if isinstance(message, ast.Message)}


@cache
def forms(language: str) -> dict[str, str]:
    """Return what messages say in another way of a model whose tokens are characters, by "id.characters"."""
    return {
        f"{message.id.name}.{each.id.name}": _words(each)
        for message in read(language)
        for each in getattr(message, "attributes", ())
        if each.id.name != "code"
    }


def _words(said: ast.Message | ast.Attribute) -> str:
    reader = _Reader()
    reader.visit(said.value)
    return reader.text.strip("\n")


@dataclass(frozen=True)
class Term:
    """One row of the glossary."""

    english: str
    chinese: dict[str, tuple[str, ...]]  # language -> the words that may stand for it


@cache
def glossary() -> tuple[Term, ...]:
    terms = []
    for line in (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and len(cells) == 4 and cells[0] != "English" and not set(cells[0]) <= set("-:"):
            chinese = zip(LANGUAGES[1:], cells[1:3], strict=True)
            terms.append(Term(cells[0], {code: tuple(words.split(" / ")) for code, words in chinese}))
    return tuple(terms)


def term_faults(english: str, chinese: str, language: str, terms: tuple[Term, ...]) -> list[str]:
    """Return the terms the English sentence uses and the Chinese one does not.

    Long terms are looked for first and taken away, so that "attention head" does not also ask for "head"'s row.
    """
    left = re.sub(r"\{\w+\}|“[^”]*”", " ", english.lower())  # quoted words are the example, not the term
    faults = []
    for term in sorted(terms, key=lambda term: -len(term.english)):
        pattern = rf"(?<![\w-]){re.escape(term.english.lower())}(s|es|’s)?(?![\w-])"
        if re.search(pattern, left):
            left = re.sub(pattern, " ", left)
            if not any(word in chinese for word in term.chinese[language]):
                faults.append(f"“{term.english}” is {' or '.join(term.chinese[language])} in the glossary")
    return faults
