"""Writes the table of docs/passports.md: what is proved of a tiny model of each family and of the models that ship.

    .venv/bin/python scripts/make_passports.py

Figures differ in their last digits from processor to processor; a test proves each anew and holds the page to its rows.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import torch

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import attnviz as av  # noqa: E402
from attnviz import catalog  # noqa: E402
from attnviz.export.passport import TEXT, Passport, passport, versions  # noqa: E402
from attnviz.training import TrainedModel  # noqa: E402
from tests.conftest import TINY  # noqa: E402
from tests.parity.tiny_models import TWO_STACKS, traced_model  # noqa: E402

PAGE = ROOT / "docs" / "passports.md"


def passports() -> Iterator[tuple[str, Passport]]:
    """The name of each row, and its passport."""
    for row in catalog.rows():
        if row.state in ("from the package index", "trained here"):
            model = av.load(row.name)
            words = " ".join(model.task.source.words[:4]) if isinstance(model, TrainedModel) else TEXT
            yield f"`{row.name}`", passport(model, model.trace(words))
    for model_type in TINY:
        model = traced_model(model_type)
        yield f"tiny `{model_type}`", passport(model, model.trace(TEXT, "a b" if model_type in TWO_STACKS else None))


def line(name: str, said: Passport) -> str:
    run = said["run"]
    way = said["read_by"].split(";")[0].split(":")[0]
    sha256 = (said["weights_sha256"] or said["revision"])[:12]
    proved = "" if run is None else f"{run['difference']:.1g} ({run['rows']} rows, {len(run['sites'])} sites)"
    cells = (
        name, said["family"], way, f"{said['layers']} × {said['heads']}, {', '.join(said['kinds'])}",
        f"{said['at_load']:.1g}", proved, said["predicts"] or "nothing", sha256,
    )  # fmt: skip
    return f"| {' | '.join(cells)} |\n"


def main() -> None:
    torch.set_num_threads(1)
    table = "".join(line(*row) for row in passports())
    said = ", ".join(f"{name} {version}" for name, version in versions().items())
    page = PAGE.read_text(encoding="utf-8")
    page = re.sub(r"(\n\| model \|.*\n\|[-|]+\n)(\|.*\n)*", lambda head: head[1] + table, page)
    page = re.sub(r"(?<=Measured with ).*(?=\.\n)", said, page)
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
