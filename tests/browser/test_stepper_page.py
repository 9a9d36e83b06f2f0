"""Step through on the dashboard: what-ifs are real runs, the link holds everything, every lesson fits the window."""

import re
from functools import partial

import pytest
from playwright.sync_api import Locator, Page, expect

import attnviz as av
from attnviz.explanation import chain
from attnviz.explanation.whatif import ScoreSwitches, Switches, run
from attnviz.text import strings
from tests.browser.axe import findings
from tests.browser.conftest import press_keys
from tests.browser.dashboard import comes_to, link, settle, to_projector, wait_for_link, wait_until_all_fits
from tests.browser.layout import boxes, cut_off, overlapping
from tests.browser.live import wait_until
from tests.browser.stepper import cells, digits_of, is_near, point_at, stepper, to_step, total
from tests.browser.wire import listens

SENTENCE = "She does not want to buy two books."
NEGATION = "She did not buy this book yesterday."
LEAVES = """was => {
    const said = new URLSearchParams(location.search);
    return ['matrix', 'token', 'key'].some((name, at) => said.get(name) !== was[at]);
}"""  # the cell that the link said


@pytest.fixture(scope="module")
def model():
    return av.load("translate-en-zh")


@pytest.fixture
def opened(page_for):
    """A factory: `opened(matrix="raw", token="2", key="3")` opens that link, on our sentence if it names no model."""

    def open_page(size=(1440, 900), **query: str) -> Page:
        return page_for("step", query=query if "model" in query else {"text": SENTENCE, **query}, size=size)

    return open_page


def shows(page: Page, trace, step: str, *, site: str = "encoder.0.self", head: int = 0) -> None:
    """Every number of the result is that of this run; waits until it is."""
    written = chain(trace, "self", site, head=head)[step].result
    values, digits = written.values.tolist(), digits_of(written)

    def others() -> list[tuple[str, float]]:
        printed = [pair for read, row in zip(cells(page), values, strict=True) for pair in zip(read, row, strict=True)]
        return [(read, value) for read, value in printed if not is_near(read, value, digits)]

    comes_to(others, [])


def switch(page: Page, name: str) -> None:
    page.get_by_role("switch", name=name).click()


def test_a_visitor_sees_a_shipped_model_on_an_example_and_stepping_sends_nothing_to_the_script(page_for, model):
    sent: list[int] = []
    page = page_for("step", before=listens(sent))
    expect(stepper(page)).to_have_attribute("data-step", "tokens")
    to_step(page, "weights")
    shows(page, model.trace(strings("en")("example-en-negation-text")), "weights")
    to_step(page, "raw")
    page.wait_for_url("**matrix=raw*")
    settle(page)
    sent.clear()
    for column in range(6):
        point_at(page, 2, column)
    press = "document.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight'}));"
    page.evaluate(press * 4)
    page.wait_for_url("**matrix=context*")
    page.wait_for_timeout(600)
    assert sent == []


def of_head(head: int, **own: object) -> Switches:
    """A change of one head of the first attention alone."""
    return Switches(heads=(("encoder.0.self", head, ScoreSwitches(**own)),))


