"""The wire between the server and one page. A test holds the answers back: a slow server, without waiting for one."""

from __future__ import annotations

from playwright.sync_api import Page, WebSocketRoute


class Wire:
    """The web socket of a page: `wire = Wire()`, then `page_for("heads", before=wire.take)`."""

    def __init__(self) -> None:
        self._is_held = False
        self._answers: list[tuple[WebSocketRoute, str | bytes]] = []

    def take(self, page: Page) -> None:
        """Take the socket in hand that this page will open."""
        self._page = page
        page.route_web_socket("**/_stcore/stream", self._join)

    def hold(self) -> None:
        """From now on the page hears nothing, while the server hears the page."""
        self._is_held = True

    def release(self) -> None:
        """The page hears all it missed, in order."""
        self._is_held = False
        while self._answers:
            socket, message = self._answers.pop(0)
            socket.send(message)

    def wait_until_answered(self) -> None:
        """Wait until the server has said nothing more for a while, of what is held back."""
        before = -1
        while before != len(self._answers):
            before = len(self._answers)
            self._page.wait_for_timeout(400)

    def _join(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        socket.on_message(server.send)
        server.on_message(lambda message: self._answer(socket, message))

    def _answer(self, socket: WebSocketRoute, message: str | bytes) -> None:
        if self._is_held:
            self._answers.append((socket, message))
        else:
            socket.send(message)
