"""Recognises a typed sentence of the grammar: generates every sentence that its words allow and compares.

So exactly the sentences that can be drawn are recognised, and the grammar is written only once.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

from attnviz.training.tasks.grammar.actions import Action, Actions
from attnviz.training.tasks.grammar.lexicon import Adjective, Noun, Verb
from attnviz.training.tasks.grammar.nouns import Subject
from attnviz.training.tasks.grammar.patterns import Pattern, patterns
from attnviz.training.tasks.grammar.phrases import Phrase
from attnviz.training.tasks.grammar.sentences import Sentence

MARKS = (".", "?", "。", "？")


@lru_cache(maxsize=256)
def recognised(words: tuple[str, ...], *, is_english: bool) -> tuple[Pattern, Sentence] | None:
    """The sentence of the grammar with these words, with or without its last mark, and what kind it is."""
    typed = _Typed(frozenset(words), is_english)
    for pattern in patterns():
        for picked in product(*(typed.options(choice) for choice in pattern.choices)):
            sentence = pattern.say(*picked)
            said = typed.side(sentence.phrase)
            if words == said or (said[-1] in MARKS and words == said[:-1]):
                return pattern, sentence
    return None


@dataclass(frozen=True)
class _Typed:
    """The words of a text, in any order."""

    words: frozenset[str]
    is_english: bool

    def side(self, phrase: Phrase) -> tuple[str, ...]:
        return phrase.english if self.is_english else phrase.chinese

    def options(self, choice: Sequence[Any] | Actions) -> list[Any]:
        """The choices of a pattern that these words allow."""
        if isinstance(choice, Actions):
            return list(self._actions(choice))
        return [option for option in choice if self.could_hold(option)]

    def _actions(self, choice: Actions) -> Iterator[Action]:
        for verb in filter(self.could_hold, choice.verbs):
            places = [place for place in choice.places(verb) if self.could_hold(place)]
            nouns = choice.nouns(verb)
            said = [(noun, form) for noun in nouns for form in choice.forms(verb, noun) if self.could_hold(form)]
            # "What did he buy?" names no object, so any object will do
            for noun, form in said or [(nouns[0], choice.forms(verb, nouns[0])[0])]:
                yield from (Action(verb, noun, form, place) for place in places)

    def could_hold(self, option: Any) -> bool:
        """Whether the text has the words of an option; an option without words always fits."""
        match option:
            case Phrase():
                return self.words.issuperset(self.side(option))
            case Subject():
                return self.could_hold(option.phrase) or self.could_hold(option.as_object)
            case Action():
                return self.could_hold(option.verb) and self.could_hold(option.object) and self.could_hold(option.place)
            case Verb():
                return self._says((option.base, option.third, option.past, option.going), option.chinese)
            case Noun():
                return self._says((option.english, option.plural), option.chinese)
            case Adjective():
                return self._says((option.english, option.comparative), option.chinese)
            case tuple():
                return all(map(self.could_hold, option))
            case _:
                return True

    def _says(self, english: tuple[str, ...], chinese: str) -> bool:
        forms = english if self.is_english else (chinese,)
        return any(form and self.words.issuperset(form.split()) for form in forms)
