// The labels above columns: how they read, whether they stand upright, and the room they take. No DOM.

import {widthOf} from '../kit/words.js';
import {labelOf} from './names.js';

const LONGEST = 9; // characters
const UPRIGHT = 11.5; // px of an upright label at most, at k = 1
const APART = 0.3; // em between two labels
export const READABLE = 10; // px at k = 1

export const columnLabel = (axis, column) => labelOf(axis, column, LONGEST);

const textsOf = ({axis, list}) => list.map((column) => columnLabel(axis, column));

/** Whether a text wider than its column, `room` em, reaches one beside it. */
export function touches(texts, at, room) {
  const wide = widthOf(texts[at].text);
  return wide > room && [texts[at - 1], texts[at + 1]].some((other) => other && (wide + widthOf(other.text)) / 2 > room - APART);
}

/** Tokens stand upright over colours, and over numbers where their names would touch at a readable size. */
export function isUpright(columns, density, cw, k) {
  if (columns.axis.kind !== 'token') return false;
  const texts = textsOf(columns);
  return density !== 'numbers' || texts.some((_, at) => touches(texts, at, cw / (READABLE * k)));
}

/** The size of upright labels over columns of `cw` px. */
export const uprightSize = (cw, k) => Math.min(UPRIGHT * k, Math.max(READABLE * k, cw));

/** Room above a matrix for the labels of its columns. */
export function headroom(columns, density, cw, k) {
  if (!isUpright(columns, density, cw, k)) return 22 * k;
  return Math.max(...textsOf(columns).map(({text}) => widthOf(text))) * uprightSize(cw, k) + 10 * k;
}
