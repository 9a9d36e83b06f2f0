"""Which tokens a small model knows: words or characters, built from texts, with a number for each.

For models trained in this project. Published models bring their own tokenizers.
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
from attnviz.models.support.checks import check_choice, check_size
from attnviz.models.support.word_tokenizer import cut, joined
from attnviz.trace.tokens import NO_WORD, Tokens

Level = Literal["word", "character"]

PADDING, UNKNOWN, START, END = 0, 1, 2, 3
SPECIAL = ("<pad>", "<unk>", "<start>", "<end>")


@dataclass(frozen=True)
class Vocabulary:
    """The entries by number; the first four are padding, unknown, start and end.

    Args:
        entries: token texts; number i is entries[i].
        level: "word" or "character".
    Raises:
        InputError: level is misspelled, the entries are no tuple or do not begin with the four special ones, one is
            there twice, or one is no text.
    """

    entries: tuple[str, ...]
    level: Level

    def __post_init__(self) -> None:
        check_choice("level", self.level, get_args(Level))
        if isinstance(self.entries, str) or not isinstance(self.entries, Sequence):
            raise InputError(
                f"The entries came as {type(self.entries).__name__}; expected a tuple of texts. Use Vocabulary.build."
            )
        if tuple(self.entries[: len(SPECIAL)]) != SPECIAL:
            raise InputError(
                f"The entries begin with {self.entries[:4]}; expected {SPECIAL}. Use Vocabulary.build.",
                id="vocabulary-start", came=", ".join(map(str, self.entries[:4])), expected=", ".join(SPECIAL),
            )  # fmt: skip
        wrong = [entry for entry in self.entries if not isinstance(entry, str) or not entry]
        if wrong:
            raise InputError(
                f"{wrong[0]!r} is an entry; expected texts of at least one character. Use Vocabulary.build.",
                id="vocabulary-entry", entry=repr(wrong[0]),
            )  # fmt: skip
        twice = [entry for entry, count in Counter(self.entries).items() if count > 1]
        if twice:
            raise InputError(
                f"{twice[0]!r} is in the vocabulary twice; expected each entry once. Use Vocabulary.build.",
                id="vocabulary-twice", entry=twice[0],
            )  # fmt: skip

    @classmethod
    def build(
        cls, texts: Iterable[str], level: Level = "word", *, max_size: int | None = None, min_count: int = 1
    ) -> Vocabulary:
        """The tokens of these texts, the most frequent first; of two as frequent, the one that came first.

        Args:
            texts: what to learn the tokens from.
            level: "word" or "character".
            max_size: the largest vocabulary, the four special entries included; None is no limit.
            min_count: how often a token must occur.
        Raises:
            EmptyText: there is no token in the texts.
            InputError: level is neither, texts is one text or holds what is no text, a number is too small, or no token
                occurs so often.
        """
        check_choice("level", level, get_args(Level))
        check_size("min_count", min_count)
        if max_size is not None:
            check_size("max_size", max_size, len(SPECIAL) + 1)
        count = _count(texts, level)
        frequent = [entry for entry, times in count.most_common() if times >= min_count and entry not in SPECIAL]
        if not frequent:
            most = max(count.values())
            raise InputError(
                f"No token occurs {min_count} times; the most frequent one occurs {most} times. Choose a smaller "
                "min_count.",
                id="vocabulary-rare", asked=min_count, most=most,
            )  # fmt: skip
        return cls((*SPECIAL, *frequent[: None if max_size is None else max_size - len(SPECIAL)]), level)

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
            EmptyText: nothing in the text is a token.
            InputError: text is no str.
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

    def decode(self, ids: Iterable[int] | Tensor) -> str:
        """Numbers as a text: padding, start and end are left out.

        What comes back is `normalised(text)`, with `<unk>` for each unknown token: characters exactly, words with the
        spaces that English and Chinese put between them.

        Args:
            ids: whole numbers, in a list, a tensor or an array of one axis.
        Raises:
            InputError: a number that no entry has, or what is no whole number.
        """
        numbers = _whole_numbers(ids)
        wrong = next((number for number in numbers if not 0 <= number < len(self)), None)
        if wrong is not None:
            raise InputError(
                f"Token {wrong} is not in this vocabulary; expected 0 to {len(self) - 1}. Decode with the vocabulary "
                "that encoded.",
                id="vocabulary-number", number=str(wrong), last=str(len(self) - 1),
            )  # fmt: skip
        pieces = [self.entries[number] for number in numbers if number not in (PADDING, START, END)]
        return "".join(pieces) if self.level == "character" else joined(pieces)

    def normalised(self, text: str) -> str:
        """The text as `decode` gives it back where every token is known; it encodes to the same numbers.

        Characters: the text itself. Words: its words with the spaces of English and Chinese, whatever they were: one
        between two words, none beside Chinese characters, before closing and after opening marks; straight quotes
        pair up. So "a  b" becomes "a b", "我 用 Python" "我用Python" and "and/or" "and / or".

        Raises:
            InputError: text is no str.
        """
        spans = _spans(text, self.level)
        return text if self.level == "character" else joined([text[a:b] for a, b in spans])


def padded(texts: Iterable[Sequence[int] | Tensor]) -> tuple[Tensor, Tensor]:
    """Several texts of different length as one batch.

    Args:
        texts: token numbers of each.
    Returns:
        ids [B, T], short texts filled up with padding, and is_token [B, T], True where a token stands.
    Raises:
        EmptyText: no texts, or one without tokens.
        InputError: what is no whole number, below 0, or too large for a tensor.
    """
    if not isinstance(texts, Iterable):
        raise InputError(
            f"texts came as {type(texts).__name__}; expected several, each a list of numbers. Pass one as [ids]."
        )
    rows = [_whole_numbers(text) for text in texts]
    if not rows:
        raise EmptyText("No texts came; expected at least one. Give a list of lists of numbers.")
    if not all(rows):
        raise EmptyText(
            "A text without tokens came; expected at least one token in each. Leave empty texts out.",
            id="vocabulary-empty-text",
        )
    lowest = min(min(row) for row in rows)
    if lowest < 0:
        raise InputError(
            f"Token {lowest} came; expected numbers of at least 0. Encode with a vocabulary.",
            id="vocabulary-negative", number=str(lowest),
        )  # fmt: skip
    highest = max(max(row) for row in rows)
    if highest >= 2**63:
        raise InputError(f"Token {highest} came; expected numbers below {2**63}. Encode with a vocabulary.")
    longest = max(len(row) for row in rows)
    ids = torch.tensor([[*row, *[PADDING] * (longest - len(row))] for row in rows])  # [B, T]
    lengths = torch.tensor([len(row) for row in rows])  # [B]
    return ids, torch.arange(longest) < lengths[:, None]  # [B, T], [B, T]


def _count(texts: Iterable[str], level: Level) -> Counter[str]:
    """How often each token occurs."""
    if isinstance(texts, str) or not isinstance(texts, Iterable):
        kind = type(texts).__name__
        raise InputError(
            f"texts is {kind}; expected several texts, one str each. Pass a list: [text].",
            id="vocabulary-texts", kind=kind,
        )  # fmt: skip
    count = Counter(text[a:b] for text in texts for a, b in _spans(text, level))
    if not count:
        raise EmptyText(
            "The texts hold no token; expected at least one. Pass texts with words in them.", id="vocabulary-no-token"
        )
    return count


def _whole_numbers(ids: Any) -> list[int]:
    """Token numbers out of a list, a tensor or an array."""
    try:
        numbers = list(ids.tolist() if hasattr(ids, "tolist") else ids)
        if isinstance(ids, str | bytes) or any(isinstance(number, bool) for number in numbers):
            raise TypeError
        return [index(number) for number in numbers]
    except TypeError:
        came = f"{type(ids).__name__} {str(ids)[:40]!r}"
        raise InputError(
            f"{came} came; expected whole numbers, one a token, in a list or a tensor of one axis. Give each text "
            "as a list of its own.",
            id="vocabulary-ids", came=came,
        ) from None  # fmt: skip


def _spans(text: str, level: Level) -> list[tuple[int, int]]:
    if not isinstance(text, str):
        kind = type(text).__name__
        raise InputError(
            f"A text is a str; {kind} came. Decode bytes first; give several texts one by one.", id="no-text", kind=kind
        )
    return [(place, place + 1) for place in range(len(text))] if level == "character" else cut(text)


def _words(text: str, spans: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """The word each token belongs to: the same number for the characters of one word."""
    of_character = {place: word for word, (a, b) in enumerate(cut(text)) for place in range(a, b)}
    return tuple(of_character.get(a, NO_WORD) for a, _ in spans)
