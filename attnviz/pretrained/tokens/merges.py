"""How byte-pair encoding cuts a text: which two neighbours it joins, one pair after another.

A tokenizer keeps its merges in the order in which they were learned. Of the neighbours of a word it joins the pair that
was learned first, until no two neighbours have a merge. This is done once more here, pair by pair, and what comes out
is held to what the tokenizer itself gives.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from tokenizers import Tokenizer

from attnviz.core.errors import UnsupportedModel
from attnviz.pretrained.tokens.tokenize import SentenceTokenizer

Pair = tuple[str, str]
SPECIAL = 256  # bytes without a sign of their own are written by signs from here on


@dataclass(frozen=True)
class Joined:
    """A word after one merge."""

    pieces: tuple[bytes, ...]
    rank: int | None  # of the merge among all that were learned, from 1; None before the first


@dataclass(frozen=True)
class CutWord:
    """A word, which no merge goes beyond, and all it went through."""

    text: str
    states: tuple[Joined, ...]  # the first holds single bytes, the last the tokens


def has_merges(tokenizer: SentenceTokenizer) -> bool:
    """Whether it is a byte-level BPE whose merges are followed here."""
    return isinstance(tokenizer.backend, Tokenizer) and _ranks(tokenizer.backend) is not None


def merges(tokenizer: SentenceTokenizer, text: str) -> tuple[CutWord, ...]:
    """Each word of a text, from its bytes to its tokens.

    Raises:
        UnsupportedModel: it has no merges, or gives other tokens than they do.
    """
    backend = tokenizer.backend
    ranks = _ranks(backend) if isinstance(backend, Tokenizer) else None
    if not isinstance(backend, Tokenizer) or ranks is None:
        raise UnsupportedModel(id="no-merges", model=tokenizer.model_name)
    normal = text if backend.normalizer is None else backend.normalizer.normalize_str(text)
    words = [word for word, _ in backend.pre_tokenizer.pre_tokenize_str(normal)]
    followed = [_followed(word, ranks) for word in words]
    tokens = [piece for states in followed for piece in states[-1][0]]
    if tokens != backend.encode(text, add_special_tokens=False).tokens:
        raise UnsupportedModel(id="no-merges", model=tokenizer.model_name)
    return tuple(
        CutWord(
            _bytes(word).decode("utf-8", "replace"),
            tuple(Joined(tuple(map(_bytes, pieces)), rank) for pieces, rank in states),
        )
        for word, states in zip(words, followed, strict=True)
    )


def _followed(word: str, ranks: dict[Pair, int]) -> list[tuple[list[str], int | None]]:
    """The pieces of a word, in signs for its bytes, before the first merge and after each."""
    pieces = list(word)
    states: list[tuple[list[str], int | None]] = [(pieces, None)]
    while known := [pair for pair in pairwise(pieces) if pair in ranks]:
        first = min(known, key=ranks.__getitem__)
        pieces = _joined(pieces, first)
        states.append((pieces, ranks[first] + 1))
    return states


def _joined(pieces: Sequence[str], pair: Pair) -> list[str]:
    """The same with a pair joined wherever it stands, from the left."""
    made: list[str] = []
    at = 0
    while at < len(pieces):
        is_pair = tuple(pieces[at : at + 2]) == pair
        made.append("".join(pair) if is_pair else pieces[at])
        at += 2 if is_pair else 1
    return made


_kept: list[tuple[Tokenizer, dict[Pair, int] | None]] = []  # of the tokenizers asked for last
MOST_KEPT = 4


def _ranks(backend: Tokenizer) -> dict[Pair, int] | None:
    """The place of each merge, from 0; None where BPE over bytes is not all that it does."""
    for known, ranks in _kept:
        if known is backend:
            return ranks
    ranks = _read(backend)
    _kept.insert(0, (backend, ranks))
    del _kept[MOST_KEPT:]
    return ranks


def _read(backend: Tokenizer) -> dict[Pair, int] | None:
    said = json.loads(backend.to_str())
    made, cuts = said["model"], json.dumps(said["pre_tokenizer"])
    is_plain = made.get("type") == "BPE" and not any(
        made.get(name) for name in ("dropout", "ignore_merges", "continuing_subword_prefix", "end_of_word_suffix")
    )
    if not is_plain or "ByteLevel" not in cuts:
        return None
    pairs = (pair.split(" ") if isinstance(pair, str) else pair for pair in made["merges"])
    return {(first, second): at for at, (first, second) in enumerate(pairs)}


@cache
def _byte_of() -> dict[str, int]:
    """The byte behind each sign of a byte-level vocabulary: itself where it can be printed, else the next free sign."""
    printed = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printed]
    return {chr(byte): byte for byte in printed} | {chr(SPECIAL + at): byte for at, byte in enumerate(others)}


def _bytes(piece: str) -> bytes:
    return bytes(_byte_of()[sign] for sign in piece)
