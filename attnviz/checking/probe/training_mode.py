"""The last probes, for a layer in which nothing was found so far.

Its weights under a mask, masks of other shapes, other ways to call it, training mode, other sizes, large scores.
"""

from __future__ import annotations

from dataclasses import replace

from torch import Tensor, nn

from attnviz.checking.call.candidate import Candidate
from attnviz.checking.call.isolation import twin
from attnviz.checking.find.examination import Seen, Understood
from attnviz.checking.find.search import agrees, difference
from attnviz.checking.find.unexplained import parameters_changed, rewritten
from attnviz.checking.probe.chance import depends_on_chance
from attnviz.checking.probe.dropout import dropout_in_training
from attnviz.checking.probe.gradients import gradients_flow
from attnviz.checking.probe.large_scores import large_scores
from attnviz.checking.probe.masked import Masked
from attnviz.checking.probe.other_calls import mask_after_mask, switches_left, without_gradients
from attnviz.checking.probe.other_sizes import longer_text, one_alone, weights_differ, wrong_where
from attnviz.checking.probe.per_head import mask_of_more_keys, mask_per_head
from attnviz.checking.probe.per_text import mask_per_text
from attnviz.checking.probe.returned_weights import other_weights
from attnviz.checking.report import Finding, Measurement


def further_probes(understood: Understood, agreed: tuple[Masked, ...]) -> Seen:
    """All of them; agreed are the masks that it takes and reads rightly."""
    seen = Seen()
    for masked in agreed:
        seen += weights_with_mask(masked) + mask_per_text(masked) + mask_per_head(masked)
        seen += mask_of_more_keys(masked) + mask_after_mask(masked)
    seen += without_gradients(understood) + switches_left(understood)
    dropout = dropout_in_training(understood)
    rest = Seen(unchecked=("training mode, but for dropout: until that is mended",))
    seen += dropout + (rest if dropout.findings else in_training(understood, agreed)) + one_alone(understood)
    return seen + longer_text(understood, agreed) + large_scores(understood)


def weights_with_mask(masked: Masked) -> Seen:
    """Whether the weights it returns are those that made the output also when there is a mask."""
    allowed = masked.some()
    answer, values = masked.ask(allowed), masked.values(allowed)
    measured = other_weights(answer, values)
    if measured is None:
        return Seen()
    understood = masked.understood
    is_bare = other_weights(answer, understood.explanation.values(understood.inputs)) is None
    sentence = (
        "With a mask the output is right and the returned weights are those without it: they show looks at tokens that "
        "are hidden." if is_bare else
        "With a mask the output is right and the returned weights are not those that made it."
    )  # fmt: skip
    fix = "return the tensor that multiplies v, from the same call"
    return Seen((Finding("weights-without-mask" if is_bare else "weights-differ", sentence, fix, (measured,)),))


def in_training(understood: Understood, agreed: tuple[Masked, ...]) -> Seen:
    """The same in training mode with every dropout at 0: nothing else may change."""
    examination = understood.examination
    if not isinstance(examination.candidate.subject, nn.Module):
        return Seen()
    calm = replace(examination, candidate=_undropped(examination.candidate))
    answer = calm.ask(understood.inputs, training=True)
    if answer.out is None:
        sentence = f"It runs in eval mode, and stops with an error in training mode: {answer.said}"
        return Seen((Finding("raises-in-training", sentence, "look for `if self.training` in forward"),))
    own = parameters_changed(answer)
    if own:
        changes = rewritten(own)
        return Seen((replace(changes, sentence=f"In training mode t{changes.sentence[1:]}"),))
    if depends_on_chance(calm):
        return Seen(unchecked=("training mode, but for dropout: two calls differ even without torch's",))
    values, theirs = understood.explanation.values(understood.inputs), answer.out.detach()
    if not agrees(values.out, theirs):
        return Seen((wrong_where(understood, values.out, theirs, "in training mode", "right in eval mode"),))
    measured = other_weights(answer, values)
    if measured is not None:
        return Seen((weights_differ("In training mode", measured),))
    for masked in agreed:
        found = _mask_in_training(masked.elsewhere(replace(understood, examination=calm)), values.out)
        if found is not None:
            return Seen((found,))
    flow = gradients_flow(replace(understood, examination=calm), training=True)
    cut = tuple(replace(one, sentence=f"In training mode: {one.sentence}") for one in flow.findings)
    return Seen(cut, checked=("training mode",), unchecked=flow.unchecked)


def _mask_in_training(masked: Masked, bare: Tensor) -> Finding | None:
    allowed = masked.some()
    answer, right = masked.ask(allowed, training=True).out, masked.values(allowed).out  # [B, T, D] each
    if answer is not None and agrees(right, answer.detach()):
        return None
    is_ignored = answer is not None and agrees(bare, answer.detach())
    gap = float("inf") if answer is None else difference(right, answer)
    what = "the mask is ignored" if is_ignored else "the output with a mask is wrong"
    sentence = f"In training mode {what}; in eval mode it is right."
    measured = Measurement("largest difference from ours with the mask", gap)
    return Finding("mask-in-training", sentence, "look for `if self.training` in forward", (measured,))


def _undropped(candidate: Candidate) -> Candidate:
    """The candidate with every dropout at 0, in whatever module or attribute it is kept."""
    assert isinstance(candidate.subject, nn.Module)  # a function has no training mode
    copied = twin(candidate.subject)
    assert copied is not None  # the subject is itself a copy
    for module in copied.modules():
        if isinstance(module, nn.modules.dropout._DropoutNd):
            module.p = 0.0
        for name, value in list(vars(module).items()):
            if "drop" in name.lower() and isinstance(value, float):
                setattr(module, name, 0.0)
    return replace(candidate, subject=copied, is_calm=True)
