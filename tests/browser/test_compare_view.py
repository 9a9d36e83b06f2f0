"""The compare view by hand: a pair is picked in the matrix, on the map, by buttons and keys, and all parts follow."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

import attnviz as av
from attnviz import views
from attnviz.analysis.compare import Comparison
from attnviz.trace.model_protocol import Model
from attnviz.trace.tokens import Tokens
from attnviz.views import Pair
from tests.browser.conftest import said, spot
from tests.browser.dashboard import CAT
from tests.unit.views.test_compare import trace_of


@pytest.fixture(scope="module")
def found(minilm: Model) -> Comparison:
    """MiniLM beside as many heads of random scores over the same tokens."""
    trace = minilm.trace(CAT)
    tokens = trace.tokens.source
    return av.compare(trace, trace_of(len(tokens), (12,) * 6, 3, tokens=tokens, name="Random"))


def pair(page: Page, name: str) -> Locator:
    """The view once it shows this pair, from 0."""
    view = page.locator(f'[data-pair="{name}"][data-exact]')
    expect(view).to_be_visible()
    return view


def stop(page: Page, name: str) -> Locator:
    return page.locator(f".{name} .stop")


def door(page: Page, at: int) -> None:
    """Open the first, second, … door: heads, all heads, their map, numbers."""
    button = page.locator(".doors .button").nth(at)
    button.click()
    expect(button).to_have_attribute("aria-expanded", "true")


def difference_seen(page: Page) -> float:
    """What the panel says of the cell, in points."""
    return float(page.locator(".points b").inner_text().replace("−", "-"))


def test_a_pair_and_a_cell_are_picked_in_matrix_maps_and_cloud_by_mouse_and_keys(draw, found):
    page = draw(views.compare(found, selection=Pair(5, 11, 5, 11, 8, 2)))
    pair(page, "5.11-5.11")
    one = found.difference("encoder.5.self", 11)
    expect(page.locator(".cellname")).to_have_text("it looks at cat")
    assert difference_seen(page) == pytest.approx(100 * float(one.signed[8, 2]), abs=0.051)
    row = one.signed[8]
    ends = [(int(row.argmax()), 1), (int(row.argmin()), -1)]
    units = found.units.each
    said_of_row = page.locator(".rowreading").inner_text()
    for key, _ in ends:  # what the row looks at more in A, and what in B, with both shares
        assert units[key].text in said_of_row
        for weight in (float(one.a[8, key]), float(one.b[8, key])):
            assert ("<0.1%" if 0 < weight < 0.0005 else f"{100 * weight:.1f}%") in said_of_row
    door(page, 3)
    numbers = [float(it.replace("−", "-")) for it in page.locator(".pairnumbers b").all_inner_texts()]
    assert numbers == pytest.approx([one.js, one.cosine, one.correlation], abs=6e-4)  # counted here, and by the library
    most = one.most(1).iloc[0]
    first = page.locator(".difference").first
    side = "AB"[int(most.difference < 0)]
    expect(first).to_contain_text(f"{most.query_text} looks at {most.key_text} more in {side}")
    first.click()
    assert difference_seen(page) == pytest.approx(100 * float(most.difference), abs=0.051)
    told = {name: said(page)[-1][name] for name in ("a", "b", "query", "key")}
    assert told == {"a": [5, 11], "b": [5, 11], "query": int(most["query"]), "key": int(most["key"])}

    # hover reads, leaving returns; a click on B's map picks the same cell in all three
    maps = page.locator(".mapstage .stop")
    before = page.locator(".cellname").inner_text()
    box = maps.nth(1).bounding_box()
    maps.nth(1).hover(position={"x": box["width"] * 0.6, "y": box["height"] * 0.6})
    expect(page.locator(".cellname")).not_to_have_text(before)
    page.mouse.move(5, 5)
    expect(page.locator(".cellname")).to_have_text(before)
    maps.nth(2).click(position={"x": box["width"] * 0.6, "y": box["height"] * 0.6})
    expect(page.locator(".cellname")).not_to_have_text(before)

    # keys: the cell in a map, B with Shift, A's layers from anywhere, both in the matrix
    cell = said(page)[-1]
    page.keyboard.press("ArrowRight")
    assert said(page)[-1] == {**cell, "key": int(str(cell["key"])) + 1}
    expect(page.locator(".cell .unseen")).to_contain_text("points")
    page.keyboard.press("Shift+ArrowUp")
    pair(page, "5.11-4.11")
    door(page, 1)
    stop(page, "alike").focus()
    page.keyboard.press("ArrowUp")
    pair(page, "5.10-4.11")
    page.keyboard.press("ArrowLeft")
    pair(page, "5.10-4.10")
    expect(page.locator(".stop:visible")).to_have_count(4)  # one tab stop each
    door(page, 2)
    stop(page, "cloud").focus()
    page.keyboard.press("ArrowUp")
    pair(page, "4.10-4.10")
    # the matrix by mouse, and the buttons of the panel
    door(page, 1)
    stop(page, "alike").hover(position={"x": 1, "y": 1})
    bits = float(found.similarity.js[0, 0])
    expect(page.locator(".pairline")).to_have_text(f"A 1.1 and B 1.1: {bits:.3f} bits apart on this text")
    stop(page, "alike").click(position={"x": 1, "y": 1})
    pair(page, "0.0-0.0")
    nearest = int(found.similarity.js[0].argmin())
    door(page, 3)
    page.locator(".near p").first.locator("button").first.click()
    pair(page, f"0.0-{nearest // 12}.{nearest % 12}")

    # the map of heads picks a head with its nearest
    door(page, 2)
    expect(page.locator(".kindlist")).to_contain_text("Distances are")
    page.get_by_role("button", name="Same place").click()
    expect(page.locator(".kindlist")).to_contain_text("the same layer and head")
    for x in range(5, 100, 5):  # along the middle there is some head
        page.mouse.move(*spot(stop(page, "cloud"), x / 100))
        if "nearest" in page.locator(".pairline").inner_text():
            break
    text = page.locator(".pairline").inner_text()
    match = re.match(r"([AB]) (\d+)\.(\d+): nearest is [AB] (\d+)\.(\d+)", text)
    assert match, text
    page.mouse.down()
    page.mouse.up()
    own, near = (f"{int(match[i]) - 1}.{int(match[i + 1]) - 1}" for i in (2, 4))
    pair(page, f"{own}-{near}" if match[1] == "A" else f"{near}-{own}")


TURNED = """() => { const {header, arrays} = window.payload, pairs = [...header.verdict.pairs].reverse();
  window.payload = {header: {...header, is_heard: false, verdict: {...header.verdict, pairs}}, arrays};
  window.mounted.update(window.payload) }"""


def test_a_pair_that_nobody_chose_is_the_first_again_once_others_are_shown_and_a_chosen_one_stays(draw, found):
    page = draw(views.compare(found))
    door(page, 0)
    tiles = page.locator(".shownpair")
    expect(tiles.first).to_have_attribute("aria-pressed", "true")
    page.evaluate(TURNED)
    expect(tiles.first).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".compare[data-exact]")).to_be_visible()
    named = page.locator(".answer .first")
    expect(named).to_contain_text(re.compile("differs most|look most alike"))
    tiles.nth(1).click()
    expect(named.locator("b")).to_have_text(re.compile("^Shown: head "))  # of the pair that is drawn
    page.evaluate(TURNED)
    expect(tiles.nth(4)).to_have_attribute("aria-pressed", "true")
    named.get_by_role("button").click()
    expect(tiles.first).to_have_attribute("aria-pressed", "true")
    expect(named).to_contain_text(re.compile("differs most|look most alike"))


def test_words_on_a_narrow_screen_and_blocks_of_a_long_text(draw, found):
    tokens = found.trace_a.tokens.source
    plain = Tokens.plain(CAT.removesuffix(".").split())
    own = Tokens(**{**plain.__dict__, "source": tokens.source})
    words = av.compare(found.trace_a, trace_of(len(own), (2,), 5, tokens=own, name="Words"))
    page = draw(views.compare(words, lang="zh-TW", size="projector"), theme="dark", size=(390, 844))
    door(page, 3)
    expect(page.locator(".doorroom > .caption:visible")).to_contain_text("詞")
    expect(page.locator(".leftout")).to_contain_text("%")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    wide = page.locator(".mapstage .stop").first.bounding_box()
    assert wide and wide["x"] >= 0 and wide["x"] + wide["width"] <= 390

    long = av.compare(trace_of(300, (2,), 0), trace_of(300, (2,), 1))
    page = draw(views.compare(long, selection=Pair(0, 0, 0, 1)))
    one = long.difference("encoder.0.self", 0, "encoder.0.self", 1)
    expect(page.locator(".pairnumbers b").first).to_have_text(f"{one.js:.3f}")
    page.locator(".doors .button").last.click()
    page.locator(".difference").first.click()
    assert difference_seen(page) == pytest.approx(100 * float(one.most(1).iloc[0].difference), abs=0.051)
    page.locator("body").press("ArrowRight")
    expect(page.locator(".points")).to_contain_text("Fetching the numbers")  # asked for, of whoever can give them
    assert said(page)[-1]["b"] == [0, 1] and said(page)[-1]["a"] == [0, 1]
    page.locator("body").press("ArrowRight")
    pair(page, "0.0-0.1")
