"""Measures the heads of the bundled models and puts the tables into the package: `make surveys` runs this.

A test recomputes parts of them, so a change of weights, sentences, metrics or kinds asks for it.
"""

import sys
import time

import torch

import attnviz as av
from attnviz.analysis.heads.sentences import bundled
from attnviz.analysis.heads.survey import survey
from attnviz.analysis.heads.survey_cache import BUNDLED, bundled_survey_path, packed
from attnviz.catalog import rows
from attnviz.files import write_whole
from attnviz.training import TrainedModel


def main() -> int:
    """Measure those that are not there, and remove what no model is measured as any more."""
    torch.set_num_threads(1)
    wanted = set()
    for row in rows():
        if row.state not in ("from the package index", "trained here"):
            continue
        model = av.load(row.name)
        own = model.own_texts() if isinstance(model, TrainedModel) else None
        path = bundled_survey_path(model.card, own or bundled(row.languages[0]))
        wanted.add(path)
        if path.exists():
            continue
        started = time.perf_counter()
        write_whole(path, packed(survey(model, own, language=None if own else row.languages[0], max_seconds=1e6)))
        sys.stdout.write(f"{row.name}: {path.name}, {time.perf_counter() - started:.0f} s\n")
    for path in set(BUNDLED.glob("*.safetensors")) - wanted:
        path.unlink()
        sys.stdout.write(f"{path.name} removed\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
