"""Which sentences two models are compared over: texts that both read."""

from __future__ import annotations

from attnviz.analysis.heads.sentences import LANGUAGES, bundled
from attnviz.analysis.heads.survey import readable
from attnviz.core.errors import InputError
from attnviz.trace.model import Model

MANY = 50  # sentences, where nothing else is asked


def common_sentences(model_a: Model, model_b: Model, n: int = MANY, language: str | None = None) -> tuple[str, ...]:
    """Texts that both models may be able to read, the same ones every time.

    A small model that knows few words reads nothing but texts of its own task, so these are taken where one takes part,
    A's first; else sentences of a bundled language that both cards list, spread over the set.

    Args:
        n: at most so many.
        language: "en" or "zh"; the first that both read if not given.
    Raises:
        InputError: no bundled language is read by both, or not the one that was asked for.
    """
    for model in (model_a, model_b):
        own_texts = getattr(model, "own_texts", None)
        if own_texts is not None and language is None:
            return tuple(dict.fromkeys(own_texts(n)))
    asked = LANGUAGES if language is None else (language,)
    both = [it for it in asked if all(readable(model.card, it) for model in (model_a, model_b))]
    if not both:
        names = " and ".join(model.card.name for model in (model_a, model_b))
        raise InputError(
            f"{names} read no bundled language in common. Expected one of {', '.join(asked)}; or bring sentences of "
            "your own.",
            id="no-common-language", models=names, languages=", ".join(asked),
        )  # fmt: skip
    sentences = bundled(both[0])
    step = max(1, len(sentences) // n)
    return sentences[::step][:n]
