"""Heads: a typed sentence that is written on, a head by mouse and by keyboard, and what travels for it."""

from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

import attnviz as av
from attnviz.trace.sampling import Sampling
from tests.browser.conftest import address, press_keys, spot
from tests.browser.dashboard import (
    DOG,
    box,
    comes_to,
    exact_head,
    settle,
    show,
    submit,
    text_box,
    to_projector,
    wait_for_link,
    wait_until_all_fits,
)
from tests.browser.layout import SHIFTED, SHIFTS, STILL, boxes, cut_off
from tests.browser.live import wait_until
from tests.browser.wire import listens

LEAVES = """selector => { window.hasLeft = false; (function look() {
    window.hasLeft ||= !document.querySelector(selector)?.checkVisibility();
    requestAnimationFrame(look) })() }"""  # in any frame


def test_a_sentence_then_a_head_by_mouse(page_for):
    sent: list[int] = []
    page = page_for("heads", before=listens(sent))
    settle(page)
    hint = page.locator(".av-enter")
    expect(hint).not_to_be_visible()
    text_box(page).fill(DOG)
    expect(hint).to_contain_text("Press Enter")  # the picture is of another sentence still
    expect(hint).to_be_visible()
    foot = spot(page.locator(".av-foot"), 0, 0)
    page.locator(".st-key-text-box-show button").click()
    wait_for_link(page, text=DOG)
    expect(hint).not_to_be_visible()
    expect(page.locator(".query").nth(2)).to_contain_text("dog")
    settle(page)
    page.evaluate(SHIFTS)
    before = shifted(page)
    submit(page, "")  # refused in a line over the foot
    expect(page.locator(".st-key-problem")).to_be_in_viewport(ratio=1)
    submit(page, DOG)
    expect(page.locator(".st-key-problem")).to_have_count(0)
    assert shifted(page) == before
    wait_until(lambda: spot(page.locator(".av-foot"), 0, 0) == pytest.approx(foot, abs=1), 45)
    settle(page)
    asked = len(sent)
    page.locator(".grid button").nth(2 * 12 + 4).click()
    exact_head(page, 3, 5)
    wait_for_link(page, layer="3", head="5")
    assert len(sent) == asked, "a change of head ran the page again"


def test_what_stands_in_the_bar_stays_there_while_a_text_is_read(page_for):
    page = page_for("heads")
    settle(page)
    page.evaluate(LEAVES, ".st-key-token-table button")
    show(page, f"{DOG} " * 20)  # read for longer than the server's messages wait for each other
    assert not page.evaluate("window.hasLeft")


def test_lines_are_kept_in_the_box_the_link_and_the_run_on_every_page(page_for, server):
    lines = "The cat sat.\nIt was tired."
    page = page_for("heads")
    text_box(page).fill("The cat sat.")
    text_box(page).press("Shift+Enter")
    page.keyboard.type("It was tired.")
    page.keyboard.press("Enter")
    wait_for_link(page, text=lines)
    expect(page.locator(".query").nth(5)).to_contain_text("It")
    expect(text_box(page)).to_have_value(lines)
    page.reload()
    expect(text_box(page)).to_have_value(lines)
    wait_for_link(page, text=lines)
    for where, box_name in (("", "text-box"), ("step", "step-text"), ("compare", "compare-text")):
        page.goto(f"{server.url}/{where}?{urlencode({'text': lines, 'model': 'minilm-l6', 'lang': 'en'})}")
        own = box(page, box_name).locator("textarea")
        expect(own).to_have_value(lines)
        expect(page.locator("[data-ready]").first).to_be_visible()
        settle(page)
        own.press("End")
        own.press("Shift+Enter")
        page.keyboard.type("Yes.")
        own.press("Enter")
        wait_for_link(page, text=own.input_value())
        assert own.input_value().count("\n") == 2


