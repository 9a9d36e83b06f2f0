"""Closer looks on Step through: mouse, keyboard and link open them, Escape closes them, their numbers are Python's."""

import csv
import json
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

import attnviz as av
from attnviz import views
from attnviz.explanation.closer_looks.scaling import scaling_rows
from attnviz.explanation.model_steps.decoding import generation_steps
from attnviz.text import figure, strings
from attnviz.views.panel import Chart, Curve
from tests.browser.axe import findings
from tests.browser.conftest import press_keys, spot, taken
from tests.browser.dashboard import comes_to, dialog, figures, numbers_of, settle, wait_for_link
from tests.browser.layout import cut_off
from tests.browser.stepper import stepper, to_step
from tests.browser.wire import Wire

SAY = strings("zh-TW")
OWN_WIDTH = 12  # of the heads of the model that the page opens with
LOOKS = {
    "heads": ("two-heads", "torch-check", "gradient"),
    "block": ("positions", "shuffle", "likeness", "norm-order"),
    "decoder": ("decoding", "cache", "lens", "designs"),
}


def panel(page: Page) -> Locator:
    """The dialog's first panel, once it is painted."""
    shown = dialog(page).locator(".panel[data-ready]").first
    expect(shown).to_be_visible()
    return shown


# What the page sends is kept until it is let go, the last first: a press that comes later than one after it.
KEPT = """(() => {
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (data) {
    window.kept ? kept.unshift(() => send.call(this, data)) : send.call(this, data);
  };
})()"""


def closed(page: Page) -> None:
    page.keyboard.press("Escape")
    expect(dialog(page)).to_have_count(0)


def test_a_look_is_opened_by_link_mouse_and_keyboard_and_closed_by_escape_where_the_reader_was(page_for):
    page = page_for("step", query={"matrix": "weights", "token": "2", "key": "3", "look": "why-scale"})
    panel(page)
    expect(dialog(page).get_by_role("heading", name="Why divide by √dₖ")).to_be_visible()
    assert findings(page) == []
    spread = figures(page).first
    usual, (own,) = scaling_rows(seed=0), scaling_rows((OWN_WIDTH,), seed=0)
    by_width = sorted((*usual, own), key=lambda row: row.width)
    assert numbers_of(spread) == [[getattr(row, made).spread for row in by_width] for made in ("raw", "scaled")]
    press_keys(page, *["Tab"] * 2, "Enter")  # the button that closes, the numbers of the first chart
    expect(spread.locator("tbody tr").last.locator("td").first).to_have_text(figure(by_width[-1].raw.spread))
    assert findings(page, in_both_themes=False) == []
    for _ in range(2):
        closed(page)
        wait_for_link(page, look=None)
        page.get_by_role("button", name="Why divide by √dₖ").click()
        expect(figures(page)).to_have_count(3)
        wait_for_link(page, look="why-scale")
    closed(page)
    expect(stepper(page)).to_have_attribute("data-step", "weights")
    wait_for_link(page, matrix="weights", token="2", key="3")

    to_step(page, "context")
    page.get_by_role("button", name="What it costs").focus()
    page.keyboard.press("Enter")
    expect(figures(page)).to_have_count(2)
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_function("() => document.querySelector('[role=dialog]').scrollWidth <= 390")
    comes_to(lambda: cut_off(panel(page)), [])
    page.set_viewport_size({"width": 1440, "height": 900})
    press_keys(page, "ArrowRight", "Space", "0")
    expect(stepper(page)).to_have_attribute("data-step", "context")
    closed(page)
    expect(page.get_by_role("button", name="What it costs")).to_be_focused()


def test_a_button_that_is_held_down_while_a_look_closes_opens_another(page_for):
    wire = Wire()
    page = page_for("step", query={"look": "why-scale"}, before=wire.take)
    panel(page)
    wire.hold()
    closed(page)
    page.get_by_role("button", name="What it costs").hover()
    page.mouse.down()
    wire.release()
    wait_for_link(page, look=None)
    settle(page)
    page.mouse.up()
    expect(dialog(page).get_by_role("heading", name="What it costs")).to_be_visible()


