"""What a class sees of a step: names beside exponents, which part is looked at, a presenter's view."""

import pytest

import attnviz as av
from attnviz import views
from attnviz.explanation import chain
from tests.browser.stepper import to_step

OVERLAPS = """() => [...document.querySelectorAll('.lb .factor')].map((factor) => {
    const [a, b] = [factor, factor.nextElementSibling].map((it) => it.getBoundingClientRect());
    return a.right > b.left || Math.abs(a.bottom - b.bottom) > b.height; })"""


@pytest.fixture(scope="module")
def translated():
    return av.load("translate-en-zh").trace("She did not buy this book.")


def test_the_power_of_ten_of_a_bias_stands_beside_its_name_and_not_on_it(draw, translated):
    page = draw(views.stepper(chain(translated, "self", "encoder.0.self"), translated, views.At("q")))
    for name in ("q", "k"):
        to_step(page, name)
        assert page.evaluate(OVERLAPS) == [False]