def test_each_what_if_is_a_real_run_and_says_so_and_0_puts_it_back(opened, model):
    base = model.trace(SENTENCE)
    page = opened(matrix="weights", token="2", key="3")
    shows(page, base, "weights")
    for name, switches, said in (
        ("Causal mask", of_head(0, causal=True), "causal mask in head 1.1 of the encoder"),
        ("÷ √dₖ", of_head(0, scaling=False), "no ÷ √dₖ in head 1.1 of the encoder"),
        ("Positions", Switches(positions=False), "no positions"),
    ):
        switch(page, name)
        expect(page.locator(".edits")).to_have_text(said)
        shows(page, run(model, base, switches), "weights")
        page.locator(".title").first.click()
        page.keyboard.press("0")
        expect(page.locator(".edits")).to_be_hidden()
        shows(page, base, "weights")
    slider = page.get_by_role("slider", name="Attention τ")
    slider.focus()
    press_keys(page, *["ArrowLeft"] * 6)  # twentieths of a decade: 10^−0.3
    expect(slider).to_have_attribute("aria-valuetext", "0.50")  # not its logarithm
    expect(page.locator(".edits")).to_have_text("attention τ = 0.5 in head 1.1 of the encoder")
    shows(page, run(model, base, of_head(0, temperature=0.5)), "weights")
    wait_for_link(page, **{"if": "t0.5.encoder.0.self.1"})
    page.keyboard.press("0")  # which is no key of a slider
    expect(page.locator(".edits")).to_be_hidden()

    switch(page, "Silence head")
    expect(page.locator(".edits")).to_have_text("head 1 silenced (encoder 1)")
    expect(page.locator(".begins")).to_have_text("The change begins at × V")
    to_step(page, "silenced")
    expect(page.locator(".begins")).to_be_hidden()
    assert {number for row in cells(page) for number in row} == {"0"}
    page.get_by_role("button", name="Reset").click()
    expect(page.locator(".edits")).to_be_hidden()
    page.get_by_role("combobox", name="Hide").select_option(label="want")
    expect(page.locator(".edits")).to_have_text("“want” hidden in head 1.1 of the encoder")
    page.keyboard.press("Escape")
    page.locator(".stop", has_text="Softmax").click()
    shows(page, run(model, base, of_head(0, hidden=3)), "weights")
    assert all(row[3] == "0" for row in cells(page))
    page.get_by_role("combobox", name="Head").select_option(label="2")
    shows(page, run(model, base, of_head(0, hidden=3)), "weights", head=1)


def test_a_what_if_stays_in_its_head_is_in_all_heads_by_one_press_and_the_bar_says_what_is_so_of_the_head_on_the_stage(
    opened, model
):
    base, later = model.trace(SENTENCE), "encoder.1.self"
    page = opened(matrix="weights", token="2", key="3")
    edits, scaling = page.locator(".edits"), page.get_by_role("switch", name="÷ √dₖ")
    here, everywhere = page.locator(".scope button").first, page.get_by_role("button", name="All heads", exact=True)
    expect(here).to_have_text("Head 1")
    switch(page, "÷ √dₖ")
    expect(edits).to_have_text("no ÷ √dₖ in head 1.1 of the encoder")
    shows(page, run(model, base, of_head(0, scaling=False)), "weights")
    page.get_by_role("combobox", name="Head").select_option(label="2")  # which is as it was, and the bar says so
    expect(here).to_have_text("Head 2")
    expect(scaling).to_be_checked()
    shows(page, base, "weights", head=1)
    expect(edits).to_have_text("no ÷ √dₖ in head 1.1 of the encoder")
    expect(page.locator(".begins")).to_have_text("Nothing changes here")
    expect(page.get_by_role("button", name="Before and after")).to_be_hidden()
    everywhere.click()
    expect(edits).to_have_text("no ÷ √dₖ in all heads")
    expect(everywhere).to_have_attribute("aria-pressed", "true")
    expect(scaling).not_to_be_checked()
    shows(page, run(model, base, Switches(scaling=False)), "weights", head=1)
    wait_for_link(page, **{"if": "noscale"})
    page.get_by_role("combobox", name="Layer").select_option(label="Encoder 2")
    shows(page, run(model, base, Switches(scaling=False)), "weights", site=later, head=1)
    here.click()  # of this head now
    expect(edits).to_have_text("no ÷ √dₖ in head 2.2 of the encoder")
    own = Switches(heads=((later, 1, ScoreSwitches(scaling=False)),))
    shows(page, run(model, base, own), "weights", site=later, head=1)
    wait_for_link(page, **{"if": "noscale.encoder.1.self.2"})
    page.reload()
    expect(edits).to_have_text("no ÷ √dₖ in head 2.2 of the encoder")
    shows(page, run(model, base, own), "weights", site=later, head=1)
    page.get_by_role("button", name="Reset", exact=True).click()
    everywhere.click()  # before anything is changed
    switch(page, "÷ √dₖ")
    expect(edits).to_have_text("no ÷ √dₖ in all heads")


