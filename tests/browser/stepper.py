"""What the tests of the stepper read off the screen, and the numbers Python has for it."""

import math

from playwright.sync_api import Locator, Page, expect

from attnviz.explanation.matrices import Matrix
from tests.browser.conftest import centre

MINUS = "\u2212"


def stepper(page: Page) -> Locator:
    return page.locator(".stepper")


def to_step(page: Page, name: str) -> None:
    """Press → until that step is on the stage, and ← where it is not ahead."""
    for key in ("ArrowRight", "ArrowLeft"):
        before = None
        while (here := stepper(page).get_attribute("data-step")) != before:
            if here == name:
                return
            page.keyboard.press(key)
            expect(stepper(page)).not_to_have_attribute("data-busy", "")  # the next block is fetched
            before = here
    raise AssertionError(f"no step {name} was reached")


def to_part(page: Page, at: int) -> None:
    """One part of this stop, from 0, such as a head: they lie side by side, and one press chooses one."""
    buttons = page.locator(".heading .segments").first.locator("button")
    if heads := page.locator(".heading .menu.beside option").count():  # a button a matrix, and a menu of its heads
        buttons.nth(at // heads).dispatch_event("click")
        page.locator(".heading .menu").select_option(index=at % heads)
    else:
        buttons.nth(at).dispatch_event("click")


def cells(page: Page, key: str = "result") -> list[list[str]]:
    """The numbers printed in a matrix, row by row, without the cell that stands for the rest."""
    return page.locator(f'.matrix[data-key="{key}"]').evaluate(
        """(matrix) => { const rows = new Map();
        for (const text of matrix.querySelectorAll('.cell:not(.rest) .num')) {
          const y = text.getAttribute('y'); rows.set(y, [...(rows.get(y) ?? []), text.textContent]); }
        return [...rows.values()] }"""
    )


def printed(x: float, digits: int) -> str:
    """A number as the screen writes it."""
    if x == -math.inf:
        return f"{MINUS}∞"
    if x == 0:
        return "0"
    text = f"{abs(x):.{digits}f}"
    return MINUS + text if x < 0 and float(text) != 0 else text


def digits_of(matrix: Matrix) -> int:
    return 1 if matrix.colour != "weights" and matrix.largest >= 10 else 2


def is_near(read: str, x: float, digits: int) -> bool:
    """Whether a printed number is `x` rounded; a tie between two roundings may go either way."""
    if read == printed(x, digits):
        return True
    number = float(read.replace(MINUS, "-")) if "∞" not in read else math.inf
    return abs(number - x) <= 0.5 * 10**-digits + 1e-6 * abs(x)


EXPONENT = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def number(text: str) -> float:
    """A number as the screen writes it: −0.25, 8.8×10⁻⁴, −∞."""
    if "∞" in text:
        return -math.inf
    mantissa, _, exponent = text.replace(MINUS, "-").partition("×10")
    return float(mantissa) * 10 ** int(exponent.translate(EXPONENT) or 0)


def unit(text: str) -> float:
    """One of the last digit of a printed number."""
    mantissa, _, exponent = text.partition("×10")
    return 10.0 ** (int(exponent.translate(EXPONENT) or 0) - len(mantissa.partition(".")[2]))


def is_written(read: str, x: float, digits: int = 2) -> bool:
    """Whether a number of the strip is `x` rounded to the decimals it shows, at least `digits` of them.

    A size under 0.001 has an exponent, and an exact zero none of either.
    """
    if x == 0 or math.isinf(x):
        return read == printed(x, digits)
    if "×10" in read:
        return abs(x) < 1e-3 and abs(number(read) - x) <= 0.501 * unit(read)
    return len(read.partition(".")[2]) >= digits and is_near(read, x, len(read.partition(".")[2]))


def total(page: Page) -> str:
    """What the strip says the cell comes to."""
    return page.locator(".strip .total b, .strip .line b").inner_text()


def point_at(page: Page, row: int, column: int, key: str = "result") -> None:
    """Move the pointer to a drawn cell, counted from 0 among those that are drawn."""
    matrix = page.locator(f'.matrix[data-key="{key}"]')
    columns = len(cells(page, key)[0])
    page.mouse.move(*centre(matrix.locator(".cell:not(.rest)").nth(row * columns + column)))
