"""Finds which messages the code asks for, and which errors it can raise, by reading it."""

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from tests.contract.catalogues import ROOT
from tests.contract.shown_script import lex
from tests.contract.shown_text import MESSAGE_ID

FOLDERS = ("app", "pages", "attnviz")
HIDDEN = "\ufffc"  # stands for what is only known when the code runs
HOLE = "[a-z0-9-]+"
SHAPE = re.compile(rf"{MESSAGE_ID.pattern}|[a-z-]+-\[.*")  # an id, or a pattern of one
# Methods of dicts, lists and strings: being called with an id does not make them callables of a catalogue.
COMMON = frozenset(
    {"get", "pop", "append", "add", "setdefault", "startswith", "endswith", "replace", "split", "getElementById"}
)


@dataclass
class Use:
    """What one or several files ask of the catalogues."""

    literals: set[str] = field(default_factory=set)  # every literal, wherever it stands
    patterns: set[str] = field(default_factory=set)  # f"example-{name}-text" as a regular expression
    calls: set[tuple[str, str]] = field(default_factory=set)  # (what was called, its first literal or pattern)

    def uses(self, id: str) -> bool:
        """Whether the code can ask for this message: by name, or by a pattern whose hole some literal fills.

        f"error-{id}" is no use of all errors; raising them is.
        """
        patterns = (
            pattern.replace(HOLE, f"({HOLE})") for pattern in self.patterns if not pattern.startswith("error-[")
        )
        matches = (re.fullmatch(pattern, id) for pattern in patterns)
        return id in self.literals or any(match and self.literals.issuperset(match.groups()) for match in matches)

    def asked(self, ids: Iterable[str]) -> set[str]:
        """Return the ids this code asks for by name: first arguments of anything that is also called with a known id.

        `words("home-title")` shows that `words` takes ids, so `words("home-tilte")` is caught whatever it is called.
        """
        known = set(ids)
        callables = {name for name, first in self.calls if first in known and name not in COMMON}
        return {first for name, first in self.calls if name in callables and SHAPE.fullmatch(first)}


@dataclass(frozen=True)
class Raised:
    """One place that makes an error: by one id that stands there, or by what is no such id."""

    file: str
    line: int
    id: str | None  # None where it is not written out
    arguments: frozenset[str] | None = None  # None where they are passed as **arguments

    @property
    def where(self) -> str:
        return f"{self.file}:{self.line}"


def python_use(source: str, use: Use | None = None) -> Use:
    use = use or Use()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            use.literals.add(node.value)
        elif isinstance(node, ast.JoinedStr | ast.BinOp):
            _add_pattern(use, _text(node))
        elif isinstance(node, ast.Call) and node.args:
            first, function = _text(node.args[0]), node.func
            name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "()")
            use.calls.add((name, first.replace(HIDDEN, HOLE)))
    return use


def script_use(source: str, use: Use | None = None) -> Use:
    use = use or Use()
    tokens = lex(source)
    for at, token in enumerate(tokens):
        if token.kind == "string":
            use.literals.add(token.text)
            if at >= 2 and tokens[at - 1].text == "(" and tokens[at - 2].kind == "name":
                use.calls.add((tokens[at - 2].text, token.text))
        elif token.kind == "template":
            _add_pattern(use, token.text)
    return use


@cache
def whole_use() -> Use:
    """Read every file that may ask for a message; attnviz/text itself answers and does not ask."""
    whole = Use()
    for path in sources(".py", ".js"):
        if "text" not in path.relative_to(ROOT).parts[1:2]:
            (python_use if path.suffix == ".py" else script_use)(path.read_text(encoding="utf-8"), whole)
    return whole


def sources(*suffixes: str, folders: tuple[str, ...] = FOLDERS) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in suffixes)


def raised_errors(files: Mapping[Path, str]) -> list[Raised]:
    """Return every place that makes an AttnvizError in these files (path -> Python source), by whatever name."""
    nodes = {name: list(ast.walk(ast.parse(source))) for name, source in files.items()}
    kinds = {"AttnvizError"}
    whole = [node for own in nodes.values() for node in own]
    while more := set().union(*(_names_of_kinds(node, kinds) for node in whole)) - kinds:
        kinds |= more
    found = []
    for name, own in nodes.items():
        raised = {node.exc for node in own if isinstance(node, ast.Raise)}
        for node in own:
            if isinstance(node, ast.Call) and _makes_an_error(node, kinds):
                keywords = {keyword.arg: keyword.value for keyword in node.keywords}
                arguments = None if None in keywords else frozenset(map(str, keywords)) - {"id"}
                ids = [None] if node.args or "id" not in keywords else _ids(keywords["id"])
                found += [Raised(name.as_posix(), node.lineno, id, arguments) for id in ids]
            elif node in raised and _name(node) in kinds:  # the class itself
                found.append(Raised(name.as_posix(), node.lineno, None))
    return found


def _names_of_kinds(node: ast.AST, kinds: set[str]) -> set[str]:
    """The name that a line gives to a class of these: of a child of it, or another of its own."""
    if isinstance(node, ast.ClassDef):
        return {node.name} if kinds & set(map(_name, node.bases)) else set()
    if isinstance(node, ast.ImportFrom):
        return {each.asname for each in node.names if each.asname and each.name in kinds}
    if isinstance(node, ast.Assign) and _name(node.value) in kinds:
        return {target.id for target in node.targets if isinstance(target, ast.Name)}
    return set()


def _makes_an_error(call: ast.Call, kinds: set[str]) -> bool:
    """Whether a class of errors is called: by its name, or as type(error)(id=…) and KINDS[name](id=…)."""
    is_found = isinstance(call.func, ast.Call | ast.Subscript | ast.IfExp)
    return _name(call.func) in kinds or (is_found and any(keyword.arg == "id" for keyword in call.keywords))


def _name(value: ast.AST) -> str:
    return value.attr if isinstance(value, ast.Attribute) else getattr(value, "id", "")


def _ids(value: ast.expr) -> list[str | None]:
    if isinstance(value, ast.IfExp):
        return _ids(value.body) + _ids(value.orelse)
    return [value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else None]


def _text(value: ast.expr) -> str:
    """The fixed words of "token-" + name or f"token-{name}"."""
    if isinstance(value, ast.JoinedStr):
        return "".join(map(_text, value.values))
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
        return _text(value.left) + _text(value.right)
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else HIDDEN


def _add_pattern(use: Use, text: str) -> None:
    """Keep f"example-{name}-text" as example-[a-z0-9-]+-text; text without a dash before its hole is no id."""
    if re.match(rf"[a-z]+(-[a-z0-9]+)*-{HIDDEN}", text):
        use.patterns.add(text.replace(HIDDEN, HOLE))
