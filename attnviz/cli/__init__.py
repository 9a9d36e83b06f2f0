"""The command `attnviz`: open the dashboard, trace a text, measure heads, train a model. It computes nothing itself."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import textwrap
import threading
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from attnviz.cli import compare
from attnviz.cli.progress import fetching, measuring
from attnviz.core.errors import AttnvizError, InputError

if TYPE_CHECKING:
    from attnviz.trace.model import Model
    from attnviz.training import Point, Run

REFUSED = 2  # the exit code of a check that found a model to be unreadable

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
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return 130  # as a shell says it
    except BrokenPipeError:  # whoever read our lines has gone: attnviz train … | head
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
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

    traced = load(asked.model, on_progress=fetching(asked.model)).trace(asked.text, target=asked.target)
    traced.save(asked.out)
    print(f"{asked.out}: {traced.card.name}, {len(traced.tokens.source)} tokens, {len(traced.sites)} attention sites")
    return 0


def words(asked: argparse.Namespace) -> int:
    """List the words that a small model knows."""
    from attnviz import load
    from attnviz.training import TrainedModel

    model = load(asked.model)
    if not isinstance(model, TrainedModel):
        raise InputError(
            f"{asked.model} reads any word; only models trained by AttnViz have a list.", id="no-word-list",
            model=asked.model,
        )  # fmt: skip
    sides = [("reads", model.source), ("writes", model.target)] if model.task.has_source else [("reads", model.source)]
    for verb, reader in sides:
        known = [reader.shown(word, asked.script or model.script) for word in reader.words if word[0].isalnum()]
        print(f"{model.card.name} {verb} {len(known)} words:")
        width = 100 if all(word.isascii() for word in known) else 60  # a Chinese character takes two columns
        print(textwrap.fill(", ".join(known), width) + "\n")
    return 0


def check(asked: argparse.Namespace) -> int:
    """Load a model, trace a sentence, and say what both proofs showed; a refusal ends with code 2 and its reason."""
    from attnviz import load  # torch and transformers load here
    from attnviz.export.proof import TEXT, check_lines

    try:
        model = load(asked.model, dtype=asked.dtype, device=asked.device, on_progress=fetching(asked.model))
        text = asked.text or " ".join(_own_words(model)) or TEXT
        print("\n".join(plain(line) for line in check_lines(model, model.trace(text, target=asked.target))))
    except AttnvizError as error:
        print(plain(str(error)), file=sys.stderr)
        return REFUSED
    return 0


def plain(line: str) -> str:
    """A line of a report on one line: a folder's name or its files may hold what steers a terminal."""
    return "".join(character if character.isprintable() else "�" for character in line)


def heads(asked: argparse.Namespace) -> int:
    """Measure every head of a model over a set of sentences, and print the table of kinds and metrics."""
    from attnviz import load  # torch and transformers load here
    from attnviz.analysis.heads.sentences import read_list
    from attnviz.analysis.heads.survey import excited_by, survey
    from attnviz.export.heads_table import excited_lines, heads_csv, heads_lines

    sentences = None if asked.file is None else read_list(asked.file)  # before a model is fetched for nothing
    model = load(asked.model, on_progress=fetching(asked.model))
    found = survey(
        model, asked.language, sentences=sentences, max_seconds=asked.seconds, on_progress=measuring(asked.model)
    )
    if asked.excites is not None:
        site, head = asked.excites[0], _head_number(asked)
        sentences_of_head = excited_by(found, site, head, n=10)
        row = found.frame[(found.frame["site"] == site) & (found.frame["head"] == head)].iloc[0]
        print("\n".join(excited_lines(site, head, row["kind_of_head"], sentences_of_head)))
    elif asked.csv:
        print(heads_csv(found), end="")
    else:
        print("\n".join(heads_lines(found)))
    return 0


def _head_number(asked: argparse.Namespace) -> int:
    if not asked.excites[1].isdecimal():
        asked.refuse(f"--excites takes a site and the number of a head, such as encoder.2.self 9; got {asked.excites}")
    return int(asked.excites[1])


def _own_words(model: Model) -> tuple[str, ...]:
    """Some words of a small model that knows no others; none for a model that reads any text."""
    return tuple(getattr(getattr(model, "source", None), "words", ()))[:4]


