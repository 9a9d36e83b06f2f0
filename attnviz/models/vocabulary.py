"""Which tokens a small model knows: words or characters, built from texts, with a number for each.

For models trained in this project. Published models bring their own tokenizers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import torch
from torch import Tensor

from attnviz.core.errors import EmptyText, InputError
from attnviz.core.tokens import NO_WORD, Tokens
from attnviz.models.checks import check_choice

Level = Literal["word", "character"]

PADDING, UNKNOWN, START, END = 0, 1, 2, 3
SPECIAL = ("<pad>", "<unk>", "<start>", "<end>")
HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Chinese characters: no spaces between words, so each is a word here
WORD = re.compile(rf"[{HAN}]|[^\W{HAN}]+(?:['’][^\W{HAN}]+)*|[^\w\s]")  # or letters and digits, or one mark
NO_SPACE_BEFORE = re.compile(rf"[{HAN}.,;:!?%)\]}}’。，、；：！？）」』》]")
NO_SPACE_AFTER = re.compile(rf"[{HAN}(\[{{$#（「『《。，、；：！？]")


@dataclass(frozen=True)
class Vocabulary:
    """The entries by number; the first four are padding, unknown, start and end.

    Args:
        entries: token texts; number i is entries[i].
        level: "word" or "character".
    Raises:
        InputError: level is misspelled, the entries do not begin with the four special ones, or one is there twice.
    """

    entries: tuple[str, ...]
    level: Level

    def __post_init__(self) -> None:
        check_choice("level", self.level, get_args(Level))
        if self.entries[: len(SPECIAL)] != SPECIAL:
            raise InputError(f"The entries begin with {self.entries[:4]}; expected {SPECIAL}. Use Vocabulary.build.")
        twice = [entry for entry, count in Counter(self.entries).items() if count > 1]
        if twice:
            raise InputError(
                f"{twice[0]!r} is in the vocabulary twice; expected each entry once. Use Vocabulary.build."
            )

    @classmethod
    def build(
        cls, texts: Iterable[str], level: Level = "word", *, max_size: int | None = None, min_count: int = 1
    ) -> Vocabulary:
        """The tokens of these texts, the most frequent first.

        Args:
            texts: what to learn the tokens from.
            level: "word" or "character".
            max_size: the largest vocabulary, special entries included.
            min_count: how often a token must occur.
        Raises:
            EmptyText: there is no token in the texts.
            InputError: level is neither.
        """
        check_choice("level", level, get_args(Level))
        count = Counter(text[a:b] for text in texts for a, b in _spans(text, level))
        if not count:
            raise EmptyText("The texts hold no token; expected at least one. Pass texts with words in them.")
        frequent = [entry for entry, times in count.most_common() if times >= min_count and entry not in SPECIAL]
        room = None if max_size is None else max(0, max_size - len(SPECIAL))
        return cls((*SPECIAL, *frequent[:room]), level)

    def __len__(self) -> int:
        return len(self.entries)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {entry: number for number, entry in enumerate(self.entries)}

    def tokens(self, text: str, *, is_framed: bool = False) -> Tokens:
        """The text as tokens, each with its place in the text.

        Args:
            is_framed: put the start token before and the end token after.
        Raises:
            EmptyText: nothing in the text is a token.
        """
        spans = _spans(text, self.level)
        if not spans:
            raise EmptyText("There is no token in the text; expected at least one. Type a sentence.", id="empty-text")
        rows = [
            (text[a:b], self._numbers.get(text[a:b], UNKNOWN), False, (a, b), word)
            for (a, b), word in zip(spans, _words(text, spans), strict=True)
        ]
        if is_framed:
            first = (SPECIAL[START], START, True, (0, 0), NO_WORD)
            last = (SPECIAL[END], END, True, (len(text), len(text)), NO_WORD)
            rows = [first, *rows, last]
        shown, ids, special, places, words = zip(*rows, strict=True)
        unknown = tuple(number == UNKNOWN for number in ids)
        pieces = tuple(self.entries[number] for number in ids)
        return Tokens(shown, ids, special, unknown, places, words, text, pieces)

    def encode(self, text: str, *, is_framed: bool = False) -> tuple[int, ...]:
        """The text as numbers; a token that is not in the vocabulary becomes `<unk>`. See `tokens`."""
        return self.tokens(text, is_framed=is_framed).ids

    def decode(self, ids: Iterable[int]) -> str:
        """Numbers as a text: padding, start and end are left out.

        Characters come back exactly. Between words the spaces are put back as English and Chinese write them, so
        several spaces become one.

        Raises:
            InputError: a number that no entry has.
        """
        pieces = []
        for number in ids:
            if not 0 <= number < len(self):
                raise InputError(f"Token {number} is not in this vocabulary; expected 0 to {len(self) - 1}.")
            if number not in (PADDING, START, END):
                pieces.append(self.entries[number])
        if self.level == "character":
            return "".join(pieces)
        text = ""
        for piece in pieces:
            is_joined = not text or NO_SPACE_BEFORE.match(piece) or NO_SPACE_AFTER.match(text[-1])
            text += piece if is_joined else f" {piece}"
        return text


def padded(texts: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """Several texts of different length as one batch.

    Args:
        texts: token numbers of each.
    Returns:
        ids [B, T], short texts filled up with padding, and is_token [B, T], True where a token stands.
    Raises:
        EmptyText: no texts, or one without tokens.
    """
    if not texts or not all(texts):
        raise EmptyText("A text without tokens came; expected at least one token in each. Leave empty texts out.")
    longest = max(len(text) for text in texts)
    ids = torch.tensor([[*text, *[PADDING] * (longest - len(text))] for text in texts])  # [B, T]
    lengths = torch.tensor([len(text) for text in texts])  # [B]
    return ids, torch.arange(longest) < lengths[:, None]  # [B, T], [B, T]


def _spans(text: str, level: Level) -> list[tuple[int, int]]:
    if level == "character":
        return [(place, place + 1) for place in range(len(text))]
    return [found.span() for found in WORD.finditer(text)]


def _words(text: str, spans: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """The word each token belongs to: the same number for the characters of one word."""
    of_character = {place: word for word, (a, b) in enumerate(_spans(text, "word")) for place in range(a, b)}
    return tuple(of_character.get(a, NO_WORD) for a, _ in spans)
