"""Beside the head, in place of all heads: each look opens there, what is chosen there is seen here, without a run."""

import re

import pandas as pd
import pytest
import torch
from playwright.sync_api import Locator, Page, expect

import attnviz as av
from tests.browser.axe import findings
from tests.browser.conftest import new_picture, spot, taken
from tests.browser.dashboard import (
    dialog,
    exact_head,
    figures,
    numbers_of,
    plot,
    settle,
    show,
    wait_for_link,
    wait_until_all_fits,
)
from tests.browser.layout import SHIFTED, SHIFTS, STILL, boxes
from tests.browser.wire import listens

TALL, LOW = (1440, 900), (1366, 768)
READS_WHOLE = """(select) => {
  const widest = select.cloneNode(true);
  widest.style.cssText = 'position: absolute; width: auto';
  select.after(widest);
  const fits = widest.offsetWidth <= select.offsetWidth;
  widest.remove();
  return fits;
}"""
REPEATED = {"model": "induction", "text": "a 1 k e u c v s a", "layer": "2", "head": "1", "token": "10"}


def look(page: Page, name: str) -> None:
    """Open a look by its button."""
    page.locator(f"[data-beside='{name}']").click()
    expect(page.locator(f"[data-beside='{name}']")).to_have_attribute("aria-pressed", "true")


# The numbers of the heads whose row is not whole, or among the last that are seen, which fade
IN_THE_FADE = """(rows) => { const ends = rows[0].closest('.scroll').getBoundingClientRect().bottom;
    const isIn = (row) => row.getBoundingClientRect().bottom + row.offsetHeight > ends + 1;
    return rows.filter(isIn).map((row) => row.dataset.index) }"""


