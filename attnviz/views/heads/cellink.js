// The canvases of a heatmap: cells with their numbers, what no query may look at, and what is marked over them.

import {css, textOn, weightColour} from '../kit/colour.js';
import {sized} from '../kit/dom.js';
import {fmt} from '../kit/number.js';
import {paintGrid} from './grids.js';

const APART = 6; // px: from this size on cells stand apart
const NUMBERED = 30; // px: from this size on a cell has its number in it, at normal size
const SINGLE = 3; // px: from this size on a row can be told from its neighbours
const FADED = 0.64; // of the surface over what is not marked

/**
 * Paint the cells in sight. `at(query, key)` is a weight that may be printed, or null; `grid` holds colours; `isTaken(key)`
 * says that a column was taken out of the rows, and is no weight.
 */
export function paintCells(canvas, {sight, view, grid, seen, isTaken, at, table, theme, k, hatch, surface}) {
  const context = sized(canvas, sight.width, sight.height);
  const scale = canvas.width / sight.width;
  if (view.cell < APART || !grid || (grid.to[0] - grid.from[0]) !== grid.rows || (grid.to[1] - grid.from[1]) !== grid.columns) {
    if (grid) paintPixels(context, canvas, sight, grid, table);
    else fillHatched(context, hatch, 0, 0, sight.width, sight.height);
    hatchUnseen(context, {sight, view, seen, hatch});
    hatchTaken(context, {sight, view, isTaken, hatch});
    return;
  }
  context.fillStyle = surface;
  context.fillRect(0, 0, sight.width, sight.height);
  hatchUnseen(context, {sight, view, seen, hatch});
  hatchTaken(context, {sight, view, isTaken, hatch});
  const {cell} = view;
  const inset = cell < 10 ? 0.5 / scale : 0.5;
  const font = Math.min(cell * 0.31, 12.5 * k);
  const isNumbered = cell >= NUMBERED * k;
  if (isNumbered) Object.assign(context, {font: `450 ${font}px ${getComputedStyle(canvas).fontFamily}`, textAlign: 'center', textBaseline: 'middle'});
  for (let query = Math.floor(sight.row); query < sight.row + sight.rows; query++)
    for (let key = Math.floor(sight.column); key < sight.column + sight.columns; key++) {
      if (isTaken?.(key) || (seen && (key < seen[query * 2] || key >= seen[query * 2 + 1]))) continue;
      const byte = grid.data[(query - grid.from[0]) * grid.columns + key - grid.from[1]];
      const [x, y] = [(key - sight.column) * cell, (query - sight.row) * cell];
      context.fillStyle = css(weightColour((byte / 255) ** 2, theme));
      context.beginPath();
      if (cell < 12) context.rect(x + inset, y + inset, cell - 2 * inset, cell - 2 * inset);
      else context.roundRect(x + inset, y + inset, cell - 2 * inset, cell - 2 * inset, 1.5 * k);
      context.fill();
      const weight = isNumbered ? at(query, key) : null;
      if (weight === null || weight === undefined) continue;
      context.fillStyle = textOn(weightColour(weight, theme));
      context.fillText(fmt(weight), x + cell / 2, y + cell / 2 + 0.5);
    }
}

function paintPixels(context, canvas, sight, grid, table) {
  const image = context.createImageData(canvas.width, canvas.height);
  paintGrid(new Uint32Array(image.data.buffer), canvas.width, canvas.height, sight, grid, table);
  context.putImageData(image, 0, 0);
}

/** Row by row, or by the pixel where a row is thinner: what its query may not look at. */
function hatchUnseen(context, {sight, view: {cell}, seen, hatch}) {
  if (!seen) return;
  const step = Math.max(1, Math.floor(1 / cell));
  for (let query = Math.floor(sight.row); query < Math.min(seen.length / 2, sight.row + sight.rows); query += step) {
    const y = (query - sight.row) * cell;
    const x = (key) => Math.max(0, Math.min(sight.width, (key - sight.column) * cell));
    const [first, end] = [x(seen[query * 2]), x(seen[query * 2 + 1])];
    const tall = Math.max(1, cell * step);
    if (first > 0) fillHatched(context, hatch, 0, y, first, tall);
    if (end < sight.width) fillHatched(context, hatch, end, y, sight.width - end, tall);
  }
}

