"""A plan's numbers: what each may be, and how a person changes them. Nothing here trains."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, get_args

from attnviz.core.errors import InputError
from attnviz.training.tasks.task import Plan, Positions

MOST_CHECKPOINTS = 24
# So wide that nobody meets them by accident; so narrow that no file and no form can ask for gigabytes.
WHOLE = {
    "seed": (0, 2**63 - 1), "steps": (1, 200_000), "batch_size": (1, 4096), "warmup": (0, 200_000),
    "n_checkpoints": (2, MOST_CHECKPOINTS),
}  # fmt: skip
SIZES = {
    "d_model": (2, 512), "n_heads": (1, 16), "n_layers": (1, 8), "n_encoder_layers": (1, 8), "d_ff": (1, 2048),
}  # fmt: skip
LEARNING_RATES = (1e-7, 10.0)
MOST_SECONDS = 7 * 24 * 3600.0


def changed(
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
        n_layers: of the decoder, and of the encoder where there is one.
        positions: "none" takes away what tells the first token from the second.
        has_feed_forward: False leaves attention alone.
        learning_rate: at its highest.
        steps: of the whole training; a short one warms up for a fifth of it at most.
        max_seconds: stop there, keeping everything.
    Raises:
        InputError: a number is out of range; the message says what it can be.
    """
    shape: dict[str, Any] = {"n_heads": n_heads, "positions": positions, "has_feed_forward": has_feed_forward}
    if n_layers not in (None, plan.shape.n_layers):  # the task's own number leaves the encoder its own as well
        shape |= {"n_layers": n_layers, "n_encoder_layers": None}
    new: dict[str, Any] = {"learning_rate": learning_rate, "steps": steps, "seed": seed, "max_seconds": max_seconds}
    if steps is not None:
        new["warmup"] = min(plan.warmup, max(1, steps // 5))
    shape = {name: value for name, value in shape.items() if value is not None or name == "n_encoder_layers"}
    own = {name: value for name, value in new.items() if value is not None}
    plan = replace(plan, shape=replace(plan.shape, **shape), **own)
    check_plan(plan)
    return plan


def heads_that_fit(d_model: int) -> tuple[int, ...]:
    """How many heads can share a width equally."""
    low, high = SIZES["n_heads"]
    return tuple(n for n in range(low, high + 1) if d_model % n == 0)


def check_plan(plan: Plan) -> None:
    """Refuse what cannot be trained.

    Raises:
        InputError: says which number and what it may be.
    """
    shape = plan.shape
    for name, (low, high) in WHOLE.items():
        _check_whole(name, getattr(plan, name), low, high)
    for name, (low, high) in SIZES.items():
        value = getattr(shape, name)
        if not (name == "n_encoder_layers" and value is None):
            _check_whole(name, value, low, high)
    _check_number("learning_rate", plan.learning_rate, *LEARNING_RATES)
    if plan.max_seconds is not None:
        _check_number("max_seconds", plan.max_seconds, 0.0, MOST_SECONDS)
    if shape.n_heads not in heads_that_fit(shape.d_model):
        listed = ", ".join(map(str, heads_that_fit(shape.d_model)))
        raise InputError(
            f"{shape.n_heads} heads cannot share a width of {shape.d_model} equally. Choose one of {listed}.",
            id="plan-heads", n=shape.n_heads, width=shape.d_model, fits=listed,
        )  # fmt: skip
    _check_word("positions", shape.positions, get_args(Positions))
    for name in ("has_feed_forward", "is_tied"):
        if not isinstance(getattr(shape, name), bool):
            _check_word(name, getattr(shape, name), ("True", "False"))


def _check_whole(name: str, value: object, low: int, high: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        _refuse(name, value, f"{low}", f"{high}")


def _check_number(name: str, value: object, low: float, high: float) -> None:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not math.isfinite(value) or not low <= value <= high:  # type: ignore[arg-type, operator]
        _refuse(name, value, f"{low:g}", f"{high:g}")


def _refuse(name: str, value: object, low: str, high: str) -> None:
    shown = _short(value)
    raise InputError(
        f"{name} is {shown}; expected {low} to {high}.", id="plan-number", name=name, value=shown, low=low, high=high
    )


def _check_word(name: str, value: object, known: tuple[str, ...]) -> None:
    if not isinstance(value, str) or value not in known:
        listed, shown = ", ".join(known), _short(value)
        raise InputError(
            f"{name} is {shown}; expected one of {listed}.", id="plan-word", name=name, value=shown, known=listed
        )


def _short(value: object) -> str:
    """A value in a sentence, cut where it is absurdly long."""
    try:
        shown = str(value)
    except ValueError:  # Python does not write out whole numbers of thousands of digits
        return "a number of thousands of digits"
    return shown if len(shown) <= 40 else f"{shown[:40]}…"
