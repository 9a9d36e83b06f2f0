"""Runs a trace's text through its model again, with gradients, for numbers that a trace alone cannot give."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal
from unicodedata import east_asian_width

import torch
from torch import Tensor, nn

from attnviz.core.capture import Recorder
from attnviz.core.edit import Edit
from attnviz.core.errors import InputError, StepError
from attnviz.core.recording import Recording
from attnviz.core.tensor_checks import index_in

if TYPE_CHECKING:
    from attnviz.trace.trace import Trace


@dataclass(frozen=True, eq=False)
class Task:
    """What a task head predicts: the classes of a text, the labels of its tokens, or the span of an answer."""

    of: Literal["classes", "labels", "span"]
    names: tuple[str, ...]  # of the classes or labels; of a span what a token may be, its start or its end
    # last hidden states [T, d_model] of a whole text and its tokens [T] -> [1, n] of classes, else [T, n]
    logits: Callable[[Tensor, Tensor], Tensor]

    def number(self, name: object) -> int:
        """A class by its name or its number from 0."""
        number = self.names.index(name) if isinstance(name, str) and name in self.names else name
        number = index_in(number, len(self.names), from_end=False)
        if number is None:
            known = (*map(repr, self.names[:20]), *(["…"] if len(self.names) > 20 else ()))
            raise InputError(id="no-class", name=repr(name), known=known)
        return number

    def told_apart(self, one: int, other: int | None) -> tuple[str, str]:
        """The names of two classes, refused where they are one; "" for None."""
        if one == other:
            raise InputError(id="one-class-twice", name=repr(self.names[one]))
        return self.names[one], "" if other is None else self.names[other]


@dataclass(frozen=True, eq=False)
class Rerun:
    """The same text through the same model. It lives as long as its trace and is not saved with it.

    Call it inside `record()`, which takes edits and hears every value by name; attention runs on the explicit kernel.
    """

    module: nn.Module  # the whole model; its parameters tell writers apart by name
    table: Tensor  # [V, d_model], the vectors of the tokens
    states: Callable[[int], Tensor]  # n copies of the text -> last hidden states [n, T, d_model]
    # last hidden states [R, d_model] and the tokens read there [R] -> [R, V]; None where there is no vocabulary
    logits: Callable[[Tensor, Tensor], Tensor] | None
    text_of: Callable[[int], str]  # a token of that vocabulary, as shown
    spellings: Callable[[int], Sequence[str]]  # what it can be asked for by, its exact characters first
    norm: Callable[[Tensor], Tensor] | None = None  # what stands between the last block and these states
    source_table: Tensor | None = None  # [V, d_model], the vectors of the tokens of the source, of a model of two texts
    has_one_vocabulary: bool = True  # whether these tokens are numbered as those that are written
    task: Task | None = None  # where there is no vocabulary, but a head of another kind
    edits: tuple[Edit, ...] = ()  # of the run; `states` makes it without them


def rerun_of(trace: Trace, *, takes_edited: bool = False) -> Rerun:
    """How to run a trace's text again; refused for a trace from a file or of a person's own code."""
    if trace.rerun is None:
        raise StepError(id="no-rerun")
    if trace.rerun.edits and not takes_edited:
        raise StepError(id="edited-rerun")
    return trace.rerun


def logits_of(rerun: Rerun, ids: Sequence[int], edits: Sequence[Edit] = ()) -> Tensor:
    """The logits of the whole vocabulary after each token, with their gradients: [T, V]. `edits` follow the run's."""
    assert rerun.logits is not None  # asked by the trace
    with torch.inference_mode(False), torch.enable_grad(), Recorder(Recording, edits=(*rerun.edits, *edits)):
        states = rerun.states(1)[0]  # [T, d_model]
        return rerun.logits(states, torch.tensor(ids, device=states.device))  # [T, V]


def gradient_of(rerun: Rerun, ids: Sequence[int], name: str, position: int, token: int) -> Tensor:
    """The derivative of a token's logit at a position by the value recorded under a name, without the batch axis."""
    leaves: list[Tensor] = []

    def followed(_: str, value: Tensor) -> Tensor:
        leaves.append(value.detach().requires_grad_())
        return leaves[-1]

    logits = logits_of(rerun, ids, (Edit(name, followed, "followed"),))[position]  # [V]
    number = index_in(token, len(logits), from_end=False)
    if number is None:
        raise InputError(id="id-beyond-vocabulary", token=repr(token), last=str(len(logits) - 1))
    if not leaves:
        raise StepError(id="nothing-towards-logits", name=repr(name))
    (gradient,) = torch.autograd.grad(logits[number], leaves[-1], allow_unused=True)
    return torch.zeros_like(leaves[-1][0]) if gradient is None else gradient[0].detach()


def token_id(trace: Trace, rerun: Rerun, token: object, n: int) -> int:
    """The number of a token that is given by its number, whether of Python, numpy or torch, or by its text.

    A bare word is the token with a blank before it, where there is one: so a word stands in a text. Any other text is
    first what a token's characters are exactly, then what it is shown as, then the vocabulary's own spelling of it.
    """
    if isinstance(token, str):
        exact, *others = zip(*(rerun.spellings(one) for one in range(n)), strict=True)
        asked = [(f" {token}", exact)] if has_blank_before(token) else []
        asked += [(token, spellings) for spellings in (exact, *others)]
        token = next((spellings.index(name) for name, spellings in asked if name in spellings), token)
    number = index_in(token, n, from_end=False)
    if number is not None:
        return number
    raise InputError(id="no-token-of-model", token=repr(token), model=trace.card.name, last=str(n - 1))


def has_blank_before(text: str) -> bool:
    """Whether it begins as a word or number that a blank divides from the one before: not Chinese or Japanese."""
    return text[:1].isalnum() and east_asian_width(text[0]) != "W"
