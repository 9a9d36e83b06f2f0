"""Under the picture of heads: a part opens in view, and a head chosen there is shown above, by keyboard and mouse."""

from playwright.sync_api import expect

from tests.browser.dashboard import can_scroll, exact_head, link, wait_for_link

OPEN = ".st-key-heads-open"
CUT = "all => all.map(e => e.scrollHeight > e.clientHeight + 1 && getComputedStyle(e).overflowY !== 'visible')"


def part(page, number: int):
    """Open one of the parts by its button."""
    page.locator("[class*='st-key-heads-section--'] button").nth(number).click()
    expect(page.locator(f"{OPEN} .av-section").first).to_be_in_viewport()


def test_the_parts_open_in_view_and_choose_heads_above(page_for, watch):
    page = page_for("heads")
    assert not can_scroll(page)  # nothing is drawn under the picture before it is asked for

    part(page, 1)
    wait_for_link(page, below="numbers")
    page.locator(".st-key-heads-table .dvn-scroller").click(position={"x": 90, "y": 90})  # the second row
    exact_head(page, 1, 2)
    wait_for_link(page, layer="1", head="2", below="numbers")
    ring = page.locator(".st-key-heads-scatter .scatterlayer text", has_text="1.2")
    expect(ring).to_be_visible()
    point = page.locator(".st-key-heads-scatter .scatterlayer .trace").first.locator(".point").first
    point.click(force=True)
    page.wait_for_function("() => !location.search.includes('layer=1&head=2')")
    chosen = link(page)
    name = f"{chosen['layer']}.{chosen['head']}"
    expect(page.locator(".st-key-heads-scatter .scatterlayer text", has_text=name)).to_be_visible()

    part(page, 3)
    expect(page.locator(".st-key-heads-rollout-panel [data-ready]")).to_be_visible()
    formulas = page.locator(".st-key-heads-formulas math")
    expect(formulas).to_have_count(2)
    assert not any(page.locator(".st-key-heads-formulas .stElementContainer").evaluate_all(CUT))

    part(page, 4)
    page.locator(".st-key-heads-effect-button button").click()
    expect(page.locator(".st-key-heads-effect-panel table tbody tr")).to_have_count(6)
    page.locator(".st-key-heads-back button").click()
    expect(page.locator(".st-key-bar")).to_be_in_viewport()
    assert watch.errors == []


def test_why_there_opens_and_each_head_of_the_sum_is_a_press_away(page_for, watch):
    query = {"model": "induction", "text": "a 1 k e u c v s a", "layer": "2", "head": "1", "token": "10"}
    page = page_for("heads", query=query)
    part(page, 0)
    wait_for_link(page, below="why")
    table = page.locator(".st-key-heads-why-panel table").first
    expect(table.locator("tbody tr").first.locator("th")).to_have_text("Head 1.1")
    expect(table.locator("tr.marked th")).to_have_text("Total")
    widths = "all => all.map(e => e.getBoundingClientRect().width)"
    bars = table.locator(".bar .above, .bar .below").evaluate_all(widths)
    assert len(bars) == table.locator("tbody tr").count() and min(bars) > 0
    page.locator(".st-key-heads-why-heads button").first.press("Enter")
    wait_for_link(page, layer="1", head="1")
    expect(page.locator(".st-key-bar")).to_be_in_viewport()
    assert watch.errors == []
