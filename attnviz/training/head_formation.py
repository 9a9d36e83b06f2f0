"""How the heads of one training form: its log, and all heads at each checkpoint on a person's own text.

Weights are recomputed from the checkpoints; the score of each head is measured once for each checkpoint and cached.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from attnviz.core.site import Site
from attnviz.models.support.vocabulary import END, SPECIAL
from attnviz.trace import display_mixin
from attnviz.trace.decoder_rows import as_written
from attnviz.trace.tokens import Tokens
from attnviz.trace.trace import Trace
from attnviz.training.checkpoints import MODEL, checkpoint_path, saved_steps
from attnviz.training.expected_answer import ExpectedAnswer, expected_answer
from attnviz.training.head_scores import even_shares, head_scores
from attnviz.training.load import load_trained
from attnviz.training.network import Network
from attnviz.training.progress import PROGRESS, read_progress
from attnviz.training.result import Point, log_of
from attnviz.training.tasks import task_named
from attnviz.training.tasks.task import Example, KeysByRow, Task
from attnviz.training.trained_model import TrainedModel
from attnviz.training.trainer import EXAM_SEED, MEASURED


@dataclass(frozen=True, eq=False)
class HeadFormation:
    """One training as data: all that a picture of it shows."""

    id: str  # its folder
    revision: str  # equal for the same training at the same step, with the same text
    label: str  # tells it from another training of the same task; may be empty
    task: str
    counted: str  # what a share of right answers is a share of
    outcome: str  # "training" while it goes on, else Run.outcome
    planned: int  # steps
    n_layers: int
    n_heads: int
    log: tuple[Point, ...] = field(repr=False)
    checkpoints: tuple[int, ...]  # steps
    sites: tuple[Site, ...]  # of the kind that the known answer is about, by layer
    weights: NDArray[np.float32] = field(repr=False)  # [C, L, H, T_q, T_k], C checkpoints
    queries: Tokens  # one for each row: the token that was read
    keys: Tokens
    writes: Tokens | None  # what each row of cross-attention writes; None in self-attention
    is_causal: bool
    answers: tuple[str, ...]  # names of the known answers, the main one last
    measured: tuple[int, ...]  # steps: the checkpoints, and of a model that ships with few those that were there
    scores: NDArray[np.float32] = field(repr=False)  # [A, M, L, H]: weight on the expected keys, validation examples
    even: tuple[float, ...]  # for each answer, what even weights would put there: what a score is to be compared with
    n_examples: int  # of validation behind each score, and of each held-out split behind an accuracy
    expected: tuple[KeysByRow, ...] = field(repr=False)  # for each answer, the expected keys in the person's own text
    text: str = ""
    written: str = ""  # what the decoder was given to write
    answered: tuple[str, ...] = ()  # at each checkpoint, what the model itself writes for this text
    right: str = ""  # what it should write; empty where nothing says so
    is_covered: bool = True  # the text is like those of the task
    largest_difference: float = 0.0  # of the traces' own checks

    @property
    def nbytes(self) -> int:
        return self.weights.nbytes + self.scores.nbytes

    @property
    def places(self) -> list[tuple[int, int]]:
        """(layer, head) of every head, layer by layer."""
        return [(layer, head) for layer in range(self.n_layers) for head in range(self.n_heads)]

    def figure(self, **options: Any) -> Any:
        """Loss and the known answer's share of each head, a plotly figure: `av.figures.training`."""
        return display_mixin.figures().training(self, **options)


