"""The records of a run with edits: they show what the model used, changed values included."""

from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

from attnviz.core.capture import Edit
from attnviz.core.errors import CaptureError
from attnviz.core.recording import Recording
from attnviz.pretrained.capture.backends import Backend, Calls, OperatorBackend
from attnviz.pretrained.capture.operators import OperatorCall
from attnviz.pretrained.capture.split import Splitter
from attnviz.trace.kernel_rows import KernelRows
from attnviz.trace.records import AttentionRecord
from attnviz.trace.trace import Trace, Verified
from attnviz.trace.verify import verify

VALUES = ("q", "k", "v", "raw", "scores", "masked", "weights", "context")  # what an edit can change
LATE_VALUES = ("masked", "weights", "context")  # where attention is read from the model's operators


def edited_records(
    trace: Trace, run: Recording, splitter: Splitter, calls: Calls
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
            is_square = name != "context"
            changed[name] = splitter.block(value, call.site) if is_square else splitter.of_text(value, queries)
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


def refuse_unmatched(keys: Sequence[str], edits: Sequence[Edit], backend: Backend) -> None:
    """Refuse an edit whose pattern matches no value of these sites."""
    values = LATE_VALUES if isinstance(backend, OperatorBackend) else VALUES
    names = [f"{key}.{value}" for key in keys for value in values]
    for edit in edits:
        if not any(fnmatchcase(name, edit.pattern) for name in names):
            raise CaptureError(
                f"The edit {edit.label!r} changes nothing: no value matches {edit.pattern!r}. Values are named like "
                f"{names[0]}; a site has {', '.join(values)}.",
                id="edit-matches-nothing", label=edit.label, pattern=edit.pattern,
            )  # fmt: skip