def test_among_all_heads_a_what_if_is_of_the_head_on_the_stage(opened):
    page = opened(tab="heads", part="encoder", layer="1", head="1", matrix="weights.2", token="2", key="3")
    expect(page.locator(".scope button").first).to_have_text("Head 2")
    switch(page, "÷ √dₖ")
    expect(page.locator(".edits")).to_have_text("no ÷ √dₖ in head 1.2 of the encoder")
    page.get_by_role("combobox", name="Parts of this step").select_option(label="head 1")
    expect(page.locator(".scope button").first).to_have_text("Head 1")
    expect(page.get_by_role("switch", name="÷ √dₖ")).to_be_checked()
    switch(page, "Silence head")
    expect(page.locator(".edits")).to_contain_text("head 1 silenced (encoder 1)")


def test_in_a_decoder_the_head_of_the_cross_attention_hides_a_source_token_alone(opened):
    page = opened(model="translate-en-zh", text=NEGATION, tab="decoder", part="decoder", layer="2", head="6")
    expect(stepper(page)).to_have_attribute("data-step", "weights.2")
    hide, mask = page.get_by_role("combobox", name="Hide"), page.get_by_role("switch", name="Causal mask")
    expect(hide.locator("option")).to_have_count(9)  # none, and the eight that it can look at
    expect(mask).to_be_disabled()
    hide.select_option(label="not")
    expect(page.locator(".edits")).to_have_text("“not” hidden in head 2.6 of cross-attention")
    assert [row[2] for row in cells(page)] == ["0"] * 9
    to_step(page, "weights")  # of its self-attention
    expect(mask).to_be_enabled()
    expect(hide).to_have_value("")
    expect(hide.locator("option")).to_have_count(10)
    page.get_by_role("button", name="All heads", exact=True).click()
    expect(page.locator(".edits")).to_have_text("“not” hidden in all heads")
    expect(hide.locator("option")).to_have_count(18)


TABS = ("Self-attention", "Multi-head", "Block", "Decoder")
IS_INSIDE = """(root) => { const box = root.querySelector('.matrices').getBoundingClientRect();
    return [...root.querySelectorAll('.matrix rect')].every((node) => {
      const {left, right, bottom} = node.getBoundingClientRect();
      return left >= box.left - 1 && right <= box.right + 1 && bottom <= box.bottom + 1; }) }"""
# All but parts of what is looked at: a button of several that lie side by side
OF_THE_HEAD = ".head :is(.title, .edits, .begins, .segments, .menu, .mover, button:not(:is(.segments, .mover) button))"
UNDER_THE_STRIP = """(root, picture) => {
  const boxOf = (part) => [...root.querySelectorAll(part)].at(-1).getBoundingClientRect();
  const [drawn, strip, what] = [picture, '.strip', '.strip .what'].map(boxOf);
  return drawn.bottom > strip.top + 2 || what.top < strip.top || what.bottom > strip.bottom; }"""


def fits(page: Page) -> None:
    """Nothing is cut off, and neither the page nor the rail scrolls."""
    wait_until(partial(stepper(page).evaluate, IS_INSIDE), 45)
    wait_until_all_fits(page)
    wait_until(lambda: not cut_off(page.locator(".rail")), 45)  # its pictures are painted after the stage


def lies_under_the_strip(page: Page, picture: str = ".surface") -> bool:
    """Whether a row of the picture does, the last one of them, or a word of the strip ends beyond it."""
    return bool(stepper(page).evaluate(UNDER_THE_STRIP, picture))


def walk(page: Page) -> None:
    """Go from the first to the last step of a tab; at each all fits and nothing lies over another."""
    seen, onward = [], page.locator(".player .primary")
    page.locator(".stop").first.dispatch_event("click")
    while len(seen) < 60:
        seen.append(stepper(page).get_attribute("data-step"))
        fits(page)
        comes_to(overlapping, [], page.locator(OF_THE_HEAD))
        comes_to(lies_under_the_strip, False, page)
        if not onward.is_enabled() or onward.inner_text() != "Go on →":  # it leads into the next block
            break
        page.keyboard.press("ArrowRight")
    assert 8 <= len(seen) == len(set(seen)) < 60


