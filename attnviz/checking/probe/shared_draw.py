"""Whether dropout draws one number for each weight, or one for several: all heads, all texts, a whole head."""

from __future__ import annotations

from torch import Tensor

from attnviz.checking.report import Finding, Measurement

_TOGETHER = {  # along which axes of [call, text, head, query, key] one draw serves all, and what that is called
    (0,): "the same weights are dropped at every call",
    (3, 4): "all weights of a head are dropped at once, or none",
    (2,): "the same weights are dropped in all heads",
    (1,): "the same weights are dropped in all texts",
    (3,): "a key is dropped for all queries at once",
    (4,): "all weights of a query are dropped at once, or none",
}  # the first that holds is said
_EACH = "kept = torch.rand_like(weights) >= p, one draw a weight; or F.dropout(weights, p, training=self.training)"
_REPEATS = "draw anew at each call: no torch.manual_seed and no generator that starts again in forward"


def shared_draw(dropped: Tensor, is_seen: Tensor, share: float) -> Finding | None:
    """What is wrong with how dropout draws; None where each weight is dropped by itself.

    Args:
        dropped, is_seen: [calls, B, H, Tq, Tk] bool; whether a weight is 0, and whether it would be seen if it were.
        share: of weights that are dropped.
    """
    if not bool((dropped & is_seen).any()):
        return None
    alike = {axis for axis in range(5) if _is_alike(dropped, is_seen, axis)}
    for axes, words in _TOGETHER.items():
        if alike >= set(axes):
            sentence = f"In training mode {words}; expected a draw for each weight of each call by itself."
            id = "dropout-repeats" if axes == (0,) else "dropout-shared"
            fix = _REPEATS if axes == (0,) else _EACH
            return Finding(id, sentence, fix, (Measurement("share dropped", share),))
    return None


def _is_alike(dropped: Tensor, is_seen: Tensor, axis: int) -> bool:
    """Whether along this axis all that is seen is dropped, or nothing, everywhere."""
    if dropped.shape[axis] == 1:
        return False
    is_mixed = (dropped & is_seen).any(axis) & (~dropped & is_seen).any(axis)
    return not bool(is_mixed.any())
