// The labels above columns: how they read, whether they stand upright, and the room they take. No DOM.

import {widthOf} from '../kit/words.js';
import {labelOf} from './names.js';

const LONGEST = 9; // characters
const UPRIGHT = 11.5; // px of an upright label at most, at k = 1
const APART = 0.3; // em between two labels
/** How many px a label has at least, at k = 1; a room reads those of a presenter from its last row. */
export const readable = (isPresented) => (isPresented ? 12 : 10);

export const columnLabel = (axis, column) => labelOf(axis, column, LONGEST);

const textsOf = ({axis, list}) => list.map((column) => columnLabel(axis, column));

/** Whether a text wider than its column, `room` em, reaches one beside it. */
export function touches(texts, at, room) {
  const wide = widthOf(texts[at].text);
  return wide > room && [texts[at - 1], texts[at + 1]].some((other) => other && (wide + widthOf(other.text)) / 2 > room - APART);
}

/** Tokens stand upright over colours, and over numbers where their names would touch at a readable size. */
export function isUpright(columns, density, cw, {k, isPresented = false}) {
  if (columns.axis.kind !== 'token') return false;
  const texts = textsOf(columns);
  return density !== 'numbers' || texts.some((_, at) => touches(texts, at, cw / (readable(isPresented) * k)));
}

/** The size of upright labels over columns of `cw` px. */
export const uprightSize = (cw, {k, isPresented = false}) => Math.max(readable(isPresented) * k, Math.min(UPRIGHT * k, cw));

/** Room above a matrix for the labels of its columns. */
export function headroom(columns, density, cw, room) {
  const {k} = room;
  if (!isUpright(columns, density, cw, room)) return 22 * k;
  return Math.max(...textsOf(columns).map(({text}) => widthOf(text))) * uprightSize(cw, room) + 10 * k;
}