def test_the_keyboard_alone_reaches_everything(page_for):
    page = page_for("heads")
    page.locator("[class*='st-key-text-box--'] textarea").focus()
    page.keyboard.press("Control+A")
    page.keyboard.type(DOG)
    page.keyboard.press("Enter")
    wait_for_link(page, text=DOG)
    expect(page.locator(".query").nth(2)).to_contain_text("dog")
    settle(page)  # a box that takes the place of another would take the focus along
    for _ in range(40):  # Show, Examples, Tokens, the view's own buttons: one a kind, once the sentences are measured
        page.keyboard.press("Tab")
        if page.evaluate("!!document.activeElement.shadowRoot?.activeElement?.closest('.grid')"):
            break
    expect(page.locator(".grid [tabindex='0']")).to_be_focused()
    press_keys(page, "ArrowUp", "ArrowLeft")
    exact_head(page, 5, 11)
    wait_for_link(page, layer="5", head="11")
    page.keyboard.press("]")
    page.wait_for_function("() => Number(new URLSearchParams(location.search).get('token')) > 0")
    page.keyboard.press("Escape")
    wait_for_link(page, token="none")
    page.get_by_role("button", name="To the picture").press("Enter")
    expect(page.locator(".grid [tabindex='0']")).to_be_focused()


def test_a_model_writes_on_and_its_tokens_are_walked_through(page_for):
    page = page_for("heads", query={"model": "induction", "text": "q w e r t q w e"})
    expect(page.locator(".writtenwalk")).to_be_hidden()
    page.get_by_role("button", name="Continue the text").click()
    page.get_by_role("menuitem", name="4 tokens").click()
    wait_for_link(page, text="q w e r t q w e r t q w", token="12")
    expect(text_box(page)).to_have_value("q w e r t q w e r t q w")
    walk = page.locator(".writtenwalk")
    expect(walk).to_contain_text("4 of 4")
    expect(walk).to_contain_text("was written by the row of q3, the token before it")
    expect(walk).to_contain_text("probability 100%")
    expect(page.get_by_role("button", name="w₃ (written by the model)").first).to_be_visible()
    expect(page.get_by_role("button", name="w₂ (written by the model)")).to_have_count(0)
    page.locator(".query[aria-pressed=true]").focus()
    page.keyboard.press(",")
    expect(walk).to_contain_text("3 of 4")
    expect(page.locator(".query[aria-pressed=true]")).to_contain_text("t2")
    page.get_by_role("button", name="Next written token").click()
    wait_for_link(page, token="12")
    expect(page.get_by_role("button", name="Next written token")).to_be_disabled()
    page.keyboard.press(".")  # beyond the last one: it stays
    expect(walk).to_contain_text("4 of 4")
    page.get_by_role("button", name="Continue the text").click()
    page.get_by_role("menuitem", name="1 token").click()
    wait_for_link(page, model="induction", text="q w e r t q w e r t q w e", token="13")
    expect(walk).to_contain_text("5 of 5")  # all that the model wrote stays marked


# Where it says in a played text that it is, one after the other: each for a moment
PLAYED = """(walk) => { window.played = [];
    const said = () => walk.innerText.match(/[0-9]+ of [0-9]+/)[0];
    let last = said();
    new MutationObserver(() => said() !== last && window.played.push(last = said()))
        .observe(walk, {childList: true, subtree: true, characterData: true}) }"""


def test_written_tokens_are_played_and_scrubbed_and_another_one_is_gone_on_with_as_a_branch(page_for):
    page = page_for("heads", query={"model": "induction", "text": "q w e r t q w e"})
    page.locator(".st-key-write-way button").click()
    page.get_by_role("radio", name="By chance").click()
    seed = page.locator(".st-key-write-numbers").get_by_label("Seed")
    seed.fill("7")
    seed.press("Enter")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Continue the text").click()
    page.get_by_role("menuitem", name="4 tokens").click()
    wait_for_link(page, written="10-13,t0.8,k40,p0.95,s7", token="12")
    hot = Sampling(temperature=0.8, top_k=40, top_p=0.95, seed=7)
    drawn = av.load("induction").write_on("q w e r t q w e", 4, sampling=hot).text
    expect(text_box(page)).to_have_value(drawn)
    expect(page.locator(".av-continued bdi")).to_have_text(drawn.removeprefix("q w e r t q w e "))
    walk = page.locator(".writtenwalk")
    expect(walk).to_contain_text("T 0.8 · top-k 40 · top-p 0.95 · seed 7")
    expect(page.locator(".rows.haswritten")).to_have_count(1)
    walk.evaluate(PLAYED)
    page.get_by_role("button", name="Play", exact=True).click()  # from the first to the last, where it ends by itself
    page.wait_for_function("() => window.played.length > 0")
    expect(walk).to_contain_text("4 of 4")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    assert page.evaluate("window.played") == [f"{at} of 4" for at in (1, 2, 3, 4)]
    slider = walk.get_by_role("slider")
    slider.focus()
    press_keys(page, "ArrowLeft", "ArrowLeft")
    expect(walk).to_contain_text("2 of 4")
    wait_for_link(page, token="10")
    other = page.locator(".predicted .goon").first
    name = other.get_attribute("aria-label")
    other.click()
    wait_for_link(page, written="10-10,t0.8,k40,p0.95,s7~11-14,c,t0.8,k40,p0.95,s7", token="10")
    expect(walk).to_contain_text("was chosen by hand after")
    comes_to(lambda: f"Go on with “{text_box(page).input_value().split()[9]}”", name)
    page.go_back()
    wait_for_link(page, written="10-13,t0.8,k40,p0.95,s7", text=drawn)
    expect(walk).to_contain_text("of 4")


