// How much of each axis is drawn: all where it fits, else a part the reader can move and one cell for the rest. No DOM.

import {clamp} from '../kit/number.js';

export const NUMBERED = 12; // tokens up to which numbers stand in the cells
const SPARE = 3; // cells
const FEATURES = 64; // features drawn at most, however small the cells

/** What a cell needs, in px at k = 1: with its number, as a colour to point at, as a colour with a finger. */
const LEAST = {
  numbers: {width: 34, height: 15, features: 13},
  colours: {width: 6, height: 4, features: FEATURES},
  narrow: {width: 13, height: 13, features: 16},
  presented: {width: 39, height: 17.2, features: 13}, // a number that the last row of a room reads
};

const EASY = [
  [24, 12], // tokens, and the height of a cell that leaves room for a label beside each
  [40, 8],
];

/** What a cell needs at least among so many tokens: the fewer there are, the more room a row gets for its label. */
export function leastOf(density, rows, isWhole, isPresented) {
  if (isPresented && density === 'numbers') return LEAST.presented;
  const easy = density === 'colours' && !isWhole && EASY.find(([most]) => rows.count <= most);
  return easy ? {...LEAST.colours, height: easy[1]} : LEAST[density];
}

/** Whether a stage is as narrow as that of a telephone; a presenter's has lengths as large, and is none. */
export const isTelephone = ({width, k, isPresented = false}) => !isPresented && width < 600 * k;

/** Whether rows can be left out: of words that may come next, one row is looked at, and a presenter points at one. */
export const areRowsCut = ({result, operands}, {isPresented = false} = {}) =>
  result.columns.kind === 'vocabulary' || (isPresented && [result, ...(operands ?? [])].every(({columns}) => columns.kind !== 'token'));

/** Numbers or colours: by the tokens of the step and what the reader chose. */
export function densityOf(step, isWhole, room) {
  if (areRowsCut(step, room)) return isWhole ? 'colours' : 'numbers';
  const axes = [step.result, ...step.operands].flatMap((matrix) => [matrix.rows, matrix.columns]);
  const tokens = Math.max(0, ...axes.filter((axis) => axis.kind === 'token').map((axis) => axis.count));
  return tokens > NUMBERED || isWhole ? 'colours' : 'numbers';
}

/** The places of an axis in `slots` cells, from a place the reader chose: {list, hidden}; `hidden` takes one cell. */
export function shownOf(axis, slots, from = axis.start) {
  const isWhole = axis.hidden === 0 && axis.count <= slots;
  const count = isWhole ? axis.count : Math.max(1, Math.min(axis.count, slots - 1));
  const first = clamp(from, axis.start, axis.start + axis.count - count);
  return {axis, list: Array.from({length: count}, (_, at) => first + at), hidden: axis.n - count, first, count};
}

/** How many cells a shown part takes. */
export const cellsOf = (shown) => shown.list.length + (shown.hidden > 0 ? 1 : 0);

/** How many cells an axis would take; one that is only a little longer than what is usual is shown whole. */
const needs = (axis, most) => {
  const whole = axis.count + (axis.hidden > 0 ? 1 : 0);
  return axis.kind === 'token' || whole <= most + SPARE ? whole : most;
};

/**
 * The three axes of a product in a room of `across` × `down` cells: rows, inner and columns, in cells.
 * Tokens are cut only where the step's rows may be; features share what is left, the inner axis by the height too.
 */
export function productSlots({rows, inner, columns, extra, across, down, most, isCut = false}) {
  const free = down - extra;
  const r = isCut ? Math.min(needs(rows, most), Math.max(2, Math.floor(free / 2), free - needs(inner, most))) : needs(rows, most);
  const isInnerFree = inner.kind !== 'token';
  const isColumnFree = columns.kind !== 'token';
  const tallest = isInnerFree ? Math.max(4, down - r - extra) : needs(inner, most);
  let i = Math.min(needs(inner, most), tallest);
  let c = needs(columns, most);
  if (isInnerFree && isColumnFree && i + c > across) {
    i = Math.min(i, Math.max(4, Math.ceil(across / 2)));
    c = Math.max(3, Math.min(c, across - i));
    i = Math.min(needs(inner, most), tallest, Math.max(i, across - c));
  } else if (isInnerFree) i = Math.max(Math.min(4, i), Math.min(i, across - c));
  else if (isColumnFree) c = Math.max(Math.min(3, c), Math.min(c, across - i));
  return {rows: r, inner: i, columns: c};
}

/** The part of an axis in so many cells, from the place the reader moved it to. */
export const shown = ({windows}, axis, slots) => shownOf(axis, slots, windows[axis.id] ?? axis.start);

/** As many rows as there are slots, those around the one that is picked; how many there are stands beside the name. */
export function cutRows(facts, axis, slots) {
  if (slots >= axis.count) return shown(facts, axis, axis.n);
  const first = clamp(facts.windows[axis.id] ?? axis.start, axis.start, axis.start + axis.count - slots);
  return {axis, list: Array.from({length: slots}, (_, at) => first + at), hidden: 0, first, count: slots};
}
