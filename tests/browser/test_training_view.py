"""The training view by hand: scrubbing and playing time, choosing heads and cells, two runs, and every odd state."""

import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from attnviz import views
from attnviz.training.bundled_models import FOLDER
from attnviz.training.head_formation import HeadFormation, head_formation
from attnviz.views import Moment
from tests.browser.axe import findings
from tests.browser.conftest import press_keys, said, spot, update
from tests.browser.dashboard import comes_to
from tests.browser.layout import boxes, overlapping
from tests.unit.views.test_training import runs

__all__ = ["runs"]  # a fixture


def until(run: HeadFormation, step: int, outcome: str) -> HeadFormation:
    """The run as it stood at a step."""
    n = sum(own <= step for own in run.checkpoints)
    return replace(
        run, outcome=outcome, revision=f"{step}", log=tuple(point for point in run.log if point.step <= step),
        checkpoints=run.checkpoints[:n], measured=run.measured[:n], weights=run.weights[:n], scores=run.scores[:, :n],
    )  # fmt: skip


def moment(page: Page) -> str:
    """The step and the head on the screen: "750/1.0"."""
    return page.locator("[data-moment]").get_attribute("data-moment") or ""


def step(page: Page) -> int:
    return int(moment(page).split("/")[0])


def test_time_goes_from_checkpoint_to_checkpoint_by_keys_clicks_and_drags(draw, runs) -> None:
    run = runs["induction"]
    page = draw(views.training([run]))
    for key, at in (("ArrowRight", -1), ("ArrowLeft", -2)):
        page.keyboard.press(key)
        assert step(page) == run.checkpoints[at]
    slider = page.get_by_role("slider", name="Checkpoint")
    slider.focus()
    page.keyboard.press("ArrowUp")
    expect(slider).to_have_attribute("aria-valuetext", f"Step {run.checkpoints[-1]} of {run.checkpoints[-1]}")
    expect(slider).to_have_attribute("aria-valuenow", str(len(run.checkpoints) - 1))
    expect(slider).to_have_attribute("aria-valuemax", str(len(run.checkpoints) - 1))
    page.keyboard.press("Home")
    for at in range(5):
        expect(page.locator(".title.step")).to_contain_text(f"Step {run.checkpoints[at]}")
        page.keyboard.press("ArrowRight")

    x, _ = spot(page.locator(".knob"))  # above checkpoint 5
    box = page.locator(".chart").bounding_box()
    y = box["y"] + box["height"] * 0.6
    page.keyboard.press("End")
    assert said(page)[-1]["step"] == run.checkpoints[-1]
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

    page.mouse.click(x + 3, y)
    place, at = spot(page.locator(".knob")), step(page)
    page.get_by_role("button", name="Logarithmic axis for the steps").click()
    assert abs(spot(page.locator(".knob"))[0] - place[0]) > 100 and step(page) == at
    curve = page.locator(".line.mean").get_attribute("d")
    page.get_by_role("button", name="Logarithmic axis for the loss").click()
    assert page.locator(".line.mean").get_attribute("d") != curve and step(page) == at


def test_a_clicker_goes_through_time_wherever_the_focus_is_and_a_presenter_fills_the_window(draw, runs) -> None:
    run = runs["induction"]
    page = draw(views.training([run]))
    page.locator(".stop").focus()
    for key, at in (("PageUp", -2), ("PageUp", -3), ("PageDown", -2)):
        page.keyboard.press(key)
        assert step(page) == run.checkpoints[at]
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("p")
    expect(page.get_by_role("button", name="Leave the presenter’s view")).to_have_text(re.compile(r"^Leave\s+P\s*$"))
    page.wait_for_function("() => document.querySelector('.training').offsetHeight === innerHeight")  # drawn anew
    box = page.locator(".training").bounding_box()
    assert box and (box["x"], box["y"], box["width"], box["height"]) == (0, 0, 1440, 900)
    k = page.locator(".training").evaluate("(view) => parseFloat(view.style.getPropertyValue('--k'))")
    assert k > 1.25  # as large as the window allows
    assert page.evaluate("() => document.documentElement.scrollHeight <= innerHeight")
    page.keyboard.press("Escape")
    expect(page.locator(".training")).not_to_have_class(re.compile("presented"))
    page.keyboard.press("?")
    expect(page.locator("dialog")).to_contain_text("PgDnPrevious or next checkpoint")
    expect(page.locator("dialog")).to_contain_text("PPresenter’s view")
    page.keyboard.press("ArrowLeft")
    assert step(page) == run.checkpoints[-2]
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_be_hidden()


