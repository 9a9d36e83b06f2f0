"""The words of a chain in a person's language: names of matrices, titles of steps, explanations, things to try."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import torch

from attnviz.views.stepper.header import StepWords

if TYPE_CHECKING:
    from attnviz.explanation.matrices import Chain, Matrix, RunStep
    from attnviz.text import Strings

# Names on the rail that are symbols, and so the same everywhere; the others are messages.
SYMBOLS = {
    "embed": "X", "qkv": "Q, K, V", "raw": "QKᵀ", "masked": "+ M", "context": "× V", "mid": "+ X",
    "crossed": "+ X", "block-out": "+ X",
}  # fmt: skip

OTHER_TRIES = (
    CROSS_MASK_TRY := "step-masked-cross-try", BLOCK_OUT_TRY := "step-out-block-try",
    OWN_SCALE_TRY := "step-scores-own-try",
)  # fmt: skip
OWN_SCALE, DIVIDED = "scale", "1/√d_k"  # factors of a model with a number of its own, and of one that divides
FROM_OTHER_BLOCK = {  # by the step and the rule of its norm
    ("self-norm", "norm row"): "step-norm-next-block-says", ("self-norm", "rms row"): "step-rms-norm-next-block-says",
    ("final-norm", "norm row"): "step-norm-last-block-says", ("final-norm", "rms row"): "step-rms-norm-last-block-says",
}  # fmt: skip
CROSS_STEPS = ("q", "k", "v", "raw", "masked", "weights", "context")  # of which cross-attention says its own

GROUPED_STEPS = ("split", "raw", "context")  # of which grouped heads say what they share

WHOLE_BLOCKS = ("block", "decoder")  # tabs that go through a whole block
FEED_FORWARD = ("ff-norm", "ff", "ff-norm-after", "block-out")  # groups of steps
AROUND_CROSS, AROUND_SELF = ("cross-norm", "cross-norm-after", "crossed"), ("self-norm", "self-norm-after", "mid")

_NUMBERED = re.compile(r"(?P<word>[a-z]+)_(?P<number>\d+)")


def matrix_name(name: str, say: Strings) -> str:
    """A matrix's name: symbols are the same everywhere, words are translated, their number kept as an index."""
    numbered = _NUMBERED.fullmatch(name)
    word = numbered["word"] if numbered else name
    id = f"stepper-matrix-{word}"
    if not word.islower() or id not in say:
        return name
    return say(id) + (f"_{numbered['number']}" if numbered else "")


def step_words(step: RunStep, chain: Chain, say: Strings) -> StepWords:
    """What is said about one step and all like it: title, name on the rail, explanation, thing to try, code."""
    return {
        "title": say(_title_of(step, say)),
        "stop": _stop(step, chain, say) or say(f"stepper-stop-{step.group}"),
        "section": _section_of(step, chain),
        "says": say(says_of(step, chain)),
        "exercise": say(try_of(step, chain)),
        "code": step.definition.line + _scale_of(step),
        "where": f"{step.definition.code.__module__}.{step.definition.code.__qualname__}",
    }


def _title_of(step: RunStep, say: Strings) -> str:
    title = f"stepper-title-{step.definition.words}"  # of a step that another kind of norm or feed-forward part does
    return title if title in say else f"stepper-title-{step.name}"


def _section_of(step: RunStep, chain: Chain) -> str:
    """The section of the block that a step belongs to; "" before and after the block, and where no block is shown."""
    if chain.tab not in WHOLE_BLOCKS:
        return ""
    if step.group in FEED_FORWARD:
        return "ff"
    if step.name in AROUND_CROSS or ".cross." in step.key:
        return "cross"
    if step.name in AROUND_SELF or ".self." in step.key:
        return "masked-self" if step.key.startswith("decoder.") else "self"
    return ""


