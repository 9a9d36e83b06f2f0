"""Noun phrases and subjects: "three old books" 三本旧书, "my mother" 我妈妈, "the students" 学生们."""

from dataclasses import dataclass
from functools import cache
from typing import Literal

from attnviz.training.tasks.grammar.lexicon import ADJECTIVES, KIN, NOUNS, Adjective, Noun
from attnviz.training.tasks.grammar.phrases import Phrase, arranged, word

NUMBERS = {"two": "两", "three": "三", "four": "四", "five": "五", "ten": "十"}
POINTERS = {"this": "这", "that": "那"}
OWNERS = {"my": "我", "your": "你", "his": "他", "her": "她"}
VOWELS = "aeiou"

Person = Literal["I", "third", "plural"]


@dataclass(frozen=True)
class Subject:
    """The subject of a sentence, and the verb form it takes in English."""

    phrase: Phrase
    person: Person
    tags: frozenset[str]
    object_form: str = ""  # of a pronoun: "he" -> "him"

    @property
    def as_object(self) -> Phrase:
        """ "me" 我: the form after a verb or "than"."""
        return word(self.object_form, " ".join(self.phrase.chinese)) if self.object_form else self.phrase

    @property
    def is_many(self) -> bool:
        """ "We are teachers", but "you are a teacher": here "you" is one person, 你."""
        return self.person == "plural" and self.object_form != "you"

    @property
    def agreement(self) -> dict[str, str]:
        """The English words that agree with it: see words/sentences.txt."""
        is_third = self.person == "third"
        return {
            "be": {"I": "am", "third": "is", "plural": "are"}[self.person],
            "was": "were" if self.person == "plural" else "was", "does": "does" if is_third else "do",
            "has": "has" if is_third else "have", "s": "s" if is_third else "",
        }  # fmt: skip


def article(following: str) -> str:
    """ "a" or "an", by the sound the next word begins with."""
    return "an" if following[0].lower() in VOWELS else "a"


def bare(noun: Noun) -> Phrase:
    """Without article or number: "apples" 苹果."""
    return word(noun.plural or noun.english, noun.chinese)


def pointed(noun: Noun) -> tuple[Phrase, Phrase]:
    """ "this book" 这本书, "that book" 那本书."""
    this, that = (
        arranged(f"{english}=p N", f"{chinese}=p {noun.measure}~N N", N=word(noun.english, noun.chinese))
        for english, chinese in POINTERS.items()
    )
    return this, that


def owned(noun: Noun) -> tuple[Phrase, ...]:
    """ "my book" 我的书, and with each other owner."""
    return tuple(
        arranged(f"{english}=o N", f"{chinese}=o 的~o N", N=word(noun.english, noun.chinese))
        for english, chinese in OWNERS.items()
    )


def numbered(noun: Noun, number: str) -> Phrase:
    """ "three books" 三本书; the number may be "a"."""
    if number == "a":
        english, chinese, form = article(noun.english), "一", noun.english
    else:
        english, chinese, form = number, NUMBERS[number], noun.plural
    return arranged(f"{english}=n N", f"{chinese}=n {noun.measure}~N N", N=word(form, noun.chinese))


def some(noun: Noun, quantity: str = "some") -> Phrase:
    """ "some books" 一些书, "many books" 很多书."""
    return arranged(f"{quantity}=s N", f"{ {'some': '一些', 'many': '很多'}[quantity] }=s N", N=bare(noun))


def filled(noun: Noun, number: str) -> Phrase:
    """ "two cups of tea" 两杯茶; the number may be "a"."""
    one_vessel, vessels, measure = noun.measure.split("/")
    vessel, chinese = (one_vessel, "一") if number == "a" else (vessels, NUMBERS[number])
    return arranged(f"{number}=n {vessel}=m of N", f"{chinese}=n {measure}=m N", N=word(noun.english, noun.chinese))


def described(noun: Noun, adjective: Adjective) -> Phrase:
    """ "an old book" 一本旧书, "a beautiful skirt" 一条漂亮的裙子: 的 after adjectives of two characters."""
    joint = " 的~d" if len(adjective.chinese) > 1 else ""
    return arranged(
        f"{article(adjective.english)}=a {adjective.english}=d N",
        f"一=a {noun.measure}~N {adjective.chinese}=d{joint} N",
        N=word(noun.english, noun.chinese),
    )


def the(noun: Noun) -> Phrase:
    """ "the door" 门."""
    return arranged("the N", "N", N=word(noun.english, noun.chinese))


@cache
def counted_forms(noun: Noun) -> tuple[Phrase, ...]:
    """The ways to say some of it, or a number of them."""
    if not noun.is_counted:
        vessels = tuple(filled(noun, number) for number in ("a", *NUMBERS)) if "/" in noun.measure else ()
        return (some(noun), *vessels) if "meal" not in noun.tags else (bare(noun),)
    adjectives = (adjective for adjective in ADJECTIVES.values() if adjective.before & noun.tags)
    return (
        *(numbered(noun, number) for number in ("a", *NUMBERS)), some(noun), some(noun, "many"),
        *(described(noun, adjective) for adjective in adjectives),
    )  # fmt: skip


NAMES = {"Tom": "汤姆", "Mary": "玛丽", "David": "大卫", "Anna": "安娜"}
PERSON = frozenset({"person"})
KINSHIP = frozenset({"kin"})
WEDDED = {"wife": ("my", "your", "his"), "husband": ("my", "your", "her")}
PRONOUN_FORMS: tuple[tuple[str, str, Person, str], ...] = (
    ("I", "我", "I", "me"),
    ("you", "你", "plural", "you"),
    ("he", "他", "third", "him"),
    ("she", "她", "third", "her"),
    ("we", "我们", "plural", "us"),
    ("they", "他们", "plural", "them"),
)
PRONOUNS = tuple(Subject(word(english, chinese), person, KINSHIP, me) for english, chinese, person, me in PRONOUN_FORMS)


def relatives() -> tuple[Subject, ...]:
    """ "my older brother" 我哥哥, without 的."""
    return tuple(
        Subject(arranged(f"{owner}=o K", f"{OWNERS[owner]}=o K", K=word(english, chinese)), "third", KINSHIP)
        for english, chinese in KIN.items()
        for owner in WEDDED.get(english, tuple(OWNERS))
    )


@cache
def people() -> tuple[Subject, ...]:
    persons = [noun for noun in NOUNS.values() if "person" in noun.tags]
    named = [Subject(word(english, chinese), "third", KINSHIP) for english, chinese in NAMES.items()]
    single = [
        Subject(phrase, "third", PERSON)
        for noun in persons
        for phrase in (owned(noun) if "close" in noun.tags else (the(noun), *pointed(noun)))
    ]
    plural = [
        Subject(arranged("the N", "N", N=word(noun.plural, f"{noun.chinese}们")), "plural", PERSON)
        for noun in persons
        if "plural" in noun.tags
    ]
    return (*PRONOUNS, *named, *relatives(), *single, *plural)
