"""What a call changed that it should not, as findings."""

from __future__ import annotations

from attnviz.checking.call.candidate import RESEEDED, Answer
from attnviz.checking.report import Finding


def side_effects(answer: Answer, *ids: str, where: str = "The call") -> tuple[Finding, ...]:
    """A finding each for the caller's tensors, the parameters, the mode and the seed; only `ids`, where given."""
    tensors = [name.removeprefix("mask ") for name in answer.changed if name.startswith(("input ", "mask "))]
    parameters = [name.removeprefix("parameter ") for name in answer.changed if name.startswith("parameter ")]
    modes = [name for name in answer.changed if name.startswith("training ")]
    listed = ", ".join(parameters[:3]) + (f" and {len(parameters) - 3} more" if len(parameters) > 3 else "")
    rows = (
        (tensors, "input-overwritten", f"{where} writes into the caller's tensor: {', '.join(tensors)}.",
         "use the operation without the underscore: x = x * 2, not x *= 2"),
        (parameters, "parameters-changed", f"{where} changes the layer's own parameters ({listed}): what an optimizer "
         "has learned is written over at every call.",
         "compute with a new tensor, w = self.w.weight * 0.99: no .data, .mul_() or no_grad writes in forward"),
        (modes, "mode-changed", f"{where} changes the layer itself: {', '.join(modes[:3])}.",
         "forward should compute, not assign"),
        (RESEEDED in answer.changed, "reseeds", f"{where} sets the seed of torch's random numbers (torch.manual_seed): "
         "dropout drops the same weights at every step, and whatever is random after it in the program repeats.",
         "seed once, before training; no torch.manual_seed in forward"),
    )  # fmt: skip
    return tuple(Finding(id, sentence, fix) for is_so, id, sentence, fix in rows if is_so and (not ids or id in ids))
