"""A run's own proof: what the record replays against what the model's kernel returned, on seeded rows.

The rows were taken while the kernel ran (`kernel_rows`).
"""

from collections.abc import Mapping

import torch
from torch import Tensor

from attnviz.core.recording import largest_difference
from attnviz.trace.kernel_rows import KernelRows
from attnviz.trace.records import AttentionRecord
from attnviz.trace.run_facts import Verified

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
        difference = largest_difference(records[key].context_at(taken.rows), theirs)
        share = difference / largest
        worst = max(worst, share if share == share else float("inf"))  # NaN agrees with nothing
        n_rows += len(taken.rows)
        tolerance = max(tolerance, TOLERANCE[theirs.dtype])
    return Verified(worst, n_rows, tolerance)
