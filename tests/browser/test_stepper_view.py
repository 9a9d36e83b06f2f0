"""The stepper in a file of its own: the numbers on the screen are Python's, and mouse and keyboard reach them."""

import base64
import math
import re

import pytest
import torch
from playwright.sync_api import Page, expect

import attnviz as av
from attnviz import views
from attnviz.explanation import chain, explain_cell
from attnviz.explanation.cell_rules import rotation_pairs
from attnviz.explanation.matrices import Chain
from attnviz.scratch.rebuilt import rebuilt
from attnviz.scratch.untrained import untrained
from attnviz.text import strings
from attnviz.views.stepper.chain_words import try_of
from tests.browser.conftest import menu_item, press_keys, said, spot
from tests.browser.layout import boxes
from tests.browser.live import wait_until
from tests.browser.stepper import cells, click, digits_of, drawn, is_near, is_written, point_at, stepper, to_step, total
from tests.parity.tiny_models import traced_model


@pytest.fixture(scope="module")
def trace():
    return av.load("reverse").trace("k a b c d")


@pytest.fixture(scope="module")
def self_attention(trace) -> Chain:
    return chain(trace, "self", "encoder.0.self", head=1)


@pytest.fixture
def opened(draw, trace, self_attention):
    """A factory: `opened("raw", 2, 1, size=…)` draws self-attention at a step, a row and a key."""

    def open_at(step: str, *place: int, **options) -> Page:
        return draw(views.stepper(self_attention, trace, views.At(step, *place)), **options)

    return open_at


