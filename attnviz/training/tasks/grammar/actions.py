"""Verb, object and place of a sentence, and which of them go together."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Literal

from attnviz.training.tasks.grammar.lexicon import NOUNS, PLACES, VERBS, Noun, Verb, nouns_of
from attnviz.training.tasks.grammar.nouns import bare, counted_forms, owned, pointed, the
from attnviz.training.tasks.grammar.phrases import NOTHING, Phrase, arranged, word

Amount = Literal["counted", "known", "general"]  # three apples; this apple; apples


@dataclass(frozen=True)
class Action:
    """A verb with its object and its place, if any."""

    verb: Verb
    noun: Noun | None
    object: Phrase
    place: Phrase

    @property
    def pair(self) -> str:
        """The combination that can be held out: "buy apple"."""
        return f"{self.verb.base} {self.noun.english}" if self.noun else ""

    def said(self, form: str) -> Phrase:
        """The verb in one of its English forms: "bought" 买."""
        *before, last = form.split()
        if not before:
            return word(form, self.verb.chinese)
        return arranged(f"{before[0]}=v {last}~v", f"{self.verb.chinese}=v")  # "look for", "listen to"


@cache
def place_phrase(name: str) -> Phrase:
    """ "at the library" 在图书馆."""
    place = PLACES[name]
    return arranged(
        f"{place['preposition']}=in {place['article']} N", "在=in N", N=word(place["english"], place["simplified"])
    )


def objects(verb: Verb, noun: Noun, amount: Amount) -> tuple[Phrase, ...]:
    """The ways to say the object of this verb."""
    if verb.kind == "the" and not noun.is_counted:
        return (the(noun),)
    if verb.kind == "name" or (not noun.is_counted and amount != "counted"):
        return (bare(noun),)
    owners = owned(noun) if is_own(verb, noun) else ()
    if amount == "general":
        return (bare(noun),) if verb.kind == "many" else owners or pointed(noun)
    return counted_forms(noun) if amount == "counted" and verb.kind == "many" else (*pointed(noun), *owners)


def is_own(verb: Verb, noun: Noun) -> bool:
    """Whether the object may have an owner: people read "his book", but do not eat "his apple"."""
    if verb.base in ("buy", "sell", "see", "borrow", "make", "eat", "drink", "draw"):
        return False
    nobodys = {"food", "drink", "plant", "shown", "job", "child", "taxi", "bus"}
    return not noun.tags & nobodys


@dataclass(frozen=True)
class Actions:
    """All actions of some verbs. The verb is drawn first, so that one with many objects is not drawn more often."""

    verbs: tuple[Verb, ...]
    amount: Amount
    has_places: bool = True

    def places(self, verb: Verb) -> tuple[Phrase, ...]:
        return (NOTHING, *(place_phrase(name) for name in verb.places)) if self.has_places else (NOTHING,)

    def nouns(self, verb: Verb) -> tuple[Noun | None, ...]:
        return nouns_of(verb.objects) if verb.objects else (None,)

    def forms(self, verb: Verb, noun: Noun | None) -> tuple[Phrase, ...]:
        return objects(verb, noun, self.amount) if noun else (NOTHING,)

    def draw(self, random: Random) -> Action:
        verb = random.choice(self.verbs)
        noun = random.choice(self.nouns(verb))
        return Action(verb, noun, random.choice(self.forms(verb, noun)), random.choice(self.places(verb)))

    def __iter__(self) -> Iterator[Action]:
        for verb in self.verbs:
            for noun in self.nouns(verb):
                for form in self.forms(verb, noun):
                    for place in self.places(verb):
                        yield Action(verb, noun, form, place)


def verbs(where: Callable[[Verb], bool]) -> tuple[Verb, ...]:
    return tuple(verb for verb in VERBS if where(verb))


SPOTS = {"on": ("上", ("table", "chair", "bed")), "under": ("下面", ("table", "chair", "bed", "tree")),
         "in": ("里", ("box", "schoolbag", "room"))}  # fmt: skip


def spots() -> tuple[Phrase, ...]:
    """ "on the table" 桌子上."""
    return tuple(
        arranged(f"{on}=s the N", f"N {chinese}=s", N=word(noun, NOUNS[noun].chinese))
        for on, (chinese, nouns) in SPOTS.items()
        for noun in nouns
    )


def small_things() -> tuple[Noun, ...]:
    """What can lie on a table or under it."""
    return tuple(n for n in NOUNS.values() if n.is_counted and n.tags & {"text", "tool", "hat", "key", "pet", "fruit"}
                 and not n.tags & {"bicycle", "story", "poem", "email", "article"})  # fmt: skip


def possessions() -> tuple[tuple[Noun, Phrase], ...]:
    """ "my key" 我的钥匙: things that people look for."""
    return tuple((noun, form) for noun in small_things() if "fruit" not in noun.tags for form in owned(noun))
