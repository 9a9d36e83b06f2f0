"""One training as a header and arrays: every weight of every head at every checkpoint, exact enough to be printed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from attnviz.analysis.phase_change import phase_change, smoothed
from attnviz.views.heads.tokens import is_word, token_rows
from attnviz.views.pack import Arrays
from attnviz.views.training.header import Phase, Run

if TYPE_CHECKING:
    from attnviz.training.head_formation import HeadFormation

DRAWN = 400  # points of a loss curve that travel: half by doublings, where it changes fast, half evenly
CLEAR = 0.3  # a head is named by an answer that gets this share of its weight, and
BEYOND = 2  # times what even weights give it; runs.js has the same
EXACT_BYTES = 2_000_000  # up to here weights travel as float32; above, as round(65535·weight), at most 8·10⁻⁶ off


def run_arrays(run: HeadFormation) -> Arrays:
    """Return what is drawn.

    Returns:
        `steps` uint32 [N], `loss` and `smooth` float32 [N], `scores` float32 [A, M, L, H], `weights` [C, L, H, T_q,
        T_k] as float32, or as uint16 of 65535·weight where that would be more than 2 MB.
    """
    steps = [point.step for point in run.log]
    losses = np.array([point.loss for point in run.log], dtype=np.float64)  # [N]
    drawn = _drawn(steps)
    weights: NDArray[Any] = run.weights
    if weights.nbytes > EXACT_BYTES:
        weights = np.rint(weights.clip(0, 1) * 65535).astype(np.uint16)
    return {
        "steps": np.array(steps, dtype=np.uint32)[drawn],
        "loss": losses[drawn].astype(np.float32),
        "smooth": smoothed(steps, losses)[drawn].astype(np.float32),
        "scores": run.scores.astype(np.float32),
        "weights": weights,
    }


def _drawn(steps: Sequence[int]) -> NDArray[np.int64]:
    """Which points of a log are drawn: indices, ascending, first and last among them."""
    if len(steps) <= DRAWN:
        return np.arange(len(steps))
    even = np.linspace(0, len(steps) - 1, DRAWN // 2)
    doubling = np.searchsorted(steps, np.geomspace(1, steps[-1] + 1, DRAWN // 2) - 1)
    return np.unique(np.concatenate([even.astype(np.int64), doubling, [0, len(steps) - 1]]))


def run_header(run: HeadFormation) -> Run:
    """Return everything about a training that is no curve and no map."""
    return {
        "label": run.label,
        "task": run.task,
        "counted": run.counted,
        "outcome": run.outcome.replace(" ", "-"),  # a message id is made of it
        "planned": run.planned,
        "layers": run.n_layers,
        "heads": run.n_heads,
        "sites": [site.key for site in run.sites],
        "checkpoints": list(run.checkpoints),
        "measured": list(run.measured),
        "accuracy": _accuracy(run),
        "answers": list(run.answers),
        "even": list(run.even),
        "answered": list(run.answered),
        "right": run.right,
        "examples": run.n_examples,
        "phase": _phase(run),
        "queries": token_rows(run.queries, run.writes.text if run.writes else ()),
        "keys": token_rows(run.keys),
        "isCausal": run.is_causal,
        "expected": [[(query, sorted(keys)) for query, keys in sorted(of_text.items())] for of_text in run.expected],
    }


def telling_cell(run: HeadFormation, layer: int, head: int, query: int | None = None) -> tuple[int, int]:
    """The cell that says most: on the known answer of the person's own text if it has one, else the largest weight.

    Args:
        query: the row, if it is chosen already; clamped.
    """
    last = run.weights[-1, layer, head]  # [T_q, T_k]
    answer = _own_answer(run, layer, head)
    rows = range(len(run.queries)) if query is None else [min(max(query, 0), len(run.queries) - 1)]
    expected = run.expected[answer]
    right = [(row, key) for row in rows for key in sorted(expected.get(row, ()))]
    words = [(row, key) for row in rows for key in range(last.shape[1]) if _is_word(run, row, key)]
    everything = [(row, key) for row in rows for key in range(row + 1 if run.is_causal else last.shape[1])]
    return max(right or words or everything, key=lambda cell: float(last[cell]))


def _own_answer(run: HeadFormation, layer: int, head: int) -> int:
    """The answer a head is measured by: the one the task is about, unless another clearly gets more of its weight."""
    shares = run.scores[:, -1, layer, head]  # [A]
    is_clear = shares >= np.maximum(CLEAR, BEYOND * np.array(run.even))  # [A]
    return int(np.where(is_clear, shares, -1).argmax()) if is_clear.any() else len(shares) - 1


def _is_word(run: HeadFormation, row: int, key: int) -> bool:
    are_words = is_word(run.writes or run.queries, row) and is_word(run.keys, key)
    return are_words and (key < row or not run.is_causal)


def _accuracy(run: HeadFormation) -> dict[str, list[tuple[int, float]]]:
    """By held-out split: [step, share] at each checkpoint that was measured."""
    splits = sorted({split for point in run.log for split in point.accuracy}, reverse=True)  # "sentences" first
    return {split: [(p.step, p.accuracy[split]) for p in run.log if split in p.accuracy] for split in splits}


def best_head(run: HeadFormation) -> tuple[int, int]:
    """(layer, head) that gives the answer which the task is about most of its weight at the newest checkpoint."""
    layer, head = np.unravel_index(int(run.scores[-1, -1].argmax()), run.scores.shape[2:])
    return int(layer), int(head)


def _phase(run: HeadFormation) -> Phase | None:
    """The phase change, by that head's share on that answer."""
    layer, head = best_head(run)
    steps, losses = [point.step for point in run.log], [point.loss for point in run.log]
    change = phase_change(steps, losses, run.measured, run.scores[-1, :, layer, head])
    if change is None:
        return None
    return {
        "layer": layer, "head": head, "first": change.first, "last": change.last, "drop": change.drop,
        "low": change.low, "high": change.high,
    }  # fmt: skip
