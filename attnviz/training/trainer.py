"""The training loop: one for every task, for the command line and for the dashboard.

The examples of a step depend on the seed and the step alone, so a resumed training ends with the same weights. After a
stop, a time limit or a diverging loss, the log and every checkpoint are there.
"""

import math
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from random import Random

import torch
from torch import Tensor
from torch.nn import functional
from torch.nn.utils import clip_grad_norm_

from attnviz.core.errors import InputError, WrongWeights
from attnviz.core.one_thread import one_thread
from attnviz.training import checkpoints
from attnviz.training.accuracy import accuracy
from attnviz.training.batches import NOT_COUNTED, batch_of
from attnviz.training.head_scores import best_head, head_scores
from attnviz.training.network import Network, logits_of, new_network, seeded
from attnviz.training.output_folder import clear, refuse_foreign
from attnviz.training.plans import check_plan
from attnviz.training.progress import ProgressFile
from attnviz.training.result import Outcome, Point, Run, header_of, log_of, plan_of
from attnviz.training.tasks import task_named
from attnviz.training.tasks.task import Example, Plan, Task

MEASURED = 64  # examples of each split at a checkpoint
EXAM_SEED = 1
LARGEST_GRADIENT = 1.0  # the norm to which larger gradients are clipped
WEIGHT_DECAY = 0.01
BETAS = (0.9, 0.98)  # Vaswani et al. 2017, section 5.3

OnPoint = Callable[[Point], None]
Exam = Mapping[str, tuple[Example, ...]]
ShouldStop = Callable[[], bool]


def learning_rate(plan: Plan, step: int) -> float:
    """Linear warm-up, then half a cosine down to zero at the last step."""
    if step < plan.warmup:
        return plan.learning_rate * (step + 1) / plan.warmup
    done = (step - plan.warmup) / max(1, plan.steps - plan.warmup)
    return plan.learning_rate * 0.5 * (1 + math.cos(math.pi * done))


def train(
    task: Task,
    plan: Plan | None = None,
    *,
    folder: str | Path | None = None,
    on_progress: OnPoint | None = None,
    should_stop: ShouldStop | None = None,
    device: str | None = None,
) -> Run:
    """Train a new model for a task.

    Args:
        task: what to learn.
        plan: the task's own if not given; `plans.changed_plan` changes some of its numbers.
        folder: for checkpoints, progress and the final weights; without one nothing is written. A model that was
            trained into it before is replaced; other files stay.
        on_progress: called after each step; another process can call `read_progress(folder)`.
        should_stop: asked after each step.
        device: "cpu" or "cuda"; the GPU where there is one if not given. On the CPU the same plan gives the same
            weights, bit for bit.
    Raises:
        InputError: a number of the plan is out of range, or the folder is in use or holds other files of these names.
        WriteError: no room or no permission; files written before are whole.
    """
    plan = task.plan if plan is None else plan
    check_plan(plan)
    folder = None if folder is None else Path(folder)
    if folder is not None:
        refuse_foreign(folder)
    with ProgressFile(folder) as progress, one_thread():
        if folder is not None:
            clear(folder)
        return _Session(task, plan, folder, progress, device).run(on_progress, should_stop)


def resume(
    folder: str | Path,
    *,
    task: Task | None = None,
    on_progress: OnPoint | None = None,
    should_stop: ShouldStop | None = None,
    device: str | None = None,
    max_seconds: float | None = None,
) -> Run:
    """Resume a training that was stopped or ran out of time; the result is that of a training never stopped.

    Args:
        folder: what `train` wrote into.
        task: the one that the training must be of; any if not given.
        on_progress, should_stop, device: as of `train`.
        max_seconds: end after so long from here; to the end of the plan if not given.
    Raises:
        WrongWeights: there is no unfinished training in the folder, or it is damaged.
    """
    folder = Path(folder)
    if not (folder / checkpoints.RESUME).exists():
        raise WrongWeights(id="nothing-to-resume", path=str(folder))
    with ProgressFile(folder) as progress, one_thread():
        header, tensors = checkpoints.read(folder / checkpoints.RESUME)
        with checkpoints.malformed(folder / checkpoints.RESUME):
            saved, plan, log = task_named(header["task"]), plan_of(header["plan"]), log_of(header["log"])
        if task not in (None, saved):
            raise InputError(id="other-task", path=str(folder), saved=saved.name, asked=task.name)
        check_plan(replace(plan, max_seconds=max_seconds))
        before = log[-1].seconds if log else 0.0
        plan = replace(plan, max_seconds=None if max_seconds is None else before + max_seconds)
        session = _Session(saved, plan, folder, progress, device, log)
        checkpoints.load_weights(session.network, checkpoints.saved_weights(tensors))
        if session.step:
            checkpoints.restore_optimiser(session.network, session.optimiser, tensors)
        return session.run(on_progress, should_stop)


def exam(task: Task) -> Exam:
    """The examples on which every checkpoint is measured, by split."""
    return {split: task.examples(split, MEASURED, EXAM_SEED) for split in ("validation", *task.splits)}


