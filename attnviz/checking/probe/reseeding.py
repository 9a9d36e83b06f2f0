"""The stage for a layer that starts torch's random numbers anew: its dropout, and all chance behind it, repeats."""

from __future__ import annotations

from attnviz.checking.call.candidate import RESTARTED, Answer
from attnviz.checking.find.examination import Seen, Understood
from attnviz.checking.report import Finding


def reseeds(answer: Answer, where: str = "The call") -> tuple[Finding, ...]:
    """What to say of a call that set the seed; nothing where it did not."""
    if RESTARTED not in answer.changed:
        return ()
    sentence = (
        f"{where} sets the seed of torch's random numbers (torch.manual_seed): dropout drops the same "
        "weights at every step, and whatever is random after it in the program repeats."
    )
    fix = "seed once, before training; no torch.manual_seed in forward"
    return (Finding("reseeds", sentence, fix),)


def reseeds_in_training(understood: Understood) -> Seen:
    """The same in training mode, where it was not so in eval mode."""
    if understood.examination.candidate.is_function or RESTARTED in understood.answer.changed:
        return Seen()
    return Seen(reseeds(understood.examination.ask(understood.inputs, training=True), "In training mode the call"))
