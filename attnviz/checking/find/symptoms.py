"""Four small experiments that narrow down what is wrong where no known mistake explains it.

Each takes something out of attention: with one token there is nothing to choose, with all tokens alike every choice
gives the same, tokens that change places among themselves change nothing for the last one, and texts do not meet.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor

from attnviz.checking.call.inputs import Inputs
from attnviz.checking.find.examination import Examination
from attnviz.checking.find.mistaken import attention
from attnviz.checking.find.search import agrees


@dataclass(frozen=True)
class Symptoms:
    """What holds; None where the candidate does not run so."""

    one_token: bool | None  # with one token it agrees with ours
    alike: bool | None  # with all tokens alike it agrees with ours
    order_free: bool | None  # the last token's output stays when the tokens before it change places
    texts_apart: bool | None  # a text gives alone what it gives beside others

    @property
    def adds_positions(self) -> bool:
        """Whether it is right but for where it looks, and where it looks depends on the places of the tokens."""
        return self.one_token is True and self.alike is True and self.order_free is False


def symptoms_of(examination: Examination, inputs: Inputs, theirs: Tensor) -> Symptoms:
    """Make the experiments; theirs is the output for these inputs."""
    one = replace(examination, sizes=replace(examination.sizes, tokens=1))
    return Symptoms(
        _agrees_with_ours(one, one.inputs(1)),
        _agrees_with_ours(examination, alike(inputs)),
        _is_order_free(examination, inputs, theirs),
        _are_texts_apart(examination, inputs, theirs),
    )


def alike(inputs: Inputs) -> Inputs:
    """The first token of each text in every place."""
    query, key, value = (x[..., :1, :].expand_as(x).clone() for x in inputs)  # [B, T, D] each
    return query, key, value


def _agrees_with_ours(examination: Examination, inputs: Inputs) -> bool | None:
    answer = examination.ask(inputs)
    if answer.out is None:
        return None
    return any(
        agrees(attention(inputs, reading.numbers, reading.variant).out, answer.out.detach())
        for reading in examination.readings
    )


def _is_order_free(examination: Examination, inputs: Inputs, theirs: Tensor) -> bool | None:
    tokens = inputs[1].shape[-2]
    swapped = torch.cat([torch.arange(tokens - 1).flip(0), torch.tensor([tokens - 1])])  # [Tk], the last one stays
    query, key, value = (x.index_select(-2, swapped) for x in inputs)  # [B, T, D] each
    has_own_keys = examination.candidate.signature.n_inputs > 1
    answer = examination.ask((inputs[0] if has_own_keys else query, key, value))
    if answer.out is None or answer.out.shape != theirs.shape:
        return None
    return agrees(theirs[..., -1, :], answer.out.detach()[..., -1, :])


def _are_texts_apart(examination: Examination, inputs: Inputs, theirs: Tensor) -> bool | None:
    if examination.axes == 2 or examination.sizes.batch == 1:
        return True
    query, key, value = (x[:1] for x in inputs)  # [1, T, D] each
    answer = examination.ask((query, key, value))
    if answer.out is None or answer.out.shape[1:] != theirs.shape[1:]:
        return None
    return agrees(theirs[:1], answer.out.detach())
