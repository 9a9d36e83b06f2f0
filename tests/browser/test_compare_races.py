"""Compare: what a person does while the server is at work is not undone by what the browser says meanwhile."""

from playwright.sync_api import expect

from tests.browser.dashboard import wait_for_link
from tests.browser.wire import Wire

POLLS_MS = 2500  # in which a page that waits for a measurement asks for it twice


def test_sides_stay_swapped_while_the_page_asks_how_far_a_measurement_is(page_for, watch):
    wire = Wire()
    query = {"a": "step3:induction", "b": "minilm-l6", "both": "a b c d", "pair": "1.1-1.3"}  # a pair of no other test
    page = page_for("compare", query=query, before=wire.take)
    expect(page.locator(".av-progress")).to_be_visible()
    wire.hold()
    page.get_by_role("button", name="Swap A and B").click()
    page.wait_for_timeout(POLLS_MS)
    wire.release()
    wait_for_link(page, a="minilm-l6", b=query["a"], pair="1.3-1.1")
    expect(page.locator('[data-pair="0.2-0.0"][data-exact]')).to_be_visible()
    page.wait_for_timeout(POLLS_MS)
    wait_for_link(page, a="minilm-l6", b=query["a"], pair="1.3-1.1")
    assert watch.errors == []
