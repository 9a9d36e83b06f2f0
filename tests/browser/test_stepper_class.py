"""What a class sees of a step: formulas, names beside exponents, which part is looked at, a presenter's view."""

import re

import pytest
from attnviz_app.api.step import Picture, picture_of
from attnviz_app.lessons.content import lessons, told, values
from playwright.sync_api import expect

import attnviz as av
from attnviz import views
from attnviz.explanation import chain
from attnviz.scratch.untrained import untrained
from attnviz.views.link import picked_in
from tests.browser.conftest import press_keys, ready, update
from tests.browser.dashboard import link, wait_for_link
from tests.browser.layout import boxes, cut_off, overlapping
from tests.browser.stepper import click, drawn, is_near, stepper, to_step


@pytest.fixture(scope="module")
def translated():
    return av.load("translate-en-zh").trace("She did not buy this book.")


def test_the_power_of_ten_of_a_bias_stands_beside_its_name_and_not_on_it(draw, translated):
    page = draw(views.stepper(chain(translated, "self", "encoder.0.self"), translated, views.At("q")))
    for step in ("q", "k"):
        to_step(page, step)
        power, name = boxes(page.locator(".lb .factor, .lb .factor + *"))
        assert power["right"] <= name["left"] and abs(power["bottom"] - name["bottom"]) <= name["height"]


@pytest.mark.parametrize("lang", ["en", "zh-TW"])
def test_over_a_norm_on_a_telephone_names_and_what_is_not_drawn_do_not_touch(draw, translated, lang):
    page = draw(views.stepper(chain(translated, "heads", "encoder.0.self"), translated, lang=lang), size=(390, 844))
    names = page.locator(".labels .lb:visible")
    over = [box for box in boxes(names) if box["top"] < page.locator(".matrix .cell").first.bounding_box()["y"]]
    assert len(over) > 6 and max(box["right"] for box in over) <= 390
    assert overlapping(names, -2, 4) == []


@pytest.mark.parametrize(("model", "lang"), [("reverse", "zh-CN"), ("untrained", "en")])
def test_every_formula_is_seen_whole(draw, model, lang):
    trace = (untrained("encoder-decoder") if model == "untrained" else av.load(model)).trace("a b c")
    made = chain(trace, "decoder")
    page = draw(views.stepper(made, trace, lang=lang))
    for at, step in enumerate(made.steps):
        if at:
            page.keyboard.press("ArrowRight")
        expect(stepper(page)).to_have_attribute("data-step", re.compile(rf"^{step.name}(\.\d+)?$"))
        assert cut_off(page.locator(".formulas")) == [], step.key


def test_formulas_are_set_as_mathematics_in_chinese_too(draw):
    trace = av.load("reverse").trace("a b c")
    page = draw(views.stepper(chain(trace, "self", "encoder.0.self"), trace, views.At("weights"), lang="zh-TW"))
    formulas = page.locator(".formulas math")
    assert formulas.evaluate_all("all => all.map((one) => one.closest('[lang]').lang)") == ["en", "en"]
    bracket, fraction = (boxes(formulas.first.locator(it))[0]["height"] for it in ("mo", "mfrac"))
    assert bracket >= 0.9 * fraction  # it stretches around what it holds
    (root,), (base, lower) = (boxes(formulas.first.locator(it)) for it in ("msqrt", "msqrt msub > *"))
    assert lower["height"] <= 0.75 * base["height"] and lower["top"] >= base["top"] + 0.4 * base["height"]
    assert base["bottom"] < lower["bottom"] <= root["bottom"] + 0.25 * lower["height"]  # below its line k has nothing


