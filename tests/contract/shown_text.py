"""Finds text written in the code that a person would see, and the message ids that code asks for.

It reads Python with `ast` and JavaScript with a small lexer; it runs nothing. What it cannot see: a sentence handed
through three functions in another file. The prose rule (several words in one literal) is the net under that.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

LETTERS = re.compile(r"[^\W\d_]{2,}|[\u3400-\u9fff]")  # one letter alone is a symbol: n, Q, ×
PROSE = re.compile(
    r"[A-Z][a-z’']+ [\w’'(]|[a-z’']{2,},? [a-z’']{2,},? [a-z’']{2,}|[\u3400-\u9fff]|[a-z]{2,} [a-z]{2,}[.?!]$"
)
MESSAGE_ID = re.compile(r"[a-z]+(-[a-z0-9]+)+")
TAGS = re.compile(r"<style.*?</style>|<script.*?</script>|<[^>]*>|&[a-z]+;", re.S)
# A unit or a name that is written the same in every language.
SAME_EVERYWHERE = frozenset({"AttnViz", "MB", "GB", "ms", "softmax"})


@dataclass(frozen=True)
class Finding:
    """One literal that should have been a message."""

    line: int
    text: str
    why: str


def is_words(text: str) -> bool:
    """Whether a literal has words in it, once markup and names that never change are taken away."""
    plain = TAGS.sub(" ", text)
    for same in SAME_EVERYWHERE:
        plain = re.sub(rf"\b{same}\b", " ", plain)
    return LETTERS.search(plain) is not None


# ---------------------------------------------------------------------------------------------------------- Python

# Streamlit methods that print what they are given. Other arguments (keys, paths, icons) are nobody's words.
SHOWS_FIRST = frozenset(
    """write markdown text title header subheader caption code latex badge success info warning error toast
    button download_button form_submit_button link_button checkbox toggle radio selectbox multiselect slider
    select_slider pills segmented_control text_input text_area number_input date_input time_input file_uploader
    chat_input color_picker feedback metric expander popover status spinner progress dialog tabs html
    data_editor""".split()
)
SHOWN_KEYWORDS = frozenset(
    "label help placeholder title caption page_title body text alt description value empty_label delta".split()
)
SHOWN_ONLY_IN_CALLS_ON = frozenset({"st", "streamlit", "column_config"})
SILENT = frozenset({"debug", "info", "warning", "error", "exception", "critical", "log"})  # on a logger
LOGGERS = frozenset({"log", "logger", "logging", "_log", "_logger", "warnings"})


def python_findings(source: str) -> list[Finding]:
    """Return every literal of a Python file that a person would see."""
    tree = ast.parse(source)
    known = _constants(tree)
    found: dict[tuple[int, str], Finding] = {}
    for finding in (*_in_calls(tree, known), *_in_raises(tree), *_in_prose(tree)):
        found.setdefault((finding.line, finding.text), finding)
    return sorted(found.values(), key=lambda finding: finding.line)


def _in_calls(tree: ast.AST, known: dict[str, list[str]]) -> Iterator[Finding]:
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        name, root = _callee(call)
        if root in LOGGERS:
            continue
        shown: list[ast.expr] = []
        if name in SHOWS_FIRST and isinstance(call.func, ast.Attribute):
            shown += call.args[:1]
        on_streamlit = root in SHOWN_ONLY_IN_CALLS_ON or name in SHOWS_FIRST or name in {"Page", "page_link"}
        shown += [keyword.value for keyword in call.keywords if keyword.arg in SHOWN_KEYWORDS and on_streamlit]
        for part in shown:
            for text in _texts(part, known):
                if is_words(text):
                    yield Finding(call.lineno, text, f"shown by {name}()")


def _in_raises(tree: ast.AST) -> Iterator[Finding]:
    for function, node in _with_function(tree):
        if not isinstance(node, ast.Raise) or not isinstance(node.exc, ast.Call):
            continue
        has_id = any(keyword.arg in {"id", None} for keyword in node.exc.keywords)  # None is **arguments
        checks_settings = function is not None and any("validator" in ast.dump(d) for d in function.decorator_list)
        if not has_id and not checks_settings:
            for text in (text for part in node.exc.args for text in _texts(part, {})):
                if is_words(text):
                    yield Finding(node.lineno, text, "raised without id=")


def _in_prose(tree: ast.AST) -> Iterator[Finding]:
    excused: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            excused.add(id(node.value))  # docstrings
        if isinstance(node, ast.Call):
            name, root = _callee(node)
            if root in LOGGERS or any(keyword.arg == "id" for keyword in node.keywords) or name.endswith("Error"):
                excused |= {id(part) for part in ast.walk(node)}
        if isinstance(node, ast.Assert) and node.msg is not None:
            excused |= {id(part) for part in ast.walk(node.msg)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in excused:
            plain = TAGS.sub(" ", node.value)
            if PROSE.search(plain) and is_words(plain):
                yield Finding(node.lineno, node.value, "reads like a sentence")


def _callee(call: ast.Call) -> tuple[str, str]:
    """Return the name called and the name it is an attribute of: st.sidebar.write -> ("write", "st")."""
    function: ast.expr = call.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    while isinstance(function, ast.Attribute):
        if isinstance(function.value, ast.Attribute) and function.value.attr == "column_config":
            return name, "column_config"
        function = function.value
    return name, getattr(function, "id", "")


def _texts(part: ast.expr, known: dict[str, list[str]]) -> list[str]:
    """The literals an expression can show: through +, %, f-strings, either arm of an if, lists, names, .format()."""
    if isinstance(part, ast.Constant):
        return [part.value] if isinstance(part.value, str) else []
    if isinstance(part, ast.JoinedStr):
        return [str(piece.value) for piece in part.values if isinstance(piece, ast.Constant)]
    if isinstance(part, ast.BinOp):
        return _texts(part.left, known) + _texts(part.right, known)
    if isinstance(part, ast.IfExp):
        return _texts(part.body, known) + _texts(part.orelse, known)
    if isinstance(part, ast.BoolOp | ast.List | ast.Tuple):
        inner = part.values if isinstance(part, ast.BoolOp) else part.elts
        return [text for piece in inner for text in _texts(piece, known)]
    if isinstance(part, ast.Name):
        return known.get(part.id, [])
    if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in {"format", "join"}:
        return _texts(part.func.value, known)
    return []


def _constants(tree: ast.AST) -> dict[str, list[str]]:
    known: dict[str, list[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                if isinstance(target, ast.Name):
                    known.setdefault(target.id, []).extend(_texts(node.value, {}))
    return known


def _with_function(
    tree: ast.AST, inside: ast.FunctionDef | None = None
) -> Iterator[tuple[ast.FunctionDef | None, ast.AST]]:
    for node in ast.iter_child_nodes(tree):
        here = node if isinstance(node, ast.FunctionDef) else inside
        yield here, node
        yield from _with_function(node, here)


# ------------------------------------------------------------------------------------------------------ JavaScript

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
SHOWN_PROPERTIES = frozenset(
    """textContent innerText innerHTML outerHTML title alt placeholder ariaLabel ariaDescription ariaRoleDescription
    ariaValueText nodeValue data-label""".split()
)
SHOWN_ATTRIBUTES = frozenset(
    """title alt placeholder label aria-label aria-description aria-roledescription aria-valuetext aria-placeholder
    textContent innerText text""".split()
)
SHOWING_CALLS = frozenset(
    """append prepend replaceChildren before after createTextNode insertAdjacentText insertAdjacentHTML fillText
    strokeText replaceWith alert confirm""".split()
)


@dataclass(frozen=True)
class Lexeme:
    """One token of a script; a template literal is one token whose `${…}` parts were lexed after it."""

    kind: str
    text: str
    line: int


def lex(source: str) -> list[Lexeme]:
    """Return the tokens of a script, comments left out."""
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
                if source[at] == "`":
                    at = _template(source, at + 1)[2] - 1
                depth += (source[at] == "{") - (source[at] == "}")
                at += 1
            words, code = words + "\ufffc", code + source[start : at - 1] + " ; "
        else:
            words, at = words + source[at], at + 1
    return words, code, at + 1


def script_findings(source: str) -> list[Finding]:
    """Return every literal of a script that a person would see."""
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
    if before in {".", "?."} and token.text in SHOWN_PROPERTIES and after[0] in {"=", "+="}:
        yield place + 2, _end(tokens, place + 2, {";"}), f".{token.text} ="
    elif token.text in SHOWN_ATTRIBUTES | SHOWN_PROPERTIES and is_key and token.kind != "template":
        yield place + 2, _end(tokens, place + 2, {","}), f"{token.text}:"
    elif token.kind == "name" and token.text in {"setAttribute", "setAttributeNS"} and after[0] == "(":
        stop = _end(tokens, place + 2, set())
        if any(part.text in SHOWN_ATTRIBUTES for part in tokens[place + 2 : place + 5]):
            comma = next(at for at in range(place + 2, stop) if tokens[at].text in SHOWN_ATTRIBUTES) + 1
            yield comma, stop, "setAttribute()"
    elif token.kind == "name" and token.text in SHOWING_CALLS and after[0] == "(":
        yield place + 2, _end(tokens, place + 2, set()), f"{token.text}()"


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
    if before in {"===", "!==", "==", "!=", "[", "case", "in"} or after in {"===", "!==", "==", "!="}:
        return False
    called = before == "(" and at >= 2 and tokens[at - 2].kind == "name" and tokens[at - 2].text not in SHOWING_CALLS
    named = before == ":" and at >= 2 and tokens[at - 2].text not in SHOWN_ATTRIBUTES | SHOWN_PROPERTIES
    return not (called or named or (after == ":" and before in {"{", ","}) or MESSAGE_ID.fullmatch(token.text))


def _is_prose(tokens: list[Lexeme], at: int) -> bool:
    text = TAGS.sub(" ", tokens[at].text)
    thrown = {"throw", "console", "Error", "TypeError", "RangeError"}
    for_developers = thrown & {part.text for part in tokens[max(0, at - 5) : at]}
    return bool(PROSE.search(text)) and is_words(text) and not for_developers
