"""The records of a run with edits: they show what the model used, changed values included."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from torch import Tensor

from attnviz.pretrained.capture.backends import Backend, Calls, OperatorBackend
from attnviz.pretrained.capture.operators import OperatorCall
from attnviz.pretrained.capture.split_batch import Splitter
from attnviz.trace.kernel_rows import KernelRows
from attnviz.trace.records import AttentionRecord
from attnviz.trace.run_facts import Verified
from attnviz.trace.trace import Trace
from attnviz.trace.traceable import TraceableRecording
from attnviz.trace.verify import verify

VALUES = ("q", "k", "v", "raw", "scores", "masked", "weights", "context")  # what an edit can change
LATE_VALUES = ("masked", "weights", "context")  # where attention is read from the model's operators


def edited_records(
    trace: Trace, run: TraceableRecording, splitter: Splitter, calls: Calls
) -> tuple[dict[str, AttentionRecord], Verified]:
    """The records as the changed run used them, and their check.

    A site whose context was changed is left out of the check: by design, it went on with something else than weights·V.
    """
    records: dict[str, AttentionRecord] = {}
    kernel: dict[str, KernelRows] = {}
    for call in calls:
        key = call.site.key
        queries, keys = splitter.queries(call.site), splitter.keys(call.site)
        changed = {}
        for name, value in run.changed_values(key).items():
            if name == "out":
                changed[name] = splitter.of_text(value, queries)[None]  # [1, T_q, d_model]
            elif name == "context":
                changed[name] = splitter.of_text(value, queries)  # [H, T_q, d_v]
            else:
                changed[name] = splitter.block(value, call.site)  # [H, T_q, T_k]
        if f"{key}.context" not in run.edited_names:
            kernel[key] = splitter.kernel(call)
            changed.pop("context", None)  # it follows from the weights, and the check shows that it does
        source = trace[key].source
        if not isinstance(call, OperatorCall):
            q = splitter.of_text(run[f"{key}.q"], queries)  # [H, T_q, d_k]
            k, v = (splitter.of_text(run[f"{key}.{name}"], keys) for name in ("k", "v"))  # [H, T_k, d_k] each
            source = replace(trace[key].replay, q=q, k=k, v=v)
        records[key] = replace(trace[key], source=source, edited=changed)
    return records, verify(records, kernel)


def edited_stream(trace: Trace, run: TraceableRecording, splitter: Splitter) -> dict[str, Tensor]:
    """The residual stream as the changed run used it: point -> [T, d_model]."""
    points = {name: value for name, value in run.stream_values().items() if name in {*trace.stream, *run.edited_names}}
    return {**trace.stream, **splitter.stream(points)}


def editable_names(keys: Sequence[str], points: Collection[str], backend: Backend) -> list[str]:
    """All that an edit can change, by name, at these sites and points."""
    values = LATE_VALUES if isinstance(backend, OperatorBackend) else VALUES
    return [*(f"{key}.{value}" for key in keys for value in values), *points]
