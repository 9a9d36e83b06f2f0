"""The records of a run that was changed on the way: they replay the changed values, or the run is refused."""

from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

import torch
from torch import Tensor

from attnviz.core.capture import Edit
from attnviz.core.errors import CaptureError
from attnviz.core.masks import Mask
from attnviz.core.recording import Recording
from attnviz.core.records import AttentionRecord, Kept, Replay
from attnviz.core.trace import Trace, Verified
from attnviz.pretrained.check import checked
from attnviz.pretrained.interface import AttentionCall
from attnviz.pretrained.split import Splitter

VALUES = ("q", "k", "v", "raw", "scores", "masked", "weights", "context")  # what an edit can change here
ROW_SUM_TOLERANCE = 1e-5


def edited_records(
    trace: Trace, run: Recording, splitter: Splitter, calls: Sequence[AttentionCall], edits: Sequence[Edit]
) -> tuple[dict[str, AttentionRecord], Verified]:
    """The records as the changed run used them, and their check.

    A site whose context was changed keeps its own weights, and is left out of the check: weights · V is by design not
    what the model went on with there.

    Raises:
        CaptureError: an edit matched nothing, or made weights that no softmax can give back.
    """
    refuse_idle(trace, edits)
    records: dict[str, AttentionRecord] = {}
    kernel: dict[str, Tensor] = {}
    for call in calls:
        key = call.site.key
        changed = {value for value in VALUES if any(fnmatchcase(f"{key}.{value}", edit.pattern) for edit in edits)}
        records[key] = edited_record(trace[key], run, splitter, changed)
        if "context" not in changed:
            kernel[key] = splitter.kernel_context(call)  # [H, Tq, Dv]
    return records, checked(records, kernel)


def refuse_idle(trace: Trace, edits: Sequence[Edit]) -> None:
    """Refuse an edit that changes nothing, because its pattern fits no value of this model."""
    names = [f"{key}.{value}" for key in trace.records for value in VALUES]
    for edit in edits:
        if not any(fnmatchcase(name, edit.pattern) for name in names):
            raise CaptureError(
                f"The edit {edit.label!r} changes nothing: no value fits {edit.pattern!r}. Values are named like "
                f"{names[0]}; a site has {', '.join(VALUES)}.",
                id="edit-matches-nothing",
                label=edit.label,
                pattern=edit.pattern,
            )


def edited_record(record: AttentionRecord, run: Recording, splitter: Splitter, changed: set[str]) -> AttentionRecord:
    """One site's record, made from the values after the edits."""
    key = record.site.key
    v = splitter.of_text(run[f"{key}.v"])  # [H, Tk, Dv]
    if "weights" in changed:
        weights = splitter.of_text(run[f"{key}.weights"])  # [H, Tq, Tk]
        return replace(record, source=source_of_weights(key, weights, v))
    if changed & {"raw", "scores", "masked"}:
        masked = splitter.of_text(run[f"{key}.masked"])  # [H, Tq, Tk]
        return replace(record, source=Kept(masked, v, mask_of(torch.isfinite(masked)), record.source.sinks))
    if changed & {"q", "k", "v"}:
        q, k = splitter.of_text(run[f"{key}.q"]), splitter.of_text(run[f"{key}.k"])  # [H, Tq, Dh], [H, Tk, Dh]
        source = record.replay
        return replace(record, source=Replay(q, k, v, source.scale, source.mask, source.softcap, source.sinks))
    return record


def source_of_weights(key: str, weights: Tensor, v: Tensor) -> Kept:
    """Scores whose softmax is these weights: their logarithm. Rows must sum to 1, or be all 0."""
    sums = weights.sum(-1)  # [H, Tq]
    is_row = ((sums - 1).abs() <= ROW_SUM_TOLERANCE) | (sums == 0)  # [H, Tq]
    if not bool(is_row.all()) or bool((weights < 0).any()):
        raise CaptureError(
            f"The edited weights of {key} have rows that sum to neither 1 nor 0, so a trace cannot hold them. "
            "Make each row sum to 1, set it to 0, or edit the context.",
            id="edited-weights-rows",
            site=key,
        )
    return Kept(weights.log(), v, mask_of(weights > 0))


def mask_of(allowed: Tensor) -> Mask:
    """Finite scores may be looked at: bool [H, Tq, Tk] -> Mask."""
    n_queries, n_keys = allowed.shape[-2:]
    return Mask(n_queries, n_keys) if bool(allowed.all()) else Mask(n_queries, n_keys, allowed=allowed)
