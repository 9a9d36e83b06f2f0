"""Splits a text into words, and joins words into a text.

A word is a run of letters and digits with what belongs to them (an accent, an apostrophe or a hyphen inside, a point
between digits), one Chinese character, one emoji with all its parts, or one mark. Spaces are not kept; `join_words`
writes them as English and Chinese do, and `find_words` of its text finds the same words.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

# Chinese characters, those of the supplementary planes and 々〆〇 among them: no spaces between, so each is a word.
HAN = re.compile("[\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
# One letter for the kind of each character, see `_kind`; and what makes a word of them:
WORD = re.compile(
    r"hx*"  # a Chinese character
    r"|[wd][wdxj]*(?:(?:['-](?=[wd])|(?<=d)\.(?=d))[wd][wdxj]*)*"  # letters and digits: don't, e-mail, 3.14, 10:30
    r"|ffx*"  # two halves of a flag
    r"|[m'.f-]x*(?:j[mf]?x*)*"  # a mark, or an emoji with all its parts
    r"|[xj]+"  # an accent or a joiner with nothing before it
)
NO_SPACE_BEFORE = re.compile(r"[.,;:!?%)\]}’”。，、；：！？％）］｝」』》〉】〕…～·]")
NO_SPACE_AFTER = re.compile(r"[(\[{$#£€¥‘“。，、；：！？（［｛「『《〈【〔～·]")
REPEATED = re.compile(r"[-—–…=*~.!?]")  # the same mark again stands close to itself: ——, ……, **
JOINER = "\u200d"  # makes one emoji of several
QUOTES = ('"', "'")  # which of the two it is, only the order says


def find_words(text: str) -> list[tuple[int, int]]:
    """Start and end of each word of a text, end excluded."""
    kinds = "".join(map(_kind, text))
    return [match.span() for match in WORD.finditer(kinds)]


@lru_cache(maxsize=4096)
def _kind(character: str) -> str:
    """h Chinese, w letter, d digit, ' . - as in a word, f half a flag, j joiner, x accent, m mark, or a space."""
    if HAN.match(character):
        return "h"
    if character in "'’":
        return "'"
    if character in ".,:-":
        return "-" if character == "-" else "."
    if character.isspace():
        return " "
    if character == JOINER:
        return "j"
    if "\U0001f1e6" <= character <= "\U0001f1ff":
        return "f"
    category = unicodedata.category(character)
    if category[0] == "M" or category == "Cf" or "\U0001f3fb" <= character <= "\U0001f3ff":  # accents, skin colours
        return "x"
    if category == "Nd":
        return "d"
    return "w" if character.isalnum() or character == "_" else "m"


def join_words(words: Sequence[str]) -> str:
    """Words as a text: no space beside Chinese, before a closing mark or after an opening one, one space elsewhere."""
    text, before, is_inside = "", "", False  # is_inside: right after an opening quote
    opened: set[str] = set()
    last = {word: place for place, word in enumerate(words)}
    for place, word in enumerate(words):
        is_opening = word in QUOTES and word not in opened and last[word] > place
        is_closing = word in QUOTES and not is_opening
        is_close = is_inside or is_closing or _is_close_before(word) or _is_close_after(before)
        is_close = is_close or (word == before and REPEATED.fullmatch(word) is not None)
        is_bound = _kind(word[0]) in "xj" or before.endswith(JOINER)  # it would become part of the word before
        text += word if not text or (is_close and not is_bound) else f" {word}"
        opened ^= {word} if is_opening or word in opened else set()
        before, is_inside = word, is_opening
    return text


def _is_close_before(word: str) -> bool:
    return HAN.match(word) is not None or NO_SPACE_BEFORE.fullmatch(word) is not None


def _is_close_after(word: str) -> bool:
    return HAN.match(word) is not None or NO_SPACE_AFTER.fullmatch(word) is not None
