"""The words of a chain in a person's language: names of matrices, titles of steps, explanations, things to try."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from attnviz.text import Strings
from attnviz.text import strings as catalogue

if TYPE_CHECKING:
    from attnviz.explanation.matrices import Chain, RunStep

# Names on the rail that are symbols, and so the same everywhere; the others are messages.
SYMBOLS = {
    "embed": "X", "qkv": "Q, K, V", "raw": "QKᵀ", "scores": "÷ √Dh", "masked": "+ M", "context": "× V", "mid": "+ X",
    "crossed": "+ X", "block-out": "+ X",
}  # fmt: skip

OTHER_TRIES = (CROSS_MASK_TRY := "step-masked-cross-try", BLOCK_OUT_TRY := "step-out-block-try")

_NUMBERED = re.compile(r"(?P<word>[a-z]+)_(?P<number>\d+)")


def matrix_name(name: str, lang: str) -> str:
    """A matrix's name: symbols are the same everywhere, words are translated, their number kept as an index."""
    say = catalogue(lang, strict=False)
    numbered = _NUMBERED.fullmatch(name)
    word = numbered["word"] if numbered else name
    id = f"stepper-matrix-{word}"
    if not word.islower() or id not in catalogue("en"):
        return name
    return say(id) + (f"_{numbered['number']}" if numbered else "")


def step_words(step: RunStep, chain: Chain, lang: str) -> dict[str, Any]:
    """What is said about one step: title, name on the rail, name of its part, explanation, thing to try."""
    say = catalogue(lang, strict=False)
    return {
        "title": say(f"stepper-title-{step.name}"),
        "stop": SYMBOLS.get(step.group) or say(f"stepper-stop-{step.group}"),
        "part": _part(step, chain, say, lang),
        "says": _filled(say, step.note or step.kind.says),
        "try": _filled(say, try_of(step, chain)),
    }


def try_of(step: RunStep, chain: Chain) -> str:
    """One thing to try, as a message id: another one where the usual one names a control that is not there."""
    if step.name == "masked" and ".cross." in step.key:  # a text that is not one's own has no later tokens
        return CROSS_MASK_TRY
    if step.name == "out" and chain.tab == "block":  # no one head is chosen
        return BLOCK_OUT_TRY
    return step.kind.try_this


def _part(step: RunStep, chain: Chain, say: Strings, lang: str) -> str:
    """The name of one of several steps under one stop: its matrix, and its head where several heads stand there."""
    id = f"stepper-part-{step.name}"
    if id in catalogue("en"):
        return say(id)
    own = [other for other in chain.steps if other.group == step.group]
    name = matrix_name(step.result.name, lang)
    if step.head is None or len({other.head for other in own}) < 2:
        return name
    if len({other.result.name for other in own}) < 2:
        return say("stepper-part-head", n=step.head + 1)
    return f"{name}_{step.head + 1}"


def _filled(say: Strings, id: str) -> str:
    return say(id)
