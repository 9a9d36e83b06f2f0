"""Decomposes a value of a run into a sum over its writers, by torch's gradients through the frozen run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from attnviz.analysis.circuits.frozen_run import Frozen, Reached, not_exact
from attnviz.analysis.circuits.writers import Leaf, Writer
from attnviz.core.errors import LimitError, StepError
from attnviz.trace.rerun import Rerun, rerun_of
from attnviz.trace.trace import Trace
from attnviz.trace.traceable import record_unchecked

LONGEST = 1024  # tokens of a run that is decomposed
ROWS = 64  # gradients made at once
BYTES = 1 << 28  # that these may take


@dataclass(frozen=True, eq=False)
class Parts:
    """A value at one token as a sum over writers."""

    writers: tuple[Writer, ...]
    parts: Tensor  # float64 [W, n]: the share of each writer in each of n numbers
    through: Mapping[str, Through]  # by site


def run_frozen(trace: Trace, until: str | None = None, *, logits: bool = False) -> tuple[Frozen, Tensor | None]:
    """Run a trace's text again and follow it, up to the attention at `until` or to the end.

    Returns the followed run, and the last hidden states [T, d_model], or logits [T, V] if asked for: those of the
    vocabulary, else of a head of another kind, [T, n] or [1, n].
    """
    rerun = rerun_of(trace)
    n = max(len(tokens) for tokens in (trace.tokens.source, trace.tokens.target) if tokens is not None)
    if n > LONGEST:  # every token with every token of all heads, and a gradient for each writer
        raise LimitError(id="too-long-to-take-apart", n=n, limit=LONGEST)
    frozen = Frozen(rerun, {key: record.n_heads for key, record in trace.records.items()}, until)
    try:
        with torch.inference_mode(False), torch.enable_grad(), frozen, record_unchecked(frozen.edits):
            frozen.states = rerun.states(1)  # [1, T, d_model]
            last = frozen.states[0]
            head = rerun.logits or (rerun.task and rerun.task.logits)
            if logits and head:
                frozen.is_head = True
                ids = torch.tensor((trace.tokens.target or trace.tokens.source).ids, device=last.device)
                last = head(last, ids)  # [T, V]
            return frozen, last
    except Reached:
        return frozen, None


def check_precision(rerun: Rerun) -> None:
    """Refuse a run in half precision: it rounds by more than parts may miss their sum by."""
    if torch.finfo(rerun.table.dtype).bits < 32:
        dtype = str(rerun.table.dtype).removeprefix("torch.")
        raise StepError(id="half-precision", dtype=dtype)


def parts_of(frozen: Frozen, value: Tensor, position: int) -> Parts:
    """The share of each writer in a followed value [n] that was made at one token."""
    writers: dict[Writer, Tensor] = {}  # float64 [n] each
    through: dict[str, Through] = {}
    leaves = frozen.leaves
    for leaf, (share, at) in zip(leaves, arriving(value, leaves, position), strict=True):
        if share is None:
            continue
        if leaf.kind != "head":
            if leaf.kind == "feed-forward" and leaf.layer is None and bool(share.any()):
                raise not_exact("this value")  # something before the first block that is no sum
            stack = leaf.stack if leaf.kind == "feed-forward" else ""
            writer = Writer(leaf.kind, leaf.layer, name=leaf.name, stack=stack)
            writers[writer] = writers.get(writer, 0) + share  # a gated feed-forward writes in several products
            continue
        if leaf.w_o is None or leaf.merged is None or at is None:
            raise not_exact(leaf.site)
        through[leaf.site] = Through(leaf.w_o, at)
        read, n_heads = leaf.merged.reshape(-1, leaf.merged.shape[-1])[position], frozen.n_heads[leaf.site]  # [H·d_v]
        alone = torch.block_diag(*read.view(n_heads, 1, -1).unbind())  # [H, H·d_v], one head a row
        for head, part in enumerate(through[leaf.site](alone)):
            writers[Writer("head", leaf.layer, leaf.site, head)] = part
    return Parts(tuple(writers), torch.stack(list(writers.values())), through)


@dataclass(frozen=True, eq=False)
class Through:
    """Maps the head outputs of a site at one token, before W_O, to the values that are decomposed."""

    w_o: Callable[[Tensor], Tensor]  # [R, H·d_v] -> [R, d_model]
    gradient: Tensor  # float64 [n, d_model]

    def __call__(self, rows: Tensor) -> Tensor:
        """[R, H·d_v] -> float64 [R, n]."""
        with torch.no_grad():
            return self.w_o(rows).double() @ self.gradient.mT  # [R, n]


def arriving(value: Tensor, leaves: Sequence[Leaf], position: int) -> list[tuple[Tensor | None, Tensor | None]]:
    """The share of each leaf in a value, float64 [n], and d value / d leaf at one token [n, d]; None if it has none."""
    sums: list[list[Tensor]] = [[] for _ in leaves]
    rows: list[list[Tensor]] = [[] for _ in leaves]
    for grads in gradients(value, leaves):
        for index, (leaf, grad) in enumerate(zip(leaves, grads, strict=True)):
            if grad is not None:
                sums[index].append(grad.flatten(1).double() @ leaf.value.detach().flatten().double())  # [r]
            if grad is not None and leaf.value.ndim > 1 and leaf.value[..., 0].numel() > position:
                rows[index].append(grad.reshape(len(grad), -1, grad.shape[-1])[:, position].double())  # [r, d_model]
    return [(torch.cat(a) if a else None, torch.cat(b) if b else None) for a, b in zip(sums, rows, strict=True)]


def gradients(value: Tensor, leaves: Sequence[Leaf]) -> Iterator[tuple[Tensor | None, ...]]:
    """d value / d leaf, [r, …] for r numbers of the value [n] at a time; None where a leaf has no part in it."""
    if not value.requires_grad:
        raise not_exact("this value")
    inputs = [leaf.value for leaf in leaves]
    step = max(1, min(ROWS, BYTES // sum(each.numel() * each.element_size() for each in inputs)))
    for start in range(0, len(value), step):
        basis = torch.eye(len(value), dtype=value.dtype, device=value.device)[start : start + step]  # [r, n]
        yield torch.autograd.grad(value, inputs, basis, retain_graph=True, allow_unused=True, is_grads_batched=True)
