"""Answers over HTTP from a port of this machine: a package index or a hub whose bytes come when a test says so."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx2

WAIT_S = 120  # a body that a test forgot to let go ends by then


@contextmanager
def answers(answer: Callable[[httpx2.Request], httpx2.Response], base: str = "http://index.test") -> Iterator[str]:
    """The address where requests are answered, each as if it had been sent to `base`."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            response = answer(httpx2.Request(self.command, base + self.path))
            self.send_response(response.status_code)
            for name, value in response.headers.items():
                self.send_header(name, value)
            self.send_header("Connection", "close")
            self.end_headers()
            if self.command == "GET":
                with suppress(OSError):  # who asked has left
                    for block in response.stream:  # type: ignore[union-attr]
                        self.wfile.write(block)
                        self.wfile.flush()

        do_HEAD = do_GET

        def log_message(self, *said: object) -> None:
            """Tests read pages, not requests."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def held_back(whole: bytes, go: threading.Event) -> Iterator[bytes]:
    """The first third, and the rest once a test lets it go."""
    first = len(whole) // 3
    yield whole[:first]
    go.wait(WAIT_S)
    yield whole[first:]