def test_to_close_a_look_closes_none_that_was_opened_since(page_for):
    page = page_for("step", query={"look": "why-scale"}, before=lambda page: page.add_init_script(KEPT))
    panel(page)
    settle(page)
    page.evaluate("() => { window.kept = [] }")
    closed(page)
    page.get_by_role("button", name="What it costs").click()
    page.wait_for_function("() => kept.length === 2")
    page.evaluate("() => { const all = kept; delete window.kept; for (const go of all) go() }")
    expect(dialog(page).get_by_role("heading", name="What it costs")).to_be_visible()
    settle(page)
    expect(dialog(page)).to_have_count(1)
    wait_for_link(page, look="cost")


def test_a_cell_of_the_lens_leads_to_its_token_in_its_layer(page_for):
    query = {"model": "induction", "text": "1 2 3 1 2", "tab": "decoder", "look": "lens"}
    page = page_for("step", query=query)
    lens = panel(page).locator(".map").first
    lens.locator(".stop").focus()
    n_blocks, n_tokens = 3, 6  # rows, from before the first block on; <start> is a token too
    page.mouse.click(*spot(lens.locator(".stop"), 4.5 / n_tokens, 2.5 / n_blocks))
    expect(dialog(page)).to_have_count(0)
    wait_for_link(page, look=None, tab=None, layer="2", token="5")
    expect(stepper(page)).to_be_visible()


def test_a_chart_is_plotlys_in_both_themes_where_its_look_stays_and_is_taken_as_picture_numbers_and_figure(page_for):
    page = page_for("step", query={"matrix": "context", "token": "2", "key": "3", "look": "cost"})
    chart = figures(page).first
    sums = numbers_of(chart)
    height = chart.locator(".stPlotlyChart:visible").bounding_box()["height"]
    plot = chart.locator("[class*='st-key-plotly-']")
    expect(plot).to_have_css("overflow", "clip")  # plotly is higher than its place until it has measured it
    axis = chart.locator(".xtick text").first
    colours = {"light": colour_of(axis)}
    taken = {}
    for kind in ("SVG", "PNG", "CSV", "plotly (JSON)"):
        chart.get_by_role("button", name=strings("en")("view-kit-take")).click()
        with page.expect_download() as download:
            chart.get_by_role("button", name=kind, exact=True).click()
        taken[kind] = Path(download.value.path()).read_bytes()
        chart.locator("summary").click()  # Escape would close the dialog too
        expect(chart.locator(".takemenu")).to_be_hidden()
    assert b"10,000" in taken["SVG"] and b"<path" in taken["SVG"]
    assert taken["PNG"].startswith(b"\x89PNG")
    read = list(csv.reader(taken["CSV"].decode("utf-8-sig").splitlines()))
    assert [float(row[1]) for row in read[1:]] == pytest.approx(sums[0], rel=1e-6)
    own = json.loads(taken["plotly (JSON)"])
    assert [line["y"] for line in own["data"]] == sums and own["layout"]["title"]["text"] == "Multiply-adds"
    chart.locator("summary").focus()
    dialog(page).evaluate("it => (window.opened = it)")
    page.emulate_media(color_scheme="dark")
    expect(axis).not_to_have_css("fill", colours["light"])
    assert dialog(page).evaluate("it => it === window.opened")
    assert dialog(page).evaluate("it => it.contains(document.activeElement)")
    assert numbers_of(chart) == sums
    comes_to(lambda: chart.locator(".stPlotlyChart:visible").bounding_box()["height"], height)
    closed(page)


def test_a_dialog_has_the_focus_also_where_it_could_not_take_it_when_it_came_and_escape_closes_it_wherever_that_is(
    page_for,
):
    early = """const focus = HTMLElement.prototype.focus;
    let early = 2; // calls that come before the dialog can have the focus
    HTMLElement.prototype.focus = function (...how) {
      if (this.role !== 'dialog' || --early < 0) focus.apply(this, how);
    };"""
    page = page_for("step", query={"look": "why-scale"}, before=lambda page: page.add_init_script(early))
    panel(page)
    expect(dialog(page)).to_be_focused()
    page.evaluate("document.activeElement.blur()")
    closed(page)
    wait_for_link(page, look=None)

    page.get_by_role("button", name="Why divide by √dₖ").click()
    button = figures(page).first.locator("summary")
    button.focus()
    button.evaluate("it => it.remove()")  # as what is drawn again does
    expect(dialog(page)).to_be_focused()
    closed(page)


