"""Hyperparameters of a training: their ranges, how a person changes them, and the command that trains with them."""

from dataclasses import replace
from typing import Any, get_args

from attnviz.core.errors import InputError
from attnviz.core.tensor_checks import check_choice
from attnviz.training.tasks.task import Plan, Positions, Task

MOST_CHECKPOINTS = 24
MOST_HEADS = 16
# Wide enough for any lesson, and so narrow that no file and no form can ask for gigabytes.
RANGES: dict[str, tuple[float, float]] = {  # of whole numbers where they are written as such
    "seed": (0, 2**63 - 1), "steps": (1, 200_000), "batch_size": (1, 4096), "warmup": (0, 200_000),
    "n_checkpoints": (2, MOST_CHECKPOINTS), "d_model": (2, 512), "n_heads": (1, MOST_HEADS), "n_layers": (1, 8),
    "n_encoder_layers": (1, 8), "d_ff": (1, 2048), "learning_rate": (1e-7, 10.0), "max_seconds": (0.0, 7 * 24 * 3600.0),
}  # fmt: skip


def changed_plan(
    plan: Plan,
    *,
    n_heads: int | None = None,
    n_layers: int | None = None,
    positions: Positions | None = None,
    has_feed_forward: bool | None = None,
    learning_rate: float | None = None,
    steps: int | None = None,
    seed: int | None = None,
    max_seconds: float | None = None,
) -> Plan:
    """A plan with some of its numbers changed; None leaves one as it is.

    Args:
        plan: a task's own, `task_named("reverse").plan`.
        n_heads: of every layer; d_model must be divisible by it.
        n_layers: of the decoder, and of the encoder if there is one.
        positions: "none" leaves out what tells the first token from the second.
        has_feed_forward: False leaves only attention.
        learning_rate: the peak.
        steps: of the whole training; warm-up takes at most a fifth of them.
        max_seconds: stop then and keep everything.
    Raises:
        InputError: a number is out of range; the message gives the range.
    """
    shape: dict[str, Any] = {"n_heads": n_heads, "positions": positions, "has_feed_forward": has_feed_forward}
    shape = {name: value for name, value in shape.items() if value is not None}
    if n_layers not in (None, plan.shape.n_layers):  # with the task's own number the encoder keeps its own too
        shape |= {"n_layers": n_layers, "n_encoder_layers": None}
    new: dict[str, Any] = {"learning_rate": learning_rate, "steps": steps, "seed": seed, "max_seconds": max_seconds}
    new = {name: value for name, value in new.items() if value is not None}
    if steps is not None:
        new["warmup"] = min(plan.warmup, max(1, steps // 5))
    plan = replace(plan, shape=replace(plan.shape, **shape), **new)
    check_plan(plan)
    return plan


def shell_command(task: Task, plan: Plan) -> str:
    """The `attnviz train` command that trains by this plan; empty if the command has no option for what differs."""
    usual, shape = task.plan, plan.shape
    options = {
        "heads": (shape.n_heads, usual.shape.n_heads),
        "layers": (shape.n_layers, usual.shape.n_layers),
        "positions": (shape.positions, usual.shape.positions),
        "learning-rate": (plan.learning_rate, usual.learning_rate),
        "steps": (plan.steps, usual.steps),
    }
    differ = {name: value for name, (value, before) in options.items() if value != before}
    loses_feed_forward = usual.shape.has_feed_forward and not shape.has_feed_forward
    made = changed_plan(
        usual, n_heads=shape.n_heads, n_layers=shape.n_layers, positions=shape.positions,
        has_feed_forward=False if loses_feed_forward else None, learning_rate=plan.learning_rate, steps=plan.steps,
        seed=plan.seed,
    )  # fmt: skip
    if replace(made, max_seconds=plan.max_seconds) != plan:
        return ""
    said = [*(f"--{name} {value}" for name, value in differ.items()), *["--no-feed-forward"] * loses_feed_forward]
    return " ".join(["attnviz train", task.name, *said, f"--seed {plan.seed}"])


def check_plan(plan: Plan) -> None:
    """Refuse a plan that cannot be trained; the error says which number is wrong and what it may be."""
    shape = plan.shape
    for name, value in {**vars(plan), **vars(shape)}.items():
        may_be_none = name in ("n_encoder_layers", "max_seconds")
        if name not in RANGES or (value is None and may_be_none):
            continue
        low, high = RANGES[name]
        is_number = isinstance(value, int) or (isinstance(value, float) and isinstance(low, float))
        if not is_number or not low <= value <= high:
            shown, edges = str(value)[:40], [f"{edge:g}" if isinstance(edge, float) else edge for edge in (low, high)]
            raise InputError(id="plan-number", name=name, value=shown, low=edges[0], high=edges[1])
    if shape.d_model % shape.n_heads:
        listed = ", ".join(str(n) for n in range(1, MOST_HEADS + 1) if shape.d_model % n == 0)
        raise InputError(id="plan-heads", n=shape.n_heads, width=shape.d_model, fits=listed)
    check_choice("positions", shape.positions, get_args(Positions))