def test_each_lesson_is_walked_to_its_end_in_a_small_window_under_one_line_of_what_ifs_and_axe_agrees(opened):
    page = opened(matrix="weights", token="2", key="3", size=(1280, 720))
    assert findings(page) == []
    for tab in TABS:
        if tab != TABS[0]:
            to_tab(page, tab)
        walk(page)
        for width, height in ((1440, 900), (1920, 1080), (1280, 720)):
            page.set_viewport_size({"width": width, "height": height})
            fits(page)
            comes_to(lambda: page.locator(".bar").bounding_box()["height"] < 48, True)
        if tab == "Multi-head":
            page.set_viewport_size({"width": 1440, "height": 900})
            to_step(page, "weights")
            comes_to(are_whole, True, page.locator(".labels .lb:not(.ix)"))
            to_step(page, "concat")
            assert findings(page) == []
            page.set_viewport_size({"width": 1280, "height": 720})


def are_whole(names: Locator) -> bool:
    """Whether no name is cut, and each can be read."""
    sizes = names.evaluate_all("(all) => all.map((one) => parseFloat(getComputedStyle(one).fontSize))")
    return all(name in SENTENCE for name in names.all_text_contents()) and min(sizes) >= 10


def to_tab(page: Page, name: str) -> None:
    before = stepper(page).get_attribute("data-ready") or ""
    page.get_by_role("button", name=name, exact=True).click()
    expect(stepper(page)).not_to_have_attribute("data-ready", before)
    expect(page.locator(".tabs [aria-current]")).to_have_text(name)


def test_everything_fits_into_the_window_in_another_language_which_keeps_step_and_cell_and_on_a_projector(opened):
    page = opened(matrix="weights", token="4", key="6")
    before = total(page)
    for name, title in (("简体中文", "softmax"), ("繁體中文", "softmax")):
        page.locator("[class*='st-key-language-box--']").get_by_text(name).click()
        expect(page.locator(".stepper .title").first).to_have_text(title)
        assert total(page) == before
        expect(stepper(page)).to_have_attribute("data-step", "weights")
    for enlarge in (None, to_projector):
        if enlarge:
            enlarge(page)
        for key in ["ArrowLeft"] * 6 + ["ArrowRight"] * 10:
            fits(page)
            page.keyboard.press(key)
    for width in (1280, 1130, 1024):
        page.set_viewport_size({"width": width, "height": 720})
        pages, tools = page.get_by_test_id("stTopNavLink").last, page.locator(".st-key-tools")
        expect(pages).to_have_text("關於")
        comes_to(overlapping, [], pages.or_(tools), 0, 0)


def test_in_a_low_window_a_projector_has_the_sizes_at_which_all_of_the_decoder_fits(opened):
    page = opened(
        model="translate-en-zh", text=NEGATION, tab="decoder", matrix="weights.2", token="5", key="5", size=(1280, 720)
    )
    fits(page)
    parts = page.locator("header, .stepper, .map, .rail, .surface, .strip")  # of which the walk takes each step
    normal = boxes(parts)
    to_projector(page)
    expect(stepper(page)).to_have_css("--k", "1.25px")
    page.set_viewport_size({"width": 1280, "height": 720})
    expect(stepper(page)).to_have_css("--k", "1px")
    wait_until(lambda: boxes(parts) == normal, 45)
    assert cut_off(page.locator(".map")) == []
    page.get_by_text("Presenter’s view").click()  # the one larger size here
    expect(stepper(page)).to_have_css("--k", "1.125px")
    wait_until(lambda: not cut_off(page.locator(".rail")), 45)


def is_each_seen(parts: Locator) -> bool:
    return all(box["width"] > 20 for box in boxes(parts))


