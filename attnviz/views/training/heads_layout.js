// Where the maps of all heads and the cells of one lie, in CSS pixels. No DOM.

import {NUMBERED} from '../kit/cells.js';

const LARGEST = 240;
const EASY = 44; // easy to hit with a finger
const ALL_LABELS = 10.5; // px from one label to the next

export const CHART = {least: 175, most: 400, free: 330, share: 0.38}; // px; `free` where the page may scroll
export const LOWER = 345; // px that the lower half takes at least
const AROUND_CELLS = 90; // px above and below the cells of the one map

/** How tall the charts are in the `rest` below their heading: so that the cells of `n` rows hold numbers and the lower half has its room, each if it can. */
export function chartHeight(rest, height, n, k) {
  const usual = Math.min(CHART.share * height, CHART.most * k);
  const least = CHART.least * k;
  const most = [rest - (AROUND_CELLS + NUMBERED.width * n) * k, rest - LOWER * k].filter((px) => px >= least);
  return most.length ? Math.max(least, Math.min(usual, ...most)) : least;
}

/** Thumbnails of `layers` × `heads` maps of `n` rows and `m` columns; `height` is null where the page may scroll. */
export function thumbGeometry({width, height, layers, heads, n, m, k}) {
  const left = width < 480 ? 0 : 62 * k;
  const caption = 22 * k;
  const gap = {x: 18 * k, y: 12 * k};
  let columns = heads;
  const sizeFor = (count) => (width - left - (count - 1) * gap.x) / count;
  while (columns > 1 && sizeFor(columns) < EASY) columns = Math.ceil(columns / 2);
  const lines = Math.ceil(heads / columns);
  const rows = layers * lines;
  const shape = Math.min(1.5, Math.max(0.67, m / n)); // a map may be wider than tall, and the other way round
  const byHeight = height === null ? LARGEST * k : (height - (rows - 1) * gap.y) / rows - caption;
  const tall = Math.max(20, Math.min(byHeight, LARGEST * k, sizeFor(columns) / shape));
  const [w, h] = [Math.floor(tall * shape), Math.floor(tall)];
  const step = {x: Math.min(w + 44 * k, columns > 1 ? (width - left - w) / (columns - 1) : w), y: h + caption + gap.y};
  const at = (layer, head) => ({
    x: left + (head % columns) * step.x,
    y: (layer * lines + Math.floor(head / columns)) * step.y,
  });
  return {w, h, caption, left, at, columns, width: left + (columns - 1) * step.x + w, height: rows * step.y - gap.y};
}

/**
 * Cells of one map beside their labels. `wide` is the widest label in pixels: of a row, of a column that is a word, and
 * of a column that the model added. Words that do not fit above their column lean; an added token stands upright, and
 * before all others (`isAddedFirst`) level.
 */
export function cellGeometry({width, height, n, m, k, wide, isCausal, isAddedFirst = false}) {
  const left = Math.min(wide.row + 12 * k, width * 0.34);
  const tallest = height === null ? Infinity : (height - 22 * k) / n;
  const full = Math.min((width - left) / m, isCausal ? tallest : Infinity, 72 * k);
  const isTurned = wide.column > full - 3 * k && wide.column > 14 * k;
  const isWide = !isTurned && wide.added > full - 3 * k;
  const isLeading = isWide && isAddedFirst && wide.added < left; // it ends above its column and begins above the rows' labels
  const isUpright = isWide && !isLeading;
  const longest = Math.max(wide.column, wide.added);
  const top = isTurned ? Math.min(longest * 0.72 + 14 * k, 96 * k) : isUpright ? wide.added + 10 * k : 22 * k;
  const spare = isTurned ? Math.min(wide.column * 0.6, 44 * k) : 0; // a turned label leans out over the last column
  const most = {w: (width - left - spare) / m, h: height === null ? Infinity : (height - top) / n};
  let w = Math.min(most.w, 72 * k);
  let h = Math.min(most.h, 44 * k, isCausal ? w : Math.max(w, 20 * k));
  if (isCausal) h = Math.min(w, h);
  w = Math.min(w, isCausal ? (h < NUMBERED.height ? h : Math.max(h, NUMBERED.width * k)) : h * 2.2); // wide enough for its number
  h = Math.max(h, 3);
  const x0 = left + Math.max(0, (width - left - spare - w * m) / 2) * 0.5;
  return {
    w, h, x0, y0: top, isTurned, isUpright, isLeading,
    gap: {row: ALL_LABELS, column: isTurned ? 13 : ALL_LABELS},
    height: top + h * n,
  };
}
