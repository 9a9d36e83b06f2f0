"""By hand on the dashboard: cells are typed in as in a spreadsheet, every step follows, and so does paper."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from attnviz.text import strings
from tests.browser.axe import findings
from tests.browser.dashboard import comes_to, link, wait_for_link, wait_until_all_fits
from tests.browser.layout import boxes, cut_off, overlapping

EN = strings("en")
SMALL = {"hand": "2x2_1_seed3", "numbers": "1_0_0_2*1_0_0_1*1_1_0_1*3_0_0_1", "named": "she|eats", "pick": "S_1_1_1"}


@pytest.fixture
def opened(page_for):
    """A factory: `opened(hand=…)` opens the page with that link, two words of two numbers where it says nothing."""

    def open_page(size=(1440, 900), locale="en-US", **query: str) -> Page:
        return page_for("byhand", query=query or SMALL, size=size, locale=locale)

    return open_page


def cell(page: Page, matrix: str, row: int, column: int) -> Locator:
    return page.locator(f'[data-id="{matrix}"][data-row="{row - 1}"][data-column="{column - 1}"]')


def numbers(page: Page, matrix: str) -> list[str]:
    return page.locator(f'[data-id="{matrix}"]').all_text_contents()


def test_the_steps_follow_what_is_typed_and_undo_puts_it_back(opened):
    page = opened()
    assert numbers(page, "S") == ["1", "0", "2", "4"] and numbers(page, "D") == ["0.71", "0.00", "1.42", "2.84"]
    assert numbers(page, "A") == ["0.67", "0.33", "0.19", "0.81"]
    assert numbers(page, "O") == ["2.01", "0.66", "0.57", "1.62"]
    cell(page, "X", 1, 1).click()
    page.keyboard.type("2")
    assert numbers(page, "S")[0] == "4"  # at once
    page.keyboard.press("Tab")
    expect(cell(page, "X", 1, 2)).to_be_focused()
    page.keyboard.type("-1")
    page.keyboard.press("Enter")
    expect(cell(page, "X", 2, 2)).to_be_focused()
    assert numbers(page, "X") == ["2", "−1", "0", "2"]
    wait_for_link(page, numbers="2_-1_0_2*1_0_0_1*1_1_0_1*3_0_0_1")
    page.keyboard.type("7")
    page.keyboard.press("Escape")
    assert numbers(page, "X") == ["2", "−1", "0", "2"]
    page.keyboard.press("ControlOrMeta+z")
    assert numbers(page, "X") == ["2", "0", "0", "2"]
    page.keyboard.press("ControlOrMeta+z")
    page.keyboard.press("ControlOrMeta+y")
    assert numbers(page, "X") == ["2", "0", "0", "2"]
    page.keyboard.press("Delete")
    assert numbers(page, "X") == ["2", "0", "0", "0"]


def test_what_is_no_number_is_refused_beside_the_cell(opened):
    page = opened()
    cell(page, "WQ", 1, 1).click()
    page.keyboard.type("12")
    said = page.get_by_role("alert").filter(has_text=EN("view-byhand-refused-typed"))
    expect(said).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator(".cell input")).to_be_focused()  # it stays until it is a number
    page.keyboard.press("Escape")
    expect(said).to_be_hidden()
    assert numbers(page, "WQ") == ["1", "0", "0", "1"]
    cell(page, "S", 1, 1).click()
    page.keyboard.type("5")
    expect(page.get_by_role("alert").filter(has_text=EN("view-byhand-refused-result"))).to_be_visible()
    assert numbers(page, "S") == ["1", "0", "2", "4"]


PASTE = """(cell, text) => { const data = new DataTransfer(); data.setData('text/plain', text);
    cell.dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true, composed: true})); }"""


def test_a_block_of_a_spreadsheet_is_pasted_whole_or_not_at_all(opened):
    page = opened()
    cell(page, "WV", 1, 1).click()
    cell(page, "WV", 1, 1).evaluate(PASTE, "1\t-2\r\n0.5\t4\r\n")
    assert numbers(page, "WV") == ["1.0", "−2.0", "0.5", "4.0"]
    wait_for_link(page, numbers="1_0_0_2*1_0_0_1*1_1_0_1*1_-2_0.5_4")
    cell(page, "WV", 1, 2).click()
    cell(page, "WV", 1, 2).evaluate(PASTE, "1\t2\n3\t4")
    said = EN("view-byhand-refused-room", size="2 × 2", room="2 × 1")
    expect(page.get_by_role("alert").filter(has_text=said)).to_be_visible()
    assert numbers(page, "WV") == ["1.0", "−2.0", "0.5", "4.0"]


SUCCEEDS = {
    "paste": lambda page: cell(page, "WV", 1, 1).evaluate(PASTE, "1\t2\n3\t4"),
    "delete": lambda page: page.keyboard.press("Delete"),
    "typing": lambda page: page.keyboard.type("3"),
    "undo": lambda page: page.keyboard.press("ControlOrMeta+z"),
    "new numbers": lambda page: page.get_by_role("button", name=EN("view-byhand-new")).click(),
    "a word": lambda page: page.locator("input.word").first.fill("fish"),
    "a played row": lambda page: page.get_by_role("button", name=EN("view-byhand-play")).click(),
    "another cell": lambda page: cell(page, "K", 1, 1).click(),
    "the presenter's view": lambda page: page.keyboard.press("p"),
}


@pytest.mark.parametrize("way", SUCCEEDS)
def test_what_was_refused_is_not_said_of_what_succeeds_after_it(opened, way):
    page = opened()
    cell(page, "WQ", 1, 1).click()
    page.keyboard.press("Delete")  # so that there is something to undo
    cell(page, "WV", 1, 1).click()
    cell(page, "WV", 1, 1).evaluate(PASTE, "1\ttwelve")
    said = page.get_by_role("alert").filter(has_text="twelve")
    expect(said).to_be_visible()
    SUCCEEDS[way](page)
    expect(said).to_be_hidden()


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
def test_words_are_typed_in_their_place_as_numbers_are(opened, size):
    page = opened(size)
    first, second = page.locator("[name=word-0]"), page.locator("[name=word-1]")
    place, row = first.bounding_box(), cell(page, "X", 1, 1).bounding_box()
    assert abs(place["y"] - row["y"]) < 3 and place["x"] < row["x"]  # beside its row
    first.fill("<b>fish</b>")
    expect(page.locator(".word.above").first).to_have_text("<b>fish</b>")  # at once, and as text
    first.press("Enter")
    expect(second).to_be_focused()
    wait_for_link(page, named="<b>fish</b>|eats")
    second.press_sequentially("sw|ms")
    second.press("Escape")
    expect(second).to_have_value("eats")
    second.evaluate(PASTE, "one\ntwo")  # of two words the second is the last
    expect(second).to_have_value("one")
    first.evaluate(PASTE, "a|b\ttwo\tthree")
    expect(first).to_have_value("a|b")
    wait_for_link(page, named="a%7Cb|two")
    page.reload()
    expect(first).to_have_value("a|b")


def test_a_word_that_was_typed_can_be_undone(opened):
    page = opened()
    page.locator("[name=word-0]").fill("fish")
    cell(page, "X", 1, 1).click()
    page.keyboard.press("ControlOrMeta+z")
    expect(page.locator("[name=word-0]")).to_have_value("she")
    page.keyboard.press("ControlOrMeta+y")
    expect(page.locator("[name=word-0]")).to_have_value("fish")


def test_a_link_opens_the_same_sheet_and_a_wrong_one_opens_a_sheet_all_the_same(opened):
    page = opened()
    assert {name: link(page)[name] for name in SMALL} == SMALL
    page = opened(hand="9x9<script>", numbers="x", named="|", pick="Z_0")
    assert numbers(page, "X")[:4] == ["1", "0", "−1", "0"]
    wait_for_link(page, hand="5x4_1_seed3", pick="S_2_5_1")


def test_a_row_is_played_by_steps_where_motion_is_reduced(opened):
    page = opened()
    page.emulate_media(reduced_motion="reduce")
    page.get_by_role("button", name=EN("view-byhand-play")).click()
    first, second = cell(page, "Q", 1, 1), cell(page, "Q", 1, 2)
    expect(first).to_have_text("1")
    expect(second).to_have_text("")
    page.keyboard.press(".")
    expect(second).to_have_text("0")
    page.get_by_role("button", name=EN("view-byhand-step-back")).click()
    expect(second).to_have_text("")
    page.get_by_role("button", name=EN("view-byhand-all")).click()
    assert numbers(page, "O") == ["2.01", "0.66", "0.57", "1.62"]


def test_a_played_row_comes_to_its_end(opened):
    page = opened()
    page.emulate_media(reduced_motion="no-preference")
    page.get_by_role("button", name=EN("view-byhand-play")).click()
    expect(page.get_by_role("button", name=EN("view-byhand-pause"))).to_be_visible()
    expect(cell(page, "O", 1, 1)).to_have_text("")
    expect(page.get_by_role("button", name=EN("view-byhand-play"))).to_be_visible(timeout=60_000)
    assert numbers(page, "O") == ["2.01", "0.66", "0.57", "1.62"]


def test_two_heads_are_projected_by_a_matrix_from_8_to_4(opened):
    page = opened()
    page.get_by_role("combobox", name=EN("view-byhand-example")).select_option("two")
    page.get_by_role("button", name=EN("view-byhand-head", n=2)).click()
    wait_for_link(page, hand="5x4_2_seed3_out", pick="S_1_1_2")
    page.get_by_role("button", name=EN("view-byhand-part-output"), exact=True).click()
    assert [len(numbers(page, matrix)) for matrix in ("C", "WO", "Y")] == [40, 32, 20]
    wait_for_link(page, pick="Y_2_1_out")


def pages_of(pdf: bytes) -> list[tuple[int, int]]:
    """The size of every page in points."""
    boxes = re.findall(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)\s*\]", pdf)
    return [(round(float(width)), round(float(height))) for width, height in boxes]


@pytest.mark.parametrize(("hand", "pages"), [("5x4_1_seed3", 2), ("6x4_2_seed5_mask_positions_out", 6)])
def test_worksheets_and_answers_are_one_a4_page_each(opened, hand, pages):
    page = opened(hand=hand)
    page.get_by_role("button", name=EN("view-byhand-paper"), exact=True).click()
    papers = page.locator("article.a4")
    expect(papers).to_have_count(pages)
    outside = """(paper) => { const {left, right, bottom} = paper.getBoundingClientRect();
        return [...paper.querySelectorAll('.cell, .powers, footer')].map((it) => it.getBoundingClientRect())
            .filter((box) => box.left < left + 20 || box.right > right - 20 || box.bottom > bottom - 20).length }"""
    assert [paper.evaluate(outside) for paper in papers.all()] == [0] * pages
    first = papers.first.locator(".cell").all_text_contents()
    answers = papers.nth(pages // 2).locator(".cell").all_text_contents()
    assert len(first) == len(answers) and "" in first
    assert all(given in ("", answer) for given, answer in zip(first, answers, strict=True))
    page.emulate_media(media="null")
    assert pages_of(page.pdf(prefer_css_page_size=True)) == [(595, 842)] * pages


# Texts of a sheet of paper that are printed over each other, and those that are smaller than 9 points.
OVERPRINTED = """(paper) => {
  const [lines, small] = [[], []];
  const walker = document.createTreeWalker(paper, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const [text, node] = [walker.currentNode.textContent.trim(), walker.currentNode.parentElement];
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    if (text) lines.push(...Array.from(range.getClientRects(), (box) => [text, box]));
    if (text && !node.closest('sub, sup') && parseFloat(getComputedStyle(node).fontSize) < 12) small.push(text);
  }
  const both = (a, b, from, to) => Math.min(a[to], b[to]) - Math.max(a[from], b[from]);
  const isOver = ([, a], [, b]) => both(a, b, 'left', 'right') > 1 && both(a, b, 'top', 'bottom') > 5;
  const over = lines.flatMap((one, at) => lines.slice(at + 1).filter((other) => isOver(one, other)).map(
    (other) => one[0] + other[0]));
  return [over, small];
}"""


@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
@pytest.mark.parametrize(
    "hand",
    ["2x2_1_seed3", "3x2_1_seed3", "2x3_1_seed3", "5x4_2_seed3_out", "6x4_1_seed3", "6x3_2_seed9_mask_positions_out"],
)
def test_nothing_on_a_worksheet_is_overprinted_or_too_small(opened, hand, locale):
    page = opened(hand=hand, locale=locale)
    page.get_by_role("button", name=re.compile("^(Worksheet|练习单)$")).click()
    expect(page.locator("article.a4").first).to_be_visible()
    page.emulate_media(media="print")
    for paper in page.locator("article.a4").all():
        assert paper.evaluate(OVERPRINTED) == [[], []]


@pytest.mark.parametrize(("size", "locale"), [((1366, 768), "zh-CN"), ((1920, 1080), "en-US")])
def test_nothing_is_cut_off_and_axe_finds_nothing(opened, size, locale):
    page = opened(size, locale, hand="6x4_2_seed3_mask_positions_out")
    wait_until_all_fits(page)
    assert findings(page) == []


def test_on_a_phone_it_is_no_wider_than_the_screen(opened):
    page = opened((390, 844))
    page.wait_for_function("() => document.documentElement.scrollWidth === 390")


def test_step_through_leads_there(page_for):
    page = page_for("step", query={"on": "reverse"})
    page.locator(".stepper .tabs").get_by_role("button", name=EN("view-stepper-tab-byhand")).click()
    expect(page.locator(".byhand[data-ready]")).to_be_visible()
    expect(page.get_by_role("link", name=EN("nav-byhand"), exact=True).first).to_have_attribute("aria-current", "page")


@pytest.mark.parametrize("locale", ["en-US", "zh-CN", "zh-TW"])
def test_every_tab_of_step_through_is_whole_beside_the_switches(page_for, locale):
    page = page_for("step", size=(1366, 768), locale=locale)
    tabs = page.locator(".stepper .tabs button")
    for at in range(4):
        tabs.nth(at).click()
        expect(tabs.nth(at)).to_have_attribute("aria-current", re.compile("."))
        expect(page.locator(".stepper[data-ready]:not([data-busy])")).to_be_visible()
        comes_to(cut_off, [], tabs)
        comes_to(overlapping, [], page.locator(".stepper .bar :is(.tabs button, .where-picks, .whatif)"))
        inside = [box["left"] >= 0 and box["right"] <= 1366 and box["height"] > 20 for box in boxes(tabs)]
        assert inside == [True] * 5
