"""axe finds nothing on any page in either theme, but for what is Streamlit's own and listed here with the reason."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

# rule -> part of the HTML of the nodes it may point at, and why they are not ours to change.
KNOWN: dict[str, tuple[str, ...]] = {}


def findings(page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [
        f"{rule['id']} ({rule['impact']}): {node['html'][:160]}"
        for rule in found
        for node in rule["nodes"]
        if not any(part in node["html"] for part in KNOWN.get(rule["id"], ()))
    ]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_on_any_page(page_for, theme):
    page = page_for(theme=theme)
    assert findings(page) == []
    page.goto(page.url.replace("/?", "/heads?") + "&text=")
    expect(page.locator(".av-line")).to_be_visible()
    expect(page.locator("[data-ready]").first).to_be_visible()
    page.locator(".st-key-token-table button").click()
    expect(page.locator(".av-tokens")).to_be_visible()
    assert findings(page) == []
    page.goto(page.url.replace("/heads?", "/about?"))
    expect(page.locator(".av-prose").nth(3)).to_be_visible()
    assert findings(page) == []
