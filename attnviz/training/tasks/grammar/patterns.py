"""The kinds of sentence, and the words that each can be made of. The number of sentences is counted from this list."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from random import Random
from typing import Any

from attnviz.training.tasks.grammar import nouns, sentences, times
from attnviz.training.tasks.grammar.actions import (
    Action,
    Actions,
    OneOf,
    Space,
    possessions,
    small_things,
    spots,
    verbs,
)
from attnviz.training.tasks.grammar.lexicon import ADJECTIVES, NOUNS, PLACES, Adjective, nouns_of
from attnviz.training.tasks.grammar.nouns import Subject, people, pronouns
from attnviz.training.tasks.grammar.phrases import Phrase, arranged, word
from attnviz.training.tasks.grammar.sentences import Sentence


@dataclass(frozen=True)
class Pattern:
    """One kind of sentence: every combination of its choices is one sentence."""

    name: str
    say: Callable[..., Sentence]
    choices: tuple[Space[Any], ...]
    says_object: bool = True  # "What did he buy?" does not: actions that differ only in it are one sentence

    @cached_property
    def count(self) -> int:
        """How many sentences it has."""
        return math.prod(self._count(choice) for choice in self.choices)

    def _count(self, choice: Space[Any]) -> int:
        if isinstance(choice, Actions) and not self.says_object:
            return len({(action.verb.base, action.place) for action in choice})
        return sum(1 for _ in choice)

    def draw(self, random: Random) -> Sentence:
        return self.say(*(choice.draw(random) for choice in self.choices))


YES_NO_ASKED = OneOf(("yes", "no", "asked"))
AMOUNTS = OneOf(("a", *nouns.NUMBERS))
MANY = verbs(lambda verb: verb.kind == "many")
OWN = verbs(lambda verb: verb.kind in ("many", "one"))
ANY = verbs(lambda verb: True)
LASTING = verbs(lambda verb: verb.base not in ("find", "see"))  # what people do regularly or wish to do
ASKED_WHAT = ("eat", "drink", "buy", "sell", "read", "write", "draw", "make", "borrow", "send")
WHAT = verbs(lambda verb: verb.base in ASKED_WHAT and verb.kind == "many")
SKILLS = verbs(lambda verb: verb.base in ("speak", "play", "teach", "swim", "sing", "dance", "cook"))
DAYS = 4  # the first times of the past: a day or a part of it
GOING = verbs(lambda verb: verb.base not in ("find", "see", "borrow", "send", "open", "close", "wear"))
ORDERS = verbs(lambda verb: verb.kind in ("the", "one") or verb.base in ("read", "wash", "help", "draw"))


def everyone() -> OneOf[Subject]:
    return OneOf(people())


@cache
def likeable() -> OneOf[Any]:
    """What one can like in general: "apples", "music", "math"."""
    tags = ("food", "drink", "text", "animal", "plant", "learned", "heard", "heardof", "shown", "kicked", "thrown")
    return OneOf(nouns_of(tags))


@cache
def jobs() -> OneOf[Any]:
    return OneOf(nouns_of(("job",)))


@cache
def owned_things() -> OneOf[Any]:
    tags = {"thing", "pet", "vehicle"}
    shared = {"taxi", "bus", "clothes"}
    return OneOf(tuple(n for n in NOUNS.values() if n.is_counted and n.tags & tags and not n.tags & shared))


def described() -> list[tuple[Subject, Adjective]]:
    """A subject and an adjective that fits it: people, and things one can point at."""
    found = [(who, adj) for who in people() for adj in ADJECTIVES.values() if adj.of & who.tags]
    for noun in NOUNS.values():
        if noun.tags & {"person", "weather", "meal"}:
            continue
        counted = noun.is_counted
        forms = [nouns.pointed(noun, pointer) for pointer in nouns.POINTERS] if counted else [nouns.the(noun)]
        if counted and noun.tags & {"thing", "pet", "building"}:
            forms += [nouns.owned(noun, owner) for owner in nouns.OWNERS]
        for adjective in ADJECTIVES.values():
            if adjective.of & noun.tags:
                found += [(Subject(form, "third", noun.tags), adjective) for form in forms]
    weather = nouns.the(NOUNS["weather"])
    found += [(Subject(weather, "third", frozenset()), ADJECTIVES[name]) for name in ("hot", "cold")]
    return found


COMPLAINTS = (
    "busy", "tired", "hungry", "thirsty", "young", "expensive", "old", "big", "small", "heavy", "light", "long",
    "sweet", "cold", "hot",
)  # fmt: skip


def complained_of() -> list[tuple[Subject, Adjective]]:
    """What can be too much; 太 with any other adjective is praise."""
    return [(who, adjective) for who, adjective in described() if adjective.english in COMPLAINTS]


def compared() -> list[tuple[Subject, Adjective, Phrase]]:
    """Two of a kind: "my father … than me", "this book … than that book"."""
    found = []
    comparable = [adjective for adjective in ADJECTIVES.values() if adjective.comparative != "-"]
    me = [who.as_object for who in pronouns()]
    for who in people():
        if not who.is_pronoun and who.person == "third":
            found += [(who, adj, other) for adj in comparable if "kin" in adj.of and adj.of & who.tags for other in me]
    for noun in NOUNS.values():
        if noun.is_counted and not noun.tags & {"person"}:
            here, there = (nouns.pointed(noun, pointer) for pointer in nouns.POINTERS)
            for adjective in comparable:
                if adjective.of & noun.tags:
                    found += [(Subject(a, "third", noun.tags), adjective, b) for a, b in ((here, there), (there, here))]
    return found


def destinations() -> OneOf[Phrase]:
    """ "to the park" 公园; "went" carries 去."""
    return OneOf(tuple(
        arranged(f"to~N {place.article + ' ' if place.article else ''}N", "N", N=word(place.english, place.chinese))
        for name, place in PLACES.items() if name not in ("home", "kitchen", "classroom")
    ))  # fmt: skip


def gifts() -> OneOf[Any]:
    given = [n for n in NOUNS.values() if n.is_counted and n.tags & {"goods"} and n.tags & {"thing", "fruit", "plant"}]
    return OneOf(tuple((noun, form) for noun in given for form in nouns.counted_forms(noun)))


def state(name: str) -> Callable[[Subject], Phrase]:
    """ "he was very tired" 他很累."""
    own = ADJECTIVES[name].chinese
    return lambda who: arranged(f"S {who.was_form} very=v {name}=a", f"S 很=v {own}=a", S=who.phrase)


def sick(who: Subject) -> Phrase:
    return arranged(f"S {who.was_form} sick=a", "S 生病=a 了~a", S=who.phrase)


def hindered() -> OneOf[tuple[Subject, Phrase]]:
    """Who was kept from something, and by what: anyone by the weather, a pronoun also by being tired, busy or sick."""
    weather = [arranged("it rained=r", "下雨=r 了~r"), arranged("it snowed=r", "下雪=r 了~r")] + [
        arranged(f"the weather=w was very=v {name}=a", f"天气=w 很=v {ADJECTIVES[name].chinese}=a")
        for name in ("hot", "cold")
    ]
    states = [(who, said(who)) for who in pronouns() for said in (*(state(name) for name in ("tired", "busy")), sick)]
    return OneOf((*((who, said) for who in people() for said in weather), *states))


def not_done() -> OneOf[Action | Phrase]:
    """What people leave undone for a reason."""
    left = verbs(lambda verb: verb.kind in ("alone", "name", "one", "the") or verb.base in ("read", "write", "draw"))
    return OneOf((*Actions(left, "known", has_places=False), *destinations()))


def needed() -> OneOf[tuple[Callable[[Subject], Phrase], Action]]:
    """What hungry and thirsty people do."""
    found: list[tuple[Callable[[Subject], Phrase], Action]] = []
    for action in Actions(MANY, "counted", has_places=False):
        for name, tag, doing in (("hungry", "food", "eat"), ("thirsty", "drink", "drink")):
            if action.verb.base in (doing, "buy") and action.noun and tag in action.noun.tags:
                found.append((state(name), action))
    return OneOf(tuple(found))


def others() -> OneOf[tuple[Subject, Subject]]:
    """Someone, and another person as a pronoun."""
    first = ("me", "us")
    return OneOf(tuple(
        (who, other) for who in people() for other in pronouns()
        if who != other and not (who.object_form in first and other.object_form in first)
    ))  # fmt: skip


LASTED = {"worked": "工作", "rested": "休息", "slept": "睡", "waited": "等", "walked": "走"}


@cache
def patterns() -> tuple[Pattern, ...]:
    """Every kind of sentence."""
    past, future, habitual = OneOf(times.past()), OneOf(times.future()), OneOf(times.habitual())
    on_a_day = OneOf(times.past()[:DAYS])
    spot, thing = OneOf(spots()), OneOf(small_things())
    lasted = OneOf(tuple(word(*pair) for pair in LASTED.items()))
    return (
        Pattern("past", sentences.past, (everyone(), Actions(OWN, "counted"), past)),
        Pattern("past, not", sentences.past_not, (everyone(), Actions(ANY, "known"), past)),
        Pattern("past, asked", sentences.past_asked, (everyone(), Actions(OWN, "known", has_places=False), past)),
        Pattern("habit", sentences.habit, (everyone(), Actions(LASTING, "general"), habitual)),
        Pattern("where, habit", sentences.where_habit,
                (everyone(), Actions(LASTING, "general", has_places=False), habitual)),
        Pattern("future", sentences.future, (everyone(), Actions(ANY, "counted"), future)),
        Pattern("future, not", sentences.future_not, (everyone(), Actions(ANY, "known"), future)),
        Pattern("future, asked", sentences.future_asked, (everyone(), Actions(ANY, "known", has_places=False), future)),
        Pattern("going on", sentences.going_on, (everyone(), Actions(GOING, "counted", has_places=False))),
        Pattern("what", sentences.what, (everyone(), Actions(WHAT, "known"), past), says_object=False),
        Pattern("who", sentences.who_did, (Actions(OWN, "known", has_places=False), past)),
        Pattern("wants", sentences.wants,
                (everyone(), OneOf((False,)), Actions(LASTING, "counted", has_places=False))),
        Pattern("wants, not", sentences.wants,
                (everyone(), OneOf((True,)), Actions(LASTING, "known", has_places=False))),
        Pattern("can", sentences.can, (everyone(), YES_NO_ASKED, Actions(SKILLS, "known", has_places=False))),
        Pattern("please", sentences.please, (OneOf(("yes", "no")), Actions(ORDERS, "known", has_places=False))),
        Pattern("likes", sentences.likes, (everyone(), YES_NO_ASKED, likeable())),
        Pattern("and you", sentences.and_you, (others(), likeable())),
        Pattern("is a", sentences.is_a, (everyone(), YES_NO_ASKED, jobs())),
        Pattern("is so", sentences.is_so, (OneOf(tuple(described())), OneOf(("very", "no", "asked")))),
        Pattern("is too", sentences.is_so, (OneOf(tuple(complained_of())), OneOf(("too",)))),
        Pattern("than", sentences.than, (OneOf(tuple(compared())),)),
        Pattern("is there", sentences.is_there, (thing, YES_NO_ASKED, spot)),
        Pattern("there is", sentences.there_is, (thing, AMOUNTS, spot)),
        Pattern("where is", sentences.where_is, (OneOf(possessions()),)),
        Pattern("has", sentences.has, (everyone(), OneOf(("no", "asked", *AMOUNTS)), owned_things())),
        Pattern("gave", sentences.gave, (others(), gifts(), past)),
        Pattern("went", sentences.went, (everyone(), OneOf(("yes", "no")), destinations(), past)),
        Pattern("will go", sentences.will_go, (everyone(), YES_NO_ASKED, destinations(), future)),
        Pattern("for hours", sentences.for_hours, (everyone(), lasted, OneOf(tuple(nouns.NUMBERS)), on_a_day)),
        Pattern("because, not", sentences.because_not, (hindered(), not_done(), on_a_day)),
        Pattern("because", sentences.because_did, (OneOf(pronouns()), needed(), on_a_day)),
    )  # fmt: skip
