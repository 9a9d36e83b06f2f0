"""What was left is shown again: by Back and Forward, from another page, after a reload, and on a later visit."""

from playwright.sync_api import expect

from tests.browser.conftest import ready
from tests.browser.dashboard import DOG, box, exact_head, link, settle, show, submit, text_box, turn_to, wait_for_link

PRESS_MS = 80  # how long a person holds a button down
BACK_AT_ONCE = """() => {
    const push = history.pushState;
    history.pushState = function (...what) {
        push.apply(history, what);
        history.pushState = push;
        history.back();
    };
    addEventListener('popstate', () => { window.isBack = true }, {once: true});
}"""


def test_a_head_and_a_token_that_are_picked_go_along_to_every_page_and_back_shows_them(page_for):
    page = page_for("heads", query={"model": "minilm-l6", "text": DOG, "layer": "3", "head": "4", "token": "5"})
    pages = page.get_by_test_id("stTopNav")
    pages.get_by_role("link", name="Step through").click()
    wait_for_link(page, model="minilm-l6", text=DOG, layer="3", head="4", token="5", matrix="q")
    page.get_by_role("combobox", name="Head").select_option(label="2")
    wait_for_link(page, head="2")
    pages.get_by_role("link", name="Heads").click()
    exact_head(page, 3, 2)
    wait_for_link(page, text=DOG, layer="3", head="2", token="5")
    pages.get_by_role("link", name="Compare").click()
    wait_for_link(page, model="minilm-l6", text=DOG, layer="3", head="2", layer2="3", head2="2")
    page.go_back()
    exact_head(page, 3, 2)
    page.go_back()
    wait_for_link(page, layer="3", head="2", token="5", model2=None)


def test_back_forward_another_page_and_a_reload_show_what_was_left(page_for):
    page = page_for("heads")
    page.locator(".grid button").nth(0).click()
    exact_head(page, 1, 1)
    show(page, DOG)
    exact_head(page, 1, 1)  # the head that was looked at stays with a typed text
    page.locator(".grid button").nth(13).click()
    wait_for_link(page, text=DOG, layer="2", head="2")
    page.go_back()
    wait_for_link(page, layer="1", head="1")
    exact_head(page, 1, 1)
    expect(page.locator(".query").nth(2)).to_contain_text("cat")
    page.go_forward()
    wait_for_link(page, text=DOG, layer="2", head="2")
    exact_head(page, 2, 2)
    expect(text_box(page)).to_have_value(DOG)

    pages = page.get_by_test_id("stTopNav")
    page.locator(".grid button").nth(0).click()
    exact_head(page, 1, 1)
    page.locator(".query").nth(2).click()
    wait_for_link(page, token="3")
    pages.get_by_role("link", name="About").click()
    expect(page.locator(".av-prose").first).to_be_visible()
    page.go_back()
    exact_head(page, 1, 1)
    wait_for_link(page, layer="1", head="1", token="3")
    page.evaluate(BACK_AT_ONCE)  # when About's address stands and nothing of About does
    pages.get_by_role("link", name="About").click()
    page.wait_for_function("() => window.isBack")
    exact_head(page, 1, 1)
    settle(page)
    page.locator(".grid button").nth(12 + 6).click()
    for name in ("About", "Heads"):  # right after the pick
        pages.get_by_role("link", name=name).click(delay=PRESS_MS)
        settle(page)
    exact_head(page, 2, 7)
    wait_for_link(page, text=DOG, layer="2", head="7", token="3")
    page.locator(".query").nth(2).click()
    page.keyboard.press("Escape")  # lets go of the token
    wait_for_link(page, token="none")
    adding = page.get_by_role("button", name="Several heads")
    adding.click()
    wait_for_link(page, together="mean")
    page.reload()
    ready(page)
    settle(page)
    expect(adding).to_have_attribute("aria-pressed", "true")
    adding.click()
    wait_for_link(page, together=None, layer="2", head="7", token="none")
    expect(page.locator(".reading")).to_contain_text("On average")


def test_the_chosen_language_and_size_are_there_on_a_later_visit_and_what_else_was_left_is_ignored(page_for, server):
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
    show(page, DOG)
    long = "word " * 600
    submit(page, long)
    expect(page.locator(".av-line")).to_contain_text("too many")
    page.wait_for_function("() => sessionStorage.getItem('attnviz.draft') !== null")
    page.reload()
    ready(page)
    expect(page.locator(".av-line")).to_contain_text("too many")
    expect(text_box(page)).to_have_value(long)
    assert link(page)["text"] == DOG


def test_what_is_picked_in_a_lesson_stays_in_it(page_for):
    page = page_for("step?model=translate-en-zh&text=I+like+red+apples.&part=cross&layer=2&head=3")
    pages = page.get_by_test_id("stTopNav")
    pages.get_by_role("link", name="Lessons").click()
    page.get_by_role("button", name="Next →").click()  # the first step is by hand
    page.get_by_role("switch", name="Causal mask").check()
    wait_for_link(page, **{"if": "causal.encoder.1.self.6"})
    pages.get_by_role("link", name="Step through").click()
    wait_for_link(page, text="I like red apples.", part="cross", layer="2", head="3", **{"if": None})


def test_a_page_that_shows_no_sentence_carries_it_in_its_link_and_after_a_reload_the_next_page_has_its_head(page_for):
    there = {"model": "minilm-l6", "text": DOG, "layer": "3", "head": "4", "token": "5", "key": "9"}
    page = page_for("heads", query=there)
    exact_head(page, 3, 4)
    pages = page.get_by_test_id("stTopNav")
    for name in ("Training", "By hand", "Lessons", "About"):
        turn_to(page, name)
        wait_for_link(page, **{"from": "&".join(f"{name}={value}" for name, value in there.items()), "model": None})
        page.reload()
        expect(page.get_by_role("button", name="Copy link")).to_be_visible()  # its script is there
        pages.get_by_role("link", name="Step through").click()
        wait_for_link(page, **there, **{"from": None, "matrix": "q"})
