"""What the tests of the stepper read off the screen, and the numbers Python has for it."""

from playwright.sync_api import Locator, Page

from attnviz.explanation.matrices import Matrix


def stepper(page: Page) -> Locator:
    return page.locator(".stepper")


TO_STEP = """async (stepper, name) => {
  for (const key of ['ArrowRight', 'ArrowLeft'])
    for (let before = null; before !== stepper.dataset.step; ) {
      before = stepper.dataset.step;
      if (before === name) return true;
      document.dispatchEvent(new KeyboardEvent('keydown', {key}));
      while ('busy' in stepper.dataset) await new Promise(requestAnimationFrame); // the next block is fetched
    }
  return false;
}"""


def to_step(page: Page, name: str) -> None:
    """Press → until that step is on the stage, and ← where it is not ahead, all within the page."""
    assert stepper(page).evaluate(TO_STEP, name), f"no step {name} was reached"


def cells(page: Page, key: str = "result") -> list[list[str]]:
    """The numbers printed in a matrix, row by row, without the cell that stands for the rest."""
    return page.locator(f'.matrix[data-key="{key}"]').evaluate(
        """(matrix) => { const rows = new Map();
        for (const text of matrix.querySelectorAll('.cell:not(.rest) .num')) {
          const y = text.getAttribute('y'); rows.set(y, [...(rows.get(y) ?? []), text.textContent]); }
        return [...rows.values()] }"""
    )


def digits_of(matrix: Matrix) -> int:
    return 1 if matrix.colour != "weights" and matrix.largest >= 10 else 2


def is_near(read: str, x: float, digits: int) -> bool:
    """Whether a printed number is `x` rounded; a tie between two roundings may go either way."""
    return abs(float(read.replace("\N{MINUS SIGN}", "-")) - x) <= 0.5 * 10**-digits + 1e-6 * abs(x)


EXPONENT = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def is_written(read: str, x: float, digits: int = 2) -> bool:
    """Whether a number of the strip is `x` rounded to the decimals it shows, at least `digits` of them.

    A size under 0.001 has an exponent, and an exact zero none of either.
    """
    if x == 0:
        return read == "0"
    mantissa, times, exponent = read.partition("×10")
    shown = len(mantissa.partition(".")[2])
    if times:
        return abs(x) < 1e-3 and is_near(mantissa, x / 10 ** int(exponent.translate(EXPONENT)), shown)
    return shown >= digits and is_near(read, x, shown)


def total(page: Page) -> str:
    """What the strip says the cell comes to."""
    return page.locator(".strip .total b, .strip .line b").inner_text()


CENTRE = """async (matrix, [row, column]) => {
  const at = () => { const {x, y, width} = matrix.getBoundingClientRect(); return `${x} ${y} ${width}` };
  for (let before = null; before !== at(); ) { // what stands above may still grow
    before = at();
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  }
  if (!matrix.isConnected) return null; // drawn again meanwhile
  const cells = [...matrix.querySelectorAll('.cell:not(.rest) rect')], {y} = cells[0].getBoundingClientRect();
  const columns = cells.filter((cell) => cell.getBoundingClientRect().y === y).length;
  const {left, right, top, bottom} = cells[row * columns + column].getBoundingClientRect();
  return [(left + right) / 2, (top + bottom) / 2];
}"""


def point_at(page: Page, row: int, column: int, key: str = "result") -> None:
    """Move the pointer to a drawn cell, counted from 0 among those that are drawn."""
    matrix = page.locator(f'.matrix[data-key="{key}"]')
    while (centre := matrix.evaluate(CENTRE, [row, column])) is None:
        pass
    page.mouse.move(*centre)


def drawn(page: Page, key: str = "result") -> int:
    """How many numbers of a matrix are seen: none of a row that is not played yet or of what is to be guessed.

    Those of the row that was played last fade in.
    """
    return page.locator(f'.matrix[data-key="{key}"] .cell:not(.rest) .num').evaluate_all(  # type: ignore[no-any-return]
        """async (all) => {
        await Promise.allSettled(all.flatMap((one) => one.parentNode.getAnimations()).map((fade) => fade.finished));
        return all.filter((one) => one.checkVisibility({opacityProperty: true, visibilityProperty: true})).length; }"""
    )


def click(page: Page, row: int, column: int, key: str = "result") -> None:
    """Point at a cell and press."""
    point_at(page, row, column, key)
    page.mouse.down()
    page.mouse.up()