@pytest.mark.parametrize(("motion", "each", "fades"), [("no-preference", 140, [200]), ("reduce", 400, [])])
def test_maps_fade_unless_motion_is_not_wanted_and_space_plays_slower_then(draw, runs, motion, each, fades):
    run = runs["induction"]
    page = draw(views.training([run], Moment(step=0)), reduced_motion=motion)
    page.locator(".maps .thumb").first.focus()
    page.evaluate("""() => document.addEventListener('keydown', () => setTimeout(() => {
      const animations = [...document.querySelectorAll('.maps .before')].flatMap((it) => it.getAnimations());
      window.fading ??= animations.map((it) => it.effect.getTiming().duration);
    }), true)""")
    page.keyboard.press("PageDown")
    page.wait_for_function("() => window.fading")
    assert page.evaluate("window.fading") == fades * page.locator(".maps .thumb").count()
    page.keyboard.press("Home")
    expect(page.locator(".maps .before")).to_have_count(0)

    page.evaluate("() => { window.said = []; document.activeElement.blur() }")
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    page.keyboard.press("Space")
    expect(page.locator(".play")).to_contain_text("Pause")
    page.clock.run_for(each - 1)
    assert step(page) == 0
    page.clock.run_for(2)
    assert step(page) == run.checkpoints[1]
    page.clock.run_for(3 * each)
    assert step(page) == run.checkpoints[4]
    page.clock.run_for(len(run.checkpoints) * each)
    expect(page.locator(".play")).to_contain_text("Play")
    assert [own["step"] for own in said(page)] == [run.checkpoints[-1]]
    page.keyboard.press("Space")  # from the end it begins again
    page.clock.run_for(2 * each)
    page.keyboard.press("Space")
    expect(page.locator(".play")).to_contain_text("Play")
    assert step(page) in run.checkpoints[1:4]


def test_heads_are_named_by_what_they_do_and_chosen_by_click_number_and_arrows(draw, runs) -> None:
    run = runs["translate-en-zh"]
    page = draw(views.training([run, runs["reverse"]], Moment(2500, 1, 2, 1, 7)))
    for head, share in enumerate((61, 69, 64, 63, 54, 60, 71, 54), 1):
        name = f"Layer 1 head {head}, alignment {share}%"
        expect(page.get_by_role("button", name=name, exact=True)).to_be_visible()
    expect(page.locator(".known")).to_be_hidden()
    expect(page.locator(".lesson")).to_contain_text("need not align")
    expect(page.locator(".kind")).to_have_text(re.compile("^Cross-attention: each row writes"))
    picked = page.locator(".reading").inner_text()
    assert "昨天" in picked and "yesterday" in picked
    page.mouse.move(*spot(page.locator(".stop"), 1.5 / len(run.keys), 0.5 / len(run.queries)))
    expect(page.locator(".reading")).to_contain_text("老师")
    expect(page.locator(".reading")).to_contain_text("teacher")
    expect(page.locator(".map .columnname[data-level=strong]")).to_have_text("teacher")
    page.mouse.move(5, 5)
    assert page.locator(".reading").inner_text() == picked
    assert said(page) == []

    page.evaluate("document.addEventListener('attnviz:noted', ({detail}) => (window.noted = detail))")
    page.locator(".thumb").nth(1).click()
    assert moment(page) == "2500/0.1"
    assert page.evaluate("window.noted") == said(page)[-1]  # for a notebook's widget
    assert said(page)[-1] | {"query": 0, "key": 0} == {
        "step": 2500, "layer": 0, "head": 1, "site": "decoder.0.cross", "query": 0, "key": 0, "run": 0,
        "look": {"loss": False, "steps": True},
    }  # fmt: skip
    page.keyboard.press("ArrowDown")  # the focus is in the grid
    assert moment(page) == "2500/1.1"
    expect(page.locator(".thumb").nth(9)).to_be_focused()  # eight heads a layer
    for key, head in (("9", "1.0"), ("8", "0.7"), ("BracketLeft", "0.6")):
        page.keyboard.press(key)
        assert moment(page) == f"2500/{head}"
    page.locator(".knob").focus()
    press_keys(page, "BracketRight", "ArrowLeft")  # time still, not the grid
    assert moment(page) == f"{run.checkpoints[-2]}/0.7"
    page.keyboard.press("BracketLeft")
    expect(page.locator(".detail .title")).to_have_text("Layer 1, head 7")
    page.keyboard.press("Home")
    expect(page.get_by_role("button", name="Layer 1 head 1, no clear pattern", exact=True)).to_be_visible()

    page.keyboard.press("End")
    page.locator(".which button").nth(1).click()  # has fewer heads: the nearest of them
    assert moment(page) == "1500/0.1"
    expect(page.locator(".thumb")).to_have_count(2)
    for key, head in (("9", "0.1"), ("1", "0.0")):
        page.keyboard.press(key)
        assert moment(page) == f"1500/{head}"


