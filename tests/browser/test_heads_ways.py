"""One head as a heatmap and as the text itself, by pointer and by keys."""

import re

from playwright.sync_api import expect

from attnviz import views
from attnviz.scratch.untrained import untrained
from attnviz.views import Pick
from tests.browser.conftest import press_keys, said, spot
from tests.browser.dashboard import CAT, exact_head


def test_a_heatmap_says_any_number_and_zooms_and_a_text_lights_up_in_both_directions(draw, minilm):
    trace = minilm.trace(CAT)
    weight = trace["encoder.5.self"].weights(11)[8, 2].item()
    page = draw(views.heads(trace, Pick(5, 11, 8)))
    page.keyboard.press("2")
    expect(page.locator("[data-way=heatmap][aria-pressed=true]")).to_have_count(1)
    cells = page.locator(".map .stop")
    it_to_cat = spot(cells, 2.5 / 13, 8.5 / 13)
    page.mouse.move(*it_to_cat)
    reading = page.locator(".reading")
    expect(reading).to_contain_text(f"it looks at cat {weight:.0%} ({weight:.3f})")
    page.mouse.click(*it_to_cat)
    assert {"view": "heatmap", "token": 8, "key": 2}.items() <= said(page)[-1].items()

    page.mouse.move(5, 5)
    expect(reading).to_contain_text("it looks at cat")  # the cell stays
    page.keyboard.press("Escape")
    cells.focus()
    page.keyboard.press("ArrowDown")
    expect(reading).to_contain_text("was looks at cat")
    page.keyboard.press("End")
    expect(reading).to_contain_text("was looks at [SEP]")
    press_keys(page, "+", "+")
    expect(cells).to_have_class(re.compile("zoomed"))
    expect(page.locator(".map .columnname[data-level=strong]")).to_contain_text("[SEP]")
    expect(page.locator(".map .columnname", has_text="[CLS]")).to_have_count(0)  # beyond the edge
    page.keyboard.press("0")
    expect(cells).not_to_have_class(re.compile("zoomed"))

    page.keyboard.press("3")
    words = page.locator(".text .word")
    assert page.locator(".text .flow").inner_text() == f"[CLS] {CAT} [SEP]"
    words.nth(8).hover()
    expect(page.locator(".reading")).to_contain_text("it looks at cat")
    lit = words.evaluate_all("(all) => all.map((word) => word.style.background !== '')")
    weights = trace["encoder.5.self"].weights(11)[8]  # [T_k]
    assert lit == [weight >= 0.003 for weight in weights.tolist()] and not all(lit)
    before = words.nth(9).bounding_box()
    words.nth(2).hover()
    assert words.nth(9).bounding_box() == before  # nothing moves under the pointer
    page.get_by_role("button", name="What looks at it").click()
    words.nth(2).hover()
    expect(page.locator(".reading")).to_contain_text("cat is looked at by")
    page.locator(".text .flow").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".reading")).to_contain_text("sat is looked at by")


def test_a_long_text_is_text_first_no_head_travels_whole_and_one_row_can_be_taken_apart(draw):
    text = " ".join(f"word{i % 90}" for i in range(1199))
    page = draw(views.heads(untrained("decoder", max_tokens=1300).trace(text), Pick(1, 1, 700)))
    expect(page.locator("[data-way=text][aria-pressed=true]")).to_have_count(1)
    assert page.locator(".text .word").count() < 1000  # paragraphs out of sight are plain text
    page.keyboard.press("1")
    expect(page.locator(".nolines")).to_contain_text("1,200 tokens")
    page.keyboard.press("2")
    expect(page.locator(".sheet.map")).to_have_attribute("data-coarse", "3")
    page.mouse.move(*spot(page.locator(".map .stop"), 0.9, 0.3))
    expect(page.locator(".reading")).to_contain_text("cannot look at")
    page.mouse.move(5, 5)
    page.keyboard.press("3")
    page.locator(".lines").evaluate("(node) => node.scrollTo(0, node.scrollHeight)")
    expect(page.locator(".text .word[data-index='1199']")).to_be_visible()
    page.keyboard.press("4")
    name = str(page.locator(".nhead .nlabel.q").text_content())
    for key in ("", "]", "Escape"):
        if key:
            page.keyboard.press(key)
        expect(page.locator(".reading .said b").first).to_have_text(name)  # the only row that is in the file


def test_of_a_long_text_a_zoomed_part_and_a_row_that_is_taken_apart_come_exactly_from_the_server(page_for):
    words = " ".join(f"word{i % 90}" for i in range(599))
    row = untrained("decoder", max_tokens=700).trace(words)["decoder.0.self"].weights(0)[200]  # [T_k]
    fewer = row.argsort(descending=True)[32:].tolist()  # what did not travel with the head
    key = next(key for key in sorted(fewer) if row[key] >= 0.001)
    page = page_for("heads", query={"model": "untrained-decoder", "text": words, "view": "heatmap"})
    expect(page.locator("h2", has_text="Untrained decoder, seed 0")).to_be_visible()
    exact_head(page, 1, 1)
    page.locator(".map .stop").focus()
    press_keys(page, *["PageDown"] * 20, *["ArrowRight"] * key, *["+"] * 9)
    expect(page.locator(".sheet.map")).to_have_attribute("data-coarse", "1")
    expect(page.locator(".reading")).to_contain_text(f"({row[key]:.3f})")

    page.keyboard.press("4")
    page.get_by_role("combobox", name="Query").select_option("560")  # it lists those around the last, on which it opens
    name, about = page.locator(".nhead .nlabel.q"), page.locator(".reading .said b").first
    for _ in range(2):
        expect(name).to_have_text("word197")
        expect(about).to_have_text("word197")  # the sentence is about the row that is taken apart
        page.locator(".nbody").press("Escape")
