"""The heads view by hand: what a click, a key, a long word and many tokens do to it."""

import re
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, Page, expect

import attnviz as av
from attnviz import views
from attnviz.views import Pick
from tests.browser.conftest import press_keys, said, spot
from tests.browser.dashboard import CAT, exact_head
from tests.browser.layout import boxes, cut_off

LONG_TOKEN = "The " + "q" * 120 + " slept beside the internationalization of antidisestablishmentarianism."
LONG_WORD = "The " + "x" * 90 + " slept beside the Donaudampfschifffahrtsgesellschaft " + "y" * 60 + "."
MANY = " . ".join(("river", "stone", "grass", "cloud")[i % 4] for i in range(45))
RELEASED = {"token": None, "released": True, "key": None}
USUAL = {"view": "", "also": [], "together": "", "filter": "", "overview": "", "beside": ""}


def key(page: Page, index: int) -> Locator:
    return page.locator(f".key[data-index='{index}']")


def query(page: Page, index: int) -> Locator:
    return page.locator(f".query[data-index='{index}']")


def test_tokens_of_both_sides_are_pinned_and_let_go_by_click_and_by_key(draw, traced):
    page = draw(views.heads(traced(CAT), Pick(5, 11, key=2)))
    expect(page.locator(".reading")).to_contain_text("cat is looked at by")
    page.keyboard.press("Escape")
    expect(page.locator(".sheet")).not_to_have_class(re.compile("isolated"))
    expect(page.locator(".reading")).to_contain_text("On average")
    assert said(page)[-1] == {"layer": 5, "head": 11, **RELEASED, **USUAL}
    assert key(page, 2).evaluate("(node) => getComputedStyle(node).cursor") == "pointer"
    key(page, 2).click()
    page.mouse.move(5, 5)
    expect(page.locator(".reading")).to_contain_text("cat is looked at by")
    expect(key(page, 2)).to_have_attribute("aria-pressed", "true")
    into = traced(CAT)["encoder.5.self"].weights(11)[:, 2].tolist()  # of every row into cat
    assert page.locator(".query .percent").all_inner_texts() == [f"{weight:.0%}" for weight in into]
    assert not any(page.locator(".key .percent").all_inner_texts())
    query(page, 8).hover()
    expect(key(page, 2).locator(".percent")).to_have_text("71%")
    assert not any(page.locator(".query .percent").all_inner_texts())
    page.mouse.move(5, 5)
    assert said(page)[-1] == {"layer": 5, "head": 11, "token": None, "released": False, "key": 2, **USUAL}
    key(page, 2).click()
    assert said(page)[-1] == {"layer": 5, "head": 11, **RELEASED, **USUAL}
    key(page, 2).click()
    page.keyboard.press("Shift+BracketRight")
    assert said(page)[-1]["key"] == 3
    page.keyboard.press("Shift+BracketLeft")
    assert said(page)[-1]["key"] == 2
    page.keyboard.press("BracketRight")
    assert (said(page)[-1]["token"], said(page)[-1]["key"]) == (0, None)
    page.keyboard.press("Escape")
    expect(key(page, 2)).to_have_attribute("aria-pressed", "false")
    query(page, 8).click()
    assert said(page)[-1] == {"layer": 5, "head": 11, "token": 8, "released": False, "key": None, **USUAL}
    page.keyboard.press("?")
    expect(page.locator("dialog")).to_contain_text("right-hand token")


def test_among_many_tokens_the_labels_are_words_that_keep_their_distance_and_a_column_can_be_pinned(draw, traced):
    page = draw(views.heads(traced(MANY), Pick(5, 11, 9), way="lines"), size=(1280, 760))
    expect(query(page, 9).locator("sub")).to_have_text("2")  # [CLS] river . stone . grass . cloud . river
    assert query(page, 9).locator("sub").evaluate("(node) => getComputedStyle(node).color") == "rgb(101, 106, 116)"
    query(page, 9).hover()
    page.mouse.move(*spot(page.locator(".sheet"), 0.05, 0.8))
    tops = sorted(box["top"] for box in boxes(page.locator(".query:not(.thinned)")))
    assert len(tops) > 20 and min(below - above for above, below in pairwise(tops)) >= 16.5
    expect(page.locator(".query[aria-pressed=true]:not(.thinned)")).to_have_count(1)

    shown = page.locator(".key:not([hidden])")
    name = shown.first.locator(".token-text").inner_text()
    shown.first.click()
    page.mouse.move(5, 5)
    expect(page.locator(".reading")).to_contain_text("is looked at by")
    expect(shown).to_have_count(1)
    expect(page.locator(".query:not(.thinned) .percent").first).to_contain_text("%")
    expect(shown.locator(".token-text")).to_have_text(name)
    shown.click()
    assert said(page)[-1] == {"layer": 5, "head": 11, **RELEASED, **USUAL, "view": "lines"}


FIT = """() => [...document.querySelectorAll('.query, .key')].every((node) => {
  const text = node.querySelector('.token-text'), box = node.getBoundingClientRect();
  return [...node.querySelectorAll('.mark, .percent, .token-text')].every((part) => {
    const inner = part.getBoundingClientRect();
    return inner.left >= box.left - 0.5 && inner.right <= box.right + 0.5;
  }) && (text.scrollWidth <= text.clientWidth || getComputedStyle(text).textOverflow === 'ellipsis') })"""


