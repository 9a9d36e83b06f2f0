"""The notation: a phrase is written once in each language, and equal labels say which words belong together.

    arranged("older~b brother=b", "哥哥=b")         brother is 哥哥; "older" helps to say it
    arranged("S V O T .", "S T V 了~V O 。", S=…)   capital letters are slots, filled with phrases

`word=label` is a sure link, `word~label` a possible one (a link is sure only if both sides say `=`). A label that is a
slot's letter means all words of that slot. Words without a label, such as "the" or 吗, are not aligned.
"""

import re
from dataclasses import dataclass
from functools import cache

MARK = re.compile(r"([^=~]+)([=~]?)(.*)")


@dataclass(frozen=True)
class Phrase:
    """The same in both languages."""

    english: tuple[str, ...]
    chinese: tuple[str, ...]
    links: tuple[tuple[int, int, bool], ...] = ()  # (English position, Chinese position, is sure)


NOTHING = Phrase((), ())


@cache
def marks(template: str) -> tuple[tuple[str, str, bool], ...]:
    """The words and slots of a template in order: each one, its label or nothing, and whether that is sure."""
    return tuple((m[1], m[3], m[2] == "=") for m in map(MARK.fullmatch, template.split()) if m)


@dataclass(frozen=True)
class _Side:
    words: tuple[str, ...]
    labels: tuple[tuple[int, str, bool], ...]  # (position, label, is sure)
    starts: dict[str, int]  # the position at which each slot begins


def _side(template: str, slots: dict[str, Phrase], *, is_english: bool) -> _Side:
    words: list[str] = []
    labels, starts = [], {}
    for piece, label, is_sure in marks(template):
        if piece in slots:
            starts[piece] = len(words)
            words += slots[piece].english if is_english else slots[piece].chinese
            continue
        if label:
            labels.append((len(words), label, is_sure))
        words.append(piece)
    return _Side(tuple(words), tuple(labels), starts)


def arranged(english: str, chinese: str, **slots: Phrase) -> Phrase:
    """Fill two templates with the same phrases; links follow their words. A template has a letter at most once."""
    left, right = _side(english, slots, is_english=True), _side(chinese, slots, is_english=False)
    links: set[tuple[int, int, bool]] = set()
    for slot, phrase in slots.items():
        if slot in left.starts and slot in right.starts:
            links |= {(left.starts[slot] + e, right.starts[slot] + c, sure) for e, c, sure in phrase.links}
    for e, label, is_sure in left.labels:
        links |= {(e, c, is_sure and other_sure) for c, other, other_sure in right.labels if other == label}
        if label in slots:
            links |= {(e, right.starts[label] + c, False) for c in range(len(slots[label].chinese))}
    for c, label, _ in right.labels:
        if label in slots:
            links |= {(left.starts[label] + e, c, False) for e in range(len(slots[label].english))}
    return Phrase(left.words, right.words, tuple(sorted(links)))


@cache
def word(english: str, chinese: str) -> Phrase:
    """A word that is one word in Chinese; in English the last word carries the meaning ("older brother")."""
    *before, last = english.split()
    return arranged(" ".join([*(f"{part}~x" for part in before), f"{last}=x"]), f"{chinese}=x")
