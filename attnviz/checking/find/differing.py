"""What to say of a difference that no known mistake explains: by how much, where first, and what is not the cause."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from attnviz.checking.call.candidate import Answer
from attnviz.checking.call.inputs import Inputs
from attnviz.checking.find.examination import Examination
from attnviz.checking.find.faults import FORWARD
from attnviz.checking.find.faults_of_scores import KEYS
from attnviz.checking.find.mistaken import Values, attention
from attnviz.checking.find.search import agrees, difference
from attnviz.checking.find.symptoms import Symptoms, symptoms_of
from attnviz.checking.read.parameter_roles import attentions_in, spelled
from attnviz.checking.report import Finding, Measurement

IMPRECISE = 1e-2  # relative to the largest value: what half precision inside would explain

_WITHOUT = (
    "Ours has no q and k norm, softcap or gate, and of positions only rotary ones and ALiBi: if yours has others on "
    "purpose, check it with them switched off"
)


def differs(examination: Examination, inputs: Inputs, answer: Answer) -> Finding:
    """The finding for an output that nothing known gives."""
    assert answer.out is not None  # checked before
    theirs, reading = answer.out.detach(), examination.readings[0]
    if not bool(torch.isfinite(theirs).all()):
        return _not_finite(theirs)
    values = attention(inputs, reading.numbers, reading.variant)
    symptoms = symptoms_of(examination, inputs, theirs)
    evidence = [Measurement("largest difference of the output", difference(values.out, theirs))]
    inside = alone(examination)
    if inside and not symptoms.adds_positions:
        sentence = f"It is more than an attention layer, so there is no verdict.{other_parameters(examination)}"
        return Finding("more-than-attention", sentence, f"check the attention inside: {inside}", tuple(evidence))
    if symptoms.adds_positions:
        return _adds_positions(examination, evidence[0])
    if agrees(values.out, theirs, IMPRECISE):
        return _imprecise(float(values.out.abs().max()), evidence[0])
    clue, fix = _clue(symptoms)
    more, better = _of_weights(values, answer, evidence)
    sentence = (
        f"The output differs from ours and no known mistake explains it ({_tried(examination)}); the first difference "
        f"is at {_first_place(values.out, theirs)}."
    )
    sentence += clue + more + other_parameters(examination)
    return Finding("differs", sentence, better or fix, tuple(evidence))


def _not_finite(theirs: Tensor) -> Finding:
    wrong = ~torch.isfinite(theirs)  # [B, Tq, D]
    return Finding(
        "not-finite",
        f"The output holds NaN or infinite numbers, the first at {wrong.nonzero()[0].tolist()}, with no mask.",
        "look for a division by zero, or exp of large scores: torch.softmax subtracts the maximum",
        (Measurement("numbers that are not finite", float(wrong.sum())),),
    )


def _adds_positions(examination: Examination, measured: Measurement) -> Finding:
    sentence = (
        "Where it looks depends on the places of the tokens; in plain attention it does not. With all tokens alike it "
        "agrees with ours, and the last token's output changes when the tokens before it change places. Either it adds "
        "positions (none of those that were tried: rotary of the usual kinds, ALiBi, a window of neighbours), or it "
        "treats keys by their places."
    )
    fix = (
        "if it adds positions on purpose, check it with them switched off; if not, look for .roll, for slices along "
        "the keys, and in a running softmax for blocks that are not rescaled to the new maximum"
    )
    return Finding("adds-positions", sentence + other_parameters(examination), fix, (measured,))


def _imprecise(largest: float, measured: Measurement) -> Finding:
    share = measured.value / largest
    sentence = (
        f"The output agrees with ours to within {share:.2g} of its largest value and no better, in float64: something "
        "small is done otherwise."
    )
    fix = "look for .half(), .bfloat16(), torch.autocast, an eps or a softcap; in float64 nothing should be lost"
    return Finding("imprecise", sentence, fix, (measured,))


def _tried(examination: Examination) -> str:
    n_known = len({fault.id for fault in (*FORWARD, *KEYS)})
    together = "alone" if other_parameters(examination) else "alone and most of them up to four at once"
    return f"{n_known} were made in ours, {together}"


def _clue(symptoms: Symptoms) -> tuple[str, str]:
    """What the experiments rule out, and where that leaves to look."""
    if symptoms.texts_apart is False:
        return (
            " What a text gives depends on the other texts of the batch.",
            "look for a .view or .reshape that takes batch and tokens or heads together, and at the softmax's dim",
        )
    places = (
        " The last token's output changes when the tokens before it change places: their places are used, or tokens "
        "are mixed." if symptoms.order_free is False else ""
    )  # fmt: skip
    if symptoms.one_token is False:
        return (
            f" With one token, whose one weight should be 1, it differs too.{places}",
            "look at W_V, at W_O, at what else is done to x or to the output, and at whether rows of weights sum to 1",
        )
    if symptoms.alike is False and symptoms.order_free is False:
        return (
            " With all tokens alike it differs, and the last token's output changes when the tokens before it change "
            "places: positions are added inside, to what the values are made of, or tokens are mixed where heads are "
            "split or joined.",
            "look for positions added to x, and at .view, .transpose and .reshape around the heads",
        )
    if symptoms.alike is False:
        return (
            " With one token it agrees, and with all tokens alike it differs: tokens are mixed where heads are split "
            "or joined, or the rows of the weights do not sum to 1.",
            "look at .view, .transpose and .reshape around the heads, and at the softmax",
        )
    if symptoms.one_token and symptoms.alike:
        return (
            " With one token, and with all tokens alike, it agrees: W_V, the joining of the heads and W_O are right, "
            "and the fault is in where it looks.",
            f"look at q, k, the scale and the softmax. {_WITHOUT}",
        )
    return places, f"compare step by step with av.record(): raw, scores, masked, weights, context, out. {_WITHOUT}"


def _of_weights(values: Values, answer: Answer, evidence: list[Measurement]) -> tuple[str, str]:
    """What the returned weights say, and the better fix that follows; their difference joins the evidence."""
    shown = next((t.detach() for _, t in answer.others if t.shape == values.weights.shape), None)
    if shown is None:
        return "", ""
    if agrees(values.weights, shown):
        fix = "look at weights @ v, at how the heads are joined, and at the output projection"
        return " The weights agree with ours, so the fault comes after the softmax.", fix
    evidence.append(Measurement("largest difference of the weights", difference(values.weights, shown)))
    said = f" The weights differ too, first at {_first_place(values.weights, shown, 'key')}."
    sums = shown.sum(-1)  # [B, H, Tq]
    if agrees(torch.ones_like(sums), sums):
        return said, ""
    return f"{said} Their rows sum to between {float(sums.min()):.3g} and {float(sums.max()):.3g}; expected 1.", ""


def _first_place(ours: Tensor, theirs: Tensor, last: str = "feature") -> str:
    """ "text 0, query 0, feature 0"."""
    wrong = ~((ours - theirs).abs() <= 1e-5)  # as ours; NaN is wrong too
    place = wrong.nonzero()[0].tolist() if bool(wrong.any()) else [0] * theirs.ndim
    names = ("text", "query", last) if theirs.ndim == 3 else ("text", "head", "query", last)[-theirs.ndim :]
    return ", ".join(f"{name} {i}" for name, i in zip(names, place, strict=True))


def alone(examination: Examination) -> str:
    """The attention inside a block; empty where the layer is itself attention."""
    subject = examination.candidate.subject
    inside = attentions_in(subject) if isinstance(subject, nn.Module) else []
    return f"check_attention({spelled(inside[0])})" if inside and inside[0] and other_parameters(examination) else ""


def other_parameters(examination: Examination) -> str:
    """A sentence about parameters that are none of W_Q, W_K, W_V, W_O; empty where there are none."""
    layout = examination.readings[0].layout
    others = [name for name in examination.candidate.parameters() if layout and name not in layout.names]
    subject = examination.candidate.subject
    modules = subject.modules() if isinstance(subject, nn.Module) else ()
    if any(getattr(module, "add_zero_attn", False) is True for module in modules):
        return " It adds a key of zeros to every text (add_zero_attn), which ours has not: build it without."
    if not others:
        return ""
    more = f" and {len(others) - 3} more" if len(others) > 3 else ""
    if any(name.endswith(("bias_k", "bias_v")) for name in others):
        return " It adds a key of its own to every text (add_bias_kv), which ours has not: build it without."
    return (
        f" It has parameters that are no part of attention ({', '.join(others[:3])}{more}): check the attention alone."
    )
