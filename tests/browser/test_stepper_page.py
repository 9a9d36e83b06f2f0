"""Step through on the dashboard: what-ifs are real runs, the link holds everything, every lesson fits the window."""

import itertools
import re

import pytest
from playwright.sync_api import Page, WebSocket, expect

import attnviz as av
from attnviz.explanation import chain
from attnviz.explanation.predict_first import question
from attnviz.explanation.whatif import Switches, run
from attnviz.text import strings
from tests.browser.dashboard import can_scroll, link, settle, to_projector, wait_for_link
from tests.browser.stepper import cells, digits_of, is_near, is_written, point_at, stepper, to_step, total
from tests.browser.test_axe import findings

SENTENCE = "She does not want to buy two books."
SITE = "encoder.0.self"


@pytest.fixture(scope="module")
def model():
    return av.load("translate-en-zh")


@pytest.fixture(scope="module")
def base(model):
    return model.trace(SENTENCE)


@pytest.fixture
def opened(page_for):
    """A factory: `opened(cell="raw~2~3~1")` opens the page with that link, on our sentence where it names no model."""

    def open_page(size=(1440, 900), **query: str) -> Page:
        query = {"if" if name == "whatif" else name: value for name, value in query.items()}
        query = query if "on" in query else {"say": SENTENCE, **query}
        options = {name: query.pop(name) for name in ("theme", "locale") if name in query}
        return page_for("step", query=query, size=size, **options)

    return open_page


def shows(page: Page, trace, step: str, *, head: int = 0) -> None:
    """Every number of the result is that of this run; waits until it is."""
    written = chain(trace, "self", SITE, head=head)[step].result
    digits = digits_of(written)

    def are_same() -> bool:
        read = cells(page)
        return bool(read) and all(
            is_near(number, float(written.values[row, column]), digits)
            for row, numbers in enumerate(read)
            for column, number in enumerate(numbers)
        )

    for _ in range(80):
        if are_same():
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"the screen does not show {step} of this run: {cells(page)[0]} {written.values[0].tolist()}")


def switch(page: Page, name: str) -> None:
    page.get_by_role("switch", name=name).click()


def test_a_visitor_sees_a_shipped_model_on_an_example_and_stepping_sends_nothing_to_the_script(page_for, model, watch):
    sent: list[int] = []
    received: list[int] = []

    def follow(socket: WebSocket) -> None:
        socket.on("framesent", lambda frame: sent.append(len(frame)))
        socket.on("framereceived", lambda frame: received.append(len(frame)))

    page = page_for("step", before=lambda page: page.on("websocket", follow))
    expect(stepper(page)).to_have_attribute("data-step", "tokens")
    to_step(page, "weights")
    shows(page, model.trace(strings("en")("example-en-negation-text")), "weights")
    to_step(page, "raw")
    page.wait_for_url("**cell=raw*")
    settle(page)
    sent.clear()
    received.clear()
    for column in range(6):
        point_at(page, 2, column)
    assert sent == []
    press = "document.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight'}));"
    page.evaluate(press * 4)
    page.wait_for_url("**cell=context*")
    page.wait_for_timeout(600)
    assert sent == []
    assert received == []
    assert watch.errors == []