def test_all_heads_in_numbers_lead_to_their_head_and_run_no_script(page_for):
    sent: list[int] = []
    page = page_for("heads", before=listens(sent), size=LOW)
    settle(page)
    expect(page.locator(".kindchip .n").first).to_be_visible()
    assert page.locator("select[name=metric]").evaluate(READS_WHOLE)
    before, large = len(sent), page.locator(".thumb").first.bounding_box()
    look(page, "numbers")
    wait_for_link(page, beside="numbers")
    wait_until_all_fits(page)
    expect(page.locator(".grid")).to_be_hidden()
    expect(page.locator(".metricslook tr[aria-current] .lead")).to_have_text("6.12")  # the last one
    expect(page.locator(".metricslook tr[aria-current]")).to_be_in_viewport()
    top, whole = (boxes(page.locator(f".metricslook {part}"))[0]["height"] for part in ("thead", ".scroll"))
    assert whole - top > 7 * 36, "seven rows are seen at once"
    page.locator(".metricslook tr", has_text=re.compile(r"^1\.3\D")).locator(".number").first.click()
    exact_head(page, 1, 3)
    wait_for_link(page, layer="1", head="3", beside="numbers")
    expect(page.locator(".metricslook tr[aria-current] .lead")).to_have_text("1.3")
    faded = page.locator(".metricslook tbody tr").evaluate_all(IN_THE_FADE)[0]
    page.keyboard.press("ArrowRight")
    page.locator(f".metricslook tr[data-index='{faded}'] .lead").click(force=True)
    exact_head(page, int(faded) // 12 + 1, int(faded) % 12 + 1)
    expect(page.locator(f".metricslook tr[aria-current][data-index='{faded}']")).to_be_visible()
    assert faded not in page.locator(".metricslook tbody tr").evaluate_all(IN_THE_FADE)
    page.locator(".metricslook tr[data-index='31'] .lead").click()
    exact_head(page, 3, 8)
    page.locator("[data-metric=entropy]").click()
    expect(page.locator("th[aria-sort=descending]")).to_have_text("Entropy")
    shown = page.locator(".metricslook tbody tr").evaluate_all("(rows) => rows.map((row) => Number(row.dataset.index))")
    assert sorted(shown) == list(range(72)) != shown
    look(page, "")
    expect(page.locator(".thumb[aria-pressed=true]")).to_have_attribute("data-index", "31")
    assert page.locator(".thumb").first.bounding_box() == large, "the grid came back at another size"
    assert len(sent) == before, "a look beside the head ran the script"


# Of the points of plotly's, the one whose nearest neighbour is furthest away: a press there is meant for it alone
ALONE = """(points) => { const at = points.map((point) => point.getBoundingClientRect());
    const apart = ({x, y}) => Math.min(...at.map((it) => Math.hypot(it.x - x, it.y - y) || Infinity));
    return at.map((it, index) => [apart(it), index]).sort((a, b) => b[0] - a[0])[0][1] }"""


# What a chart says at every frame: its heading, and what stands at the axis of its points where there are any
CHARTS = """(chart) => { window.charts_seen = []; (function look() {
    const plot = [...chart.querySelectorAll('.js-plotly-plot')].find((it) => it.checkVisibility() && it._fullData);
    if (plot) window.charts_seen.push([chart.querySelector('h2, h3').textContent, plot._fullLayout.yaxis.title.text]);
    requestAnimationFrame(look) })() }"""


def points_up(chart: Locator) -> list[float]:
    """How high the heads stand in a chart, without the ring around the one in the picture."""
    return sorted(y for kind in numbers_of(chart)[:-1] for y in kind)


def test_two_numbers_of_all_heads_are_a_chart_and_a_point_that_is_pressed_opens_its_head(page_for):
    page = page_for("heads", query={"beside": "numbers"})
    expect(page.locator(".metricslook tbody tr")).to_have_count(72)
    table = pd.read_csv(taken(page, "CSV", ".metricslook").path(), dtype={"Head": str})
    page.get_by_role("button", name="Charts…").click()
    everywhere, one = figures(page).nth(0), figures(page).nth(1)
    assert points_up(everywhere) == pytest.approx(sorted(table["Evenness, without the first token"]), rel=1e-5)
    assert sum(numbers_of(one)[0]) == 204  # the sentences that were measured
    assert findings(page) == []
    everywhere.evaluate(CHARTS)
    page.get_by_role("combobox", name="Vertical axis").click()
    page.locator("[role=option]").get_by_text("Entropy", exact=True).click()
    expect(everywhere.locator("h3, h2").first).to_contain_text("Entropy against")
    expect(plot(everywhere).locator(".ytitle")).to_have_text("Entropy")  # plotly takes longer than the heading
    assert points_up(everywhere) == pytest.approx(sorted(table["Entropy"]), rel=1e-5)
    seen = page.evaluate("charts_seen")
    assert [said for said in seen if said[0].startswith("Entropy against") and said[1] != "Entropy"] == []
    everywhere.locator("summary").click()
    expect(everywhere.locator("tbody tr")).to_have_count(72)
    points = everywhere.locator(".scatterlayer .point")
    point = points.nth(points.evaluate_all(ALONE))
    page.mouse.click(*spot(point))
    expect(dialog(page)).to_have_count(0)
    expect(page.locator(".metricslook tr[aria-current] .lead")).not_to_have_text("6.12")
    wait_for_link(page, beside="numbers")


def test_why_there_follows_the_row_that_is_pinned_and_its_rows_lead_to_the_heads_that_wrote(page_for):
    page = page_for("heads", query={**REPEATED, "beside": "why"})
    expect(page.locator(".detail .blockslook")).to_be_visible()  # over the sentence, and all heads stay
    expect(page.locator(".grid")).to_be_visible()
    table = page.locator(".blockslook table").first
    expect(table.locator("tbody tr").first.locator("th")).to_have_text("Head 1.1")
    expect(table.locator("tr.marked th")).to_have_text("Total")
    widths = "all => all.map(e => e.getBoundingClientRect().width)"
    bars = table.locator(".bar .above, .bar .below").evaluate_all(widths)
    assert len(bars) == table.locator("tbody tr").count() and min(bars) > 0
    for width, height in ((1280, 800), TALL):
        page.set_viewport_size({"width": width, "height": height})
        for ledger in page.locator(".blockslook table").all()[:2]:
            expect(ledger.locator("tr.marked")).to_be_in_viewport()  # both to their totals, without scrolling
    expect(page.locator(".cellpick select option:checked")).to_have_text(re.compile("^1"))
    page.locator(".query").nth(8).click()
    expect(page.locator(".blockslook h3").nth(1)).to_contain_text("“s”")
    page.locator(".query").nth(9).click()
    chosen = page.locator(".cellpick select option:checked")
    page.locator(".cellpick select").select_option(index=2)
    cell, title = chosen.get_attribute("value"), page.locator(".blockslook h3").nth(1)
    wait_for_link(page, key=str(int(str(cell)) + 1), token="10")
    expect(page.locator(".blockslook .coming")).to_have_count(0)  # the answer for that cell is here
    named = title.inner_text()
    page.reload()
    expect(chosen).to_have_attribute("value", str(cell))  # another column than the one with most weight
    expect(title).to_have_text(named)
    page.locator(".blockslook .lead").first.press("Enter")
    exact_head(page, 1, 1)
    wait_for_link(page, beside="why", token=str(int(str(cell)) + 1))  # where that head wrote
    page.get_by_role("button", name="Why there?").click()
    expect(page.locator(".blockslook")).to_have_count(0)

    page.get_by_role("button", name="Why there?").click()
    ground = page.locator("section.detail").evaluate("(it) => getComputedStyle(it).backgroundColor")
    expect(table.locator("thead th").first).to_have_css("background-color", ground)
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator(".heads[data-layout=stacked]")).to_be_visible()
    reading, ledger = (page.locator(it).bounding_box() for it in (".reading", ".blockslook"))
    assert reading and ledger and reading["y"] < ledger["y"]  # what is explained, then why