def test_a_word_that_does_not_fit_is_cut_says_its_whole_name_and_moves_no_reading(draw, traced):
    for text in (LONG_WORD, LONG_TOKEN):
        page = draw(views.heads(traced(text), Pick(5, 11, 2)))
        page.wait_for_function(FIT)
        page.set_viewport_size({"width": 390, "height": 844})
        page.wait_for_function("() => document.documentElement.scrollWidth <= 390")
        page.wait_for_function(FIT)

    page.set_viewport_size({"width": 1280, "height": 760})  # LONG_TOKEN: too long for pieces, so it is unknown
    expect(page.locator(".heads[data-layout=side]")).to_be_visible()  # it is laid out for this window
    long = query(page, 2)
    expect(long.locator("sup")).to_have_text("?")
    assert cut_off(long.locator(".token-text"))
    assert "q" * 120 in (long.get_attribute("title") or "")
    assert "q" * 120 in (long.get_attribute("aria-label") or "")
    assert page.locator(".reading b").first.get_attribute("title") == "q" * 120
    read = "(it) => [it.querySelector('.said').getClientRects()[0].top, it.scrollHeight <= it.clientHeight + 1]"
    tops = set()
    for box in boxes(page.locator(".query, .key")):
        page.mouse.move(box["left"] + box["width"] / 2, box["top"] + box["height"] / 2)
        top, is_whole = page.locator(".reading").evaluate(read)
        assert is_whole, page.locator(".reading").inner_text()
        tops.add(top)
    assert len(tops) == 1


def test_a_tapped_head_brings_its_lines_into_view_and_an_arrow_does_not_and_what_supports_its_kind_opens(page_for):
    query = {"model": "induction", "text": "a 1 k e u c v s a", "layer": "2", "head": "1"}
    page = page_for("heads", query=query, size=(390, 844), has_touch=True, reduced_motion="reduce")
    scrolled, title = "document.querySelector('[data-testid=stMain]').scrollTop", page.locator(".detail .title")
    page.keyboard.press("ArrowUp")
    exact_head(page, 1, 1)
    assert page.evaluate(scrolled) == 0
    page.locator(".grid button").nth(3).tap()
    page.wait_for_function("(it) => Math.abs(it.getBoundingClientRect().top - 125) < 125", arg=title.element_handle())
    at = page.evaluate(scrolled)
    page.keyboard.press("ArrowLeft")
    exact_head(page, 2, 1)
    assert 0 < page.evaluate(scrolled) <= at

    expect(page.locator(".support")).to_have_text("What supports it?")
    page.locator(".kindname").tap()
    expect(page.locator(".kindsays")).to_be_visible()
    expect(page.locator(".support")).to_have_text("3 of 3 support it")
    expect(page.locator(".kindsays")).to_contain_text(re.compile("Causal effect: .* brings back 93%"))


def test_cross_attention_has_a_text_of_its_own_on_each_side(draw):
    written = av.load("translate-en-zh").trace("Yesterday he bought three red apples in the supermarket.")
    record, source, target = written["decoder.1.cross"], written.tokens.source.text, written.tokens.target.text
    assert record.n_queries != record.n_keys
    last, writes = record.n_queries - 1, (*target[1:], "<end>")
    page = draw(views.heads(written, Pick(1, 0, 1), part="cross"))
    expect(page.locator(".query")).to_have_count(record.n_queries)
    expect(page.locator(".key")).to_have_count(record.n_keys)
    expect(page.locator(".detail .below")).to_contain_text("left: what was read → what its row writes")
    reading = page.locator(".reading .said")
    for index in (1, last):
        query(page, index).hover()
        expect(reading).to_contain_text(f"{target[index]}→ {writes[index]} looks at")
        expect(reading).to_contain_text(source[int(record.weights(0)[index].argmax())])
    key(page, record.n_keys - 1).click()
    expect(reading).to_contain_text(f"{source[-1]} is looked at by")
    assert said(page)[-1]["key"] == record.n_keys - 1
    page.keyboard.press("Escape")
    press_keys(page, *["]"] * record.n_queries)
    assert said(page)[-1]["token"] == last

    page.keyboard.press("3")  # as text, one under the other
    expect(page.locator(".text .flow")).to_have_count(2)
    page.locator(".flow[data-side=query] .word").nth(1).hover()
    most = int(record.weights(0)[1].argmax())
    expect(reading).to_contain_text(f"looks at {source[most]}")
    assert page.locator(".flow[data-side=key] .word").nth(most).evaluate("(node) => node.style.background")


INK = """(canvas) => {
  const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return data.reduce((sum, value, at) => sum + (at % 4 === 3 ? value : 0), 0);
}"""


# Draws another head, and says whether the picture before is still there, is what was drawn, and is another one
TURNED = """(stop) => {
  const cells = (it) => it?.getContext('2d').getImageData(0, 0, it.width, it.height).data.join();
  const before = cells(stop.querySelector('canvas'));
  document.querySelectorAll('.grid button')[71].click();
  const [old, ...more] = stop.querySelectorAll('.before');
  return [Boolean(old) + more.length, cells(old) === before, cells(stop.querySelector('canvas')) !== before];
}"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_lines_move_and_a_heatmap_fades_from_head_to_head_unless_motion_is_not_wanted(draw, traced, motion):
    page, moves = draw(views.heads(traced(CAT), Pick(5, 11, 8)), reduced_motion=motion), motion == "no-preference"
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    page.locator(".grid button").nth(2).dispatch_event("click")
    seen = set()
    for _ in range(12):
        seen.add(page.locator(".layer.picked").evaluate(INK))
        page.clock.run_for(50)
    assert (len(seen) > 2) == moves, seen
    page.clock.resume()
    page.keyboard.press("2")
    expect(page.locator("[data-way=heatmap][aria-pressed=true]")).to_be_visible()
    stop = page.locator(".detail .stop")
    expect(stop.locator(".before")).to_have_count(0)  # of the redrawing once fonts are there
    assert stop.evaluate(TURNED) == [int(moves), moves, True]
    expect(stop.locator(".before")).to_have_count(0)
