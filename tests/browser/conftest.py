"""What every browser test starts from: one server and one Chromium for the whole run, a visitor of its own a test.

A visitor has been nowhere: nothing of another test is in its storage. Its tab, and the scripts and fonts that the
server sent to all, are kept from test to test: to open a tab takes as long as to draw a picture in it. A request to
another host fails the test that made it, always, and so does what a page complains of, unless the test forgets it:
`watch.errors.clear()`.
"""

import base64
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Download,
    Locator,
    Page,
    Playwright,
    expect,
    sync_playwright,
)

from attnviz.views import View
from tests.browser import live

WAIT_MS = 180_000  # a wait ends as soon as its condition holds, so what is slow for once is no failure

expect.set_options(timeout=WAIT_MS)

PageFactory = Callable[..., Page]
SILENT = ":payload,null);"  # as rjsmin leaves it
HEARD = """: (window.payload = payload), (said) => (window.said ??= []).push(said));
  Object.assign(window, {mounted: view, unpack});"""


@dataclass
class Watch:
    """What the pages of one test asked for and complained about."""

    host: str
    requests: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)  # requests to any other host
    errors: list[str] = field(default_factory=list)  # console errors and uncaught exceptions
    dialogs: list[str] = field(default_factory=list)  # alert(), confirm(): a token that executed

    def __post_init__(self) -> None:
        self.hears: dict[str, Callable[[Any], object]] = {
            "request": lambda request: self._asked(request.url),
            "websocket": lambda socket: self._asked(socket.url),
            "console": self._said,
            "pageerror": lambda error: self.errors.append(str(error)),
            "dialog": lambda dialog: (self.dialogs.append(dialog.message), dialog.dismiss()),
        }

    def follow(self, page: Page) -> None:
        """Listen to this page from now on."""
        for event, hear in self.hears.items():
            page.on(event, hear)

    def let_go(self, page: Page) -> None:
        """Listen to it no more."""
        for event, hear in self.hears.items():
            page.remove_listener(event, hear)

    def _said(self, message: ConsoleMessage) -> None:
        # Opened at /heads, Streamlit looks for its server below /heads first, finds 404 there, and goes on at the root.
        is_probe = "404" in message.text and "/_stcore/" in message.location.get("url", "")
        if message.type == "error" and not is_probe:
            self.errors.append(f"{message.text} ({message.location.get('url', '')})")

    def _asked(self, url: str) -> None:
        self.requests.append(url)
        if urlsplit(url).scheme in ("http", "https", "ws", "wss") and urlsplit(url).netloc != self.host:
            self.foreign.append(url)


@pytest.fixture(scope="session")
def server() -> Iterator[live.Server]:
    """The dashboard, started once for all browser tests."""
    with live.serve() as running:
        yield running


@pytest.fixture(scope="session")
def shipped(smollm2: object) -> Iterator[str]:
    """The address of a dashboard that names no models: it has those that ship, of which the first is here."""
    with live.serve(environment={"ATTNVIZ_MODELS": ""}) as running:
        yield running.url


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """One for the process: a second one beside it is refused."""
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """One Chromium for all browser tests; each page has a context, and so a storage, of its own."""
    browser = live.launch(playwright)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def tabs() -> dict[str, list[Page]]:
    """The tabs that nobody uses now: of visitors by their language, of those of another server by both, and of files
    under "".

    Each has a window to itself, for one behind another would wait for its frames, and a storage.
    """
    return defaultdict(list)


@pytest.fixture
def tab_for(chromium: Browser, tabs: dict[str, list[Page]]) -> Iterator[PageFactory]:
    """A factory: `tab_for(origin, locale)`, for another server than `server`, is the tab of who has been nowhere.

    The scripts that it loaded stay in it, and an exception on its page fails the test.
    """
    taken: list[tuple[str, str, Page]] = []
    errors: list[str] = []

    def hear(error: object) -> None:
        errors.append(str(error))

    def take(origin: str, locale: str = "en-US") -> Page:
        name = f"{locale} {origin}"
        tab = tabs[name].pop() if tabs[name] else chromium.new_page(locale=locale)
        taken.append((name, origin, tab))
        tab.set_default_timeout(WAIT_MS)
        tab.set_viewport_size({"width": 1440, "height": 900})
        tab.on("pageerror", hear)
        return tab

    yield take
    for name, origin, tab in taken:
        tab.remove_listener("pageerror", hear)
        forget(tab, origin)
        tabs[name].append(tab)
    assert errors == []


@pytest.fixture
def watch(server: live.Server) -> Iterator[Watch]:
    """What the pages of this test asked for; a request to another host and an error fail the test at its end."""
    watching = Watch(urlsplit(server.url).netloc)
    yield watching
    assert watching.foreign == [], "the page asked another host for something"
    assert watching.errors == [], "the page complained"
    assert watching.dialogs == [], "something on the page executed"