def test_each_what_if_is_a_real_run_and_says_so_and_0_puts_it_back(opened, model, base):
    page = opened(cell="weights~2~3~1")
    shows(page, base, "weights")
    for name, switches, said in (
        ("Causal mask", Switches(causal=True), "causal mask"),
        ("Divide by √dₖ", Switches(scaling=False), "not divided by √dₖ"),
        ("Positions", Switches(positions=False), "no positions"),
    ):
        switch(page, name)
        expect(page.locator(".edits")).to_have_text(said)
        shows(page, run(model, base, switches), "weights")
        page.locator(".title").first.click()
        page.keyboard.press("0")
        expect(page.locator(".edits")).to_be_hidden()
        shows(page, base, "weights")
    slider = page.get_by_role("slider", name="Temperature")
    slider.focus()
    for _ in range(6):
        page.keyboard.press("ArrowLeft")  # twentieths of a decade: 10^−0.3
    expect(slider).to_have_attribute("aria-valuetext", "0.50")  # not its logarithm
    expect(page.locator(".edits")).to_have_text("temperature 0.5")
    shows(page, run(model, base, Switches(temperature=0.5)), "weights")
    wait_for_link(page, **{"if": "t0.5"})
    page.get_by_role("button", name="Reset").click()
    expect(page.locator(".edits")).to_be_hidden()

    switch(page, "Silence this head")
    expect(page.locator(".edits")).to_have_text("encoder 1, head 1 silenced")
    expect(page.locator(".begins")).to_have_text("The change begins at × V")
    to_step(page, "silenced")
    expect(page.locator(".begins")).to_be_hidden()
    assert {number for row in cells(page) for number in row} == {"0"}
    page.get_by_role("button", name="Reset").click()
    expect(page.locator(".edits")).to_be_hidden()
    page.get_by_role("combobox", name="Hide").select_option(label="want")
    expect(page.locator(".edits")).to_have_text("“want” hidden")
    page.keyboard.press("Escape")
    page.locator(".stop", has_text="Softmax").click()
    shows(page, run(model, base, Switches(hidden=3)), "weights")
    assert all(row[3] == "0" for row in cells(page))


def test_a_link_brings_the_whole_screen_back(opened, page_for):
    page = opened(
        on="translate-en-zh", say="I like cats.", site="encoder.1.self.3", cell="masked~2~3~1", whatif="causal~t2"
    )
    expect(stepper(page)).to_have_attribute("data-step", "masked")
    expect(page.locator(".strip .whose")).to_contain_text("[like, cats]")
    expect(page.locator(".edits")).to_have_text("causal mask · temperature 2")
    to_step(page, "weights")
    wait_for_link(page, cell="weights~2~3~1")
    given = link(page)
    again = page_for("step", query=given)
    expect(stepper(again)).to_have_attribute("data-step", "weights")
    expect(again.locator(".strip .whose")).to_contain_text("[like, cats]")
    assert total(again) == total(page)
    assert {name: value for name, value in link(again).items()} == given


def test_a_sentence_of_ones_own_and_one_that_cannot_be_read(opened, watch):
    page = opened(cell="raw~1~1~1")
    box = page.locator("[class*='st-key-step-text--'] input")
    box.fill("I like cats.")
    box.press("Enter")
    expect(page.locator(".lb", has_text="cats").first).to_be_visible()
    wait_for_link(page, say="I like cats.")
    box.fill("Quizzical zebras yodel.")
    box.press("Enter")
    expect(page.locator(".av-line")).to_contain_text("does not know")
    expect(page.locator(".lb", has_text="cats").first).to_be_visible()
    assert watch.errors == []


def test_a_model_that_was_never_trained_reads_any_words_and_says_what_it_is(opened):
    page = opened(on="untrained-encoder", say="我们喜欢猫")
    expect(page.locator(".side .note").first).to_contain_text("Never trained")
    expect(page.locator(".lb", has_text=re.compile("^我$")).first).to_be_visible()
    page.locator("[class*='st-key-step-words--'] label").click()
    expect(page.locator(".lb", has_text=re.compile("^我们$")).first).to_be_visible()
    wait_for_link(page, words="1")


def test_each_lesson_is_walked_to_its_end_without_scrolling_under_one_line_of_what_ifs_and_axe_agrees(opened, watch):
    page = opened(cell="weights~2~3~1")
    assert findings(page) == []
    for tab in ("Multi-head", "Block", "Decoder"):
        to_tab(page, tab)
        if tab == "Multi-head":
            to_step(page, "concat")
            assert findings(page) == []
            to_tab(page, "Self-attention")
            to_tab(page, tab)
        seen = []
        for _ in range(60):
            name = stepper(page).get_attribute("data-step")
            if seen and name == seen[-1]:
                break
            seen.append(name)
            assert not can_scroll(page), name
            page.keyboard.press("ArrowRight")
        assert len(seen) >= 10, tab
        expect(page.get_by_role("button", name="Next step")).to_be_disabled()
        assert page.locator(".bar").bounding_box()["height"] < 48, tab
    for width, height in ((1920, 1080), (1280, 720)):
        page.set_viewport_size({"width": width, "height": height})
        for tab in ("Multi-head", "Block", "Decoder", "Self-attention"):
            to_tab(page, tab)
            assert page.locator(".bar").bounding_box()["height"] < 48, (tab, width)
    assert watch.errors == []


