"""The Compare page in a browser: what is picked reaches the link, the table picks too, and axe is content."""

import pytest
from playwright.sync_api import expect

from tests.browser.axe import findings
from tests.browser.dashboard import box, comes_to, settle, wait_for_link
from tests.browser.layout import SHIFTED, SHIFTS, STILL, boxes, cut_off
from tests.browser.wire import listens


def door(page, name: str) -> None:
    """Open what lies behind a door, whatever is open."""
    button = page.locator(".doors").get_by_role("button", name=name, exact=True)
    if button.get_attribute("aria-expanded") != "true":
        button.click()
    expect(button).to_have_attribute("aria-expanded", "true")


def test_a_pick_is_in_the_link_and_told_the_server_when_the_person_comes_to_what_lies_below(page_for):
    sent: list[int] = []
    query = {
        "model": "reverse",
        "model2": "minilm-l6",
        "text": "a b c d",
        "layer": "1",
        "head": "1",
        "layer2": "1",
        "head2": "3",
    }
    page = page_for("compare", query=query, before=listens(sent))
    expect(page.locator('[data-pair="0.0-0.2"][data-exact]')).to_be_visible()
    below = page.locator(".st-key-compare-below")
    expect(below.get_by_role("button", name="Silence A 1.1 and B 1.3")).to_be_attached()
    expect(page.locator(".st-key-compare-below .av-caution")).to_be_attached()  # the last of the page
    settle(page)
    expect(below).to_have_css("opacity", "1")
    door(page, "All heads, A by B")
    wait_for_link(page, door="alike")
    settle(page)
    before = len(sent)
    page.locator(".alike .stop").focus()
    page.keyboard.press("ArrowDown")
    wait_for_link(page, layer="1", head="2", layer2="1", head2="3")
    expect(page.locator('[data-pair="0.1-0.2"][data-exact]')).to_be_visible()
    expect(below).to_have_css("opacity", "0.6")
    expect(below.get_by_role("button", name="Silence A 1.2 and B 1.3")).to_be_attached()
    assert len(sent) == before
    below.hover()
    expect(below).to_have_css("opacity", "1")

    page.get_by_role("button", name="B: untrained").click()
    wait_for_link(page, model="reverse", model2="step0:reverse")
    expect(page.get_by_role("heading", name="Nearest heads", exact=True)).to_be_visible()
    expect(page.locator("[data-pair][data-exact]")).to_be_visible()
    door(page, "Map of all heads")
    page.locator("[data-name=same]").click()
    wait_for_link(page, lines="same", door="map")
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
    expect(page.locator(".question")).to_have_text("What did training give these heads?")
    expect(page.locator(".first")).to_contain_text("Untrained, all 72 heads spread their weight almost evenly")
    expect(page.locator(".left")).to_be_hidden()  # one pair of pictures, the rest behind doors
    expect(page.locator(".compare[data-exact]")).to_be_visible()
    door(page, "Heads that differ most")
    expect(page.locator(".verdictline")).to_contain_text("heads of B are even")
    top = boxes(page.locator(".compare .right"))[0]["top"]
    page.get_by_role("button", name="B: same model").click()
    wait_for_link(page, model2="minilm-l6")
    expect(page.locator(".question")).to_have_text("Do both sides compute the same weights?")
    expect(page.locator(".first")).to_have_text("All 72 heads agree.")
    expect(page.locator(".shownpair")).to_have_count(0)  # there is nothing to show
    comes_to(lambda: boxes(page.locator(".compare .right"))[0]["top"], pytest.approx(top, abs=1))  # nothing has moved
    page.set_viewport_size({"width": 1366, "height": 768})
    box(page, "compare-other").locator("textarea").fill("The cat sat on the mat because it was warm.")
    box(page, "compare-other").locator("textarea").press("Enter")
    expect(page.locator(".texts")).to_contain_text("tired warm")
    expect(page.locator(".question")).to_have_text("Where do the two sentences part?")
    expect(page.locator(".first")).to_have_text("Of 72 heads, head 6.5 differs most.")
    expect(page.locator(".verdictline")).to_contain_text("6.5 moved most, 25%")
    door(page, "This pair in numbers")
    aligned = "13 of A’s 13 and B’s 13 tokens are aligned, 1 of them swapped"
    expect(page.locator(".doorroom > .caption:visible")).to_have_text(aligned)
    page.locator(".doors").get_by_role("button", name="This pair in numbers").click()
    expect(page.locator('[data-pair="5.4-5.4"][data-exact]')).to_be_visible()
    is_in_sight = "(it) => it.getBoundingClientRect().bottom <= window.innerHeight"
    comes_to(lambda: page.locator(".compare").evaluate(is_in_sight), True)
    assert cut_off(page.locator(".matrix .columnname")) == []
    expect(page.locator(".cell")).to_contain_text("it looks at tired / warm")
    for map_of, word in zip(page.locator(".mapstage").all(), ("tired", "warm", "tired / warm"), strict=True):
        expect(map_of.locator(".rowname", has_text=word)).to_have_text(word)  # of each side its own
    door(page, "Heads that differ most")
    page.locator(".shownpair").nth(1).click()
    wait_for_link(page, layer="6", head="10", layer2="6", head2="10")
    expect(page.locator('[data-pair="5.9-5.9"][data-exact]')).to_be_visible()
    settle(page)
    page.evaluate(SHIFTS)
    before = page.evaluate(SHIFTED)
    page.get_by_role("button", name="Put in every head").click()
    expect(page.locator(".st-key-causes-csv button")).to_be_visible()
    settle(page)
    assert page.evaluate(SHIFTED) - before < STILL


