"""What to say of an output: the faults behind it, what is unusual, and whether norms are what makes it differ."""

from collections.abc import Sequence
from dataclasses import replace

from torch import nn

from attnviz.checking.call.inputs import TOKENS_FIRST
from attnviz.checking.call.interception import NORMS, with_torchs_norms
from attnviz.checking.call.isolation import clone
from attnviz.checking.find import faults as table
from attnviz.checking.find.examination import HEAD_WIDTH, Run
from attnviz.checking.find.search import explaining_run, gap
from attnviz.checking.find.unexplained import without_explanation
from attnviz.checking.report import Measurement, StageResult, note, unchecked


def explain_output(runs: Sequence[Run]) -> tuple[Run | None, StageResult]:
    """What explains one of these runs, which differ in the order of the arguments, and what to say of it."""
    run = explaining_run(runs, only_right=True) or _without_norms(runs, only_right=True)
    run = run or explaining_run(runs, only_right=False) or _without_norms(runs, only_right=False)
    if run is None:
        return None, StageResult((without_explanation(runs[0]),))
    findings = [run.finding(fault) for fault in run.reading.faults]
    if findings:  # measured together, so said once
        findings[0] = replace(findings[0], evidence=_evidence(run))
    return run, StageResult(tuple(findings), (), ("output",)) + _notes(run)


def _evidence(run: Run) -> tuple[Measurement, ...]:
    """How far the output is from the right one, and from ours with the same mistakes."""
    faults = run.reading.faults
    is_causal = any("causal" in fault.changes and fault is not table.CAUSAL_UNASKED for fault in faults)
    right = replace(run.reading.changed(causal="right") if is_causal else run.reading, faults=())
    from_right = gap("largest difference from the right output", right.values(run.inputs).out, run.theirs)
    if bool(run.theirs.isnan().any()):
        from_right = Measurement("numbers that are NaN in the output", float(run.theirs.isnan().sum()))
    mistakes = "mistakes" if len(faults) > 1 else "mistake"
    return from_right, gap(f"and from ours with the same {mistakes}", run.ours().out, run.theirs)


def _notes(run: Run) -> StageResult:
    """Notes, which are no faults: causality, an unusual layout, another order of axes or arguments, norms."""
    reading, signature, result = run.reading, run.candidate.signature, StageResult()
    if run.examination.is_causal is None and reading.variant.causal == "right":
        sentence = "It is causal: without any mask query i sees only the first i + 1 tokens."
        result += note("causal", sentence, "nothing, if that is meant; check_attention(…, is_causal=True) asks for it")
    if run.candidate.is_function and run.examination.widths[2] == HEAD_WIDTH:
        result += unchecked("values wider than keys: it stops with an error, or gives another width")
    if run.candidate.axis_order is TOKENS_FIRST and not run.candidate.is_order_said:
        sentence = "It takes [tokens, batch, features]: the attention runs along the first axis."
        fix = (
            "nothing, if that is meant; if x is [batch, tokens, features], texts attend to texts: build "
            "nn.MultiheadAttention with batch_first=True. check_attention(…, batch_first=True) asks for it"
        )
        result += note("tokens-first", sentence, fix)
    if not signature.has_usual_order:
        result += note("arguments-read", f"The arguments are read as {signature.order}.")
    unusual = reading.layout.note(reading.projections) if reading.layout and reading.projections else ""
    if unusual:
        fix = "nothing, if that is meant; weights of another layer have to be loaded so, too"
        result += note("parameters-read", unusual, fix)
    norms = [shape for taken in run.candidate.taken_out if taken.names is NORMS for shape in taken.shapes]
    if norms:
        sentence = "It normalises inside, as plain attention does not"
        if reading.variant.out == "residual" and not reading.faults:
            sentence += ", and adds its input to the output, as the block around attention does"
        sentence += "" if reading.plain.scale is None else ", with a scale of its own"
        result += note("norms", f"{sentence}. What follows was compared with its norms taken out.")
        result += unchecked("its norms: they were taken out, and everything was compared without them")
    return result


def _without_norms(runs: Sequence[Run], *, only_right: bool) -> Run | None:
    """What explains the output with all norms taken out; None where they are not why it differs."""
    subject = runs[0].candidate.subject
    if not isinstance(subject, nn.Module) or any(name.startswith("parameter ") for name in runs[0].answer.changed):
        return None
    subject, without = with_torchs_norms(clone(subject)), []
    for run in runs:
        examination = run.examination
        candidate = replace(run.candidate, subject=subject).without(NORMS)
        adding = [reading.changed(out="residual") for reading in examination.readings[:2]]
        there = replace(examination, candidate=candidate, readings=(*examination.readings, *adding))
        answer, shapes, tokens = there.call(run.inputs), candidate.taken_out[-1].shapes, run.inputs[1].shape[-2]
        if answer.out is None or not shapes or any(shape[-1] == tokens for shape in shapes):
            return None  # it does not run so, has no norms, or normalises scores, where no norm belongs
        without.append(replace(run, examination=there, answer=answer))
    best = explaining_run(without, only_right=only_right)
    if best is None or best.reading.projections is None:
        return best
    head_width, scales = best.reading.projections.head_width, [f for f in best.reading.faults if "scale" in f.changes]
    if scales and any(shape[-1] == head_width for shape in best.candidate.taken_out[-1].shapes):
        plain = replace(best.reading.plain, scale=best.reading.variant.scale)  # normalised q and k may have any
        others = tuple(fault for fault in best.reading.faults if fault not in scales)
        best = replace(best, reading=replace(best.reading, plain=plain, faults=others))
    return best