def test_the_reading_prints_the_exact_weight_now_and_at_the_beginning_and_arrows_move_the_cell(draw, runs) -> None:
    page = draw(views.training([runs["induction"]], Moment(0, 1, 0, 8, 2)))
    for at, own in enumerate((0, 1, 3, 6, 12, 23, 47, 94, 188)):
        text = page.locator(".reading").inner_text()
        now = ("12%", "12%", "13%", "14%", "17%", "14%", "<1%", "14%", "100%")[at]
        assert text.startswith(f"At step {own}, b") and f" {now}\n" in text, text
        assert "at step 0: 12%" in text and text.endswith("the known answer"), text
        page.keyboard.press("ArrowRight")
    page.keyboard.press("End")

    page.locator(".stop").focus()
    press_keys(page, "ArrowUp", "ArrowRight")
    assert (said(page)[-1]["query"], said(page)[-1]["key"]) == (7, 3)
    expect(page.locator(".reading")).not_to_contain_text("the known answer")
    expect(page.locator(".reading")).to_contain_text("most: ")
    press_keys(page, *["ArrowRight"] * 9)  # no query looks ahead
    assert (said(page)[-1]["query"], said(page)[-1]["key"]) == (7, 7)
    assert step(page) == 1500
    page.keyboard.press("Comma")
    assert said(page)[-1]["query"] == 6
    page.keyboard.press("Escape")
    expect(page.locator(".knob")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    assert step(page) < 1500


def test_what_formed_is_told_with_the_curves_numbers_at_the_cursor_and_its_phase_is_marked(draw, runs) -> None:
    page = draw(views.training([runs["induction"]]))
    lesson, at = page.locator(".lesson"), page.locator(".at.loss-only")
    numbers = []
    formed = "At step 188 head 2.2 gives the answer 90%, head 1.1 the previous symbol 42% (9% at step 0, 88% later)"
    expect(lesson).to_contain_text(formed)
    expect(page.get_by_text("64 new texts: symbols right", exact=True)).to_be_visible()  # not whole texts
    for key in ("End", "Home"):
        page.locator("[role=slider]").first.press(key)
        for name in page.locator(".end.answer-previous, .end.answer-induction").all_inner_texts():
            head = name.partition(" (")[0].split()[-1]  # what even weights give stands after it
            expect(lesson).to_contain_text(f"{head} ")
        cursor, box = page.locator(".cursor line").bounding_box(), at.bounding_box()
        assert min(abs(box["x"] - cursor["x"]), abs(box["x"] + box["width"] - cursor["x"])) < 20
        numbers.append(at.text_content())
        name = "" if key == "End" else "2.2 "  # lines can stand in another order there than their names
        assert re.fullmatch(rf"{name}\d+%", page.locator(".at.answer-induction").last.text_content() or "")
    assert len(set(numbers)) == 2
    assert not any(number in name for number in numbers for name in page.locator(".end").all_inner_texts())
    knob, span = page.locator("[role=slider]").first, page.locator("rect.span").bounding_box()
    assert span
    for step, edge in ((94, span["x"]), (188, span["x"] + span["width"])):
        while not (knob.get_attribute("aria-valuetext") or "").startswith(f"Step {step} "):
            knob.press("ArrowRight")
        assert abs(spot(knob)[0] - edge) < 1
    expect(page.get_by_role("img", name="Phase change, loss down by")).to_be_visible()
    words = " ".join(page.locator("text.phase").all_text_contents())
    assert re.fullmatch(r"Phase change loss down by \d\.\d; induction, head 2\.2: \d+% → \d+%", words), words

    page.locator("[role=slider]").first.press("End")  # here the numbers lead to the names: no line runs through them
    expect(page.locator(".leader:visible")).to_have_count(0)
    page.locator("[role=slider]").first.press("Home")
    expect(page.locator(".leader:visible")).not_to_have_count(0)
    expect(page.locator(".kind")).to_have_text(re.compile("^Masked self-attention"))
    expect(page.locator("text.phase").first).to_have_css("paint-order", re.compile("stroke"))  # over a curve too

    flat = replace(runs["induction"], scores=np.full_like(runs["induction"].scores, 0.5))
    expect(draw(views.training([flat])).locator("rect.span, text.phase")).to_have_count(0)


def test_two_runs_lie_over_each_other_and_the_maps_are_those_of_the_chosen_one(draw, runs) -> None:
    other = replace(until(runs["induction"], 562, "stopped"), id="other", label="without positions")
    page = draw(views.training([runs["induction"], other], Moment(1500, 1, 1)))
    expect(page.locator(".line.mean")).to_have_count(2)
    first, second = page.locator(".which button").all()
    expect(first).to_have_text(re.compile("● A Induction, 100% right"))
    second.click()
    assert said(page)[-1]["run"] == 1 and said(page)[-1]["step"] == 562
    expect(second).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".state")).to_have_text("Stopped at step 562")
    ends = page.locator(".end").all_inner_texts()
    assert any(text.startswith("● A") for text in ends) and any(text.startswith("◇ B") for text in ends)
    dashes = page.locator(".line.mean").evaluate_all("(nodes) => nodes.map((n) => getComputedStyle(n).strokeDasharray)")
    assert dashes[0] == "none" and dashes[1] != "none"
    assert findings(page) == []