def to_part(page: Page, at: int) -> None:
    """One part of this stop, from 0, such as a head: they lie side by side, and one press chooses one."""
    buttons = page.locator(".heading .segments").first.locator("button")
    if heads := page.locator(".heading .menu.beside option").count():  # a button a matrix, and a menu of its heads
        buttons.nth(at // heads).dispatch_event("click")
        page.locator(".heading .menu").select_option(index=at % heads)
    else:
        buttons.nth(at).dispatch_event("click")


@pytest.mark.parametrize("tab", ["self", "heads", "block"])
def test_every_number_on_the_screen_is_the_traces(draw, trace, tab):
    steps = chain(trace, tab, "encoder.0.self")
    page = draw(views.stepper(steps, trace))
    read = 0
    for at, step in enumerate(steps.steps):
        parts = [other for other in range(len(steps.steps)) if steps.steps[other].group == step.group]
        if at and steps.steps[at - 1].group != step.group:
            page.keyboard.press("ArrowRight")
        if len(parts) > 1:
            to_part(page, at - parts[0])
        expect(stepper(page)).to_have_attribute("data-step", re.compile(rf"^{step.name}(\.\d+)?$"))
        expect(page.locator(".try")).to_have_text(strings("en")(try_of(step, steps)).replace("_", ""))
        digits = digits_of(step.result)
        if step.rule == "scale":  # drawn on the scale of what is scaled, with its decimals
            digits = digits_of(step.operands[0].matrix)
        if not (printed := cells(page)):  # colours
            continue
        for row, numbers in enumerate(printed):
            for column, number in enumerate(numbers):
                value = float(step.result.values[row, column])
                assert is_near(number, value, digits), (step.key, row, column, number, value)
                read += 1
        if step.name == "self-norm":
            assert page.locator(".shapes dt").all_inner_texts() == ["X", "mean", "variance", "gain", "shift", "norm"]
            sizes = page.locator(".shapes .size").all_inner_texts()
            assert sizes == ["6 × 64", "6 × 1", "6 × 1", "1 × 64", "1 × 64", "6 × 64"]
        point_at(page, 1, 1)
        written = explain_cell(step, step.result.rows.start + 1, step.result.columns.start + 1)
        assert is_written(total(page), written.value), (step.key, total(page), written.value)
        assert not step.ids or f"[{step.ids[1]}" in page.locator(".strip").inner_text(), step.key
    assert read > 500


def test_pointing_at_a_cell_writes_it_out_and_a_click_keeps_it_from_step_to_step(opened, self_attention):
    page = opened("raw", 1, 2)
    step = self_attention["raw"]
    for key, operand in enumerate(step.operands):
        shown = cells(page, str(key))
        assert len(shown) >= 6 and len(shown[0]) >= 6
        for row, numbers in enumerate(shown):
            for column, number in enumerate(numbers):
                assert is_near(number, float(operand.values[row, column]), digits_of(operand.matrix))

    lit = page.locator('.matrix[data-key="0"] .cell.on')
    before = lit.count()
    for row, column, labels in ((0, 0, ["k", "k"]), (5, 5, ["<end>marks the end"] * 2), (4, 3, ["d", "c"])):
        point_at(page, row, column)
        expect(page.locator(".lb.on")).to_have_text(labels)
        ours = explain_cell(step, row, column)
        assert is_written(total(page), ours.value)
        *products, rest = page.locator(".strip .term .product").all_inner_texts()
        left = {term.label: term.product for term in ours.terms}
        for place, read in zip(page.locator(".strip .term .place").all_inner_texts(), products, strict=False):
            assert is_written(read, left.pop(str(int(place) - 1))), (place, read)
        assert is_written(rest, sum(left.values()))
        expect(page.locator(".strip .term.rest .place")).to_have_text(f"{len(left)} not listed")
    expect(page.locator(".surface.dimmed")).to_have_count(1)
    assert lit.count() == before == len(cells(page, "0")[0])
    page.mouse.move(5, 5)
    expect(page.locator(".surface.dimmed")).to_have_count(0)
    expect(page.locator(".lb.on")).to_have_text(["a", "b"])

    marks = page.locator(".surface .marks").nth(1).locator("rect")
    expect(marks).to_have_count(0)
    page.locator(".strip .term").nth(4).hover()  # its two factors
    expect(marks).to_have_count(2)
    expect(page.locator(".strip .term.hot .place")).to_have_text("5")
    page.mouse.move(5, 5)
    expect(marks).to_have_count(0)
    point_at(page, 4, 1, key="0")  # a number that goes in leads to its row or its column
    expect(page.locator(".strip .whose")).to_contain_text("[d, b]")
    point_at(page, 1, 5, key="1")
    expect(page.locator(".strip .whose")).to_contain_text("[a, <end>]")

    click(page, 3, 2)
    page.mouse.move(5, 5)
    expect(page.locator(".lb.on")).to_have_text(["c", "b"])
    picked = {"step": "raw", "row": 3, "key": 2, "feature": 0, "columns": "held"}
    assert said(page)[-1] == {**picked, "guessed": "", "present": ""}
    page.locator(".title").first.click()  # the arrows step again
    for name in ("scores", "masked", "weights"):
        to_step(page, name)
        expect(page.locator(".strip .whose")).to_contain_text("[c, b]")
    assert is_written(total(page), explain_cell(self_attention["weights"], 3, 2).value, 3)
    assert page.locator(".strip .term .place").all_inner_texts() == ["k", "a", "b", "c", "d", "<end>"]
    expect(page.locator(".strip .term.hot .place")).to_have_text("b")
    point_at(page, 2, 3)
    expect(page.locator(".strip .term.hot .place")).to_have_text("c")
    page.mouse.move(5, 5)
    to_step(page, "context")
    expect(page.locator(".strip .whose")).to_contain_text("of c, number 1")


def test_the_keyboard_alone_steps_enters_moves_and_leaves_and_a_screen_reader_hears_it(opened, self_attention):
    page = opened("raw", 2, 2)
    surface, whose = page.locator(".surface"), page.locator(".strip .whose")
    page.keyboard.press("ArrowRight")
    expect(stepper(page)).to_have_attribute("data-step", "scores")
    page.keyboard.press("ArrowLeft")
    expect(stepper(page)).to_have_attribute("data-step", "raw")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.classList.contains('surface')"):
            break
    expect(surface).to_be_focused()
    assert surface.get_attribute("aria-roledescription") == "matrix"
    assert surface.get_attribute("aria-label") == "Match queries with keys"
    told = page.locator("[aria-live=polite]").last
    for key, named, (row, column) in (
        ("Home", "[b, k]", (2, 0)),
        ("End", "[b, <end>]", (2, 5)),
        ("ArrowDown", "[c, <end>]", (3, 5)),
        ("ArrowLeft", "[c, d]", (3, 4)),
    ):
        page.keyboard.press(key)
        expect(whose).to_contain_text(named)
        expect(told).to_contain_text(f"{named}: {total(page)}, sum of 32 products. The largest part is ")
        assert is_written(total(page), explain_cell(self_attention["raw"], row, column).value)
    expect(stepper(page)).to_have_attribute("data-step", "raw")
    page.keyboard.press("Escape")
    expect(page.locator(".stepper .title").first).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(stepper(page)).to_have_attribute("data-step", "scores")


def test_the_list_of_keys_holds_the_keyboard_and_gives_the_focus_back(opened):
    page = opened("raw")
    page.keyboard.press("?")
    for words in ("Previous or next step", "Play or pause the rows", "Put back what was changed"):
        expect(page.locator("dialog")).to_contain_text(words)
    page.keyboard.press("ArrowRight")
    expect(stepper(page)).to_have_attribute("data-step", "raw")
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_be_hidden()
    expect(page.locator(".stepper .title").first).to_be_focused()
    button = page.get_by_role("button", name="Keys")
    button.click()
    page.keyboard.press("Escape")
    expect(button).to_be_focused()
    page.locator(".surface").focus()
    press_keys(page, "?", "Escape")
    expect(page.locator(".surface")).to_be_focused()


def test_a_very_long_token_is_shortened_in_the_strip_and_whole_in_its_title_and_markup_is_text(draw):
    trace = untrained().trace("a" * 300 + " end <img src=x onerror=alert(1)> </script> \u202eabc")
    page = draw(views.stepper(chain(trace, "self"), trace, views.At("weights", 0, 0)))
    name = page.locator(".strip .whose bdi").first
    full = name.get_attribute("title")
    assert len(full) == 300
    expect(name).to_have_text(full[:19] + "…")
    is_inside = """(strip) => { const {bottom} = strip.getBoundingClientRect();
        return [...strip.querySelectorAll('*')].every((one) => one.getBoundingClientRect().bottom <= bottom + 1); }"""
    assert page.locator(".strip").evaluate(is_inside)
    expect(page.locator(".lb").first).to_be_visible()
    assert page.locator("img").count() == 0


def test_who_wants_no_motion_sees_a_weight_turned_at_once_and_rows_one_by_one(opened):
    page = opened("q", 1, reduced_motion="reduce")
    stored, turned = boxes(page.locator(".turned canvas"))
    assert (round(turned["width"]), round(turned["height"])) == (round(stored["height"]), round(stored["width"]))

    page.clock.install()
    to_step(page, "raw")
    for key, rows in ((".", 3), (".", 4), (",", 3)):
        page.keyboard.press(key)
        assert drawn(page) == rows * 6
    expect(page.locator(".strip .whose")).to_contain_text("[b, ")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.clock.run_for(7 * 900)
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    assert drawn(page) == 6 * 6
    click(page, 2, 1)
    page.get_by_role("button", name="Row below").click()
    assert drawn(page) == 4 * 6
    expect(page.locator(".strip .whose")).to_contain_text("[c, ")


def test_rows_are_played_one_by_one_while_what_goes_in_stays(opened):
    page = opened("raw", reduced_motion="no-preference")
    page.clock.install()
    whole, above = cells(page), cells(page, "1")
    page.get_by_role("button", name="Play").click()
    wait_until(lambda: drawn(page) < 6 * 6, 45)
    assert cells(page, "1") == above
    page.clock.run_for(30_000)
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    assert drawn(page) == 6 * 6
    assert cells(page) == whole


def test_from_13_tokens_colours_stand_in_the_cells_and_the_number_comes_with_the_pointer(draw):
    trace = av.load("reverse").trace("a b c d e f g h i j k l m n")
    steps = chain(trace, "self")
    page = draw(views.stepper(steps, trace, views.At("weights", 3, 2)))
    expect(page.locator(".num")).to_have_count(0)
    fields = page.locator("canvas.field")
    expect(fields).to_have_count(2)
    n = len(trace.tokens.source)
    page.mouse.move(*spot(fields.last, 4.5 / n, 9.5 / n))
    expect(page.locator(".strip .whose")).to_contain_text("[j, e]")
    assert is_written(total(page), float(steps["weights"].result.values[9, 4]), 3)


def test_of_a_wide_matrix_a_part_is_drawn_that_moves_with_the_cell_and_by_its_buttons(opened, self_attention):
    page = opened("q", 0, 0, 10)
    assert page.locator(".shapes dt").first.inner_text() == "norm"  # what a block multiplies that begins with one
    expect(page.locator(".formulas math").last).to_contain_text("norm")
    mover = page.locator(".mover").last
    expect(mover).to_contain_text("1–12 / 32")
    page.locator(".surface").focus()
    press_keys(page, *["ArrowRight"] * 3)
    expect(mover).to_contain_text("3–14 / 32")
    expect(page.locator(".strip .whose")).to_contain_text("number 14")
    expect(page.locator(".surface")).to_be_focused()
    mover.get_by_role("button").last.click()
    expect(mover).to_contain_text("15–26 / 32")
    expect(mover.get_by_role("button").last).to_be_focused()  # the one that took its place
    step = self_attention["q"]
    assert is_near(cells(page)[0][0], float(step.result.values[0, 14]), digits_of(step.result))
    page.get_by_role("button", name="Show all").click()
    expect(page.locator("canvas.field")).to_have_count(4)  # X, W_Q, b_Q, Q
    page.get_by_role("button", name="Show all").click()
    assert len(cells(page)[0]) == 12


def test_on_a_telephone_every_step_can_be_read_and_taken_and_nothing_is_cut_off_or_covered(opened, self_attention):
    page = opened("tokens", size=(390, 844), has_touch=True)
    for step in ("tokens", "embed", "q", "weights", "context"):
        to_step(page, step)
        for parts in (".strip :is(.term, .total, .line b)", "svg.over .mt"):
            shown = boxes(page.locator(parts))
            assert shown and all(box["left"] >= 0 and box["right"] <= 391 for box in shown), (step, parts)
        terms = page.locator(".strip .term").evaluate_all("all => all.map((one) => [one.clientWidth, one.scrollWidth])")
        assert all(wide >= 40 and content <= wide for wide, content in terms), step
    to_step(page, "raw")
    expect(page.locator(".num")).to_have_count(0)
    expect(page.get_by_text("Tap a cell for its number.")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    cell = page.locator('.matrix[data-key="result"] .cell').nth(7)  # row 1, column 1 of 6
    assert cell.bounding_box()["width"] >= 8
    page.touchscreen.tap(*spot(cell))
    expect(page.locator(".strip .whose")).to_contain_text("[a, a]")
    assert is_written(total(page), explain_cell(self_attention["raw"], 1, 1).value)
    page.get_by_role("button", name="Go on").tap()
    expect(stepper(page)).to_have_attribute("data-step", "scores")


def test_a_matrix_is_copied_as_a_table(opened, self_attention):
    page = opened("raw")
    page.evaluate("() => { navigator.clipboard.writeText = async (text) => { window.copied = text; } }")
    menu_item(page, "Copy as table").click()
    page.wait_for_function("() => window.copied")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Save or copy")).to_be_focused()
    lines = [line.split("\t") for line in page.evaluate("() => window.copied").split("\n")]
    assert lines[0] == ["raw", "k", "a", "b", "c", "d", "<end>"]
    raw = self_attention["raw"].result.values
    assert torch.equal(torch.tensor([float(number) for number in lines[3][1:]]), raw[2].float())


def test_the_stored_weight_turns_over_once_in_a_chain(opened, self_attention):
    page = opened("q", 1, 0, 2)
    figure = page.locator(".side .turned")
    expect(figure).to_have_count(1)
    shapes = [" ".join(it.split()) for it in figure.locator(".called").all_inner_texts()]
    assert shapes == ["WQᵀ 32 × 64", "WQ 64 × 32"]
    stored = figure.locator("canvas").first.bounding_box()
    has_turned = """([width, height]) => { const drawn = document.querySelectorAll('.side .turned canvas')[1];
      const box = drawn.getBoundingClientRect();
      return Math.round(box.width) === height && Math.round(box.height) === width; }"""
    page.wait_for_function(has_turned, arg=[round(stored["width"]), round(stored["height"])])
    for name in ("k", "v", "raw"):
        to_step(page, name)
        expect(figure).to_have_count(0)


def test_an_answer_that_comes_while_the_temperature_is_moved_does_not_move_it_back(draw, trace, self_attention):
    controls = {
        "tab": "self", "tabs": ["self"], "site": "encoder.0.self", "sites": [], "head": 1, "heads": 2, "n_heads": 2,
        "tokens": [], "keys": {"encoder.0.self": "source"}, "can": ["temperature"], "isChanged": False, "looks": [],
        "whatif": {"heads": {"encoder.0.self": {"temperature": 1.0, "hide": []}}, "silenced": [], "scope": ""},
    }  # fmt: skip
    page = draw(views.stepper(self_attention, trace, views.At("weights"), controls=controls))
    slider = page.get_by_role("slider", name="Attention τ")
    slider.evaluate("""(it) => {
      it.value = -0.3;
      it.dispatchEvent(new Event('input'));
      mounted.update(payload); // of another change, at temperature 1
    }""")
    expect(slider).to_have_attribute("aria-valuetext", "0.50")
    page.wait_for_function("() => window.said?.some(({ask}) => ask)")
    assert [one["ask"]["temperature"] for one in said(page) if "ask" in one] == [0.5]


def test_where_a_switch_takes_the_step_out_the_nearest_before_it_is_shown(draw, trace, self_attention):
    block = chain(trace, "block", "encoder.0.self")
    names, left = [step.name for step in block.steps], [step.name for step in self_attention.steps]
    before = [name for name in names[: names.index("active")] if name in left]
    page = draw(views.stepper(block, trace, views.At("active")))
    expect(stepper(page)).to_have_attribute("data-step", "active")
    page.evaluate(
        """(text) => { const payload = unpack(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)));
          payload.header.keeps_place = true;
          mounted.update(payload) }""",
        base64.b64encode(views.stepper(self_attention, trace).payload).decode(),
    )
    expect(stepper(page)).to_have_attribute("data-step", before[-1])
    assert before[-1] != left[0]


@pytest.fixture(scope="module")
def rotated():
    trace = rebuilt(traced_model("qwen3")).trace("A cat sat.")
    return trace, chain(trace, "self", head=0)


def test_a_rotation_is_shown_by_its_arrows_and_turned_to_any_position_by_hand(draw, rotated):
    trace, steps = rotated
    step = next(step for step in steps.steps if step.name == "q-rotated")
    page = draw(views.stepper(steps, trace, views.At("q-rotated", 2, 0, 1)))
    pairs, board = rotation_pairs(step), stepper(page)
    expect(board.locator(".arrows .pair")).to_have_count(len(pairs))
    frequency = float(step.extras["frequency"].values[0, pairs[1][0]])

    def reads(row: int, position: int) -> None:
        """The strip says the angle and both numbers of the second pair, as a calculator makes them from the run's."""
        x, y = (float(step.operands[0].values[row, column]) for column in pairs[1])
        angle = position * frequency
        after = x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)
        printed = board.locator(".turning .bracketed").last.locator("b, span:not(:has(*))")
        expect(board.locator(".rotated .angle")).to_contain_text(f"{position} ×")
        for number, exact in zip(printed.all_inner_texts(), after, strict=True):
            assert is_written(number, exact)

    reads(2, 2)
    reads_moved = board.locator(".what", has_text="as at position 3; in the text it is 2")
    expect(reads_moved).to_have_count(0)
    board.locator(".movers input[type=range]").focus()
    press_keys(page, "ArrowRight")
    expect(reads_moved).to_be_visible()
    reads(2, 3)
    board.locator(".movers .segments button").nth(1).click()
    expect(reads_moved).to_have_count(0)
    reads(1, 1)
    board.get_by_role("button", name="Numbers").click()
    expect(board.locator(".arrows .pair")).to_have_count(0)
    assert len(cells(page)) == step.result.rows.size


def test_the_heads_of_a_group_are_walked_and_each_finds_the_keys_that_it_reads(draw):
    trace = rebuilt(traced_model("qwen3")).trace("A cat sat.")
    record = trace["decoder.0.self"]
    keys, last = record.source.k.shape[0], record.n_heads - 1
    steps = chain(trace, "heads", "decoder.0.self")
    page = draw(views.stepper(steps, trace))
    assert keys < record.n_heads
    for name in dict.fromkeys(step.name for step in steps.steps):
        to_step(page, name)
        menu = page.locator(".heading .menu.beside")
        if not menu.count() or menu.is_hidden():
            continue
        buttons, shown = page.locator(".heading .segments").first.locator("button"), menu.locator("option:checked")
        for head, key_head in ((last, keys), (0, 1)):
            buttons.first.click()  # the queries
            menu.select_option(index=head)
            buttons.nth(1).click()  # the keys
            expect(shown).to_have_text(re.compile(rf"{key_head}$"))


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
def test_grouped_heads_are_named_with_what_they_share_at_every_step(draw, size):
    trace = rebuilt(traced_model("llama")).trace("A cat sat.")  # 4 heads, 2 of keys and values
    steps = chain(trace, "heads", "decoder.0.self")
    page = draw(views.stepper(steps, trace), size=size)
    shared = ["group 1: heads 1–2 share K₁ and V₁", "group 2: heads 3–4 share K₂ and V₂"]
    is_wide = size[0] > 1000

    def named() -> list[str]:
        texts = stepper(page).locator(".key-group text").all_text_contents()
        return list(dict.fromkeys(texts if is_wide else [text[: len("group 1")] for text in texts]))

    whole = shared if is_wide else [text[: len("group 1")] for text in shared]
    to_step(page, "split")
    for matrix in range(3):  # Q, K, V
        page.locator(".heading .segments button").nth(matrix).dispatch_event("click")
        assert named() == whole
    to_step(page, "q-rotated")
    page.locator(".heading .menu").select_option(index=2)
    assert named() == [whole[1]]  # of the head whose arrows they are
    page.get_by_role("button", name="Numbers").click()
    for name in ("q-rotated", "k-rotated", "raw", "scores", "masked", "weights", "context", "concat"):
        to_step(page, name)
        assert named() == whole, name
    to_step(page, "out")
    assert named() == []


def test_heads_that_are_joined_are_groups_also_where_only_one_was_walked(draw):
    trace = rebuilt(traced_model("llama")).trace("A cat sat.")
    page = draw(views.stepper(chain(trace, "decoder", "decoder.0.self", head=2), trace))
    to_step(page, "concat")
    named = stepper(page).locator(".key-group text")
    assert named.all_text_contents() == ["group 1: heads 1–2", "group 2: heads 3–4 share K₂ and V₂"]
    to_step(page, "active")
    assert "SiLU" in page.locator(".names .op").all_text_contents()


def test_a_step_after_the_arrows_has_the_whole_stage(draw):
    trace = rebuilt(traced_model("llama")).trace("A cat sat.")
    steps = chain(trace, "heads", "decoder.0.self")
    page = draw(views.stepper(steps, trace, views.At("raw")))
    surface = stepper(page).locator(".surface")
    high = surface.bounding_box()["height"]
    press_keys(page, "ArrowLeft")
    expect(stepper(page)).to_have_attribute("data-step", re.compile("^k-rotated"))
    press_keys(page, "ArrowRight")
    assert surface.bounding_box()["height"] == high


def test_what_was_changed_is_said_whole_where_it_does_not_fit(draw, trace, self_attention):
    changes = ["all layers", "no causal mask", "not divided by √dₖ", "θ = 10,000", "“want” hidden"]
    page = draw(views.stepper(self_attention, trace, views.At("raw"), edits=changes * 2), size=(1280, 800))
    chip, whole = page.locator(".edits"), page.locator(".changed-list")
    expect(chip).to_have_class(re.compile("cut"))
    expect(whole).to_be_hidden()
    chip.click()
    expect(whole.locator("li")).to_have_text(changes * 2)
    expect(whole).to_be_visible()
    page.keyboard.press("Escape")
    expect(whole).to_be_hidden()
    expect(chip).to_be_focused()
    page.set_viewport_size({"width": 2600, "height": 900})
    expect(chip).not_to_have_class(re.compile("cut"))
