// Where the matrices of a step stand, in CSS pixels: which layout a step has, and where its cells then are. No DOM.

import {isNumbered} from '../kit/cells.js';
import {beside, compared, gallery, parts, stacked} from './placement.js';
import {arrows} from './pair_arrows.js';
import {school} from './school_layout.js';
import {cellsOf, densityOf, isTelephone, leastOf} from './axis_windows.js';

const FEW = 3; // columns
const LAYOUTS = {gallery, school, beside, stacked, parts, compared, arrows};

/**
 * One matrix of a step on the stage; `key` is an operand's number, 'result' or 'bias'.
 * @typedef {{key: any, matrix: any, x: number, y: number, cw: number, ch: number, rows: any, columns: any, labels: {rows?: boolean, columns?: boolean, own?: boolean, top?: boolean, writes?: 'beside' | 'below' | null}, caption?: string, name: {x: number, y: number, isCorner?: boolean} | null, across?: number, row?: number, places?: number[][]}} Block
 */

/** Where the heads of a group stand, and the line over them. @typedef {{keyGroup: import('./chain.js').KeyGroup, x: number, y: number, width: number}} Group */

/** Whether there is room for the numbers of a block, and for enough of them to see a row. */
const isReadable = ({cw, ch, columns}) => isNumbered(cw, ch) && (columns.hidden === 0 || columns.list.length >= FEW);

/**
 * Everything a step needs drawn: {kind, density, height, blocks, signs, groups}. `density` is numbers, colours, or narrow where
 * a telephone has no room for numbers.
 */
export function arranged(step, room, {windows = {}, isWhole = false, labelWidth = 76, comparing = 'none', isArrows = false} = {}) {
  const kind = isArrows ? 'arrows' : step.before && comparing !== 'none' ? 'compared' : layoutOf(step);
  const planOf = (density) => {
    const least = leastOf(density, step.result.rows, isWhole, room.isPresented);
    const facts = {comparing, step, room, windows, density, least, lw: labelWidth};
    return {density, ...LAYOUTS[kind](facts)};
  };
  const wanted = planOf(densityOf(step, isWhole, room));
  const isTooNarrow = wanted.density === 'numbers' && isTelephone(room) && !wanted.blocks.every(isReadable);
  const plan = isTooNarrow ? planOf('narrow') : wanted;
  const where = isTelephone(room) ? 'below' : 'beside';
  for (const {labels, key} of plan.blocks) // the rows of B are no rows of the result
    labels.writes = labels.rows && !(kind === 'school' && key === 1) ? where : null;
  return {kind, ...plan};
}

/** Products and look-ups as at school, steps over pairs of tokens side by side, long rows under each other. */
export function layoutOf({rule, result, operands, siblings = []}) {
  if (operands?.length === 0) return 'stacked';
  if (siblings.length > 1 && rule !== 'split') return 'gallery';
  if (rule === 'product' || rule === 'lookup') return 'school';
  if (rule === 'split' || rule === 'concat') return 'parts';
  return result.columns.kind === 'token' ? 'beside' : 'stacked';
}

/** The shown cell under a point of a block: {row, column} as absolute places, null between the cells or on a rest. */
export function cellAt(block, x, y) {
  if (block.places) return pairAt(block, x, y);
  const column = block.columns.list[Math.floor((x - block.x) / block.cw)];
  const row = block.rows.list[Math.floor((y - block.y) / block.ch)];
  return column === undefined || row === undefined || x < block.x || y < block.y ? null : {row, column};
}

/** The row whose hidden part is under a point of a block, null where none is. */
export function restAt({rows, columns, x, y, cw, ch}, px, py) {
  const isAtEnd = columns.hidden > 0 && Math.floor((px - x) / cw) === columns.list.length;
  return isAtEnd && py >= y ? (rows.list[Math.floor((py - y) / ch)] ?? null) : null;
}

/** The rectangle of shown rows and columns of a block, by absolute places; null where they are not seen. */
export function boxOf(block, row, column) {
  if (block.places) return pairBox(block, column);
  const r = row === null ? [0, cellsOf(block.rows)] : placed(block.rows, row);
  const c = column === null ? [0, cellsOf(block.columns)] : placed(block.columns, column);
  const {x, y, cw, ch} = block;
  if (!r || !c || cw <= 0 || ch <= 0) return null; // a window that is being made smaller may have no room for a moment
  return {x: x + c[0] * cw, y: y + r[0] * ch, width: (c[1] - c[0]) * cw, height: (r[1] - r[0]) * ch};
}

function placed({list}, index) {
  const at = list.indexOf(index);
  return at < 0 ? null : [at, at + 1];
}

/** Of a block of pairs the first number of the one under a point. */
function pairAt({x, y, cw, ch, across, places, row}, px, py) {
  const [column, line] = [Math.floor((px - x) / cw), Math.floor((py - y) / ch)];
  const pair = column >= 0 && column < across && line >= 0 ? places[line * across + column] : undefined;
  return pair ? {row, column: pair[0]} : null;
}

/** The place of the pair that holds a column. */
function pairBox({x, y, cw, ch, across, places}, column) {
  const at = places.findIndex((columns) => columns.includes(column));
  return at < 0 ? null : {x: x + (at % across) * cw, y: y + Math.floor(at / across) * ch, width: cw, height: ch};
}