def test_every_part_of_a_step_can_be_chosen_at_every_width(opened):
    page = opened(matrix="embed", token="2", key="2")
    narrow, wide, projector = (1280, 760), (1440, 900), (1920, 1080)
    for (width, height), tab, step in (
        (narrow, "Self-attention", "embed"),
        (projector, "Self-attention", "embed"),
        (wide, "Multi-head", "split"),
        (narrow, "Multi-head", "split"),
        (narrow, "Block", "mid"),
    ):
        page.set_viewport_size({"width": width, "height": height})
        if page.locator(".tabs [aria-current]").inner_text() != tab:
            to_tab(page, tab)
        to_step(page, step)
        wait_until(lambda: not cut_off(page.locator(".heading"), by=1), 45)  # a part of a pixel may be counted as one
        shown = page.locator(".segments button:visible, .menu:visible")
        if width == 1920:  # one line holds all
            expect(page.locator(".heading > .movers")).to_be_visible()
        comes_to(is_each_seen, True, shown)
        if step == "split" and page.locator(".heading .menu").is_visible():
            expect(page.locator(".heading .segments").first.locator("button")).to_have_text(["Q", "K", "V"])
            page.locator(".heading .menu").select_option(label="Q3")
            page.locator(".heading .segments").first.get_by_role("button", name="K").click()
            expect(page.locator(".heading .menu option:checked")).to_have_text("K3")
            expect(page.locator(".heading .menu option")).to_have_count(page.locator(".names .mt").count() - 1)
            expect(page.locator(".strip .whose")).to_contain_text("K")
        comes_to(overlapping, [], page.locator('.movers, .matrix[data-key="result"]'))


def test_the_decoder_is_one_map_and_three_sections_that_fold_and_fit(opened):
    page = opened(
        tab="decoder", part="decoder", layer="1", head="1", matrix="weights", token="2", key="3", size=(1280, 720)
    )
    here = page.locator(".map-cell[aria-current]")
    expect(page.locator(".section-name")).to_have_count(3)
    expect(page.locator('.section-name[aria-expanded="true"]')).to_contain_text("Masked self-attention")
    for name, section in (("weights", "masked-self"), ("weights.2", "cross"), ("hidden", "ff"), ("probabilities", "")):
        to_step(page, name)
        if section:
            expect(here).to_have_attribute("data-section", section)
    expect(page.locator(".map-end[aria-current]")).to_have_text("next word: you are here")
    expect(page.locator(".map-block.here")).to_have_count(0)
    page.locator(".section-name", has_text="Cross-attention").click()  # to its first step
    expect(page.locator('.section[data-section="cross"] .stop')).to_have_count(10)
    expect(page.locator('.section[data-section="cross"] .stop').first).to_have_attribute("aria-current", "step")
    page.get_by_role("button", name="Decoder 1: Feed-forward").click()
    expect(page.locator(".map-block.here")).to_contain_text("Decoder 1")
    to_step(page, "block-out")
    page.get_by_role("button", name="Decoder 2 →").click()
    expect(stepper(page)).to_have_attribute("data-step", "self-norm")
    expect(page.locator(".map-block.here")).to_contain_text("Decoder 2")
    page.keyboard.press("ArrowLeft")
    expect(stepper(page)).to_have_attribute("data-step", "block-out")
    expect(page.locator(".map-block.here")).to_contain_text("Decoder 1")
    to_step(page, "weights")
    page.locator(".section-name", has_text="Masked self-attention").click()  # one is in it: it folds
    expect(page.locator(".section-name[aria-current]")).to_contain_text("Masked self-attention")
    expect(stepper(page)).to_have_attribute("data-step", "weights")
    page.keyboard.press("ArrowRight")
    expect(page.locator('.section-name[aria-expanded="true"]')).to_contain_text("Masked self-attention")
    expect(page.locator(".section-name[aria-current]")).to_have_count(0)
    page.get_by_role("button", name="Decoder 2: Cross-attention").click()
    expect(page.locator(".map-block.here")).to_contain_text("Decoder 2: you are here")
    expect(page.locator(".stage .block-name")).to_be_hidden()
    page.keyboard.press("p")
    expect(page.locator(".stage .block-name")).to_have_text("Decoder 2")  # which the map said
    page.keyboard.press("p")
    expect(here).to_have_attribute("data-section", "cross")
    to_tab(page, "Multi-head")
    expect(page.get_by_role("combobox", name="Layer")).to_have_value("decoder.1.cross")
    to_tab(page, "Decoder")
    expect(stepper(page)).to_have_attribute("data-step", "weights.2")
    expect(page.locator(".map-block.here")).to_contain_text("Decoder 2")
    page.get_by_role("button", name="Encoder 2: Feed-forward").click()
    expect(page.locator('.tabs [data-tab="block"]')).to_have_attribute("aria-current", "true")
    expect(page.locator(".map-block.here")).to_contain_text("Encoder 2")
    expect(stepper(page)).to_have_attribute("data-step", "ff-norm")
    to_step(page, "final-norm")
    expect(page.get_by_role("button", name="Decoder 1 →")).to_be_enabled()


