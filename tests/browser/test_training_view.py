"""The training view by hand: scrubbing and playing time, choosing heads and cells, two runs, and every odd state."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import torch
from playwright.sync_api import Browser, Locator, Page, expect

from attnviz import views
from attnviz.training import TASKS
from attnviz.training.bundled_models import FOLDER
from attnviz.training.head_formation import HeadFormation, head_formation, pending_formation
from attnviz.views import Moment
from tests.browser.conftest import SILENT, WAIT_MS, menu_item
from tests.browser.test_axe import findings

TEXTS = {
    "reverse": "k w p a 3 d", "induction": "b f c d p i h b f c d p",
    "translate-en-zh": "the teacher did not buy two books yesterday",
}  # fmt: skip


@pytest.fixture(scope="module")
def runs() -> Iterator[dict[str, HeadFormation]]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield {name: head_formation(FOLDER / name, text) for name, text in TEXTS.items()}
    torch.set_num_threads(before)


def until(run: HeadFormation, step: int, outcome: str) -> HeadFormation:
    """The run as it stood at a step."""
    n = sum(own <= step for own in run.checkpoints)
    return replace(
        run, outcome=outcome, revision=f"{step}", log=tuple(point for point in run.log if point.step <= step),
        checkpoints=run.checkpoints[:n], weights=run.weights[:n], scores=run.scores[:, :n],
    )  # fmt: skip


def said(page: Page) -> list[dict[str, int | str]]:
    """Everything the view said is picked, oldest first."""
    return page.evaluate("window.said ?? []")  # type: ignore[no-any-return]


def moment(page: Page) -> str:
    """The step and the head on the screen: "750/1.0"."""
    return page.locator("[data-moment]").get_attribute("data-moment") or ""


def step(page: Page) -> int:
    return int(moment(page).split("/")[0])


def percent(share: float) -> str:
    if share >= 0.01:
        return f"{np.floor(share * 100 + 0.5):.0f}%"
    return "<1%" if share >= 0.0005 else "0%"


def middle(part: Locator) -> tuple[float, float]:
    box = part.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


# --------------------------------------------------------------------------------------------------------------- time


def test_arrows_go_from_checkpoint_to_checkpoint_and_stop_at_the_ends(draw, runs) -> None:
    run = runs["induction"]
    page = draw(views.training([run]))
    assert step(page) == run.checkpoints[-1]
    page.keyboard.press("ArrowRight")
    assert step(page) == run.checkpoints[-1]
    page.keyboard.press("ArrowLeft")
    assert step(page) == run.checkpoints[-2]
    page.keyboard.press("Home")
    assert step(page) == 0
    page.keyboard.press("ArrowRight")
    assert step(page) == run.checkpoints[1]
    expect(page.locator(".title.step")).to_contain_text(f"Step {run.checkpoints[1]}")
    page.keyboard.press("End")
    assert said(page)[-1]["step"] == run.checkpoints[-1]


def test_a_click_and_a_drag_in_the_chart_snap_to_the_nearest_checkpoint(draw, runs) -> None:
    run = runs["induction"]
    page = draw(views.training([run]))
    for target in (run.checkpoints[-1], run.checkpoints[5]):
        page.keyboard.press("End")
        while step(page) != target:
            page.keyboard.press("ArrowLeft")
    x, _ = middle(page.locator(".knob"))  # above checkpoint 5
    box = page.locator(".chart").bounding_box()
    assert box
    y = box["y"] + box["height"] * 0.6
    page.keyboard.press("End")
    page.mouse.click(x + 3, y)
    assert step(page) == run.checkpoints[5]
    before = len(said(page))
    page.mouse.move(x, y)
    page.mouse.down()
    seen = set()
    for at in np.linspace(x, box["x"] + box["width"] - 200, 40):
        page.mouse.move(at, y)
        seen.add(step(page))
    assert seen <= set(run.checkpoints) and len(seen) >= 8
    assert len(said(page)) == before  # nothing is said before the cursor is let go
    page.mouse.up()
    assert len(said(page)) == before + 1 and said(page)[-1]["step"] == step(page)


def test_space_plays_to_the_end_and_says_once_where_it_stopped(draw, runs) -> None:
    run = runs["induction"]
    page = draw(views.training([run], Moment(step=0)))
    page.keyboard.press("Space")
    expect(page.locator(".play")).to_contain_text("Pause")
    expect(page.locator("[data-moment]")).to_have_attribute("data-moment", re.compile(f"^{run.checkpoints[-1]}/"))
    expect(page.locator(".play")).to_contain_text("Play")
    assert [own["step"] for own in said(page)] == [run.checkpoints[-1]]
    page.keyboard.press("Space")  # from the end it begins again
    page.wait_for_function("() => Number(document.querySelector('[data-moment]').dataset.moment.split('/')[0]) < 1500")
    page.keyboard.press("Space")
    expect(page.locator(".play")).to_contain_text("Play")


@pytest.mark.parametrize(("motion", "each"), [("no-preference", 140), ("reduce", 400)])
def test_playing_is_slower_where_less_motion_is_asked_for(draw, runs, motion: str, each: int) -> None:
    run = runs["induction"]
    page = draw(views.training([run], Moment(step=0)), reduced_motion=motion)
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    page.keyboard.press("Space")
    page.clock.run_for(each - 1)
    assert step(page) == 0
    page.clock.run_for(2)
    assert step(page) == run.checkpoints[1]
    page.clock.run_for(3 * each)
    assert step(page) == run.checkpoints[4]


def test_the_cursor_is_a_slider_that_says_its_step(draw, runs) -> None:
    run = runs["reverse"]
    page = draw(views.training([run], Moment(step=500)))
    slider = page.get_by_role("slider", name="Checkpoint")
    expect(slider).to_have_attribute("aria-valuetext", "Step 500 of 1500")
    expect(slider).to_have_attribute("aria-valuemax", str(len(run.checkpoints) - 1))
    slider.focus()
    page.keyboard.press("ArrowUp")
    expect(slider).to_have_attribute("aria-valuenow", str(run.checkpoints.index(500) + 1))
    page.keyboard.press("ArrowDown")
    expect(slider).to_have_attribute("aria-valuetext", "Step 500 of 1500")


def test_the_axes_can_be_bent_and_the_moment_stays(draw, runs) -> None:
    page = draw(views.training([runs["induction"]], Moment(step=188)))
    place = middle(page.locator(".knob"))
    page.get_by_role("button", name="Logarithmic axis for the steps").click()
    assert middle(page.locator(".knob"))[0] < place[0] - 200 and step(page) == 188
    curve = page.locator(".line.mean").get_attribute("d")
    page.get_by_role("button", name="Logarithmic axis for the loss").click()
    assert page.locator(".line.mean").get_attribute("d") != curve and step(page) == 188


# ----------------------------------------------------------------------------------------------------- heads and cells


def test_every_head_is_a_button_named_by_what_it_does(draw, runs) -> None:
    run = runs["translate-en-zh"]
    page = draw(views.training([run]))
    for layer in range(2):
        for head in range(4):
            share = percent(float(run.scores[-1, -1, layer, head]))
            name = f"Layer {layer + 1} head {head + 1}, alignment {share}"
            expect(page.get_by_role("button", name=name, exact=True)).to_be_visible()
    page.keyboard.press("Home")
    expect(page.get_by_role("button", name="Layer 1 head 1, no clear pattern", exact=True)).to_be_visible()


def test_heads_are_chosen_by_click_number_and_arrows(draw, runs) -> None:
    page = draw(views.training([runs["translate-en-zh"]], Moment(step=1000, layer=1, head=2)))
    page.locator(".thumb").nth(1).click()
    assert moment(page) == "1000/0.1"
    assert said(page)[-1] | {"query": 0, "key": 0} == {
        "step": 1000, "layer": 0, "head": 1, "site": "decoder.0.cross", "query": 0, "key": 0, "run": 0,
    }  # fmt: skip
    page.keyboard.press("ArrowDown")  # the focus is in the grid
    assert moment(page) == "1000/1.1"
    expect(page.locator(".thumb").nth(9)).to_be_focused()  # eight heads a layer
    page.keyboard.press("9")
    assert moment(page) == "1000/1.0"
    page.keyboard.press("8")
    assert moment(page) == "1000/0.7"
    page.keyboard.press("BracketLeft")
    assert moment(page) == "1000/0.6"
    page.locator(".knob").focus()
    page.keyboard.press("BracketRight")
    page.keyboard.press("ArrowRight")  # time still, not the grid
    assert moment(page) == "1500/0.7"
    page.keyboard.press("BracketLeft")
    expect(page.locator(".detail .title")).to_have_text("Layer 1, head 7")


def test_the_number_of_a_head_that_is_not_there_changes_nothing(draw, runs) -> None:
    page = draw(views.training([runs["reverse"]], Moment(step=1500, layer=0, head=1)))
    page.keyboard.press("9")
    assert moment(page) == "1500/0.1"
    page.keyboard.press("1")
    assert moment(page) == "1500/0.0"


def test_the_reading_prints_the_exact_weight_now_and_at_the_beginning(draw, runs) -> None:
    run = runs["induction"]
    layer, head, query, key = 1, 0, 8, 2
    page = draw(views.training([run], Moment(188, layer, head, query, key)))
    for at, own in enumerate(run.checkpoints):
        page.keyboard.press("Home")
        for _ in range(at):
            page.keyboard.press("ArrowRight")
        text = page.locator(".reading").inner_text()
        now, first = (percent(float(run.weights[c, layer, head, query, key])) for c in (at, 0))
        assert text.startswith(f"At step {own}, b") and f" {now}\n" in text, text
        assert f"at step 0: {first}" in text


def test_a_hovered_cell_is_read_and_the_picked_one_comes_back(draw, runs) -> None:
    run = runs["translate-en-zh"]
    page = draw(views.training([run], Moment(2500, 1, 2, 1, 7)))
    picked = page.locator(".reading").inner_text()
    assert "昨天" in picked and "yesterday" in picked
    box = page.locator(".stop").bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] * 1.5 / len(run.keys), box["y"] + box["height"] * 0.5 / len(run.queries))
    expect(page.locator(".reading")).to_contain_text("老师")
    expect(page.locator(".reading")).to_contain_text("teacher")
    expect(page.locator(".map .columnname[data-level=strong]")).to_have_text("teacher")
    page.mouse.move(5, 5)
    assert page.locator(".reading").inner_text() == picked
    assert said(page) == []


def test_arrows_move_the_cell_in_the_map_and_no_query_looks_ahead(draw, runs) -> None:
    page = draw(views.training([runs["induction"]], Moment(1500, 1, 0, 8, 2)))
    page.locator(".stop").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    assert (said(page)[-1]["query"], said(page)[-1]["key"]) == (7, 3)
    for _ in range(9):
        page.keyboard.press("ArrowRight")
    assert (said(page)[-1]["query"], said(page)[-1]["key"]) == (7, 7)
    assert step(page) == 1500
    page.keyboard.press("Escape")
    expect(page.locator(".knob")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    assert step(page) < 1500


def test_where_the_known_answer_lies_is_said(draw, runs) -> None:
    page = draw(views.training([runs["reverse"]], Moment(1500, 0, 1, 2, 3)))
    expect(page.locator(".reading")).to_contain_text("the known answer")
    page.keyboard.press("Comma")
    assert said(page)[-1]["query"] == 1
    expect(page.locator(".reading")).not_to_contain_text("the known answer")
    expect(page.locator(".reading")).to_contain_text("most: 3")
    translated = draw(views.training([runs["translate-en-zh"]]))
    expect(translated.locator(".known")).to_be_hidden()
    expect(translated.locator(".lesson")).to_contain_text("need not align")


def test_why_two_heads_form_is_said_with_the_curves_numbers_at_the_cursor(draw, runs) -> None:
    page = draw(views.training([runs["induction"]]))
    lesson = page.locator(".lesson")
    said_at = {}
    for key in ("End", "Home"):
        page.locator("[role=slider]").first.press(key)
        for name in page.locator(".end.answer-previous, .end.answer-induction").all_inner_texts():
            expect(lesson).to_contain_text(f"{name.split()[-1]} ")
        for share in page.locator(".at.answer-previous, .at.answer-induction").all_text_contents():
            expect(lesson).to_contain_text(share)
        said_at[key] = lesson.inner_text()
    assert said_at["End"] != said_at["Home"]


def test_a_line_has_its_name_at_its_end_and_its_number_at_the_cursor(draw, runs) -> None:
    run = runs["induction"]
    page = draw(views.training([run]))
    at = page.locator(".at.loss-only")
    numbers = {}
    for key in ("Home", "End"):
        page.locator("[role=slider]").first.press(key)
        cursor, box = page.locator(".cursor line").bounding_box(), at.bounding_box()
        assert min(abs(box["x"] - cursor["x"]), abs(box["x"] + box["width"] - cursor["x"])) < 20
        numbers[key] = at.text_content()
    assert numbers["Home"] != numbers["End"]
    assert not any(number in name for number in numbers.values() for name in page.locator(".end").all_inner_texts())


def test_the_map_is_copied_as_a_table_that_reads_back(draw, runs) -> None:
    run = runs["reverse"]
    page = draw(views.training([run], Moment(1500, 0, 1)), permissions=["clipboard-read", "clipboard-write"])
    menu_item(page, "Copy as table", ".detail").click()
    expect(page.locator(".takemenu:popover-open [role=status]")).to_have_text("Done.")
    lines = [line.split("\t") for line in page.evaluate("navigator.clipboard.readText()").split("\n")]
    assert lines[0] == ["Layer 1, head 2", *run.keys.text] and [line[0] for line in lines[1:]] == list(run.queries.text)
    numbers = np.array([[float(cell) for cell in line[1:]] for line in lines[1:]])
    assert np.array_equal(numbers.astype(np.float32), run.weights[-1, 0, 1])


# ------------------------------------------------------------------------------------------------------------ two runs


def test_two_runs_lie_over_each_other_and_the_maps_are_those_of_the_chosen_one(draw, runs) -> None:
    other = replace(until(runs["induction"], 562, "stopped"), id="other", label="without positions")
    page = draw(views.training([runs["induction"], other], Moment(1500, 1, 1)))
    expect(page.locator(".line.mean")).to_have_count(2)
    first, second = page.locator(".which button").all()
    expect(first).to_have_text(re.compile("● A Induction, 100% of 64 right"))
    second.click()
    assert said(page)[-1]["run"] == 1 and said(page)[-1]["step"] == 562
    expect(second).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".state")).to_have_text("Stopped at step 562")
    ends = page.locator(".end").all_inner_texts()
    assert any(text.startswith("● A") for text in ends) and any(text.startswith("◇ B") for text in ends)
    dashes = page.locator(".line.mean").evaluate_all("(nodes) => nodes.map((n) => getComputedStyle(n).strokeDasharray)")
    assert dashes[0] == "none" and dashes[1] != "none"


def test_a_run_with_fewer_heads_takes_the_nearest_head_there_is(draw, runs) -> None:
    page = draw(views.training([runs["translate-en-zh"], runs["reverse"]], Moment(2500, 1, 3)))
    page.locator(".which button").nth(1).click()
    assert moment(page) == "1500/0.1"
    expect(page.locator(".thumb")).to_have_count(2)


# -------------------------------------------------------------------------------------------------------------- states


def test_a_phase_change_is_marked_with_its_numbers_and_where_there_is_none_nothing_is(draw, runs) -> None:
    page = draw(views.training([runs["induction"]]))
    expect(page.locator(".band")).to_have_count(1)
    expect(page.get_by_role("img", name="Phase change, loss down by")).to_be_visible()
    words = " ".join(page.locator("text.phase").all_text_contents())
    assert re.fullmatch(r"Phase change loss down by \d\.\d, induction \d+% → \d+%", words), words
    flat = replace(runs["induction"], scores=np.full_like(runs["induction"].scores, 0.5))
    none = draw(views.training([flat]))
    expect(none.locator(".band")).to_have_count(0)
    expect(none.locator("text.phase")).to_have_count(0)


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        ("training", "Training… shown at its checkpoints"), ("stopped", "Stopped at step 60"),
        ("out of time", "Out of time at step 60"),
        ("diverged", "The loss diverged at step 60. A smaller learning rate helps."),
    ],
)  # fmt: skip
def test_a_training_that_did_not_end_as_planned_says_so(draw, runs, outcome: str, words: str) -> None:
    page = draw(views.training([until(runs["induction"], 60, outcome)]))
    expect(page.locator(".state")).to_have_text(words)
    assert step(page) == 47


def test_before_the_first_checkpoint_and_without_a_training_there_is_a_sentence(draw) -> None:
    waiting = pending_formation(TASKS["induction"], TASKS["induction"].plan)
    page = draw(views.training([waiting], notice="Two trainings are before yours."))
    expect(page.locator(".empty")).to_have_text("No checkpoint yet. The heads appear with the first one.")
    expect(page.locator(".notice")).to_have_text("Two trainings are before yours.")
    expect(page.locator(".knob")).to_be_hidden()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowLeft")
    nothing = draw(views.training([]))
    expect(nothing.locator(".empty")).to_have_text("No training to show yet. Choose a task and start one.")
    assert said(page) == said(nothing) == []


def test_a_training_that_goes_on_keeps_what_the_person_picked_and_follows_at_the_end(
    chromium: Browser, runs: dict[str, HeadFormation], tmp_path: Path
) -> None:
    before, after = (views.training([until(runs["induction"], at, "training")]) for at in (60, 400))
    path = tmp_path / "live.html"
    kept = f"{SILENT} window.unpack = unpack; window.shown = view;"
    path.write_text(before.html().replace(SILENT, kept), encoding="utf-8")
    context = chromium.new_context(bypass_csp=True, viewport={"width": 1440, "height": 900})
    context.set_default_timeout(WAIT_MS)
    page = context.new_page()
    later = base64.b64encode(after.payload).decode()
    update = "(text) => window.shown.update(window.unpack(Uint8Array.from(atob(text), (c) => c.charCodeAt(0))))"
    page.goto(path.as_uri())
    expect(page.locator(f"[data-ready='{before.revision}']")).to_be_visible()
    page.evaluate(update, later)
    expect(page.locator(f"[data-ready='{after.revision}']")).to_be_visible()
    assert step(page) == 375  # it stood on the newest checkpoint, and follows
    page.reload()
    expect(page.locator(f"[data-ready='{before.revision}']")).to_be_visible()
    page.keyboard.press("1")
    page.keyboard.press("ArrowLeft")
    page.evaluate(update, later)
    expect(page.locator(f"[data-ready='{after.revision}']")).to_be_visible()
    assert moment(page) == "23/0.0"
    context.close()


# ----------------------------------------------------------------------------------------------------------- the screen


@pytest.mark.parametrize(
    ("name", "size", "scale"),
    [
        ("translate-en-zh", (1280, 760), "normal"),
        ("translate-en-zh", (1920, 1080), "projector"),
        ("induction", (1440, 900), "normal"),
        ("reverse", (1280, 760), "normal"),
    ],
)
def test_nothing_scrolls_and_nothing_is_cut_off(draw, runs, name: str, size: tuple[int, int], scale: str) -> None:
    page = draw(views.training([runs[name]], size=scale), size=size)
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for part in (".thumb", ".end", ".stop", ".map .rowname, .map .columnname", ".reading", ".trail", ".lesson"):
        for box in page.locator(part).evaluate_all(
            "(nodes) => nodes.map((node) => node.getBoundingClientRect().toJSON())"
        ):
            assert box["left"] >= -1 and box["right"] <= size[0] + 1, (part, box)
            assert box["bottom"] <= size[1] + 1, (part, box)
    assert page.locator(".reading").evaluate("(node) => node.scrollHeight <= node.clientHeight + 1")


def test_in_a_low_window_the_page_scrolls_and_the_map_stays_a_map(draw, runs) -> None:
    page = draw(views.training([runs["translate-en-zh"]], size="projector"), size=(1280, 560))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    cells = page.locator(".stop").bounding_box()
    assert cells and cells["height"] > 150


@pytest.mark.parametrize(
    ("name", "language"), [("reverse", "zh-TW"), ("induction", "zh-CN"), ("translate-en-zh", "en")]
)
def test_a_phone_scrolls_down_only_and_names_the_lines_in_a_list(draw, runs, name: str, language: str) -> None:
    page = draw(views.training([runs[name]], lang=language), size=(390, 844), has_touch=True)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(page.locator(".end")).to_have_count(0)
    assert page.locator(".named li").count() >= 2
    sizes = page.locator(".thumb").evaluate_all("(nodes) => nodes.map((node) => node.getBoundingClientRect().width)")
    assert min(sizes) >= 44
    assert page.locator(".reading").evaluate("(node) => node.scrollHeight <= node.clientHeight + 1")


def test_names_at_the_ends_of_lines_keep_their_distance(draw, runs) -> None:
    for name in TEXTS:
        page = draw(views.training([runs[name]]))
        tops = sorted(page.locator(".end").evaluate_all("(nodes) => nodes.map((n) => n.getBoundingClientRect().top)"))
        assert all(below - above >= 14 for above, below in pairwise(tops)), (name, tops)


def test_axe_finds_nothing(draw, runs) -> None:
    other = replace(until(runs["induction"], 562, "diverged"), id="other", label="learning rate 10")
    for shown in ([runs["translate-en-zh"]], [runs["induction"], other]):
        assert findings(draw(views.training(shown))) == []


def test_the_keys_are_listed(draw, runs) -> None:
    page = draw(views.training([runs["reverse"]]))
    page.keyboard.press("?")
    expect(page.locator("dialog")).to_contain_text("Previous or next checkpoint")
    before = moment(page)
    page.keyboard.press("ArrowLeft")
    assert moment(page) == before
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_be_hidden()
