"""The sentence for a word that a small model does not know: what it knows instead, the nearest spellings first."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from attnviz.core.errors import UnknownWords
from attnviz.training.tasks.task import Piece, Reader

ALL_SHOWN = 60  # a vocabulary of so many words is listed whole
SHOWN = 24  # words of a larger one
NEAREST = 3  # for each unknown word
STRANGERS = 8  # unknown words named in the sentence
LONGEST_SHOWN = 24  # characters of one


def unknown_words(name: str, id: str, reader: Reader, strangers: Sequence[str], script: str) -> UnknownWords:
    """The error for words outside a vocabulary.

    Args:
        name, id: the model's, as shown and as loaded.
        reader: of the side that was typed.
        strangers: the words it does not know, each once.
        script: the spelling in which known words are listed.
    Returns:
        the error; `arguments["every"]` holds the whole list.
    """
    every = [reader.shown(word, script) for word in reader.words if word[0].isalnum()]  # full stops are no news
    named = ", ".join(_short(word) for word in strangers[:STRANGERS]) + (", …" if len(strangers) > STRANGERS else "")
    listed = every if len(every) <= ALL_SHOWN else suggested(strangers, every)
    known = ", ".join(listed) + ("" if len(listed) == len(every) else " …")
    more = "" if len(listed) == len(every) else f" All of them: attnviz words {id}"
    return UnknownWords(
        f"{name} does not know: {named}. It knows {len(every)} words: {known}.{more}",
        id="unknown-words", model=name, words=named, n=len(every), known=known, every=", ".join(every),
    )  # fmt: skip


def suggested(strangers: Sequence[str], every: Sequence[str]) -> list[str]:
    """Some of the known words: those spelled most like the unknown ones, then others from all over the list."""
    near = [
        word
        for stranger in strangers[:STRANGERS]
        for word in get_close_matches(stranger[:LONGEST_SHOWN].lower(), every, n=NEAREST)
    ]
    spread = [every[at * len(every) // SHOWN] for at in range(SHOWN)]
    return list(dict.fromkeys([*near, *spread]))[:SHOWN]


def script_of(pieces: Sequence[Piece], text: str, reader: Reader) -> str:
    """The script in which a text was typed: "zh-TW" where a word of it stands in traditional characters only."""
    for piece in pieces:
        typed = text[slice(*piece.span)]
        if typed != piece.word and typed == reader.shown(piece.word, "zh-TW"):
            return "zh-TW"
    return ""


def _short(word: str) -> str:
    return word if len(word) <= LONGEST_SHOWN else f"{word[:LONGEST_SHOWN]}…"
