"""How each kind of sentence is said: fills the templates of words/sentences.txt.

A template has its word order, negation and particles in each language. Over its slots S subject, V verb, O object,
P place and T time, see phrases; {be}, {was}, {does}, {has} and {s} agree with the subject, {a} is "a" or "an". Which
words each kind can be made of is in patterns.
"""

from dataclasses import dataclass

from attnviz.training.tasks.grammar import nouns
from attnviz.training.tasks.grammar.actions import Action
from attnviz.training.tasks.grammar.lexicon import ADJECTIVES, Adjective, Noun, table
from attnviz.training.tasks.grammar.nouns import Subject
from attnviz.training.tasks.grammar.phrases import NOTHING, Phrase, arranged, word

TEMPLATES = {(row["name"], row["mood"]): row for row in table("sentences")}


@dataclass(frozen=True)
class Sentence:
    """A sentence in both languages, and the verb-object pair in it, if any."""

    phrase: Phrase
    pair: str = ""


def said(name: str, who: Subject | None = None, mood: str = "", *, a: str = "", **slots: Phrase) -> Phrase:
    """One template, filled."""
    template = TEMPLATES[name, mood]
    english = template["English"].format(a=a, **({} if who is None else who.agreement))
    return arranged(english, template["Chinese"], S=NOTHING if who is None else who.phrase, **slots)


def action(
    name: str, *, does: Action, who: Subject | None = None, when: Phrase = NOTHING, mood: str = ""
) -> Sentence:  # fmt: skip
    """Somebody does something, in the verb form that the template asks for."""
    template = TEMPLATES[name, mood]
    is_third = who is not None and who.person == "third"
    forms = {"base": does.verb.base, "past": does.verb.past, "going": does.verb.going,
             "present": does.verb.third if is_third else does.verb.base}  # fmt: skip
    verb = does.said(forms[template["verb"]])
    names_object = "O" in template["English"].split()
    return Sentence(
        said(name, who, mood, V=verb, O=does.object, P=does.place, T=when), does.pair if names_object else ""
    )


def likes(who: Subject, mood: str, noun: Noun) -> Sentence:
    return Sentence(said("likes", who, mood, O=nouns.bare(noun)), f"like {noun.english}")


def and_you(persons: tuple[Subject, Subject], noun: Noun) -> Sentence:
    """ "I like tea, what about you?" 我喜欢茶，你呢？"""
    who, other = persons
    return Sentence(said("and you", who, O=nouns.bare(noun), A=other.as_object), f"like {noun.english}")


def is_a(who: Subject, mood: str, job: Noun) -> Sentence:
    """ "My mother is a doctor." 我妈妈是医生。"""
    a, noun = ("", job.plural) if who.is_many else (nouns.article(job.english), job.english)
    return Sentence(said("is a", who, mood, a=a, N=word(noun, job.chinese)))


def is_so(said_of: tuple[Subject, Adjective], mood: str) -> Sentence:
    """ "This room is very big." 这个房间很大。"""
    who, adjective = said_of
    return Sentence(said("is so", who, mood, A=word(adjective.english, adjective.chinese)))


def than(compared: tuple[Subject, Adjective, Phrase]) -> Sentence:
    """ "My father is taller than me." 我爸爸比我高。"""
    who, adjective, other = compared
    degree = adjective.comparative or f"more {adjective.english}"
    return Sentence(said("than", who, O=other, A=word(degree, adjective.chinese)))


def is_there(noun: Noun, mood: str, spot: Phrase) -> Sentence:
    """ "The cat is under the table." 猫在桌子下面。"""
    return Sentence(said("is there", mood=mood, N=word(noun.english, noun.chinese), P=spot))


def there_is(noun: Noun, number: str, spot: Phrase) -> Sentence:
    """ "There are two cats under the table." 桌子下面有两只猫。"""
    mood = "one" if number == "a" else "many"
    return Sentence(said("there is", mood=mood, N=nouns.numbered(noun, number), P=spot))


def where_is(owned: tuple[Noun, Phrase]) -> Sentence:
    """ "Where is my key?" 我的钥匙在哪里？"""
    return Sentence(said("where is", N=owned[1]))


def has(who: Subject, mood: str, noun: Noun) -> Sentence:
    """ "I do not have a car." 我没有汽车。 "I have two cars." 我有两辆汽车。"""
    if mood in ("no", "asked"):
        thing = word(noun.english, noun.chinese)
        return Sentence(said("has", who, mood, a=nouns.article(noun.english), N=thing))
    return Sentence(said("has", who, "yes", N=nouns.numbered(noun, mood)))


def gave(persons: tuple[Subject, Subject], gift: tuple[Noun, Phrase], when: Phrase) -> Sentence:
    """ "She gave me two books yesterday." 她昨天给了我两本书。"""
    who, to = persons
    return Sentence(said("gave", who, R=to.as_object, O=gift[1], T=when), f"give {gift[0].english}")


def goes(name: str, who: Subject, mood: str, to: Phrase, when: Phrase) -> Sentence:
    """ "We went to the park yesterday." 我们昨天去了公园。 "Will you go to Beijing?" 你会去北京吗？"""
    return Sentence(said(name, who, mood, P=to, T=when))


def for_hours(who: Subject, did: Phrase, number: str, when: Phrase) -> Sentence:
    """ "He worked for three hours yesterday." 他昨天工作了三个小时。"""
    return Sentence(said("for hours", who, V=did, N=word(number, nouns.NUMBERS[number]), T=when))


def was_so(who: Subject, name: str) -> Phrase:
    """ "he was very tired" 他很累."""
    return said("was sick", who) if name == "sick" else said("was very", who, A=word(name, ADJECTIVES[name].chinese))


def because(sentence: Sentence, reason: Phrase) -> Sentence:
    """The clauses swap: "He did not work yesterday because he was sick." 因为他生病了，所以他昨天没工作。"""
    whole = sentence.phrase
    clause = Phrase(whole.english[:-1], whole.chinese[:-1], whole.links)  # without its full stop
    return Sentence(said("because", R=clause, C=reason), sentence.pair)


def because_not(caused: tuple[Subject, Phrase], does: Action | Phrase, when: Phrase) -> Sentence:
    """Something did not happen; of a phrase, nobody went there."""
    who, reason = caused
    if isinstance(does, Action):
        return because(action("past, not", who=who, does=does, when=when), reason)
    return because(goes("went", who, "no", does, when), reason)


def because_did(who: Subject, caused: tuple[str, Action], when: Phrase) -> Sentence:
    """ "She drank two bottles of water yesterday because she was very thirsty." """
    name, does = caused
    return because(action("past", who=who, does=does, when=when), was_so(who, name))