def says_of(step: RunStep, chain: Chain) -> str:
    """What is said about a step, as a message id: of a mask and of cross-attention, what they are for."""
    if step.note:
        return step.note
    if (step.name, step.rule) in FROM_OTHER_BLOCK:
        shown, read = (key.rpartition(".")[0] for key in (chain.site, step.operands[0].matrix.key))
        if "." in read and read != shown:  # without a dot: the embedding
            return FROM_OTHER_BLOCK[step.name, step.rule]
    if "table" in step.facts:
        return "step-rotated-stretched-says"
    if step.name == "scores" and DIVIDED not in step.factors:
        return "step-scores-own-says" if OWN_SCALE in step.factors else "step-scores-off-says"
    if step.name == "weights" and step.operands[0].matrix.key not in {other.result.key for other in chain.steps}:
        return "step-weights-heads-says"  # the scores of all heads are no steps of this tab
    if "shared" in step.facts or ("key_head" in step.facts and step.name in GROUPED_STEPS):
        return f"step-{step.name}-grouped-says"
    if ".cross." in step.key:
        return f"step-{step.name}-cross-says" if step.name in CROSS_STEPS else step.definition.says
    if step.name == "masked" and _hides_later(step.operands[1].matrix):
        return f"step-masked-{'window' if _has_window(step.operands[1].matrix) else 'causal'}-says"
    return step.definition.says


def _hides_later(mask: Matrix) -> bool:
    """Whether no row can attend to a later column."""
    values = mask.values  # [T_q, T_k]
    later = torch.ones_like(values, dtype=torch.bool).triu(1 + mask.rows.start - mask.columns.start)  # [T_q, T_k]
    return bool(later.any()) and bool((values[later] < 0).all())


def _has_window(mask: Matrix) -> bool:
    """Whether each row can attend to itself, to so many columns before it, and to no other."""
    rows = torch.arange(mask.rows.start, mask.rows.stop)[:, None]  # [T_q, 1]
    columns = torch.arange(mask.columns.start, mask.columns.stop)  # [T_k]
    seen = mask.values >= 0  # [T_q, T_k]
    back = rows - columns  # [T_q, T_k]
    farthest = int(back[seen].max()) if bool(seen.any()) else 0
    return farthest < int(back.max()) and bool((seen == ((back >= 0) & (back <= farthest))).all())


def _stop(step: RunStep, chain: Chain, say: Strings) -> str | None:
    """The symbol of a stop on the rail; None where its name is a message."""
    if step.group == "scores":
        factors = chain["scores"].factors
        if list(factors) == ["1"]:
            return say("stepper-stop-undivided")
        return " ".join(_factor(symbol) for symbol in factors)
    if step.name == "final-norm" and says_of(step, chain) in FROM_OTHER_BLOCK.values():  # blocks passed over are dots
        return f"… {say(f'stepper-stop-{step.group}')}"
    return SYMBOLS.get(step.group)


def _factor(symbol: str) -> str:
    """What a factor does, as it is read: 1/√d_k divides by √d_k."""
    return f"÷ {symbol.removeprefix('1/')}" if symbol.startswith("1/") else f"× {symbol}"


def _scale_of(step: RunStep) -> str:
    """What the code's own word for the factors of a step stands for, as a comment in it."""
    if step.name != "scores" or OWN_SCALE in step.factors:
        return ""
    under = [symbol.removeprefix("1/").replace("_k", "ₖ") for symbol in step.factors if symbol.startswith("1/")]
    whole = " · ".join(under)
    return f"  # scale = 1/({whole})" if len(under) > 1 else f"  # scale = {'1/' if under else ''}{whole or '1'}"


def try_of(step: RunStep, chain: Chain) -> str:
    """One thing to try, as a message id: another one where the usual one names a control that is not there."""
    if OWN_SCALE in step.factors:
        return OWN_SCALE_TRY
    if step.name == "masked" and ".cross." in step.key:  # a text that is not one's own has no later tokens
        return CROSS_MASK_TRY
    if step.name == "out" and chain.tab == "block":  # no one head is chosen
        return BLOCK_OUT_TRY
    return step.definition.try_this


def part_name(step: RunStep, chain: Chain, say: Strings) -> str:
    """The name of one of several steps under one stop: its matrix, and its head where several heads stand there."""
    id = f"stepper-part-{step.name}"
    if id in say:
        return say(id)
    of_group = [other for other in chain.steps if other.group == step.group]
    name = matrix_name(step.result.name, say)
    if step.head is None or len({other.head for other in of_group}) < 2:
        return name
    if len({other.result.name for other in of_group}) < 2:
        return say("stepper-part-head", n=step.head + 1)
    return f"{name}_{step.head + 1}"
