"""Write on, by pointer and by keys: the text grows, and each written token leads to the row that wrote it."""

from playwright.sync_api import expect

from tests.browser.dashboard import link, text_box, wait_for_link


def test_a_model_writes_on_and_its_tokens_are_walked_through(page_for):
    page = page_for("heads", query={"model": "induction", "text": "q w e r t q w e"})
    expect(page.locator(".writtenwalk")).to_be_hidden()
    page.get_by_role("button", name="Continue the text").click()
    page.get_by_role("menuitem", name="4 tokens").click()
    wait_for_link(page, text="q w e r t q w e r t q w", token="12")
    expect(text_box(page)).to_have_value("q w e r t q w e r t q w")
    walk = page.locator(".writtenwalk")
    expect(walk).to_contain_text("4 of 4")
    expect(walk).to_contain_text("was written by the row of q3, the token before it · probability 100%")
    expect(page.get_by_role("button", name="w₃ (written by the model)").first).to_be_visible()
    expect(page.get_by_role("button", name="w₂ (written by the model)")).to_have_count(0)
    page.locator(".query[aria-pressed=true]").focus()
    page.keyboard.press(",")
    expect(walk).to_contain_text("3 of 4")
    expect(page.locator(".query[aria-pressed=true]")).to_contain_text("t2")
    page.get_by_role("button", name="Next written token").click()
    wait_for_link(page, token="12")
    expect(page.get_by_role("button", name="Next written token")).to_be_disabled()
    page.keyboard.press(".")  # beyond the last one: it stays
    expect(walk).to_contain_text("4 of 4")
    page.get_by_role("button", name="Continue the text").click()
    page.get_by_role("menuitem", name="1 token").click()
    wait_for_link(page, text="q w e r t q w e r t q w e", token="13")
    expect(walk).to_contain_text("5 of 5")  # all that the model wrote stays marked
    assert link(page)["model"] == "induction"
