"""Thirty people who type without a pause: traces a second in the dashboard's own process, and at trace services.

`python -m benchmarks typists`; the service of two replicas needs Ray. Every answer is checked to be of its question.
"""

import subprocess
import sys
import threading
import time
from collections.abc import Callable

import httpx2
from attnviz_app.serving.runs import Runs
from attnviz_app.settings import Settings

from attnviz.analysis.heads.sentences import bundled
from benchmarks.table import Row, percentile

TYPISTS, PORT, SECONDS = 30, 8655, 10.0


def measure(seconds: float = SECONDS) -> list[Row]:
    rows = [typed("in the dashboard's process", Runs(Settings()), seconds)]
    for replicas in (1, 2):
        command = [sys.executable, "-m", "attnviz.cli", "serve", "minilm-l6", "--port", str(PORT)]
        service = subprocess.Popen([*command, "--replicas", str(replicas)], stderr=subprocess.DEVNULL)
        try:
            wait(lambda: httpx2.get(f"http://127.0.0.1:{PORT}/healthz", trust_env=False).status_code == 200)
            runs = Runs(Settings(engine=f"http://127.0.0.1:{PORT}", workers=TYPISTS))
            rows.append(typed(f"attnviz serve --replicas {replicas}", runs, seconds))
        finally:
            service.terminate()
            service.wait()
    return rows


def typed(engine: str, runs: Runs, seconds: float) -> Row:
    """Traces a second, and how long one takes."""
    runs.trace("minilm-l6", "Loads the model.")
    took: list[float] = []
    refused: list[Exception] = []
    wrong: list[str] = []
    until = time.perf_counter() + seconds

    def person(number: int) -> None:
        for i, sentence in enumerate(bundled("en") * 100):
            started = time.perf_counter()
            if started > until:
                return
            text = f"{sentence} {number} {i}"
            try:
                found = runs.trace("minilm-l6", text).tokens.source.source
            except Exception as error:
                refused.append(error)
                continue
            took.append(time.perf_counter() - started)
            wrong.extend([found] if found != text else [])

    people = [threading.Thread(target=person, args=(number,)) for number in range(TYPISTS)]
    began = time.perf_counter()
    for one in people:
        one.start()
    for one in people:
        one.join()
    if wrong:
        raise RuntimeError(f"{len(wrong)} answers were of another question, the first of {wrong[0]!r}.")
    rate = len(took) / (time.perf_counter() - began)
    half, most = percentile(took, 0.5), percentile(took, 0.95)
    note = f"traces a second; half within {half:.2f} s, 95 % within {most:.2f} s; {len(refused)} refused"
    return Row(f"{TYPISTS} typists, {engine}", rate, None, "/s", note)


def wait(is_ready: Callable[[], bool], seconds: float = 180.0) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            if is_ready():
                return
        except httpx2.TransportError:
            pass
        time.sleep(0.5)
    raise TimeoutError("The service did not start.")