/** Column by column: what the filters took out. */
function hatchTaken(context, {sight, view: {cell}, isTaken, hatch}) {
  if (!isTaken) return;
  for (let key = Math.floor(sight.column); key < sight.column + sight.columns; key++)
    if (isTaken(key)) fillHatched(context, hatch, (key - sight.column) * cell, 0, Math.max(1, cell), sight.height);
}

function fillHatched(context, {pattern}, x, y, width, height) {
  context.fillStyle = pattern(context);
  context.fillRect(x, y, width, height);
}

/** The hatching of the page as a pattern: lines at 45° every five pixels. */
export function hatching(line, ground, k) {
  const tile = document.createElement('canvas');
  const side = Math.round(5 * k);
  const context = sized(tile, side, side);
  context.fillStyle = ground;
  context.fillRect(0, 0, side, side);
  Object.assign(context, {strokeStyle: line, lineWidth: 1});
  context.beginPath();
  for (const from of [-side, 0, side]) {
    context.moveTo(from, side);
    context.lineTo(from + side, 0);
  }
  context.stroke();
  return {
    pattern(onto) {
      const made = onto.createPattern(tile, 'repeat');
      const scale = side / tile.width;
      made.setTransform(new DOMMatrix().scale(scale));
      return made;
    },
  };
}

/** What is pointed at: everything else steps back, a row, column or cell is outlined in ink. */
export function paintMarks(canvas, {sight, view: {cell}, focus, isFaded, picked, drag, surface, ink, k}) {
  const context = sized(canvas, sight.width, sight.height);
  context.clearRect(0, 0, sight.width, sight.height);
  const [x, y] = [(key) => (key - sight.column) * cell, (query) => (query - sight.row) * cell];
  const row = focus?.side === 'query' ? focus.index : null;
  const column = focus?.side === 'key' ? focus.index : (focus?.other ?? null);
  const tall = Math.max(cell, 2);
  if (focus && cell < SINGLE) return paintLines(context, {sight, row, column, x, y, ink, k, drag});
  if (isFaded) {
    context.globalAlpha = FADED;
    context.fillStyle = surface;
    context.fillRect(0, 0, sight.width, sight.height);
    context.globalAlpha = 1;
    if (row !== null) context.clearRect(0, y(row), sight.width, tall);
    if (column !== null) context.clearRect(x(column), 0, tall, sight.height);
  }
  Object.assign(context, {strokeStyle: ink, lineWidth: 1.5 * k});
  if (focus && focus.other === undefined) {
    if (focus.side === 'query') context.strokeRect(0.75 * k, y(row), sight.width - 1.5 * k, tall);
    else context.strokeRect(x(column), 0.75 * k, tall, sight.height - 1.5 * k);
  }
  context.lineWidth = 2 * k;
  for (const at of [picked, focus?.other === undefined ? null : {query: row, key: column}])
    if (at) context.strokeRect(x(at.key) - k, y(at.query) - k, tall + 2 * k, tall + 2 * k);
  paintDrag(context, drag, ink, k);
}

/** Where a row is thinner than a line, a line of ink says where it lies and the picture stays as it is. */
function paintLines(context, {sight, row, column, x, y, ink, k, drag}) {
  Object.assign(context, {fillStyle: ink, globalAlpha: 0.55});
  if (row !== null) context.fillRect(0, y(row) - k / 2, sight.width, k);
  if (column !== null) context.fillRect(x(column) - k / 2, 0, k, sight.height);
  context.globalAlpha = 1;
  if (row !== null) for (const edge of [0, sight.width - 7 * k]) context.fillRect(edge, y(row) - k, 7 * k, 2 * k);
  if (column !== null) for (const edge of [0, sight.height - 7 * k]) context.fillRect(x(column) - k, edge, 2 * k, 7 * k);
  paintDrag(context, drag, ink, k);
}

function paintDrag(context, drag, ink, k) {
  if (!drag) return;
  const {a, b} = drag;
  Object.assign(context, {strokeStyle: ink, lineWidth: 1.5 * k, globalAlpha: 1});
  context.setLineDash([4 * k, 3 * k]);
  context.strokeRect(Math.min(a.x, b.x), Math.min(a.y, b.y), Math.abs(a.x - b.x), Math.abs(a.y - b.y));
}
