"""Cuts typed sentences into words of the grammar and joins words to a sentence: capitals, marks, both scripts."""

import re
from functools import cached_property

from attnviz.training.tasks.grammar.lexicon import CHINESE_WORDS, ENGLISH_WORDS, TRADITIONAL
from attnviz.training.tasks.task import Piece, Tokenizer

TRADITIONAL_SCRIPTS = ("zh-TW", "zh-Hant")
ENGLISH_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d+|[^\w\s]")
# Each part keeps its own characters of the typed word.
CONTRACTIONS = {
    "can't": ("cannot",), "won't": ("will", "not"), "i'm": ("I", "am"), "isn't": ("is", "not"),
    "aren't": ("are", "not"), "wasn't": ("was", "not"), "weren't": ("were", "not"), "don't": ("do", "not"),
    "doesn't": ("does", "not"), "didn't": ("did", "not"), "he's": ("he", "is"), "she's": ("she", "is"),
    "it's": ("it", "is"), "we're": ("we", "are"), "they're": ("they", "are"), "you're": ("you", "are"),
    "i'll": ("I", "will"), "he'll": ("he", "will"), "she'll": ("she", "will"), "we'll": ("we", "will"),
    "they'll": ("they", "will"), "you'll": ("you", "will"),
}  # fmt: skip
OTHER_MARKS = {".": "。", "?": "？", ",": "，", "．": "。", "﹖": "？"}  # as some keyboards type them
CHINESE_NUMBERS = {"2": "两", "3": "三", "4": "四", "5": "五", "10": "十", "1": "一"}
ENGLISH_NUMBERS = {"2": "two", "3": "three", "4": "four", "5": "five", "10": "ten"}


class EnglishTokenizer(Tokenizer):
    """Cuts at spaces and marks; ignores capitals."""

    @cached_property
    def by_small_letters(self) -> dict[str, str]:
        return {word.lower(): word for word in self.words}

    def pieces(self, text: str) -> list[Piece]:
        listed = []
        for match in ENGLISH_WORD.finditer(text):
            typed = match[0].lower().replace("’", "'")
            parts = CONTRACTIONS.get(typed)
            if parts is None:
                word = ENGLISH_NUMBERS.get(typed, self.by_small_letters.get(typed, match[0]))
                listed.append(Piece(word, match.span()))
                continue
            cut = match.start() + (len(typed) if len(parts) == 1 else _cut(typed))
            listed += [Piece(parts[0], (match.start(), cut)), *(Piece(part, (cut, match.end())) for part in parts[1:])]
        return listed

    def text(self, words: tuple[str, ...], script: str = "") -> str:
        """ "she is a doctor ." -> "She is a doctor." """
        said = " ".join(words)
        for mark in ".,?":
            said = said.replace(f" {mark}", mark)
        return said[:1].upper() + said[1:]


def _cut(typed: str) -> int:
    """Where "don't" and "he's" are cut."""
    return len(typed) - 3 if typed.endswith("n't") else typed.index("'")


class ChineseTokenizer(Tokenizer):
    """Takes the longest known word, from left to right, in simplified or traditional characters."""

    @cached_property
    def by_spelling(self) -> dict[str, str]:
        spelled = {self.shown(word, "zh-TW"): word for word in self.words}
        return {**spelled, **{word: word for word in self.words}, **OTHER_MARKS, **CHINESE_NUMBERS}

    def pieces(self, text: str) -> list[Piece]:
        longest = max(len(spelling) for spelling in self.by_spelling)
        cut: list[Piece] = []
        at = 0
        while at < len(text):
            if text[at].isspace():
                at += 1
                continue
            sizes = range(min(longest, len(text) - at), 0, -1)
            size = next((size for size in sizes if text[at : at + size] in self.by_spelling), 0)
            if size:
                cut.append(Piece(self.by_spelling[text[at : at + size]], (at, at + size)))
            elif cut and cut[-1].span[1] == at and cut[-1].word not in self.ids:
                cut[-1] = Piece(text[cut[-1].span[0] : at + 1], (cut[-1].span[0], at + 1))
            else:
                cut.append(Piece(text[at], (at, at + 1)))
            at += size or 1
        return cut

    def text(self, words: tuple[str, ...], script: str = "") -> str:
        return "".join(self.shown(word, script) for word in words)

    def shown(self, word: str, script: str = "") -> str:
        return TRADITIONAL.get(word, word) if script in TRADITIONAL_SCRIPTS else word


ENGLISH, CHINESE = EnglishTokenizer(ENGLISH_WORDS), ChineseTokenizer(CHINESE_WORDS)
