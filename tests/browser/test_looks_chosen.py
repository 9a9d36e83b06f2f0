"""Choosing inside a closer look in a browser: the numbers that follow are Python's, and axe is content."""

import pytest
from playwright.sync_api import expect

import attnviz as av
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


def writing_is_walked_by_keyboard(page):
    values, trace = panel(page).locator(".facts .value"), av.load("reverse").trace("a b c d")
    dialog(page).get_by_role("slider").focus()
    for step in generation_steps(trace)[1:4]:
        page.keyboard.press("ArrowRight")
        kept = len(step.reused) + len(step.reused_source)
        expect(values).to_have_text([trace.tokens.target.text[step.chosen], "1", str(kept)])


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
        elif look == "decoding":
            writing_is_walked_by_keyboard(page)
