"""Three experiments that narrow down what is wrong where no known mistake explains it."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from attnviz.checking.call.inputs import Inputs
from attnviz.checking.find.examination import Examination
from attnviz.checking.find.mistaken import attention
from attnviz.checking.find.search import agrees


@dataclass(frozen=True)
class Symptoms:
    """What holds; None where the candidate does not run so."""

    one_token: bool | None  # with one token, whose one weight is 1, it agrees with ours
    tokens_alike: bool | None  # with all tokens alike, where every choice gives the same, it agrees with ours
    order_free: bool | None  # the last token's output stays the same when the tokens before it change places

    @property
    def adds_positions(self) -> bool:
        """Whether it is right but for where it looks, and where it looks depends on the places of the tokens."""
        return self == Symptoms(True, True, False)


def symptoms_of(examination: Examination, inputs: Inputs, theirs: Tensor) -> Symptoms:
    """Make the experiments; theirs is the output for these inputs."""
    one = examination.resized(tokens=1)
    return Symptoms(
        _agrees_with_ours(one, one.inputs(1)),
        _agrees_with_ours(examination, tokens_alike(inputs)),
        _is_order_free(examination, inputs, theirs),
    )


def tokens_alike(inputs: Inputs) -> Inputs:
    """The first token of each text in every place."""
    query, key, value = (x[..., :1, :].expand_as(x).clone() for x in inputs)  # [B, T, D] each
    return query, key, value


def _agrees_with_ours(examination: Examination, inputs: Inputs) -> bool | None:
    theirs, readings = examination.call(inputs).numbers, examination.readings
    if theirs is None:
        return None
    return any(agrees(attention(inputs, reading.projections, reading.variant).out, theirs) for reading in readings)


def _is_order_free(examination: Examination, inputs: Inputs, theirs: Tensor) -> bool | None:
    tokens = inputs[1].shape[-2]
    order = torch.cat([torch.arange(tokens - 1).flip(0), torch.tensor([tokens - 1])])  # [Tk], the last one stays
    query, key, value = (x.index_select(-2, order) for x in inputs)  # [B, T, D] each
    has_own_keys = examination.candidate.signature.n_inputs > 1
    reordered = examination.call((inputs[0] if has_own_keys else query, key, value)).numbers
    if reordered is None or reordered.shape != theirs.shape:
        return None
    return agrees(theirs[..., -1, :], reordered[..., -1, :])
