// The cells of a heatmap that are in sight, with what no query can attend to.

import {APART, hatching, paintCells} from '../kit/cells.js';
import {clamp, fmt} from '../kit/number.js';
import {tableOf, weightColour} from '../kit/colour.js';
import {isWhole, paintGrid, weightOf} from './byte_grids.js';

/** Where cells lie whose first one in sight is {row, column}, in parts of cells too. */
export function placeOf({row, column, width, height}, cell) {
  const at = (x, y) => ({row: Math.floor(row + y / cell), column: Math.floor(column + x / cell)});
  return {cw: cell, ch: cell, left: 0, top: 0, x: (key) => (key - column) * cell, y: (query) => (query - row) * cell, width, height, at};
}

/**
 * Paint the cells in sight. `at(query, key)` is a weight that may be printed, or null; `grid` holds colours; `seen` the keys
 * that each query can attend to; `isTaken(key)` says that a column was taken out of the rows, and is no weight.
 */
export function paintHeatmap(context, place, {sight, grid, seen, isTaken, at, theme, k}) {
  const cell = place.cw;
  const style = getComputedStyle(context.canvas);
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
  const range = (start, count) => [Math.floor(start), Math.ceil(start + count - 1e-6)];
  paintCells(context, place, {
    rows: range(sight.row, sight.rows),
    columns: range(sight.column, sight.columns),
    colourAt: (query, key) => (isOut(query, key) ? undefined : weightColour(weightOf(byteAt(query, key)), theme)),
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
    const x = (key) => clamp((key - sight.column) * cell, 0, sight.width);
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

/** The rectangle that is being drawn, to zoom to. */
export function paintDrag(context, {a, b}, stop, k) {
  Object.assign(context, {strokeStyle: getComputedStyle(stop).getPropertyValue('--ink'), lineWidth: 1.5 * k});
  context.setLineDash([4 * k, 3 * k]);
  context.strokeRect(Math.min(a.x, b.x), Math.min(a.y, b.y), Math.abs(a.x - b.x), Math.abs(a.y - b.y));
}
