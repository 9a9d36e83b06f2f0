"""What to say of an output that no known mistake gives: where it differs, and what is not the cause."""

import torch
from torch import Tensor, nn

from attnviz.checking.call.candidate import Answer, side_effects
from attnviz.checking.call.inputs import Inputs
from attnviz.checking.find.examination import Examination, gap
from attnviz.checking.find.mistaken_attention import Values
from attnviz.checking.find.mixed_heads import heads_mixed_up
from attnviz.checking.find.search import agrees
from attnviz.checking.read.parameter_roles import attentions_in, python_path
from attnviz.checking.report import Finding

IMPRECISE = 0.02  # of the largest value: what bfloat16 inside costs
_WITHOUT = (
    "Ours has no q and k norm, softcap or gate, and of positions only rotary ones and ALiBi: if yours has others on "
    "purpose, check it with them switched off"
)
_CLUES = {  # whether it agrees with ours when all tokens are alike: what that rules out, and where to look
    None: ("", f"compare it step by step. {_WITHOUT}"),
    False: (" With all tokens alike, where every weight gives the same, it differs too: W_V, the heads' splitting and "
            "joining, W_O or the sums of the rows are wrong.",
            "look at W_V, W_O, .view, .transpose and .reshape, and at what else is done to x or to the output; a fused "
            "matrix is read as queries, keys, values, or head after head"),
    True: (" With all tokens alike it agrees: W_V, the joining of the heads and W_O are right, and the fault is in "
           "where it looks.", f"look at q, k, the scale and the softmax. {_WITHOUT}"),
}  # fmt: skip
_ADDS_POSITIONS = (
    "Where it looks depends on the places of the tokens; in plain attention it does not. Either it adds positions "
    "(none of those that were tried: rotary of the usual kinds and ALiBi), or it treats keys by their places, as a "
    "window of neighbours does."
)
_PLACES = (
    "if it adds positions on purpose, check it with them switched off; if not, look for .roll, for slices along the "
    "keys, and in a running softmax for blocks that are not rescaled to the new maximum"
)


def wrong_shape(examination: Examination, inputs: Inputs, theirs: Tensor) -> Finding:
    shape = examination.out_shape(inputs)
    came = f"The output has shape {list(theirs.shape)}; expected {list(shape)}"
    names = ("batch", "head", "token", "feature") if len(shape) == 4 else ("batch", "token", "feature")[-len(shape) :]
    return Finding("wrong-shape", came + ".", f"each query gives one row: [{', '.join(names)}]")


def without_explanation(examination: Examination, inputs: Inputs, answer: Answer) -> Finding:
    """What to say of an output that no known fault gives, the more exact answers first."""
    theirs = answer.numbers
    assert theirs is not None  # checked before
    changed = side_effects(answer, "input-overwritten", "parameters-changed")
    known = next(iter(changed), None) or heads_mixed_up(examination, inputs, theirs)
    if known is None and not bool(torch.isfinite(theirs).all()):
        place = (~torch.isfinite(theirs)).nonzero()[0].tolist()
        sentence = f"The output holds NaN or infinite numbers, the first at {place}, with no mask."
        fix = "look for a division by zero, or exp of large scores: torch.softmax subtracts the maximum"
        return Finding("not-finite", sentence, fix)
    return known or _differs(examination, inputs, answer, theirs)


def _differs(examination: Examination, inputs: Inputs, answer: Answer, theirs: Tensor) -> Finding:
    reading = examination.readings[0]
    values = reading.values(inputs)
    (tokens_alike, order_free), others = symptoms_of(examination, inputs, theirs), other_parameters(examination)
    measured = gap("largest difference of the output", values.out, theirs)
    if measured.value < IMPRECISE * float(values.out.abs().max()):
        sentence = f"The output agrees with ours to within {IMPRECISE:.0%} of its largest value and no better."
        return Finding("imprecise", sentence, "look for .half(), .bfloat16() and rounding inside", (measured,))
    if tokens_alike and order_free is False:  # right but for where it looks, and that depends on places
        return Finding("adds-positions", _ADDS_POSITIONS + others, _PLACES, (measured,))
    inside = attention_inside(examination)
    if inside:
        sentence = f"It is more than an attention layer, so there is no verdict.{others}"
        return Finding("more-than-attention", sentence, f"check the attention inside: {inside}", (measured,))
    clue, fix = _CLUES[tokens_alike]
    of_weights, better = _of_weights(values, answer)
    sentence = f"The output differs from ours and no known mistake explains it.{clue}{of_weights}{others}"
    return Finding("differs", sentence, better or fix, (measured,))


def _of_weights(values: Values, answer: Answer) -> tuple[str, str]:
    """What the returned weights say, and the better fix that follows."""
    returned = next((t.detach() for _, t in answer.others if t.shape == values.weights.shape), None)
    if returned is None:
        return "", ""
    if agrees(values.weights, returned):
        fix = "look at weights @ v, at how the heads are joined, and at the output projection"
        return " The weights agree with ours, so the fault comes after the softmax.", fix
    clue = " The weights differ too."
    sums = returned.sum(-1)  # [B, H, T_q]
    if not agrees(torch.ones_like(sums), sums):
        clue += f" Their rows sum to between {float(sums.min()):.3g} and {float(sums.max()):.3g}; expected 1."
    return clue, ""


def attention_inside(examination: Examination) -> str:
    """The call that checks the attention inside a larger module; empty where the layer is itself attention."""
    subject = examination.candidate.subject
    inside = attentions_in(subject) if isinstance(subject, nn.Module) else []
    is_larger = inside and inside[0] and other_parameters(examination)
    return f"check_attention({python_path(inside[0])})" if is_larger else ""


def other_parameters(examination: Examination) -> str:
    """A sentence about parameters that are none of W_Q, W_K, W_V, W_O; empty where there are none."""
    layout = examination.readings[0].layout
    others = [name for name in examination.candidate.parameters() if layout and name not in layout.names]
    if any(name.endswith(("bias_k", "bias_v")) for name in others):
        return " It adds a key of its own to every text (add_bias_kv), which ours has not: build it without."
    listed = ", ".join(others[:3]) + (f" and {len(others) - 3} more" if len(others) > 3 else "")
    return f" It has parameters that are no part of attention ({listed}): check the attention alone." if others else ""


def symptoms_of(examination: Examination, inputs: Inputs, theirs: Tensor) -> tuple[bool | None, bool | None]:
    """Two experiments; None where the candidate does not run so.

    Whether it agrees with ours when all tokens are alike, where every choice gives the same; and whether the last
    token's output stays the same when the tokens before it change places.
    """
    query, key, value = (x[..., :1, :].expand_as(x).clone() for x in inputs)  # [B, T, d_model] each
    answer = examination.call((query, key, value)).numbers
    ours = (reading.values((query, key, value)).out for reading in examination.readings)
    is_same = None if answer is None else any(agrees(out, answer) for out in ours)
    order = [*reversed(range(inputs[1].shape[-2] - 1)), -1]  # the last one stays
    query, key, value = (x[..., order, :] for x in inputs)  # [B, T, d_model] each
    has_own_keys = examination.candidate.signature.n_inputs > 1
    reordered = examination.call((inputs[0] if has_own_keys else query, key, value)).numbers
    if reordered is None or reordered.shape != theirs.shape:
        return is_same, None
    return is_same, agrees(theirs[..., -1, :], reordered[..., -1, :])
