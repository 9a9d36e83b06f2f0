"""The stages that start from an explained output: lengths, masks, weights, gradients, training mode, other sizes."""

from __future__ import annotations

from dataclasses import replace

import torch

from attnviz.checking.find.examination import Seen, Understood
from attnviz.checking.find.unexplained import parameters_changed, rewritten
from attnviz.checking.probe.behaviour import left_behind, other_lengths, output_precision
from attnviz.checking.probe.causal_switch import causal_switch
from attnviz.checking.probe.gradients import gradients_flow
from attnviz.checking.probe.large_scores import large_scores_masked
from attnviz.checking.probe.mask_pairs import masks_together
from attnviz.checking.probe.masks import masks_obeyed
from attnviz.checking.probe.repeated import repeated_heads
from attnviz.checking.probe.reseeding import reseeds_in_training
from attnviz.checking.probe.returned_weights import weights_in_training, weights_shown
from attnviz.checking.probe.second_text import query_alone, second_text, without_second
from attnviz.checking.probe.shared_heads import shared_heads
from attnviz.checking.probe.training_mode import further_probes
from attnviz.checking.probe.value_width import values_of_another_width


def every_stage(understood: Understood) -> Seen:
    """All of them, in the order in which what they find is said."""
    seen = Seen()
    if understood.has_mixed_axes:
        return Seen(unchecked=("masks, weights and gradients: until the axes are right",))
    seen += other_lengths(understood) + values_of_another_width(understood)
    seen += shared_heads(understood) + repeated_heads(understood)
    seen += query_alone(understood) + output_precision(understood)
    switched = causal_switch(understood)
    masked, agreed = masks_obeyed(understood) if _runs_over_keys(understood) else (_MASKS_WAIT, ())
    seen += switched + masked
    signature = understood.examination.candidate.signature
    if not _hiding(seen):
        seen += masks_together(understood, agreed, signature.causal if switched.checked else None)
    elif signature.mask is not None and (signature.padding or signature.causal):
        seen += Seen(unchecked=("masks together: until what was found above is mended",))
    seen += weights_shown(understood)
    seen += weights_in_training(understood)
    own = parameters_changed(understood.answer)
    if own:
        waiting = "gradients, and what else stays behind: until the call leaves its parameters alone"
        seen += Seen((rewritten(own),), unchecked=(waiting,))
    else:
        seen += gradients_flow(understood) + left_behind(understood)
    seen += reseeds_in_training(understood)
    seen += without_second(understood) + _left_out(understood)
    if _hiding(seen) or understood.explanation.has_mistakes:
        rest = (
            "a mask for each text or head, training mode and dropout, torch.no_grad(), a longer text, one text, one "
            "token, large scores: until what was found above is mended"
        )
        return seen + Seen(unchecked=(rest, *_second_not_tried(understood)))
    seen += further_probes(understood, agreed)
    if not any(found.id in ("softmax-overflows", "large-scores-differ") for found in seen.findings):
        for masked_so in agreed:
            seen += large_scores_masked(masked_so)
    other = second_text(understood)
    said = {found.id for found in seen.findings}  # once for both ways to call it
    return seen + replace(other, findings=tuple(found for found in other.findings if found.id not in said))


_MASKS_WAIT = Seen(unchecked=("mask: until the softmax runs over the keys, which a hidden one then leaves",))


def _runs_over_keys(understood: Understood) -> bool:
    """Whether what hides a key can be told: over another axis, a number that is the same everywhere hides nothing."""
    takes_mask = understood.examination.candidate.signature.mask is not None
    return not takes_mask or understood.explanation.variant.softmax not in ("query", "head", "batch", "none")


def _hiding(seen: Seen) -> bool:
    """Whether what was found may show in later probes too; a row with no key is in none of them."""
    return any(found.id != "blocked-row-looks-everywhere" for found in seen.findings)


def _second_not_tried(understood: Understood) -> tuple[str, ...]:
    name = understood.examination.candidate.signature.second
    return () if name is None else (f"a second text ({name}): until what was found above is mended",)


def _left_out(understood: Understood) -> Seen:
    """The arguments that were never given, and the precision that was not tried."""
    candidate = understood.examination.candidate
    names, kept_in = ", ".join(candidate.signature.untried), str(candidate.kept_in).removeprefix("torch.")
    seen = Seen(unchecked=(f"arguments left at their defaults: {names}",) if names else ())
    if candidate.kept_in not in (torch.float32, torch.float64):
        seen += Seen(unchecked=(f"its own precision, {kept_in}: it was run in float64 and float32",))
    return seen
