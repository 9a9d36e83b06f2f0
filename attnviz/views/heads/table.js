// A head as a table for a spreadsheet: all weights up to 256 tokens, above the largest of each row. No DOM.

import {named} from '../kit/words.js';

/** The shortest decimal number that is this 32-bit one. */
export function shortest(weight) {
  for (let digits = 6; digits < 9; digits++) {
    const written = Number(weight.toPrecision(digits));
    if (Math.fround(written) === Math.fround(weight)) return String(written);
  }
  return String(Number(weight.toPrecision(9)));
}

/**
 * Rows of cells: of a whole head a matrix with its tokens on two sides; else a line for each weight that is here, places
 * counted from 0. `corner` names the head and what is done to it. What a filter hides is empty: only a weight is a number.
 */
export function cellsOf(numbers, queries, keys, corner, words) {
  const {floor = 0, isTaken = () => false} = numbers;
  if (numbers.weight) {
    const row = (query, token) => [named(token), ...keys.map((_, key) => (isTaken(key) ? '' : weightOf(numbers.weight(query, key), floor)))];
    return [[corner, ...keys.map(named)], ...queries.map((token, query) => row(query, token))];
  }
  const seen = (query) => numbers.keys(query, Infinity).filter(({weight}) => weight > 0); // of few visible keys the rest are fillers
  const [rowNames, columnNames] = [queries.map(named), keys.map(named)]; // once a token: a long text has 100,000 lines
  const lines = [];
  for (const [query, name] of rowNames.entries())
    for (const {index, weight} of seen(query)) lines.push([String(query), name, String(index), columnNames[index], weightOf(weight, floor)]);
  return [[words.row, words.query, words.column, words.key, corner], ...lines];
}

const weightOf = (weight, floor) => (weight < floor ? '' : shortest(weight));

/** A cell that a spreadsheet would take for a formula is made text. */
const plain = (cell) => (/^[=+@-]./.test(cell) && Number.isNaN(Number(cell)) ? `'${cell}` : cell);

export const toTsv = (rows) => rows.map((row) => row.map((cell) => plain(cell).replace(/[\t\r\n]+/g, ' ')).join('\t')).join('\n');

/** RFC 4180. */
export const toCsv = (rows) => rows.map((row) => row.map((cell) => quoted(plain(cell))).join(',')).join('\r\n');

const quoted = (cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
