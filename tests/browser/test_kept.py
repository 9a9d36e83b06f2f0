"""What the browser keeps for a later visit: language and size once chosen, and a text that could not be shown."""

import json

from playwright.sync_api import expect

from tests.browser.conftest import ready
from tests.browser.dashboard import DOG, link, show, submit, text_box, wait_for_link


def open_again(page, path="/"):
    page.goto("about:blank")
    page.goto(path)
    ready(page)


def test_the_chosen_language_and_size_are_there_on_a_later_visit_and_what_somebody_else_left_is_ignored(
    page_for, server, watch
):
    page = page_for("heads")
    page.locator("[class*='st-key-language-box--']").get_by_text("繁體中文").click()
    wait_for_link(page, lang="zh-TW")
    page.locator("[class*='st-key-size-box--'] label").click()
    wait_for_link(page, size="projector")
    page.wait_for_function("(localStorage.getItem('attnviz.chosen') || '').includes('projector')")
    open_again(page, f"{server.url}/heads")
    wait_for_link(page, lang="zh-TW", size="projector")
    expect(page.locator("html")).to_have_attribute("lang", "zh-TW")
    open_again(page, f"{server.url}/heads?lang=en")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    assert "size" not in link(page)
    for kept in ("{", '{"lang": "<b>", "size": "huge"}'):  # what is no JSON, and what only Python can refuse
        page.evaluate("kept => localStorage.setItem('attnviz.chosen', kept)", kept)
        open_again(page, f"{server.url}/heads")
        expect(page.locator(".av-foot")).to_be_visible()
        wait_for_link(page, lang="en")
        assert "size" not in link(page), kept
        assert watch.errors == [], kept


def test_a_text_that_could_not_be_shown_is_there_after_a_reload(page_for, watch):
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
    assert json.loads(page.evaluate("sessionStorage.getItem('attnviz.draft')"))["shown"] == DOG
    assert watch.errors == []


def test_an_answer_in_a_lesson_is_there_after_a_reload_and_in_no_shared_link(page_for, server, watch):
    page = page_for("lessons", query={"lesson": "1", "step": "4"})
    page.locator(".stRadio [role=radiogroup] label").first.click()
    what_if = page.get_by_role("button", name="Try the what-if")
    expect(what_if).to_be_visible()
    page.wait_for_function("() => sessionStorage.getItem('attnviz.answers') !== null")
    page.reload()
    expect(what_if).to_be_visible()
    other = page_for(page.url.removeprefix(f"{server.url}/"))
    expect(other.locator(".stRadio [role=radiogroup]")).to_be_visible()
    expect(other.locator(".stRadio").get_by_role("radio", checked=True)).to_have_count(0)
    expect(other.get_by_role("button", name="Try the what-if")).to_have_count(0)
    assert watch.errors == []
