"""What one page hears from the server. A test holds the answers back: a slow line, without waiting for one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from playwright.sync_api import Error, Page, Route, WebSocketRoute

LATE_MS = (0, 400, 3000)  # how late answers are in the tests of races


class Wire:
    """The answers to a page, messages and numbers alike: `wire = Wire()`, `page_for("heads", before=wire.take)`."""

    def __init__(self) -> None:
        self._is_held = False
        self._answers: list[Callable[[], None]] = []

    def take(self, page: Page) -> None:
        """Take in hand what this page will hear."""
        self._page = page
        page.route_web_socket("**/_stcore/stream", self._join)
        page.route("**/api/**", self._fetch)

    @contextmanager
    def late(self, ms: float) -> Iterator[None]:
        """What the page asks for in this block it hears when the block has ended and so long again."""
        self.hold()
        yield
        self._page.wait_for_timeout(ms)
        self.release()

    def hold(self) -> None:
        """From now on the page hears nothing, while the server hears the page."""
        self._is_held = True

    def release(self) -> None:
        """The page hears all it missed, in order."""
        self._is_held = False
        while self._answers:
            self._answers.pop(0)()

    def wait_until_answered(self) -> None:
        """Wait until the server has said nothing more for a while, of what is held back."""
        before = -1
        while before != len(self._answers):
            before = len(self._answers)
            self._page.wait_for_timeout(400)

    def _join(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        socket.on_message(server.send)
        server.on_message(lambda message: self._answer(lambda: socket.send(message)))

    def _fetch(self, route: Route) -> None:
        if not self._is_held:
            return route.continue_()

        def answer() -> None:
            with suppress(Error):  # the page asks no more
                route.fulfill(response=response)

        response = route.fetch()
        return self._answer(answer)

    def _answer(self, say: Callable[[], None]) -> None:
        if self._is_held:
            self._answers.append(say)
        else:
            say()
