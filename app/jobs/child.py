"""The child process: it trains, so that no page waits for it.

The first line of its input says what to train. It answers with JSON objects, one a line: how far it is, then the result
or an error. The end of its input means stop, also where the server was killed.
"""

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

from attnviz.core.errors import AttnvizError
from attnviz.training import Point, resume, task_named, train
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
        tell({"result": _train(asked, tell, stop)})
    except AttnvizError as error:
        tell({"error": {"id": error.id, "arguments": error.arguments}})
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


if __name__ == "__main__":
    sys.exit(main())
