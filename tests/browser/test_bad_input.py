"""Bad input in the real browser: nothing executes, what is unknown or wrong is said, in each language."""

from playwright.sync_api import expect

from attnviz.text import strings
from tests.browser.dashboard import comes_to, link, settle, show

CHINESE = "猫坐在垫子上，因为它累了。"

DRAWN = (
    "😀🎉👩‍👩‍👧‍👦",
    "שלום עולם, مرحبا",
    "a\x00b\x07\u200b\u202eevil\u2066",
    "![x](http://x.example/y.png)",
    "</script><img src=x onerror=alert(1)>",
)
WIDTH_OF_A_QUOTE = """() => {
  const mark = document.createElement("span");
  mark.textContent = "\u201c";
  document.querySelector(".stMarkdownContainer, [data-testid=stMarkdownContainer]").append(mark);
  const width = mark.getBoundingClientRect().width / parseFloat(getComputedStyle(mark).fontSize);
  mark.remove();
  return width;
}"""


def test_strange_texts_are_text_unknown_tokens_are_said_and_a_corrected_link_also_in_an_old_tab(page_for, server):
    page = page_for("heads")
    for text in DRAWN:
        show(page, text)
        settle(page)
        expect(page.locator(".av-line")).to_have_count(0)
    expect(page.locator(".query").filter(has_text="alert")).to_have_count(1)
    page.locator(".st-key-token-table button").click()
    expect(page.locator(".av-tokens")).to_contain_text("alert")
    assert page.locator(".av-tokens img, .attnviz img").count() == 0
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("stException")).to_have_count(0)

    revision = show(page, CHINESE)
    expect(page.locator(".notice")).to_contain_text("9 of 13 tokens are unknown to this model")
    expect(page).to_have_title("Heads · AttnViz")
    for language, name in (("zh-CN", "简体中文"), ("zh-TW", "繁體中文")):
        page.locator("[class*='st-key-language-box--']").get_by_text(name).click()
        expect(page.locator(".notice")).to_contain_text(
            strings(language)("unknown-tokens", unknown=9, total=13, read="[UNK]")
        )
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.locator("[data-ready]").first).to_have_attribute("data-ready", revision)
        assert link(page)["text"] == CHINESE
        comes_to(lambda: 0.95 < page.evaluate(WIDTH_OF_A_QUOTE) < 1.05, True)  # of a character's: not Inter's
    expect(page).to_have_title("注意力頭 · AttnViz")

    page.goto(f"{server.url}/heads?model=nope&lang=en")
    expect(page.locator(".av-line")).to_contain_text("no model named nope")
    page.wait_for_timeout(1500)  # the browser has said by then what it kept, and the page was drawn again
    expect(page.locator(".av-line")).to_contain_text("no model named nope")
