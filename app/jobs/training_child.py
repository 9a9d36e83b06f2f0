"""The process that trains, so that nobody's page waits for it: it reads a plan, trains, and says how far it is.

In, as its one argument: what to train. Out: one JSON object a line, points of the log and then the outcome. The end of
its input means stop, also where the server is gone: what was trained is kept.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from attnviz.core.errors import AttnvizError
from attnviz.training import Point, resume, task_named, train
from attnviz.training.run import plan_of

LESS_IMPORTANT = 10  # of 19: every page goes first, and on a busy machine it still gets on
SAID_SECONDS = 0.2  # between two points that are no checkpoint
LEFT_SECONDS = 30.0  # to keep what was trained after the server is gone


def main() -> int:
    """Train what the argument asks for."""
    _give_way()
    asked = json.loads(sys.argv[1])
    stop = threading.Event()
    threading.Thread(target=_listen, args=(stop,), daemon=True).start()
    said = 0.0

    def tell(point: Point) -> None:
        nonlocal said
        now = time.monotonic()
        if point.accuracy or now - said >= SAID_SECONDS:
            said = now
            _say({"point": asdict(point)}, stop)

    folder, plan = Path(asked["folder"]), plan_of(asked["plan"])
    try:
        if asked["is_going_on"]:
            run = resume(folder, on_progress=tell, should_stop=stop.is_set, max_seconds=plan.max_seconds)
        else:
            run = train(task_named(asked["task"]), plan, folder=folder, on_progress=tell, should_stop=stop.is_set)
    except AttnvizError as error:
        _say({"error": {"sentence": str(error), "id": error.id, "arguments": error.arguments}}, stop)
        return 0
    _say({"outcome": run.outcome, "step": run.step}, stop)
    return 0


def _listen(stop: threading.Event) -> None:
    """Stop when told to, or when the server is gone; then also end, should something hang."""
    while os.read(0, 1):  # not sys.stdin: a thread that waits in it keeps the interpreter from ending
        pass
    stop.set()
    time.sleep(LEFT_SECONDS)
    os._exit(1)


def _say(line: dict[str, object], stop: threading.Event) -> None:
    try:
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()
    except OSError:  # nobody listens any more
        stop.set()
        with suppress(OSError):
            sys.stdout = open(os.devnull, "w")  # noqa: SIM115


def _give_way() -> None:
    """Every page goes first, and one core is enough."""
    with suppress(OSError, AttributeError):
        os.nice(LESS_IMPORTANT)


if __name__ == "__main__":
    sys.exit(main())
