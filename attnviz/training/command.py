"""What makes the same training in a terminal."""

from __future__ import annotations

from dataclasses import replace

from attnviz.training.plans import changed
from attnviz.training.tasks.task import Plan, Task


def command_of(task: Task, plan: Plan) -> str:
    """`attnviz train` with the options that a plan has otherwise than its task; nothing where no option says it."""
    own, shape = task.plan, plan.shape
    options = {
        "heads": (shape.n_heads, own.shape.n_heads),
        "layers": (shape.n_layers, own.shape.n_layers),
        "positions": (shape.positions, own.shape.positions),
        "learning-rate": (plan.learning_rate, own.learning_rate),
        "steps": (plan.steps, own.steps),
    }
    differ = {name: value for name, (value, before) in options.items() if value != before}
    said = [f"--{name} {value}" for name, value in differ.items()]
    said += ["--no-feed-forward"] if own.shape.has_feed_forward and not shape.has_feed_forward else []
    made = changed(
        own,
        n_heads=shape.n_heads,
        n_layers=shape.n_layers if "layers" in differ else None,
        positions=shape.positions,
        has_feed_forward=False if "--no-feed-forward" in said else None,
        learning_rate=plan.learning_rate,
        steps=plan.steps,
        seed=plan.seed,
    )
    if replace(made, max_seconds=plan.max_seconds) != plan:
        return ""
    return " ".join(["attnviz train", task.name, *said, f"--seed {plan.seed}"])