def test_a_chart_in_a_file_of_its_own_is_its_numbers(draw):
    chart = Chart("Cost", [1, 10_000], [Curve("a", [0.5, None]), Curve("<b>", [2e6, -0.25])], "tokens")
    page = draw(views.panel([chart], title="A look"))
    expect(page.locator("thead th")).to_have_text(["tokens", "a", "<b>"])
    expect(page.locator("tbody tr > *")).to_have_text(["1", "0.5", "2.0×10⁶", "10,000", "–", "−0.25"])
    read = list(csv.reader(Path(taken(page, "CSV").path()).read_text(encoding="utf-8-sig").splitlines()))
    assert [row[:3] for row in read] == [["tokens", "a", "<b>"], ["1", "0.5", "2000000"], ["10000", "", "-0.25"]]


def colour_of(text: Locator) -> str:
    return text.evaluate("it => getComputedStyle(it).fill")


def maps_are_walked_together(page: Page) -> None:
    """The cells of two heads and of their difference, by keyboard and by mouse, with one voice."""
    maps = panel(page).locator(".maps").first.locator(".map")
    expect(maps).to_have_count(3)
    maps.first.locator(".stop").focus()
    press_keys(page, "Home", *["ArrowUp"] * 5, "ArrowRight", "ArrowDown")
    record = av.load("reverse").trace("a b c d")["encoder.0.self"]
    weights = [float(record.weights(head)[1, 1]) for head in (0, 1)]
    shown = [float(maps.nth(at).locator(".reading b").inner_text().replace("\u2212", "-")) for at in range(3)]
    assert shown == pytest.approx([*weights, weights[0] - weights[1]], abs=6e-4)
    reading = maps.first.locator(".reading")
    at_b = f"{SAY('look-axis-query')} b · {SAY('look-axis-key')} b"
    expect(maps.first.locator("[aria-live]")).to_contain_text(at_b)
    expect(maps.nth(1).locator("[aria-live]")).to_be_empty()
    page.mouse.move(*spot(maps.first.locator(".stop"), 0.1, 0.1))
    expect(reading).not_to_contain_text(at_b)
    page.mouse.move(5, 5)
    expect(reading).to_contain_text(at_b)


def writing_is_walked(page: Page) -> None:
    """A step that is chosen by keyboard is drawn: what was written, and how much was kept."""
    values, trace = panel(page).locator(".facts .value"), av.load("reverse").trace("a b c d")
    dialog(page).get_by_role("slider").focus()
    for step in generation_steps(trace)[1:4]:
        page.keyboard.press("ArrowRight")
        kept = len(step.reused) + len(step.reused_source)
        expect(values).to_have_text([trace.tokens.target.text[step.chosen], "1", str(kept)])


TRIED = {"two-heads": maps_are_walked_together, "decoding": writing_is_walked}


@pytest.mark.parametrize(("tab", "theme", "size"), [
    ("heads", "dark", (1440, 900)), ("block", "light", (390, 844)), ("decoder", "dark", (390, 844)),
])  # fmt: skip
def test_axe_finds_nothing_in_the_looks_of_a_tab_which_fit_and_are_walked(page_for, tab, theme, size):
    first, *others = LOOKS[tab]
    query = {"lang": "zh-TW", "model": "reverse", "text": "a b c d", "tab": tab, "look": first}
    page = page_for("step", query=query, theme=theme, size=size)
    for look in (first, *others):
        if look != first:
            closed(page)
            page.get_by_role("button", name=SAY(f"look-{look}"), exact=True).click()
        shown = panel(page)
        expect(dialog(page).get_by_role("heading", name=SAY(f"look-{look}"))).to_be_visible()
        assert findings(page, in_both_themes=False) == []
        assert cut_off(shown) == []
        if look in TRIED:
            TRIED[look](page)


def test_a_design_leads_to_a_model_built_so_by_keyboard_on_the_tab_where_the_reader_was(page_for):
    page = page_for("step", query={"model": "reverse", "tab": "decoder", "look": "designs"}, size=(390, 844))
    panel(page)
    go = dialog(page).get_by_role("button", name="English → Chinese, simplified")
    go.focus()
    page.keyboard.press("Enter")
    expect(dialog(page)).to_have_count(0)
    wait_for_link(page, model="translate-en-zh", tab="decoder", look=None)
    expect(stepper(page)).to_have_attribute("data-step", "weights.2")
