"""Go on with a poem of the Tang, one character at a time: a language model of four forms of verse.

Nothing says what comes next, but much is known about where a poet looked: at the same place of the line before, at the
rhyme, at the mark that closes a line.
"""

from collections.abc import Callable
from functools import cache
from itertools import islice, zip_longest
from random import Random

from attnviz.training.tasks.poetry import corpus, verse
from attnviz.training.tasks.poetry.corpus import Poem, Script
from attnviz.training.tasks.task import Answer, Example, Piece, Plan, Shape, Split, Task, Tokenizer

TITLED_SHARE = 0.5  # of the poems of a step stand with their title before them, for people mostly type none
LONGEST = 80  # a title of 12 characters, eight lines of 7, and some to spare
VARIANTS = {"裏": "裡", "牀": "床", "爲": "為", "衆": "眾", "峯": "峰", "羣": "群", "眞": "真", "靑": "青", "産": "產"}
OTHER_MARKS = {",": "，", ".": "。", "?": "？", "!": "！", ";": "；"}  # as some keyboards type them


class PoemTokenizer(Tokenizer):
    """Each character is a word; blanks and new lines are left out. A character of the other script, or an old form, is
    read as the one that it stands for, where that is one alone."""

    def __init__(self, script: Script) -> None:
        super().__init__((*verse.MARKS, verse.OPEN, verse.CLOSE, *corpus.characters(script)))
        self.script = script

    def pieces(self, text: str) -> list[Piece]:
        other = corpus.to_simplified() if self.script == "zh-CN" else corpus.to_traditional()
        known = [OTHER_MARKS.get(mark) or (mark if mark in self.ids else VARIANTS.get(mark, mark)) for mark in text]
        return [
            Piece(word if word in self.ids else word.translate(other), (at, at + 1))
            for at, word in enumerate(known)
            if not word.isspace()
        ]

    def text(self, words: tuple[str, ...], script: str = "") -> str:
        return "".join(words)


def example_of(poem: Poem, *, with_title: bool) -> Example:
    title = f"{verse.OPEN}{poem.title}{verse.CLOSE}" if with_title and poem.title else ""
    known = verse.verse(tuple(poem.text))
    return Example(tuple(title + poem.text), kind=f"{known.width}×{len(known.lines)}" if known else "")


def poem_task(name: str, script: Script) -> Task:
    @cache
    def by_form(split: Split) -> dict[str, list[Poem]]:
        forms: dict[str, list[Poem]] = {}
        for poem in corpus.poems(script):
            if poem.split == split:
                forms.setdefault(example_of(poem, with_title=False).kind, []).append(poem)
        return forms

    def training(seed: int, batch_size: int) -> Callable[[int], list[Example]]:
        """Poems of one form a step, so that little is padded; a form as often as it has poems."""
        forms = list(by_form("train").values())
        sizes = [len(poems) for poems in forms]

        def batch(step: int) -> list[Example]:
            random = Random(f"poems {seed} {step}")  # the same poems in both scripts
            (poems,) = random.choices(forms, sizes)
            return [
                example_of(poem, with_title=random.random() < TITLED_SHARE)
                for poem in random.sample(poems, min(batch_size, len(poems)))
            ]

        return batch

    def examples(split: Split, n: int, seed: int) -> tuple[Example, ...]:
        """Different poems of a split without their titles, cycling through the forms; fewer where there are no more."""
        random, forms = Random(f"poems {split} {seed}"), by_form(split)
        mixed = [random.sample(forms[form], len(forms[form])) for form in sorted(forms)]
        in_turn = (poem for turn in zip_longest(*mixed) for poem in turn if poem is not None)
        return tuple(example_of(poem, with_title=False) for poem in islice(in_turn, n))

    def example_for(words: tuple[str, ...]) -> Example | None:
        """For a poem of one of the forms, or the beginning of one."""
        return Example(words) if verse.verse(words) is not None else None

    tokenizer = PoemTokenizer(script)
    return Task(
        name=name,
        has_source=False,
        is_language=True,
        source=tokenizer,
        target=tokenizer,
        max_words=LONGEST,
        plan=Plan(
            Shape(d_model=160, n_heads=8, n_layers=4, d_ff=448, positions="rotary", is_modern=True, dropout=0.1),
            steps=5000,
            batch_size=32,
            learning_rate=3e-3,
            warmup=300,
            n_checkpoints=16,
        ),
        training=training,
        examples=examples,
        example_for=example_for,
        answers=(
            Answer("poem-previous", "self", verse.previous),
            Answer("poem-mark", "self", verse.mark_before),
            Answer("poem-first", "self", verse.first_line),
            Answer("poem-rhyme", "self", verse.rhyme),
            Answer("poem-place", "self", verse.same_place),
        ),
        linking="poem-place",
    )


TASKS = (poem_task("poems-zh", "zh-CN"), poem_task("poems-zh-tw", "zh-TW"))
