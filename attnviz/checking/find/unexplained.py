"""What to say of an output that no known mistake gives: where it differs, and what is not the cause."""

from dataclasses import replace

import torch
from torch import Tensor, nn

from attnviz.checking.call.inputs import draw
from attnviz.checking.find.examination import Examination, Run
from attnviz.checking.find.mistaken_attention import Values
from attnviz.checking.find.search import agrees, gap
from attnviz.checking.read.parameter_roles import attentions_in, python_path
from attnviz.checking.report import Finding

IMPRECISE = 0.02  # of the largest value: what bfloat16 inside costs
NEARBY = 0.01  # of the inputs' standard deviation: more than a step of bfloat16
_WITHOUT = (
    "Ours has no q and k norm, softcap, gate or positions: if yours has them on purpose, check it with them switched "
    "off"
)
_CLUES = {  # whether it agrees with ours when all tokens are alike: what that rules out, and where to look
    None: ("", "compare it step by step"),
    False: (" With all tokens alike, where every weight gives the same, it differs too: in W_V, the heads' splitting "
            "and joining, W_O, the sums of the rows, or in what is added to the output.",
            "look at W_V, W_O, .view, .transpose and .reshape, and at what else is done to x or to the output"),
    True: (" With all tokens alike it agrees: W_V, the joining of the heads and W_O are right, and the fault is in "
           "where it looks.", "look at q, k, the scale and the softmax"),
}  # fmt: skip
_ADDS_POSITIONS = (
    "Where it looks depends on the places of the tokens, which attention alone does not know, so there is no verdict. "
    "Either it adds positions (rotary, ALiBi, relative), or it treats keys by their places, as a window of neighbours "
    "does."
)
_PLACES = (
    "if it adds positions on purpose, check it with them switched off; if not, look for .roll, for slices along the "
    "keys, and in a running softmax for blocks that are not rescaled to the new maximum"
)


def wrong_shape(run: Run) -> Finding:
    shape, axes = run.examination.out_shape(run.inputs), ("batch", "head", "token", "feature")
    names = axes if len(shape) == 4 else ("batch", "token", "feature")[-len(shape) :]
    sentence = f"The output has shape {list(run.theirs.shape)}; expected {list(shape)}."
    return Finding("wrong-shape", sentence, f"each query gives one row: [{', '.join(names)}]")


def without_explanation(run: Run) -> Finding:
    """What to say of an output that no known fault gives, the more exact answers first."""
    if not bool(torch.isfinite(run.theirs).all()):
        place = (~torch.isfinite(run.theirs)).nonzero()[0].tolist()
        sentence = f"The output holds NaN or infinite numbers, the first at {place}, with no mask."
        fix = "look for a division by zero, or exp of large scores: torch.softmax subtracts the maximum"
        return Finding("not-finite", sentence, fix)
    values = run.ours()
    tokens_alike, order_free = _symptoms(run)
    others = _other_parameters(run.examination)
    measured = gap("largest difference of the output", values.out, run.theirs)
    if measured.value < IMPRECISE * float(values.out.abs().max()) and _is_rounding(run):
        sentence = (
            f"The output agrees with ours to within {IMPRECISE:.0%} of its largest value, and what is left jumps with "
            "every small change of the input, as rounding does."
        )
        return Finding("imprecise", sentence, "look for .half(), .bfloat16() and rounding inside", (measured,))
    if tokens_alike and order_free is False:  # right but for where it looks, and that depends on places
        return Finding("adds-positions", _ADDS_POSITIONS + others, _PLACES, (measured,))
    inside = attention_inside(run.examination)
    if inside:
        sentence = f"It is more than an attention layer, so there is no verdict.{others}"
        return Finding("more-than-attention", sentence, f"check the attention inside: {inside}", (measured,))
    clue, fix = _CLUES[tokens_alike]
    of_weights, better = _of_weights(values, run)
    sentence = f"The output differs from ours and no known mistake explains it.{clue}{of_weights}{others}"
    return Finding("differs", sentence, f"{better or fix}. {_WITHOUT}", (measured,))


def _is_rounding(run: Run) -> bool:
    """Whether the difference from ours is another one for inputs that are changed a little; that of a formula stays."""
    query, key, value = (x + NEARBY * draw(tuple(x.shape), 17) for x in run.inputs)  # [B, T, d_model] each
    before = run.theirs - run.ours().out  # [B, T_q, d_model]
    after = replace(run, inputs=(query, key, value)).ours().out  # [B, T_q, d_model]
    theirs = run.examination.call((query, key, value)).numbers
    return theirs is not None and float((theirs - after - before).norm()) > float(before.norm()) / 2


def _of_weights(values: Values, run: Run) -> tuple[str, str]:
    """What the returned weights say, and the better fix that follows."""
    returned = next((t.detach() for _, t in run.answer.others if t.shape == values.weights.shape), None)
    if returned is None:
        return "", ""
    if agrees(values.weights, returned):
        fix = "look at weights @ v, at how the heads are joined, and at the output projection"
        return " The weights agree with ours, so the fault comes after the softmax.", fix
    clue, sums = " The weights differ too.", returned.sum(-1)  # [B, H, T_q]
    if not agrees(torch.ones_like(sums), sums):
        clue += f" Their rows sum to between {float(sums.min()):.3g} and {float(sums.max()):.3g}; expected 1."
    return clue, ""


def attention_inside(examination: Examination) -> str:
    """The call that checks the attention inside a larger module; empty where the layer is itself attention."""
    subject = examination.candidate.subject
    inside = attentions_in(subject) if isinstance(subject, nn.Module) else []
    is_larger = inside and inside[0] and _other_parameters(examination)
    return f"check_attention({python_path(inside[0])})" if is_larger else ""


def _other_parameters(examination: Examination) -> str:
    """A sentence about parameters that are none of W_Q, W_K, W_V, W_O; empty where there are none."""
    layout = examination.readings[0].layout
    others = [name for name in examination.candidate.parameters() if layout and name not in layout.names]
    listed = ", ".join(others[:3]) + (f" and {len(others) - 3} more" if len(others) > 3 else "")
    return f" It has parameters that are no part of attention ({listed}): check the attention alone." if others else ""


def _symptoms(run: Run) -> tuple[bool | None, bool | None]:
    """Two experiments; None where the candidate does not run so.

    Whether it agrees with ours when all tokens are alike, where every choice gives the same; and whether the last
    token's output stays the same when the tokens before it change places.
    """

    def answer_to(inputs: list[Tensor]) -> Tensor | None:
        query, key, value = inputs
        return run.examination.call((query, key, value)).numbers

    query, key, value = alike = [x[..., :1, :].expand_as(x).clone() for x in run.inputs]  # [B, T, d_model] each
    answer = answer_to(alike)
    ours = (reading.values((query, key, value)).out for reading in run.examination.readings)
    is_same = None if answer is None else any(agrees(out, answer) for out in ours)
    order = [*reversed(range(run.inputs[1].shape[-2] - 1)), -1]  # the last one stays
    turned = [x[..., order, :] for x in run.inputs]  # [B, T, d_model] each
    if run.candidate.signature.n_inputs > 1:  # the queries are another text
        turned[0] = run.inputs[0]
    reordered = answer_to(turned)
    if reordered is None or reordered.shape != run.theirs.shape:
        return is_same, None
    return is_same, agrees(run.theirs[..., -1, :], reordered[..., -1, :])
