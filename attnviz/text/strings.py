"""One catalogue as a callable: strings("zh-TW")("unknown-tokens", unknown=9, total=13).

It formats words and knows no screen: escaping for HTML or Markdown is the business of whoever shows the sentence.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterator, Mapping
from copy import copy
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

from fluent.runtime import FluentBundle, FluentResource
from fluent.runtime.types import FluentType
from fluent.syntax import ast
from fluent.syntax.visitor import Visitor

from attnviz.text.languages import LANGUAGES, NATIVE_NAMES, Language
from attnviz.text.numbers import figure

_FIRST_STRONG_ISOLATE, _POP_ISOLATE = "\u2068", "\u2069"
_BEGINS: Final = re.compile(r"^([A-Za-z][\w-]*) *=", re.MULTILINE)  # a message; whatever belongs to it is indented
_OPENS: Final = frozenset({"LRI", "RLI", "FSI"})
_NAMES: Final = ("view-training-task-", "model-translate-")  # messages that are names of models trained here
_CHINESE: Final = "[\u3000-\u9fff\uff00-\uffef]"  # and its punctuation
_UNTRAINED: Final = re.compile(r"Untrained (encoder|decoder|encoder-decoder), seed (\d+)")
_TURNS_THE_LINE: Final = frozenset({"R", "AL", "AN", "LRE", "RLE", "LRO", "RLO", "PDF", "PDI"}) | _OPENS


class _Message(NamedTuple):
    said: Any  # Fluent's own, compiled
    variables: tuple[str, ...]  # the names of its arguments, sorted
    in_code: tuple[str, ...] | None  # those of its attribute `.code`; None where it has none


class Strings:
    """The messages of one language; one instance serves every session and thread.

    Args:
        language: "en", "zh-CN" or "zh-TW".
        source: the catalogue, in Fluent's syntax.
    """

    form = ""  # the attribute that a message is said by, where it has it

    def __init__(self, language: Language, source: str) -> None:
        self.language: Final = language
        # Fluent would wrap every argument in U+2068…U+2069. Those invisible characters end up in labels, test
        # comparisons and clipboards, so it is off, and _isolated() adds them to the arguments that need them.
        self._bundle = FluentBundle([language], use_isolating=False)
        begins = [*_BEGINS.finditer(source)]
        ends = [*(one.start() for one in begins[1:]), len(source)]
        self._sources = {one[1]: source[one.start() : end] for one, end in zip(begins, ends, strict=True)}
        self._messages: dict[str, _Message] = {}  # those that were asked for: to parse all takes most of a second
        self._parsing = threading.RLock()
        self._views: dict[str, dict[str, str]] = {}
        self._forms: dict[str, Strings] = {"": self}

    def of(self, tokens: str) -> Strings:
        """Return the same catalogue, which says of a model's tokens what they are.

        Args:
            tokens: `Card.tokens`: messages that have an attribute of this name are said by it.
        """
        if tokens not in self._forms:
            other = copy(self)
            other.form, other._views = tokens, {}
            self._forms[tokens] = other
        return self._forms[tokens]

    def __call__(self, id: str, /, **arguments: object) -> str:
        """Return the sentence `id`, its arguments filled in.

        Args:
            id: the message's name in the catalogues.
            arguments: whole numbers choose plurals; reals are written by `figure`; several words are joined as the
                language lists them; text stays exactly as it is, but for `model`, which is a `Card.name` and is said
                as `named` has it.
        Raises:
            KeyError: no such message, or an argument the message needs was not given.
        """
        values = self._values(arguments)
        said, name = self._format(id, values), values.get("model")
        return _without_blanks(said, name) if self.language != "en" and isinstance(name, str) else said

    def in_code(self, id: str, /, **arguments: object) -> str:
        """Return what code is told of an error: the attribute `.code` of its message, or the message where it has none.

        Raises:
            KeyError: as `__call__`.
        """
        return self._format(id, self._values(arguments), in_code=True)

    def named(self, model: str) -> str:
        """Return a model's name in this language: of this project's own, whose cards are in English; others stay."""
        untrained = _UNTRAINED.fullmatch(model)
        if untrained:
            return self(f"view-heads-untrained-{untrained[1]}", seed=untrained[2])
        id = _ids_of_names().get(model)
        return model if id is None else self(id)

    def template(self, id: str, /) -> str:
        """Return the sentence with `{name}` left in it for each argument, for the browser to fill with text nodes."""
        return self._format(id, {name: "{" + name + "}" for name in self._message(id).variables})

    def view(self, prefix: str) -> dict[str, str]:
        """Return the templates of a view, `view-{prefix}-…` and the shared `view-kit-…`, by message id.

        They are written once: every run of a page asks for several hundred of them.
        """
        if prefix not in self._views:
            panels = ("view-panel-",) if prefix == "heads" else ()  # what stands beside a head is drawn as in a panel
            wanted = (f"view-{prefix}-", "view-kit-", *panels)
            self._views[prefix] = {id: self.template(id) for id in sorted(self) if id.startswith(wanted)}
        return dict(self._views[prefix])

    def error(self, error: BaseException) -> str:
        """Return what went wrong in this language: message `error-<id>` with the error's own arguments.

        An AttnvizError carries `id` and `arguments`; any other exception speaks its English.
        """
        id, arguments = getattr(error, "id", None), getattr(error, "arguments", None)
        if not isinstance(id, str) or not isinstance(arguments, Mapping):
            return str(error)
        try:
            return self(f"error-{id}", **arguments)
        except KeyError:
            return str(error)

    def variables(self, id: str, *, in_code: bool = False) -> tuple[str, ...]:
        """Return the names of the arguments a message uses, sorted; in code, those of what code is told."""
        message = self._message(id)
        return message.in_code if in_code and message.in_code is not None else message.variables

    def __contains__(self, id: object) -> bool:
        return id in self._sources

    def __iter__(self) -> Iterator[str]:
        return iter(self._sources)

    def _message(self, id: str) -> _Message:
        with self._parsing:
            if id not in self._messages:
                if id not in self._sources:
                    raise KeyError(f"message {id!r} is not in the {self.language} catalogue; add it to all three")
                resource = FluentResource(self._sources[id])
                self._bundle.add_resource(resource)
                (entry,) = (each for each in resource.body if isinstance(each, ast.Message))
                for other in _names(ast.MessageReference, entry):
                    self._message(other)
                others = [each for each in entry.attributes if each.id.name != "code"]
                code = [each for each in entry.attributes if each.id.name == "code"]
                self._messages[id] = _Message(
                    self._bundle.get_message(id),
                    _names(ast.VariableReference, entry.value, *others),
                    _names(ast.VariableReference, *code) if code else None,
                )
            return self._messages[id]

    def _values(self, arguments: dict[str, Any]) -> dict[str, Any]:
        if isinstance(arguments.get("model"), str):
            arguments["model"] = self.named(str(arguments["model"]))
        for name, value in arguments.items():
            if isinstance(value, tuple | list):
                arguments[name] = self("view-kit-list-separator").join(map(str, value))
        return {name: _value(value) for name, value in arguments.items()}

    def _format(self, id: str, arguments: dict[str, Any], *, in_code: bool = False) -> str:
        message = self._message(id).said
        form = "code" if in_code else self.form
        pattern = message.attributes.get(form, message.value)
        if pattern is None:
            raise KeyError(f"message {id!r} has no text of its own in the {self.language} catalogue")
        text, errors = self._bundle.format_pattern(pattern, arguments)
        if errors:
            needs = ", ".join(self.variables(id, in_code=in_code))
            raise KeyError(f"message {id!r} in {self.language} needs {needs}; got {', '.join(arguments) or 'nothing'}")
        return str(text)


class _Figure(FluentType):
    """A real number on its way through Fluent, which would round 4.2e-7 to 0."""

    def __init__(self, value: float) -> None:
        self.text = figure(value)

    def format(self, locale: object) -> str:
        return self.text


class _Names(Visitor):
    """Collects the names of what a message refers to: variables, or other messages."""

    def __init__(self, kind: type[ast.VariableReference | ast.MessageReference]) -> None:
        self.seen: set[str] = set()
        setattr(self, f"visit_{kind.__name__}", lambda node: self.seen.add(node.id.name))


def _names(
    kind: type[ast.VariableReference | ast.MessageReference], *said: ast.Message | ast.Pattern | ast.Attribute | None
) -> tuple[str, ...]:
    names = _Names(kind)
    for words in said:
        names.visit(words)
    return tuple(sorted(names.seen))


def _value(value: object) -> object:
    """Turn an argument into what Fluent formats alike in every language."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return _isolated(str(value))
    if isinstance(value, float) or value < 0:
        return _Figure(value)
    return value


