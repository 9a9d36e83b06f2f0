"""`attnviz train`: a small model, from its task to its folder; Ctrl+C stops and keeps everything."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attnviz.cli import command
from attnviz.cli.command import Answer

if TYPE_CHECKING:
    from attnviz.training import Point, Run


def add(commands: Any) -> None:
    one = command.add(
        commands, train, "attnviz train reverse --seed 0 --out mine\nattnviz train reverse --out mine --resume",
    )  # fmt: skip
    one.add_argument(
        "task", help="copy, reverse, sort, induction, translate-en-zh, translate-zh-en, poems-zh or poems-zh-tw"
    )
    one.add_argument("--out", required=True, type=Path, metavar="DIR", help="where weights and checkpoints go")
    one.add_argument("--resume", action="store_true", help="go on with the unfinished training in DIR, by its own plan")
    one.add_argument("--replace", action="store_true", help="train anew where DIR holds an earlier training")
    one.add_argument("--seconds", type=float, help="stop after so many seconds, keeping everything")
    plan = one.add_argument_group("the plan, where it is not the task's own")
    plan.add_argument("--seed", type=int, help="0 if not given; the same seed gives the same weights")
    plan.add_argument("--steps", type=int, help="how many steps")
    plan.add_argument("--learning-rate", type=float, metavar="RATE", help="at its highest")
    plan.add_argument("--heads", type=int, help="of every layer")
    plan.add_argument("--layers", type=int, help="of the decoder, and of the encoder where there is one")
    plan.add_argument("--positions", choices=("learned", "sinusoidal", "none"), help="what tells places apart")
    plan.add_argument("--no-positions", dest="positions", action="store_const", const="none", help="--positions none")
    plan.add_argument("--no-feed-forward", action="store_true", help="attention only")


def train(asked: argparse.Namespace) -> Answer:
    """Train a small model whose attention has a known answer."""
    _refuse_contradictions(asked)
    stop = threading.Event()
    signals = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, lambda *_: stop.set()) for number in signals]  # before torch takes seconds to load
    try:
        run = _trained(asked, stop)
    finally:
        for number, handler in zip(signals, before, strict=True):
            signal.signal(number, handler)
    lines = [f"{asked.out}: {run.outcome} at step {run.step}, sha256 {run.sha256}"]
    if run.outcome in ("stopped", "out of time"):
        lines.append(f"Everything is kept. To go on: attnviz train {asked.task} --out {asked.out} --resume")
    return Answer({"folder": asked.out, "outcome": run.outcome, "step": run.step, "sha256": run.sha256}, lines)


def _refuse_contradictions(asked: argparse.Namespace) -> None:
    """A training that goes on has its plan already."""
    plan = ("seed", "steps", "learning_rate", "heads", "layers", "positions")
    given = [name for name in plan if getattr(asked, name) is not None]
    given += [name for name in ("no_feed_forward", "replace") if getattr(asked, name)]
    if asked.resume and given:
        listed = ", ".join(f"--{name.replace('_', '-')}" for name in given)
        asked.refuse(f"--resume goes on with the plan in DIR; leave out {listed}")


def _trained(asked: argparse.Namespace, stop: threading.Event) -> Run:
    from attnviz.training import changed_plan, resume, task_named, train  # torch loads here
    from attnviz.training.output_folder import check_free

    def tell(point: Point) -> None:
        try:
            if point.accuracy:
                print(point.line(), file=sys.stderr if asked.json else sys.stdout, flush=True)
        except BrokenPipeError:  # whoever read our lines has gone
            stop.set()

    task = task_named(asked.task)
    if asked.resume:
        return resume(asked.out, task=task, on_progress=tell, should_stop=stop.is_set, max_seconds=asked.seconds)
    plan = changed_plan(
        task.plan, seed=asked.seed, steps=asked.steps, max_seconds=asked.seconds, learning_rate=asked.learning_rate,
        n_heads=asked.heads, n_layers=asked.layers, positions=asked.positions,
        has_feed_forward=False if asked.no_feed_forward else None,
    )  # fmt: skip
    if not asked.replace:
        check_free(asked.out)
    return train(task, plan, folder=asked.out, on_progress=tell, should_stop=stop.is_set)
