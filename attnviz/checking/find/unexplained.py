"""What to say of an output that no known mistake gives: its shape, what was written into, where it differs."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

from torch import Tensor

from attnviz.checking.call.candidate import Answer
from attnviz.checking.call.inputs import Inputs
from attnviz.checking.find.differing import differs
from attnviz.checking.find.examination import Examination, Seen
from attnviz.checking.find.mistaken import attention
from attnviz.checking.find.mixed_heads import heads_mixed_up, joined_otherwise
from attnviz.checking.find.search import agrees, explain
from attnviz.checking.report import Finding


def wrong_shape(examination: Examination, inputs: Inputs, theirs: Tensor) -> Finding:
    wants = examination.wants(inputs)
    came = f"The output has shape {list(theirs.shape)}; expected {list(wants)}"
    names = {4: ("batch", "head", "token", "feature"), 3: ("batch", "token", "feature"), 2: ("token", "feature")}
    words = names[examination.axes]
    for reading in examination.readings:
        joined = joined_otherwise(reading, inputs, theirs.detach())
        if joined:
            fix = "torch.cat(every_head, dim=-1), and W_O behind it; a loop keeps each head: outs.append(out)"
            return Finding("heads-not-joined", f"{came}: {joined}.", fix)
        ours = attention(inputs, reading.numbers, reading.variant).out  # [B, Tq, D]
        for order in permutations(range(ours.ndim)):
            if ours.ndim == theirs.ndim and agrees(ours.permute(*order), theirs.detach()):
                axes = ", ".join(words[axis] for axis in order)
                return Finding("axes-reordered", f"{came}: the numbers are right and the axes come as {axes}.",
                               f"out.permute(…) back to [{', '.join(words)}]")  # fmt: skip
        if ours.numel() == theirs.numel() and agrees(ours.flatten(), theirs.detach().flatten()):
            return Finding("wrong-shape", f"{came}: the numbers are right, the axes are joined or split.",
                           f"out.reshape({', '.join(map(str, wants))})")  # fmt: skip
    return Finding("wrong-shape", came + ".", f"each query gives one row: [{', '.join(words)}]")


def without_explanation(examination: Examination, inputs: Inputs, answer: Answer) -> Seen:
    """The last guesses: it wrote into its input, or it has another number of heads than it says."""
    assert answer.out is not None  # checked before
    theirs = answer.out.detach()
    written = [name for name in answer.changed if name.startswith("input")]
    if written:
        return Seen((overwritten(written),))
    own = parameters_changed(answer)
    if own:
        return Seen((rewritten(own),))
    mixed = heads_mixed_up(examination, inputs, theirs)
    if mixed:
        return Seen(mixed)
    for reading in examination.readings:
        numbers = reading.numbers
        width = numbers.weight["q"].shape[0] if numbers else 0
        for n_heads in range(1, width + 1):
            if numbers is None or width % n_heads or n_heads == numbers.n_heads:
                continue
            other = replace(reading, numbers=replace(numbers, n_heads=n_heads))
            if explain(theirs, inputs, [other], known=()) is not None:
                sentence = f"It attends with {n_heads} heads; expected {numbers.n_heads}, as was said."
                fix = "look at the sizes in .view(B, T, H, d_head), and at n_heads"
                return Seen((Finding("other-head-count", sentence, fix),))
    return Seen((differs(examination, inputs, answer),))


def parameters_changed(answer: Answer) -> list[str]:
    """The parameters that a call wrote into."""
    return [name.removeprefix("parameter ") for name in answer.changed if name.startswith("parameter ")]


def rewritten(names: list[str]) -> Finding:
    """The call wrote into its own parameters."""
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    sentence = (
        f"The call changes the layer's own parameters ({', '.join(names[:3])}{more}): what an "
        "optimizer has learned is written over at every call."
    )
    fix = "compute with a new tensor, w = self.w.weight * 0.99: no .data, .mul_() or no_grad writes in forward"
    return Finding("state-changed", sentence, fix)


def overwritten(names: list[str]) -> Finding:
    """The call wrote into its inputs."""
    sentence = f"The call writes into the caller's tensor: {', '.join(names)}."
    return Finding("input-overwritten", sentence, "use the operation without the underscore: x = x * 2, not x *= 2")