def head_formation(
    folder: str | Path,
    text: str,
    *,
    script: str = "",
    is_running: bool | None = None,
    label: str = "",
) -> HeadFormation:
    """Run a text through every checkpoint of a training.

    The decoder is given the known answer for this text to write, or, where there is none, what the model writes now.

    Args:
        folder: what `train` wrote, or is still writing.
        text: in the words of the task.
        script: "zh-TW" for traditional characters.
        is_running: whether the training goes on. If not given, it does unless its files say how it ended.
        label: tells this training from another.
    Raises:
        WrongWeights: there is no training in the folder.
        EmptyText, TooLong, UnknownWords: the text cannot be read.
    """
    folder = Path(folder)
    model = _model(folder).in_script(script)
    model.source_tokens(text)  # refuses a text by the model's own name, before a checkpoint does
    answer, has_source = expected_answer(model.task, text), model.task.has_source
    right = model.task.target.text(answer.written, model.script) if answer else ""
    given = None
    if has_source:
        given = right if answer else str(model.generate(text))
    steps = saved_steps(folder)
    models = [model.at_step(step, folder) for step in steps]
    last = int(model.header["steps"])
    if last not in steps:  # of a model that ships with few checkpoints
        models, steps = [*models, model], (*steps, last)
    traces = [model.trace(text, given) for model in models]
    if has_source:
        answered = tuple(str(model.generate(text)) for model in models)
    else:
        answered, right = _continued(traces, answer)
    tokens, kind = traces[0].tokens, model.task.answers[-1].site_kind
    sites = tuple(sorted(site for site in traces[0].sites if site.stack == "decoder" and site.kind == kind))
    log, outcome = _log_and_outcome(folder, model, is_running)
    scored = {int(step): np.array(scores, dtype=np.float32) for step, scores in model.header.get("scores", {}).items()}
    measured = tuple(sorted({*steps, *scored}))
    scores = [scored[step] if step in scored else _scores_at(folder, step) for step in measured]  # [A, L, H] each
    parts = (model.card.revision, model.script, steps, log[-1], text, given)
    return HeadFormation(
        id=str(folder), revision=hashlib.sha256(repr(parts).encode()).hexdigest()[:12], label=label,
        task=model.task.name, counted=model.task.counted, outcome=outcome, planned=model.plan.steps,
        n_layers=len(sites), n_heads=model.plan.shape.n_heads, log=log, checkpoints=steps, sites=sites,
        weights=np.stack([[trace[site.key].weights().numpy() for site in sites] for trace in traces]),
        queries=tokens.source if tokens.target is None else tokens.target, keys=tokens.source,
        writes=None if tokens.target is None else as_written(tokens.target, SPECIAL[END], END),
        is_causal=kind == "self",
        answers=tuple(each.name for each in model.task.answers),
        measured=measured, scores=np.stack(scores, axis=1),  # [A, M, L, H]
        even=_even(model.task.name),
        n_examples=MEASURED,
        expected=tuple((answer.keys if answer else {}).get(each.name, {}) for each in model.task.answers),
        text=text, written=given or "", is_covered=model.covers(text), answered=answered, right=right,
        largest_difference=max(trace.verified.difference for trace in traces if trace.verified is not None),
    )  # fmt: skip


def _log_and_outcome(folder: Path, model: TrainedModel, is_running: bool | None) -> tuple[tuple[Point, ...], str]:
    if (folder / PROGRESS).is_file():
        progress = read_progress(folder)
        log, outcome = progress.log, progress.outcome or ("stopped" if is_running is False else "training")
    else:
        log, outcome = log_of(model.header["log"]), model.header["outcome"]
    return log, "training" if is_running else outcome


def _continued(traces: Sequence[Trace], answer: ExpectedAnswer | None) -> tuple[tuple[str, ...], str]:
    """Of a text that is continued: what each checkpoint predicts after its repeated symbols, and what followed last; of
    real writing the next word alone, of which nothing says what it should be."""
    predictions = [trace.prediction for trace in traces if trace.prediction is not None]
    if answer is None or "induction" not in answer.keys:
        return tuple(prediction.texts[-1][0] for prediction in predictions), ""
    repeats = sorted(answer.keys["induction"].items())  # rows, and the keys that hold the answer
    answered = tuple(" ".join(prediction.texts[row][0] for row, _ in repeats) for prediction in predictions)
    return answered, " ".join(traces[0].tokens.source.text[max(keys)] for _, keys in repeats)


def _model(folder: Path) -> TrainedModel:
    path = folder / MODEL
    return _loaded(folder, path.stat().st_mtime_ns if path.is_file() else 0)


@lru_cache(maxsize=4)
def _loaded(folder: Path, changed_at: int) -> TrainedModel:
    return load_trained(folder)


def _scores_at(folder: Path, step: int) -> NDArray[np.float32]:
    """The score of each head for each answer at a checkpoint, or of the final model: [A, L, H]."""
    path = checkpoint_path(folder, step)
    if path.exists():
        return _measured(folder, step, path.stat().st_mtime_ns)
    return _measured(folder, None, (folder / MODEL).stat().st_mtime_ns)


@lru_cache(maxsize=256)  # checkpoints
def _measured(folder: Path, step: int | None, changed_at: int) -> NDArray[np.float32]:
    model = _model(folder) if step is None else _model(folder).at_step(step, folder)
    return scores_of(model.network, model.task)


def scores_of(network: Network, task: Task) -> NDArray[np.float32]:
    """The score of each head for each answer on validation examples: [A, L, H]."""
    scores = head_scores(network, task, _examples(task.name))
    return torch.stack([torch.stack([sites[site] for site in sorted(sites)]) for sites in scores.values()]).numpy()


@lru_cache(maxsize=8)
def _even(task: str) -> tuple[float, ...]:
    return tuple(even_shares(task_named(task), _examples(task)).values())


@lru_cache(maxsize=8)
def _examples(task: str) -> tuple[Example, ...]:
    return task_named(task).examples("validation", MEASURED, EXAM_SEED)
