"""What a model is given to read: a text, two texts, or a chat; and each of them as one string, for links and files."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from attnviz.core.errors import InputError

PAIR, CHAT, PROMPTED, PLAIN = "pair:", "chat:", "chat+:", "text:"  # what such a string begins with
MOST_ROLE = 64  # characters of a role's name


@dataclass(frozen=True)
class Pair:
    """Two texts that a model reads together, with its own separators and token types."""

    first: str
    second: str


@dataclass(frozen=True)
class Chat:
    """Messages that a model reads by its own chat template."""

    messages: tuple[tuple[str, str], ...]  # the role and the text of each
    is_prompted: bool = False  # whether the template's opening of an answer stands at the end


Given = str | Pair | Chat
Readable = Given | Sequence[Mapping[str, str]]  # as a person gives it


def given_of(text: Readable, pair: str | None = None, generation_prompt: bool = False) -> Given:
    """What is given to a model, from the arguments of `trace`.

    Raises:
        InputError: a message has no role or no text, or a chat came together with a second text.
    """
    if isinstance(text, Sequence) and not isinstance(text, str | bytes):
        text = Chat(tuple(_message(it) for it in text), generation_prompt)
        if not text.messages:
            raise InputError("A chat without messages came. Give one at least.")
    if pair is None:
        return text
    if not isinstance(text, str):
        raise InputError("A second text came with a chat. Give one of both.")
    return Pair(text, pair)


def _message(said: Any) -> tuple[str, str]:
    role, content = (said.get("role"), said.get("content")) if isinstance(said, Mapping) else (None, None)
    if not (isinstance(role, str) and 0 < len(role) <= MOST_ROLE and isinstance(content, str)):
        raise InputError('A message came that has no role or no text. Expected {"role": "user", "content": "Hello."}.')
    return role, content


def as_text(given: Given) -> str:
    """It as one string, which `from_text` reads: a text is itself unless it begins like a pair or a chat."""
    if isinstance(given, Pair):
        return PAIR + json.dumps([given.first, given.second], ensure_ascii=False)
    if isinstance(given, Chat):
        return (PROMPTED if given.is_prompted else CHAT) + json.dumps(given.messages, ensure_ascii=False)
    return given if from_text(given) == given else PLAIN + given


def from_text(written: str) -> Given:
    """What a string of `as_text` stands for; any other string is the text itself."""
    for prefix in (PAIR, CHAT, PROMPTED):
        if written.startswith(prefix) and (found := _read(prefix, written[len(prefix) :])) is not None:
            return found
    rest = written.removeprefix(PLAIN)
    return rest if rest != written and from_text(rest) != rest else written


def _read(prefix: str, content: str) -> Pair | Chat | None:
    try:
        said = json.loads(content)
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, list) or not said:
        return None
    if prefix == PAIR:
        return Pair(*said) if len(said) == 2 and all(isinstance(it, str) for it in said) else None
    for one in said:
        if not (isinstance(one, list) and len(one) == 2 and all(isinstance(it, str) for it in one) and one[0]):
            return None
    return Chat(tuple((role[:MOST_ROLE], content) for role, content in said), prefix == PROMPTED)


def texts_of(given: Given) -> tuple[str, ...]:
    """What a person wrote of it."""
    if isinstance(given, Chat):
        return tuple(content for _, content in given.messages)
    return (given.first, given.second) if isinstance(given, Pair) else (given,)


def only_text(given: Readable, model: str) -> str:
    """The text, for a model that reads nothing else.

    Raises:
        InputError: two texts or a chat came.
    """
    if isinstance(given, Pair):
        raise InputError(id="reads-no-pair", model=model)
    if not isinstance(given, str | bytes) and isinstance(given, Chat | Sequence):
        raise InputError(id="reads-no-chat", model=model)
    return given