def models(asked: argparse.Namespace) -> int:
    """List the catalogue, a line each."""
    from attnviz.catalog import rows  # torch loads here

    print(f"{'name':<44}{'family':<14}{'languages':<14}{'licence':<12}state")
    for row in rows():
        licence = row.licence or "-"
        print(f"{row.name:<44}{row.family:<14}{' '.join(row.languages) or '-':<14}{licence:<12}{row.state}")
    print("\nA licence stands here only where it was read from a source; each model's page states it. Read from:")
    for row in (row for row in rows() if row.source):
        print(f"  {row.name:<42}{row.revision[:7] or '-':<12}{row.source}")
    print("`attnviz check NAME` loads a model and proves that its attention is read truly.")
    return 0


def train(asked: argparse.Namespace) -> int:
    """Train a small model, or go on with one that was stopped; Ctrl+C stops and keeps everything."""
    _refuse_contradictions(asked)
    stop = threading.Event()
    signals = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(own, lambda *_: stop.set()) for own in signals]  # before torch takes seconds to load
    try:
        run = _trained(asked, stop)
    finally:
        for own, handler in zip(signals, before, strict=True):
            signal.signal(own, handler)
    print(f"{asked.out}: {run.outcome} at step {run.step}, sha256 {run.sha256}")
    if run.outcome in ("stopped", "out of time"):
        print(f"Everything is kept. To go on: attnviz train {asked.task} --out {asked.out} --resume")
    return 0


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
    from attnviz.training.output_folder import check_free, check_task

    def tell(point: Point) -> None:
        try:
            if point.accuracy:
                print(point.line(), flush=True)
        except BrokenPipeError:  # whoever read our lines has gone
            stop.set()

    task = task_named(asked.task)
    if asked.resume:
        check_task(asked.out, task)
        return resume(asked.out, on_progress=tell, should_stop=stop.is_set, max_seconds=asked.seconds)
    plan = changed_plan(
        task.plan, seed=asked.seed, steps=asked.steps, max_seconds=asked.seconds, learning_rate=asked.learning_rate,
        n_heads=asked.heads, n_layers=asked.layers, positions=asked.positions,
        has_feed_forward=False if asked.no_feed_forward else None,
    )  # fmt: skip
    if not asked.replace:
        check_free(asked.out)
    return train(task, plan, folder=asked.out, on_progress=tell, should_stop=stop.is_set)


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

    one = commands.add_parser("check", help="prove that a model's attention is read truly, or say why it is refused")
    one.add_argument("model", help="a name of the catalogue, owner/name of a hub, or a folder")
    one.add_argument("--text", help="what to trace; a short sentence if not given")
    one.add_argument("--target", help="the second text, for a model that writes one")
    one.add_argument("--dtype", help="float32 (if not given), bfloat16 or float16")
    one.add_argument("--device", help="cpu (if not given), cuda, mps or auto")
    one.set_defaults(run=check)

    one = commands.add_parser("heads", help="measure what every head of a model does, over a set of sentences")
    one.add_argument("model", help="a name of the catalogue, owner/name of a hub, or a folder")
    one.add_argument("--language", choices=("en", "zh"), help="the bundled sentences; the model's own if not given")
    one.add_argument("--file", type=Path, metavar="SENTENCES.txt", help="a list of your own: at most 500, one a line")
    one.add_argument("--csv", action="store_true", help="every metric, with its spread, as CSV")
    one.add_argument("--excites", nargs=2, metavar=("SITE", "HEAD"), help="the sentences that excite one head most")
    one.add_argument("--seconds", type=float, default=600.0, help="end after so long with what was measured (600)")
    one.set_defaults(run=heads, refuse=one.error)

    compare.add(commands)

    one = commands.add_parser("models", help="list the models that are known by name")
    one.set_defaults(run=models)

    one = commands.add_parser("words", help="list the words that a model trained by AttnViz knows")
    one.add_argument("model", help="a model's name, for instance translate-en-zh, or a folder")
    one.add_argument("--script", choices=("zh-TW",), help="Chinese in traditional characters, with Taiwan's words")
    one.set_defaults(run=words)

    _add_train(commands.add_parser("train", help="train a small model whose attention has a known answer"))
    return parser


def _add_train(one: argparse.ArgumentParser) -> None:
    one.add_argument("task", help="copy, reverse, sort, induction, translate-en-zh or translate-zh-en")
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
    one.set_defaults(run=train, refuse=one.error)