def _without_blanks(said: str, name: str) -> str:
    """A name in Chinese stands between Chinese without blanks, where the catalogues have them for names in letters."""
    exact = re.escape(name)
    return re.sub(f"(?<={_CHINESE}) (?={exact})(?={_CHINESE})|(?<={exact})(?<={_CHINESE}) (?={_CHINESE})", "", said)


def _isolated(text: str) -> str:
    """Keep right-to-left text and direction marks in an argument from turning the sentence around them."""
    kinds = [unicodedata.bidirectional(character) for character in text]
    if not _TURNS_THE_LINE.intersection(kinds):
        return text
    open_now = closes_too_many = 0
    for kind in kinds:
        if kind in _OPENS:
            open_now += 1
        elif kind == "PDI" and open_now:
            open_now -= 1
        elif kind == "PDI":
            closes_too_many += 1
    # As many more of each as the text leaves unbalanced, so that it cannot climb out of its own isolate.
    return _FIRST_STRONG_ISOLATE * (1 + closes_too_many) + text + _POP_ISOLATE * (1 + open_now)


@cache
def _ids_of_names() -> dict[str, str]:
    """Which message names a model, by the English name that is on its card."""
    english = strings("en")
    return {english(id): id for id in english if id.startswith(_NAMES) and not english.variables(id)}


_loaded: dict[str, Strings] = {}
_lock = threading.Lock()


def strings(language: str) -> Strings:
    """Return the catalogue of a language, one of LANGUAGES; read and parsed once for the whole process.

    Raises:
        KeyError: no such language.
    """
    if language not in NATIVE_NAMES:
        raise KeyError(f"language {language!r} is not one of {', '.join(LANGUAGES)}")
    with _lock:
        if language not in _loaded:
            source = (files(__package__) / f"{language}.ftl").read_text(encoding="utf-8")
            _loaded[language] = Strings(language, source)
        return _loaded[language]


def sentences(*said: str | None) -> str:
    """Sentences after one another, those that are empty left out: Chinese leaves no space behind its full stop."""
    return " ".join(filter(None, said)).replace("。 ", "。")