def test_in_a_low_window_and_at_a_projector_all_three_maps_are_in_sight_with_any_door_open(page_for):
    page = page_for("compare", size=(1280, 720))
    expect(page.locator(".compare[data-exact] .points b")).to_be_visible()
    for name in (None, "Heads that differ most", "Map of all heads", "This pair in numbers"):
        if name:
            door(page, name)
            expect(page.locator(".lookfor:visible")).to_have_count(1)  # it says what to look for
        for stop in page.locator(".pairmap .stop").all():
            expect(stop).to_be_in_viewport(ratio=1)
    expect(page.locator(".compare .near p")).to_have_count(2)
    page.set_viewport_size({"width": 1440, "height": 900})
    box(page, "size-box").locator("label").click()
    wait_for_link(page, size="projector")
    expect(page.locator(".compare")).to_have_css("--k", "1.25px")
    expect(page.locator(".pairmap .kind").first).to_have_text("Previous token")
    door(page, "Map of all heads")
    assert cut_off(page.locator(".under:visible, .pairmap .kind span")) == []


def test_nothing_moves_as_it_opens_a_row_leads_to_its_head_and_two_texts_without_a_picture_have_a_link(page_for):
    page = page_for("compare", before=lambda page: page.add_init_script(SHIFTS))
    expect(page.locator("[data-pair][data-exact]")).to_be_visible()
    expect(page.locator(".st-key-compare-below .av-caution")).to_be_attached()  # the last of the page
    settle(page)
    assert page.evaluate("window.shifts") < STILL
    door(page, "Heads that differ most")
    second = page.locator(".shownpair b").nth(1).inner_text()
    page.get_by_text("Show the table: 72 rows").first.click()
    table = page.locator("[class*=st-key-compare-moved--] canvas").first

    def press_second_row() -> None:
        expect(table.locator("[role=gridcell]").first).to_be_attached()  # one that is not drawn yet takes another row
        table.click(position={"x": 200, "y": 90}, force=True)  # anywhere on it

    press_second_row()
    wait_for_link(page, layer=second.split(".")[0], head=second.split(".")[1])
    expect(page.locator(".compare .right")).to_be_in_viewport()
    marked = page.locator("[class*=st-key-compare-moved--] canvas [aria-selected=true]")
    expect(marked).to_have_count(1)
    settle(page)
    page.locator(".shownpair").nth(2).click()
    page.mouse.move(5, 5)
    page.locator(".st-key-compare-below").get_by_role("heading", name="Heads that moved").hover()
    expect(marked).to_have_count(0)  # another pair is shown: the same cell can be pressed again
    settle(page)
    press_second_row()
    wait_for_link(page, layer=second.split(".")[0], head=second.split(".")[1])

    text = "The dog sat on the rug."
    box(page, "compare-other").locator("textarea").fill(text)
    box(page, "compare-other").locator("textarea").press("Enter")
    expect(page.get_by_text("Two models read two different sentences here")).to_be_visible()
    wait_for_link(page, text2=text)
    page.go_back()
    wait_for_link(page, text2=None)
    expect(page.locator(".compare[data-exact]")).to_be_visible()
    expect(box(page, "compare-other").locator("textarea")).to_have_value("")
    page.go_forward()
    wait_for_link(page, text2=text)
    expect(page.locator(".compare")).to_have_count(0)
    page.reload()
    expect(box(page, "compare-other").locator("textarea")).to_have_value(text)
    wait_for_link(page, text2=text)


def test_a_cell_that_was_picked_on_heads_is_the_cell_here(page_for):
    text = "The cat sat on the mat because it was tired."
    picked = {"layer": "6", "head": "12", "token": "9", "key": "3"}
    page = page_for("heads", query={"model": "minilm-l6", "text": text, "view": "heatmap", **picked})
    wait_for_link(page, **picked)
    page.get_by_role("link", name="Compare", exact=True).click()
    wait_for_link(page, **picked)
    expect(page.locator("[data-pair='5.11-5.11']")).to_be_visible()
