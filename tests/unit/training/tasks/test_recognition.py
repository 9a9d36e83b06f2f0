"""A typed sentence is recognised if and only if the grammar says it, with the links that the grammar gives it."""

from random import Random

import pytest
from attnviz_app.serving.examples import examples_of, text_of

import attnviz as av
from attnviz.text import LANGUAGES, Language, strings
from attnviz.training import TASKS, TrainedModel
from attnviz.training.expected_answer import expected_answer, typed_words
from attnviz.training.tasks.grammar.patterns import patterns
from attnviz.training.tasks.grammar.recognition import recognised
from attnviz.training.tasks.translation import example_of

EACH = 4  # sentences of each pattern


@pytest.mark.parametrize("is_english", [True, False])
def test_every_pattern_is_recognised_with_and_without_its_last_mark_and_in_no_other_order(is_english: bool) -> None:
    random = Random("recognition")
    for pattern in patterns():
        for _ in range(EACH):
            phrase = pattern.draw(random).phrase
            words = phrase.english if is_english else phrase.chinese
            for typed in (words, words[:-1]):
                found = recognised(typed, is_english=is_english)
                assert found is not None, words
                assert (found[0], found[1].phrase) == (pattern, phrase)
        for strange in (words[::-1], (*words, words[0])):
            assert recognised(strange, is_english=is_english) is None


@pytest.mark.parametrize(("name", "inside", "outside"), [
    ("translate-en-zh", "She doesn't like tea", "He yesterday bought two books."),
    ("translate-en-zh", "Who borrowed this bicycle yesterday evening?", "The teacher bought two books."),
    ("translate-en-zh-tw", "My father is taller than me.", "My father is me."),
    ("translate-zh-en", "她昨天在市场买了两本书", "她买了两本书昨天。"),
    ("translate-zh-en", "她昨天在市場買了兩本書。", "两本书。"),
    ("reverse", "stressed", "abc"),
    ("reverse", "banana", "aaaaa"),
    ("reverse", "aabbccdd", "abababab"),
    ("induction", "abcabc", "abcd"),
])  # fmt: skip
def test_a_model_says_whether_a_text_is_of_the_kind_it_was_trained_on(name: str, inside: str, outside: str) -> None:
    model = av.load(name)
    assert isinstance(model, TrainedModel)
    assert model.covers(inside) and not model.covers(outside)


@pytest.mark.parametrize("name", ["translate-en-zh", "translate-zh-en"])
def test_the_known_answer_of_a_typed_sentence_is_that_of_its_example_also_without_the_last_mark(name: str) -> None:
    task, random = TASKS[name], Random("marks")
    for pattern in patterns():
        example = example_of(pattern.draw(random), pattern.name, is_from_english=name == "translate-en-zh")
        whole, end = task.answers[0].expected_keys(example), len(example.source) - 1
        without = {row: keys for row, keys in whole.items() if keys != {end}}
        for words, expected in ((example.source, whole), (example.source[:-1], without)):
            own = expected_answer(task, task.source.text(words))
            assert own is not None and own.written == example.target
            assert own.keys["alignment"] == expected


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("task", TASKS)
def test_every_prepared_text_is_one_that_the_model_was_trained_for(task: str, language: Language) -> None:
    say = strings(language)
    for name in examples_of(task):
        assert TASKS[task].example_for(typed_words(TASKS[task], text_of(name, say))) is not None, name
