"""Thirty people who type without a pause: traces a second in the dashboard's own process, and at trace services.

`python -m benchmarks.typists [seconds]`; the service of two replicas needs Ray. Every answer is checked to be of its
question. It prints JSON with the load of the machine, which decides more than a table can say.
"""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator

import httpx2
import numpy as np
from attnviz_app.serving.runs import Runs
from attnviz_app.settings import Settings

from attnviz.analysis.heads.sentences import bundled

TYPISTS, PORT = 30, 8655


def measure(seconds: float) -> Iterator[dict[str, object]]:
    """One dictionary a way to serve."""
    yield {"engine": "in process"} | typed(Runs(Settings()), seconds)
    for replicas in (1, 2):
        command = [sys.executable, "-m", "attnviz.cli", "serve", "minilm-l6", "--port", str(PORT)]
        service = subprocess.Popen([*command, "--replicas", str(replicas)], stderr=subprocess.DEVNULL)
        try:
            wait(lambda: httpx2.get(f"http://127.0.0.1:{PORT}/healthz", trust_env=False).status_code == 200)
            runs = Runs(Settings(engine=f"http://127.0.0.1:{PORT}", workers=TYPISTS))
            yield {"engine": f"attnviz serve --replicas {replicas}"} | typed(runs, seconds)
        finally:
            service.terminate()
            service.wait()


def typed(runs: Runs, seconds: float) -> dict[str, float]:
    """Traces a second and how long one takes, in seconds."""
    runs.trace("minilm-l6", "Loads the model.")
    took, until = [], time.perf_counter() + seconds
    refused = 0

    def person(number: int) -> None:
        nonlocal refused
        for i, sentence in enumerate(bundled("en") * 100):
            started = time.perf_counter()
            if started > until:
                return
            text = f"{sentence} {number} {i}"
            try:
                assert runs.trace("minilm-l6", text).tokens.source.source == text
                took.append(time.perf_counter() - started)
            except Exception:
                refused += 1

    people = [threading.Thread(target=person, args=(number,)) for number in range(TYPISTS)]
    began = time.perf_counter()
    [one.start() for one in people]
    [one.join() for one in people]
    low, high = np.quantile(took, (0.5, 0.95))
    rate = len(took) / (time.perf_counter() - began)
    return {"traces_a_second": round(rate, 1), "p50": round(float(low), 2), "p95": round(float(high), 2),
            "refused": refused, "load": round(os.getloadavg()[0], 1)}  # fmt: skip


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


if __name__ == "__main__":
    for row in measure(float(sys.argv[1]) if len(sys.argv) > 1 else 20.0):
        print(json.dumps(row), flush=True)
