"""How the heads of one training formed: its log, and at each checkpoint all heads on a person's own text.

The weights are recomputed from the checkpoints; what each head does on validation examples is measured once a
checkpoint and remembered. Nothing here draws.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from attnviz.core.site import Site
from attnviz.models.support.vocabulary import END, SPECIAL
from attnviz.trace.shift_targets import as_written
from attnviz.trace.tokens import Tokens
from attnviz.trace.trace import Trace
from attnviz.training.checkpoints import MODEL, RESUME, STEPS, saved_steps
from attnviz.training.expected_answer import Looks, OwnAnswer, own_answer
from attnviz.training.head_scores import head_shares
from attnviz.training.partial import load_so_far
from attnviz.training.progress import PROGRESS, read_progress
from attnviz.training.run import Point, log_of
from attnviz.training.tasks import task_named
from attnviz.training.tasks.task import Example, Plan, Task
from attnviz.training.trained import TrainedModel
from attnviz.training.trainer import EXAM_SEED, MEASURED

REMEMBERED = 256  # checkpoints whose heads have been measured


@dataclass(frozen=True, eq=False)
class Forming:
    """One training, as data: what a picture of it needs, and nothing that has to be computed any more."""

    id: str  # the name it was asked for by, or its folder
    revision: str  # the same training, as far as it has gone, and the same text give the same revision
    label: str  # what tells it from another training of the same task; may be empty
    task: str
    outcome: str  # "training" while it goes on, else what it ended with: Run.outcome
    planned: int  # steps
    n_layers: int
    n_heads: int
    log: tuple[Point, ...] = field(repr=False)
    checkpoints: tuple[int, ...]  # steps
    sites: tuple[Site, ...]  # of the kind that the known answer speaks of, by layer
    weights: NDArray[np.float32] = field(repr=False)  # [C, L, H, Tq, Tk], a checkpoint each
    queries: Tokens  # a row each; of cross-attention, the token that the row is to write
    keys: Tokens
    is_writing: bool  # the rows are named by what they write
    is_causal: bool
    answers: tuple[str, ...]  # names of the known answers; the last is the one that the task is about
    scores: NDArray[np.float32] = field(repr=False)  # [A, C, L, H]: weight on the known answer, validation examples
    n_examples: int  # validation examples behind a score, and of each held-out split behind a share of right ones
    expected: tuple[Looks, ...] = field(repr=False)  # for each answer, where it lies in the person's own text
    text: str = ""
    written: str = ""  # what the decoder was given to write
    is_covered: bool = True  # the text is of the kind that the task trains
    largest_difference: float = 0.0  # of the traces' own checks

    @property
    def nbytes(self) -> int:
        return self.weights.nbytes + self.scores.nbytes


def forming(
    folder: str | Path,
    text: str,
    *,
    target: str | None = None,
    script: str = "",
    is_running: bool | None = None,
    label: str = "",
    id: str | None = None,
) -> Forming:
    """Follow the heads of a training through its checkpoints.

    Args:
        folder: what `train` wrote, or is still writing.
        text: the person's own, in the words of the task.
        target: what the decoder is given to write. If not given, the right answer where the task's rule or grammar
            says it for this text, else what the model writes now.
        script: "zh-TW" for traditional characters.
        is_running: whether the training goes on. If not given, it does where it has not noted how it ended.
        label: what tells this training from another.
        id: the name it was asked for by; the folder if not given.
    Raises:
        WrongWeights: there is no training in the folder.
        EmptyText, TooLong, UnknownWords: the text cannot be read.
    """
    folder = Path(folder)
    model = _model(folder, id or str(folder)).spelled(script)
    own = own_answer(model.task, text)
    given = target if target is not None else _target(model, text, own)
    steps = saved_steps(folder)
    traces = [model.at_step(step, folder).trace(text, given) for step in steps] or [model.trace(text, given)]
    sites = _sites(model, traces[0])
    tokens = traces[0].tokens
    log, outcome = _told(folder, model, is_running)
    return Forming(
        id=id or str(folder), revision=_revision(model, steps, log, text, given), label=label, task=model.task.name,
        outcome=outcome, planned=model.plan.steps, n_layers=len(sites), n_heads=model.plan.shape.n_heads, log=log,
        checkpoints=steps or (log[-1].step,), sites=sites,
        weights=np.stack([_weights(trace, sites) for trace in traces]),  # [C, L, H, Tq, Tk]
        queries=tokens.source if tokens.target is None else as_written(tokens.target, SPECIAL[END], END),
        keys=tokens.source,
        is_writing=tokens.target is not None, is_causal=sites[0].kind == "self",
        answers=tuple(answer.name for answer in model.task.answers),
        scores=np.stack([_scores_at(folder, step) for step in steps or (-1,)], axis=1),  # [A, C, L, H]
        n_examples=MEASURED,
        expected=tuple((own.looks if own else {}).get(answer.name, {}) for answer in model.task.answers),
        text=text, written=given or "", is_covered=model.covers(text),
        largest_difference=max(trace.verified.difference for trace in traces if trace.verified is not None),
    )  # fmt: skip


def awaited(task: Task, plan: Plan, *, label: str = "") -> Forming:
    """A training that has left nothing yet: it waits, or draws its examples."""
    names = tuple(answer.name for answer in task.answers)
    shape, nobody = plan.shape, Tokens.plain(())
    size = (0, shape.n_layers, shape.n_heads)
    return Forming(
        id="", revision="", label=label, task=task.name, outcome="training", planned=plan.steps,
        n_layers=shape.n_layers, n_heads=shape.n_heads, log=(), checkpoints=(), sites=(),
        weights=np.zeros((*size, 0, 0), np.float32), queries=nobody, keys=nobody, is_writing=task.has_source,
        is_causal=not task.has_source, answers=names, scores=np.zeros((len(names), *size), np.float32),
        n_examples=MEASURED, expected=({},) * len(names),
    )  # fmt: skip


def _told(folder: Path, model: TrainedModel, is_running: bool | None) -> tuple[tuple[Point, ...], str]:
    """The log, and how the training ended, by whichever file is newest."""
    if (folder / PROGRESS).is_file():
        progress = read_progress(folder)
        log, outcome = progress.log, progress.outcome or ("stopped" if is_running is False else "training")
    else:
        log, outcome = log_of(model.header["log"]), model.header["outcome"]
    return log, "training" if is_running else outcome


def _target(model: TrainedModel, text: str, own: OwnAnswer | None) -> str | None:
    if not model.task.has_source:
        return None
    return model.target.text(own.written, model.script) if own else model.generate(text)


def _sites(model: TrainedModel, trace: Trace) -> tuple[Site, ...]:
    """The decoder's sites of the kind that the known answer speaks of, by layer."""
    kind = model.task.answers[-1].site_kind
    return tuple(sorted(site for site in trace.sites if site.stack == "decoder" and site.kind == kind))


