"""The formulas beside the stage fit into their panel, in every language."""

import re

import pytest
from playwright.sync_api import expect

import attnviz as av
from attnviz import views
from attnviz.explanation import chain
from attnviz.scratch.untrained import untrained
from tests.browser.stepper import stepper

FITS = "(box) => box.scrollWidth <= box.clientWidth"


@pytest.mark.parametrize(("model", "lang"), [("reverse", "zh-CN"), ("untrained", "en")])
def test_every_formula_is_seen_whole(draw, model, lang):
    trace = (untrained("encoder-decoder") if model == "untrained" else av.load(model)).trace("a b c")
    made = chain(trace, "decoder")
    page = draw(views.stepper(made, trace, lang=lang))
    for at, step in enumerate(made.steps):
        if at:
            page.keyboard.press("ArrowRight")
        expect(stepper(page)).to_have_attribute("data-step", re.compile(rf"^{step.name}(\.\d+)?$"))
        assert page.locator(".formulas").evaluate(FITS), step.key


def test_formulas_are_set_as_mathematics_in_chinese_too(draw):
    trace = av.load("reverse").trace("a b c")
    page = draw(views.stepper(chain(trace, "self", "encoder.0.self"), trace, views.At("weights"), lang="zh-TW"))
    formulas = page.locator(".formulas math")
    assert formulas.evaluate_all("all => all.map((one) => one.closest('[lang]').lang)") == ["en", "en"]
    bracket, fraction = (
        formulas.first.locator(it).first.evaluate("it => it.getBoundingClientRect().height") for it in ("mo", "mfrac")
    )
    assert bracket >= 0.9 * fraction  # it stretches around what it holds
    base, lower, root = formulas.first.locator("msqrt").evaluate(
        """(root) => [...root.querySelector('msub').children, root].map((it) => {
        const {top, bottom, height} = it.getBoundingClientRect(); return {top, bottom, height}; })"""
    )
    assert lower["height"] <= 0.75 * base["height"] and lower["top"] >= base["top"] + 0.4 * base["height"]
    assert base["bottom"] < lower["bottom"] <= root["bottom"] + 0.25 * lower["height"]  # below its line k has nothing
