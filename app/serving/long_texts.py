"""Texts beyond what a pretrained model reads: models without training that read them on Heads, and texts to try.

Their weights are random numbers from a seed. They show how a picture of 4,096 tokens is read, not what a model learned.
"""

from functools import cache

from attnviz.analysis.heads.sentences import bundled
from attnviz.scratch.untrained import UntrainedModel, untrained, word_spans
from attnviz.text import Strings

MODELS = ("untrained-decoder", "untrained-encoder")
LENGTHS = {"long-64": 64, "long-256": 256, "long-1024": 1024, "long-4096": 4096}  # tokens, the start token included


def model(name: str, max_tokens: int) -> UntrainedModel:
    """One of `MODELS`, with a place for each token of the longest text."""
    return untrained(name.removeprefix("untrained-"), max_tokens=max_tokens)


def names(limit: int) -> tuple[str, ...]:
    """The prepared texts of at most so many tokens."""
    return tuple(name for name, length in LENGTHS.items() if length <= limit)


def text(name: str, say: Strings) -> str:
    """A prepared text: sentences of this project in the reader's language, from the beginning again where they end."""
    return _text("zh" if say.language.startswith("zh") else "en", LENGTHS[name])


@cache
def _text(language: str, length: int) -> str:
    sentences, between = bundled(language), "" if language == "zh" else " "
    once = between.join(sentences)
    spans = word_spans(once)
    whole, rest = divmod(length - 1, len(spans))  # the start token is no word
    last = [once[: spans[rest - 1][1]]] if rest else []
    return between.join([once] * whole + last)
