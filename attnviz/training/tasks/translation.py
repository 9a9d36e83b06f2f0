"""Translate between English and Chinese, over the sentences of one grammar that knows the true word alignment.

Held out are sentences, and combinations: verb-object pairs whose words are both trained, but never together.
"""

from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from itertools import islice
from random import Random

from attnviz.training.tasks.grammar.lexicon import VERBS, nouns_of
from attnviz.training.tasks.grammar.patterns import patterns
from attnviz.training.tasks.grammar.recognition import MARKS, recognised
from attnviz.training.tasks.grammar.sentences import Sentence
from attnviz.training.tasks.grammar.tokenizers import CHINESE, ENGLISH
from attnviz.training.tasks.task import (
    Answer,
    Example,
    Link,
    Plan,
    Shape,
    Split,
    Task,
    distinct,
    hash_fraction,
    linked_keys,
    split_by_hash,
)

HELD_OUT_SHARE = 0.05  # of the sentences; as many again are for validation
HELD_OUT_PAIRS = 0.08  # of the verb-object pairs that can be held out
FEWEST = 4  # objects that each verb keeps in training
POOL = 60_000  # training sentences
# The share of training sources without their full stop, which people leave out too. An encoder uses a mark that is
# always there as scratch space for the time of the sentence, and then no head attends to the word that gives the time.
MARKS_DROPPED = 0.5
LONGEST = 26  # words: the longest sentence and a few to spare


@cache
def held_out_pairs() -> frozenset[str]:
    """The verb-object pairs that are never trained, "buy apple". Each verb takes enough other objects to be learned."""
    pairs = set()
    for verb in VERBS:
        nouns = [noun.english for noun in nouns_of(verb.objects)] if verb.kind == "many" else []
        chosen = [noun for noun in nouns if hash_fraction(f"{verb.base} {noun}", salt="pair") < HELD_OUT_PAIRS]
        pairs |= {f"{verb.base} {noun}" for noun in chosen[: max(0, len(nouns) - FEWEST)]}
    return frozenset(pairs)


def split_of(example: Example) -> Split:
    """By the verb-object pair first, then by the English sentence."""
    if example.combination in held_out_pairs():
        return "combinations"
    english = example.source if example.source[-1].isascii() else example.target
    return split_by_hash(" ".join(english), salt="sentence", held_out=HELD_OUT_SHARE)


def example_of(sentence: Sentence, kind: str, *, is_from_english: bool) -> Example:
    phrase = sentence.phrase
    if is_from_english:
        links = tuple(Link(c, e, sure) for e, c, sure in phrase.links)
        return Example(phrase.english, phrase.chinese, links, kind, sentence.pair)
    links = tuple(Link(e, c, sure) for e, c, sure in phrase.links)
    return Example(phrase.chinese, phrase.english, links, kind, sentence.pair)


def drawn(random: Random, *, is_from_english: bool) -> Iterator[Example]:
    """Sentences without end; every pattern is equally likely."""
    while True:
        pattern = random.choice(patterns())
        yield example_of(pattern.draw(random), pattern.name, is_from_english=is_from_english)


def without_mark(example: Example) -> Example:
    """As people often type it: without the last mark of the source. The target keeps its own."""
    if example.source[-1] not in MARKS:
        return example
    last = len(example.source) - 1
    links = tuple(link for link in example.links if link.source != last)
    return Example(example.source[:-1], example.target, links, example.kind, example.combination)


def translation_task(name: str, n_heads: int, *, is_from_english: bool) -> Task:
    def training(seed: int, batch_size: int) -> Callable[[int], list[Example]]:
        """A pool of sentences, shuffled anew in each epoch; a batch holds sentences of nearly one length."""
        random = Random(f"{name} {seed}")
        wanted = (e for e in drawn(random, is_from_english=is_from_english) if split_of(e) == "train")
        pool = [without_mark(e) if random.random() < MARKS_DROPPED else e for e in islice(wanted, POOL)]
        n_batches = len(pool) // batch_size

        @lru_cache(maxsize=1)
        def shuffled(epoch: int) -> list[list[Example]]:
            random = Random(f"{name} {seed} {epoch}")
            mixed = random.sample(pool, k=len(pool))
            mixed.sort(key=lambda example: (len(example.source), len(example.target)))
            batches = [mixed[at * batch_size : (at + 1) * batch_size] for at in range(n_batches)]
            random.shuffle(batches)
            return batches

        return lambda step: shuffled(step // n_batches)[step % n_batches]

    def examples(split: Split, n: int, seed: int) -> tuple[Example, ...]:
        random = Random(f"{name} {split} {seed}")
        wanted = (e for e in drawn(random, is_from_english=is_from_english) if split_of(e) == split)
        return distinct(lambda _: next(wanted), n)

    def example_for(typed: tuple[str, ...]) -> Example | None:
        """For a sentence of the grammar, with or without its last mark."""
        words = recognised(typed, is_english=is_from_english)
        if words is None:
            return None
        pattern, sentence = words
        example = example_of(sentence, pattern.name, is_from_english=is_from_english)
        return example if example.source == typed else without_mark(example)

    return Task(
        name=name,
        has_source=True,
        source=ENGLISH if is_from_english else CHINESE,
        target=CHINESE if is_from_english else ENGLISH,
        max_words=LONGEST,
        plan=Plan(Shape(d_model=96, d_ff=192, n_heads=n_heads), steps=2500, n_checkpoints=9),
        training=training,
        examples=examples,
        example_for=example_for,
        answers=(Answer("alignment", "cross", linked_keys),),
        splits=("sentences", "combinations"),
        has_end=False,
    )


# The number of heads, 4 or 8, whose best head aligns better in the mean of three seeds: docs/training.md.
EN_ZH = translation_task("translate-en-zh", 8, is_from_english=True)
ZH_EN = translation_task("translate-zh-en", 4, is_from_english=False)
