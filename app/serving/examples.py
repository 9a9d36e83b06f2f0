"""The prepared texts of each model: those it can read, each with the head and token that show what it is about."""

from attnviz_app.serving import long_texts
from attnviz_app.serving.runs import runs

from attnviz.core.errors import AttnvizError
from attnviz.text import Strings, strings
from attnviz.training import TrainedModel
from attnviz.training.best_heads import best_heads
from attnviz.views import Pick

Examples = dict[str, Pick | None]

CONTINUES = "continues"  # the kind of a model that continues a text of ordinary language, as a task is that of others
# Ordinary texts by the kind of model: sentences for one that only reads them, and for one that continues its text
# beginnings that end where a word is missing.
ORDINARY: dict[str | None, tuple[str, ...]] = {
    None: ("pronoun", "meanings", "agreement", "repeats", "pieces", "chinese"),
    CONTINUES: ("next-capital", "next-name", "next-verb", "next-person", "next-repeat", "next-pattern"),
}
# By the model's name in the catalogue, and counted from 0: the head and token that show what a text is about. Each was
# measured, and tests measure it again (tests/unit/app/serving/test_examples.py); no other model has them.
PICKS: dict[str, dict[str, Pick]] = {
    "minilm-l6": {
        "pronoun": Pick(layer=5, head=11, token=8),  # "it" looks at "cat"
        "meanings": Pick(layer=0, head=4, token=9),  # the second bank -> river
        "agreement": Pick(layer=3, head=1, token=8),  # are -> keys
        "repeats": Pick(layer=2, head=9, token=10),  # the second chased -> the first
        "pieces": Pick(layer=5, head=4, token=9),  # va -> bel, inside unbelievably
    },
    # Of the last token, whose row writes the next one.
    "smollm2-135m": {
        "next-capital": Pick(layer=23, head=4, token=4),  # is -> France, and writes Paris
        "next-name": Pick(layer=23, head=0, token=13),  # to -> Mary, and writes Mary
        "next-verb": Pick(layer=26, head=0, token=6),  # cabinet -> keys, and writes are
        "next-person": Pick(layer=9, head=4, token=5),  # he -> brother; for she it is not
        "next-repeat": Pick(layer=17, head=4, token=12),  # the second "train to" -> what came after the first
        "next-pattern": Pick(layer=17, head=5, token=13),  # the last colon -> an answer before
    },
}
SYMBOLS = ("symbols-word", "symbols-rising", "symbols-same", "symbols-longest")
FROM_ENGLISH = ("en-negation", "en-question", "en-because", "en-measure", "en-time", "en-place")
FROM_CHINESE = ("zh-negation", "zh-question", "zh-because", "zh-measure", "zh-time", "zh-place")
REPEATS = ("repeat-letters", "repeat-short", "repeat-words")
# Of the tasks models are trained for here: each text with the known answer it shows.
TRAINED: dict[str, dict[str, str]] = {
    "translate-en-zh": dict.fromkeys(FROM_ENGLISH, "alignment"),
    "translate-zh-en": dict.fromkeys(FROM_CHINESE, "alignment"),
    "reverse": dict.fromkeys(SYMBOLS, "reverse"),
    "copy": dict.fromkeys(SYMBOLS, "copy"),
    "sort": dict.fromkeys(SYMBOLS, "sort"),
    "induction": {**dict.fromkeys(REPEATS, "induction"), "repeat-previous": "previous"},
    # Beginnings of poems; all but the first were never trained on.
    "poems-zh": {
        "poem-moon": "poem-place",
        "poem-mountain": "poem-place",
        "poem-spring": "poem-place",
        "poem-autumn": "poem-mark",
        "poem-rain": "poem-previous",
    },
    "poems-zh-tw": {
        "poem-tw-moon": "poem-place",
        "poem-tw-mountain": "poem-place",
        "poem-tw-spring": "poem-rhyme",
        "poem-tw-autumn": "poem-mark",
        "poem-tw-rain": "poem-previous",
    },
}

REPEATED_PAIR = "pair-next-repeat"  # what comes next is known from what was said before
# Two texts through one model, by its kind: what one other word changes. The second is example-NAME-other.
PAIRS: dict[str | None, tuple[str, ...]] = {
    None: ("pair-pronoun", "pair-trophy", "pair-order"),
    CONTINUES: ("pair-next-name", "pair-next-capital", "pair-next-verb", "pair-next-person", REPEATED_PAIR),
    "translate-en-zh": ("pair-en-number",),
    "translate-zh-en": ("pair-zh-number",),
    "induction": ("pair-repeat",),
    "poems-zh": ("pair-poem",),
    "poems-zh-tw": ("pair-poem-tw",),
    **dict.fromkeys(("reverse", "copy", "sort"), ("pair-symbols",)),
}


def examples_of(kind: str | None, model: str | None = None) -> Examples:
    """The examples for a kind of model, by name.

    Args:
        kind: the task of a model that was trained for one; `CONTINUES`, or None, of ordinary language.
        model: one of that kind; each example then has the head that was measured to do in it what the example shows.
    """
    if model in long_texts.MODELS:
        return dict.fromkeys(long_texts.names(runs().limits.long_tokens))
    if kind in ORDINARY:
        picks = PICKS.get(model or "", {})
        return {name: picks.get(name) for name in ORDINARY[kind]}
    heads = _heads(model) if model else {}
    return {name: heads.get(answer) for name, answer in TRAINED[str(kind)].items()}


def pick_of(model: str, text: str) -> Pick | None:
    """The head and the token that were measured to show what an ordinary example is about; None of any other text."""
    say = strings("en")  # such texts are the same in every language
    return next((pick for name, pick in PICKS.get(model, {}).items() if text_of(name, say) == text), None)


def _heads(name: str) -> dict[str, Pick]:
    """The heads of a small model by the answer each of them gives."""
    try:
        model = runs().model(name)
    except AttnvizError:  # the page that shows it says why
        return {}
    if not isinstance(model, TrainedModel):
        return {}
    return {answer: Pick(chosen.site.layer, chosen.head) for answer, chosen in best_heads(model).items()}


def pair_with(kind: str | None, text: str, say: Strings) -> tuple[str, ...]:
    """Two prepared texts of a kind of model, of which a text is the first where there are such; () without any."""
    pairs = [(text_of(name, say), say(f"example-{name}-other")) for name in PAIRS.get(kind, ())]
    return next((pair for pair in pairs if pair[0] == text), pairs[0] if pairs else ())


def text_of(name: str, say: Strings) -> str:
    """The text of an example, as this person's language writes it."""
    return long_texts.text(name, say) if name in long_texts.LENGTHS else say(f"example-{name}-text")
