"""Choosing inside a closer look in a browser: the numbers that follow are Python's, and axe is content."""

import pytest
from attnviz_app.step.looks.head_blocks import farthest_head
from playwright.sync_api import expect

import attnviz as av
from attnviz.explanation.closer_looks.two_heads import head_difference
from attnviz.explanation.model_steps.decoding import generation_steps
from attnviz.text import strings
from tests.browser.test_axe import findings
from tests.browser.test_looks import dialog, panel

SAY = strings("zh-TW")
LOOKS = {
    "heads": ("two-heads", "torch-check", "gradient"),
    "block": ("positions", "shuffle", "likeness", "norm-order"),
    "decoder": ("decoding", "lens"),
}


def test_the_steps_of_writing_are_walked_by_keyboard(page_for):
    page = page_for("step", query={"on": "reverse", "say": "a b c d", "tab": "decoder", "look": "decoding"})
    values = panel(page).locator(".facts .value")
    steps = generation_steps(av.load("reverse").trace("a b c d"))
    tokens = av.load("reverse").trace("a b c d").tokens.target
    dialog(page).get_by_role("slider").focus()
    for step in steps[1:4]:
        page.keyboard.press("ArrowRight")
        kept = len(step.reused) + len(step.reused_source)
        expect(values).to_have_text([tokens.text[step.chosen], "1", str(kept)])


def test_another_head_is_chosen_and_compared(page_for):
    page = page_for(
        "step", query={"on": "translate-en-zh", "say": "She reads books.", "tab": "heads", "look": "two-heads"}
    )
    panel(page)
    dialog(page).get_by_role("combobox").first.click()
    page.get_by_test_id("stSelectboxVirtualDropdown").get_by_role("option", name="2", exact=True).click()
    expect(panel(page).locator(".map .name").first).to_contain_text("Head 2")
    record = av.load("translate-en-zh").trace("She reads books.")["encoder.0.self"]
    found = head_difference(record, 1, farthest_head(record, 0))
    expect(panel(page).locator(".facts .value").first).to_have_text(f"{found.mean_moved:.0%}")


@pytest.mark.parametrize(
    ("tab", "theme", "size"),
    [("heads", "dark", (1440, 900)), ("block", "light", (390, 844)), ("decoder", "dark", (390, 844))],
)
def test_axe_finds_nothing_in_the_looks_of_a_tab_and_they_fit(page_for, tab, theme, size):
    first, *others = LOOKS[tab]
    query = {"lang": "zh-TW", "on": "reverse", "say": "a b c d", "tab": tab, "look": first}
    page = page_for("step", query=query, theme=theme, size=size)
    for look in (first, *others):
        if look != first:
            page.keyboard.press("Escape")
            expect(dialog(page)).to_have_count(0)
            page.get_by_role("button", name=SAY(f"look-{look}"), exact=True).click()
        shown = panel(page)
        expect(dialog(page).get_by_role("heading", name=SAY(f"look-{look}"))).to_be_visible()
        assert findings(page, in_both_themes=False) == []
        assert shown.evaluate("(e) => e.scrollWidth <= e.clientWidth")
        if look == "shuffle":
            read = shown.locator(".table").first.locator("tbody tr").nth(1)
            before = read.inner_text()
            dialog(page).get_by_role("button", name=SAY("look-shuffle-again")).click()
            expect(read).not_to_have_text(before)
