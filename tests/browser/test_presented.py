"""What a room sees in the presenter's view: the question beside the picture, and all of it from the last row."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import PageFactory, address, ready
from tests.browser.dashboard import comes_to, wait_for_link
from tests.browser.layout import boxes
from tests.browser.test_class import bar

READ = 28  # px of 1080: what is read from the last row of a room
TOLERANCE = 0.05
# All texts of what is taught that are seen, smaller than they may be; an index stands for its letter.
SMALL = """(least) => {
  const isShown = (node) => node.checkVisibility({opacityProperty: true, visibilityProperty: true});
  const isSeen = (node) => isShown(node) && node.getBoundingClientRect().width > 0;
  const inside = ({shadowRoot}) => shadowRoot?.querySelector('[data-ready]');
  const view = [...document.querySelectorAll('.st-key-lesson-stage *')].map(inside).find(Boolean);
  const taught = view.querySelectorAll('.surface, .strip, .rail, .heading .title');
  const found = [];
  for (const root of [...taught, document.querySelector('.st-key-lesson-words')]) {
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const [text, node] = [texts.currentNode.textContent.trim(), texts.currentNode.parentElement];
      const isIndex = node.closest('title, style, sub, sup, .mt tspan:not(.size), .lb.own tspan');
      if (!text || !isSeen(node) || isIndex) continue;
      const scale = node.closest('.cut-bars')?.getScreenCTM().a ?? 1; // drawn as wide as its line
      const size = parseFloat(getComputedStyle(node).fontSize) * scale;
      if (size < least) found.push([text, Math.round(10 * size) / 10]);
    }
  }
  return found;
}"""


@pytest.fixture
def lesson(shipped: str, tab_for: PageFactory) -> Callable[..., Page]:
    """A factory of pages at a step of a lesson, the first if none is said."""

    def opened(number: str, size: tuple[int, int] = (1920, 1080), locale: str = "en-US", step: int = 1) -> Page:
        page = tab_for(shipped, locale)
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.goto(address(shipped, "lessons", {"lesson": number, "step": str(step)}))
        ready(page)
        return page

    return opened


def present(page: Page) -> None:
    page.locator(".stepper .present").click()
    expect(page.locator("body")).to_have_class(re.compile("av-presents"))


def covers(upper: dict[str, float], lower: dict[str, float]) -> bool:
    across = min(upper["x"] + upper["width"], lower["x"] + lower["width"]) - max(upper["x"], lower["x"])
    down = min(upper["y"] + upper["height"], lower["y"] + lower["height"]) - max(upper["y"], lower["y"])
    return across > 1 and down > 1


@pytest.mark.parametrize(("size", "locale"), [((1920, 1080), "en-US"), ((1366, 768), "zh-CN")])
def test_the_question_its_answers_and_the_result_stand_beside_a_presented_picture(page_for: PageFactory, size, locale):
    page = page_for("lessons", query={"lesson": "1", "step": "4"}, size=size, locale=locale)
    page.locator(".launch button").first.click()
    present(page)
    bar(page).locator("[name=ask]").click()
    panel, picture, words = bar(page).locator(".panel"), page.locator(".stepper"), page.locator(".st-key-lesson-words")

    def has_room() -> bool:
        parts = [part.bounding_box() for part in (picture, bar(page), panel)]
        is_over = any(covers(one, other) for at, one in enumerate(parts) for other in parts[:at])
        is_beside = covers(words.bounding_box(), {**picture.bounding_box(), "x": 0, "width": 50})
        return not is_over and is_beside and not covers(words.bounding_box(), picture.bounding_box())

    def is_in_the_window(node: Locator) -> bool:
        box = node.bounding_box()
        return box["y"] >= 0 and box["y"] + box["height"] <= size[1]

    def all_is_in_sight() -> None:
        expect(panel).to_be_visible()  # what is asked has come
        comes_to(has_room, True)  # the picture is drawn again beside it
        for node in (*panel.get_by_role("button").all(), words.locator(".av-section"), picture.locator(".surface")):
            comes_to(is_in_the_window, True, node)

    all_is_in_sight()
    panel.get_by_role("button").first.click()  # ask it
    expect(panel.locator(".ask")).to_be_hidden()  # the step says it over its answers
    all_is_in_sight()
    panel.get_by_role("button").nth(2).click()  # a rehearsal: nobody is in the room
    panel.get_by_role("button", name=re.compile("Show the answers|显示答案|公布答案|显示结果")).click()
    expect(panel.get_by_role("listitem")).to_have_count(5)
    expect(picture.locator(".strip .total, .strip .line").first).to_be_visible()
    expect(page.locator("body")).to_have_class(re.compile("av-presents"))  # the answer's picture is presented too
    all_is_in_sight()
    page.locator(".st-key-lessons-next button").click()
    wait_for_link(page, step="5", present="1")
    page.keyboard.press("p")
    expect(page.locator("body")).not_to_have_class(re.compile("av-presents"))
    expect(words).to_be_visible()


def test_what_a_teacher_presents_fills_no_window_of_a_student(page_for: PageFactory):
    page = page_for("lessons", query={"lesson": "1", "step": "4"}, size=(1920, 1080))
    page.locator(".launch button").first.click()
    code = bar(page).locator(".code").first.inner_text()
    student = page_for("", query={"class": code}, wait=False, size=(390, 844))
    wait_for_link(student, lesson="1", step="4")
    present(page)
    wait_for_link(page, present="1")
    page.locator(".st-key-lessons-next button").click()
    wait_for_link(page, step="5", present="1")
    wait_for_link(student, step="5", present=None)
    expect(student.locator("body")).not_to_have_class(re.compile("av-presents"))
    expect(student.locator(".st-key-lesson-words")).to_be_visible()


def test_a_question_on_another_page_has_a_column_beside_what_is_presented(page_for: PageFactory):
    page = page_for("lessons", query={"lesson": "1", "step": "4"}, size=(1920, 1080))
    page.locator(".launch button").first.click()
    page.get_by_test_id("stTopNav").get_by_role("link", name="Step through").click()
    expect(page.locator(".stepper .present")).to_be_visible()
    bar(page).locator("[name=mine]").click()
    present(page)
    expect(page.locator(".stepper")).to_have_css("width", "1920px")
    bar(page).locator("[name=ask]").click()
    bar(page).locator("textarea").fill("Which word?\nthis\nthat")
    bar(page).get_by_role("button", name="Ask all").click()
    panel = bar(page).locator(".panel")
    expect(panel.locator(".ask")).to_have_text("Which word?")
    page.wait_for_function("() => document.body.matches('.av-panel')")
    comes_to(lambda: covers(panel.bounding_box(), page.locator(".stepper").bounding_box()), False)


@pytest.mark.parametrize("size", [(1920, 1080), (1366, 768)])
@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
def test_the_numbers_of_a_softmax_row_touch_each_other_nowhere_and_are_seen_whole(lesson, locale, size):
    page = lesson("1", size, locale, step=5)
    page.locator(".launch button").first.click()
    expect(bar(page)).to_be_visible()
    present(page)
    page.locator(".st-key-lesson-predict label").last.click()
    strip = page.locator(".stepper .strip")
    expect(strip.locator(".total")).to_be_visible()
    written = """(node) => [...node.querySelectorAll('.term > span, .total > *')].map((part) => {
      const range = document.createRange();
      range.selectNodeContents(part);
      const {left, right, top, bottom} = range.getBoundingClientRect();
      return [part.textContent, left, right, top, bottom];
    })"""

    def wrong() -> list[tuple[str, ...]]:
        """Texts that are not whole, and those that touch each other."""
        texts, (box,), found = strip.evaluate(written), boxes(strip), list[tuple[str, ...]]()
        for at, (text, left, right, top, bottom) in enumerate(texts):
            if left < box["left"] or right > box["right"] + 1 or bottom > box["bottom"] + 1:
                found.append((text,))
            for other, x, beyond, y, below in texts[:at]:
                if min(right, beyond) - max(left, x) > 1 and min(bottom, below) - max(top, y) > 4:
                    found.append((text, other))
        return found

    comes_to(wrong, [])


@pytest.mark.parametrize(("number", "locale"), [("1", "en-US"), ("4", "en-US"), ("4", "zh-CN")])
def test_what_is_taught_is_read_from_the_last_row(lesson: Callable[..., Page], number, locale):
    first = 2 if number == "1" else 1  # lesson 1 begins by hand, on a sheet without this view
    page = lesson(number, locale=locale, step=first)
    present(page)
    for step in range(first, 99):
        wait_for_link(page, step=str(step), present="1")
        options = page.locator(".st-key-lesson-predict label")
        comes_to(small, [], page)
        if options.count() > 1:
            options.last.click()
            expect(page.locator(".st-key-lesson-told")).to_be_visible()
            expect(page.locator(".stepper .strip > *").first).to_be_visible()
            comes_to(small, [], page)
        following = page.locator(".st-key-lessons-next button")
        if not re.search("Next →|下一步", following.inner_text()):
            break
        following.click()


def small(page: Page) -> list[list[object]]:
    expect(page.locator(".stApp")).to_have_attribute("data-test-script-state", "notRunning")
    expect(page.locator(".stepper:not([data-busy])[data-ready]")).to_be_visible()
    return page.evaluate(SMALL, READ - TOLERANCE)  # type: ignore[no-any-return]


def test_a_closer_look_lies_beside_what_a_lesson_says_of_it(lesson: Callable[..., Page]):
    page = lesson("4", (1366, 768))
    page.locator(".st-key-lesson-predict label").last.click()
    page.locator(".st-key-lesson-what-if button").click()
    words, look = page.locator(".st-key-lesson-words"), page.get_by_role("dialog")
    expect(words).to_contain_text("A merge was learned because its pair was frequent")
    expect(look).to_be_visible()
    comes_to(lambda: covers(look.bounding_box(), words.bounding_box()), False)
