"""A training as data: its log, its result, and the header of its model."""

import math
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from typing import Any, Literal

import torch

from attnviz.trace.run_facts import run_versions
from attnviz.training.network import Network
from attnviz.training.plans import check_plan
from attnviz.training.tasks.task import Plan, Shape, Task

Outcome = Literal["training", "finished", "stopped", "out of time", "diverged"]  # "training" in files alone
MOST_LOGGED = 400  # points in the header of a model, about: enough for a curve


@dataclass(frozen=True)
class Point:
    step: int
    loss: float
    seconds: float  # of training so far, over all sessions
    accuracy: dict[str, float] = field(default_factory=dict)  # by held-out split; only at checkpoints
    answers: dict[str, float] = field(default_factory=dict)  # the best head's score for each answer; likewise

    def line(self) -> str:
        shares = [f"{split} {value:.1%}" for split, value in self.accuracy.items()]
        heads = [f"{answer} head {value:.2f}" for answer, value in self.answers.items()]
        return f"step {self.step}: loss {self.loss:.4f}, {self.seconds:.0f} s, " + ", ".join([*shares, *heads])


@dataclass(frozen=True)
class Run:
    outcome: Outcome
    task: Task
    plan: Plan
    network: Network = field(repr=False)
    log: tuple[Point, ...] = field(repr=False)
    sha256: str = ""

    @property
    def step(self) -> int:
        return self.log[-1].step if self.log else 0


# The next three read a header; `checkpoints.malformed` around them explains what they raise.


def plan_of(saved: Any) -> Plan:
    plan = Plan(**{**saved, "shape": Shape(**saved["shape"])})
    check_plan(plan)
    return plan


def point_of(saved: Any) -> Point:
    point = Point(**saved)
    numbers = (point.step, point.loss, point.seconds, *point.accuracy.values(), *point.answers.values())
    if not all(map(math.isfinite, numbers)):
        raise ValueError(numbers)
    return point


def log_of(saved: Any) -> tuple[Point, ...]:
    """The log of a header; its steps increase."""
    log = tuple(map(point_of, saved))
    if not log or any(after.step <= before.step for before, after in pairwise(log)):
        raise ValueError("no log")
    return log


def header_of(run: Run) -> dict[str, Any]:
    """The header of a trained model. Its log has every checkpoint and some points between."""
    every = max(1, len(run.log) // MOST_LOGGED)
    return {
        "task": run.task.name,
        "source_words": list(run.task.source.words),
        "target_words": list(run.task.target.words),
        "plan": asdict(run.plan),
        "outcome": run.outcome,
        "steps": run.step,
        "log": [asdict(point) for at, point in enumerate(run.log) if point.accuracy or at % every == 0],
        "sha256": run.sha256,
        "threads": torch.get_num_threads(),
        "versions": run_versions(),
    }
