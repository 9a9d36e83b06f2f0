"""The stage that looks at the weights a candidate returns: are they the weights, of every head, and nothing else?"""

from __future__ import annotations

from itertools import permutations

import torch
from torch import Tensor, nn

from attnviz.checking.call.candidate import Answer
from attnviz.checking.find.examination import Seen, Understood
from attnviz.checking.find.mistaken import Values
from attnviz.checking.find.search import agrees, difference
from attnviz.checking.report import Finding, Measurement

_AXES = {4: ("text", "head", "query", "key"), 3: ("text", "query", "key"), 2: ("query", "key")}
_SCORE_NAMES = ("score", "logit", "raw")


def weights_shown(understood: Understood) -> Seen:
    """Compare every matrix that looks like weights with each value ours computes."""
    values = understood.explanation.values(understood.inputs)
    matrices = [(n, t.detach()) for n, t in understood.answer.others if t.shape[-2:] == values.weights.shape[-2:]]
    if not matrices:
        turned = [_reordered(t.detach(), values.weights) for _, t in understood.answer.others]
        found = tuple(one for one in turned if one is not None)[:1]
        return Seen(found, checked=("weights",)) if found else Seen(unchecked=("weights: none are returned",))
    kinds = [kind_of(matrix, values) for _, matrix in matrices]
    if understood.explanation.variant.mixing == "transposed":  # said already; shown as they were used
        kinds = ["weights" if kind == "transposed" else kind for kind in kinds]
    has_scores_name = any(
        kind == "weights" and any(word in name.lower() for word in _SCORE_NAMES)
        for kind, (name, _) in zip(kinds, matrices, strict=True)
    )
    if has_scores_name or kinds.count("weights") > 1:
        gap = difference(values.scores, values.weights)
        return Seen((Finding(
            "scores-overwritten",
            "What is returned as scores are the weights: the softmax overwrote the scores, or was given their name.",
            "weights = torch.softmax(scores, dim=-1): a new name, and no out=scores",
            (Measurement("largest difference between scores and weights", gap),),
        ),), checked=("weights",))  # fmt: skip
    if "weights" in kinds:
        return Seen(checked=("weights",))
    return Seen((_fault_of(kinds[0], matrices[0][1], values),), checked=("weights",))


def other_weights(answer: Answer, values: Values) -> Measurement | None:
    """None when no weights are returned or they are those of `values`; else how far they are from them."""
    matrices = [t.detach() for _, t in answer.others if t.shape[-2:] == values.weights.shape[-2:]]
    if not matrices or any(kind_of(matrix, values) == "weights" for matrix in matrices):
        return None
    return Measurement("largest difference from the weights", difference(values.weights, matrices[0]))


def kind_of(matrix: Tensor, values: Values) -> str:
    """Which of our values a matrix is: weights, averaged, scores, raw, masked, transposed, log; or other."""
    ours = {
        "weights": values.weights, "scores": values.scores, "raw": values.raw, "masked": values.masked,
        "transposed": values.weights.mT, "log": torch.log(values.weights),
    }  # fmt: skip
    for kind, value in ours.items():
        if agrees(value, matrix.reshape(value.shape) if matrix.numel() == value.numel() else matrix):
            return kind
    if values.weights.ndim == 4:
        for kind, value in (("averaged", values.weights.mean(1)), ("summed", values.weights.sum(1))):
            if agrees(value, matrix.squeeze(1) if matrix.ndim == 4 else matrix):
                return kind
    return "other"


def _fault_of(kind: str, matrix: Tensor, values: Values) -> Finding:
    measured = Measurement("largest difference from the weights", difference(values.weights, matrix))
    heads = values.weights.shape[1] if values.weights.ndim == 4 else 1
    if kind in ("averaged", "summed"):
        return Finding(
            "heads-averaged",
            f"The weights of the {heads} heads are {kind} into one matrix: what each head looks at cannot be seen.",
            "return weights of shape [batch, head, query, key]; nn.MultiheadAttention: average_attn_weights=False",
        )
    if kind in ("scores", "raw", "masked", "log"):
        name = {"raw": "raw QKᵀ, undivided", "masked": "masked scores", "log": "logarithms of the weights"}.get(
            kind, kind
        )
        return Finding(
            "scores-returned",
            f"What is returned as weights are the {name}: the values before the softmax. Rows do not sum to 1."
            if kind != "log" else "What is returned as weights are their logarithms. Rows do not sum to 1.",
            "weights = torch.softmax(scores, dim=-1); return out, weights", (measured,),
        )  # fmt: skip
    if kind == "transposed":
        return Finding("weights-shown-transposed", "The weights are returned transposed: expected [query, key].",
                       "return weights, not weights.mT", (measured,))  # fmt: skip
    turned = _reordered(matrix, values.weights)
    if turned is not None:
        return turned
    if matrix.shape != values.weights.shape:
        return Finding(
            "weights-shape",
            f"The weights have shape {list(matrix.shape)}; expected {list(values.weights.shape)}.",
            "return the weights before anything is summed or reshaped",
        )
    at = (~((values.weights - matrix).abs() <= 1e-5)).nonzero()[0].tolist()  # the first difference, or NaN
    names = _AXES[len(at)]
    where = ", ".join(f"{name} {i}" for name, i in zip(names, at, strict=True))
    return Finding(
        "weights-differ",
        f"The output is right and the returned weights are not those that made it; the first difference is at {where}.",
        "return the tensor that multiplies v, and return it unchanged", (measured,),
    )  # fmt: skip


def _reordered(matrix: Tensor, weights: Tensor) -> Finding | None:
    """What to say of a tensor that holds the weights with their axes in another order; None where it does not."""
    if matrix.ndim != weights.ndim:
        return None
    for order in permutations(range(weights.ndim)):
        if matrix.shape == weights.shape or not agrees(weights.permute(order), matrix):
            continue
        axes = ", ".join(_AXES[weights.ndim][axis] for axis in order)
        sentence = f"The weights have shape {list(matrix.shape)}; expected {list(weights.shape)}: their axes come as "
        back = ", ".join(str(order.index(axis)) for axis in range(weights.ndim))
        return Finding("weights-shape", f"{sentence}{axes}.", f"return weights.permute({back})")
    return None


def weights_in_training(understood: Understood) -> Seen:
    """Whether the weights shown while training are those after dropout; torch's own are, so this is a note."""
    examination, shape = understood.examination, understood.explanation.values(understood.inputs).weights.shape
    if not isinstance(examination.candidate.subject, nn.Module) or examination.candidate.is_calm:
        return Seen()
    answers = [examination.ask(understood.inputs, training=True, seed=seed) for seed in (0, 1)]
    shown = [next((t.detach() for _, t in answer.others if t.shape == shape), None) for answer in answers]
    if shown[0] is None or shown[1] is None or difference(shown[0], shown[1]) == 0:
        return Seen()
    if agrees(torch.ones_like(shown[0].sum(-1)), shown[0].sum(-1)):
        return Seen()  # chance came before the softmax; the stage for dropout says so
    return Seen(notes=(Finding(
        "weights-after-dropout",
        "In training mode the returned weights are those after dropout: some are 0 and rows do not sum to 1. "
        "nn.MultiheadAttention does the same.",
        "keep the weights before dropout for showing: used = F.dropout(weights, p, training=self.training)",
        (Measurement("largest weight shown while training", float(shown[0].max())),),
    ),))  # fmt: skip
