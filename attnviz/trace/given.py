"""What a model is given to read: a text, two texts, a chat or token ids; and each as one string, for links."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from torch import Tensor

from attnviz.core.errors import InputError, TooLong
from attnviz.core.tensor_checks import whole_number

T = TypeVar("T")
# what such a string begins with
PAIR, CHAT, PROMPTED, IDS, PLAIN = "pair:", "chat:", "chat+:", "ids:", "text:"
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


@dataclass(frozen=True)
class Ids:
    """Tokens by their numbers in the vocabulary, read as they are: nothing is added to them."""

    ids: tuple[int, ...]


class TargetIds(tuple[int, ...]):
    """The ids that a model with an encoder wrote: a target, and no text that it could read."""


Given = str | Pair | Chat | Ids
Readable = Given | Sequence[Mapping[str, str]] | Sequence[int] | Tensor  # as a person gives it


def listed(texts: Iterable[T]) -> list[T]:
    """Several texts as a list; one text is refused, whose letters are no texts."""
    if isinstance(texts, str | bytes):
        raise InputError(id="one-text-for-list")
    if not isinstance(texts, Iterable):
        raise InputError(id="no-list-of-texts", came=type(texts).__name__)
    return list(texts)


def given_of(text: Readable, pair: str | None = None, generation_prompt: bool = False) -> Given:
    """What is given to a model, from the arguments of `trace`.

    Raises:
        InputError: it is none of these, or several texts, or what a model with an encoder wrote; a message has no role
            or no text, ids are no whole numbers or those of several texts, or a second text came with a chat or ids.
    """
    if isinstance(text, TargetIds):
        raise InputError(id="target-for-source")
    if hasattr(text, "tolist"):  # of torch or numpy
        text = text.tolist()  # those of a wrong dtype are refused one by one
        text = text[0] if isinstance(text, list) and len(text) == 1 and isinstance(text[0], list) else text
    if isinstance(text, Sequence) and not isinstance(text, str | bytes):
        if len(text) > 0 and all(isinstance(each, str) for each in text):
            raise InputError(id="texts-for-one")
        is_ids = len(text) > 0 and not isinstance(text[0], Mapping | str)
        text = _ids(text) if is_ids else Chat(tuple(_message(message) for message in text), generation_prompt)
        if isinstance(text, Chat) and not text.messages:
            raise InputError(id="empty-list")
    if not isinstance(text, str | Pair | Chat | Ids):
        raise InputError(id="no-text", kind=type(text).__name__)
    if pair is None:
        return text
    if not isinstance(text, str):
        raise InputError(id="pair-of-chat")
    return Pair(text, pair)


def target_of(target: Readable | None) -> Given | None:
    """The same for a target, which may be what the model wrote itself."""
    if target is None:
        return None
    return given_of(tuple(target) if isinstance(target, TargetIds) else target)


def _ids(numbers: Sequence[Any]) -> Ids:
    if len(numbers) > 0 and isinstance(numbers[0], Sequence):
        raise InputError(id="ids-of-texts", n=len(numbers))
    ids = tuple(whole_number(number) for number in numbers)
    if None in ids:
        wrong = numbers[ids.index(None)]
        raise InputError(id="no-token-id", came=repr(wrong))
    return Ids(ids)  # type: ignore[arg-type]  # None is refused


def _message(said: Any) -> tuple[str, str]:
    role, content = (said.get("role"), said.get("content")) if isinstance(said, Mapping) else (None, None)
    if not (isinstance(role, str) and 0 < len(role) <= MOST_ROLE and isinstance(content, str)):
        raise InputError(id="no-message")
    return role, content


def as_text(given: Given) -> str:
    """One string, which `from_text` reads: a text is unchanged unless it begins like one of the others."""
    if isinstance(given, Pair):
        return PAIR + json.dumps([given.first, given.second], ensure_ascii=False)
    if isinstance(given, Chat):
        return (PROMPTED if given.is_prompted else CHAT) + json.dumps(given.messages, ensure_ascii=False)
    if isinstance(given, Ids):
        return IDS + json.dumps(given.ids)
    return given if from_text(given) == given else PLAIN + given


def from_text(written: str) -> Given:
    """What a string of `as_text` stands for; any other string is the text itself."""
    for prefix in (PAIR, CHAT, PROMPTED, IDS):
        if written.startswith(prefix) and (given := _read(prefix, written[len(prefix) :])) is not None:
            return given
    rest = written.removeprefix(PLAIN)
    return rest if rest != written and from_text(rest) != rest else written


def _read(prefix: str, content: str) -> Pair | Chat | Ids | None:
    try:
        said = json.loads(content)
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, list) or not said:
        return None
    if prefix == IDS:
        return Ids(tuple(said)) if all(type(id) is int for id in said) else None
    if prefix == PAIR:
        return Pair(*said) if len(said) == 2 and all(isinstance(part, str) for part in said) else None
    for one in said:
        if not (isinstance(one, list) and len(one) == 2 and all(isinstance(part, str) for part in one) and one[0]):
            return None
    return Chat(tuple((role[:MOST_ROLE], content) for role, content in said), prefix == PROMPTED)


def texts_of(given: Given) -> tuple[str, ...]:
    """The texts that a person wrote: one, two, or the messages of a chat; ids as numbers with blanks between."""
    if isinstance(given, Chat):
        return tuple(content for _, content in given.messages)
    if isinstance(given, Ids):
        return (" ".join(map(str, given.ids)),)
    return (given.first, given.second) if isinstance(given, Pair) else (given,)


def only_text(given: Given, model: str) -> str:
    """The text, for a model that reads nothing else.

    Raises:
        InputError: two texts, a chat or ids came.
    """
    if isinstance(given, Pair):
        raise InputError(id="reads-no-pair", model=model)
    if isinstance(given, Ids):
        raise InputError(id="reads-no-ids", model=model)
    if not isinstance(given, str | bytes) and isinstance(given, Chat | Sequence):
        raise InputError(id="reads-no-chat", model=model)
    return given


def checked_ids(given: Ids, n_vocabulary: int, model: str, limit: int) -> tuple[int, ...]:
    """The ids, refused where one is not in the vocabulary, or where they are more than a model takes."""
    wrong = next((id for id in given.ids if not 0 <= id < n_vocabulary), None)
    if wrong is not None:
        raise InputError(id="no-such-id", token=wrong, model=model, last=n_vocabulary - 1)
    if len(given.ids) > limit:
        raise TooLong(id="more-than-taken", model=model, n=len(given.ids), limit=limit)
    return given.ids
