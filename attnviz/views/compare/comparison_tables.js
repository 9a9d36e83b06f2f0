// A matrix of the comparison as a table: heads and places counted from 1, and the corner says so. No DOM.

import {named} from '../kit/words.js';

/** A map: rows are queries, columns keys; of a long text a line for each block, with the cell that differs most. */
export function tableOf(numbers, units, valueAt, corner, headings) {
  if (numbers.side === numbers.n) return [[corner, ...units.map(named)], ...units.map((unit, row) => [named(unit), ...units.map((_, column) => valueAt(row * numbers.n + column))])];
  const lines = Array.from({length: numbers.side ** 2}, (_, i) => {
    const {query, key} = numbers.cellOf(i);
    return [query + 1, named(units[query]), key + 1, named(units[key]), valueAt(i)];
  });
  return [[...headings, corner], ...lines];
}

/** Every head of A down, every head of B across, in bits. */
export function alikeTable(js, {a, b}, corner) {
  const columns = Array.from({length: b.n}, (_, i) => b.name(i));
  return [[corner, ...columns], ...Array.from({length: a.n}, (_, row) => [a.name(row), ...columns.map((_, column) => js[row * b.n + column])])];
}