def test_on_a_telephone_every_page_is_a_press_away_scrolls_down_and_never_sideways(page_for):
    page = page_for(size=(390, 844))
    expect(page.locator(".home .told-of")).to_be_in_viewport()
    expect(page.locator(".home .word").first).to_be_in_viewport()
    pages = page.locator(".st-key-phone-pages")
    expect(pages.get_by_role("link", name="Compare")).to_be_in_viewport()
    foot = page.locator(".av-foot")
    ends = {"Home": foot, "Heads": foot, "Compare": page.locator(".av-section").first, "Training": foot,
            "About": page.locator(".av-prose").nth(3)}  # fmt: skip
    for title, end in ends.items():
        page.set_viewport_size({"width": 390, "height": 844})
        if title != "Home":
            pages.get_by_role("link", name=title).click()
            expect(page).to_have_title(f"{title} · AttnViz")
            expect(page.locator(".st-key-phone-here")).to_be_in_viewport(ratio=0.9)
        if title == "Heads":
            exact_head(page, 6, 12)
        expect(end).to_be_visible()
        for width in (390, 320):
            page.set_viewport_size({"width": width, "height": 844})
            page.wait_for_function("() => document.querySelector('[data-testid=stMain]').scrollWidth <= innerWidth")


HEIGHTS = """window.heights = []; const look = () => {
  const tall = document.querySelector('.st-key-heads-view')?.offsetHeight ?? 0;
  if (tall > 100) window.heights.push(tall);
  requestAnimationFrame(look);
}; look();"""


def shifted(page: Page) -> float:
    """How far things moved since the page was opened, once all of its picture has come."""
    settle(page)
    last = ".kinds [data-kind], .compare[data-exact] .answer, .home .way, .training[data-moment], .stepper[data-ready]"
    expect(page.locator(last).first).to_be_visible()
    return float(page.evaluate(SHIFTED))


def test_nothing_moves_while_the_page_opens_kinds_filters_and_heads_are_used_and_another_model_comes(page_for):
    page = page_for("heads", size=(1280, 720), before=lambda page: page.add_init_script(SHIFTS + HEIGHTS))
    opened = shifted(page)
    assert opened < STILL
    heights = page.evaluate("window.heights")  # the picture comes into a field as tall as itself
    assert max(heights) - min(heights) <= 32, sorted(set(heights))  # a line over it may come or go
    for kind in ("same-word", "mixed"):  # each leads to a head of it
        page.locator(f"[data-kind={kind}]").click()
        expect(page.locator(".thumb[aria-pressed=true]:not(.faded)")).to_have_count(1)
        page.locator(f"[data-kind={kind}]").click()
    for name in ("sinks", "special"):
        page.locator(f"[name={name}]").check()
    for at in (3, 20, 40):
        page.locator(".thumb").nth(at).click(modifiers=["Shift"])
    expect(page.locator(".chip")).to_have_count(4)
    page.locator(".chip").last.click()
    expect(page.locator(".chip")).to_have_count(3)
    used = shifted(page)
    assert used - opened < STILL
    picture = page.locator(".attnviz.heads").element_handle()
    page.locator("[class*=st-key-model-box] input").click()
    page.get_by_role("option", name="English → Chinese, simplified").click()
    expect(page.locator(".overview .title").first).not_to_contain_text("MiniLM")
    expect(page.locator(".av-line[role=status]")).to_be_visible()  # under it
    assert picture and picture.evaluate("(it) => it.isConnected")
    changed = shifted(page)
    assert changed - used < STILL
    expect(page.locator(".kinds")).to_have_text("One kind in all 16 heads: Aligned")
    assert cut_off(page.locator(".overview .title")) == []
    page.get_by_role("button", name="Encoder", exact=True).click()
    wait_for_link(page, part="encoder")
    encoder = page.locator("[data-part=encoder]")
    expect(encoder).to_have_attribute("aria-pressed", "true")
    expect(encoder).to_be_focused()
    assert shifted(page) - changed < STILL
    expect(page.locator(".av-foot")).to_be_in_viewport(ratio=1)
    wait_until_all_fits(page)
    page.locator(".st-key-token-table button").click()
    expect(page.locator(".av-tokens")).to_contain_text("e4 b9 a6")  # 书, which it wrote
    page.keyboard.press("Escape")
    to_projector(page)
    expect(page.locator(".av-foot")).to_be_in_viewport(ratio=1)


