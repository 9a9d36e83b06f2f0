"""A training as data: its log, what it ended with, and the file that lets it go on. The loop itself is in trainer."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, get_args

import torch
from torch import Tensor

from attnviz.core.errors import InputError, WrongWeights
from attnviz.models.support.vocabulary import SPECIAL
from attnviz.trace.trace import run_versions
from attnviz.training import checkpoints
from attnviz.training.answers import Network
from attnviz.training.batches import Encoder
from attnviz.training.checkpoints import do_not_fit, load_weights, weights_of
from attnviz.training.plans import check_plan
from attnviz.training.tasks.task import Plan, Shape, Task

Outcome = Literal["finished", "stopped", "out of time", "diverged"]


@dataclass(frozen=True)
class Point:
    """One line of the log."""

    step: int
    loss: float
    seconds: float  # of training so far, over all sittings
    accuracy: dict[str, float] = field(default_factory=dict)  # by held-out split; at checkpoints only
    answers: dict[str, float] = field(default_factory=dict)  # the best head's share of each answer; likewise


@dataclass(frozen=True)
class Run:
    """What a training ended with."""

    outcome: Outcome
    task: Task
    plan: Plan
    network: Network = field(repr=False)
    log: tuple[Point, ...] = field(repr=False)
    sha256: str = ""

    @property
    def step(self) -> int:
        return self.log[-1].step if self.log else 0


@dataclass
class State:
    """What changes while a training runs."""

    network: Network
    optimiser: torch.optim.AdamW
    log: list[Point] = field(default_factory=list)
    step: int = 0  # steps done
    seconds: float = 0.0  # spent in earlier sittings


def plan_of(saved: Mapping[str, Any]) -> Plan:
    """A plan as a header holds it.

    Raises:
        WrongWeights: it is none, or none that could have been trained.
    """
    try:
        plan = Plan(**{**saved, "shape": Shape(**saved["shape"])})
        check_plan(plan)
    except (TypeError, KeyError, InputError) as fault:
        raise WrongWeights(
            f"The file holds no plan that could have been trained: {fault}. Train the model again.", id="wrong-plan",
            fault=str(fault),
        ) from fault  # fmt: skip
    return plan


def point_of(saved: Mapping[str, Any]) -> Point:
    """A line of the log as a header holds it.

    Raises:
        WrongWeights: it is none.
    """
    try:
        point = Point(**saved)
        shares = (*point.accuracy.items(), *point.answers.items())
        numbers = [point.step, point.loss, point.seconds, *(value for _, value in shares)]
        is_right = all(isinstance(value, (int, float)) and math.isfinite(value) for value in numbers)
        if not (is_right and isinstance(point.step, int) and all(isinstance(name, str) for name, _ in shares)):
            raise TypeError
    except (TypeError, AttributeError, OverflowError) as fault:
        raise WrongWeights(
            "The file holds a log that is none. Train the model again.", id="wrong-log"
        ) from fault  # fmt: skip
    return point


def log_of(saved: object) -> tuple[Point, ...]:
    """The log of a header.

    Raises:
        WrongWeights: it is none, or its steps go back.
    """
    log = tuple(point_of(line) for line in saved) if isinstance(saved, list) else ()
    if not log or any(after.step <= before.step for before, after in pairwise(log)):
        raise WrongWeights("The file holds a log that is none. Train the model again.", id="wrong-log")
    return log


def check_end(header: Mapping[str, Any]) -> None:
    """Refuse a header that does not say how the training ended.

    Raises:
        WrongWeights: it does not.
    """
    if header.get("outcome") not in get_args(Outcome) or header.get("steps") != log_of(header.get("log"))[-1].step:
        raise WrongWeights("The file holds a log that is none. Train the model again.", id="wrong-log")


def words_of(saved: object) -> tuple[str, ...]:
    """The vocabulary of a header.

    Raises:
        WrongWeights: it is none, or has a word twice.
    """
    words = tuple(saved) if isinstance(saved, list) else ()
    are_words = bool(words) and all(isinstance(word, str) and word for word in words)
    if not are_words or len({*words, *SPECIAL}) != len(words) + len(SPECIAL):
        raise WrongWeights("The file holds words that are none. Train the model again.", id="wrong-words")
    return words


def header_of(encoder: Encoder, run: Run) -> dict[str, Any]:
    """What a saved model says about itself."""
    return {
        "task": run.task.name,
        "source_words": list(encoder.source.words),
        "target_words": list(encoder.target.words),
        "plan": asdict(run.plan),
        "outcome": run.outcome,
        "steps": run.step,
        "log": _thinned(run.log),
        "sha256": run.sha256,
        "threads": torch.get_num_threads(),
        "versions": run_versions(),
    }


def _thinned(log: tuple[Point, ...], most: int = 400) -> list[dict[str, Any]]:
    """Every checkpoint and some points between: enough for a curve, and little to ship."""
    every = max(1, len(log) // most)
    return [asdict(point) for at, point in enumerate(log) if point.accuracy or at % every == 0]


def keep(encoder: Encoder, plan: Plan, state: State, folder: Path) -> None:
    """All that `resume` needs."""
    tensors = {f"weights.{name}": part for name, part in weights_of(state.network).items()}
    for name, parameter in state.network.named_parameters():
        for key, value in state.optimiser.state.get(parameter, {}).items():
            tensors[f"{key}.{name}"] = torch.as_tensor(value).detach().cpu().contiguous()
    seconds = state.log[-1].seconds if state.log else 0.0
    header = {
        "task": encoder.task.name, "plan": asdict(plan), "step": state.step, "seconds": seconds,
        "log": [asdict(point) for point in state.log],
    }  # fmt: skip
    checkpoints.write(folder / checkpoints.RESUME, tensors, header)


def restore(state: State, tensors: Mapping[str, Tensor]) -> None:
    """Put back what `keep` wrote.

    Raises:
        WrongWeights: it does not fit the network of the plan.
    """
    weights = {name.removeprefix("weights."): part for name, part in tensors.items() if name.startswith("weights.")}
    load_weights(state.network, weights)
    if state.step == 0:
        return
    for name, parameter in state.network.named_parameters():
        own = {key: tensors.get(f"{key}.{name}", torch.empty(0)) for key in ("step", "exp_avg", "exp_avg_sq")}
        if own["step"].shape != () or any(own[key].shape != parameter.shape for key in ("exp_avg", "exp_avg_sq")):
            raise do_not_fit()
        state.optimiser.state[parameter] = {key: part.to(parameter.device, copy=True) for key, part in own.items()}
