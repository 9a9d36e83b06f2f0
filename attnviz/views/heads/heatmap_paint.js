// The two canvases of a heatmap: cells with what no query can attend to, and what is marked over them.

import {APART, hatching, paintCells} from '../kit/cells.js';
import {sized} from '../kit/dom.js';
import {fmt} from '../kit/number.js';
import {tableOf, weightColour} from '../kit/colour.js';
import {isWhole, paintGrid} from './grids.js';

const SINGLE = 3; // px: from this size on a row can be told from its neighbours
const FADED = 0.64; // of the surface over what is not marked

/**
 * Paint the cells in sight. `at(query, key)` is a weight that may be printed, or null; `grid` holds colours; `seen` the keys
 * that each query can attend to; `isTaken(key)` says that a column was taken out of the rows, and is no weight.
 */
export function paintHeatmap(canvas, {sight, view: {cell}, grid, seen, isTaken, at, theme, k}) {
  const context = sized(canvas, sight.width, sight.height);
  const style = getComputedStyle(canvas);
  const hatch = hatching(context, style, k);
  const areCells = cell >= APART && grid && isWhole(grid);
  context.fillStyle = areCells ? style.getPropertyValue('--surface') : hatch;
  context.fillRect(0, 0, sight.width, sight.height);
  if (grid && !areCells) paintPixelsOf(context, sight, grid, theme);
  context.fillStyle = hatch;
  hatchUnseen(context, {sight, cell, seen});
  hatchTaken(context, {sight, cell, isTaken});
  if (!areCells) return;
  const isOut = (query, key) => isTaken?.(key) || (seen && (key < seen[query * 2] || key >= seen[query * 2 + 1]));
  const byteAt = (query, key) => grid.data[(query - grid.from[0]) * grid.columns + key - grid.from[1]];
  const place = {cw: cell, ch: cell, x: (key) => (key - sight.column) * cell, y: (query) => (query - sight.row) * cell};
  const range = (start, count) => [Math.floor(start), Math.ceil(start + count - 1e-6)];
  paintCells(context, place, {
    rows: range(sight.row, sight.rows),
    columns: range(sight.column, sight.columns),
    colourAt: (query, key) => (isOut(query, key) ? undefined : weightColour((byteAt(query, key) / 255) ** 2, theme)),
    textAt: (query, key) => {
      const weight = at(query, key);
      return weight === null || weight === undefined ? '' : fmt(weight);
    },
    k,
  });
}

function paintPixelsOf(context, sight, grid, theme) {
  const {width, height} = context.canvas;
  const image = context.createImageData(width, height);
  paintGrid(new Uint32Array(image.data.buffer), width, height, sight, grid, tableOf('weights', theme));
  context.putImageData(image, 0, 0);
}

/** Row by row, or by the pixel where a row is thinner: what its query cannot attend to. */
function hatchUnseen(context, {sight, cell, seen}) {
  if (!seen) return;
  const step = Math.max(1, Math.floor(1 / cell));
  for (let query = Math.floor(sight.row); query < Math.min(seen.length / 2, sight.row + sight.rows); query += step) {
    const y = (query - sight.row) * cell;
    const x = (key) => Math.max(0, Math.min(sight.width, (key - sight.column) * cell));
    const [first, end] = [x(seen[query * 2]), x(seen[query * 2 + 1])];
    const tall = Math.max(1, cell * step);
    if (first > 0) context.fillRect(0, y, first, tall);
    if (end < sight.width) context.fillRect(end, y, sight.width - end, tall);
  }
}

/** Column by column: what the filters took out. */
function hatchTaken(context, {sight, cell, isTaken}) {
  if (!isTaken) return;
  for (let key = Math.floor(sight.column); key < sight.column + sight.columns; key++)
    if (isTaken(key)) context.fillRect((key - sight.column) * cell, 0, Math.max(1, cell), sight.height);
}

/** What is pointed at: everything else steps back, a row, column or cell is outlined in ink. */
export function paintMarks(canvas, {sight, view: {cell}, focus, isFaded, picked, drag, k}) {
  const context = sized(canvas, sight.width, sight.height);
  context.clearRect(0, 0, sight.width, sight.height);
  const style = getComputedStyle(canvas);
  const [ink, surface] = [style.getPropertyValue('--ink'), style.getPropertyValue('--surface')];
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
