"""Compare: what a person does while the server is at work is not undone by what the browser says meanwhile."""

from playwright.sync_api import expect

from tests.browser.dashboard import wait_for_link
from tests.browser.wire import Wire

TWO = {"a": "reverse", "b": "minilm-l6", "both": "a b c d", "pair": "1.1-1.3"}
LONG_MS = 3500  # a slow server
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


def test_a_pair_picked_right_before_the_sides_are_swapped_is_swapped_with_them(page_for, watch):
    wire = Wire()
    page = page_for("compare", query=TWO, before=wire.take)
    page.locator(".stop").first.focus()
    wire.hold()
    page.keyboard.press("ArrowDown")
    page.get_by_role("button", name="Swap A and B").click()
    wire.wait_until_answered()
    wire.release()
    wait_for_link(page, a="minilm-l6", b="reverse", pair="1.3-1.2")
    expect(page.locator('[data-pair="0.2-0.1"][data-exact]')).to_be_visible()
    assert watch.errors == []


def test_a_pair_picked_while_the_page_is_drawn_larger_is_in_a_link_that_says_both(page_for, watch):
    wire = Wire()
    page = page_for("compare", query=TWO, before=wire.take)
    page.locator(".stop").first.press("ArrowDown")
    wait_for_link(page, pair="1.2-1.3")
    wire.hold()
    page.locator("[class*='st-key-size-box--'] label").click()
    page.locator(".stop").first.press("ArrowUp")
    page.wait_for_timeout(LONG_MS)
    wire.wait_until_answered()
    wire.release()
    wait_for_link(page, pair="1.1-1.3", size="projector")
    expect(page.locator('[data-pair="0.0-0.2"][data-exact]')).to_be_visible()
    page.locator(".stop").first.press("ArrowDown")
    wait_for_link(page, pair="1.2-1.3")
    assert watch.errors == []
