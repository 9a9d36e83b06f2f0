"""Thirty people who type without a pause: traces a second in the dashboard's own process, and at trace services.

`python -m benchmarks typists`; the service of two replicas needs Ray. Every answer is checked to be of its question.
"""

import os
import subprocess
import sys
import threading
import time
from importlib.util import find_spec
from urllib.request import urlopen

import numpy as np
from attnviz_app.serving.runs import Runs
from attnviz_app.settings import Settings

from attnviz.analysis.heads.sentences import bundled
from benchmarks.table import Row
from tests.browser.live import wait_until

TYPISTS, PORT, SECONDS = 30, 8655, 10.0
START_SECONDS, STOP_SECONDS = 180.0, 30.0  # at most, of a service


def measure() -> list[Row]:
    rows = [typed("in the dashboard's process", Runs(Settings()))]
    for replicas in (1, 2) if find_spec("ray") else (1,):
        command = [sys.executable, "-m", "attnviz.cli", "serve", "minilm-l6", "--port", str(PORT)]
        service = subprocess.Popen([*command, "--replicas", str(replicas)], stderr=subprocess.DEVNULL)
        try:
            wait(service)
            runs = Runs(Settings(engine=f"http://127.0.0.1:{PORT}", workers=TYPISTS))
            rows.append(typed(f"attnviz serve --replicas {replicas}", runs))
        finally:
            service.terminate()
            try:
                service.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                service.kill()
    return rows


def typed(engine: str, runs: Runs) -> Row:
    """Traces a second, and how long one takes."""
    print(f"  {TYPISTS} typists for {SECONDS:g} s, {engine}; load {os.getloadavg()[0]:.1f}", flush=True)
    runs.trace("minilm-l6", "Loads the model.")
    took: list[float] = []
    refused: list[Exception] = []
    wrong: list[str] = []
    until = time.perf_counter() + SECONDS

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
    half, most = np.percentile(took, (50, 95), method="inverted_cdf")
    note = f"traces a second; half within {half:.2f} s, 95 % within {most:.2f} s; {len(refused)} refused"
    return Row(f"{TYPISTS} typists, {engine}", rate, None, "/s", note)


def wait(service: subprocess.Popen[bytes]) -> None:
    """Until a service answers; a replica of Ray takes three quarters of a minute on busy cores."""
    command, health = " ".join(map(str, service.args)), f"http://127.0.0.1:{PORT}/healthz"
    print(f"  starting {command}, at most {START_SECONDS:g} s", flush=True)
    wait_until(lambda: service.poll() is not None or urlopen(health, timeout=5).status == 200, START_SECONDS)
    if service.returncode is not None:
        raise RuntimeError(f"It ended with exit code {service.returncode}. Start it by hand to see why: {command}")
