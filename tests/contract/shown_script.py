"""Finds text written in JavaScript and CSS that a person would see, with a small lexer; it runs nothing.

It knows the places a browser shows text from (textContent, aria-label, append(), fillText(), the children of the kit's
el()) and, as a net under them, any literal that reads like a sentence.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tests.contract.shown_text import MESSAGE_ID, PROSE, TAGS, Finding, is_words, words

LEXEMES = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
      | (?P<template>`)
      | (?P<regex>(?<=[=(,:\[!&|?{};])\s*/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/[a-z]*)
      | (?P<name>[A-Za-z_$][\w$]*)
      | (?P<number>\d[\w.]*)
      | (?P<mark>=>|===|!==|==|!=|\?\.|\?\?|&&|\|\||[-+*/%]=|\S)""",
    re.S | re.X,
)
SHOWN_AS = words(  # a property of an element, an attribute, or a key of what an element is made of
    """textContent innerText innerHTML outerHTML nodeValue text title alt placeholder label data-label ariaLabel
    ariaDescription ariaRoleDescription ariaValueText aria-label aria-description aria-roledescription aria-valuetext
    aria-placeholder"""
)
SHOWING_CALLS = words(
    """append prepend replaceChildren before after createTextNode insertAdjacentText insertAdjacentHTML fillText
    strokeText replaceWith alert confirm"""
)
MAKING_CALLS = frozenset({"el", "svg"})  # of views/kit/dom.js: tag, attributes, then what is shown


@dataclass(frozen=True)
class Lexeme:
    """One token of a script; a template literal is one token whose `${…}` parts were lexed after it."""

    kind: str
    text: str
    line: int


def lex(source: str) -> list[Lexeme]:
    tokens: list[Lexeme] = []
    at = 0
    while match := LEXEMES.search(source, at):
        kind, text, line = str(match.lastgroup), match.group().strip(), source.count("\n", 0, match.start()) + 1
        at = match.end()
        if kind == "template":
            text, inside, at = _template(source, at)
            tokens.append(Lexeme("template", text, line))
            if inside:
                tokens += [Lexeme("mark", "${", line), *lex(inside), Lexeme("mark", "}", line)]
        elif kind == "string":
            tokens.append(Lexeme(kind, text[1:-1], line))
        elif kind != "comment":
            tokens.append(Lexeme(kind, text, line))
    return tokens


def _template(source: str, at: int) -> tuple[str, str, int]:
    """Split a template literal into its own words (holes become U+FFFC) and the code in its holes."""
    words, code = "", ""
    while at < len(source) and source[at] != "`":
        if source[at] == "\\":
            words, at = words + source[at : at + 2], at + 2
        elif source.startswith("${", at):
            depth, start = 1, at + 2
            at = start
            while at < len(source) and depth:
                depth += (source[at] == "{") - (source[at] == "}")
                at += 1
            words, code = words + "\ufffc", code + source[start : at - 1] + " ; "
        else:
            words, at = words + source[at], at + 1
    return words, code, at + 1


def script_findings(source: str) -> list[Finding]:
    tokens = lex(source)
    found: dict[tuple[int, str], Finding] = {}
    for place, token in enumerate(tokens):
        for start, stop, why in _shown_ranges(tokens, place, token):
            for at in range(start, stop):
                if _is_shown(tokens, at):
                    found.setdefault((tokens[at].line, tokens[at].text), Finding(tokens[at].line, tokens[at].text, why))
        if token.kind in {"string", "template"} and _is_prose(tokens, place):
            finding = Finding(token.line, token.text, "reads like a sentence")
            found.setdefault((token.line, token.text), finding)
    return sorted(found.values(), key=lambda finding: finding.line)


def _shown_ranges(tokens: list[Lexeme], place: int, token: Lexeme) -> Iterator[tuple[int, int, str]]:
    """Yield the stretches of tokens after `place` whose literals end up in front of a person."""
    after = [part.text for part in tokens[place + 1 : place + 3]] + ["", ""]
    before = tokens[place - 1].text if place else ""
    is_key = before in {"{", ","} and after[0] == ":"
    called = token.text if after[0] == "(" else ""
    if before in {".", "?."} and token.text in SHOWN_AS and after[0] in {"=", "+="}:
        yield place + 2, _end(tokens, place + 2, {";"}), f".{token.text} ="
    elif token.text in SHOWN_AS and is_key:
        yield place + 2, _end(tokens, place + 2, {","}), f"{token.text}:"
    elif called == "setAttribute" and after[1] in SHOWN_AS:
        yield place + 3, _end(tokens, place + 2, set()), "setAttribute()"
    elif called in SHOWING_CALLS:
        yield place + 2, _end(tokens, place + 2, set()), f"{called}()"
    elif called in MAKING_CALLS:  # of el('p', {…}, …) what stands behind the tag and the attributes
        attributes = _end(tokens, place + 2, {","}) + 1
        children = _end(tokens, attributes, {","}) + 1
        yield children, _end(tokens, place + 2, set()), f"a child in {called}()"


def _end(tokens: list[Lexeme], at: int, stops: set[str]) -> int:
    depth = 0
    while at < len(tokens):
        text = tokens[at].text if tokens[at].kind == "mark" else ""
        if depth == 0 and (text in stops or text in {")", "]", "}"}):
            return at
        depth += (text in {"(", "[", "{", "${"}) - (text in {")", "]", "}"})
        at += 1
    return at


def _is_shown(tokens: list[Lexeme], at: int) -> bool:
    """Whether the literal at `at` is words: no message id, no comparison, no key, no tag or class of an element."""
    token = tokens[at]
    if token.kind not in {"string", "template"} or not is_words(token.text.replace("\\n", " ")):
        return False
    before = tokens[at - 1].text if at else ""
    after = tokens[at + 1].text if at + 1 < len(tokens) else ""
    if before in {"===", "!==", "["} or after in {"===", "!=="}:
        return False
    called = before == "(" and at >= 2 and tokens[at - 2].kind == "name" and tokens[at - 2].text not in SHOWING_CALLS
    is_value = before == ":" and at >= 3 and tokens[at - 3].text in {"{", ","}  # {class: 'x'}, not n ? 'x' : 'y'
    named = is_value and tokens[at - 2].text not in SHOWN_AS
    return not (called or named or MESSAGE_ID.fullmatch(token.text))


def _is_prose(tokens: list[Lexeme], at: int) -> bool:
    text = TAGS.sub(" ", tokens[at].text)
    for_developers = "throw" in {part.text for part in tokens[max(0, at - 5) : at]}
    near = {part.text for part in tokens[max(0, at - 1) : at + 2] if part.kind == "mark"}
    is_compared = bool(near & {"===", "!=="})  # event.key === 'Escape'
    return bool(PROSE.search(text)) and is_words(text) and not for_developers and not is_compared


def style_findings(source: str) -> list[Finding]:
    bare = re.sub(r"/\*.*?\*/", lambda comment: "\n" * comment.group().count("\n"), source, flags=re.S)
    added = re.finditer(r"\bcontent\s*:[^;}]*?([\"'])(.*?)\1", bare)
    return [
        Finding(bare.count("\n", 0, it.start()) + 1, it[2], "content: of a style sheet")
        for it in added
        if is_words(it[2])
    ]
