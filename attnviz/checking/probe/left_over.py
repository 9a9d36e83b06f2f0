"""Whether a mask that comes after the softmax leaves a query no weight, where a hidden token has taken all of it.

The weights that stay are divided by their sum, which is right as long as there is one. With large scores it is 0, or so
small that what it is raised to outweighs it: the row then comes out as zeros, or NaN.
"""

from __future__ import annotations

from torch import Tensor

from attnviz.checking.call.inputs import Inputs
from attnviz.checking.find.search import agrees
from attnviz.checking.probe.masked import Masked

_GONE = -760.0  # the logarithm of a sum that is 0 in any precision
_WHOLE = -9.0  # of one that nobody's eps outweighs


def nothing_is_left(masked: Masked, inputs: Inputs, allowed: Tensor, theirs: Tensor) -> bool:
    """Whether the output [B, Tq, D] is what such a mask gives; rows with a sum between the two limits say nothing."""
    explanation, mask = masked.understood.explanation, masked.ours(allowed)
    scores = explanation.values(inputs).masked  # [B, H, Tq, Tk]
    kept = scores.masked_fill(~mask, float("-inf"))  # [B, H, Tq, Tk]
    share = kept.logsumexp(-1) - scores.logsumexp(-1)  # [B, H, Tq], of the weights, as a logarithm
    is_gone, is_clear = share < _GONE, (share < _GONE) | (share > _WHOLE)  # [B, H, Tq] each
    empty = explanation.values(inputs, mask & ~is_gone[..., None]).out  # [B, Tq, D], zeros from heads with nothing left
    if share.ndim == theirs.ndim:  # a layer mixes the heads, [B, Tq, D]; a function gives each, [B, H, Tq, Dh]
        is_gone, is_clear = is_gone.any(1), is_clear.all(1)  # [B, Tq] each
    expected = empty.masked_fill(is_gone[..., None], float("nan")) if bool(theirs.isnan().any()) else empty
    return bool((is_gone & is_clear).any()) and agrees(expected[is_clear], theirs[is_clear])