def _weights(trace: Trace, sites: Sequence[Site]) -> NDArray[np.float32]:
    """[L, H, Tq, Tk]"""
    return np.stack([trace[site.key].weights().numpy() for site in sites])


def _model(folder: Path, id: str) -> TrainedModel:
    """The model of a folder, as it is now."""
    newest = max((path.stat().st_mtime_ns for name in (MODEL, RESUME) if (path := folder / name).is_file()), default=0)
    return _loaded(folder, id, newest)


@lru_cache(maxsize=4)
def _loaded(folder: Path, id: str, changed: int) -> TrainedModel:
    return load_so_far(folder, id=id)


def _scores_at(folder: Path, step: int) -> NDArray[np.float32]:
    """The weight of each head on each known answer: [A, L, H]; step −1 is the model as it is."""
    name = MODEL if step < 0 else f"{STEPS}/{step:06d}.safetensors"
    return _measured(folder, step, (folder / name).stat().st_mtime_ns)


@lru_cache(maxsize=REMEMBERED)
def _measured(folder: Path, step: int, changed: int) -> NDArray[np.float32]:
    """Measured once; `changed` is there so that a folder that is trained into again is measured again."""
    whole = _model(folder, str(folder))
    model = whole if step < 0 else whole.at_step(step, folder)
    return head_shares(model, _examples(model.task.name))  # [A, L, H]


@lru_cache(maxsize=8)
def _examples(task: str) -> tuple[Example, ...]:
    """The validation examples that the trainer chooses heads on."""
    return task_named(task).examples("validation", MEASURED, EXAM_SEED)


def _revision(model: TrainedModel, steps: Sequence[int], log: Sequence[Point], text: str, given: str | None) -> str:
    last: Mapping[str, object] = {"step": log[-1].step, "loss": log[-1].loss} if log else {}
    parts = (model.card.revision, model.script, tuple(steps), len(log), last, text, given)
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:12]