PROJECTOR, PHONE, SMALL_PHONE = (1920, 1080), (390, 844), (320, 640)


@pytest.mark.parametrize(("path", "sizes"), [
    ("heads", (PROJECTOR, SMALL_PHONE, PHONE)), ("compare", (PHONE, SMALL_PHONE)), ("", (PHONE, (1440, 900))),
    ("train", (PHONE, (800, 900), (1000, 900), (1440, 900), PROJECTOR)), ("step", ((820, 1000),)),
])  # fmt: skip
def test_nothing_moves_while_a_page_opens_nor_on_a_telephone_where_a_way_is_chosen(page_for, server, path, sizes):
    page = page_for("healthz", before=lambda page: page.add_init_script(SHIFTS), wait=False)
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        query = {"size": "projector"} if (width, height) == PROJECTOR else {"lang": "zh-CN"} if path == "step" else {}
        page.goto(address(server.url, path, query))
        opened = shifted(page)
        assert opened < STILL, (width, height)
    if path == "heads":
        assert boxes(page.locator("select[name=metric]"))[0]["width"] > 200  # its name can be read
        page.get_by_role("button", name="Rollout", exact=True).click()
        expect(page.locator(".blockslook .map .reading")).to_contain_text("Query it")  # the pinned row, not the largest
        measured = page.locator(".overviewbar .segments")
        expect(measured).to_be_hidden()  # rollout is of this text, whatever heads are measured on
        page.get_by_role("button", name="All heads", exact=True).click()
        expect(measured).to_be_visible()
        assert shifted(page) - opened < STILL
        page.locator(".thumb[data-index='0']").click()
        exact_head(page, 1, 1)
        page.locator(".detail .title").evaluate("(it) => it.scrollIntoView()")
        support = page.get_by_role("button", name="What supports it?")
        expect(support).to_be_in_viewport()
        before = shifted(page)
        for way in ("Heatmap", "Text", "Neurons", "Lines"):
            page.get_by_role("button", name=way, exact=True).click()
            expect(page.locator(f"[data-way={way.lower()}][aria-pressed=true]")).to_be_visible()
        support.click()
        expect(page.locator(".kindsays:popover-open")).to_be_visible()
        assert shifted(page) - before < STILL
        page.keyboard.press("Escape")
        expect(page.locator(".kindsays:popover-open")).to_have_count(0)
        expect(page.locator(".query[aria-pressed=true]")).to_have_count(1)  # Escape lets go of nothing else


def test_the_row_that_wrote_last_is_in_sight_once_a_poem_was_gone_on_with(page_for):
    page = page_for("heads", locale="zh-TW", size=(1366, 768), query={"model": "poems-zh-tw", "text": "春眠不覺曉，"})
    page.locator(".st-key-heads-write-on button").first.click()
    page.get_by_role("menuitem").nth(2).click()
    expect(page.locator(".heads .query")).to_have_count(23)
    expect(page.locator(".heads .query[data-level='strong']")).to_be_in_viewport()

    def is_whole() -> bool:
        sight, row = (boxes(page.locator(part))[0] for part in (".heads .lines", ".heads .query[data-level='strong']"))
        return sight["top"] <= row["top"] and row["bottom"] <= sight["bottom"] + 1

    comes_to(is_whole, True)
