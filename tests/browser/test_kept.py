"""What the browser keeps for a later visit: language and size once chosen, and a text that could not be shown."""

from playwright.sync_api import expect

from tests.browser.conftest import ready
from tests.browser.dashboard import DOG, box, link, settle, show, submit, text_box, wait_for_link


def test_the_chosen_language_and_size_are_there_on_a_later_visit_and_what_somebody_else_left_is_ignored(
    page_for, server
):
    page = page_for("about", wait=False)
    html, projector = page.locator("html"), box(page, "size-box").locator("input")
    languages = page.locator("[class*='st-key-language-box--']")

    def visit(query: str = "") -> None:
        page.goto("about:blank")
        page.goto(f"{server.url}/about{query}")
        expect(page.locator(".av-prose").nth(3)).to_be_visible()
        settle(page)

    languages.get_by_text("繁體中文").click()
    expect(html).to_have_attribute("lang", "zh-TW")
    box(page, "size-box").locator("label").click()
    page.wait_for_function("() => (localStorage.getItem('attnviz.chosen') || '').includes('projector')")
    visit()
    expect(html).to_have_attribute("lang", "zh-TW")
    expect(projector).to_be_checked()
    for query, kept in (  # a link that says one, and what only Python can refuse
        ("?lang=en", '{"lang": "zh-TW", "size": "projector"}'),
        ("", '{"lang": "<b>", "size": "huge"}'),
    ):
        page.evaluate("kept => localStorage.setItem('attnviz.chosen', kept)", kept)
        visit(query)
        expect(html).to_have_attribute("lang", "en")
        languages.get_by_text("简体中文").click()  # Python hears of it after what was kept
        wait_for_link(page, lang="zh-CN")
        assert "size" not in link(page), kept


def test_a_text_that_could_not_be_shown_is_there_after_a_reload(page_for):
    page = page_for("heads")
    revision = show(page, DOG)
    long = "word " * 600
    submit(page, long)
    expect(page.locator(".av-line")).to_contain_text("too many")
    expect(text_box(page)).to_have_value(long)
    expect(page.locator("[data-ready]").first).to_have_attribute("data-ready", revision)
    page.wait_for_function("() => sessionStorage.getItem('attnviz.draft') !== null")
    page.reload()
    ready(page)
    expect(page.locator(".av-line")).to_contain_text("too many")
    expect(text_box(page)).to_have_value(long)
    assert link(page)["text"] == DOG