def test_why_there_opens_on_the_query_and_the_key_that_it_explains_and_moves_nothing_else(page_for):
    page = page_for("heads")
    button, caption = page.get_by_role("button", name="Why there?"), page.locator(".detail > .below")
    query, cat = page.locator(".query[aria-pressed=true]"), page.locator(".key").filter(has_text="cat")
    expect(cat).to_contain_text("71%")
    page.evaluate(SHIFTS)
    for size in (TALL, LOW, (1280, 720)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        wait_until_all_fits(page)  # the picture follows the window
        expect(caption).to_be_in_viewport(ratio=1)
        opened, at = page.evaluate(SHIFTED), caption.bounding_box()
        button.click()
        expect(page.locator(".blockslook table").first).to_be_visible()
        assert is_clear(query) and is_clear(cat), size
        assert caption.bounding_box() == at, size
        page.locator(".cellpick select").select_option("12")  # [SEP], farther down
        expect(page.locator(".blockslook h3").first).to_contain_text("[SEP]")
        assert is_clear(page.locator(".key").nth(12)), size
        page.locator(".cellpick select").select_option("2")
        page.keyboard.press("Escape")
        expect(page.locator(".blockslook")).to_have_count(0)
        expect(button).to_be_focused()
        expect(query).to_have_count(1)  # and its token stays
        assert caption.bounding_box() == at, size
        assert page.evaluate(SHIFTED) - opened < STILL, size


def is_clear(token: Locator) -> bool:
    """Whether the middle of a token stands in the box of the lines, where that does not fade."""
    (inner,), (box,) = boxes(token), boxes(token.page.locator(".heads .lines"))
    return box["top"] + 12 < (inner["top"] + inner["bottom"]) / 2 < box["bottom"] - 12


def test_a_row_of_another_part_opens_its_head_there(page_for):
    page = page_for("heads", query={"model": "translate-en-zh", "text": "She is a doctor.", "part": "cross",
                                    "layer": "2", "head": "1", "beside": "why"})  # fmt: skip
    lead = page.locator(".blockslook .lead").filter(has_text=re.compile("[(](encoder|decoder)[)]")).first
    _, name, part = str(lead.text_content()).split(" ")
    layer, head, part = *name.split("."), part.strip("()")
    lead.click()
    wait_for_link(page, part=part, layer=layer, head=head, beside="why")
    exact_head(page, int(layer), int(head))


def test_every_head_is_silenced_from_the_page_and_a_cell_of_the_map_opens_its_head(page_for):
    page = page_for("heads", query={"text": "The cat sat."}, size=LOW)
    page.get_by_role("button", name="Silencing", exact=True).click()
    expect(page.locator(".blockslook .table tbody tr")).to_have_count(6)  # of the head that is picked, at once
    page.evaluate(SHIFTS)
    page.get_by_role("button", name="Silence every head").press("Enter")
    expect(page.locator(".blockslook progress, .blockslook .map").first).to_be_visible()
    expect(page.locator(".blockslook .lookbar button:focus")).to_have_text(re.compile("Stop|Silence every head"))
    stop = page.locator(".blockslook .map .stop")
    expect(stop).to_be_visible()
    expect(page.locator(".blockslook .table")).not_to_be_visible()  # it stands in the same place
    assert page.evaluate("window.shifts") < STILL
    expect(stop).to_be_in_viewport(ratio=1)  # the last layer too
    page.mouse.click(*spot(stop, 2.5 / 12, 1.5 / 6))
    exact_head(page, 2, 3)
    page.get_by_role("button", name="Measure the effect").click()
    expect(page.locator(".blockslook .table tr.marked th")).to_have_text("2.3")
    expect(stop).not_to_be_visible()

    page.get_by_role("button", name="Sort all heads by it").click()
    expect(page.locator("select[name=metric]")).to_have_value("silencing")
    expect(page.locator(".thumb").first).to_have_attribute("aria-label", re.compile(r"silencing [+−](?!0\.0)"))
    page.reload()  # the link asks for the same
    expect(page.locator("select[name=metric]")).to_have_value("silencing")
    look(page, "")
    page.locator(".thumb[aria-label^='Layer 3 head 10']").click(modifiers=["Shift"])
    page.get_by_role("button", name="Numbers", exact=True).click()
    expect(page.locator(".metricslook [data-metric=silencing]")).to_have_text("Effect of silencing")
    page.get_by_role("button", name="Silencing", exact=True).click()
    expect(page.locator(".blockslook .lookbar [role=status]")).to_contain_text("Only head 2.3 is changed")
    page.get_by_role("button", name="Cut one edge").click()
    page.locator(".cellpick select").select_option("2")
    wait_for_link(page, beside="effect-edge")
    page.get_by_role("button", name="Measure the effect").click()
    measured = page.locator(".blockslook:not(:has(.coming)) .table")
    expect(measured).to_be_visible()
    cut = measured.text_content()
    page.reload()  # the change, its cell and what was measured are as they were
    expect(page.get_by_role("button", name="Cut one edge")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".cellpick select")).to_have_value("2")
    expect(measured).to_have_text(str(cut))


