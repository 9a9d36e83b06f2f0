// The numbers of one pair of heads: both maps by the same units, what they say together, where they differ most. No DOM.

import {clamp} from '../kit/number.js';
import {matrixTable} from '../kit/spreadsheet.js';
import {named} from '../kit/words.js';

const MOST = 5; // largest differences that are named
const SAID = 5e-4; // of a row's weight: a difference below is printed as none
const bits = (x) => (x > 0 ? -x * Math.log2(x) : 0);

/**
 * Both maps whole, n × n: {n, side, a, b, cellOf, indexOf, js, cosine, correlation, largest, most, leftA, leftB}. `side` is
 * how many cells a map is drawn with; here every cell is one query and one key.
 */
export function wholePair(a, b, n, leftA, leftB) {
  const cellOf = (index) => ({query: Math.floor(index / n), key: index % n});
  const most = largestOf(a, b).map((index) => ({...cellOf(index), a: a[index], b: b[index]}));
  const indexOf = (query, key) => query * n + key;
  return {n, side: n, a, b, cellOf, indexOf, lookA: (i) => a[i], lookB: (i) => b[i], ...together(a, b, n), largest: sizeOf(most[0]), most, leftA, leftB};
}

/** The same over a long text: a cell that is drawn is a block, and its numbers are those of its largest difference. */
export function pooledPair(facts, arrays, n, leftA, leftB) {
  const side = arrays.cells.shape[0];
  const step = Math.ceil(n / side);
  const [a, b, cells] = [arrays.cells_a.data, arrays.cells_b.data, arrays.cells.data];
  const {js, cosine, correlation, largest} = facts;
  return {
    n, side, a, b, step, largest, leftA, leftB,
    js: js ?? NaN, cosine: cosine ?? NaN, correlation: correlation ?? NaN,
    cellOf: (index) => ({query: Math.floor(cells[index] / n), key: cells[index] % n}),
    indexOf: (query, key) => Math.floor(query / step) * side + Math.floor(key / step),
    lookA: (i) => (arrays.pooled_a.data[i] / 255) ** 2,
    lookB: (i) => (arrays.pooled_b.data[i] / 255) ** 2,
    most: facts.most.map(([query, key, ofA, ofB]) => ({query, key, a: ofA, b: ofB})),
  };
}

/** The cell to begin with: where the two differ most in that row, else in the row of a word, else anywhere; never at a sink. Twin of `first_cell` in maps.py. */
export function tellingCell({n, side, a, b, most}, units, row = null, sinks = []) {
  let best = row === null ? most[0] : {query: row, key: row};
  if (side !== n) return best;
  let largest = 0;
  for (let at = 0; at < n * n; at++) {
    const query = Math.floor(at / n);
    const isOut = sinks.includes(at % n) || (row === null ? units[query].special : query !== row);
    const size = isOut ? 0 : Math.abs(a[at] - b[at]);
    if (size > largest) [best, largest] = [{query, key: at % n}, size];
  }
  return best;
}

/**
 * Of a row the key that it looks at more in A, and that in B: {a: {key, a, b}, b: {…}}, both null where nothing differs
 * enough to be said. A sink is named only where no other key can be. Of a text in blocks null: there a row is no row of one word.
 */
export function rowEnds({n, side, a, b}, query, sinks = []) {
  if (side !== n) return null;
  const of = (sign, without = sinks) => {
    let [best, most] = [0, -Infinity];
    for (let key = 0; key < n; key++) {
      if (without.includes(key)) continue;
      const more = sign * (a[query * n + key] - b[query * n + key]);
      if (more > most) [best, most] = [key, more];
    }
    if (most < SAID && without.length) return of(sign, []);
    return {key: best, a: a[query * n + best], b: b[query * n + best], more: most};
  };
  const ends = {a: of(1), b: of(-1)};
  return Math.max(ends.a.more, ends.b.more) < SAID ? {a: null, b: null} : ends;
}

/**
 * A map as a table: rows are queries, columns keys; of a long text a line for each block, with the cell that differs most.
 * Places count from 1.
 */
export function tableOf({n, side, cellOf}, units, valueAt, corner, headings) {
  const names = units.map(named);
  if (side === n) return matrixTable(corner, names, names, (query, key) => valueAt(query * n + key));
  const lines = Array.from({length: side ** 2}, (_, i) => {
    const {query, key} = cellOf(i);
    return [query + 1, names[query], key + 1, names[key], valueAt(i)];
  });
  return [[...headings, corner], ...lines];
}

const sizeOf = (cell) => (cell ? Math.abs(cell.a - cell.b) : 0);

/** Where two maps differ most, the first of equals first. */
function largestOf(a, b) {
  const kept = [];
  for (let i = 0; i < a.length; i++) {
    const size = Math.abs(a[i] - b[i]);
    if (kept.length === MOST && size <= kept[MOST - 1].size) continue;
    let at = kept.length;
    while (at > 0 && kept[at - 1].size < size) at -= 1;
    kept.splice(at, 0, {i, size});
    kept.length = Math.min(kept.length, MOST);
  }
  return kept.map(({i}) => i);
}

/**
 * Jensen-Shannon divergence in bits, the mean of the rows that count; cosine and Pearson's correlation over the cells of
 * those rows that either head looks at. A row counts where a head has a choice and both have weight.
 */
function together(a, b, n) {
  const rows = countedRows(a, b, n);
  const cells = rows.flatMap((row) => Array.from({length: n}, (_, key) => row * n + key)).filter((i) => a[i] > 0 || b[i] > 0);
  if (!rows.length) return {js: NaN, cosine: NaN, correlation: NaN};
  const js = rows.reduce((sum, row) => sum + jsOfRow(a, b, row * n, n), 0) / rows.length;
  const mean = (map) => cells.reduce((sum, i) => sum + map[i], 0) / cells.length;
  return {js, cosine: angle(a, b, cells, 0, 0), correlation: angle(a, b, cells, mean(a), mean(b), 1e-12)};
}

function countedRows(a, b, n) {
  const rows = [];
  for (let row = 0; row < n; row++) {
    const seen = [a, b].map((map) => map.subarray(row * n, (row + 1) * n).reduce((count, weight) => count + (weight > 0 ? 1 : 0), 0));
    if (Math.min(...seen) > 0 && Math.max(...seen) > 1) rows.push(row);
  }
  return rows;
}

function jsOfRow(a, b, start, n) {
  let sum = 0;
  for (let i = start; i < start + n; i++) sum += bits((a[i] + b[i]) / 2) - (bits(a[i]) + bits(b[i])) / 2;
  return clamp(sum, 0, 1);
}

/** The cosine of two maps less their means; NaN where one is the same everywhere. */
function angle(a, b, cells, meanA, meanB, flat = 0) {
  let [ab, aa, bb, mostA, mostB] = [0, 0, 0, 0, 0];
  for (const i of cells) {
    const [x, y] = [a[i] - meanA, b[i] - meanB];
    ab += x * y;
    aa += x * x;
    bb += y * y;
    mostA = Math.max(mostA, Math.abs(x));
    mostB = Math.max(mostB, Math.abs(y));
  }
  if (flat && (mostA < flat || mostB < flat)) return NaN;
  return clamp(ab / Math.sqrt(aa * bb), -1, 1);
}
