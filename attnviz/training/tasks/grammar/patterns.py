"""The kinds of sentence, and the words that each can be made of. The number of sentences is counted from this list."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property, partial
from random import Random
from typing import Any

from attnviz.training.tasks.grammar import nouns, sentences
from attnviz.training.tasks.grammar.actions import (
    Action,
    Actions,
    Amount,
    OneOf,
    Space,
    possessions,
    small_things,
    spots,
    verbs,
)
from attnviz.training.tasks.grammar.lexicon import ADJECTIVES, NOUNS, PLACES, Adjective, Noun, Verb, nouns_of, table
from attnviz.training.tasks.grammar.nouns import Subject, people, pronouns
from attnviz.training.tasks.grammar.phrases import Phrase, arranged, word
from attnviz.training.tasks.grammar.sentences import Sentence, action, said, was_so


@dataclass(frozen=True)
class Pattern:
    """One kind of sentence: every combination of its choices is one sentence."""

    name: str
    say: Callable[..., Sentence]
    choices: tuple[Space[Any], ...]
    says_object: bool = True  # "What did he buy?" does not: actions that differ only in it are one sentence

    @cached_property
    def count(self) -> int:
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


@cache
def likeable() -> OneOf[Noun]:
    """What one can like in general: "apples", "music", "math"."""
    tags = ("food", "drink", "text", "animal", "plant", "learned", "heard", "heardof", "shown", "kicked", "thrown")
    return OneOf(nouns_of(tags))


def owned_things() -> OneOf[Noun]:
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
        if not who.object_form and who.person == "third":
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


def hindered() -> OneOf[tuple[Subject, Phrase]]:
    """Who was kept from something, and by what: anyone by the weather, a pronoun also by being tired, busy or sick."""
    weather = Subject(nouns.the(NOUNS["weather"]), "third", frozenset())
    reasons = [said("it rained"), said("it snowed"), was_so(weather, "hot"), was_so(weather, "cold")]
    states = [(who, was_so(who, name)) for who in pronouns() for name in ("tired", "busy", "sick")]
    return OneOf((*((who, reason) for who in people() for reason in reasons), *states))


def not_done() -> OneOf[Action | Phrase]:
    """What people leave undone for a reason."""
    left = verbs(lambda verb: verb.kind in ("alone", "name", "one", "the") or verb.base in ("read", "write", "draw"))
    return OneOf((*Actions(left, "known", has_places=False), *destinations()))


def needed() -> OneOf[tuple[str, Action]]:
    """What hungry and thirsty people do."""
    found = []
    for does in Actions(MANY, "counted", has_places=False):
        for name, tag, doing in (("hungry", "food", "eat"), ("thirsty", "drink", "drink")):
            if does.verb.base in (doing, "buy") and does.noun and tag in does.noun.tags:
                found.append((name, does))
    return OneOf(tuple(found))


def others() -> OneOf[tuple[Subject, Subject]]:
    """Someone, and another person as a pronoun."""
    first = ("me", "us")
    return OneOf(tuple(
        (who, other) for who in people() for other in pronouns()
        if who != other and not (who.object_form in first and other.object_form in first)
    ))  # fmt: skip


LASTED = {"worked": "工作", "rested": "休息", "slept": "睡", "waited": "等", "walked": "走"}


def times(tense: str) -> tuple[Phrase, ...]:
    """ "yesterday evening" 昨天晚上: last in an English sentence, before the verb in a Chinese one."""
    return tuple(arranged(row["English"], row["Chinese"]) for row in table("times") if row["tense"] == tense)


def acting(template: str, names: str) -> Callable[..., Sentence]:
    """Says `action` with choices of these names."""
    return lambda *picked: action(template, **dict(zip(names.split(), picked, strict=True)))


@cache
def patterns() -> tuple[Pattern, ...]:
    past, future, habit = OneOf(times("past")), OneOf(times("future")), OneOf(times("habit"))
    on_a_day = OneOf(times("past")[:DAYS])
    spot, thing, anyone = OneOf(spots()), OneOf(small_things()), OneOf(people())
    lasted = OneOf(tuple(word(*pair) for pair in LASTED.items()))

    def at_once(verbs: tuple[Verb, ...], amount: Amount) -> Actions:
        return Actions(verbs, amount, has_places=False)

    return (
        *(
            Pattern(name, acting(name, "who does when"), (anyone, does, when))
            for name, does, when in (
                ("past", Actions(OWN, "counted"), past),
                ("past, not", Actions(ANY, "known"), past),
                ("past, asked", at_once(OWN, "known"), past),
                ("habit", Actions(LASTING, "general"), habit),
                ("where, habit", at_once(LASTING, "general"), habit),
                ("future", Actions(ANY, "counted"), future),
                ("future, not", Actions(ANY, "known"), future),
                ("future, asked", at_once(ANY, "known"), future),
            )
        ),
        Pattern("going on", acting("going on", "who does"), (anyone, at_once(GOING, "counted"))),
        Pattern("what", acting("what", "who does when"), (anyone, Actions(WHAT, "known"), past), says_object=False),
        Pattern("who", acting("who", "does when"), (at_once(OWN, "known"), past)),
        Pattern("wants", acting("wants", "who mood does"), (anyone, OneOf(("yes",)), at_once(LASTING, "counted"))),
        Pattern("wants, not", acting("wants", "who mood does"), (anyone, OneOf(("no",)), at_once(LASTING, "known"))),
        Pattern("can", acting("can", "who mood does"), (anyone, YES_NO_ASKED, at_once(SKILLS, "known"))),
        Pattern("please", acting("please", "mood does"), (OneOf(("yes", "no")), at_once(ORDERS, "known"))),
        Pattern("likes", sentences.likes, (anyone, YES_NO_ASKED, likeable())),
        Pattern("and you", sentences.and_you, (others(), likeable())),
        Pattern("is a", sentences.is_a, (anyone, YES_NO_ASKED, OneOf(nouns_of(("job",))))),
        Pattern("is so", sentences.is_so, (OneOf(tuple(described())), OneOf(("very", "no", "asked")))),
        Pattern("is too", sentences.is_so, (OneOf(tuple(complained_of())), OneOf(("too",)))),
        Pattern("than", sentences.than, (OneOf(tuple(compared())),)),
        Pattern("is there", sentences.is_there, (thing, YES_NO_ASKED, spot)),
        Pattern("there is", sentences.there_is, (thing, AMOUNTS, spot)),
        Pattern("where is", sentences.where_is, (OneOf(possessions()),)),
        Pattern("has", sentences.has, (anyone, OneOf(("no", "asked", *AMOUNTS)), owned_things())),
        Pattern("gave", sentences.gave, (others(), gifts(), past)),
        Pattern("went", partial(sentences.goes, "went"), (anyone, OneOf(("yes", "no")), destinations(), past)),
        Pattern("will go", partial(sentences.goes, "will go"), (anyone, YES_NO_ASKED, destinations(), future)),
        Pattern("for hours", sentences.for_hours, (anyone, lasted, OneOf(tuple(nouns.NUMBERS)), on_a_day)),
        Pattern("because, not", sentences.because_not, (hindered(), not_done(), on_a_day)),
        Pattern("because", sentences.because_did, (OneOf(pronouns()), needed(), on_a_day)),
    )
