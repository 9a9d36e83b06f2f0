"""The training view: a loss curve with a time cursor, all heads as they were at each checkpoint, and one of them large.

Chooses what travels; draws nothing. `attnviz.training.head_formation` makes what it takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from attnviz.core.errors import InputError
from attnviz.training.head_formation import HeadFormation
from attnviz.views.headers import digest, picture_header
from attnviz.views.pack import Arrays, pack
from attnviz.views.training.header import TrainingHeader
from attnviz.views.training.picture import best_head, run_arrays, run_header, telling_cell
from attnviz.views.view import View

MOST_RUNS = 2


class Moment(NamedTuple):
    """What is pointed at, counted from 0; what is None the view chooses."""

    step: int | None = None  # of training; the nearest checkpoint is shown, the newest if None
    layer: int | None = None
    head: int | None = None
    query: int | None = None
    key: int | None = None
    run: int = 0  # whose maps are shown


def training(
    runs: Sequence[HeadFormation],
    pick: Moment | None = None,
    *,
    lang: str = "en",
    size: str = "normal",
    notice: str | None = None,
) -> View:
    """Show how the heads of one training formed, or of two over each other.

    Args:
        runs: one or two; the first is A, the second B.
        pick: the moment, head and cell picked first. Clamped to the runs.
        lang: "en", "zh-CN" or "zh-TW".
        size: "normal" or "projector".
        notice: one sentence shown above the picture.
    Raises:
        InputError: none, more than two, or what is no such run.
    """
    is_list = isinstance(runs, list | tuple)
    strange = [run for run in runs if not isinstance(run, HeadFormation)] if is_list else [runs]
    if strange:
        raise InputError(id="runs-of-training", came=type(strange[0]).__name__)
    if not 1 <= len(runs) <= MOST_RUNS:
        raise InputError(id="too-many-runs", n=len(runs), most=str(MOST_RUNS))
    arrays: Arrays = {}
    for index, run in enumerate(runs):
        arrays |= {f"{name}{index}": array for name, array in run_arrays(run).items()}
    text = runs[0].text
    at = settled(pick or Moment(), runs)
    revision = digest(*(run.revision for run in runs), text)
    header: TrainingHeader = {
        **picture_header("training", revision, lang, size),
        "sources": [_source(run) for run in runs],
        "identity": digest(*(run.id for run in runs), text),
        "text": text,
        "runs": [run_header(run) for run in runs],
        "selection": {
            "step": at.step,
            "layer": at.layer,
            "head": at.head,
            "query": at.query,
            "key": at.key,
            "run": at.run,
        },
        "notice": notice,
    }
    return View("training", pack(header, arrays), revision, title=text[:80])


def _source(run: HeadFormation) -> str:
    """Which training it is: what names it, each name once."""
    names = run.task, run.label, Path(run.id).name, run.revision
    return " ".join(dict.fromkeys(filter(None, names)))


def settled(pick: Moment, runs: Sequence[HeadFormation]) -> Moment:
    """What a picture of these runs shows first: the nearest moment, head and cell; what was left open is chosen."""
    run = runs[min(max(pick.run, 0), len(runs) - 1)]
    wanted = run.checkpoints[-1] if pick.step is None else pick.step
    step = min(run.checkpoints, key=lambda step: abs(step - wanted))
    best = best_head(run)
    layer = best[0] if pick.layer is None else min(max(pick.layer, 0), run.n_layers - 1)
    head = best[1] if pick.head is None else min(max(pick.head, 0), run.n_heads - 1)
    query, key = telling_cell(run, layer, head, pick.query)
    if pick.query is not None and pick.key is not None:
        key = min(max(pick.key, 0), query if run.is_causal else len(run.keys) - 1)
    return Moment(step, layer, head, query, key, runs.index(run))
