// Which part of a matrix is seen, and how large a cell is: {cell, row, column}, in pixels and cells. No DOM.

export const LARGEST_CELL = 64; // px, at normal size
const STEP = 1.6; // of a press on + or −
const MARGIN = 0.25; // of what is in sight, asked for on each side

/** The room for cells: what is left of width × height beside the labels. `room` is {width, height} for `n` × `m` cells. */
export const fit = ({width, height}, n, m, largest) => Math.min(width / m, height / n, largest);

/** A zoom kept inside: not smaller than the whole, not larger than a cell can be read, nothing beyond the edges. */
export function held({cell, row, column}, room, n, m, largest) {
  const size = Math.min(Math.max(cell, fit(room, n, m, largest)), Math.max(largest, fit(room, n, m, largest)));
  const inside = (at, count, pixels) => Math.max(0, Math.min(at, count - pixels / size));
  return {cell: size, row: inside(row, n, room.height), column: inside(column, m, room.width)};
}

/** Zoom by a factor; the cell under {x, y} (pixels from the corner of the cells) stays under it. */
export function zoomed({cell, row, column}, factor, {x, y}, room, n, m, largest) {
  const whole = fit(room, n, m, largest);
  const size = Math.min(Math.max(cell * factor, whole), Math.max(largest, whole));
  const next = {cell: size, row: row + y / cell - y / size, column: column + x / cell - x / size};
  return held(next, room, n, m, largest);
}

/** One press on + (1) or − (−1), about the cell {row, column}, else the middle. */
export function stepped(view, direction, at, room, n, m, largest) {
  const middle = {x: seen(view.cell, m, room.width) / 2, y: seen(view.cell, n, room.height) / 2};
  const about = at ? {x: (at.column + 0.5 - view.column) * view.cell, y: (at.row + 0.5 - view.row) * view.cell} : middle;
  const isInside = about.x >= 0 && about.y >= 0 && about.x <= middle.x * 2 && about.y <= middle.y * 2;
  const next = zoomed(view, STEP ** direction, isInside ? about : middle, room, n, m, largest);
  return at && isInside ? showing(next, at, room, n, m, largest) : next;
}

/** The rectangle between two points (pixels) fills the room. */
export function framed(view, a, b, room, n, m, largest) {
  const [left, right] = [Math.min(a.x, b.x), Math.max(a.x, b.x)];
  const [top, bottom] = [Math.min(a.y, b.y), Math.max(a.y, b.y)];
  const factor = Math.min(room.width / Math.max(1, right - left), room.height / Math.max(1, bottom - top));
  const next = {cell: view.cell * factor, row: view.row + top / view.cell, column: view.column + left / view.cell};
  const size = held(next, room, n, m, largest).cell; // a rectangle around one cell is not zoomed into without end
  const centred = (start, from, to, pixels) => start + (from + to) / 2 / view.cell - pixels / size / 2;
  return held({cell: size, row: centred(view.row, top, bottom, room.height), column: centred(view.column, left, right, room.width)}, room, n, m, largest);
}

/** Just so far that a cell is in sight. */
export function showing(view, {row, column}, room, n, m, largest) {
  const along = (start, at, pixels) => {
    const count = pixels / view.cell;
    return at < start ? at : at + 1 > start + count ? at + 1 - count : start;
  };
  return held({cell: view.cell, row: along(view.row, row, room.height), column: along(view.column, column, room.width)}, room, n, m, largest);
}

const seen = (cell, count, pixels) => Math.min(count * cell, pixels);

/** What is in sight: {row, column, rows, columns} in cells, and its size in pixels. */
export function sight(view, room, n, m) {
  const [width, height] = [seen(view.cell, m, room.width), seen(view.cell, n, room.height)];
  return {row: view.row, column: view.column, rows: height / view.cell, columns: width / view.cell, width, height};
}

/** The part to ask for: what is in sight and half as much around it, on multiples of 32, so that small moves ask for nothing. */
export function around({row, column, rows, columns}, n, m) {
  const span = (start, count, all) => [
    Math.max(0, Math.floor((start - count * MARGIN) / 32) * 32),
    Math.min(all, Math.ceil((start + count * (1 + MARGIN)) / 32) * 32),
  ];
  return {rows: span(row, rows, n), columns: span(column, columns, m)};
}