@pytest.fixture
def page_for(
    server: live.Server, chromium: Browser, tabs: dict[str, list[Page]], watch: Watch
) -> Iterator[PageFactory]:
    """A factory: `page_for(path, theme=, locale=, size=, query=, before=, wait=, **context_options) -> Page`.

    `path` is "" or "heads"; `query` becomes the address's query string; `before` is called with the page while it is
    empty; `wait=False` returns before a view has painted.
    """
    own: list[BrowserContext] = []
    taken: list[tuple[str, Page]] = []

    def open_page(
        path: str = "",
        *,
        theme: str = "light",
        locale: str = "en-US",
        size: tuple[int, int] = (1440, 900),
        query: dict[str, str] | None = None,
        before: Callable[[Page], object] | None = None,
        wait: bool = True,
        **options: object,
    ) -> Page:
        if options:
            own.append(chromium.new_context(locale=locale, **options))  # type: ignore[arg-type]
            page = own[-1].new_page()
        else:
            page = tabs[locale].pop() if tabs[locale] else chromium.new_context(locale=locale).new_page()
            taken.append((locale, page))
            page = page.context.new_page() if before else page
        page.set_default_timeout(WAIT_MS)
        page.emulate_media(media="screen", color_scheme=theme)  # type: ignore[arg-type]
        page.set_viewport_size({"width": size[0], "height": size[1]})
        watch.follow(page)
        if before:
            before(page)
        page.goto(address(server.url, path, query))
        if wait:
            ready(page)
        return page

    yield open_page
    for context in own:
        context.close()
    for locale, tab in taken:
        watch.let_go(tab)
        forget(tab, server.url)
        tabs[locale].append(tab)


def forget(tab: Page, origin: str) -> None:
    """Empty a visitor's browser: the next one has been nowhere, as far as a page can tell."""
    for page in tab.context.pages:
        if page is not tab:
            page.close()
    tab.unroute_all()
    tab.goto(f"{origin}/healthz")
    tab.evaluate("() => { localStorage.clear(); sessionStorage.clear() }")
    tab.context.clear_cookies()


@pytest.fixture
def draw(chromium: Browser, tabs: dict[str, list[Page]], tmp_path: Path) -> Iterator[PageFactory]:
    """A factory: `draw(view, theme=, size=, **context_options) -> Page`; what the view emits is in `window.said`."""
    shared: list[Page] = []
    own: list[Page] = []

    def open_view(view: View, *, theme: str = "light", size: tuple[int, int] = (1440, 900), **options: object) -> Page:
        html = view.html()
        assert SILENT in html
        path = tmp_path / f"view-{len(shared) + len(own)}.html"
        path.write_text(html.replace(SILENT, HEARD), encoding="utf-8")
        # Its script is not quite the one that the file allows.
        page = tabs[""].pop() if tabs[""] and not options else chromium.new_page(bypass_csp=True, **options)
        (own if options else shared).append(page)
        page.set_default_timeout(WAIT_MS)
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.goto(path.as_uri())
        ready(page)
        return page

    yield open_view
    for page in own:
        page.close()
    for page in shared:
        page.goto("about:blank")
    tabs[""] += shared


def update(page: Page, view: View) -> None:
    """Give what `draw` opened another picture of the same view, and wait until it has painted that."""
    bytes_of = "Uint8Array.from(atob(text), (c) => c.charCodeAt(0))"
    page.evaluate(f"(text) => mounted.update(unpack({bytes_of}))", base64.b64encode(view.payload).decode())
    ready(page)


def address(base: str, path: str = "", query: dict[str, str] | None = None) -> str:
    """The address of a page, its query encoded as the browser does."""
    return f"{base}/{path}" + (f"?{urlencode(query, quote_via=quote)}" if query else "")


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A visitor who has been nowhere; nothing that the page complains of is let pass."""
    own, errors = chromium.new_page(viewport={"width": 1440, "height": 900}, locale="en-US"), []
    own.set_default_timeout(WAIT_MS)
    own.on("pageerror", lambda error: errors.append(str(error)))
    yield own
    own.close()
    assert errors == []


def ready(page: Page) -> Locator:
    """Wait until a view has painted, in our fonts, and return its root."""
    view = page.locator("[data-ready]").first
    expect(view).to_be_visible()
    page.evaluate("() => document.fonts.ready.then(() => null)")  # a view is drawn again once they are there
    return view


def said(page: Page) -> list[dict[str, Any]]:
    """Everything that a view of `draw` said is picked, oldest first."""
    return page.evaluate("window.said ?? []")  # type: ignore[no-any-return]


def spot(part: Locator, across: float = 0.5, down: float = 0.5) -> tuple[float, float]:
    """Where the pointer goes in what is drawn, its middle unless other shares of its width and height are given."""
    box = part.bounding_box()
    assert box
    return box["x"] + box["width"] * across, box["y"] + box["height"] * down


def press_keys(page: Page, *keys: str) -> None:
    """Press one key after the other."""
    for key in keys:
        page.keyboard.press(key)


def menu_item(page: Page, item: str, picture: str = "") -> Locator:
    """Open the menu of a picture, the first in `picture` (a selector), and return one of its items."""
    if not page.locator(".takemenu:popover-open").count():
        page.locator(f"{picture} button.take:visible").first.click()
    return page.locator(".takemenu:popover-open").get_by_role("button", name=item, exact=True)


def taken(page: Page, item: str, picture: str = "") -> Download:
    """What an item of that menu saves, once the menu is closed again."""
    with page.expect_download() as download:
        menu_item(page, item, picture).click()
    page.keyboard.press("Escape")
    return download.value


def new_picture(page: Page, before: str | None) -> str:
    """Wait until the first view shows another revision than `before`, and return that revision."""
    view = page.locator("[data-ready]").first
    expect(view).not_to_have_attribute("data-ready", before or "")
    return view.get_attribute("data-ready") or ""
