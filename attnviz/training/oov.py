"""The error for words that a small model does not know: names the most similar words that it does know."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from attnviz.core.errors import UnknownWords
from attnviz.training.tasks.task import Piece, Tokenizer

ALL_SHOWN = 60  # a vocabulary of at most so many words is listed whole
SHOWN = 24  # words of a larger one
NEAREST = 3  # for each unknown word
MOST_NAMED = 8  # unknown words in the sentence
LONGEST_SHOWN = 24  # characters of one


def unknown_words(name: str, id: str, tokenizer: Tokenizer, unknown: Sequence[str], script: str) -> UnknownWords:
    """The error for words outside a vocabulary.

    Args:
        name, id: the model's, as shown and as loaded.
        tokenizer: of the side that was typed.
        unknown: the words it does not know, each once.
        script: the spelling in which known words are listed.
    Returns:
        the error; `arguments["every"]` holds the whole vocabulary.
    """
    every = [tokenizer.shown(word, script) for word in tokenizer.words if word[0].isalnum()]  # without marks
    named = ", ".join(map(_short, unknown[:MOST_NAMED])) + (", …" if len(unknown) > MOST_NAMED else "")
    known, more = ", ".join(every), ""
    if len(every) > ALL_SHOWN:
        known, more = ", ".join(suggested(unknown, every)) + " …", f" All of them: attnviz words {id}"
    return UnknownWords(
        f"{name} does not know: {named}. It knows {len(every)} words: {known}.{more}",
        id="unknown-words", model=name, words=named, n=len(every), known=known, every=", ".join(every),
    )  # fmt: skip


def suggested(unknown: Sequence[str], every: Sequence[str]) -> list[str]:
    """Some known words: those spelled most like the unknown ones, then others spread over the vocabulary."""
    near = [
        word
        for typed in unknown[:MOST_NAMED]
        for word in get_close_matches(typed[:LONGEST_SHOWN].lower(), every, n=NEAREST)
    ]
    spread = [every[at * len(every) // SHOWN] for at in range(SHOWN)]
    return list(dict.fromkeys([*near, *spread]))[:SHOWN]


def script_of(pieces: Sequence[Piece], text: str, tokenizer: Tokenizer) -> str:
    """The script of a typed text: "zh-TW" if it has a word that is written so only in traditional characters."""
    typed = [(text[slice(*piece.span)], piece.word) for piece in pieces]
    is_traditional = any(own != word and own == tokenizer.shown(word, "zh-TW") for own, word in typed)
    return "zh-TW" if is_traditional else ""


def _short(word: str) -> str:
    """A word of readable length; invisible characters by their code point."""
    word = "".join(mark if mark.isprintable() else f" U+{ord(mark):04X} " for mark in word).strip()
    return word if len(word) <= LONGEST_SHOWN else f"{word[:LONGEST_SHOWN]}…"
