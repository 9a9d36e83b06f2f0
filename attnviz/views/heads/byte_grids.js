// Weights as bytes, grids of them, each over a part of a head, and a grid painted at any zoom. No DOM.

import {paintPixels, spansOf} from '../kit/pixels.js';

/** A weight as it travels in 8 bits, good for a colour. */
export const byteOf = (weight) => Math.round(255 * Math.sqrt(Math.min(1, Math.max(0, weight))));
export const weightOf = (byte) => (byte / 255) ** 2;

/** The bytes of `rows` × `columns` blocks over the cells from [query, key] up to [query, key]. */
export const gridOf = (data, [rows, columns], from, to) => ({data, rows, columns, from, to});

/** How many cells of the head a block of the grid is high: 1 where it holds every cell. */
export const coarseness = (grid) => (grid ? Math.max((grid.to[0] - grid.from[0]) / grid.rows, (grid.to[1] - grid.from[1]) / grid.columns) : Infinity);

/** Whether maps of all heads have a column for each token; of pooled ones none is one token's. */
export const isOfTokens = (maps, keys) => maps.shape[3] === keys.length;

/** The maps of all heads without some columns, each row brought back to 1 where that is asked. */
export function mapsWithout(maps, isTaken, isRescaled) {
  const columns = maps.shape[3];
  if (!isOfTokens(maps, isTaken) || !isTaken.includes(true)) return maps;
  const data = maps.data.map((byte, at) => (isTaken[at % columns] ? 0 : byte));
  for (let start = 0; isRescaled && start < data.length; start += columns) {
    const row = data.subarray(start, start + columns);
    const left = row.reduce((sum, byte) => sum + weightOf(byte), 0);
    if (left > 0) row.set(row.map((byte) => byteOf(weightOf(byte) / left)));
  }
  return {...maps, data};
}

const byteAbove = (weight, floor) => (weight < floor ? 0 : byteOf(weight));

/** A grid without what lies below a threshold: a cell shows the largest of what it stands for. */
export function gridAbove(grid, floor) {
  if (!grid || !floor) return grid;
  const least = byteOf(floor);
  return {...grid, data: grid.data.map((byte) => (byte < least ? 0 : byte))};
}

/** Every cell of a head whose weights are all known; what is below `floor` is not drawn. */
export function wholeGrid(weight, nQueries, nKeys, floor = 0) {
  const data = new Uint8Array(nQueries * nKeys);
  for (let query = 0, at = 0; query < nQueries; query++)
    for (let key = 0; key < nKeys; key++, at++) data[at] = byteAbove(weight(query, key), floor);
  return gridOf(data, [nQueries, nKeys], [0, 0], [nQueries, nKeys]);
}

/** What the largest weights of each row show, in blocks; every other cell is nothing. */
export function sparseGrid(keys, nQueries, nKeys, floor = 0, most = 512) {
  const [rows, columns] = [Math.min(nQueries, most), Math.min(nKeys, most)];
  const data = new Uint8Array(rows * columns);
  for (let query = 0; query < nQueries; query++)
    for (const {index, weight} of keys(query, Infinity)) {
      const at = Math.floor((query * rows) / nQueries) * columns + Math.floor((index * columns) / nKeys);
      data[at] = Math.max(data[at], byteAbove(weight, floor));
    }
  return gridOf(data, [rows, columns], [0, 0], [nQueries, nKeys]);
}

/** Whether a grid covers a part of the head: {rows: [from, to], columns: [from, to]}. */
export const covers = ({from, to}, {rows, columns}) =>
  from[0] <= rows[0] && from[1] <= columns[0] && to[0] >= rows[1] && to[1] >= columns[1];

/** Whether a grid holds every cell it covers. */
export const isWhole = ({from, to, rows, columns}) => to[0] - from[0] === rows && to[1] - from[1] === columns;

/** Paint the part {row, column, rows, columns} of a head, in cells and parts of them, into width × height packed colours. */
export function paintGrid(out, width, height, part, {data, from, to, rows, columns}, table) {
  const down = spansOf(height, {start: part.row, size: part.rows, from: from[0], to: to[0], n: rows});
  const across = spansOf(width, {start: part.column, size: part.columns, from: from[1], to: to[1], n: columns});
  paintPixels(out, {down, across}, {codes: data, columns}, table);
}
