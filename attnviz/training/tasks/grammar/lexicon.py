"""The words, from tables that a teacher can check (words/*.txt): English, simplified Chinese, the word in Taiwan.

english.txt and chinese.txt list every word that a sentence can have; its line is its id in the translators.
"""

from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True)
class Noun:
    """`plural` is empty for an uncountable noun; then `measure` is a container ("cup/cups/杯") or empty."""

    english: str
    plural: str
    chinese: str
    measure: str
    tags: frozenset[str]

    @property
    def is_counted(self) -> bool:
        return bool(self.plural)


@dataclass(frozen=True)
class Verb:
    """Four English forms, one Chinese form, the nouns it takes as objects, and the places."""

    base: str
    third: str
    past: str
    going: str
    chinese: str
    objects: tuple[str, ...]  # tags of nouns, or nouns; empty for a verb without object
    places: tuple[str, ...]
    kind: str  # object: "many" any quantity, "one" one's own, "the" the only one, "name" no article, "alone" none


@dataclass(frozen=True)
class Adjective:
    english: str
    comparative: str  # empty for "more …", "-" for none
    chinese: str
    of: frozenset[str]  # tags of nouns in "this book is very new"
    before: frozenset[str]  # tags of nouns in "a new book"


def lines(name: str) -> tuple[str, ...]:
    """The lines of words/NAME.txt."""
    return tuple(files(__package__).joinpath(f"words/{name}.txt").read_text(encoding="utf-8").splitlines())


def table(name: str) -> list[dict[str, str]]:
    """The rows of words/NAME.txt by column."""
    columns, *rows = [[cell.strip() for cell in line.split("|")] for line in lines(name)]
    return [dict(zip(columns, row, strict=True)) for row in rows]


def _tags(cell: str) -> frozenset[str]:
    return frozenset(cell.split())


NOUNS = {
    row["english"]: Noun(
        row["english"], row["plural"], row["simplified"], row["measure"], _tags(f"{row['tags']} {row['english']}")
    )
    for row in table("nouns")
}
KIN = {row["english"]: row["simplified"] for row in table("kin")}
VERBS = tuple(
    Verb(
        base=row["base"],
        third=row["third"],
        past=row["past"],
        going=row["going"],
        chinese=row["simplified"],
        objects=tuple(row["objects"].split()),
        places=tuple(row["places"].split()),
        kind=row["kind"],
    )
    for row in table("verbs")
)
ADJECTIVES = {
    row["english"]: Adjective(
        row["english"], row["comparative"], row["simplified"], _tags(row["said of"]), _tags(row["stands before"])
    )
    for row in table("adjectives")
}
PLACES = {row["name"]: row for row in table("places")}
ENGLISH_WORDS, CHINESE_WORDS = lines("english"), lines("chinese")  # Chinese in simplified characters
TRADITIONAL = {
    row["simplified"]: row["traditional"]
    for name in ("nouns", "kin", "verbs", "adjectives", "places", "other")
    for row in table(name)
}


def nouns_of(tags: tuple[str, ...]) -> tuple[Noun, ...]:
    """The nouns with one of these tags (its own name is a tag of each noun), in the order of the table."""
    return tuple(noun for noun in NOUNS.values() if noun.tags & set(tags))