def to_tab(page: Page, name: str) -> None:
    before = stepper(page).get_attribute("data-ready") or ""
    page.get_by_role("button", name=name, exact=True).click()
    expect(stepper(page)).not_to_have_attribute("data-ready", before)
    expect(page.locator(".tabs [aria-current]")).to_have_text(name)


def test_everything_fits_into_the_window_in_another_language_which_keeps_step_and_cell_and_on_a_projector(opened):
    page = opened(cell="weights~4~6~1")
    before = total(page)
    for name, title in (("简体中文", "softmax"), ("繁體中文", "softmax")):
        page.locator("[class*='st-key-language-box--']").get_by_text(name).click()
        expect(page.locator(".stepper .title").first).to_have_text(title)
        assert total(page) == before
        expect(stepper(page)).to_have_attribute("data-step", "weights")
    walk = ["ArrowLeft"] * 6 + ["ArrowRight"] * 10
    for key in walk:
        assert not can_scroll(page), stepper(page).get_attribute("data-step")
        page.keyboard.press(key)
    to_projector(page)
    for key in walk:
        assert not can_scroll(page), stepper(page).get_attribute("data-step")
        page.keyboard.press(key)


def test_every_part_of_a_step_can_be_chosen_at_every_width(opened):
    page = opened(cell="embed~2~2~1")
    narrow, wide = (1280, 760), (1440, 900)
    for (width, height), tab, step in (
        (narrow, "Self-attention", "embed"),
        (wide, "Multi-head", "split"),
        (narrow, "Multi-head", "split"),
        (narrow, "Block", "mid"),
    ):
        page.set_viewport_size({"width": width, "height": height})
        if page.locator(".tabs [aria-current]").inner_text() != tab:
            to_tab(page, tab)
        to_step(page, step)
        heading = page.locator(".heading")
        assert heading.evaluate("(one) => one.scrollWidth <= one.clientWidth + 1")
        shown = page.locator(".segments button:visible, .menu:visible")
        boxes = [box for box in (one.bounding_box() for one in shown.all()) if box]
        assert all(box["width"] > 20 for box in boxes)
        if page.locator(".heading .menu").is_visible():
            page.locator(".heading .menu").select_option(index=5)
            expect(stepper(page)).to_have_attribute("data-step", "split.6")  # the sixth of that name: K of head 2
            expect(page.locator(".heading .menu option:checked")).to_have_text("K2")
        cells_of_result = page.locator('.matrix[data-key="result"]').bounding_box()
        movers = page.locator(".movers").bounding_box()
        assert cells_of_result
        assert (
            movers is None
            or movers["height"] == 0
            or movers["y"] + movers["height"] <= cells_of_result["y"] + 1
            or (
                movers["x"] >= cells_of_result["x"] + cells_of_result["width"] - 1
                or movers["x"] + movers["width"] <= cells_of_result["x"] + 1
            )
        )


# ---------------------------------------------------------------------------------------------- predict, then reveal


@pytest.fixture(scope="module")
def asked(base):
    """What the page asks of the weights: the row, the right column, and a wrong column with one at its left."""
    row, best = question(chain(base, "self", SITE)["weights"]).answers[0]
    return row, best, 3 if best == 2 else 2