def test_a_hidden_not_writes_another_text_and_both_runs_lie_beside_each_other(opened):
    page = opened(model="translate-en-zh", text=NEGATION, tab="decoder")
    written, both = page.locator(".written"), page.get_by_role("button", name="Before and after")
    expect(stepper(page)).to_have_attribute("data-step", "weights.2")  # of a head that aligns
    expect(written).to_contain_text("It writes")
    expect(both).to_be_hidden()
    first = [link(page)[name] for name in ("matrix", "token", "key")]
    page.get_by_role("button", name="All heads", exact=True).click()
    page.get_by_role("combobox", name="Hide").select_option(label="not")
    expect(written.locator(".written-word bdi")).to_have_text([*"她", "昨天", *"买了这本书。"])
    expect(written.locator(".written-word.new")).to_have_text(re.compile("了"))
    expect(written.locator("del")).to_have_text("没")
    chosen = page.get_by_role("group", name="Before and after").locator('[aria-pressed="true"]')
    expect(chosen).to_have_text(["Before and after"])
    was, now = cells(page, "before"), cells(page)
    assert was != now and [row[2] for row in now] == ["0"] * len(now)  # nobody looks at “not”
    page.wait_for_function(LEAVES, arg=first)
    expect(page.locator(".changed")).not_to_have_count(0)
    wrote, writes = (page.locator(".stage .labels").nth(at).locator(".writes") for at in (0, 1))
    assert wrote.all_text_contents() == [f" → {word}" for word in [*"她", "昨天", *"没买这本书。", "<end>"]]
    assert writes.all_text_contents() == [f" → {word}" for word in [*"她", "昨天", *"买买了本书。", "<end>"]]
    point_at(page, 4, 2)
    expect(page.locator(".strip .writes")).to_have_text("the row that read “买” writes “了”")
    page.get_by_role("button", name="Difference").click()
    expect(chosen).to_have_text(["Difference"])
    assert len(cells(page, "difference")) == len(now)
    expect(page.get_by_role("img", name="after − before: −1 – +1")).to_be_visible()  # its own scale, as that of weights
    wait_for_link(page, columns="difference")
    page.reload()
    expect(chosen).to_have_text(["Difference"])
    assert len(cells(page, "difference")) == len(now)
    page.get_by_role("button", name="After", exact=True).click()
    expect(chosen).to_have_text(["After"])
    expect(page.locator('.matrix[data-key="before"]')).to_have_count(0)
    page.set_viewport_size({"width": 1280, "height": 720})
    to_step(page, "probabilities")
    wait_until(lambda: not lies_under_the_strip(page, ".matrix"), 45)
    comes_to(cut_off, [], page.locator(".edits"), 1)
    to_step(page, "weights.2")
    page.set_viewport_size({"width": 1440, "height": 900})
    page.locator(".edits").click()
    expect(page.locator(".edits")).to_be_hidden()
    expect(written).to_contain_text("It writes")
    comes_to(cells, was, page)
    page.locator(".stage .title").click()
    page.keyboard.press("p")
    expect(page.locator(".map")).to_be_hidden()
    expect(written).to_be_visible()