def test_a_training_that_goes_on_keeps_what_was_picked_follows_at_the_end_and_says_how_it_ended(draw, runs):
    notice = "Two trainings are before yours."
    before, after, diverged = (
        views.training([until(runs["induction"], at, outcome)], notice=notice)
        for at, outcome in ((60, "training"), (400, "training"), (60, "diverged"))
    )
    page = draw(before)
    expect(page.locator(".state")).to_have_text("Training… shown at its checkpoints")
    expect(page.locator(".notice")).to_have_text(notice)
    assert step(page) == 47
    update(page, after)
    assert moment(page) == "375/1.0"  # it stood on the newest checkpoint and showed its best head, and follows
    page.reload()
    expect(page.locator(f"[data-ready='{before.revision}']")).to_be_visible()
    press_keys(page, "1", "ArrowLeft")
    update(page, after)
    assert moment(page) == "23/0.0"
    update(page, diverged)
    expect(page.locator(".state")).to_have_text("The loss diverged at step 60. A smaller learning rate helps.")


def test_on_a_telephone_all_that_is_predicted_stands_over_the_answer(draw, runs) -> None:
    page = draw(views.training([until(runs["induction"], 60, "stopped")]), size=(390, 844))
    written, right = (boxes(page.locator(f".answer .{part}"))[0] for part in ("written", "right"))
    assert written["left"] == right["left"] and written["bottom"] <= right["top"]
    assert page.locator(".answer .written").evaluate("(node) => node.scrollWidth <= node.clientWidth")


