"""The command `attnviz`: open the dashboard, trace a text, train a small model. It computes nothing itself."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from dataclasses import replace
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from attnviz.core.errors import AttnvizError

if TYPE_CHECKING:
    from attnviz.training import Point

# What changes when other people's machines are let in; the rest stands in app/.streamlit/config.toml.
HOSTED_OPTIONS = {
    "server.address": "0.0.0.0",
    "server.headless": "true",
    "client.showErrorDetails": "none",
}


def main(arguments: list[str] | None = None) -> int:
    """Run one command.

    Args:
        arguments: as typed after `attnviz`; this process's own if not given.
    Returns: the exit code; 1 for a fault in what was asked, with one sentence on standard error.
    """
    asked = _parser().parse_args(arguments)
    try:
        return int(asked.run(asked))
    except AttnvizError as error:
        print(error, file=sys.stderr)
        return 1


def app(asked: argparse.Namespace) -> int:
    """Become the dashboard's server: signals reach it directly, as a container needs."""
    spec = find_spec("attnviz_app")
    if spec is None or not spec.submodule_search_locations:
        print("The dashboard is not installed beside the library. Install the whole package again.", file=sys.stderr)
        return 1
    script = Path(next(iter(spec.submodule_search_locations))) / "main.py"
    hosted = asked.hosted or os.environ.get("ATTNVIZ_MODE") == "hosted"
    options = dict(HOSTED_OPTIONS) if hosted else {}
    if asked.port is not None:
        options["server.port"] = str(asked.port)
    # -P: a folder named attnviz where the command is typed is not taken for the installed one.
    command = [sys.executable, "-P", "-m", "attnviz_app.start", str(script)]
    command += [part for name, value in options.items() for part in (f"--{name}", value)] + asked.streamlit
    environment = {**os.environ, **({"ATTNVIZ_MODE": "hosted"} if hosted else {})}
    sys.stdout.flush()
    os.execve(command[0], command, environment)


def trace(asked: argparse.Namespace) -> int:
    """Trace one text and save it."""
    from attnviz import load  # torch and transformers load here; `attnviz app` and `--help` do not need them

    traced = load(asked.model).trace(asked.text, target=asked.target)
    traced.save(asked.out)
    print(f"{asked.out}: {traced.card.name}, {len(traced.tokens.source)} tokens, {len(traced.sites)} attention sites")
    return 0


def train(asked: argparse.Namespace) -> int:
    """Train a small model, or go on with one that was stopped; Ctrl+C stops and keeps everything."""
    from attnviz.training import describe, resume, task_named, train  # torch loads here

    stop = threading.Event()
    before = signal.signal(signal.SIGINT, lambda *_: stop.set())

    def tell(point: Point) -> None:
        if point.accuracy:
            print(describe(point), flush=True)

    try:
        if asked.resume:
            run = resume(asked.out, on_progress=tell, should_stop=stop.is_set, max_seconds=asked.seconds)
        else:
            task = task_named(asked.task)
            steps = task.plan.steps if asked.steps is None else asked.steps
            plan = replace(task.plan, seed=asked.seed, steps=steps, max_seconds=asked.seconds)
            run = train(task, plan, folder=asked.out, on_progress=tell, should_stop=stop.is_set)
    finally:
        signal.signal(signal.SIGINT, before)
    print(f"{asked.out}: {run.outcome} at step {run.step}, sha256 {run.sha256}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="attnviz", description="See attention being computed.")
    parser.add_argument("--version", action="version", version=f"attnviz {version('attnviz')}")
    commands = parser.add_subparsers(required=True, metavar="command")

    one = commands.add_parser("app", help="open the dashboard")
    one.add_argument("--port", type=int, help="where it listens (8501)")
    one.add_argument("--hosted", action="store_true", help="serve other machines too; the same as ATTNVIZ_MODE=hosted")
    one.add_argument("streamlit", nargs="*", metavar="-- OPTION", help="further options of `streamlit run`, after --")
    one.set_defaults(run=app)

    one = commands.add_parser("trace", help="write everything the model computed about a text to a file")
    one.add_argument("model", help="a model's name, for instance minilm-l6")
    one.add_argument("--text", required=True)
    one.add_argument("--target", help="the second text, for a model that translates one into another")
    one.add_argument("--out", required=True, type=Path, metavar="FILE.safetensors")
    one.set_defaults(run=trace)

    one = commands.add_parser("train", help="train a small model whose attention has a known answer")
    one.add_argument("task", help="copy, reverse, sort, induction, translate-en-zh or translate-zh-en")
    one.add_argument("--seed", type=int, default=0)
    one.add_argument("--out", required=True, type=Path, metavar="DIR", help="where weights and checkpoints go")
    one.add_argument("--steps", type=int, help="how many steps (the task's own number)")
    one.add_argument("--seconds", type=float, help="stop after so many seconds, keeping everything")
    one.add_argument("--resume", action="store_true", help="go on with the unfinished training in DIR")
    one.set_defaults(run=train)
    return parser


if __name__ == "__main__":
    sys.exit(main())
