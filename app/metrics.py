"""What the server is doing, in numbers: for Prometheus, on a port of its own that no proxy should publish.

Any room may register a gauge; they are read when Prometheus asks. prometheus_client comes with `attnviz[metrics]` and
is imported only where a port is set. No number is of one visitor, no label holds a text.
"""

import threading
import time
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send

BOUNDS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0)  # seconds
Reading = Callable[[], float | Mapping[str, float]]
_gauges: dict[str, tuple[str, str, Reading]] = {}
_timings: dict[str, list[float]] = {}  # by route: how many took up to each of BOUNDS and longer, and the sum of seconds
_lock = threading.Lock()


def gauge(name: str, says: str, read: Reading, label: str = "kind") -> None:
    """Register a number, or one for each value of a label.

    Args:
        name: after "attnviz_"; one that ends in "_total" only grows.
        read: called in another thread whenever somebody asks.
    """
    _gauges[name] = (says, label, read)


@contextmanager
def timed(route: str) -> Iterator[None]:
    """Measure how long an answer takes. `route` is one of a few names of ours."""
    started = time.perf_counter()
    try:
        yield
    finally:
        seconds = time.perf_counter() - started
        with _lock:
            timing = _timings.setdefault(route, [0.0] * (len(BOUNDS) + 2))
            timing[bisect_left(BOUNDS, seconds)] += 1
            timing[-1] += seconds


class Connections:
    """ASGI middleware that counts open web sockets: each is a visitor's page."""

    def __init__(self, app: ASGIApp) -> None:
        self.app, self.n = app, 0
        gauge("sessions", "Pages that are open now.", lambda: self.n)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_page = scope["type"] == "websocket"
        self.n += is_page
        try:
            await self.app(scope, receive, send)
        finally:
            self.n -= is_page


class _Collector:
    """What prometheus_client asks for the numbers of now."""

    def collect(self) -> Iterator[Any]:
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily

        for name, (says, label, read) in tuple(_gauges.items()):
            family = CounterMetricFamily if name.endswith("_total") else GaugeMetricFamily
            now = read()
            made = family(f"attnviz_{name}", says, labels=[label] if isinstance(now, Mapping) else [])
            for value, number in now.items() if isinstance(now, Mapping) else [(None, now)]:
                made.add_metric([] if value is None else [value], number)
            yield made
        seconds = HistogramMetricFamily("attnviz_answer_seconds", "Time to an answer.", labels=["route"])
        for route, timing in tuple(_timings.items()):
            below = [sum(timing[: at + 1]) for at in range(len(BOUNDS) + 1)]
            buckets = list(zip([*(f"{bound:g}" for bound in BOUNDS), "+Inf"], below, strict=True))
            seconds.add_metric([route], buckets, timing[-1])
        yield seconds


def serve(port: int, address: str) -> None:
    """Answer Prometheus at this port, from a thread.

    Raises:
        OSError: somebody else listens there.
        ImportError: `attnviz[metrics]` is not installed.
    """
    from prometheus_client import REGISTRY, start_http_server

    REGISTRY.register(_Collector())
    start_http_server(port, address)
