"""`attnviz models`, `get` and `words`: what is known by name, fetching it, and what a small model reads."""

import argparse
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from attnviz.cli import command
from attnviz.cli.command import Answer, plain
from attnviz.core.errors import InputError

NONE_HERE = "The Hugging Face cache, Ollama and LM Studio have no model here."


def add(commands: Any) -> None:
    one = command.add(commands, models, "attnviz models --json\nattnviz models --local")
    one.add_argument("--local", action="store_true", help="what the Hugging Face cache, Ollama and LM Studio have here")
    one = command.add(commands, get, "attnviz get smollm2-135m\nattnviz get HuggingFaceTB/SmolLM2-135M")
    one.add_argument("model", help="a name that `attnviz models` lists, or owner/name of a hub")
    one = command.add(commands, words, "attnviz words translate-en-zh")
    one.add_argument("model", help="a model's name, for instance translate-en-zh, or a folder")
    one.add_argument("--script", choices=("zh-TW",), help="Chinese in traditional characters, with Taiwan's words")


def models(asked: argparse.Namespace) -> Answer:
    """List the models that are known by name, or those that other programs keep on this computer."""
    from attnviz.catalog import rows  # torch loads here

    if asked.local:
        return _local()
    lines = [f"{'name':<44}{'family':<14}{'languages':<14}{'licence':<12}state"]
    for row in rows():
        licence = row.licence or "-"
        lines.append(f"{row.name:<44}{row.family:<14}{' '.join(row.languages) or '-':<14}{licence:<12}{row.state}")
    lines.append("\nA licence stands here only where it was read from a source; a model's page states it. Read from:")
    lines += [f"  {row.name:<42}{row.revision[:7] or '-':<12}{row.source}" for row in rows() if row.source]
    lines.append("`attnviz check NAME` loads a model and proves that its attention is read truly.")
    return Answer([asdict(row) for row in rows()], lines)


def _local() -> Answer:
    from attnviz.catalog import local_models

    models = local_models()
    data = [
        {
            "name": model.name, "source": model.source, "bytes": model.n_bytes, "float32_bytes": model.memory,
            "architecture": model.architecture, "parameters": model.parameters, "quantised": model.quantised,
            "problem": None if model.problem is None else str(model.problem), "id": model.problem and model.problem.id,
        }
        for model in models
    ]  # fmt: skip
    lines = [f"{'name':<52}{'on disk':>9}{'float32':>9}  what it is"] if models else [NONE_HERE]
    for model in models:
        what = " ".join(filter(None, (model.architecture, *model.quantised[:1])))
        sizes = f"{_gigabytes(model.n_bytes):>9}{_gigabytes(model.memory):>9}"
        lines.append(plain(f"{model.name:<52}{sizes}  {what if model.problem is None else model.problem}"))
    return Answer(data, lines)


def _gigabytes(n_bytes: int) -> str:
    return f"{n_bytes / 1e9:.1f} GB" if n_bytes else "-"


def get(asked: argparse.Namespace) -> Answer:
    """Fetch a model, so that it is here when it is needed; Ctrl+C ends that and leaves nothing half fetched."""
    from attnviz.catalog import get as fetched  # torch loads here

    with bar(asked.model) as told:
        path = fetched(asked.model, told)
    return Answer({"model": asked.model, "path": path}, [f"{asked.model} is here: {path}"])


@contextmanager
def bar(name: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on a terminal's standard error; a line per tenth where that is a file."""
    if not sys.stderr.isatty():
        yield command.fetching(name)
        return
    from tqdm import tqdm

    with tqdm(desc=name, unit="B", unit_scale=True, leave=False, delay=0.3) as drawn:

        def tell(came: int, total: int) -> None:
            drawn.total = total
            drawn.update(came - drawn.n)

        yield tell


def words(asked: argparse.Namespace) -> Answer:
    """List the words that a model trained by AttnViz knows."""
    from attnviz import load
    from attnviz.training import TrainedModel

    model = load(asked.model)
    if not isinstance(model, TrainedModel):
        raise InputError(id="no-word-list", model=asked.model)
    task = model.task
    sides = [("reads", task.source), ("writes", task.target)] if task.has_source else [("reads", task.source)]
    data: dict[str, list[str]] = {}
    lines = []
    for verb, reader in sides:
        known = [reader.shown(word, asked.script or model.script) for word in reader.words if word[0].isalnum()]
        width = 100 if all(word.isascii() for word in known) else 60  # a Chinese character takes two columns
        lines += [f"{model.card.name} {verb} {len(known)} words:", textwrap.fill(", ".join(known), width) + "\n"]
        data[verb] = known
    return Answer(data, lines)
