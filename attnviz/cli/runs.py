"""`attnviz trace`, `export` and `check`: one run of one model over one text."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attnviz.cli import command
from attnviz.cli.command import MODEL, Answer, fetching, json_text, plain, records
from attnviz.core.errors import AttnvizError

if TYPE_CHECKING:
    from attnviz.trace.trace import Trace

REFUSED = 2  # the exit code of a check that found a model to be unreadable
FORMATS = (".html", ".csv", ".json", ".safetensors")


def add(commands: Any) -> None:
    one = command.add(commands, trace, 'attnviz trace minilm-l6 --text "The cat sat." --out cat.safetensors')
    one.add_argument("model", help=MODEL)
    one.add_argument("--text", required=True)
    one.add_argument("--target", help="the second text, for a model that translates one into another")
    one.add_argument("--out", required=True, type=Path, metavar="FILE.safetensors")

    one = command.add(
        commands, export,
        'attnviz export minilm-l6 --text "The cat sat." --out cat.html\n'
        "attnviz export cat.safetensors --site encoder.2.self --head 9 --out head.csv",
    )  # fmt: skip
    one.add_argument("model", metavar="source", help=f"{MODEL}; or a trace saved as FILE.safetensors")
    one.add_argument("--text", help="what a model reads; a saved trace has its own")
    one.add_argument("--target", help="the second text, for a model that translates one into another")
    one.add_argument("--view", choices=("heads", "step"), default="heads", help="which page (heads)")
    one.add_argument("--site", help="where, such as encoder.2.self; all places if not given")
    one.add_argument("--head", type=int, help="which head, counted from 0; all if not given")
    one.add_argument("--out", required=True, type=Path, metavar="FILE", help=f"ends in one of {', '.join(FORMATS)}")

    one = command.add(
        commands, check, "attnviz check openai-community/gpt2\nattnviz check smollm2-135m --report passports/smollm2"
    )
    one.add_argument("model", help=MODEL)
    one.add_argument("--text", help="what to trace; a short sentence if not given")
    one.add_argument("--target", help="the second text, for a model that writes one")
    one.add_argument("--dtype", choices=("float32", "bfloat16", "float16"), help="float32 if not given")
    one.add_argument("--device", help="cpu (if not given), cuda, mps or auto")
    one.add_argument("--report", type=Path, metavar="NAME", help="write what was proved to NAME.json and NAME.html")


def trace(asked: argparse.Namespace) -> Answer:
    """Write everything the model computed about a text to a file."""
    _check_ending(asked, (".safetensors",))
    traced = run_of(asked)
    traced.save(asked.out)
    return _written(asked.out, traced)


def export(asked: argparse.Namespace) -> Answer:
    """Write a run as a page (.html), as weights (.csv, .json) or as a trace (.safetensors)."""
    from attnviz.export.csv_text import csv_text
    from attnviz.export.weights_table import weights_table
    from attnviz.files import write_whole

    suffix = _check_ending(asked, FORMATS)
    traced = run_of(asked)
    if suffix == ".safetensors":
        traced.save(asked.out)
    elif asked.view == "step" and suffix == ".html":
        site = traced[asked.site or traced.sites[0]].site
        traced.step("self", site.key, asked.head or 0).to_html(asked.out)
    elif suffix == ".html":
        traced.heads().to_html(asked.out)
    else:
        table = weights_table(traced, asked.site, asked.head)
        content = csv_text(table) if suffix == ".csv" else json_text(records(table))
        write_whole(asked.out, content.encode())
    return _written(asked.out, traced)


def check(asked: argparse.Namespace) -> Answer:
    """Prove that a model's attention is read truly, or say why it is refused."""
    from attnviz import load  # torch and transformers load here
    from attnviz.export import passport
    from attnviz.training import TrainedModel

    try:
        model = load(asked.model, dtype=asked.dtype, device=asked.device, on_progress=fetching(asked.model))
        words = " ".join(model.task.source.words[:4]) if isinstance(model, TrainedModel) else passport.TEXT
        said = passport.passport(model, model.trace(asked.text or words, target=asked.target))
    except AttnvizError as error:
        said = passport.refusal(asked.model, error)
        print(plain(str(error)), file=sys.stderr)
    if asked.report is not None:
        _write_report(asked.report, said)
    if not said["verified"]:
        return Answer(said, (), REFUSED)
    return Answer(said, [plain(line) for line in passport.lines(said)])


def _write_report(path: Path, said: dict[str, Any]) -> None:
    from attnviz.export.passport import page
    from attnviz.files import write_whole

    write_whole(path.with_name(f"{path.name}.json"), (json_text(said) + "\n").encode())
    write_whole(path.with_name(f"{path.name}.html"), page(said).encode())


def _check_ending(asked: argparse.Namespace, endings: Sequence[str]) -> str:
    suffix: str = asked.out.suffix.lower()
    if suffix not in endings:
        asked.refuse(f"--out takes a file that ends in {' or '.join(endings)}; got {asked.out.name}")
    return suffix


def run_of(asked: argparse.Namespace) -> Trace:
    """The run of a model over the text, or the one that a file holds."""
    from attnviz import Trace, load  # torch and transformers load here; `attnviz app` and `--help` do not need them

    if Path(asked.model).suffix == ".safetensors":
        if asked.text is not None or asked.target is not None:
            asked.refuse(f"{asked.model} is a saved trace of its own text: leave out --text and --target")
        return Trace.load(asked.model)
    if asked.text is None:
        asked.refuse(f"{asked.model} is a model: give the text that it reads, --text")
    return load(asked.model, on_progress=fetching(asked.model)).trace(asked.text, target=asked.target)


def _written(path: Path, traced: Trace) -> Answer:
    n_tokens, sites = len(traced.tokens.source), [site.key for site in traced.sites]
    places = f"{len(sites)} {'site' if len(sites) == 1 else 'sites'}"
    line = f"{path}: {traced.card.name}, {n_tokens} tokens, attention at {places}"
    return Answer({"file": str(path), "model": traced.card.id, "tokens": n_tokens, "sites": sites}, [line])
