// Under the line of a rotated number: every pair of its row as an arrow before and after, fast pairs first.

import {arrowFrom} from '../kit/arrow.js';
import {svg} from '../kit/dom.js';
import {fmt, precise} from '../kit/number.js';
import {roleClass} from './names.js';

const [ACROSS, FEW] = [32, 11]; // pairs in a line, and where the strip is narrow
const SIDE = 24; // px of one pair
const RADIUS = 10;
const FOOT = 15; // px under a line, for the angle of the picked pair

/**
 * The pairs of a row: {columns, before, after, angle}, each arrow as its two numbers; only pairs that travelled.
 * No DOM.
 */
export function pairsOf(step, row) {
  const {width, pairs} = step.facts;
  const [x] = step.operands;
  const columnsOf = (pair) => (pairs === 'neighbours' ? [2 * pair, 2 * pair + 1] : [pair, pair + width / 2]);
  return Array.from({length: width / 2}, (_, pair) => columnsOf(pair))
    .filter((columns) => columns.every((column) => x.columns.holds(column) && step.result.columns.holds(column)))
    .map((columns) => ({
      columns,
      before: columns.map((column) => x.at(row, column)),
      after: columns.map((column) => step.result.at(row, column)),
      angle: Math.fround(row * step.extras.frequency.at(0, columns[0])),
    }));
}

/** How far a pair turned, in degrees as they are read: 229°, 11.2°, 0.05°. */
export const degreesOf = (angle) => {
  const degrees = (angle * 180) / Math.PI;
  return `${fmt(degrees, degrees >= 20 ? 0 : degrees >= 1 ? 1 : 2)}°`;
};

/**
 * The arrow of a pair from the middle of its circle, all of one length: how long it is does not change.
 * @param {number[]} pair
 * @param {number[]} middle
 */
function arrow([a, b], middle, kind) {
  const length = Math.hypot(a, b);
  if (!(length > 0)) return null;
  return svg('path', {d: arrowFrom(middle, [a / length, b / length], RADIUS, kind === 'after'), class: kind});
}

/** The pairs of the picked number's row, its own marked with how far it turned. */
export function pairArrows(step, cell, isNarrow) {
  const across = isNarrow ? FEW : ACROSS;
  const {position, angle} = cell.facts;
  const column = cell.terms[0].at[0].column;
  const found = pairsOf(step, position);
  const lines = Math.ceil(found.length / across);
  const [width, high] = [Math.min(found.length, across) * SIDE, SIDE + FOOT];
  const turned = `α = ${precise(angle)} ≈ ${degreesOf(angle)}`;
  const drawn = found.flatMap(({columns, before, after}, at) => {
    const middle = [((at % across) + 0.5) * SIDE, Math.floor(at / across) * high + SIDE / 2];
    const isHere = columns.includes(column);
    const [x, y] = middle;
    const anchor = x < 40 ? 'start' : x > width - 40 ? 'end' : 'middle';
    const place = {x: anchor === 'middle' ? x : anchor === 'start' ? x - RADIUS : x + RADIUS, y: y + RADIUS + FOOT - 2};
    return [
      svg('circle', {cx: x, cy: y, r: RADIUS + 1, class: isHere ? 'here' : null}),
      arrow(before, middle, 'before'),
      arrow(after, middle, 'after'),
      isHere && svg('text', {...place, 'text-anchor': anchor}, turned),
    ].filter(Boolean);
  });
  const attributes = {viewBox: `0 0 ${width} ${lines * high}`, class: 'arrows', role: 'img', 'aria-label': turned};
  const picture = svg('svg', attributes, svg('g', {class: roleClass(step.result)}, ...drawn));
  picture.style.maxWidth = `calc(var(--k) * ${width}px)`;
  return picture;
}