def test_on_a_telephone_rows_say_below_what_they_write_switches_unfold_and_the_matrix_is_near_the_top(opened):
    page = opened(
        size=(390, 844), model="translate-en-zh", text=NEGATION, tab="decoder", matrix="weights.2", token="3", key="3"
    )
    rows = page.locator(".lb:has(.writes)")
    writes = ["她", "昨天", "没", "买", "这", "本", "书", "。", "<end>"] * 2  # before softmax and after it
    assert rows.locator(".writes").all_text_contents() == [f"→ {word}" for word in writes]
    expect(rows.first).to_have_text("<start>→ 她the row that read “<start> (marks the beginning)” writes “她”")
    expect(page.locator(".map-cell[aria-current]")).to_be_in_viewport(ratio=1)
    assert all(box["left"] >= 0 for box in boxes(rows)) and overlapping(rows, 0, 2) == []
    to_step(page, "raw.2")  # its rows are flatter: the picked one says what it writes
    visible = page.locator(".lb .writes").evaluate_all("all => all.map((it) => getComputedStyle(it).visibility)")
    assert [at for at, it in enumerate(visible) if it == "visible"] == [2]
    page.get_by_role("button", name="Self-attention", exact=True).click()  # of the attention of the step: the cross one
    expect(page.locator(".tabs [aria-current]")).to_have_text("Cross-attention")
    assert page.locator(".surface").bounding_box()["y"] < 600
    expect(page.locator(".stage .legend").first).to_be_visible()
    positions, fold = page.get_by_role("switch", name="Positions"), page.get_by_role("button", name="What if")
    expect(positions).to_be_hidden()
    before = fold.bounding_box()
    fold.click()
    expect(positions).to_be_visible()
    expect(fold).to_have_attribute("aria-expanded", "true")
    assert fold.bounding_box() == before  # a second tap folds them
    expect(page.locator(".whatif > .caption")).to_be_hidden()  # the button says it


def test_a_silenced_head_that_changes_no_word_says_so_and_offers_to_silence_them_all(opened):
    page = opened(model="translate-en-zh", text=NEGATION, tab="decoder")
    written = page.locator(".written")
    expect(written).to_contain_text("It writes")
    page.get_by_role("switch", name="Silence head").click()
    expect(written).to_contain_text("No word changes: the other heads make up for it.")
    to_step(page, "concat.2")  # at the numbers of that head, which alone are changed
    page.wait_for_url("**matrix=concat.2*")
    assert 60 < int(link(page)["feature"]) <= 72
    expect(page.locator(".changed")).not_to_have_count(0)
    expect(page.locator(".mover").first).to_be_visible()
    page.set_viewport_size({"width": 1280, "height": 720})
    silence = page.get_by_role("button", name="Silence all 8 heads")
    expect(silence).to_be_in_viewport(ratio=1)
    comes_to(cut_off, [], silence)
    silence.click()
    expect(written).not_to_contain_text("No word changes")
    expect(written.locator("del")).not_to_have_count(0)
    expect(written).to_contain_text("…")  # it would go on
    expect(page.locator(".edits")).to_have_text("heads 1–8 silenced (decoder 2, cross-attention)")
    comes_to(cut_off, [], page.locator(".edits"))  # its × is seen
    page.get_by_role("button", name="Reset", exact=True).click()
    expect(written).to_contain_text("It writes")


def test_no_row_lies_under_the_strip_where_a_sentence_takes_a_line_nor_once_an_answer_brings_one(opened):
    where = {"model": "translate-en-zh", "tab": "decoder"}
    page = opened(
        text="She did not purchase this blorp!", matrix="hidden", token="5", key="5", size=(1280, 720), **where
    )
    wait_until(lambda: not lies_under_the_strip(page), 45)
    page = opened(text=NEGATION, matrix="probabilities", token="5", key="5", guess="1", size=(1920, 1080), **where)
    expect(page.locator(".written")).to_be_hidden()
    page.get_by_role("button", name="Show the answer").click()
    expect(page.locator(".written")).to_be_visible()
    wait_until(lambda: not lies_under_the_strip(page), 45)


def test_a_step_of_a_link_that_the_tab_has_not_is_said_until_the_reader_goes_on(page_for):
    page = page_for("step", query={"model": "reverse", "text": "a b c d", "tab": "heads", "matrix": "weights.1"})
    notice = page.locator(".stepper .notice")
    expect(notice).to_have_text("The link names a step that is not on this tab; this is its first one.")
    stepper(page).get_by_role("button", name="Go on →").click()
    expect(notice).to_be_hidden()
    wait_for_link(page, matrix=stepper(page).get_attribute("data-step"))
