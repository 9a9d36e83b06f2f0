"""The poems themselves: those of the npm package chinese-poetry 2.0.1, as scripts/make_poems.py left them.

The file has the pairs of a character of Taiwan and its simplified one where they differ, then a poem a line: title and
text, and both again in simplified characters where the pairs do not give them (乾坤 stays 乾坤, 乾 is 干 elsewhere).
"""

import lzma
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from attnviz.training.tasks.task import Split, hash_fraction

Script = Literal["zh-CN", "zh-TW"]

HERE = Path(__file__).parent
FILE = HERE / "poems.xz"
CHARACTERS: dict[Script, Path] = {"zh-CN": HERE / "simplified.txt", "zh-TW": HERE / "traditional.txt"}
SELDOM = 0.1  # of the times of one character: another that is seldom meant by it
HELD_OUT_SHARE, VALIDATION_SHARE = 0.1, 0.02  # of the poems


@dataclass(frozen=True)
class Poem:
    title: str  # "" where it is long
    text: str
    split: Split  # the same in both scripts


@cache
def poems(script: Script) -> tuple[Poem, ...]:
    """All poems in one script, in the order of the collection."""
    pairs, *lines = _lines()
    table = table_of(pairs)
    return tuple(_poem(line.split("\t"), table if script == "zh-CN" else {}) for line in lines)


def _poem(row: list[str], table: dict[int, str]) -> Poem:
    title, text, *short = row
    split = _split_of(text)
    if table:
        title, text = short or (title.translate(table), text.translate(table))
    return Poem(title, text, split)


def _split_of(text: str) -> Split:
    """By the text in traditional characters alone."""
    fraction = hash_fraction(text, salt="poems")
    if fraction < HELD_OUT_SHARE:
        return "sentences"
    return "validation" if fraction < HELD_OUT_SHARE + VALIDATION_SHARE else "train"


def table_of(pairs: str) -> dict[int, str]:
    """For `str.translate`: the simplified character of each traditional one that has another."""
    return {ord(one): other for one, other in zip(pairs[::2], pairs[1::2], strict=True)}


@cache
def to_simplified() -> dict[int, str]:
    return table_of(_lines()[0])


@cache
def to_traditional() -> dict[int, str]:
    """For `str.translate`: the traditional character of each simplified one that stands for no other."""
    pairs = [(ord(short), chr(code)) for code, short in to_simplified().items()]
    times = Counter(short for short, _ in pairs)
    return {short: one for short, one in pairs if times[short] == 1}


@cache
def simplified_of_others() -> frozenset[str]:
    """Characters that both scripts use, and the simplified one for another as well, which poems have often enough: 后,
    which is 后 or 後; not 秋, which is 鞦 in a swing alone.
    """
    known, times = frozenset(characters("zh-TW")), Counter("".join(poem.text for poem in poems("zh-TW")))
    pairs = [(chr(code), short) for code, short in to_simplified().items() if short in known]
    return frozenset(short for other, short in pairs if times[other] >= SELDOM * times[short])


def characters(script: Script) -> tuple[str, ...]:
    """Those that occur at least five times in the poems that are trained on."""
    return tuple(CHARACTERS[script].read_text(encoding="utf-8"))


def _lines() -> list[str]:
    return lzma.decompress(FILE.read_bytes()).decode("utf-16-le").split("\n")
