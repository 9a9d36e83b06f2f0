"""Translate between English and Chinese, over the sentences of one grammar that knows the true word alignment.

Held out are sentences never trained, and combinations: verb-object pairs of which each word is trained, only never
together. The answer: the row that writes a word ought to look at the word it translates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from itertools import islice
from random import Random

from attnviz.training.tasks.grammar.lexicon import VERBS, nouns_of
from attnviz.training.tasks.grammar.patterns import patterns
from attnviz.training.tasks.grammar.reader import ChineseReader, EnglishReader
from attnviz.training.tasks.grammar.recognition import MARKS, recognised
from attnviz.training.tasks.grammar.sentences import Sentence
from attnviz.training.tasks.symbols import source_looks
from attnviz.training.tasks.task import Answer, Example, Link, Plan, Shape, Split, Task, share

HELD_OUT_SHARE = 0.05  # of the sentences; as many again are for validation
HELD_OUT_PAIRS = 0.08  # of the verb-object pairs that can be held out
FEWEST = 4  # each verb keeps at least so many objects in training
POOL = 60_000  # training sentences
# Of the sources: people leave the full stop out. So many, because a mark that is always there becomes a place where the
# encoder writes down when the sentence happens, and no head then looks at the word that says so.
MARKS_DROPPED = 0.5
LONGEST = 26  # words of the longest sentence and a few to spare


@cache
def held_out_pairs() -> frozenset[str]:
    """The verb-object pairs that are never trained: "buy apple".

    Only verbs that take many objects, so that the verb is learned from the others.
    """
    found = set()
    for verb in VERBS:
        nouns = [noun.english for noun in nouns_of(verb.objects)] if verb.kind == "many" else []
        chosen = [noun for noun in nouns if share(f"{verb.base} {noun}", salt="pair") < HELD_OUT_PAIRS]
        found |= {f"{verb.base} {noun}" for noun in chosen[: max(0, len(nouns) - FEWEST)]}
    return frozenset(found)


def split_of(example: Example) -> Split:
    """By the verb-object pair first, then by the English sentence."""
    if example.combination in held_out_pairs():
        return "combinations"
    english = example.source if example.source[-1].isascii() else example.target
    place = share(" ".join(english), salt="sentence")
    if place < HELD_OUT_SHARE:
        return "sentences"
    return "validation" if place < 2 * HELD_OUT_SHARE else "train"


def exercise(*, is_from_english: bool) -> Callable[[tuple[str, ...]], Example | None]:
    """A sentence that the grammar says, its last mark there or left out."""

    def of(words: tuple[str, ...]) -> Example | None:
        found = recognised(words, is_english=is_from_english)
        if found is None:
            return None
        example = example_of(found.sentence, found.pattern.name, is_from_english=is_from_english)
        return example if example.source == words else without_mark(example)

    return of


def example_of(sentence: Sentence, kind: str, *, is_from_english: bool) -> Example:
    """The sentence as an exercise in one direction."""
    phrase = sentence.phrase
    if is_from_english:
        links = tuple(Link(c, e, sure) for e, c, sure in phrase.links)
        return Example(phrase.english, phrase.chinese, links, kind, sentence.pair)
    links = tuple(Link(e, c, sure) for e, c, sure in phrase.links)
    return Example(phrase.chinese, phrase.english, links, kind, sentence.pair)


def drawn(random: Random, *, is_from_english: bool) -> Iterator[Example]:
    """Sentences without end, every pattern as often as every other."""
    while True:
        pattern = random.choice(patterns())
        yield example_of(pattern.draw(random), pattern.name, is_from_english=is_from_english)


def without_mark(example: Example) -> Example:
    """As people often type it: the last mark of the source left out. The target keeps its own."""
    if example.source[-1] not in MARKS:
        return example
    last = len(example.source) - 1
    links = tuple(link for link in example.links if link.source != last)
    return Example(example.source[:-1], example.target, links, example.kind, example.combination)


@cache
def words() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Every English and every Chinese word the grammar can say.

    Each choice of each pattern is said, with other companions each time round, until a round brings no new word.
    """
    english, chinese = set[str](), set[str]()
    for pattern in patterns():
        options = [tuple(choice) for choice in pattern.choices]
        for turn in range(len(options[0]) + 2):
            known = len(english) + len(chinese)
            for at in range(max(len(own) for own in options)):
                picked = (own[(at + turn * place) % len(own)] for place, own in enumerate(options))
                phrase = pattern.say(*picked).phrase
                english |= set(phrase.english)
                chinese |= set(phrase.chinese)
            if turn and len(english) + len(chinese) == known:
                break
    return tuple(sorted(english)), tuple(sorted(chinese))


def training(name: str, *, is_from_english: bool) -> Callable[[int, int], Callable[[int], list[Example]]]:
    """A pool of training sentences, shuffled anew each time round; a batch holds sentences of nearly one length."""

    def of(seed: int, batch_size: int) -> Callable[[int], list[Example]]:
        random = Random(f"{name} {seed}")
        wanted = (e for e in drawn(random, is_from_english=is_from_english) if split_of(e) == "train")
        pool = [without_mark(e) if random.random() < MARKS_DROPPED else e for e in islice(wanted, POOL)]
        n_batches = len(pool) // batch_size

        @lru_cache(maxsize=1)
        def shuffled(turn: int) -> list[list[Example]]:
            own = Random(f"{name} {seed} {turn}")
            mixed = own.sample(pool, k=len(pool))
            mixed.sort(key=lambda example: (len(example.source), len(example.target)))
            batches = [mixed[at * batch_size : (at + 1) * batch_size] for at in range(n_batches)]
            own.shuffle(batches)
            return batches

        return lambda step: shuffled(step // n_batches)[step % n_batches]

    return of


def examples(name: str, *, is_from_english: bool) -> Callable[[Split, int, int], tuple[Example, ...]]:
    """Sentences of a split, none twice."""

    def of(split: Split, n: int, seed: int) -> tuple[Example, ...]:
        found = dict[tuple[str, ...], Example]()
        for example in drawn(Random(f"{name} {split} {seed}"), is_from_english=is_from_english):
            if split_of(example) == split:
                found.setdefault(example.source, example)
            if len(found) == n:
                break
        return tuple(found.values())

    return of


def _task(name: str, n_heads: int, *, is_from_english: bool) -> Task:
    english, chinese = EnglishReader(lambda: words()[0]), ChineseReader(lambda: words()[1])
    return Task(
        name=name,
        has_source=True,
        source=english if is_from_english else chinese,
        target=chinese if is_from_english else english,
        max_words=LONGEST,
        plan=Plan(Shape(d_model=96, d_ff=192, n_heads=n_heads), steps=2500, n_checkpoints=9),
        training=training(name, is_from_english=is_from_english),
        examples=examples(name, is_from_english=is_from_english),
        split_of=split_of,
        exercise=exercise(is_from_english=is_from_english),
        answers=(Answer("alignment", "cross", source_looks),),
        splits=("sentences", "combinations"),
        has_end=False,
    )


# Of 4 and of 8 heads, those whose best head aligns better, mean of three seeds: docs/training.md.
EN_ZH = _task("translate-en-zh", 8, is_from_english=True)
ZH_EN = _task("translate-zh-en", 4, is_from_english=False)
