"""Home: the first picture, the six examples, and the way into the rest."""

from playwright.sync_api import expect

from tests.browser.conftest import new_picture
from tests.browser.dashboard import can_scroll, exact_head, link, text_box, turn_to, wait_for_link


def test_home_shows_real_attention_at_once_and_leads_to_the_rest(page_for, watch):
    page = page_for()
    view = page.locator("[data-ready]").first
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    expect(page.locator(".reading")).to_contain_text("71%")
    expect(page.locator(".st-key-examples button")).to_have_count(6)
    assert not can_scroll(page)

    before = view.get_attribute("data-ready")
    page.locator(".st-key-example-agreement button").click()
    new_picture(page, before)
    exact_head(page, 4, 2)
    expect(page.locator(".reading")).to_contain_text("keys")
    expect(text_box(page)).to_have_value("The keys to the old wooden cabinet are on the table.")

    page.locator(".stPageLink a").click()
    expect(page.locator(".st-key-bar")).to_be_visible()
    exact_head(page, 4, 2)
    expect(text_box(page)).to_have_value("The keys to the old wooden cabinet are on the table.")
    wait_for_link(page, layer="4", head="2")

    turn_to(page, "About")
    expect(page.get_by_role("heading", level=1)).to_have_text("About")
    expect(page.locator(".av-prose")).to_contain_text(["What attention does not prove"])
    assert link(page)["layer"] == "4"
    assert watch.errors == []


def test_the_same_example_again_brings_its_own_head_back(page_for):
    page = page_for(query={"layer": "1", "head": "3"})
    exact_head(page, 1, 3)
    page.locator(".st-key-example-pronoun button").click()
    exact_head(page, 6, 12)
    wait_for_link(page, layer="6", head="12", token="9")