def test_guessing_is_chosen_hides_a_result_until_it_was_guessed_and_gives_a_wrong_guess_both_sums(opened, base, asked):
    row, best, wrong = asked
    words = base.tokens.source.text
    page = opened(cell=f"weights~{row + 1}~{wrong}~1")
    expect(page.locator(".question")).to_have_count(0)
    page.locator("[class*='st-key-step-guesses--'] label").click()
    wait_for_link(page, guess="1")
    weights = chain(base, "self", SITE)["weights"].result.values
    expect(page.locator(".strip .question")).to_contain_text(f"Which token will “{words[row]}” look at most?")
    hidden = '.matrix[data-key="result"] .num'
    assert page.locator(hidden).evaluate_all("(all) => all.every((n) => n.style.visibility === 'hidden')")
    assert page.locator(".stop", has_text="Softmax").locator("canvas").count() == 0
    page.locator(".surface").focus()  # else Space may turn the switch off again
    page.keyboard.press("Space")  # nothing is played while it is hidden
    page.keyboard.press("ArrowRight")  # the first key shows which cell is meant
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".verdict")).to_have_text("Not this one.")
    shows(page, base, "weights")
    guess, answer = f"[{words[row]}, {words[wrong]}]", f"[{words[row]}, {words[best]}]"
    expect(page.locator(".strip .whose")).to_contain_text(guess)
    expect(page.get_by_role("button", name="Your guess")).to_contain_text(guess)
    expect(page.get_by_role("button", name="The answer")).to_contain_text(answer)
    said = page.locator("[aria-live=polite]", has_text="Not this one.")
    expect(said).to_contain_text(guess)
    expect(said).to_contain_text(answer)
    page.keyboard.press("ArrowUp")  # nobody guessed the cell above
    expect(page.locator(".verdict")).to_have_count(0)
    expect(page.locator("[aria-live=polite]", has_text="Not this one.")).to_have_count(0)
    page.keyboard.press("ArrowDown")
    expect(page.locator(".verdict")).to_have_text("Not this one.")
    page.get_by_role("button", name="The answer").click()
    expect(page.locator(".strip .whose")).to_have_text(answer)
    assert is_written(total(page), float(weights[row, best]), 3)


def test_the_decoder_is_one_map_and_three_sections_that_fold_and_fit(opened):
    page = opened(tab="decoder", site="decoder.0.self.1", cell="weights~2~3~1", size=(1280, 720))
    rail, here = page.locator(".rail"), page.locator(".map-cell[aria-current]")
    sections = page.locator(".section-name")
    expect(sections).to_have_count(3)
    expect(page.locator('.section-name[aria-expanded="true"]')).to_contain_text("Masked self-attention")
    for name, section in (("weights", "masked-self"), ("weights.2", "cross"), ("hidden", "ff"), ("probabilities", "")):
        to_step(page, name)
        if section:
            expect(here).to_have_attribute("data-section", section)
        assert rail.evaluate("node => node.scrollWidth <= node.clientWidth")
    expect(page.locator(".map-end[aria-current]")).to_have_text("next word: you are here")
    expect(page.locator(".map-block.here")).to_have_count(0)
    page.locator(".section-name", has_text="Cross-attention").click()
    expect(page.locator('.section[data-section="cross"] .stop')).to_have_count(10)
    page.get_by_role("button", name="Decoder 2: Cross-attention").click()
    expect(page.locator(".map-block.here")).to_contain_text("Decoder 2: you are here")
    expect(here).to_have_attribute("data-section", "cross")
    page.get_by_role("button", name="Encoder 2: Feed-forward").click()
    expect(page.locator('.tabs [data-tab="block"]')).to_have_attribute("aria-current", "true")
    expect(page.locator(".map-block.here")).to_contain_text("Encoder 2")


