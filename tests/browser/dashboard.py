"""What a person does on the dashboard, by the names the tests use for it."""

from collections.abc import Callable
from contextlib import suppress
from urllib.parse import parse_qs

from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as NotWithinTime

from tests.browser.conftest import WAIT_MS, new_picture
from tests.browser.live import wait_until

CAT = "The cat sat on the mat because it was tired."
DOG = "The dog barked at the mailman because he was late."
KEYS = "The keys to the old wooden cabinet are on the table."


def box(page: Page, name: str) -> Locator:
    """A widget whose value Python may set; the one it takes the place of stands behind it for a moment."""
    return page.locator(f"[class*='st-key-{name}--']:not([data-stale=true])").first


def text_box(page: Page) -> Locator:
    return box(page, "text-box").locator("textarea")


def submit(page: Page, text: str) -> None:
    """Type a sentence and press Enter."""
    text_box(page).fill(text)
    text_box(page).press("Enter")


def show(page: Page, text: str) -> str:
    """Type a sentence, wait for its picture, and return the picture's revision."""
    before = page.locator("[data-ready]").first.get_attribute("data-ready")
    submit(page, text)
    return new_picture(page, before)


def settle(page: Page) -> None:
    """Wait until the server has drawn all there is."""
    expect(page.locator(".stApp")).to_have_attribute("data-test-script-state", "notRunning")


def turn_to(page: Page, title: str) -> None:
    """Click a page in the header."""
    page.get_by_test_id("stTopNav").get_by_role("link", name=title).click()
    expect(page.get_by_test_id("stTopNav").locator("[aria-current=page]")).to_have_text(title)


def link(page: Page) -> dict[str, str]:
    """The link in the address bar, as the page has it: `page.url` may lag behind by an event."""
    return {name: values[0] for name, values in parse_qs(page.evaluate("location.search.slice(1)")).items()}


def wait_for_link(page: Page, **parts: str | None) -> None:
    """Wait until the address bar says this, and nothing under a name that is given None."""
    says = "parts => { const q = new URLSearchParams(location.search); return parts.every(([k, v]) => q.get(k) === v) }"
    try:
        page.wait_for_function(says, arg=list(parts.items()))
    except NotWithinTime as error:
        raise AssertionError(f"the link does not come to say {parts}: {link(page)}") from error


def comes_to(read: Callable[..., object], wanted: object, *of: object) -> None:
    """Wait until what is read off a page is this: what a press changes may be drawn a moment later."""
    seen: object = None

    def is_there() -> bool:
        nonlocal seen
        seen = read(*of)
        return bool(seen == wanted)

    with suppress(TimeoutError):
        wait_until(is_there, WAIT_MS / 1000)
    assert seen == wanted


def exact_head(page: Page, layer: int, head: int) -> Locator:
    """The view once it shows this head (from 1) with its exact numbers."""
    view = page.locator(f'[data-head="{layer - 1}.{head - 1}"][data-exact]')
    expect(view).to_be_visible()
    return view


CAN_SCROLL = """() => { const main = document.querySelector('[data-testid=stMain]');
    return main.scrollHeight > main.clientHeight + 1 || main.scrollWidth > main.clientWidth + 1 }"""


def wait_until_all_fits(page: Page) -> None:
    """Wait until the page is no taller or wider than the window: a view is measured in the frame after its window."""
    page.wait_for_function(f"() => !({CAN_SCROLL})()")


def to_projector(page: Page) -> None:
    """Choose the large size, in a window as large as a projector's picture, and wait until all fits into it."""
    page.set_viewport_size({"width": 1920, "height": 1080})
    box(page, "size-box").locator("label").click()
    wait_for_link(page, size="projector")
    wait_until_all_fits(page)


def dialog(page: Page) -> Locator:
    return page.get_by_role("dialog")


def figures(page: Page) -> Locator:
    """The dialog's charts: each a figure of plotly's, its numbers, and its menu."""
    return dialog(page).locator("[class*='st-key-figure-']")


def plot(chart: Locator) -> Locator:
    """Plotly's part of it; while a run goes on Streamlit keeps the one before beside it, which is not seen."""
    return chart.locator(".js-plotly-plot:visible")


DRAWN = """async (plot, axis) => {
  while (plot.isConnected && !plot._fullData) await new Promise(requestAnimationFrame);
  return plot.isConnected ? plot._fullData.map((line) => [...line[axis]]) : null; // another one took its place
}"""


def numbers_of(chart: Locator, axis: str = "y") -> list[list[float]]:
    """What plotly has of each line or group of bars, once it has drawn them."""
    while (numbers := plot(chart).evaluate(DRAWN, axis)) is None:
        pass
    return numbers
