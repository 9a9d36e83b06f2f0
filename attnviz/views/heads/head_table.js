// A head as a table for a spreadsheet: all weights up to 256 tokens, above the largest of each row. No DOM.

import {matrixTable} from '../kit/spreadsheet.js';
import {named} from '../kit/words.js';

/**
 * Rows of cells: of a whole head a matrix with its tokens on two sides; else a line for each weight that is here, places
 * counted from 1. `corner` names the head and what is done to it. What a filter hides is empty: only a weight is a number.
 */
export function headTable(numbers, queries, keys, corner, headings) {
  const {floor = 0, isTaken = () => false} = numbers;
  const [rowNames, columnNames] = [queries.map(named), keys.map(named)]; // once a token: a long text has 100,000 lines
  if (numbers.weight) {
    const valueAt = (query, key) => (isTaken(key) ? null : weightOf(numbers.weight(query, key), floor));
    return matrixTable(corner, rowNames, columnNames, valueAt);
  }
  const seen = (query) => numbers.keys(query, Infinity).filter(({weight}) => weight > 0); // of few visible keys the rest are fillers
  const lines = [];
  for (const [query, name] of rowNames.entries())
    for (const {index, weight} of seen(query)) lines.push([query + 1, name, index + 1, columnNames[index], weightOf(weight, floor)]);
  return [[...headings, corner], ...lines];
}

const weightOf = (weight, floor) => (weight < floor ? null : weight);
