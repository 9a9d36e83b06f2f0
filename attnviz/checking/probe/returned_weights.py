"""Looks at the weights a candidate returns: are they the weights, of every head, and those that made the output?"""

from collections.abc import Sequence

from torch import Tensor

from attnviz.checking.call.candidate import Answer
from attnviz.checking.find.examination import Run
from attnviz.checking.find.mistaken_attention import Values
from attnviz.checking.find.search import agrees, gap
from attnviz.checking.probe.masks import MaskedCall
from attnviz.checking.report import StageResult, checked, fault, note, unchecked

_SCORE_NAMES = ("score", "logit", "raw")
_MISTAKEN = {  # what is returned in place of the weights: id, sentence, fix
    "scores": ("scores-returned", "What is returned as weights are the scores: the values before the softmax. Rows do "
               "not sum to 1.", "weights = torch.softmax(scores, dim=-1); return out, weights"),
    "transposed": ("weights-shown-transposed", "The weights are returned transposed: expected [query, key].",
                   "return weights, not weights.mT"),
    "other": ("weights-differ", "The output is right and the returned weights are not those that made it.",
              "return the tensor that multiplies v, and return it unchanged"),
    "shape": ("weights-shape", "The weights have shape {came}; expected {shape}.",
              "return the weights before anything is summed or reshaped"),
}  # fmt: skip
_AVERAGED = (  # as nn.MultiheadAttention does unless it is asked otherwise
    "The weights of the {heads} heads are averaged into one matrix: what each head attends to is lost.",
    "nothing, if that is meant; to see each head, call nn.MultiheadAttention with average_attn_weights=False",
)
_RIGHT = ("weights", "averaged")


def weights_returned(run: Run) -> StageResult:
    """Compare every matrix that looks like weights with each value ours computes."""
    values = run.ours()
    matrices = _matrices(run.answer, values)
    if not matrices:
        return unchecked("weights: none are returned")
    kinds = [_kind(matrix, values) for _, matrix in matrices]
    if run.reading.variant.mixing == "transposed":  # said already; returned as they were used
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
    if "averaged" in kinds:
        sentence, fix = _AVERAGED
        return checked("weights") + note("heads-averaged", sentence.format(heads=values.weights.shape[1]), fix)
    matrix, weights = matrices[0][1], values.weights
    kind = "shape" if kinds[0] == "other" and matrix.shape != weights.shape else kinds[0]
    id, sentence, fix = _MISTAKEN[kind]
    words = {"came": list(matrix.shape), "shape": list(weights.shape)}
    measured = gap("largest difference from the weights", weights, matrix)
    return checked("weights") + fault(id, sentence.format(**words), fix, measured)


def weights_with_mask(masks: Sequence[MaskedCall]) -> StageResult:
    """Whether the weights it returns are those that made the output also when there is a mask."""
    for masked in masks:
        allowed = masked.example()
        values, unmasked = masked.ours(allowed), masked.run.ours()
        matrices = _matrices(masked.call(allowed), values)
        if not matrices or any(_kind(matrix, values) in _RIGHT for _, matrix in matrices):
            continue
        id, which = "weights-differ", "not those that made it."
        if any(_kind(matrix, unmasked) in _RIGHT for _, matrix in matrices):
            id, which = "weights-without-mask", "those without it: they show weight on tokens that are hidden."
        sentence = f"With a mask the output is right and the returned weights are {which}"
        measured = gap("largest difference from the weights", values.weights, matrices[0][1])
        return fault(id, sentence, "return the tensor that multiplies v, from the same call", measured)
    return StageResult()


def _matrices(answer: Answer, values: Values) -> list[tuple[str, Tensor]]:
    return [(name, t.detach()) for name, t in answer.others if t.shape[-2:] == values.weights.shape[-2:]]


def _kind(matrix: Tensor, values: Values) -> str:
    """Which of our values a matrix is; "other" for none of them."""
    ours = (
        ("weights", values.weights), ("weights", values.weights.transpose(0, 1)),  # [H, B, T, T]
        ("scores", values.scores), ("scores", values.raw), ("scores", values.masked),
        ("transposed", values.weights.mT), ("averaged", values.weights.mean(1)),
    )  # fmt: skip
    same = (kind for kind, one in ours if matrix.numel() == one.numel() and agrees(one, matrix.reshape_as(one)))
    return next(same, "other")
