"""Learns at load whether the scores that a model's own code made are q·k times a scale, with or without another term.

Of two texts of one length, scores − scale·q·k is the same for both where the rest is a term of the positions (ALiBi,
MPNet), or nothing. Where it is not (DeBERTa adds other products), the scores have no q and k to show.
"""

from torch import Tensor

from attnviz.pretrained.capture.operators import OperatorCall, Scale
from attnviz.trace.verify import TOLERANCE


def learned_scale(one: OperatorCall, other: OperatorCall) -> Scale | None:
    """The scale of one site's scores: 1, 1/√dₖ or 1/dₖ; None where none of them explains the scores of both texts."""
    if one.q is None or other.q is None:
        return None
    width = one.q.shape[-1]
    found = []
    for factor in (1.0, width**-0.5, 1 / width):
        rests = [attended(call.scores - raw_scores(call) * factor, call) for call in (one, other)]  # [n] each
        found.append((largest(rests[0] - rests[1]), factor, rests))
    difference, factor, rests = min(found, key=lambda it: it[0])
    tolerance = TOLERANCE[one.v.dtype] * max(largest(attended(call.scores, call)) for call in (one, other))
    return Scale(factor, largest(rests[0]) <= tolerance) if difference <= tolerance else None


def raw_scores(call: OperatorCall) -> Tensor:
    """QKᵀ of all heads: [B, H, T_q, T_k]."""
    assert call.q is not None and call.k is not None
    return call.q @ call.k.repeat_interleave(call.q.shape[1] // call.k.shape[1], dim=1).mT  # [B, H, T_q, T_k]


def attended(values: Tensor, call: OperatorCall) -> Tensor:
    """The values of [B, H, T_q, T_k] where a query can attend to a key: [n]."""
    values = values.float()
    return values.flatten() if call.allowed is None else values[call.allowed.expand_as(values)]


def largest(values: Tensor) -> float:
    return float(values.abs().amax())
