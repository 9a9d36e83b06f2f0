"""The child process: it trains or measures, so that no page waits for it.

The first line of its input says what to do. It answers with JSON objects, one a line: how far it is, then the result or
an error. The end of its input means stop, also where the server was killed.
"""

import base64
import json
import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import attnviz as av
from attnviz.analysis.heads.survey import survey
from attnviz.analysis.heads.survey_cache import cached_survey, packed
from attnviz.core.errors import AttnvizError, WriteError
from attnviz.trace.model_protocol import Model
from attnviz.training import Point, resume, task_named, train
from attnviz.training.load import load_partial
from attnviz.training.result import plan_of

SECONDS_BETWEEN = 0.2  # two points of a training that are no checkpoint
SECONDS_TO_END = 30.0  # after it was told to stop
NICENESS = 10  # of 19: every page goes first

Tell = Callable[[dict[str, Any]], None]


def main() -> int:
    asked = json.loads(sys.stdin.readline())
    with suppress(OSError, AttributeError):
        os.nice(NICENESS)
    stop = threading.Event()
    threading.Thread(target=_listen, args=(stop,), daemon=True).start()

    def tell(line: dict[str, Any]) -> None:
        try:
            print(json.dumps(line), flush=True)
        except OSError:  # nobody listens any more
            stop.set()
            with suppress(OSError):
                sys.stdout = open(os.devnull, "w")  # noqa: SIM115

    try:
        tell({"result": WORK[asked["work"]](asked, tell, stop)})
    except AttnvizError as error:
        tell({"error": {"sentence": str(error), "id": error.id, "arguments": error.arguments}})
    return 0


def _listen(stop: threading.Event) -> None:
    while os.read(0, 1):  # not sys.stdin: a thread that waits in it keeps the interpreter from ending
        pass
    stop.set()
    time.sleep(SECONDS_TO_END)
    os._exit(1)


def _train(asked: dict[str, Any], tell: Tell, stop: threading.Event) -> str:
    """Train, or go on where a training stopped; returns how it ended."""
    told = 0.0

    def on_progress(point: Point) -> None:
        nonlocal told
        now = time.monotonic()
        if point.accuracy or now - told >= SECONDS_BETWEEN:
            told = now
            tell(asdict(point))

    folder, plan = Path(asked["folder"]), plan_of(asked["plan"])
    if asked["is_resumed"]:
        run = resume(folder, on_progress=on_progress, should_stop=stop.is_set, max_seconds=plan.max_seconds)
    else:
        run = train(task_named(asked["task"]), plan, folder=folder, on_progress=on_progress, should_stop=stop.is_set)
    return run.outcome


def _survey(asked: dict[str, Any], tell: Tell, stop: threading.Event) -> str:
    """Measure the heads of a model over sentences; returns the packed table."""

    def on_progress(done: int, total: int) -> None:
        if stop.is_set():
            sys.exit(1)
        tell({"done": done, "total": total})

    model, folder, sentences = _model(asked), asked["folder"], asked["sentences"]
    language = asked["language"] if sentences is None else None
    options = {"sentences": sentences, "max_seconds": asked["seconds"], "on_progress": on_progress}
    try:  # without a folder nothing is written: the sentences are a person's own
        found = cached_survey(model, language, folder=Path(folder), **options) if folder else None
    except WriteError:  # no room to keep it
        found = None
    found = found or survey(model, language, **options)
    return base64.b64encode(packed(found)).decode()


def _model(asked: dict[str, Any]) -> Model:
    if asked["trained"]:
        return load_partial(Path(asked["trained"]))
    return av.load(asked["model"], device=asked["device"], dtype=asked["dtype"])


WORK = {"train": _train, "survey": _survey}  # each returns its result, as JSON can say it

if __name__ == "__main__":
    sys.exit(main())
