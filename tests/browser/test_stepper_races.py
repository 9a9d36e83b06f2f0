"""Step through: what is pressed and picked one after the other while the server is slow is all there in the end."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.dashboard import comes_to, settle, wait_for_link
from tests.browser.stepper import stepper
from tests.browser.wire import LATE_MS, Wire

OPEN = """(link) => {
  history.replaceState(history.state, '', link);
  window.dispatchEvent(new PopStateEvent('popstate', {state: history.state}));
}"""


@pytest.mark.parametrize("late_ms", LATE_MS[1:])
def test_presses_one_right_after_the_other(page_for, late_ms):
    wire = Wire()
    query = {"model": "reverse", "text": "a b c d", "matrix": "scores", "token": "2", "key": "2"}
    page = page_for("step", query=query, before=wire.take)
    expect(stepper(page)).to_have_attribute("data-step", "scores")

    with wire.late(late_ms):
        page.get_by_role("button", name="All heads", exact=True).click()
        page.get_by_role("switch", name="÷ √dₖ").click()
        page.locator(".surface").press("ArrowDown")
        page.get_by_role("switch", name="Causal mask").click()
        page.locator(".surface").press("ArrowDown")
    expect(page.locator(".edits")).to_have_text("causal mask in all heads · no ÷ √dₖ in all heads")
    wait_for_link(page, matrix="scores", token="4", key="2", **{"if": "causal~noscale"})

    box = page.locator("[class*='st-key-step-text--'] textarea").last
    with wire.late(late_ms):
        page.get_by_role("switch", name="Positions").click()
        box.fill("d c b a")
        box.press("Enter")
        page.get_by_role("button", name="Multi-head", exact=True).click()
        page.locator("[class*='st-key-step-guesses--'] label").click()
        page.locator("[class*='st-key-size-box--'] label").click()
    wait_for_link(page, text="d c b a", tab="heads", guess="1", size="projector", **{"if": "causal~noscale~nopos"})
    expect(page.locator(".lb", has_text=re.compile("^d$")).first).to_be_visible()
    expect(page.locator(".edits")).to_have_text("causal mask in all heads · no ÷ √dₖ in all heads · no positions")

    with wire.late(late_ms):
        page.locator("[class*='st-key-step-guesses--'] label").last.click()
        page.get_by_role("combobox", name="Model").click()
        page.get_by_role("option", name="Induction").click()
    wait_for_link(page, model="induction", tab="heads", size="projector", guess=None)
    settle(page)
    expect(page.get_by_role("combobox", name="Model")).to_have_value(re.compile("Induction"))
    expect(page.locator("[class*='st-key-step-guesses--'] input").last).not_to_be_checked()


def test_what_was_chosen_is_in_the_link_before_it_is_answered_and_outlives_a_reload(page_for):
    wire = Wire()
    page = page_for("step", query={"model": "reverse", "text": "a b c d"}, before=wire.take)
    expect(stepper(page)).to_have_attribute("data-step", re.compile("."))
    wire.hold()
    page.get_by_role("switch", name="Positions").click()
    page.wait_for_function("() => new URLSearchParams(location.search).has('ask')")
    page.reload()
    expect(page.locator(".edits")).to_have_text("no positions")
    wait_for_link(page, **{"if": "nopos"}, ask=None)


def test_a_closer_look_opened_while_a_switched_run_is_on_its_way_is_one_at_that_run(page_for):
    wire = Wire()
    page = page_for("step", query={"model": "reverse", "text": "a b c d", "tab": "heads"}, before=wire.take)
    facts = page.get_by_role("dialog").locator(".facts .value")
    page.get_by_role("button", name="Two heads compared").click()
    expect(facts.first).to_be_visible()
    untouched = facts.all_inner_texts()
    page.keyboard.press("Escape")
    expect(facts).to_have_count(0)

    wire.hold()
    page.get_by_role("switch", name="Positions").click()
    expect(page.locator(".matrices")).to_have_css("opacity", "0.45")  # numbers of before
    page.get_by_role("button", name="Two heads compared").click()
    wire.wait_until_answered()
    wire.release()
    expect(page.locator(".matrices")).to_have_css("opacity", "1")
    expect(facts.first).to_be_visible()
    expect(facts).not_to_have_text(untouched)  # a run that began before may be drawn first
    wait_for_link(page, look="two-heads", **{"if": "nopos"})


def test_the_picture_of_the_text_before_is_dim_until_that_of_the_new_one_is_there(page_for):
    page = page_for("step", query={"model": "reverse", "text": "a b c d"})
    expect(page.locator(".matrices")).to_have_css("opacity", "1")
    held = []
    page.route("**/api/step/picture", lambda route: held.append(route))
    box = page.locator("[class*='st-key-step-text--'] textarea").last
    box.fill("d c b a")
    expect(page.locator(".st-key-step-stage")).to_have_css("opacity", "0.55")  # typed, and not asked yet
    box.press("Enter")
    expect(page.locator(".matrices")).to_have_css("opacity", "0.45")
    comes_to(lambda: bool(held) or page.evaluate("false"), True)  # it is heard of a moment later
    held.pop().continue_()
    expect(page.locator(".matrices")).to_have_css("opacity", "1")
    expect(page.locator(".lb", has_text=re.compile("^d$")).first).to_be_visible()


def test_a_head_that_is_picked_before_the_page_has_answered_for_an_opened_link_stays(page_for):
    """As where a teacher asks a lesson's question, which opens its step anew, and picks a head at once."""
    wire = Wire()
    page = page_for("lessons", query={"lesson": "1", "step": "4"}, before=wire.take)
    wait_for_link(page, layer="2", head="6")
    wire.hold()
    page.evaluate(OPEN, "?lesson=1&step=4&told=&lang=en")
    page.locator(".stepper select").nth(1).select_option("3")
    wire.wait_until_answered()
    wire.release()
    expect(page.locator(".elsewhere")).to_contain_text("head 6")
    settle(page)
    wait_for_link(page, head="3", ask=None)
