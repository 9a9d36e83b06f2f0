"""Three languages: the browser's own is chosen, another is one click, and unknown tokens are said in each."""

from playwright.sync_api import expect

from attnviz.text import strings
from tests.browser.dashboard import link, show, wait_for_link

CHINESE = "猫坐在垫子上，因为它累了。"


def test_the_browsers_language_is_taken(page_for):
    page = page_for(locale="zh-HK")
    expect(page.get_by_role("heading", level=1)).to_have_text(strings("zh-TW")("home-title"))
    expect(page.locator("html")).to_have_attribute("lang", "zh-TW")
    wait_for_link(page, lang="zh-TW")


def test_another_language_keeps_the_picture_and_its_notice_and_names_the_window(page_for, watch):
    page = page_for("heads")
    expect(page).to_have_title("Heads · AttnViz")
    revision = show(page, CHINESE)
    expect(page.locator(".notice")).to_contain_text("9 of 13 tokens are unknown to this model")
    for language, name in (("zh-CN", "简体中文"), ("zh-TW", "繁體中文")):
        page.locator("[class*='st-key-language-box--']").get_by_text(name).click()
        expect(page.locator(".notice")).to_contain_text(strings(language)("unknown-tokens", unknown=9, total=13))
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.locator("[data-ready]").first).to_have_attribute("data-ready", revision)
        assert link(page)["text"] == CHINESE
    expect(page).to_have_title("注意力頭 · AttnViz")
    assert watch.errors == []