def test_sentences_that_excite_a_head_are_of_this_project_or_of_a_list_of_ones_own(page_for):
    page = page_for("heads", query={"layer": "1", "head": "3", "beside": "sentences", "overview": "own"})
    expect(page.locator(".looksrow")).to_contain_text("stay in that person’s browser")
    first = page.locator(".excited li").first
    expect(first.locator(".word.own")).to_have_count(1)
    colours = first.locator(".word").evaluate_all("(words) => words.map((word) => word.style.background)")
    assert len(set(colours)) > 1  # 1.3 looks at the token before
    before, shows = page.locator("[data-ready]").first.get_attribute("data-ready"), first.locator("button")
    sentence = str(shows.get_attribute("aria-label")).partition(": ")[2]
    shows.click()
    wait_for_link(page, text=sentence, layer="1", head="3", beside="sentences")
    new_picture(page, before)

    for content in (b"The dog sat.", b"Birds sing.", "The dog sat.".encode("utf-8-sig")):  # each in place of the last
        page.locator(".own input").set_input_files({"name": "list.txt", "mimeType": "text/plain", "buffer": content})
        expect(page.locator(".own textarea")).to_have_value(content.decode("utf-8-sig"))
    for content in (b"\xff\xfe\x00", b"a\0b"):
        page.locator(".own input").set_input_files({"name": "evil.txt", "mimeType": "text/plain", "buffer": content})
        expect(page.locator(".own [role=alert]")).to_contain_text("evil.txt cannot be read as text")
        expect(page.locator(".own textarea")).to_have_value("The dog sat.")
    expect(first).to_be_visible()
    measure = page.get_by_role("button", name="Measure these sentences")
    page.locator(".own textarea").fill("\n".join(f"Dog number {n} sat on the mat." for n in range(500)))
    measure.click()
    assert page.locator(".excited li").count() and page.locator(".headkind").text_content()  # while it is measured
    show(page, "Cats sleep while this is measured.")
    page.locator(".own textarea").fill("The dog sat.")  # in place of a list that is measured
    measure.click()
    expect(page.locator("[data-source=own]")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".excited li")).to_have_count(1)
    expect(page.locator("[data-source=own]")).to_have_text("Your 1")
    page.locator(".own textarea").fill("The dog sat.\n" * 501)  # more than are taken
    measure.click()
    expect(page.locator("[data-source=own]")).to_have_text("Your sentences")
    page.locator(".own textarea").fill("The dog sat.")
    measure.click()
    look(page, "")  # one's own reach the grid
    expect(page.locator(".kindchip .n").first).to_be_visible()


