"""Looks at the weights a candidate returns: are they the weights, of every head, and those that made the output?"""

from __future__ import annotations

from torch import Tensor

from attnviz.checking.call.candidate import Answer
from attnviz.checking.find.examination import gap
from attnviz.checking.find.mistaken import Values
from attnviz.checking.find.search import agrees
from attnviz.checking.find.unexplained import first_place
from attnviz.checking.probe.progress import Progress
from attnviz.checking.report import StageResult, checked, fault, unchecked

_SCORE_NAMES = ("score", "logit", "raw")
_SAME_CALL = "return the tensor that multiplies v, from the same call"


def weights_returned(progress: Progress) -> StageResult:
    """Compare every matrix that looks like weights with each value ours computes."""
    values = progress.explained.ours()
    matrices = _matrices(progress.explained.answer, values)
    if not matrices:
        return unchecked("weights: none are returned")
    kinds = [_kind(matrix, values) for _, matrix in matrices]
    if progress.explained.explanation.variant.mixing == "transposed":  # said already; returned as they were used
        kinds = ["weights" if kind == "transposed" else kind for kind in kinds]
    named_scores = [any(word in name.lower() for word in _SCORE_NAMES) for name, _ in matrices]
    if kinds.count("weights") > 1 or ("weights", True) in zip(kinds, named_scores, strict=True):
        sentence = (
            "What is returned as scores are the weights: the softmax overwrote the scores, or was given their name."
        )
        fix = "weights = torch.softmax(scores, dim=-1): a new name, and no out=scores"
        measured = gap("largest difference between scores and weights", values.scores, values.weights)
        return checked("weights") + fault("scores-overwritten", sentence, fix, measured)
    if "weights" in kinds:
        return checked("weights")
    return checked("weights") + _fault(kinds[0], matrices[0][1], values)


def weights_with_mask(progress: Progress) -> StageResult:
    """Whether the weights it returns are those that made the output also when there is a mask."""
    result = StageResult()
    for masked in progress.masks:
        allowed = masked.example()
        answer = masked.call(allowed)
        found = weights_differ("With a mask", answer, masked.ours(allowed))
        if found.findings and not weights_differ("", answer, masked.explained.ours()).findings:
            sentence = (
                "With a mask the output is right and the returned weights are those without it: they show weight on "
                "tokens that are hidden."
            )
            found = fault("weights-without-mask", sentence, _SAME_CALL, *found.findings[0].evidence)
        result += found
    return result


def weights_differ(where: str, answer: Answer, values: Values) -> StageResult:
    """A fault where the returned weights are not those of `values`."""
    matrices = _matrices(answer, values)
    if not matrices or any(_kind(matrix, values) == "weights" for _, matrix in matrices):
        return StageResult()
    sentence = f"{where} the output is right and the returned weights are not those that made it."
    measured = gap("largest difference from the weights", values.weights, matrices[0][1])
    return fault("weights-differ", sentence, _SAME_CALL, measured)


def _matrices(answer: Answer, values: Values) -> list[tuple[str, Tensor]]:
    return [(name, t.detach()) for name, t in answer.others if t.shape[-2:] == values.weights.shape[-2:]]


def _kind(matrix: Tensor, values: Values) -> str:
    """Which of our values a matrix is: weights, scores, raw, masked, transposed, averaged; or other."""
    ours = {
        "weights": values.weights, "scores": values.scores, "raw": values.raw, "masked": values.masked,
        "transposed": values.weights.mT,
    }  # fmt: skip
    if values.weights.ndim == 4:
        ours["averaged"] = values.weights.mean(1)  # [B, T_q, T_k]
    is_same = (
        kind for kind, value in ours.items() if matrix.numel() == value.numel() and agrees(value, matrix.view_as(value))
    )
    return next(is_same, "other")


def _fault(kind: str, matrix: Tensor, values: Values) -> StageResult:
    measured = gap("largest difference from the weights", values.weights, matrix)
    if kind == "averaged":
        heads = values.weights.shape[1]
        sentence = f"The weights of the {heads} heads are averaged into one matrix: what each head attends to is lost."
        fix = "return weights of shape [batch, head, query, key]; nn.MultiheadAttention: average_attn_weights=False"
        return fault("heads-averaged", sentence, fix)
    if kind in ("scores", "raw", "masked"):
        name = {"raw": "raw QKᵀ, undivided", "masked": "masked scores"}.get(kind, kind)
        sentence = f"What is returned as weights are the {name}: the values before the softmax. Rows do not sum to 1."
        fix = "weights = torch.softmax(scores, dim=-1); return out, weights"
        return fault("scores-returned", sentence, fix, measured)
    if kind == "transposed":
        sentence = "The weights are returned transposed: expected [query, key]."
        return fault("weights-shown-transposed", sentence, "return weights, not weights.mT", measured)
    if matrix.shape != values.weights.shape:
        sentence = f"The weights have shape {list(matrix.shape)}; expected {list(values.weights.shape)}."
        return fault("weights-shape", sentence, "return the weights before anything is summed or reshaped")
    where = first_place(values.weights, matrix, "key")
    sentence = f"The output is right and the returned weights are not those that made it; they differ first at {where}."
    return fault("weights-differ", sentence, "return the tensor that multiplies v, and return it unchanged", measured)