def test_rows_of_chinese_characters_have_names_that_do_not_touch_and_two_checkpoints_no_curve(draw) -> None:
    run = head_formation(FOLDER / "poems-zh", "床前明月光，疑是地上霜。举头望明月，低头思故")
    page = draw(views.training([run], lang="zh-CN"), size=(1366, 768))
    names = page.locator(".map .rowname")
    size = float(names.first.evaluate("(node) => getComputedStyle(node).fontSize").removesuffix("px"))
    tops = sorted(box["top"] for box in boxes(names))
    assert len(tops) > 8 and all(below - above >= size for above, below in pairwise(tops)), (size, tops)
    expect(page.locator(".trail")).to_be_hidden()
    expect(page.locator(".foot .caption")).to_be_hidden()


TALL = "(node) => node.scrollHeight <= node.clientHeight + 1"  # all of it is seen


@pytest.mark.parametrize(("name", "size", "scale"), [
    ("translate-en-zh", (1280, 760), "normal"), ("translate-en-zh", (1920, 1080), "projector"),
    ("induction", (1440, 900), "normal"), ("reverse", (1280, 760), "normal"),
])  # fmt: skip
def test_nothing_scrolls_is_cut_off_or_lies_over_another(draw, runs, name: str, size: tuple[int, int], scale: str):
    page = draw(views.training([runs[name]], size=scale), size=size)
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for part in (".thumb", ".end", ".stop", ".map .rowname, .map .columnname", ".reading", ".trail", ".lesson"):
        for box in boxes(page.locator(part)):
            assert box["left"] >= -1 and box["right"] <= size[0] + 1 and box["bottom"] <= size[1] + 1, (part, box)
    tops = sorted(box["top"] for box in boxes(page.locator(".end")))
    assert all(below - above >= 14 for above, below in pairwise(tops)), tops
    assert page.locator(".reading").evaluate(TALL)
    if scale == "projector":  # in a low window the page scrolls, and the map stays a map
        page.set_viewport_size({"width": 1280, "height": 560})
        page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth")
        comes_to(lambda: boxes(page.locator(".stop"))[0]["height"] > 150, True)
    elif size == (1280, 760) and name == "translate-en-zh":
        assert findings(page) == []
        for share in page.locator(".thumb .value").all():  # which head aligns best is seen of all at once
            expect(share).to_be_visible()


TOP_WORDS = ".step, .which, .state, .lesson, .heading, .end, .at, .chart text.tick"
LOWER_WORDS = ".thumb .caption, .detail :is(.title, .doing, .reading, .foot .caption, .trail), .rowname, .columnname"


@pytest.mark.parametrize("several", [False, True])
def test_in_a_low_window_the_map_stays_large_and_no_words_lie_on_others(draw, runs, several: bool) -> None:
    run = runs["induction"]
    weights, scores = np.repeat(run.weights, 2, 2), np.repeat(run.scores, 2, 3)
    four = replace(run, n_heads=4, weights=weights, scores=scores, label="4 heads")
    other = replace(until(four, 750, "training"), id="other")
    page = draw(views.training([run, other] if several else [run], Moment(run=int(several))), size=(1280, 550))
    expect(page.locator(".thumb")).to_have_count(8 if several else 4)
    cells, view = page.locator(".stop").bounding_box(), page.locator(".training").bounding_box()
    assert cells and view and cells["height"] >= 240 and cells["width"] >= 240
    words = page.locator(f"{TOP_WORDS}, {LOWER_WORDS}")
    shown = [box for box in boxes(words) if box["width"] and box["height"]]
    assert len(shown) > 40 and all(box["bottom"] <= view["y"] + view["height"] + 1 for box in shown)
    assert overlapping(words, 2, 3) == []


@pytest.mark.parametrize(
    ("name", "language"), [("reverse", "zh-TW"), ("induction", "zh-CN"), ("translate-en-zh", "en")]
)
def test_a_phone_scrolls_down_only_and_names_the_lines_in_a_list(draw, runs, name: str, language: str) -> None:
    page = draw(views.training([runs[name]], lang=language), size=(390, 844), has_touch=True)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(page.locator(".end")).to_have_count(0)
    assert page.locator(".named li").count() >= 2
    assert min(box["width"] for box in boxes(page.locator(".thumb"))) >= 44
    assert page.locator(".reading").evaluate(TALL)
