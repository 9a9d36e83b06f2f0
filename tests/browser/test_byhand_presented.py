"""By hand as a room sees it: a step of a head and the line, all of it read from the last row."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from attnviz.text import strings
from tests.browser.dashboard import comes_to, wait_for_link
from tests.browser.test_presented import READ, TOLERANCE, covers, lesson

__all__ = ["lesson"]  # a fixture
SEEDS = "5x4_2_seed3_out"  # the example of the seeds: five words, d = 4, two heads, W_O 8 → 4
# Texts of what is taught that are smaller than they may be, and those that stand out of what has room for them.
SMALL = """(root, least) => {
  const found = [];
  const frames = [root.querySelector('.scroll'), root.querySelector('.strip')];
  for (const frame of frames) {
    const room = frame.getBoundingClientRect();
    const texts = document.createTreeWalker(frame, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const [text, node] = [texts.currentNode.textContent.trim(), texts.currentNode.parentElement];
      const box = node.getBoundingClientRect();
      if (!text || !node.checkVisibility() || !box.width || node.closest('sub, sup')) continue;
      const size = parseFloat(getComputedStyle(node).fontSize);
      const isBeside = box.left < room.left - 1 || box.right > room.right + 1;
      const isOut = isBeside || box.top < room.top - 1 || box.bottom > room.bottom + 1;
      if (size < least || isOut) found.push([text, size, isOut]);
    }
    for (const field of frame.querySelectorAll('input'))
      if (parseFloat(getComputedStyle(field).fontSize) < least) found.push([field.value]);
  }
  return found;
}"""
PLACES = [f"{m}_2_{part}" for part in (1, 2) for m in ("Q", "S", "A", "O")] + ["Y_2_out"]


def placed(said: str) -> re.Pattern[str]:
    matrix, row, part = said.split("_")
    return re.compile(f"pick={matrix}_{row}_[1-9]_{part}(&|$)")


def is_read(page: Page) -> None:
    """Wait until nothing of a presented sheet is small or cut off: it is drawn again for the room that it gets."""
    view = page.locator(".byhand.presented[data-ready]")
    comes_to(lambda: view.evaluate(SMALL, READ - TOLERANCE), [])


@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
def test_each_step_by_hand_is_read_from_the_last_row(page_for, locale):
    page = page_for("byhand", query={"hand": SEEDS}, size=(1920, 1080), locale=locale)
    page.keyboard.press("p")
    wait_for_link(page, present="1")
    page.keyboard.press("PageUp")
    for at, place in enumerate(PLACES):  # through both heads to the output, as a clicker goes
        if at:
            page.keyboard.press("PageDown")
        expect(page).to_have_url(placed(place))
        is_read(page)
    page.keyboard.press("Escape")
    wait_for_link(page, present=None)
    expect(page.locator(".byhand .cell[data-id='C']").first).to_be_visible()


def test_what_is_pressed_keeps_the_focus(page_for):
    page = page_for("byhand", query={"hand": SEEDS, "present": "1"}, size=(1920, 1080))
    for name in ("QKᵀ", "Head 2", "Output", "Head 1", "Q, K, V", strings("en")("view-byhand-step-on")):
        if name == strings("en")("view-byhand-step-on"):
            page.emulate_media(reduced_motion="reduce")
            page.get_by_role("button", name=strings("en")("view-byhand-play")).click()
        button = page.locator(".byhand").get_by_role("button", name=name, exact=True)
        button.click()
        expect(button).to_be_focused()
    page.keyboard.press("p")  # and the buttons are where they were
    on = page.locator(".byhand .strip").get_by_role("button", name=strings("en")("view-byhand-step-on"))
    expect(on).to_be_visible()
    for name in ("Output", "Head 2"):
        button = page.locator(".byhand .saying").get_by_role("button", name=name, exact=True)
        button.click()
        expect(button).to_be_focused()


def test_the_row_that_is_played_leads_through_the_steps(page_for):
    page = page_for("byhand", query={"hand": "2x2_1_seed3", "present": "1"}, size=(1920, 1080))
    page.emulate_media(reduced_motion="reduce")
    say = strings("en")
    page.get_by_role("button", name="Q, K, V").click()
    page.get_by_role("button", name=say("view-byhand-play")).click()
    seen = []
    for _ in range(14):  # the last key ends it
        seen.append(page.locator(".byhand .cell").evaluate_all("(cells) => cells.map((it) => it.dataset.id)"))
        page.keyboard.press(".")
    kinds = [next(step for step in ("O", "A", "S", "Q") if step in ids) for ids in seen]
    assert kinds == ["Q"] * 6 + ["S"] * 4 + ["A"] * 2 + ["O"] * 2


def test_a_lesson_stays_presented_from_by_hand_to_its_next_picture_and_back(lesson: Callable[..., Page]):
    page = lesson("1", step=1)
    page.locator(".byhand .present").click()
    wait_for_link(page, present="1")
    picture, words = page.locator(".byhand.presented"), page.locator(".st-key-lesson-words")
    comes_to(lambda: covers(picture.bounding_box(), words.bounding_box()), False)
    is_read(page)
    page.locator(".st-key-lessons-next button").click()
    wait_for_link(page, step="2", present="1")
    expect(page.locator(".stepper.presented[data-ready]")).to_be_visible()
    page.locator(".st-key-lessons-back button").click()
    wait_for_link(page, step="1", present="1")
    expect(page.locator(".byhand.presented[data-ready]")).to_be_visible()
    page.keyboard.press("p")
    wait_for_link(page, present=None)
    page.locator(".st-key-lessons-next button").click()
    wait_for_link(page, step="2", present=None)
    expect(page.locator(".stepper:not(.presented)[data-ready]")).to_be_visible()


# Another view is mounted while this one is on its way out of the page, as where a lesson goes on on a busy machine.
SECOND = """async () => {
  const of = (file) => performance.getEntriesByType('resource').find(({name}) => name.endsWith(file)).name;
  const {show} = await import(of('/kit/shell.js'));
  const {listenToKeys, PRESENTERS} = await import(of('/kit/keyboard.js'));
  class Second {
    static css = 'second';
    constructor(shell) {
      const leave = () => (shell.present(false), true);
      listenToKeys(shell.root, shell.signal, leave, PRESENTERS);
    }
    take() { return false; }
    build() {}
    draw() {}
  }
  const root = document.body.appendChild(document.createElement('div'));
  window.second = show(Second, root, {header: {strings: {}, lang: 'en', revision: 'second'}}, null);
  window.second.present(true);
}"""


def test_of_two_views_that_are_presented_the_last_alone_is_and_hears_the_keys(page_for):
    page = page_for("byhand", query={"hand": SEEDS, "present": "1"}, size=(1920, 1080))
    expect(page.locator(".byhand.presented")).to_be_visible()
    page.evaluate(SECOND)
    expect(page.locator(".byhand.presented")).to_have_count(0)
    page.keyboard.press("p")
    expect(page.locator(".presented")).to_have_count(0)
    expect(page.locator("body.av-presents")).to_have_count(0)
    page.keyboard.press("p")  # both hear it now, and the first takes it
    expect(page.locator(".byhand.presented")).to_be_visible()
    page.evaluate("window.second.destroy()")
    expect(page.locator("body.av-presents .byhand.presented")).to_be_visible()


# What is printed over something else: texts of the line, and names over each other.
OVERPRINTED = """(root) => {
  const isSaid = (node) => node.checkVisibility() && (node.value ?? node.textContent).trim();
  const boxesOf = (texts) => [...root.querySelectorAll(texts)].filter(isSaid).map((node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = (node.matches('input') ? node : range).getBoundingClientRect();
    const room = (node.closest('.whose, .terms') ?? root).getBoundingClientRect(); // what is beside is cut off
    const [left, right] = [Math.max(box.left, room.left), Math.min(box.right, room.right)];
    const [text, bottom] = [node.value ?? node.textContent, Math.min(box.bottom, room.bottom)];
    return {text, left, right, top: box.top, bottom};
  });
  const over = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 8 && b.top < a.bottom - 8;
  const before = (boxes, b, at) => boxes.slice(0, at).filter((a) => over(a, b)).map((a) => [a.text, b.text]);
  const found = (boxes) => boxes.flatMap((b, at) => before(boxes, b, at));
  const line = '.strip :is(.term > *, .made > * > *, .made small, .whose > *)';
  return ['.names > *', line].flatMap((texts) => found(boxesOf(texts)));
}"""
SIZES = [
    "2x2_1_seed3",
    "2x4_1_seed3",
    "4x2_2_seed3_out",
    "6x2_1_seed3",
    "6x3_1_seed3",
    "6x4_2_seed3_mask_positions_out",
]


@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
@pytest.mark.parametrize("hand", SIZES)
def test_each_step_beside_a_lesson_is_read_from_the_last_row(lesson: Callable[..., Page], hand: str, locale: str):
    page = lesson("1", step=1, locale=locale)
    with_positions = ["X_2_1", *PLACES[:4], "X_2_2", *PLACES[4:]]
    places = with_positions if "positions" in hand else PLACES if "_2_" in hand else PLACES[:4]
    page.goto(f"{page.url}&hand={hand}&pick={places[0].replace('_2', '_2_1', 1)}&present=1")
    picture = page.locator(".byhand.presented[data-ready]")
    expect(picture).to_be_visible()
    for at, place in enumerate(places):
        if at:
            page.keyboard.press("PageDown")
        expect(page).to_have_url(placed(place))
        is_read(page)
        comes_to(lambda: picture.evaluate(OVERPRINTED), [])


@pytest.mark.parametrize("size", [(1366, 768), (390, 844)])
@pytest.mark.parametrize("pick", ["A_2_1_1", "Y_2_1_out"])
@pytest.mark.parametrize("hand", ["2x2_2_seed3_out", "6x4_2_seed3_mask_positions_out"])
def test_nothing_by_hand_is_printed_over_something_else(page_for, hand, pick, size):
    page = page_for("byhand", query={"hand": hand, "pick": pick}, size=size)
    view = page.locator(".byhand[data-ready]")
    comes_to(lambda: view.evaluate(OVERPRINTED), [])
    said = [part for part in view.locator(".saying > *").all() if part.is_visible()]
    cells = view.locator(".numbers").all() if said else []
    assert not any(covers(part.bounding_box(), cell.bounding_box()) for part in said for cell in cells)
    line = view.locator(".strip").bounding_box()
    for part in view.locator(".strip .terms, .strip .made").all():
        box = part.bounding_box()
        assert box["y"] + box["height"] <= line["y"] + line["height"] + 1