def test_a_hidden_not_writes_another_text_and_both_runs_lie_beside_each_other(opened, watch):
    page = opened(on="translate-en-zh", say="She did not buy this book yesterday.", tab="decoder")
    written, both = page.locator(".written"), page.get_by_role("button", name="Before and after")
    expect(stepper(page)).to_have_attribute("data-step", "weights.2")  # of a head that aligns
    expect(written).to_contain_text("It writes")
    expect(both).to_be_hidden()
    page.get_by_role("combobox", name="Hide").select_option(label="not")
    expect(written.locator(".written-word bdi")).to_have_text([*"她", "昨天", *"买了这本书。"])
    expect(written.locator(".written-word.new")).to_have_text(re.compile("了"))
    expect(written.locator("del")).to_have_text("没")
    expect(both).to_have_attribute("aria-pressed", "true")
    was, now = cells(page, "before"), cells(page)
    assert was != now and [row[2] for row in now] == ["0"] * len(now)  # nobody looks at “not”
    assert page.locator(".changed").count() > 0
    wrote, writes = (page.locator(".stage .labels").nth(at).locator(".writes") for at in (0, 1))
    assert wrote.all_text_contents() == [f" → {word}" for word in [*"她", "昨天", *"没买这本书。", "<end>"]]
    assert writes.all_text_contents() == [f" → {word}" for word in [*"她", "昨天", *"买买了本书。", "<end>"]]
    point_at(page, 4, 2)
    expect(page.locator(".strip .writes")).to_have_text("the row that read 买 writes 了")
    page.get_by_role("button", name="Difference").click()
    assert len(cells(page, "difference")) == len(now)
    both.click()
    expect(page.locator('.matrix[data-key="before"]')).to_have_count(0)
    page.locator(".edits").click()
    expect(page.locator(".edits")).to_be_hidden()
    expect(written).to_contain_text("It writes")
    assert cells(page) == was
    assert watch.errors == []


def test_on_a_telephone_each_row_of_a_decoder_has_what_it_writes_below_what_it_read(opened):
    says = {"on": "translate-en-zh", "say": "She did not buy this book yesterday.", "tab": "decoder"}
    page = opened(size=(390, 844), cell="weights.2~3~3~1", **says)
    rows = page.locator(".lb:has(.writes)")
    writes = ["她", "昨天", "没", "买", "这", "本", "书", "。", "<end>"]
    assert rows.locator(".writes").all_text_contents() == [f"→ {word}" for word in writes]
    expect(rows.first).to_have_text("<start>→ 她the row that read <start> writes 她")
    boxes = [one.bounding_box() for one in rows.all()]
    assert all(box["x"] >= 0 for box in boxes)
    assert all(above["y"] + above["height"] <= below["y"] + 2 for above, below in itertools.pairwise(boxes))
    to_step(page, "raw.2")  # its rows are flatter: the picked one says what it writes
    visible = page.locator(".lb .writes").evaluate_all("all => all.map((it) => getComputedStyle(it).visibility)")
    assert [at for at, it in enumerate(visible) if it == "visible"] == [2]


def test_a_silenced_head_that_changes_no_word_says_so_and_offers_to_silence_them_all(opened):
    page = opened(on="translate-en-zh", say="She did not buy this book yesterday.", tab="decoder")
    written = page.locator(".written")
    expect(written).to_contain_text("It writes")
    page.get_by_role("switch", name="Silence this head").click()
    expect(written).to_contain_text("No word changes: the other heads make up for it.")
    page.get_by_role("button", name="Silence all 8 heads").click()
    expect(written).not_to_contain_text("No word changes")
    assert written.locator("del").count() > 0
    expect(page.locator(".edits")).to_have_text("decoder 2, cross-attention, heads 1, 2, 3, 4, 5, 6, 7, 8 silenced")
    page.get_by_role("button", name="Reset", exact=True).click()
    expect(written).to_contain_text("It writes")


def test_no_row_lies_under_the_strip_where_a_sentence_takes_a_line(opened):
    page = opened(on="translate-en-zh", say="She did not purchase this blorp!", tab="decoder", size=(1280, 720))
    surface, strip = (page.locator(it).bounding_box() for it in (".surface", ".strip"))
    assert surface["y"] + surface["height"] <= strip["y"] + 2
    what = page.locator(".strip .what").bounding_box()
    assert what["y"] + what["height"] <= strip["y"] + strip["height"]
