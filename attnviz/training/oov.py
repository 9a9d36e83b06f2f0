"""The error for words that a small model does not know: names the most similar words that it does know."""

from collections.abc import Sequence
from difflib import get_close_matches

from attnviz.core.errors import UnknownWords
from attnviz.training.tasks.task import Piece, Tokenizer

ALL_SHOWN = 60  # a vocabulary of at most so many words is listed whole
SHOWN = 24  # words of a larger one
MOST_NAMED = 8  # unknown words in the sentence
LONGEST = 24  # characters of one


def unknown_words(name: str, id: str, tokenizer: Tokenizer, unknown: Sequence[str], script: str) -> UnknownWords:
    """The error for words outside a vocabulary; known words are listed in a script, `arguments["every"]` holds all.

    Its lists are tuples, which each language joins in its own way.
    """
    every = [tokenizer.shown(word, script) for word in tokenizer.words if word[0].isalnum()]  # without marks
    words = [word for word in unknown if any(c.isalnum() for c in word)] or unknown  # else marks
    typed = [word[:LONGEST] for word in words[:MOST_NAMED]]
    named = (*typed, "…") if len(words) > MOST_NAMED else tuple(typed)
    known = tuple(every)
    if len(every) > ALL_SHOWN:
        near = [match for word in typed for match in get_close_matches(word.lower(), every)]
        others = every[:: len(every) // SHOWN]  # spread over the vocabulary
        known = (*list(dict.fromkeys([*near, *others]))[:SHOWN], "…")
    return UnknownWords(
        id="unknown-words", model=name, name=id, words=named, n=len(every), known=known, every=tuple(every),
    )  # fmt: skip


def script_of(pieces: Sequence[Piece], text: str, tokenizer: Tokenizer) -> str:
    """The script of a typed text: "zh-TW" if it has a word that is written so only in traditional characters."""
    typed = [(text[slice(*piece.span)], piece.word) for piece in pieces]
    is_traditional = any(token != word and token == tokenizer.shown(word, "zh-TW") for token, word in typed)
    return "zh-TW" if is_traditional else ""
