"""The Compare page in a browser: what is picked reaches the link, the table picks too, and axe is content."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.axe import findings
from tests.browser.dashboard import box, settle, wait_for_link
from tests.browser.layout import SHIFTED, SHIFTS, STILL, boxes, cut_off
from tests.browser.wire import listens


def test_a_pick_is_in_the_link_and_told_the_server_when_the_person_comes_to_what_lies_below(page_for):
    sent: list[int] = []
    query = {"a": "reverse", "b": "minilm-l6", "both": "a b c d", "pair": "1.1-1.3"}
    page = page_for("compare", query=query, before=listens(sent))
    expect(page.locator('[data-pair="0.0-0.2"][data-exact]')).to_be_visible()
    below = page.locator(".st-key-compare-below")
    expect(below.get_by_role("button", name="Silence A 1.1 and B 1.3")).to_be_attached()
    expect(page.locator(".st-key-compare-below .av-caution")).to_be_attached()  # the last of the page
    settle(page)
    expect(below).to_have_css("opacity", "1")
    before = len(sent)
    page.locator(".stop").first.focus()  # the matrix of all heads
    page.keyboard.press("ArrowDown")
    wait_for_link(page, pair="1.2-1.3")
    expect(page.locator('[data-pair="0.1-0.2"][data-exact]')).to_be_visible()
    expect(below).to_have_css("opacity", "0.6")
    expect(below.get_by_role("button", name="Silence A 1.2 and B 1.3")).to_be_attached()
    assert len(sent) == before
    below.hover()
    expect(below).to_have_css("opacity", "1")

    page.get_by_role("button", name="B: untrained").click()
    wait_for_link(page, a="reverse", b="step0:reverse")
    expect(page.get_by_role("heading", name="Nearest heads", exact=True)).to_be_visible()
    expect(page.locator("[data-pair][data-exact]")).to_be_visible()
    page.locator("[data-name=same]").click()
    wait_for_link(page, lines="same")
    page.reload()
    expect(page.locator("[data-name=same]")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".cell .unseen")).to_contain_text("points")
    expect(page.locator("[data-pair][data-exact]")).to_be_visible()
    shown = page.locator("[data-pair]").get_attribute("data-pair") or ""
    a, b = (".".join(str(int(place) + 1) for place in head.split(".")) for head in shown.split("-"))
    page.get_by_role("button", name=f"Silence A {a} and B {b}").click()
    expect(page.locator(".panel, .attnviz.panel")).to_have_count(2)
    assert findings(page) == []


def test_one_word_of_two_texts_is_swapped_and_the_heads_that_moved_lead_to_their_maps(page_for):
    page = page_for("compare")
    expect(page.locator(".verdictline")).to_contain_text("heads of B are even")
    expect(page.locator(".compare[data-exact]")).to_be_visible()
    top = boxes(page.locator(".compare .all"))[0]["top"]
    page.get_by_role("button", name="B: same model").click()
    wait_for_link(page, b="minilm-l6")
    expect(page.locator(".verdictline")).to_contain_text("All 72 heads agree")
    expect(page.locator(".shownpair")).to_have_count(0)  # there is nothing to show
    assert boxes(page.locator(".compare .all"))[0]["top"] == pytest.approx(top, abs=1), "what lies below has moved"
    page.set_viewport_size({"width": 1366, "height": 768})
    box(page, "compare-other").locator("textarea").fill("The cat sat on the mat because it was warm.")
    box(page, "compare-other").locator("textarea").press("Enter")
    expect(page.locator(".texts")).to_contain_text("tired warm")
    expect(page.locator(".verdictline")).to_contain_text("6.5 moved most, 31%")
    aligned = "13 of A’s 13 and B’s 13 tokens are aligned, 1 of them swapped"
    expect(page.locator(".left > .caption")).to_have_text(aligned)
    expect(page.locator('[data-pair="5.4-5.4"][data-exact]')).to_be_visible()
    assert page.locator(".compare").evaluate("(it) => it.getBoundingClientRect().bottom <= window.innerHeight")
    assert cut_off(page.locator(".matrix .columnname")) == []
    expect(page.locator(".cell")).to_contain_text("it → tired / warm")
    for map_of, word in zip(page.locator(".mapstage").all(), ("tired", "warm", "tired / warm"), strict=True):
        expect(map_of.locator(".rowname", has_text=word)).to_have_text(word)  # of each side its own
    page.locator(".shownpair").nth(1).click()
    wait_for_link(page, pair="6.10-6.10")
    expect(page.locator('[data-pair="5.9-5.9"][data-exact]')).to_be_visible()
    settle(page)
    page.evaluate(SHIFTS)
    before = page.evaluate(SHIFTED)
    page.get_by_role("button", name="Put in every head").click()
    expect(page.locator(".st-key-causes-csv button")).to_be_visible()
    settle(page)
    assert page.evaluate(SHIFTED) - before < STILL


def test_nothing_that_is_said_of_a_pair_is_cut_in_a_low_window_and_at_a_projector(page_for):
    page = page_for("compare", size=(1280, 720))
    expect(page.locator(".compare .near p")).to_have_count(2)
    tall, room = page.locator(".compare .cell").evaluate("(it) => [it.scrollHeight, it.clientHeight]")
    assert tall <= room + 1
    faded = re.compile("(^| )cut( |$)")
    for pair, fits in ((1, False), (0, True)):
        page.locator(".shownpair").nth(pair).click()
        expect(page.locator(".compare[data-exact] .points b")).to_be_visible()
        cell = expect(page.locator(".compare .cell"))
        (cell.not_to_have_class if fits else cell.to_have_class)(faded)
    for stop in page.locator(".pairmap .stop").all():
        expect(stop).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": 1440, "height": 900})
    box(page, "size-box").locator("label").click()
    wait_for_link(page, size="projector")
    expect(page.locator(".pairmap .kind").first).to_have_text("Previous token")
    assert cut_off(page.locator(".under, .pairmap .kind span")) == []


def test_nothing_moves_as_it_opens_a_row_leads_to_its_head_and_two_texts_without_a_picture_have_a_link(page_for):
    page = page_for("compare", before=lambda page: page.add_init_script(SHIFTS))
    expect(page.locator("[data-pair][data-exact]")).to_be_visible()
    expect(page.locator(".st-key-compare-below .av-caution")).to_be_attached()  # the last of the page
    settle(page)
    assert page.evaluate("window.shifts") < STILL
    second = page.locator(".shownpair b").nth(1).inner_text()
    table = page.locator("[class*=st-key-compare-moved] canvas").first

    def press_second_row() -> None:
        expect(table.locator("[role=gridcell]").first).to_be_attached()  # one that is not drawn yet takes another row
        table.click(position={"x": 200, "y": 90}, force=True)  # anywhere on it

    press_second_row()
    wait_for_link(page, pair=f"{second}-{second}")
    expect(page.locator(".compare .right")).to_be_in_viewport()
    marked = page.locator("[class*=st-key-compare-moved] canvas [aria-selected=true]")
    expect(marked).to_have_count(1)
    settle(page)
    page.locator(".shownpair").nth(2).click()
    page.locator(".st-key-compare-below").get_by_role("heading", name="Heads that moved").hover()
    expect(marked).to_have_count(0)  # another pair is shown: the same cell can be pressed again
    settle(page)
    press_second_row()
    wait_for_link(page, pair=f"{second}-{second}")

    text = "The dog sat on the rug."
    box(page, "compare-other").locator("textarea").fill(text)
    box(page, "compare-other").locator("textarea").press("Enter")
    expect(page.get_by_text("Two models read two different sentences here")).to_be_visible()
    wait_for_link(page, other=text)
    page.go_back()
    wait_for_link(page, other=None)
    expect(page.locator(".compare[data-exact]")).to_be_visible()
    expect(box(page, "compare-other").locator("textarea")).to_have_value("")
    page.go_forward()
    wait_for_link(page, other=text)
    expect(page.locator(".compare")).to_have_count(0)
    page.reload()
    expect(box(page, "compare-other").locator("textarea")).to_have_value(text)
    wait_for_link(page, other=text)
