"""What a call leaves behind: changed inputs or parameters, a seed, an answer that depends on the call before."""

from __future__ import annotations

from attnviz.checking.call.side_effects import side_effects
from attnviz.checking.find.examination import gap
from attnviz.checking.find.search import agrees
from attnviz.checking.probe.progress import Progress
from attnviz.checking.report import StageResult, checked, fault


def nothing_left_behind(progress: Progress) -> StageResult:
    """Whether a call changes anything, or the answer to the next call."""
    explained, examination = progress.explained, progress.explained.examination
    answer = explained.call()
    result = StageResult(side_effects(answer, "input-overwritten", "parameters-changed", "mode-changed"))
    if not examination.candidate.is_function and not side_effects(answer, "reseeds"):
        training = explained.call(training=True)
        result += StageResult(side_effects(training, "reseeds", where="In training mode the call"))
    if side_effects(answer, "parameters-changed"):
        return result  # which changes the next answer
    shorter = examination.resized(tokens=examination.sizes.tokens - 2)  # something may be kept that has its length
    lengths = (examination, shorter) if shorter.call(shorter.inputs(22)).out is not None else (examination,)
    for seed, before in enumerate(lengths, 21):
        later = explained.call(before=before.inputs(seed))
        if answer.numbers is None or agrees(answer.numbers, later.numbers):
            continue
        sentence = "It remembers: after a call with another text, the same input gives another output"
        sentence += "." if later.out is not None else f", or an error: {later.message}"
        buffers = [name for name in answer.changed if name.startswith("buffer")]
        fix = f"look at {', '.join(buffers)}" if buffers else "look for self.something = … in forward"
        measured = gap("largest difference between the two outputs", answer.numbers, later.numbers)
        return result + fault("remembers", sentence, f"{fix}; reset it at the start of each call", measured)
    return result + checked("nothing stays behind")