def measured(point: Point, network: Network, task: Task, held_out: Exam) -> Point:
    """A point of the log with how often the model is right and what its best heads do."""
    right = {split: accuracy(network, task, held_out[split]) for split in task.splits}
    scores = head_scores(network, task, held_out["validation"])
    shares = {str(split): of.exact if task.has_source else of.tokens for split, of in right.items()}
    answers = {name: best_head(by_site)[1] for name, by_site in scores.items()}
    return replace(point, accuracy=shares, answers=answers)


class _Session:
    """One stretch of a training, from its start or resumption to its end."""

    def __init__(
        self, task: Task, plan: Plan, folder: Path | None, progress: ProgressFile, device: str | None,
        log: Iterable[Point] = (),
    ) -> None:  # fmt: skip
        self.task, self.plan, self.folder, self.progress, self.log = task, plan, folder, progress, list(log)
        self.device = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
        self.network = new_network(task, plan.shape, plan.seed).to(self.device).train()
        self.optimiser = torch.optim.AdamW(
            self.network.parameters(), lr=plan.learning_rate, betas=BETAS, weight_decay=WEIGHT_DECAY, fused=True
        )

    @property
    def step(self) -> int:
        return self.log[-1].step if self.log else 0

    @property
    def seconds(self) -> float:
        return self.log[-1].seconds if self.log else 0.0

    def run(self, on_progress: OnPoint | None, should_stop: ShouldStop | None) -> Run:
        plan = self.plan
        started = time.perf_counter() - self.seconds  # of earlier sessions
        self.progress.begin(self.task.name, plan, self.log)
        draw = self.task.training(plan.seed, plan.batch_size)
        with_checkpoint = set(checkpoints.checkpoint_steps(plan.steps, plan.n_checkpoints))
        held_out = exam(self.task)
        outcome: Outcome = "finished"
        if not self.log:
            with torch.no_grad():
                loss = self._loss(draw(0), 0)
            self._checkpoint(Point(0, loss.item(), 0.0), held_out)
        while self.step < plan.steps:
            value = self._step(draw(self.step), self.step)
            if value is None:
                outcome = "diverged"
                break
            point = Point(self.step + 1, value, time.perf_counter() - started)
            point = self._checkpoint(point, held_out) if point.step in with_checkpoint else self._note(point)
            if on_progress is not None:
                on_progress(point)
            if self.step < plan.steps:
                if should_stop is not None and should_stop():
                    outcome = "stopped"
                    break
                if plan.max_seconds is not None and point.seconds >= plan.max_seconds:
                    outcome = "out of time"
                    break
        return self._end(outcome)

    def _loss(self, examples: list[Example], step: int) -> Tensor:
        """The mean of −log p(right token) over the rows that count; dropout is drawn anew in each step."""
        batch = batch_of(self.task, examples).to(self.device)
        with seeded(Random(f"dropout {self.plan.seed} {step}").getrandbits(63)):
            logits = logits_of(self.network, batch)  # [B, T, V]
        return functional.cross_entropy(logits.flatten(0, 1), batch.wanted.flatten(), ignore_index=NOT_COUNTED)

    def _step(self, examples: list[Example], step: int) -> float | None:
        """One step; its loss, or None if it diverged (the weights are then those before the step)."""
        try:
            loss = self._loss(examples, step)
        except InputError:  # attention refuses NaN and infinite numbers
            return None
        self.optimiser.zero_grad()
        loss.backward()
        gradient = clip_grad_norm_(self.network.parameters(), LARGEST_GRADIENT)
        if not (math.isfinite(loss.item()) and math.isfinite(gradient.item())):
            return None
        for group in self.optimiser.param_groups:
            group["lr"] = learning_rate(self.plan, self.step)
        self.optimiser.step()
        return loss.item()

    def _note(self, point: Point) -> Point:
        self.log.append(point)
        self.progress.note(point)
        return point

    def _checkpoint(self, point: Point, held_out: Exam) -> Point:
        """Measure the model, log it, and save a checkpoint."""
        point = self._note(measured(point, self.network.eval(), self.task, held_out))
        self.network.train()
        if self.folder is not None:
            header = {"task": self.task.name, "point": asdict(point)}
            checkpoints.write_checkpoint(self.folder, point.step, self.network, header)
            self._saved("training")
        return point

    def _saved(self, outcome: Outcome) -> Run:
        """The training as far as it is; its folder gets what `resume` needs, then the model."""
        weights = checkpoints.weights_of(self.network)
        run = Run(outcome, self.task, self.plan, self.network, tuple(self.log), checkpoints.sha256_of(weights))
        if self.folder is not None:
            header = {"task": self.task.name, "plan": asdict(self.plan), "seconds": self.seconds}
            header["log"] = [asdict(point) for point in self.log]
            state = checkpoints.saved_state(self.network, self.optimiser)
            checkpoints.write(self.folder / checkpoints.RESUME, header, state)
            checkpoints.write(self.folder / checkpoints.MODEL, header_of(run), weights)
        return run

    def _end(self, outcome: Outcome) -> Run:
        self.network.eval()
        run = self._saved(outcome)
        if self.folder is not None:
            self.progress.end(outcome)
            if outcome == "finished":
                (self.folder / checkpoints.RESUME).unlink()
        return run
