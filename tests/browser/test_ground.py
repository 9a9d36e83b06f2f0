"""What every page stands on: its policy, its own fonts, nothing fetched from anybody else, and where the focus goes."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import findings
from tests.browser.conftest import press_keys
from tests.browser.dashboard import settle, turn_to
from tests.browser.wire import Wire

PAGES = ("Heads", "Home", "Lessons", "Step through", "Compare", "Training", "About")
BACKGROUND = {"light": "rgb(250, 250, 247)", "dark": "rgb(16, 19, 23)"}
VIOLATIONS = """window.violations = [];
addEventListener('securitypolicyviolation', ({blockedURI}) => violations.push(blockedURI));
"""
# Of the modules that the page came with, those that were asked of the server, and those that the browser had
MODULES = """() => {
  const all = performance.getEntriesByType('resource').filter(({name}) => /bidi-components.*[.]js$/.test(name));
  const [asked, had] = [true, false].map((sent) => all.filter(({transferSize}) => transferSize > 0 === sent));
  return [asked.map(({name}) => name.split('/').at(-1)), had.length];
}"""
ENTRIES = {"copy_link.js", "guide.js", "room_bar.js", "streamlit.js", "theme_button.js"}  # which Streamlit itself loads
FOCUS = """() => {
  const {activeElement} = document;
  const inner = activeElement.shadowRoot?.activeElement ?? activeElement;
  const areas = {stTopNavLink: 'pages', 'stPageLink-NavLink': 'pages', stMainMenuButton: 'tools'};
  const outline = getComputedStyle(inner).outlineStyle;
  const isMain = inner.matches('main, [data-testid=stMain]');
  const keys = {tools: 'tools', theme: 'tools', bar: 'page', ask: 'page'};
  const key = Object.keys(keys).find((name) => activeElement.closest(`.st-key-${name}`));
  const isBrand = inner.querySelector(':scope > [data-testid=stHeaderLogo]');
  const area = isBrand ? 'brand' : areas[inner.dataset.testid] ?? keys[key] ?? '';
  return {area, isSeen: isMain === (outline === 'none'), name: inner.innerText};
}"""


def test_every_page_keeps_the_policy_follows_the_systems_theme_is_set_in_inter_and_axe_agrees(page_for, watch):
    page = page_for("heads", query={"text": ""}, before=lambda page: page.add_init_script(VIOLATIONS))
    headers = page.request.get(page.url).headers
    policy = headers["content-security-policy"]
    assert "script-src 'self'" in policy and "unsafe-eval" not in policy and "http" not in policy
    assert (headers["x-content-type-options"], headers["referrer-policy"]) == ("nosniff", "same-origin")
    for title in PAGES:
        if title != "Heads":
            turn_to(page, title)
        shown = page.locator(".av-prose").nth(3) if title == "About" else page.locator("[data-ready]").last
        expect(shown).to_be_visible()
        if title == "Heads":
            expect(page.locator(".av-line")).to_be_visible()  # there is no text
            page.locator(".st-key-example-menu button").first.click()
            page.keyboard.press("Escape")
            page.locator(".st-key-token-table button").click()
            expect(page.locator(".av-tokens")).to_be_visible()
            assert findings(page) == []
            page.keyboard.press("Escape")
            is_set_in_inter_with_digits_of_one_width(page)
        for theme, colour in BACKGROUND.items():
            page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
            expect(page.get_by_test_id("stApp")).to_have_css("background-color", colour)
        page.wait_for_function("() => document.fonts.status === 'loaded'")
    assert findings(page) == []  # of prose
    loaded = page.evaluate("[...document.fonts].filter((it) => it.status === 'loaded').map((it) => it.family)")
    assert "Inter" in loaded and any(url.endswith("/app/static/fonts/Inter.woff2") for url in watch.requests)
    page.reload()
    expect(page.locator(".av-prose").nth(3)).to_be_visible()
    turn_to(page, "Heads")
    expect(page.locator("[data-ready]").last).to_be_visible()
    asked, n_had = page.evaluate(MODULES)
    assert set(asked) <= ENTRIES and n_had > 50
    page.get_by_test_id("stMainMenuButton").click()
    assert set(page.evaluate("violations")) <= {"wasm-eval"}  # Streamlit's numbers of 64 bits go on without it
    assert len(watch.requests) > 10  # the watch is awake


@pytest.mark.parametrize(("path", "size", "locale", "theme"), [
    ("", (1440, 900), "en-US", "Theme"), ("heads", (390, 844), "zh-CN", "外观"),
])  # fmt: skip
def test_the_focus_goes_from_brand_over_pages_and_tools_into_the_page_and_is_seen(page_for, path, size, locale, theme):
    page = page_for(path, size=size, locale=locale)
    steps = []
    while len(steps) < 25 and (not steps or steps[-1]["area"] != "page"):
        page.keyboard.press("Tab")
        steps.append(page.evaluate(FOCUS))
    areas = [step["area"] for step in steps if step["area"]]
    order = [area for at, area in enumerate(areas) if area not in areas[:at]]
    assert order == ["brand", "pages", "tools", "page"]
    assert areas == sorted(areas, key=order.index) and areas.count("pages") == 8
    assert all(step["isSeen"] for step in steps)
    assert steps[-2]["name"] == theme
    page.keyboard.press("Shift+Tab")
    press_keys(page, "Enter", "ArrowDown", "ArrowDown", "Enter")
    expect(page.get_by_test_id("stApp")).to_have_css("background-color", BACKGROUND["dark"])
    page.keyboard.press("Escape")
    expect(page.locator(".st-key-theme button")).to_be_focused()


def is_set_in_inter_with_digits_of_one_width(page: Page) -> None:
    """The font is ours, and the feature of the digits survived the cut of the font."""
    family = page.locator("[data-ready]").first.evaluate("(root) => getComputedStyle(root).fontFamily")
    assert family.split(", ")[:2] == ['"Chinese punctuation"', "Inter"]  # the first is there on Chinese pages alone
    widths = page.evaluate("""() => ['"tnum" 1', '"tnum" 0'].map((features) => ['1111', '8888'].map((text) => {
      const probe = document.body.appendChild(document.createElement('span'));
      probe.style.cssText = `font: 400 40px Inter; position: absolute; font-feature-settings: ${features}`;
      probe.textContent = text;
      const {width} = probe.getBoundingClientRect();
      probe.remove();
      return width;
    }))""")
    assert widths[0][0] == widths[0][1] and widths[1][0] < widths[1][1]  # and of two without it


def test_a_link_that_is_pressed_before_a_reloaded_page_has_told_what_it_kept_leads_there(page_for):
    wire = Wire()
    page = page_for("about", before=wire.take, wait=False)
    copies = page.get_by_role("button", name="Copy link")
    expect(copies).to_be_visible()
    page.route("**/copy_link.js*", lambda route: None)  # held back
    page.reload()
    expect(page.locator(".av-prose").nth(3)).to_be_visible()
    settle(page)
    wire.hold()
    page.get_by_test_id("stTopNav").get_by_role("link", name="Heads").click()
    page.unroute_all()
    expect(copies).to_be_visible()
    page.evaluate("() => new Promise((then) => setTimeout(then))")  # what it tells it tells at the end of its turn
    wire.wait_until_answered()
    wire.release()
    expect(page.get_by_test_id("stTopNav").locator("[aria-current=page]")).to_have_text("Heads")
    expect(page.locator("[data-ready]").last).to_be_visible()
