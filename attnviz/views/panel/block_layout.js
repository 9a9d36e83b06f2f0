// Where maps and bars go, in CSS pixels. No DOM.

import {widthOf} from '../kit/words.js';

const MOST_CELL = 44; // px: a cell is never wider
const OF_WORDS = {least: 30, most: 96, low: 12, high: 22, all: 384}; // px of a cell with a word in it; many of them scroll
const TALLEST = 30; // px
const MOST_HEIGHT = 560; // px: many rows share it, so that a map is seen as a whole
const LONGEST_LABEL = 140; // px beside the rows
const GAP = 32; // px between maps
const APART = 12; // px from one upright label to the next
const LEVEL_APART = 8; // px between level labels

/** How wide a cell should be for its numbers, or at least its colours, to be seen. */
const wanted = (columns) => (columns <= 12 ? 30 : columns <= 24 ? 16 : 7);

/** How many maps stand side by side, and how wide each may be: as many as keep the cells that they want. */
export function mapsAcross(maps, width, k = 1) {
  for (let n = maps.length; n > 1; n--) {
    const each = (width - (n - 1) * GAP * k) / n;
    const isWide = ({rows, columns}) => (each - labelWidth(rows, k)) / columns.length >= wanted(columns.length) * k;
    if (maps.every(isWide)) return {n, width: each};
  }
  return {n: 1, width};
}

const labelWidth = (rows, k) => Math.min(LONGEST_LABEL, 16 + 12.5 * Math.max(...rows.map(widthOf), 1)) * k;

/** The cells and labels of one map in `width`. */
export function mapRoom({rows, columns, texts = []}, width, k = 1) {
  const left = labelWidth(rows, k);
  const share = (MOST_HEIGHT * k) / rows.length;
  const even = (width - left) / columns.length;
  const cw = texts.length ? Math.max(OF_WORDS.least * k, Math.min(OF_WORDS.most * k, even)) : Math.min(MOST_CELL * k, Math.max(2, even), 1.25 * share);
  const lowest = Math.min(18 * k, (420 * k) / rows.length);
  const ch = texts.length ? Math.max(OF_WORDS.low, Math.min(OF_WORDS.high, OF_WORDS.all / rows.length)) * k : Math.min(TALLEST * k, share, Math.max(cw, lowest));
  const widest = Math.max(...columns.map(widthOf), 0.5);
  const level = (LEVEL_APART + widest * 10) * k;
  const isUpright = level > cw && columns.some((name) => !/^\d+$/.test(name)); // words turn before any is left out
  const top = isUpright ? Math.min(72, 14 + widest * 11.5) * k : 22 * k;
  return {
    left,
    top,
    cw,
    ch,
    k,
    isUpright,
    width: left + cw * columns.length,
    height: top + ch * rows.length,
    rowGap: APART * k,
    columnGap: isUpright ? APART * k : level,
  };
}

/** Where bars of these numbers lie, as shares of the room: all begin at `zero`, the longest sides fill it. */
export function barPlaces(values) {
  const low = Math.min(0, ...values);
  const span = Math.max(0, ...values) - low || 1;
  const places = values.map((value) => ({from: (Math.min(0, value) - low) / span, width: Math.abs(value) / span}));
  return {zero: (0 - low) / span, places};
}
