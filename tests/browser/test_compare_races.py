"""Compare: what a person does while answers are on their way is not lost, and what is measured late undoes nothing."""

from playwright.sync_api import expect

from tests.browser.dashboard import box, wait_for_link
from tests.browser.wire import LATE_MS, Wire

POLLS_MS = 2500  # in which a page that waits for a measurement asks for it twice
MEASURED_MEANWHILE = "step12:induction"  # in no other test


def test_pairs_sides_and_sizes_that_are_chosen_one_after_the_other_all_count(page_for):
    wire, a = Wire(), MEASURED_MEANWHILE
    query = {
        "model": a,
        "model2": "minilm-l6",
        "text": "a b c d",
        "layer": "1",
        "head": "1",
        "layer2": "1",
        "head2": "3",
        "door": "alike",
    }
    page = page_for("compare", query=query, before=wire.take)
    swap = page.get_by_role("button", name="Swap A and B")
    for late_ms, size in zip(reversed(LATE_MS), ("projector", None, "projector"), strict=True):
        before = page.evaluate("navigation.currentEntry.index")
        with wire.late(late_ms):
            box(page, "size-box").locator("label").click()
            page.locator(".alike .stop").press("ArrowDown")
        wait_for_link(page, model=a, layer="1", head="2", layer2="1", head2="3", size=size)
        expect(page.locator('[data-pair="0.1-0.2"][data-exact]')).to_be_visible()
        with wire.late(late_ms):
            page.locator(".alike .stop").press("ArrowUp")
            wire.begun(swap.click)
        wait_for_link(page, model="minilm-l6", model2=a, layer="1", head="3", layer2="1", head2="1")
        expect(page.locator('[data-pair="0.2-0.0"][data-exact]')).to_be_visible()
        page.wait_for_timeout(POLLS_MS if late_ms == LATE_MS[-1] else 0)  # it is measured but once
        wait_for_link(page, model="minilm-l6", model2=a, layer="1", head="3", layer2="1", head2="1")
        with wire.late(late_ms):
            wire.begun(swap.click)
            page.get_by_role("combobox", name="Model B").click()  # where B is still the other one
            page.get_by_role("option", name="Reverse").first.click()
        wait_for_link(page, model=a, model2="reverse")
        page.evaluate("before => history.go(before - navigation.currentEntry.index)", before)
        wait_for_link(page, model=a, model2="minilm-l6", layer="1", head="1", layer2="1", head2="3")
        expect(page.locator('[data-pair="0.0-0.2"][data-exact]')).to_be_visible()
