"""What the server is doing, in numbers: for Prometheus, on a port of its own that no proxy should publish.

Any room may register a gauge; they are read when Prometheus asks. prometheus_client comes with `attnviz[metrics]` and
is imported only where a port is set. No number is of one visitor, no label holds a text.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send

BOUNDS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0)  # seconds
Reading = Callable[[], float | Mapping[str, float]]
_gauges: dict[str, tuple[str, str, Reading]] = {}
_seconds: list[Any] = []  # a histogram, once Prometheus may ask


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
        for histogram in _seconds:
            histogram.labels(route).observe(time.perf_counter() - started)


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
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

        for name, (says, label, read) in tuple(_gauges.items()):
            family = CounterMetricFamily if name.endswith("_total") else GaugeMetricFamily
            now = read()
            made = family(f"attnviz_{name}", says, labels=[label] if isinstance(now, Mapping) else [])
            for value, number in now.items() if isinstance(now, Mapping) else [(None, now)]:
                made.add_metric([] if value is None else [value], number)
            yield made


def serve(port: int, address: str) -> None:
    """Answer Prometheus at this port, from a thread.

    Raises:
        OSError: somebody else listens there.
        ImportError: `attnviz[metrics]` is not installed.
    """
    from prometheus_client import REGISTRY, Histogram, start_http_server

    _seconds.append(Histogram("attnviz_answer_seconds", "Time to an answer.", ["route"], buckets=BOUNDS))
    REGISTRY.register(_Collector())
    start_http_server(port, address)
