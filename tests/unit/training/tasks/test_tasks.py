"""The tasks: what is asked, that held-out texts share nothing with training, and what a head ought to do."""

from collections.abc import Callable
from functools import cache

import pytest

from attnviz.training import TASKS
from attnviz.training.expected_answer import ExpectedAnswer, expected_answer
from attnviz.training.tasks import induction, symbol_tasks, translation
from attnviz.training.tasks.induction import LONGEST_TEXT, NEVER_TRAINED, has_period
from attnviz.training.tasks.symbol_tasks import LONGEST, SHORTEST, SYMBOLS
from attnviz.training.tasks.task import Example

KINDS = {"copy": symbol_tasks, "induction": induction, "translate-en-zh": translation, "translate-zh-en": translation}


@cache
def training(name: str) -> Callable[[int], list[Example]]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(translation, "POOL", 4000)
        return TASKS[name].training(0, 64)


@cache
def trained_on(name: str) -> tuple[Example, ...]:
    """What the first sixty steps of a training see."""
    return tuple(example for step in range(60) for example in training(name)(step))


@pytest.mark.parametrize("name", KINDS)
def test_no_text_is_in_two_splits_and_each_split_is_what_it_says(name: str) -> None:
    """Texts are told apart by what is written, as a translator's source may lack its last mark."""
    task, trained = TASKS[name], trained_on(name)
    assert training.__wrapped__(name)(59) == training(name)(59), "a step's examples depend on the seed alone"
    assert not {example.combination for example in trained} & translation.held_out_pairs()
    seen = {example.target or example.source for example in trained}
    for split in ("validation", *task.splits):
        held_out = task.examples(split, 200, 5)
        assert len({example.source for example in held_out}) == 200
        assert {KINDS[name].split_of(example) for example in held_out} == {split}
        texts = {example.target or example.source for example in held_out}
        assert not texts & seen
        seen |= texts


def test_both_words_of_a_held_out_pair_are_trained_with_others() -> None:
    trained = [example.combination.rpartition(" ") for example in trained_on("translate-en-zh")]
    verbs, nouns = {verb for verb, _, _ in trained}, {noun for _, _, noun in trained}
    for pair in translation.held_out_pairs():
        verb, _, noun = pair.rpartition(" ")
        assert verb in verbs and noun in nouns


def test_texts_have_4_to_24_of_thirty_symbols() -> None:
    assert len(SYMBOLS) == len(set(SYMBOLS)) == 30 and (SHORTEST, LONGEST) == (4, 24)
    examples = TASKS["copy"].examples
    every = (*trained_on("copy"), *examples("validation", 100, 5), *examples("sentences", 100, 5))
    sources = [example.source for example in every]
    assert {len(source) for source in sources} == set(range(4, 25))
    assert {symbol for source in sources for symbol in source} == set(SYMBOLS)


@pytest.mark.parametrize(("name", "written", "looks"), [
    ("copy", "da1a", {0: {0}, 1: {1}, 2: {2}, 3: {3}}),
    ("reverse", "a1ad", {0: {3}, 1: {2}, 2: {1}, 3: {0}}),
    ("sort", "1aad", {0: {2}, 1: {1, 3}, 2: {1, 3}, 3: {0}}),  # of two equal symbols either
])  # fmt: skip
def test_what_is_to_be_written_and_where_it_comes_from(name: str, written: str, looks: dict[int, set[int]]) -> None:
    assert expected_answer(TASKS[name], "da1a") == ExpectedAnswer(tuple(written), {name: looks})
    for example in trained_on(name)[:10]:
        keys = {name: TASKS[name].answers[0].expected_keys(example)}
        assert expected_answer(TASKS[name], "".join(example.source)) == ExpectedAnswer(example.target, keys)


def test_a_period_is_found_wherever_it_stands_twice() -> None:
    assert has_period(tuple("xabcabcy"), 3) and has_period(tuple("aaaa"), 2) and has_period(tuple("ababab"), 2)
    assert not has_period(tuple("xabcabx"), 3) and not has_period(tuple("abcd"), 1) and not has_period((), 2)


def test_no_training_text_holds_a_held_out_period_anywhere() -> None:
    for example in trained_on("induction"):
        assert not any(has_period(example.source, period) for period in NEVER_TRAINED), example
    for example in TASKS["induction"].examples("combinations", 40, 5):
        assert int(example.kind) in NEVER_TRAINED and has_period(example.source, int(example.kind))


def test_the_second_half_repeats_the_first_and_every_symbol_of_it_counts() -> None:
    for example in TASKS["induction"].examples("combinations", 40, 5):
        period, n = int(example.kind), len(example.source)
        assert example.source[n - period - 1 :] == example.source[n - 2 * period - 1 : n - period]
        assert [link.target for link in example.links] == list(range(n - period, n))
        assert len(set(example.source[: n - period - 1])) == n - period - 1, "with a symbol twice, two could follow"
        assert n <= LONGEST_TEXT


def test_a_symbol_looks_at_what_followed_it_each_time_before() -> None:
    answer = expected_answer(TASKS["induction"], "a b a c a")  # rows: 0 <start>, 1 a, 2 b, 3 a, 4 c, 5 a
    assert answer is not None
    assert answer.keys["induction"] == {3: {2}, 5: {2, 4}}
    assert answer.keys["previous"] == {2: {1}, 3: {2}, 4: {3}}


@pytest.mark.parametrize(("task", "text"), [("translate-en-zh", "the doctor"), ("reverse", "k ä"), ("copy", "")])
def test_no_answer_is_made_up(task: str, text: str) -> None:
    assert expected_answer(TASKS[task], text) is None


def test_words_come_back_at_any_distance() -> None:
    """Otherwise a model could count back instead of looking for the same symbol."""
    distances = {link.target - link.source for e in trained_on("induction") if e.kind == "words" for link in e.links}
    assert distances >= set(range(2, 20))


def test_what_is_trained_is_covered_but_for_a_few_sequences_in_a_hundred() -> None:
    task, trained = TASKS["copy"], trained_on("copy")
    strange = [example for example in trained if task.example_for(example.source) is None]
    assert len(strange) <= 0.02 * len(trained)
    assert all(2 * len(set(example.source)) < len(example.source) for example in strange)
