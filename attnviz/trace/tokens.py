"""What a model read: its tokens, as a person recognises them and as the model numbers them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from attnviz.core.errors import InputError, TraceShapeError
from attnviz.trace.given import Given, as_text, from_text

NO_WORD = -1  # the word index of a special token
SPECIAL = frozenset((  # names that no word of a person has, as the tokenizers of known models put them in
    "[CLS]", "[SEP]", "[PAD]", "<s>", "</s>", "<pad>", "<bos>", "<eos>", "<|endoftext|>", "<|begin_of_text|>",
))  # fmt: skip

MEANS = re.compile(  # as of kit/token.js
    r"(?P<start><\|?(?:start|s|bos|begin_of_text)\|?>|\[CLS\])|(?P<end><\|?(?:end|/s|eos|endoftext)\|?>|\[SEP\])"
    r"|(?P<unknown><\|?unk\|?>|\[UNK\])"
)


def meaning_of(token: str) -> str:
    """What a token stands for that is no word of a text: `"start"`, `"end"`, `"unknown"`, or "" of any other."""
    named = MEANS.fullmatch(token)
    return "" if named is None else str(named.lastgroup)


@dataclass(frozen=True)
class Tokens:
    """The tokens of one text; every field but `source` holds one value a token."""

    text: tuple[str, ...]  # as shown: the slice of the person's own text; a special token's name
    ids: tuple[int, ...]  # row of the embedding table
    special: tuple[bool, ...]  # put there by the tokenizer, not by the person
    unknown: tuple[bool, ...]  # the model has no entry for it
    spans: tuple[tuple[int, int], ...]  # character offsets in `source`, end excluded
    words: tuple[int, ...]  # which word the token belongs to; NO_WORD for specials
    source: str  # the whole text
    pieces: tuple[str, ...] = ()  # the vocabulary's own spelling, such as "##ing"
    types: tuple[int, ...] = ()  # the token types that the model was given; none but for two texts
    segments: tuple[int, ...] = ()  # of two texts, which each token belongs to, its separators too: 0 or 1
    roles: tuple[str, ...] = ()  # of a chat, whose each token is; "" where the template does not tell
    form: str = ""  # two texts or a chat as one string; "" of a text. See attnviz/trace/given.py

    def __post_init__(self) -> None:
        lengths = {len(part) for part in (self.text, self.ids, self.special, self.unknown, self.spans, self.words)}
        some = [part for part in (self.pieces, self.types, self.segments, self.roles) if part]
        if len(lengths) != 1 or any(len(part) != len(self.text) for part in some):
            raise TraceShapeError(id="fields-differ")

    def __len__(self) -> int:
        return len(self.text)

    @property
    def given(self) -> Given:
        """What was given to the model, so that `model.trace(tokens.given)` reads it again."""
        return from_text(self.form) if self.form else self.source

    @property
    def written(self) -> str:
        """`given` as one string, which `given.from_text` reads."""
        return self.form or as_text(self.source)

    @property
    def starts_twice(self) -> bool:
        """Whether the start token stands there twice: the tokenizer adds one, and the text had it already."""
        return len(self) > 1 and self.ids[0] == self.ids[1] and self.special[0] and self.special[1]

    @property
    def n_unknown(self) -> int:
        """How many tokens the model has no entry for."""
        return sum(self.unknown)

    @property
    def unknown_texts(self) -> tuple[str, ...]:
        """What of the text the model has no entry for, each once."""
        parts = zip(self.text, self.unknown, self.special, strict=True)
        return tuple(dict.fromkeys(text for text, is_unknown, is_special in parts if is_unknown and not is_special))

    def name(self, index: int) -> str:
        """The token as a label; repeated ones are counted: `the₂`."""
        text = self.text[index]
        if self.text.count(text) == 1:
            return text
        number = self.text[: index + 1].count(text)
        return text + "".join("₀₁₂₃₄₅₆₇₈₉"[int(digit)] for digit in str(number))

    def is_of_text(self, other: Tokens) -> bool:
        """Whether both were read from one text; tokens that were passed in, without a text, where they are equal."""
        is_given = any(" ".join(tokens.text) == tokens.source for tokens in (self, other))
        return self.source == other.source or (is_given and self.text == other.text)

    @classmethod
    def plain(cls, texts: Sequence[str]) -> Tokens:
        """Tokens that are words, one after another with a space between: for a person's own code and for tests.

        As in a vocabulary, equal texts have one id: the place of the first of them. The name of a special token of a
        known tokenizer, such as "[CLS]", is taken for one.
        """
        spans, position = [], 0
        first: dict[str, int] = {}
        for text in texts:
            if not isinstance(text, str):
                raise InputError(id="token-no-text", came=repr(text))
            spans.append((position, position + len(text)))
            position += len(text) + 1
        ids = tuple(first.setdefault(text, at) for at, text in enumerate(texts))
        special = tuple(text in SPECIAL for text in texts)
        words = tuple(NO_WORD if is_special else at for at, is_special in enumerate(special))
        unknown = (False,) * len(texts)
        return cls(tuple(texts), ids, special, unknown, tuple(spans), words, " ".join(texts), tuple(texts))


@dataclass(frozen=True)
class TokenPair:
    """The tokens a trace has: the source text's, and the target's where there is a decoder with its own text."""

    source: Tokens
    target: Tokens | None = None
