"""What a person may ask to be trained: a task and the few numbers that teach something when they are changed."""

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from importlib.metadata import version
from typing import Any, Literal

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from attnviz.core.errors import InputError
from attnviz.training import Plan, changed_plan, task_named

HEADS = (1, 2, 4, 8)
LAYERS = (1, 2, 3, 4)
RATES = (1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2)  # the highest of them makes some tasks diverge, which is worth seeing
STEPS = (50, 100, 200, 400, 700, 1000, 1500, 2000, 2500, 3000, 4000, 6500, 10_000)
RUN = re.compile(r"run-[0-9a-f]{10}")
NO_POSITIONS: Literal["none"] = "none"


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Ask:
    """One training as a person asks for it. Equal asks give equal weights, so they are one run."""

    task: str
    heads: int
    layers: int  # of the decoder; the encoder has its task's own number unless this one is changed
    has_positions: bool
    has_feed_forward: bool
    rate: float  # learning rate, at its highest
    steps: int

    @property
    def id(self) -> str:
        """The run's name in links and folders; the version counts, as it may change what is trained."""
        text = json.dumps([asdict(self), version("attnviz")], sort_keys=True)
        return f"run-{hashlib.sha256(text.encode()).hexdigest()[:10]}"

    @property
    def settings(self) -> str:
        """All but the task, as a link says it: "2_4_1_0_0.003_1500"."""
        switches = f"{self.has_positions:d}_{self.has_feed_forward:d}"
        return f"{self.heads}_{self.layers}_{switches}_{self.rate:g}_{self.steps}"

    @property
    def plan(self) -> Plan:
        """The plan that trains it: the task's own, with what was changed."""
        plan = task_named(self.task).plan
        return changed_plan(
            plan, n_heads=self.heads, n_layers=self.layers, has_feed_forward=self.has_feed_forward,
            positions=plan.shape.positions if self.has_positions else NO_POSITIONS, learning_rate=self.rate,
            steps=self.steps,
        )  # fmt: skip


def own_ask(task: str, most_steps: int | None = None) -> Ask:
    """The ask that trains a task as it ships."""
    plan = task_named(task).plan
    shape, steps = plan.shape, min(plan.steps, most_steps or plan.steps)
    has_positions = shape.positions != NO_POSITIONS
    return Ask(task, shape.n_heads, shape.n_layers, has_positions, shape.has_feed_forward, plan.learning_rate, steps)


def from_settings(task: str, settings: str, most_steps: int) -> Ask | None:
    """Read what `Ask.settings` wrote; None where it says nothing that can be trained here."""
    fields: list[Any] = settings.split("_")  # Ask makes numbers of them
    try:
        return checked(Ask(task, *fields), most_steps)
    except (ValueError, InputError):
        return None


def checked(ask: Ask, most_steps: int) -> Ask:
    """Refuse what the page does not offer: a browser may ask for anything.

    Raises:
        InputError: says which number and what it may be.
    """
    task_named(ask.task)
    offered: dict[str, tuple[float, Sequence[float]]] = {
        "heads": (ask.heads, HEADS), "layers": (ask.layers, LAYERS), "learning_rate": (ask.rate, RATES),
        "steps": (ask.steps, range(1, most_steps + 1)),
    }  # fmt: skip
    for name, (value, choices) in offered.items():
        if value not in choices:
            low, high = choices[0], choices[-1]
            raise InputError(id="plan-number", name=name, value=value, low=low, high=high)
    return ask


def offered_steps(most_steps: int, of_task: int) -> tuple[int, ...]:
    """The numbers of steps to choose from, the task's own among them."""
    return tuple(sorted({of_task, *(steps for steps in STEPS if steps <= most_steps)}))
