"""Vocabularies of small models: words or characters, built from texts, with a number for each.

Published models bring their own tokenizers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import index
from typing import Any, Literal, get_args

import torch
from torch import Tensor

from attnviz.core.errors import EmptyText, InputError
from attnviz.core.tensor_checks import check_choice
from attnviz.models.support.word_tokenizer import find_words, join_words
from attnviz.trace.tokens import NO_WORD, Tokens

Level = Literal["word", "character"]

PADDING, UNKNOWN, START, END = 0, 1, 2, 3
SPECIAL = ("<pad>", "<unk>", "<start>", "<end>")


@dataclass(frozen=True)
class Vocabulary:
    """Entries by number; the first four are padding, unknown, start and end. `Vocabulary.build` makes one."""

    entries: tuple[str, ...]
    level: Level

    def __post_init__(self) -> None:
        check_choice("level", self.level, get_args(Level))
        entries = self.entries
        if (
            not isinstance(entries, tuple)
            or entries[: len(SPECIAL)] != SPECIAL
            or not all(isinstance(entry, str) and entry for entry in entries)
            or len(set(entries)) < len(entries)
        ):
            raise InputError(id="entries-of-vocabulary", special=repr(SPECIAL))

    @classmethod
    def build(cls, texts: Iterable[str], level: Level = "word") -> Vocabulary:
        """The tokens of these texts, the most frequent first; of two as frequent, the one that came first.

        Args:
            texts: what to take the tokens from.
            level: "word" or "character".
        Raises:
            EmptyText: there is no token in them.
            InputError: level is neither, texts is one text or holds what is no text.
        """
        check_choice("level", level, get_args(Level))
        if isinstance(texts, str) or not isinstance(texts, Iterable):
            raise InputError(id="no-several-texts", came=type(texts).__name__)
        count = Counter(text[a:b] for text in texts for a, b in _spans(text, level))
        frequent = [entry for entry, _ in count.most_common() if entry not in SPECIAL]
        if not frequent:
            raise EmptyText(id="no-token-in-texts")
        return cls((*SPECIAL, *frequent), level)

    def __len__(self) -> int:
        return len(self.entries)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {entry: number for number, entry in enumerate(self.entries)}

    def tokens(self, text: str, *, is_framed: bool = False) -> Tokens:
        """The text as tokens, each with its place in the text.

        A typed "<pad>" is three words, or five characters: nobody can type a special token.

        Args:
            is_framed: put the start token before and the end token after.
        Raises:
            EmptyText: there is no token in the text.
            InputError: text is no str.
        """
        spans = _spans(text, self.level)
        if not spans:
            raise EmptyText(id="empty-text")
        # A character belongs to the word it is in, a blank to none.
        word_at = {place: word for word, (a, b) in enumerate(find_words(text)) for place in range(a, b)}
        rows = [(text[a:b], self._numbers.get(text[a:b], UNKNOWN), (a, b), word_at.get(a, NO_WORD)) for a, b in spans]
        if is_framed:
            first = (SPECIAL[START], START, (0, 0), NO_WORD)
            last = (SPECIAL[END], END, (len(text), len(text)), NO_WORD)
            rows = [first, *rows, last]
        shown, ids, places, words = zip(*rows, strict=True)
        return Tokens(
            text=shown, ids=ids, spans=places, words=words, source=text,
            special=tuple(number in (START, END) for number in ids),
            unknown=tuple(number == UNKNOWN for number in ids),
            pieces=tuple(self.entries[number] for number in ids),
        )  # fmt: skip

    def encode(self, text: str, *, is_framed: bool = False) -> tuple[int, ...]:
        """The text as numbers; a token that is not in the vocabulary becomes `<unk>`. See `tokens`."""
        return self.tokens(text, is_framed=is_framed).ids

    def decode(self, ids: Iterable[int] | Tensor) -> str:
        """Numbers as a text, without padding, start and end; it encodes to the same numbers again.

        Characters come back as they were. Words get the spaces of English and Chinese, whatever they had: "a  b"
        becomes "a b", "我 用 Python" "我用Python" and "and/or" "and / or".

        Args:
            ids: whole numbers, in a list, or in a tensor or an array of one axis.
        Raises:
            InputError: a number that no entry has, or what is no whole number.
        """
        numbers = _whole_numbers(ids)
        wrong = next((number for number in numbers if not 0 <= number < len(self)), None)
        if wrong is not None:
            raise InputError(id="no-such-entry", came=str(wrong), last=str(len(self) - 1))
        pieces = [self.entries[number] for number in numbers if number not in (PADDING, START, END)]
        return "".join(pieces) if self.level == "character" else join_words(pieces)


def padded(texts: Iterable[Sequence[int] | Tensor]) -> tuple[Tensor, Tensor]:
    """Several texts of different length as one batch.

    Args:
        texts: the token numbers of each.
    Returns:
        ids [B, T], short texts filled up with padding, and is_token [B, T] bool, True for a token.
    Raises:
        EmptyText: no texts, or one without tokens.
        InputError: what is no whole number, or below 0.
    """
    rows = [_whole_numbers(text) for text in texts]
    if not rows or not all(rows):
        raise EmptyText(id="texts-without-tokens")
    lowest = min(min(row) for row in rows)
    if lowest < 0:
        raise InputError(id="token-below-zero", came=str(lowest))
    longest = max(len(row) for row in rows)
    ids = torch.tensor([[*row, *[PADDING] * (longest - len(row))] for row in rows])  # [B, T]
    lengths = torch.tensor([len(row) for row in rows])  # [B]
    return ids, torch.arange(longest) < lengths[:, None]  # [B, T], [B, T]


def _whole_numbers(ids: Any) -> list[int]:
    """Token numbers out of a list, a tensor or an array."""
    try:
        return [index(number) for number in (ids.tolist() if hasattr(ids, "tolist") else ids)]
    except TypeError:
        raise InputError(id="no-token-numbers", kind=type(ids).__name__, came=repr(str(ids)[:40])) from None


def _spans(text: str, level: Level) -> list[tuple[int, int]]:
    if not isinstance(text, str):
        raise InputError(id="text-no-str", came=type(text).__name__)
    return [(place, place + 1) for place in range(len(text))] if level == "character" else find_words(text)
