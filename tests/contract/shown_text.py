"""Finds text written in Python that a person would see; `shown_script` does the same for JavaScript and CSS.

It reads with `ast` and runs nothing. The net under the rules of each call is the prose rule: a sentence or one
capitalised word, wherever it stands. What passes: a single word in small letters that goes through a variable first.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

import streamlit


def words(words: str) -> frozenset[str]:
    return frozenset(words.split())


LETTERS = re.compile(r"[^\W\d_]{2,}|[\u3400-\u9fff]")  # one letter alone is a symbol: n, Q, ×
PROSE = re.compile(
    r"^[A-Z][a-z’']+[.:…]?$"  # one capitalised word is a label; keys and names in code are not capitalised
    r"|[A-Z][a-z’']+ [\w’'(]|[\u3400-\u9fff]|[a-z]{2,} [a-z]{2,}[.?!]$"
    r"|[a-z]+,? (a|an|the|of|to|is|are|in|on|and|or|no|not|this|for|with|from|as) [a-z]+"  # and not a list of classes
)
MESSAGE_ID = re.compile(r"[a-z]+(-[a-z0-9]+)+")
TAGS = re.compile(r"<style.*?</style>|<script.*?</script>|<[^>]*>|&[a-z]+;", re.S)
OPENS_TAG = re.compile(r"</?[a-z][\w-]*[ >/]")
SHOWN_IN_TAGS = re.compile(
    r"\b(?:title|alt|placeholder|aria-(?:label|description|roledescription|valuetext))=[\"']([^\"']*)"
)
SAME_EVERYWHERE = frozenset({"AttnViz", "Esc"})  # names that are written the same in every language


@dataclass(frozen=True)
class Finding:
    """One literal that should have been a message."""

    line: int
    text: str
    why: str


def is_words(text: str) -> bool:
    """Whether a literal has words in it, once markup and names that never change are taken away."""
    return any(found not in SAME_EVERYWHERE for found in LETTERS.findall(TAGS.sub(" ", text)))


# What Streamlit shows is the first argument. Others (keys, paths, icons) are nobody's words.
SHOWS_FIRST = {name for name, it in vars(streamlit).items() if callable(it)} - {"get_option", "set_option"}
SHOWN_KEYWORDS = words(
    "label help placeholder title caption page_title body text alt description value empty_label delta"
)
LOGGERS = frozenset({"log", "logger", "logging", "_log", "_logger", "warnings"})


def python_findings(source: str) -> list[Finding]:
    tree = ast.parse(source)
    known = _constants(tree)
    found: dict[tuple[int, str], Finding] = {}
    for finding in (*_in_calls(tree, known), *_in_raises(tree), *_in_markup(tree), *_in_prose(tree)):
        found.setdefault((finding.line, finding.text), finding)
    return sorted(found.values(), key=lambda finding: finding.line)


def _in_calls(tree: ast.AST, known: dict[str, list[str]]) -> Iterator[Finding]:
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        name, root = _callee(call)
        if root in LOGGERS:
            continue
        shown = call.args[:1] if name in SHOWS_FIRST or name == "escape" else []
        if root == "st" or name in SHOWS_FIRST:
            shown += [keyword.value for keyword in call.keywords if keyword.arg in SHOWN_KEYWORDS]
        for part in shown:
            for text in _texts(part, known):
                if is_words(text):
                    yield Finding(call.lineno, text, f"shown by {name}()")


def _in_raises(tree: ast.AST) -> Iterator[Finding]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Raise) or not isinstance(node.exc, ast.Call):
            continue
        if not any(keyword.arg in {"id", None} for keyword in node.exc.keywords):  # None is **arguments
            for text in (text for part in node.exc.args for text in _texts(part, {})):
                if is_words(text):
                    yield Finding(node.lineno, text, f"{_callee(node.exc)[0]} raised without id=")


def _in_markup(tree: ast.AST) -> Iterator[Finding]:
    for node, text in _literals(tree):
        named = " ".join(SHOWN_IN_TAGS.findall(text))
        if OPENS_TAG.search(text) and is_words(re.sub(r"\{\w+\}", " ", f"{text} {named}")):
            yield Finding(node.lineno, text, "words in markup")


def _in_prose(tree: ast.AST) -> Iterator[Finding]:
    excused: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name, root = _callee(node)
            has_id = any(keyword.arg == "id" for keyword in node.keywords)
            if root in LOGGERS or has_id or name == "TypeVar":
                excused |= {id(part) for part in ast.walk(node)}
        if isinstance(node, ast.Assert | ast.Raise):  # what is raised is looked at above
            excused |= {id(part) for part in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and "__all__" in {getattr(it, "id", "") for it in node.targets}:
            excused |= {id(part) for part in ast.walk(node.value)}
    for node, text in _literals(tree):
        plain = TAGS.sub(" ", text)
        if id(node) not in excused and PROSE.search(plain):
            yield Finding(node.lineno, text, "reads like a sentence")


def _literals(tree: ast.AST) -> Iterator[tuple[ast.Constant | ast.JoinedStr, str]]:
    """Every literal but docstrings; an f-string is one, its holes filled with a sign that is no letter."""
    done = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant | ast.JoinedStr) and id(node) not in done:
            if isinstance(node, ast.JoinedStr):
                done |= {id(piece) for piece in node.values}
            for text in _texts(node, {}):
                yield node, text


def _callee(call: ast.Call) -> tuple[str, str]:
    """Return the name called and the name it is an attribute of: st.sidebar.write -> ("write", "st")."""
    function: ast.expr = call.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    while isinstance(function, ast.Attribute):
        function = function.value
    return name, getattr(function, "id", "")


def _texts(part: ast.expr, known: dict[str, list[str]]) -> list[str]:
    """The literals an expression can show: through +, %, f-strings, either arm of an if, lists, names, .format()."""
    if isinstance(part, ast.Constant):
        return [part.value] if isinstance(part.value, str) else []
    if isinstance(part, ast.JoinedStr):
        return ["".join(str(piece.value) if isinstance(piece, ast.Constant) else "\ufffc" for piece in part.values)]
    if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Add | ast.Mod):
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
