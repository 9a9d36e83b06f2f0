"""What one page hears from the server. A test holds the answers back: a slow line, without waiting for one."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from playwright.sync_api import Page
from streamlit.proto.BackMsg_pb2 import BackMsg

from tests.browser.dashboard import settle

SLOW_MS = 1500  # how late answers are on a slow line: a page waits at most a second before it speaks
LATE_MS = (0, 400, SLOW_MS)  # for the protocol of picks, which all pages share
QUIET_MS = 400  # the server has answered when nothing more came for so long
# In the page itself, so that messages of the web socket keep their order. Numbers come each for itself.
HELD = """(() => {
  const wire = (window.wire = {isHeld: false, came: 0, waiting: []});
  const turn = () => {
    wire.came += 1;
    return wire.isHeld ? new Promise((go) => wire.waiting.push(go)) : null;
  };
  const released = new WeakSet();
  window.WebSocket = class extends WebSocket {
    constructor(...how) {
      super(...how);
      let before = null;
      this.addEventListener('message', (event) => {
        if (released.has(event)) return;
        event.stopImmediatePropagation();
        before = Promise.all([before, turn()]).then(() => {
          const again = new MessageEvent('message', {data: event.data, origin: event.origin});
          released.add(again);
          this.dispatchEvent(again);
        });
      });
    }
  };
  const ask = window.fetch;
  window.fetch = async (...what) => {
    const response = await ask(...what);
    if (new URL(response.url).pathname.startsWith('/api/')) await turn();
    return response;
  };
})()"""

# Whether no run has begun by the time that nothing more is heard: one that had would have no end.
HOLDS = """async () => {
  wire.isHeld = true;
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  return document.querySelector('.stApp').dataset.testScriptState === 'notRunning';
}"""


def listens(sent: list[int]) -> Callable[[Page], None]:
    """For `before` of a page: the length of each message that it sends is added, but for what a timer asks."""

    def add(frame: str | bytes) -> None:
        if not (isinstance(frame, bytes) and BackMsg.FromString(frame).rerun_script.is_auto_rerun):
            sent.append(len(frame))

    def follow(page: Page) -> None:
        page.on("websocket", lambda socket: socket.on("framesent", add))

    return follow


class Wire:
    """The answers to a page, messages and numbers alike: `wire = Wire()`, `page_for("heads", before=wire.take)`."""

    def take(self, page: Page) -> None:
        """Take in hand what this page will hear."""
        self._page = page
        page.add_init_script(HELD)

    @contextmanager
    def late(self, ms: float) -> Iterator[None]:
        """What the page asks for in this block it hears when the block has ended and so long again; what it asked for
        before it has heard.
        """
        self.hold()
        yield
        self._page.wait_for_timeout(ms)
        self.release()

    def begun(self, press: Callable[[], None]) -> None:
        """Press a button, and wait until its run has begun: Streamlit loses it to an event before that."""
        came = self._page.evaluate("() => wire.came")
        press()
        self._page.wait_for_function("came => wire.came > came", arg=came)

    def hold(self) -> None:
        """From now on the page hears nothing, while the server hears the page; but a run that has begun to its end."""
        while True:
            settle(self._page)
            if self._page.evaluate(HOLDS):
                return
            self.release()

    def release(self) -> None:
        """The page hears all it missed, messages in their order."""
        self._page.evaluate("() => { wire.isHeld = false; for (const go of wire.waiting.splice(0)) go() }")

    def wait_until_answered(self) -> None:
        """Wait until the server has said nothing more for a while, of what is held back."""
        before = -1
        while before != (came := self._page.evaluate("() => wire.came")):
            before = came
            self._page.wait_for_timeout(QUIET_MS)
