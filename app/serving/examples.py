"""The prepared texts of each model: those it can read, each with the head and token that show what it is about."""

from attnviz_app.serving import long_texts
from attnviz_app.serving.runs import runs

from attnviz.core.errors import AttnvizError
from attnviz.text import Strings
from attnviz.training import TrainedModel
from attnviz.training.best_heads import best_heads
from attnviz.views import Pick

Examples = dict[str, Pick | None]

# Of models of English text. Counted from 0: the head and token in MiniLM-L6 that show what the example is about.
ENGLISH: Examples = {
    "pronoun": Pick(layer=5, head=11, token=8),  # "it" looks at "cat"
    "meanings": Pick(layer=0, head=4, token=9),  # the second bank -> river
    "agreement": Pick(layer=3, head=1, token=8),  # are -> keys
    "repeats": Pick(layer=2, head=9, token=10),  # the second chased -> the first
    "pieces": Pick(layer=5, head=4, token=9),  # va -> bel, inside unbelievably
    "chinese": None,
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
}

# Two texts through one model, by its task: what one other word changes. The second is example-NAME-other.
PAIRS: dict[str | None, tuple[str, ...]] = {
    None: ("pair-pronoun", "pair-trophy", "pair-order"),
    "translate-en-zh": ("pair-en-number",),
    "translate-zh-en": ("pair-zh-number",),
    "induction": ("pair-repeat",),
    **dict.fromkeys(("reverse", "copy", "sort"), ("pair-symbols",)),
}


def examples_of(task: str | None, model: str | None = None) -> Examples:
    """The examples for a task, by name; for no task those of English text.

    Args:
        model: one of that task; each example then has the head that was measured to do in it what the example shows.
    """
    if model in long_texts.MODELS:
        return dict.fromkeys(long_texts.names(runs().limits.long_tokens))
    if task is None:
        return ENGLISH
    heads = _heads(model) if model else {}
    return {name: heads.get(answer) for name, answer in TRAINED[task].items()}


def _heads(name: str) -> dict[str, Pick]:
    """The heads of a small model by the answer each of them gives."""
    try:
        model = runs().model(name)
    except AttnvizError:  # the page that shows it says why
        return {}
    if not isinstance(model, TrainedModel):
        return {}
    return {answer: Pick(chosen.site.layer, chosen.head) for answer, chosen in best_heads(model).items()}


def text_of(name: str, say: Strings) -> str:
    """The text of an example, as this person's language writes it."""
    return long_texts.text(name, say) if name in long_texts.LENGTHS else say(f"example-{name}-text")