def test_a_clicker_steps_a_picked_cell_stands_out_a_presenter_fills_the_window_and_waiting_is_hatched(page_for):
    page = page_for("step", query={"matrix": "weights", "token": "2", "key": "3"})
    press_keys(page, "Tab", "Enter", "Tab")  # to the main part, as Streamlit offers
    expect(page.get_by_role("button", name="To the picture")).to_be_focused()
    page.keyboard.press("Enter")
    surface = page.locator(".surface")
    expect(surface).to_be_focused()
    page.keyboard.press("PageDown")
    expect(stepper(page)).not_to_have_attribute("data-step", "weights")
    page.keyboard.press("PageUp")
    expect(stepper(page)).to_have_attribute("data-step", "weights")
    page.keyboard.press("Escape")

    for shown, columns in (("surface dimmed", "held"), ("surface", None)):  # picked, and let go of
        click(page, 0, 3)
        page.mouse.move(5, 5)
        expect(surface).to_have_class(shown)
        wait_for_link(page, columns=columns)  # a pick soon after another is written a moment later
        if columns:
            page.reload()
            ready(page)
            expect(surface).to_have_class(shown)

    page.get_by_role("button", name="Row below").click()
    page.wait_for_function("() => /rows/.test(new URLSearchParams(location.search).get('columns'))")
    n = drawn(page)
    number = page.locator(".matrix .cell .num").first
    size = "(number) => parseFloat(getComputedStyle(number).fontSize)"
    small, small_type = page.locator(".matrix .cell").first.bounding_box(), number.evaluate(size)
    page.get_by_role("button", name="Presenter’s view").click()
    wait_for_link(page, present="1")
    page.reload()
    ready(page)
    assert drawn(page) == n < page.locator('.matrix[data-key="result"] .num').count()  # the rest is not played yet
    expect(stepper(page)).to_have_css("height", "900px")
    box = stepper(page).bounding_box()
    assert (box["x"], box["y"], box["width"], box["height"]) == (0, 0, 1440, 900)
    assert page.locator(".matrix .cell").first.bounding_box()["width"] > 1.2 * small["width"]
    assert number.evaluate(size) > 1.2 * small_type
    stage = surface.bounding_box()
    assert stage["x"] >= 16 and stage["x"] + stage["width"] <= 1440 - 16  # its frame is whole
    expect(page.locator(".stepper .side")).to_be_hidden()
    page.wait_for_function("() => !document.elementFromPoint(700, 20).closest('header')")
    leave = page.get_by_role("button", name="Leave the presenter’s view")
    expect(leave).to_have_text("Leave  P")
    assert cut_off(leave) == []
    page.keyboard.press("Escape")
    wait_for_link(page, present=None)
    expect(page.locator(".stepper .side")).to_be_visible()
    assert link(page)["matrix"] == "weights"

    page.get_by_role("link", name="Step through").focus()  # a clicker's keys work there, the view's own do not
    page.keyboard.press("PageDown")
    expect(stepper(page)).not_to_have_attribute("data-step", "weights")
    page.keyboard.press("PageUp")
    expect(stepper(page)).to_have_attribute("data-step", "weights")
    page.keyboard.press("ArrowRight")
    page.locator("[class*='st-key-step-text--'] textarea").focus()
    press_keys(page, "PageDown", "p")
    expect(stepper(page)).to_have_attribute("data-step", "weights")
    expect(stepper(page)).to_have_class(re.compile("^(?!.*presented)"))
    page.get_by_role("link", name="Step through").focus()
    page.keyboard.press("p")
    expect(stepper(page)).to_have_class(re.compile("presented"))
    page.keyboard.press("p")
    expect(stepper(page)).to_have_class(re.compile("^(?!.*presented)"))

    height = "(field) => field.getBoundingClientRect().height"
    field = page.locator(".attnviz-mount").first  # hatched from when the page has room for a picture until it has one
    assert field.evaluate(height) == 0
    stepper(page).evaluate("(picture) => picture.remove()")
    assert field.evaluate(height) > 200
    assert "gradient" in field.evaluate("(field) => getComputedStyle(field).backgroundImage")


PRINTED = re.compile(r"(?<![\d.])\N{MINUS SIGN}?\d+(?:\.\d+)?(?![\d.×])")


def numbers_in(text, step):
    return [
        it
        for it in step.claims
        if it.at and it.says == "number" and not it.most and f"{{{it.name}}}" in getattr(step.words["en"], text)
    ]


IN_PICTURE = [
    (step, shown, text)
    for lesson in lessons()
    for step in lesson.steps
    for shown, text in (("then", "see"), ("what_if", "refute"))
    if step.page == "step" and numbers_in(text, step)
]


def test_a_number_of_a_lesson_has_the_digits_that_the_strip_prints(draw):
    page, found, wrong = None, 0, []
    for step, shown, text in IN_PICTURE:
        link = step.link(shown, "en")
        picked = {name: link[name] for name in picked_in("step") if name in link}
        view = views.View("stepper", picture_of(Picture(model=link["model"], text=link["text"], picked=picked)), "")
        page = page or draw(view, size=(1440, 1200))
        update(page, view)
        printed = set(PRINTED.findall(page.locator(".strip").inner_text()))
        for claim in numbers_in(text, step):
            value = float(values(claim, step)[claim.key])
            rounded = {it for it in printed if "." in it and is_near(it, value, len(it.partition(".")[2]))}
            found += bool(rounded)
            if rounded and told(step, "en")[claim.name] not in rounded:
                wrong.append((step.id, claim.name, rounded))
    assert wrong == []
    assert found >= len(IN_PICTURE)


def test_nothing_of_a_picture_is_seen_while_what_a_teacher_shows_is_on_its_way(page_for):
    page = page_for("step", query={"matrix": "weights", "token": "2", "key": "3"})
    seen = "all => all.filter(it => it.checkVisibility({opacityProperty: true, visibilityProperty: true})).length"
    parts = page.locator(".stepper .strip, .stepper .lb.on, .stepper h2")
    expect(parts.first).to_be_visible()
    assert parts.evaluate_all(seen) > 0
    page.evaluate("document.body.classList.add('av-behind')")
    assert parts.evaluate_all(seen) == 0
