"""Training: one loop for every task, for the command line and for the dashboard.

The examples of a step follow from the seed and the step alone, so that a run that was stopped goes on exactly where it
would have been. Nothing is lost by a stop, a limit or a loss that runs away: the log and every checkpoint are kept.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional
from torch.nn.utils import clip_grad_norm_

from attnviz.core.errors import InputError, WrongWeights
from attnviz.training import checkpoints
from attnviz.training.answers import accuracy, best_head, on_the_answer
from attnviz.training.batches import NOT_COUNTED, Encoder
from attnviz.training.build import built, logits_of
from attnviz.training.checkpoints import checkpoint_steps, sha256_of, weights_of
from attnviz.training.folders import clear, refuse_foreign
from attnviz.training.plans import check_plan
from attnviz.training.progress import Journal
from attnviz.training.run import Outcome, Point, Run, State, header_of, keep, log_of, plan_of, restore
from attnviz.training.tasks import task_named
from attnviz.training.tasks.task import Example, Plan, Task

THREADS = 1
MEASURED = 64  # examples of each held-out split at a checkpoint
EXAM_SEED = 1
LARGEST_GRADIENT = 1.0  # gradients longer than this are shortened to it
WEIGHT_DECAY = 0.01
BETAS = (0.9, 0.98)  # Vaswani et al. 2017, section 5.3

Draw = Callable[[int], list[Example]]


def device_for(wanted: str | None = None) -> torch.device:
    """The GPU where there is one; `wanted` overrules."""
    return torch.device(wanted or ("cuda" if torch.cuda.is_available() else "cpu"))


@contextmanager
def few_threads(device: torch.device) -> Iterator[None]:
    """One thread while a model trains on the CPU: its matrices are too small to share, and where other programs run,
    waiting for a second thread takes many times longer than its work. So the weights do not depend on the cores either.
    """
    before = torch.get_num_threads()
    if device.type == "cpu":
        torch.set_num_threads(THREADS)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def learning_rate(plan: Plan, step: int) -> float:
    """Up in a line, down in half a cosine, to zero at the last step."""
    if step < plan.warmup:
        return plan.learning_rate * (step + 1) / plan.warmup
    way = (step - plan.warmup) / max(1, plan.steps - plan.warmup)
    return plan.learning_rate * 0.5 * (1 + math.cos(math.pi * way))


def train(
    task: Task,
    plan: Plan | None = None,
    *,
    folder: str | Path | None = None,
    on_progress: Callable[[Point], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
    device: str | None = None,
) -> Run:
    """Train a new model for a task.

    Args:
        task: what to learn.
        plan: how; the task's own if not given. `plans.changed` changes some of its numbers.
        folder: where the checkpoints, the progress and the final weights go; nothing is written without one. A
            finished or unfinished model in it is replaced, and files of others stay.
        on_progress: called after each step; another process reads the same with `read_progress(folder)`.
        should_stop: asked after each step.
        device: "cpu", "cuda"; the GPU where there is one if not given. On the CPU the same plan gives the
            same weights, bit for bit.
    Raises:
        InputError: a number of the plan is out of range, or the folder is in use or holds files of others.
        WriteError: no room, or nothing may be written there; what was written before is whole.
    """
    plan = task.plan if plan is None else plan
    check_plan(plan)
    place = None if folder is None else Path(folder)
    if place is not None:
        refuse_foreign(place)
    with Journal(place) as journal, few_threads(device_for(device)):
        if place is not None:
            clear(place)
        encoder = Encoder.of(task)
        state = _new_state(encoder, plan, device_for(device))
        return _go_on(_Sitting(encoder, plan, state, place, journal), on_progress, should_stop)


def resume(
    folder: str | Path,
    *,
    on_progress: Callable[[Point], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
    device: str | None = None,
    max_seconds: float | None = None,
) -> Run:
    """Go on with a training that was stopped or ran out of time, exactly as if it had not been.

    Args:
        folder: what `train` wrote into.
        max_seconds: a new limit for the whole; the old one if not given.
    Raises:
        WrongWeights: there is no unfinished training in the folder, or it is damaged.
        InputError, WriteError: as `train`.
    """
    place = Path(folder)
    if not (place / checkpoints.RESUME).exists():
        raise WrongWeights(
            f"There is no unfinished training in {place}. Start one: attnviz train TASK --out DIR.",
            id="nothing-to-resume", path=str(place),
        )  # fmt: skip
    with Journal(place) as journal, few_threads(device_for(device)):
        tensors, header = checkpoints.read(place / checkpoints.RESUME)
        task, plan = task_named(str(header.get("task"))), plan_of(header.get("plan", {}))
        log = log_of(header.get("log"))
        if max_seconds is not None:
            plan = replace(plan, max_seconds=max_seconds)
            check_plan(plan)
        encoder = Encoder.of(task)
        state = _new_state(encoder, plan, device_for(device))
        state.log, state.step, state.seconds = list(log), log[-1].step, log[-1].seconds
        restore(state, tensors)
        return _go_on(_Sitting(encoder, plan, state, place, journal), on_progress, should_stop)


def _new_state(encoder: Encoder, plan: Plan, device: torch.device) -> State:
    network = built(encoder, plan.shape, plan.seed).to(device).train()
    optimiser = torch.optim.AdamW(
        network.parameters(), lr=plan.learning_rate, betas=BETAS, weight_decay=WEIGHT_DECAY, fused=True
    )
    return State(network, optimiser)


@dataclass(frozen=True)
class _Exam:
    """The examples a model is measured on at each checkpoint, drawn once."""

    held_out: dict[str, tuple[Example, ...]]  # by split
    validation: tuple[Example, ...]  # for choosing heads

    @classmethod
    def of(cls, task: Task) -> _Exam:
        held_out = {str(split): task.examples(split, MEASURED, EXAM_SEED) for split in task.splits}
        return cls(held_out, task.examples("validation", MEASURED, EXAM_SEED))


@dataclass(frozen=True)
class _Sitting:
    """One stretch of a training, from its start or its resumption to its end."""

    encoder: Encoder
    plan: Plan
    state: State
    folder: Path | None
    journal: Journal

    def note(self, point: Point) -> None:
        self.state.log.append(point)
        self.journal.note(point)


def _go_on(
    sitting: _Sitting, on_progress: Callable[[Point], None] | None, should_stop: Callable[[], bool] | None
) -> Run:
    encoder, plan, state = sitting.encoder, sitting.plan, sitting.state
    started = time.perf_counter()
    sitting.journal.begin(encoder.task.name, plan, state.log)
    draw = encoder.task.training(plan.seed, plan.batch_size)
    kept = set(checkpoint_steps(plan.steps, plan.n_checkpoints))
    exam = _Exam.of(encoder.task)
    outcome: Outcome = "finished"
    if state.step == 0 and not state.log:
        with torch.no_grad():
            loss = _loss(encoder, state, draw)
        _checkpoint(sitting, Point(0, loss.item(), 0.0), exam)
    while state.step < plan.steps:
        value = _step(encoder, plan, state, draw)
        if value is None:
            outcome = "diverged"
            break
        state.step += 1
        point = Point(state.step, value, state.seconds + time.perf_counter() - started)
        if state.step in kept:
            point = _checkpoint(sitting, point, exam)
        else:
            sitting.note(point)
        if on_progress is not None:
            on_progress(point)
        if state.step < plan.steps:
            if should_stop is not None and should_stop():
                outcome = "stopped"
                break
            if plan.max_seconds is not None and point.seconds >= plan.max_seconds:
                outcome = "out of time"
                break
    return _end(sitting, outcome)


def _loss(encoder: Encoder, state: State, draw: Draw) -> Tensor:
    """The mean of −log p(right token) over the rows that count, for the examples of the next step."""
    batch = encoder.batch(draw(state.step)).to(next(state.network.parameters()).device)
    logits = logits_of(state.network, batch)  # [B, T, V]
    return functional.cross_entropy(logits.flatten(0, 1), batch.wanted.flatten(), ignore_index=NOT_COUNTED)


def _step(encoder: Encoder, plan: Plan, state: State, draw: Draw) -> float | None:
    """One step; its loss, or None where the numbers ran away (the weights are then those before the step)."""
    try:
        loss = _loss(encoder, state, draw)
    except InputError:  # the attention refuses NaN and infinite numbers
        return None
    state.optimiser.zero_grad()
    loss.backward()
    length = clip_grad_norm_(state.network.parameters(), LARGEST_GRADIENT)
    if not (math.isfinite(loss.item()) and math.isfinite(length.item())):
        return None
    for group in state.optimiser.param_groups:
        group["lr"] = learning_rate(plan, state.step)
    state.optimiser.step()
    return loss.item()


def _checkpoint(sitting: _Sitting, point: Point, exam: _Exam) -> Point:
    """Measure the model, note it in the log, and keep it."""
    encoder, task, network = sitting.encoder, sitting.encoder.task, sitting.state.network.eval()
    right = {split: accuracy(network, encoder, examples) for split, examples in exam.held_out.items()}
    answers = {a.name: best_head(on_the_answer(network, encoder, exam.validation, a))[1] for a in task.answers}
    network.train()
    shares = {split: own.exact if task.has_source else own.tokens for split, own in right.items()}
    point = replace(point, accuracy=shares, answers=answers)
    sitting.note(point)
    if sitting.folder is not None:
        header = {"task": task.name, "point": asdict(point)}
        checkpoints.write_checkpoint(sitting.folder, point.step, network, header)
        keep(encoder, sitting.plan, sitting.state, sitting.folder)
    return point


def _end(sitting: _Sitting, outcome: Outcome) -> Run:
    encoder, plan, state, folder = sitting.encoder, sitting.plan, sitting.state, sitting.folder
    weights = weights_of(state.network)
    run = Run(outcome, encoder.task, plan, state.network.eval(), tuple(state.log), sha256_of(weights))
    if folder is not None:
        keep(encoder, plan, state, folder)
        checkpoints.write(folder / checkpoints.MODEL, weights, header_of(encoder, run))
        sitting.journal.end(outcome)
        if outcome == "finished":
            (folder / checkpoints.RESUME).unlink()
    return run
