"""What lies where on a page: whether parts are whole, lie over each other, or move."""

from typing import Any

from playwright.sync_api import Locator

OVERLAPPING = """(nodes, [across, down]) => {
  const shown = nodes.map((node) => [node.textContent, node.getBoundingClientRect()]);
  const boxes = shown.filter(([, {width, height}]) => width && height);
  const isOver = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > across &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > down;
  return boxes.flatMap(([name, a], at) =>
    boxes.slice(at + 1).filter(([, b]) => isOver(a, b)).map(([other]) => `${name} / ${other}`));
}"""
SHIFTS = """window.shifts = 0;
window.add = (entries) => { for (const {value} of entries) window.shifts += value };
window.moves = new PerformanceObserver((list) => window.add(list.getEntries()));
window.moves.observe({type: 'layout-shift', buffered: true});"""
SHIFTED = """() => new Promise((done) => requestAnimationFrame(() => {
  window.add(window.moves.takeRecords()); // what it was not told yet
  done(window.shifts);
}))"""
STILL = 0.02  # what may shift while a page opens or another model comes


def overlapping(parts: Locator, across: float = 1, down: float = 1) -> list[str]:
    """Which of the parts that are shown lie over each other, by more than so many pixels both ways."""
    return parts.evaluate_all(OVERLAPPING, [across, down])  # type: ignore[no-any-return]


def boxes(parts: Locator) -> list[dict[str, Any]]:
    """Where each part is: its left, right, top, bottom, width and height, in pixels of the window."""
    return parts.evaluate_all("all => all.map((one) => one.getBoundingClientRect().toJSON())")  # type: ignore[no-any-return]


def cut_off(parts: Locator, by: int = 0) -> list[str]:
    """Which of the parts hold more than they have room for across, by more than so many pixels."""
    parts.first.wait_for(state="attached")
    return parts.evaluate_all(  # type: ignore[no-any-return]
        "(all, by) => all.filter((one) => one.scrollWidth > one.clientWidth + by).map((one) => one.textContent)", by
    )
