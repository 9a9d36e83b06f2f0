"""The process that measures heads, so that no page waits for it: it loads a model and runs it over a set of sentences.

In: what to measure, as the first line of its input. Out: one JSON object a line, how far it is and then the table. The
end of its input means stop, also where the server is gone.
"""

from __future__ import annotations

import base64
import json
import os
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import torch

import attnviz as av
from attnviz.analysis.heads.survey import survey
from attnviz.analysis.heads.survey_cache import cached_survey, packed
from attnviz.core.errors import AttnvizError, WriteError
from attnviz.trace.model import Model
from attnviz.training.load import load_partial

LESS_IMPORTANT = 15  # of 19: every page and every training goes first


def main() -> int:
    """Measure what the first line asks for."""
    with suppress(OSError, AttributeError):
        os.nice(LESS_IMPORTANT)
    torch.set_num_threads(1)
    asked = json.loads(sys.stdin.readline())
    threading.Thread(target=_end_with_input, daemon=True).start()
    try:
        found = _measured(asked)
    except AttnvizError as error:
        _say({"error": {"sentence": str(error), "id": error.id, "arguments": error.arguments}})
        return 0
    _say({"survey": base64.b64encode(found).decode()})
    return 0


def _measured(asked: dict[str, Any]) -> bytes:
    model, sentences = _model(asked), asked["sentences"]
    if asked["is_own"]:  # a person's own sentences are written nowhere
        return packed(survey(model, sentences=sentences, max_seconds=asked["seconds"], on_progress=_tell))
    language = asked["language"] if sentences is None else None
    try:
        found = cached_survey(
            model, language, sentences=sentences, folder=Path(asked["folder"]), max_seconds=asked["seconds"],
            on_progress=_tell,
        )  # fmt: skip
    except WriteError:  # no room to keep it
        found = survey(model, language, sentences=sentences, max_seconds=asked["seconds"], on_progress=_tell)
    return packed(found)


def _model(asked: dict[str, Any]) -> Model:
    if asked["trained"]:
        return load_partial(Path(asked["trained"]))
    return av.load(asked["model"], device=asked["device"], dtype=asked["dtype"])


def _tell(done: int, total: int) -> None:
    _say({"done": done, "total": total})


def _say(line: dict[str, object]) -> None:
    try:
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()
    except OSError:  # nobody listens any more
        os._exit(1)


def _end_with_input() -> None:
    while os.read(0, 1):
        pass
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main())
