"""The kinds of sentence, and the words that each can be made of. The number of sentences is counted from this list."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from random import Random
from typing import Any

from attnviz.training.tasks.grammar import nouns, sentences
from attnviz.training.tasks.grammar.actions import Action, Actions, Amount, possessions, small_things, spots, verbs
from attnviz.training.tasks.grammar.lexicon import ADJECTIVES, NOUNS, PLACES, Adjective, Noun, Verb, nouns_of, table
from attnviz.training.tasks.grammar.nouns import PRONOUNS, Subject, people
from attnviz.training.tasks.grammar.phrases import Phrase, arranged, word
from attnviz.training.tasks.grammar.sentences import Sentence, action, said, was_so


@dataclass(frozen=True)
class Pattern:
    """One kind of sentence: every combination of its choices is one sentence."""

    name: str
    say: Callable[..., Sentence]
    choices: tuple[Sequence[Any] | Actions, ...]
    says_object: bool = True  # "What did he buy?" does not: actions that differ only in it are one sentence

    @cached_property
    def count(self) -> int:
        return math.prod(self._count(choice) for choice in self.choices)

    def _count(self, choice: Sequence[Any] | Actions) -> int:
        if isinstance(choice, Actions) and not self.says_object:
            return len({(action.verb.base, action.place) for action in choice})
        return sum(1 for _ in choice)

    def draw(self, random: Random) -> Sentence:
        picked = (one.draw(random) if isinstance(one, Actions) else random.choice(one) for one in self.choices)
        return self.say(*picked)


YES_NO_ASKED = ("yes", "no", "asked")
AMOUNTS = ("a", *nouns.NUMBERS)
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


def likeable() -> tuple[Noun, ...]:
    """What one can like in general: "apples", "music", "math"."""
    tags = ("food", "drink", "text", "animal", "plant", "learned", "heard", "heardof", "shown", "kicked", "thrown")
    return nouns_of(tags)


def owned_things() -> tuple[Noun, ...]:
    tags = {"thing", "pet", "vehicle"}
    shared = {"taxi", "bus", "clothes"}
    return tuple(n for n in NOUNS.values() if n.is_counted and n.tags & tags and not n.tags & shared)


def described() -> list[tuple[Subject, Adjective]]:
    """A subject and an adjective that fits it: people, and things one can point at."""
    pairs = [(who, adj) for who in people() for adj in ADJECTIVES.values() if adj.of & who.tags]
    for noun in NOUNS.values():
        if noun.tags & {"person", "weather", "meal"}:
            continue
        forms: tuple[Phrase, ...] = nouns.pointed(noun) if noun.is_counted else (nouns.the(noun),)
        if noun.is_counted and noun.tags & {"thing", "pet", "building"}:
            forms += nouns.owned(noun)
        for adjective in ADJECTIVES.values():
            if adjective.of & noun.tags:
                pairs += [(Subject(form, "third", noun.tags), adjective) for form in forms]
    weather = nouns.the(NOUNS["weather"])
    pairs += [(Subject(weather, "third", frozenset()), ADJECTIVES[name]) for name in ("hot", "cold")]
    return pairs


COMPLAINTS = (
    "busy", "tired", "hungry", "thirsty", "young", "expensive", "old", "big", "small", "heavy", "light", "long",
    "sweet", "cold", "hot",
)  # fmt: skip


def complained_of() -> list[tuple[Subject, Adjective]]:
    """What can be too much; 太 with any other adjective is praise."""
    return [(who, adjective) for who, adjective in described() if adjective.english in COMPLAINTS]


def compared() -> list[tuple[Subject, Adjective, Phrase]]:
    """Two of a kind: "my father … than me", "this book … than that book"."""
    pairs = []
    comparable = [adjective for adjective in ADJECTIVES.values() if adjective.comparative != "-"]
    me = [who.as_object for who in PRONOUNS]
    for who in people():
        if not who.object_form and who.person == "third":
            pairs += [(who, adj, other) for adj in comparable if "kin" in adj.of and adj.of & who.tags for other in me]
    for noun in NOUNS.values():
        if noun.is_counted and not noun.tags & {"person"}:
            here, there = nouns.pointed(noun)
            for adjective in comparable:
                if adjective.of & noun.tags:
                    pairs += [(Subject(a, "third", noun.tags), adjective, b) for a, b in ((here, there), (there, here))]
    return pairs


def destinations() -> tuple[Phrase, ...]:
    """ "to the park" 公园; "went" carries 去."""
    return tuple(
        arranged(f"to~N {place['article']} N", "N", N=word(place["english"], place["simplified"]))
        for name, place in PLACES.items()
        if name not in ("home", "kitchen", "classroom")
    )


def gifts() -> tuple[tuple[Noun, Phrase], ...]:
    given = [n for n in NOUNS.values() if n.is_counted and n.tags & {"goods"} and n.tags & {"thing", "fruit", "plant"}]
    return tuple((noun, form) for noun in given for form in nouns.counted_forms(noun))


def hindered() -> tuple[tuple[Subject, Phrase], ...]:
    """Who was kept from something, and by what: anyone by the weather, a pronoun also by being tired, busy or sick."""
    weather = Subject(nouns.the(NOUNS["weather"]), "third", frozenset())
    reasons = [said("it rained"), said("it snowed"), was_so(weather, "hot"), was_so(weather, "cold")]
    states = [(who, was_so(who, name)) for who in PRONOUNS for name in ("tired", "busy", "sick")]
    return (*((who, reason) for who in people() for reason in reasons), *states)


def not_done() -> tuple[Action | Phrase, ...]:
    """What people leave undone for a reason."""
    left = verbs(lambda verb: verb.kind in ("alone", "name", "one", "the") or verb.base in ("read", "write", "draw"))
    return (*Actions(left, "known", has_places=False), *destinations())


def needed() -> list[tuple[str, Action]]:
    """What hungry and thirsty people do."""
    sentences = []
    for does in Actions(MANY, "counted", has_places=False):
        for name, tag, doing in (("hungry", "food", "eat"), ("thirsty", "drink", "drink")):
            if does.verb.base in (doing, "buy") and does.noun and tag in does.noun.tags:
                sentences.append((name, does))
    return sentences


def others() -> list[tuple[Subject, Subject]]:
    """Someone, and another person as a pronoun."""
    first = ("me", "us")
    pairs = [(who, other) for who in people() for other in PRONOUNS if who != other]
    return [(who, other) for who, other in pairs if not (who.object_form in first and other.object_form in first)]


LASTED = {"worked": "工作", "rested": "休息", "slept": "睡", "waited": "等", "walked": "走"}


def times(tense: str) -> tuple[Phrase, ...]:
    """ "yesterday evening" 昨天晚上: last in an English sentence, before the verb in a Chinese one."""
    return tuple(arranged(row["English"], row["Chinese"]) for row in table("times") if row["tense"] == tense)


def acting(template: str, names: str) -> Callable[..., Sentence]:
    """Says `action` with choices of these names."""
    return lambda *picked: action(template, **dict(zip(names.split(), picked, strict=True)))


@cache
def patterns() -> tuple[Pattern, ...]:
    past, future, habit = times("past"), times("future"), times("habit")
    on_a_day = past[:DAYS]
    spot, thing, anyone = spots(), small_things(), people()
    lasted = [word(*pair) for pair in LASTED.items()]

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
        Pattern("wants", acting("wants", "who mood does"), (anyone, ("yes",), at_once(LASTING, "counted"))),
        Pattern("wants, not", acting("wants", "who mood does"), (anyone, ("no",), at_once(LASTING, "known"))),
        Pattern("can", acting("can", "who mood does"), (anyone, YES_NO_ASKED, at_once(SKILLS, "known"))),
        Pattern("please", acting("please", "mood does"), (("yes", "no"), at_once(ORDERS, "known"))),
        Pattern("likes", sentences.likes, (anyone, YES_NO_ASKED, likeable())),
        Pattern("and you", sentences.and_you, (others(), likeable())),
        Pattern("is a", sentences.is_a, (anyone, YES_NO_ASKED, nouns_of(("job",)))),
        Pattern("is so", sentences.is_so, (described(), ("very", "no", "asked"))),
        Pattern("is too", sentences.is_so, (complained_of(), ("too",))),
        Pattern("than", sentences.than, (compared(),)),
        Pattern("is there", sentences.is_there, (thing, YES_NO_ASKED, spot)),
        Pattern("there is", sentences.there_is, (thing, AMOUNTS, spot)),
        Pattern("where is", sentences.where_is, (possessions(),)),
        Pattern("has", sentences.has, (anyone, ("no", "asked", *AMOUNTS), owned_things())),
        Pattern("gave", sentences.gave, (others(), gifts(), past)),
        Pattern("went", partial(sentences.goes, "went"), (anyone, ("yes", "no"), destinations(), past)),
        Pattern("will go", partial(sentences.goes, "will go"), (anyone, YES_NO_ASKED, destinations(), future)),
        Pattern("for hours", sentences.for_hours, (anyone, lasted, tuple(nouns.NUMBERS), on_a_day)),
        Pattern("because, not", sentences.because_not, (hindered(), not_done(), on_a_day)),
        Pattern("because", sentences.because_did, (PRONOUNS, needed(), on_a_day)),
    )
