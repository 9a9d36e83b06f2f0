"""A training as data: its log, what it ended with, and the file that lets it go on. The loop itself is in trainer."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

import torch
from torch import Tensor

from attnviz.core.errors import InputError
from attnviz.core.trace import run_versions
from attnviz.training import checkpoints
from attnviz.training.answers import Network
from attnviz.training.batches import Encoder
from attnviz.training.checkpoints import load_weights, weights_of
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


def check_plan(plan: Plan) -> None:
    """Refuse what cannot be trained.

    Raises:
        InputError: says which number and what it may be.
    """
    limits = {
        "steps": (plan.steps, 1, 200_000),
        "batch_size": (plan.batch_size, 1, 4096),
        "learning_rate": (plan.learning_rate, 1e-7, 10.0),
        "warmup": (plan.warmup, 0, 200_000),
        "n_checkpoints": (plan.n_checkpoints, 2, checkpoints.MOST_CHECKPOINTS),
    }
    for name, (value, low, high) in limits.items():
        if not low <= value <= high:
            raise InputError(
                f"{name} is {value}; expected {low} to {high}.",
                id="plan-number", name=name, value=value, low=low, high=high,
            )  # fmt: skip


def plan_of(saved: dict[str, Any]) -> Plan:
    """A plan as a header holds it."""
    return Plan(**{**saved, "shape": Shape(**saved["shape"])})


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


def restore(state: State, tensors: dict[str, Tensor]) -> None:
    load_weights(
        state.network,
        {name.removeprefix("weights."): part for name, part in tensors.items() if name.startswith("weights.")},
    )
    for name, parameter in state.network.named_parameters():
        if f"exp_avg.{name}" in tensors:
            state.optimiser.state[parameter] = {
                key: tensors[f"{key}.{name}"].to(parameter.device, copy=True)
                for key in ("step", "exp_avg", "exp_avg_sq")
            }


def clear(folder: Path) -> None:
    """Take away what an earlier training left, and nothing else."""
    steps = (folder / checkpoints.STEPS).glob("*.safetensors")
    for path in (folder / checkpoints.MODEL, folder / checkpoints.RESUME, *steps):
        with suppress(FileNotFoundError):
            path.unlink()
