"""A run's own proof: what the record replays against what the model's kernel returned, on seeded rows.

The rows were taken while the kernel ran (`kernel_rows`).
"""

from collections.abc import Mapping

import torch
from torch import Tensor

from attnviz.core import ops
from attnviz.core.ops import Call
from attnviz.core.recording import largest_difference
from attnviz.trace.kernel_rows import KernelRows
from attnviz.trace.records import AttentionRecord
from attnviz.trace.run_facts import Verified
from attnviz.trace.weight_sources import Replay, of_heads

# The largest relative difference that rounding explains, by dtype of the run. The replay is in float32 whatever the run
# is in: fused and explicit kernels then differ by about 4e-7. bf16 and fp16: their own rounding of the kernel's output.
TOLERANCE = {torch.float64: 1e-5, torch.float32: 1e-5, torch.float16: 5e-3, torch.bfloat16: 4e-2}


def verify(records: Mapping[str, AttentionRecord], kernel: Mapping[str, Tensor | KernelRows]) -> Verified:
    """Compare replayed weights · V with the kernel's own output, on 8 seeded rows of every site.

    Args:
        records: by site key.
        kernel: by site key, rows that were taken while the kernel ran, or all it returned, [H, T_q, d_v]; only these
            sites are compared.
    Returns:
        the largest difference, relative to the largest value of each site (or 1 if that is smaller).
    """
    worst, n_rows, tolerance = 0.0, 0, 0.0
    for number, (key, given) in enumerate(kernel.items()):
        taken = given if isinstance(given, KernelRows) else KernelRows.of(given.transpose(0, 1), number)
        theirs = taken.context.transpose(0, 1)  # [H, R, d_v]
        largest = max(1.0, abs(float(taken.lowest)), abs(float(taken.highest)))  # of all rows of the site
        difference = largest_difference(context_at(records[key], taken.rows), theirs)
        share = difference / largest
        worst = max(worst, share if share == share else float("inf"))  # NaN agrees with nothing
        n_rows += len(taken.rows)
        tolerance = max(tolerance, TOLERANCE[theirs.dtype])
    return Verified(worst, n_rows, tolerance)


def context_at(record: AttentionRecord, rows: Tensor) -> Tensor:
    """Replayed weights · V of some queries, rows [R] in any order: [H, R, d_v]."""
    if "context" in record.edited:
        return record.edited["context"][:, rows].float()
    return ops.weigh_values(_weights_at(record, rows), record.source.values(slice(None)))


def _weights_at(record: AttentionRecord, rows: Tensor) -> Tensor:
    """[H, R, T_k]."""
    if "weights" in record.edited:
        return record.edited["weights"][:, rows].float()
    source, mask = record.source, record.source.mask
    allowed = None if mask.is_open else mask.allowed_at(rows)  # [1 | H, R, T_k]
    sinks = None if source.sinks is None else source.sinks.float()  # [H]
    if isinstance(source, Replay):
        call = Call(source.scale, allowed, mask.bias_at(rows), source.softcap, sinks)
        return ops.weights(source.q[:, rows].float(), of_heads(source.k, record.n_heads, slice(None)), call)
    return ops.value_of_scores(
        "weights", source.kept[:, rows].float(), Call(1.0, allowed, mask.bias_at(rows), None, sinks)
    )
