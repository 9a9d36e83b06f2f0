"""The sentence for a word that a small model does not know: what it knows instead, the nearest spellings first."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from attnviz.core.errors import InputError, UnknownWords
from attnviz.training.tasks.task import Piece, Reader

ALL_SHOWN = 60  # a vocabulary of so many words is listed whole
SHOWN = 24  # words of a larger one
NEAREST = 3  # for each unknown word
STRANGERS = 8  # unknown words named in the sentence
LONGEST_SHOWN = 24  # characters of one


def unknown_words(name: str, id: str, reader: Reader, strangers: Sequence[str], script: str) -> InputError:
    """The error for words outside a vocabulary.

    Args:
        name, id: the model's, as shown and as loaded.
        reader: of the side that was typed.
        strangers: the words it does not know, each once.
        script: the spelling in which known words are listed.
    Returns:
        the error; `arguments["every"]` holds the whole list. Where nothing but an invisible character is wrong with
        the text, it names that one instead.
    """
    if all(unseen(stranger) for stranger in strangers):
        named = ", ".join(_short(word) for word in strangers[:STRANGERS])
        return InputError(
            f"The text holds a character that cannot be seen ({named}). Delete it.",
            id="invisible-character", character=named,
        )  # fmt: skip
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


def unseen(word: str) -> bool:
    """Whether nothing of a word would be seen."""
    return not any(character.isprintable() and not character.isspace() for character in word)


def _short(word: str) -> str:
    """The word, no longer than can be read, and what cannot be seen in it by its number."""
    seen = (character if character.isprintable() else f" U+{ord(character):04X} " for character in word)
    word = "".join(seen).strip()
    return word if len(word) <= LONGEST_SHOWN else f"{word[:LONGEST_SHOWN]}…"
