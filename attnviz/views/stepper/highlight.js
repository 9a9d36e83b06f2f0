// Which cells stand out for one picked cell, by the rule that makes it: the numbers it is made of, and itself. No DOM.

const ROW_RULES = new Set(['softmax row', 'norm row', 'rms row']);
const either = (row, column, i, j) => (row === i && column === j ? 2 : row === i || column === j ? 1 : 0);

/** How far a cell matters: 2 is used, 1 in its row or column, 0 the rest. @typedef {(row: number, column: number) => number} Level */
/** `row` or `column` null: the whole length. @typedef {{key: string | number, row: number | null, column: number | null, isResult?: boolean}} Outline */

/**
 * For the cell i, j of a step's result: {levels, outlines, bands}.
 * levels[key](row, column) is 2 for a number that is used, 1 for its row and column, 0 for the rest; an outline is
 * {key, row, column, isResult}, null standing for the whole length; bands run from the operands of a product into it.
 * @returns {{levels: Object<string, Level>, outlines: Outline[], bands?: {row: number, column: number}}}
 */
export function lit(step, kind, i, j, cell, result = 'result') {
  if (kind === 'compared') return ofAll(['before', 'result', 'difference'], i, j);
  if (kind === 'gallery') return ofAll(['result', ...step.siblings.map(({index}) => `step:${index}`)], i, j, result);
  if (kind === 'parts') return ofCells(step, i, j, cell, result);
  if (kind === 'school' && step.rule !== 'lookup') return ofProduct(step, i, j);
  if (step.rule === 'lookup') return ofLookup(i, j, cell);
  if (ROW_RULES.has(step.rule)) return ofRow(step, i, j);
  return ofCells(step, i, j, cell);
}

/** @returns {Outline} */
const itself = (row, column, key = 'result') => ({key, row, column, isResult: true});

function ofProduct(step, i, j) {
  const levels = {
    0: (row) => (row === i ? 2 : 0),
    1: (_row, column) => (column === j ? 2 : 0),
    bias: (_row, column) => (column === j ? 2 : 0),
    result: (row, column) => either(row, column, i, j),
  };
  /** @type {Outline[]} */
  const outlines = [{key: 0, row: i, column: null}, {key: 1, row: null, column: j}, itself(i, j)];
  if (step.bias) outlines.push({key: 'bias', row: 0, column: j});
  return {levels, outlines, bands: {row: i, column: j}};
}

function ofLookup(i, j, cell) {
  const levels = {
    0: (row) => (row === i ? 2 : 0),
    1: (row, column) => (row === cell.facts.row ? (column === j ? 2 : 1) : 0),
    result: (row, column) => (row === i ? (column === j ? 2 : 1) : 0),
  };
  return {levels, outlines: [{key: 0, row: i, column: 0}, {key: 1, row: cell.facts.row, column: null}, itself(i, j)]};
}

function ofRow(step, i, j) {
  const inRow = (row) => (row === i ? 2 : 0);
  const inColumn = (_row, column) => (column === j ? 2 : 0);
  const levels = {0: inRow, mean: inRow, variance: inRow, square: inRow, gain: inColumn, shift: inColumn, result: inRow};
  /** @type {Outline[]} */
  const outlines = [{key: 0, row: i, column: null}, itself(i, j)];
  for (const key of ['mean', 'variance', 'square']) if (step.extras[key]) outlines.push({key, row: i, column: 0});
  for (const key of ['gain', 'shift']) if (step.extras[key]) outlines.push({key, row: 0, column: j});
  return {levels, outlines};
}

/** The same cell in several matrices; the one of `result` is what is read. */
function ofAll(keys, i, j, result = 'result') {
  const levels = Object.fromEntries(keys.map((key) => [key, (row, column) => either(row, column, i, j)]));
  return {levels, outlines: keys.map((key) => ({key, row: i, column: j, isResult: key === result}))};
}

function ofCells(step, i, j, cell, result = 'result') {
  const used = new Map(); // key -> places
  for (const at of cell.terms.flatMap((term) => term.at)) used.set(at.operand, [...(used.get(at.operand) ?? []), at]);
  /** @type {Object<string, Level>} */
  const levels = {[result]: (row, column) => either(row, column, i, j)};
  const outlines = [itself(i, j, result)];
  if (step.extras?.frequency) {
    levels.frequency = (_row, column) => (column === j ? 2 : 0);
    outlines.push({key: 'frequency', row: 0, column: j});
  }
  step.operands.forEach((_, key) => {
    const places = used.get(key) ?? [];
    levels[key] = (row, column) => Math.max(0, ...places.map((at) => either(row, column, at.row, at.column)));
    outlines.push(...places.map(({row, column}) => ({key, row, column})));
  });
  return {levels, outlines};
}