def test_one_press_on_a_cell_sorts_all_heads_by_what_they_move_from_it_and_a_second_one_ends_that(page_for):
    page = page_for("heads", query={**REPEATED, "view": "heatmap", "key": "3"})
    which = page.get_by_role("button", name="Which heads?")
    which.click()
    wait_for_link(page, overview="sort-moved show-moved", token="10", key="3")
    first = page.locator(".grid .line").first.locator(".thumb")
    made = av.wrote(av.load("induction").trace(REPEATED["text"]), 9).sources()
    moved = made[made["token"] == 2].sort_values("value", ascending=False)
    best = moved.iloc[0]
    expect(first.first).to_have_attribute("data-index", str(2 * best["layer"] + best["head"]))
    shown = [int(str(thumb.get_attribute("data-index"))) for thumb in page.locator(".thumb").all()]
    assert shown == [2 * row.layer + row.head for row in moved.itertuples()]
    both = rf"Moved from .* \{best['value']:+.2f}, Weight .* {100 * best['weight']:.0f}%"
    expect(first.first).to_have_attribute("aria-label", re.compile(both))
    expect(page.locator(".looks .caption")).to_contain_text(re.compile(r"By what each moves from “.*”: head|most, \+"))
    page.locator("select[name=metric]").select_option("cell")
    wait_for_link(page, overview="sort-cell show-cell")
    expect(page.locator(".looks .caption")).to_contain_text("By weight alone")
    weights = [record.weights()[:, 9, 2] for record in av.load("induction").trace(REPEATED["text"]).records.values()]
    order = torch.cat(weights).argsort(descending=True, stable=True).tolist()
    expect(first.first).to_have_attribute("data-index", str(order[0]))
    assert [int(str(thumb.get_attribute("data-index"))) for thumb in page.locator(".thumb").all()] == order
    percent = f"{100 * float(torch.cat(weights)[order[0]]):.0f}%"
    expect(first.first).to_have_attribute("aria-label", re.compile(f"→.* {percent}"))
    expect(which).to_have_attribute("aria-pressed", "true")
    look(page, "lens")  # whose own menu takes it away
    expect(page.locator(".overview > .head .take")).to_be_hidden()
    expect(page.locator(".looks .caption")).to_contain_text("A large weight does not prove")
    look(page, "")
    expect(page.locator(".looks .caption")).to_contain_text("By weight alone")
    which.click()
    wait_for_link(page, overview=None, token="10", key="3")
    expect(first.first).to_have_attribute("data-index", "0")
    which.click()
    expect(which).to_have_attribute("aria-pressed", "true")
    page.locator(".thumb").first.press("Escape")  # where nothing is picked nothing is by it
    wait_for_link(page, token="none")
    for button in (which, page.get_by_role("button", name="Sort", exact=True)):
        expect(button).to_have_attribute("aria-pressed", "false")
    expect(first.first).to_have_attribute("data-index", "0")
    page.locator("select[name=metric]").select_option("adds")
    wait_for_link(page, overview="show-adds")
    expect(page.locator(".thumb").first).to_have_attribute("aria-label", re.compile("Added to “"))


def test_a_cell_of_the_lens_leads_to_its_row_in_its_layer(page_for):
    page = page_for("heads", query={**REPEATED, "beside": "lens"}, size=LOW)
    stop = page.locator(".look .map .stop")
    expect(stop).to_be_visible()
    reading = page.locator(".look .map .reading")
    expect(reading).to_contain_text("“1” ")  # what is predicted in the row that is picked
    assert (
        reading.evaluate("(node) => node.getBoundingClientRect().bottom") < stop.bounding_box()["y"]
    )  # never scrolled away
    page.mouse.click(*spot(stop, 4.5 / 10, 1.5 / 3))
    exact_head(page, 1, 1)
    wait_for_link(page, beside="lens", layer="1", head="1", token="5")
    expect(page.locator(".query[aria-pressed=true]")).to_have_count(1)


def test_while_a_look_is_computed_the_answer_of_another_look_does_not_stand_in_its_place(page_for):
    page = page_for("heads", size=LOW)
    settle(page)
    page.locator("[data-beside='why']").click()
    expect(page.locator(".look.why .blockslook .panel").last).to_contain_text(re.compile("[0-9]"))
    page.route("**/heads/look*", lambda route: None)  # never answered
    look(page, "effect")
    expect(page.locator(".look:not(.why) .blockslook")).to_be_visible()
    expect(page.locator(".look:not(.why) .blockslook .panel").last).to_have_text("")
    page.unroute_all(behavior="ignoreErrors")
