"""The one thing to try of each step, done: what its sentence promises is what the screen then shows."""

import re

import pytest
import torch
from playwright.sync_api import Page, expect

import attnviz as av
from attnviz import views
from attnviz.core.attend import attend
from attnviz.explanation import chain, explain_cell
from attnviz.explanation.matrices import Chain
from attnviz.text import strings
from attnviz.views.stepper.chain_words import try_of
from tests.browser.stepper import cells, is_written, number, point_at, to_step, total, unit

SAY = strings("en")


@pytest.fixture(scope="module")
def traces():
    torch.manual_seed(0)
    with av.record() as run:
        attend(*torch.randn(3, 1, 2, 4, 6) * 3, softcap=2.0)
    return {
        "reverse": av.load("reverse").trace("a b c d"),
        "capped": run.trace(0),
    }


@pytest.fixture
def opened(draw, traces):
    """A factory: `opened("reverse", "self", "encoder.0.self")` draws that lesson, with a clock that can be put on."""

    def open_lesson(name: str, tab: str, site: str, *, head: int = 0) -> tuple[Page, Chain]:
        made = chain(traces[name], tab, site, head=head)
        view = views.stepper(made, traces[name], views.At(made.steps[0].name, row=1, key=1, feature=1))
        page = draw(view, reduced_motion="no-preference")
        page.clock.install()
        return page, made

    return open_lesson


def at(page: Page, made: Chain, name: str) -> None:
    """Go to that step and check its sentence."""
    to_step(page, name)
    expect(page.locator(".try")).to_have_text(SAY(try_of(made[name], made)).replace("_", ""))


def strip(page: Page) -> str:
    return page.locator(".strip").inner_text()


def shows_cell(page: Page, made: Chain, step: str, row: int, column: int) -> None:
    """The strip ends in the number of this cell."""
    value = explain_cell(made[step], row, column).value
    assert is_written(total(page), value), (total(page), value)


def shown_numbers(page: Page) -> list[str]:
    """The numbers of the line of arithmetic, as they are printed."""
    return re.findall(r"−?(?:∞|\d[\d.]*(?:×10⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)?)", page.locator(".strip .line").inner_text())


def shows_every_product(page: Page, made: Chain, step: str, row: int, column: int) -> None:
    """Each term is its two numbers' product; with the cell of those that are not drawn they add up to this cell."""
    products = page.locator(".strip .term .product").all_inner_texts()
    assert len(products) > 1
    value = explain_cell(made[step], row, column).value
    assert is_written(total(page), value), (total(page), value)
    assert abs(sum(map(number, products)) - number(total(page))) <= 0.5 * unit(total(page))
    for term in page.locator(".strip .term:not(.rest)").all():
        left, right, product = term.locator("span:not(.place)").all_inner_texts()
        assert abs(number(left) * (number(right) if right else 1) - number(product)) <= 0.5 * unit(product)


def plays_its_rows(page: Page, made: Chain, step: str) -> None:
    """Its numbers come row by row, those of what goes in stay."""
    at(page, made, step)
    whole, above = cells(page), cells(page, "1")
    filled = """() => [...document.querySelectorAll('.matrix[data-key=result] .num')].filter(
        (one) => one.checkVisibility({opacityProperty: true, visibilityProperty: true})).length"""
    page.get_by_role("button", name="Play").click()
    page.wait_for_function(f"() => ({filled})() < {sum(map(len, whole))}")
    assert cells(page, "1") == above
    page.clock.run_for(30_000)
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    assert page.evaluate(filled) >= sum(map(len, whole))
    assert cells(page) == whole


def test_self_attention(opened, traces):
    page, made = opened("reverse", "self", "encoder.0.self")
    at(page, made, "tokens")
    point_at(page, 3, 0)
    assert f"{traces['reverse'].tokens.source.ids[3]} " in strip(page)
    at(page, made, "positions")
    point_at(page, 3, 0)
    assert "[3, 1]" in strip(page)
    shows_cell(page, made, "positions", 3, 0)
    plays_its_rows(page, made, "q")
    plays_its_rows(page, made, "raw")
    for step in ("k", "v", "context"):
        at(page, made, step)
        point_at(page, 2, 3)
        shows_every_product(page, made, step, 2, 3)
    assert {"a", "b", "c", "d"} <= set(page.locator(".strip .term .place").all_inner_texts())


def test_block(opened):
    page, made = opened("reverse", "block", "encoder.0.self")
    at(page, made, "self-norm")
    roots = set()
    for column in range(4):
        point_at(page, 2, column)
        variance = re.search(r"√\((\S+) \+", strip(page).replace("\n", " ")).group(1)
        roots.add(round(float(variance), 4))  # some cells need more of its digits
    assert len(roots) == 1
    at(page, made, "out")
    point_at(page, 2, 3)
    shows_every_product(page, made, "out", 2, 3)
    at(page, made, "mid")
    point_at(page, 2, 3)
    old, change = (float(operand.matrix.values[2, 3]) for operand in made["mid"].operands)
    read = shown_numbers(page)
    assert is_written(read[0], old, 1)
    assert is_written(read[1], change, 1)
    assert abs(number(read[0]) + number(read[1]) - number(read[2])) <= 0.5 * unit(read[2])
    shows_cell(page, made, "mid", 2, 3)
    plays_its_rows(page, made, "hidden")
    at(page, made, "active")
    inputs = [[number(text) for text in row] for row in cells(page, "0")]
    row, column = next((r, c) for r, line in enumerate(inputs) for c, x in enumerate(line) if x < -0.5)
    point_at(page, row, column, "0")
    shows_cell(page, made, "active", row, column)
    assert abs(number(total(page))) < 0.5
    at(page, made, "ff-out")
    point_at(page, 2, 3)
    shows_every_product(page, made, "ff-out", 2, 3)


def test_capped(opened):
    page, made = opened("capped", "self", "encoder.0.self")
    at(page, made, "capped")
    largest = int(made["capped"].operands[0].matrix.values.argmax())
    point_at(page, largest // 4, largest % 4)
    shows_cell(page, made, "capped", largest // 4, largest % 4)
    before = float(made["capped"].operands[0].matrix.values.flatten()[largest])
    assert any(is_written(read, before, 1) for read in shown_numbers(page))
    assert number(total(page)) < before
